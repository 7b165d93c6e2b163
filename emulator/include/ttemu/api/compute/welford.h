// Mean and variance in one pass.
#pragma once
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
TTEMU_NOT_EMULATED(welford_init, "Welford sums are not emulated")
TTEMU_NOT_EMULATED(welford_clear, "Welford sums are not emulated")
TTEMU_NOT_EMULATED(welford_update, "Welford sums are not emulated")
TTEMU_NOT_EMULATED(welford_update_rows, "Welford sums are not emulated")
TTEMU_NOT_EMULATED(welford_save_state, "Welford sums are not emulated")
TTEMU_NOT_EMULATED(welford_restore_state, "Welford sums are not emulated")
TTEMU_NOT_EMULATED(welford_finalize_to_row, "Welford sums are not emulated")
TTEMU_NOT_EMULATED(welford_finalize_to_face, "Welford sums are not emulated")
} // namespace ckernel
using namespace ckernel;
