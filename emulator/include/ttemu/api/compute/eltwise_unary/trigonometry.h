// SFPU: functions of angles, and their hyperbolic kin.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(sin_tile_init, TTEMU_SIN)
TTEMU_SFPU_ONE(sin_tile, TTEMU_SIN)
TTEMU_SFPU_INIT(cos_tile_init, TTEMU_COS)
TTEMU_SFPU_ONE(cos_tile, TTEMU_COS)
TTEMU_SFPU_INIT(tan_tile_init, TTEMU_TAN)
TTEMU_SFPU_ONE(tan_tile, TTEMU_TAN)
TTEMU_SFPU_INIT(asin_tile_init, TTEMU_ASIN)
TTEMU_SFPU_ONE(asin_tile, TTEMU_ASIN)
TTEMU_SFPU_INIT(acos_tile_init, TTEMU_ACOS)
TTEMU_SFPU_ONE(acos_tile, TTEMU_ACOS)
TTEMU_SFPU_INIT(atan_tile_init, TTEMU_ATAN)
TTEMU_SFPU_ONE(atan_tile, TTEMU_ATAN)
TTEMU_SFPU_INIT(sinh_tile_init, TTEMU_SINH)
TTEMU_SFPU_ONE(sinh_tile, TTEMU_SINH)
TTEMU_SFPU_INIT(cosh_tile_init, TTEMU_COSH)
TTEMU_SFPU_ONE(cosh_tile, TTEMU_COSH)
TTEMU_SFPU_INIT(asinh_tile_init, TTEMU_ASINH)
TTEMU_SFPU_ONE(asinh_tile, TTEMU_ASINH)
TTEMU_SFPU_INIT(acosh_tile_init, TTEMU_ACOSH)
TTEMU_SFPU_ONE(acosh_tile, TTEMU_ACOSH)
TTEMU_SFPU_INIT(atanh_tile_init, TTEMU_ATANH)
TTEMU_SFPU_ONE(atanh_tile, TTEMU_ATANH)
} // namespace ckernel
using namespace ckernel;
