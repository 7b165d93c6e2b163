// What unpack sees of the tiles at the front of a circular buffer.
#pragma once
#include "ttemu/kernel.hpp"

namespace ckernel {
inline uint32_t get_tile_address(uint32_t cb, uint32_t tile, TTEMU_LINE) {
  return ttemu_tile_address(cb, tile, line);
}
inline uint32_t read_tile_value(uint32_t cb, uint32_t tile, uint32_t element, TTEMU_LINE) {
  const uint32_t *words =
      reinterpret_cast<const uint32_t *>(uintptr_t{ttemu_tile_address(cb, tile, line)});
  return words[element];
}
} // namespace ckernel
using namespace ckernel;
