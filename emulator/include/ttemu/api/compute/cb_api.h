// What unpack sees of the tiles at the front of a circular buffer; math and pack get it from there.
#pragma once
#include "ttemu/kernel.hpp"

namespace ckernel {
// From unpack (2) to math (3) and pack (4), each of which takes it.
template <typename F> inline uint32_t from_unpack(F value, uint32_t line) {
  if (ttemu_role() != 2) return ttemu_mailbox_read(2, line);
  const uint32_t word = value();
  ttemu_mailbox_write(3, word, line);
  ttemu_mailbox_write(4, word, line);
  return word;
}
inline uint32_t get_tile_address(uint32_t cb, uint32_t tile, TTEMU_LINE) {
  return from_unpack([&] { return ttemu_tile_address(cb, tile, line); }, line);
}
inline uint32_t read_tile_value(uint32_t cb, uint32_t tile, uint32_t element, TTEMU_LINE) {
  return from_unpack(
      [&] {
        return reinterpret_cast<const uint32_t *>(
            uintptr_t{ttemu_tile_address(cb, tile, line)})[element];
      },
      line);
}
#if TTEMU_API < 202603
/* The older form: a pointer that lies 16 bytes before the tile, and a release for which unpack
 * waits, so that it frees no page that the others still look at. */
template <typename T> inline void cb_get_tile(uint32_t cb, uint32_t tile, T *pointer, TTEMU_LINE) {
  const uint32_t at = from_unpack([&] { return ttemu_tile_address(cb, tile, line) - 16; }, line);
  *pointer = (T)(uintptr_t)at;
}
inline void cb_release_tile(uint32_t, TTEMU_LINE) {
  if (ttemu_role() != 2) return ttemu_mailbox_write(2, 0, line);
  ttemu_mailbox_read(3, line), ttemu_mailbox_read(4, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
