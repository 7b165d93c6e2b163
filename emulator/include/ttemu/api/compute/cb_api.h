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
} // namespace ckernel
using namespace ckernel;
