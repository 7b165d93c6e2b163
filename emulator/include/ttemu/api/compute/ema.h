// Moving averages.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(ema_init, "moving averages are not emulated")
TTEMU_NOT_EMULATED(ema_clear_previous_output, "moving averages are not emulated")
TTEMU_NOT_EMULATED(ema_tile, "moving averages are not emulated")
} // namespace ckernel
using namespace ckernel;
