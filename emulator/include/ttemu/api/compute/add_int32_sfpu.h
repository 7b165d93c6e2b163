// Where trees before 2026 have it.
#pragma once
#include "ttemu/api/compute/eltwise_unary/rounding.h"
#include "ttemu/api/compute/older_sfpu.h"
