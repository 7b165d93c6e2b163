// eltwise_unary.h of 2026.
#pragma once
#include "ttemu/api/compute/eltwise_unary/eltwise_unary.h"
