// Mean and variance in one pass, of each column.
#pragma once
#include <array>

#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
inline void welford_init(TTEMU_LINE) { ttemu_welford_clear(line); }
inline void welford_clear(TTEMU_LINE) { ttemu_welford_clear(line); }
// The table of reciprocals says the same as a division, to the last bit of fp32.
template <uint32_t tReciprocals>
inline void welford_update(uint32_t dst, uint32_t start, const std::array<uint32_t, tReciprocals> &,
                           TTEMU_LINE) {
  ttemu_welford_rows(dst, start, 0, 32, line);
}
template <uint32_t tReciprocals>
inline void welford_update_rows(uint32_t dst, uint32_t start, uint32_t row, uint32_t rows,
                                const std::array<uint32_t, tReciprocals> &, TTEMU_LINE) {
  ttemu_welford_rows(dst, start, row, rows, line);
}
inline void welford_save_state(uint32_t dst, ttemu::call_line at = ttemu::here()) {
  ttemu_welford_save(dst, 0, at.line);
}
inline void welford_save_state(uint32_t dst, uint32_t group, ttemu::call_line at = ttemu::here()) {
  ttemu_welford_save(dst, group, at.line);
}
inline void welford_restore_state(uint32_t dst, ttemu::call_line at = ttemu::here()) {
  ttemu_welford_restore(dst, 0, at.line);
}
inline void welford_restore_state(uint32_t dst, uint32_t group,
                                  ttemu::call_line at = ttemu::here()) {
  ttemu_welford_restore(dst, group, at.line);
}
// Results: `scale` is the number of samples less one.
template <std::size_t tReciprocals>
inline void welford_finalize_to_row(uint32_t dst, uint32_t scale,
                                    const std::array<uint32_t, tReciprocals> &, TTEMU_LINE) {
  ttemu_welford_finish(dst, 0, TTEMU_WELFORD_ROW, 1.0f / static_cast<float>(scale + 1), line);
}
template <std::size_t tReciprocals>
inline void welford_finalize_to_face(uint32_t dst, uint32_t scale,
                                     const std::array<uint32_t, tReciprocals> &, TTEMU_LINE) {
  ttemu_welford_finish(dst, 0, TTEMU_WELFORD_LANES, 1.0f / static_cast<float>(scale + 1), line);
}
template <std::size_t tReciprocals>
inline void welford_finalize_to_face(uint32_t dst, uint32_t group, uint32_t scale,
                                     const std::array<uint32_t, tReciprocals> &, TTEMU_LINE) {
  ttemu_welford_finish(dst, group, TTEMU_WELFORD_LANES, 1.0f / static_cast<float>(scale + 1), line);
}
} // namespace ckernel
using namespace ckernel;
