// SFPU: identity.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_SFPU_INIT(identity_tile_init, TTEMU_IDENTITY)
TTEMU_SFPU_ONE(identity_tile, TTEMU_IDENTITY)
TTEMU_SFPU_ONE(identity_tile_uint32, TTEMU_IDENTITY_INT)
} // namespace ckernel
using namespace ckernel;
