// SFPU: a scalar minus the value.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(rsub_tile_init, TTEMU_RSUB)
TTEMU_SFPU_SCALAR(rsub_tile, TTEMU_RSUB)
TTEMU_SFPU_INIT(rsub_unary_int32_tile_init, TTEMU_RSUB_SCALAR_INT)
TTEMU_SFPU_SCALAR(rsub_unary_int32_tile, TTEMU_RSUB_SCALAR_INT)
} // namespace ckernel
using namespace ckernel;
