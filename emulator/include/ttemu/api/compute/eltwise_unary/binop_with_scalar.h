// SFPU: arithmetic with a scalar, given by its bits. div takes the reciprocal.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(binop_with_scalar_tile_init, TTEMU_ADD_SCALAR)
TTEMU_SFPU_SCALAR(add_unary_tile, TTEMU_ADD_SCALAR)
TTEMU_SFPU_SCALAR(sub_unary_tile, TTEMU_SUB_SCALAR)
TTEMU_SFPU_SCALAR(mul_unary_tile, TTEMU_MUL_SCALAR)
TTEMU_SFPU_SCALAR(div_unary_tile, TTEMU_DIV_SCALAR)
TTEMU_SFPU_SCALAR(rsub_unary_tile, TTEMU_RSUB_SCALAR)
TTEMU_SFPU_SCALAR(add_unary_tile_int32, TTEMU_ADD_SCALAR_INT)
TTEMU_SFPU_SCALAR(sub_unary_tile_int32, TTEMU_SUB_SCALAR_INT)
} // namespace ckernel
using namespace ckernel;
