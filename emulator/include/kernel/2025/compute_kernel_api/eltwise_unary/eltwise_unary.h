// eltwise_unary.h of 2025.
#pragma once
#include "ttemu/api/compute/eltwise_unary/eltwise_unary.h"
