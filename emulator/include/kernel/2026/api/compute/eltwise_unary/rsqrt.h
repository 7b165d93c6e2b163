// rsqrt.h of 2026.
#pragma once
#include "ttemu/api/compute/eltwise_unary/rsqrt.h"
