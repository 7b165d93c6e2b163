// SFPU: a + s b c.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(addcmul_tile_init, TTEMU_ADDCMUL)
TTEMU_SFPU_THREE_SCALAR(addcmul_tile, TTEMU_ADDCMUL)
} // namespace ckernel
using namespace ckernel;
