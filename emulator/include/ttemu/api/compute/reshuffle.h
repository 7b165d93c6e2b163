// Rows by a table.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(reshuffle_rows_tile, "reshuffled rows are not emulated")
TTEMU_NOT_EMULATED(reshuffle_rows_tile_init, "reshuffled rows are not emulated")
} // namespace ckernel
using namespace ckernel;
