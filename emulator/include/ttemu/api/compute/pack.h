// The packer: tiles from DST to the reserved pages of a circular buffer.
#pragma once
#include "ttemu/kernel.hpp"

namespace ckernel {
// In order, or to the page at `place` among those that are reserved.
template <bool tOutOfOrder = false>
inline void pack_tile(uint32_t dst, uint32_t cb, uint32_t place = 0, TTEMU_LINE) {
  ttemu_pack_tile(dst, cb, tOutOfOrder ? int(place) : TTEMU_IN_ORDER - int(place), line);
}

// Tiles in a row of DST, in order.
#if TTEMU_API < 202603
inline void matmul_pack_tile(uint32_t dst, uint32_t cb, uint32_t count, TTEMU_LINE) {
  for (uint32_t i = 0; i < count; ++i) ttemu_pack_tile(dst + i, cb, TTEMU_IN_ORDER, line);
}
#endif
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void pack_tile_block(uint32_t dst, uint32_t cb, uint32_t count, TTEMU_LINE) {
  for (uint32_t i = 0; i < count; ++i) ttemu_pack_tile(dst + i, cb, TTEMU_IN_ORDER, line);
}
#endif
#if TTEMU_API >= 202608
inline void pack_block(uint32_t dst, uint32_t cb, uint32_t count, TTEMU_LINE) {
  for (uint32_t i = 0; i < count; ++i) ttemu_pack_tile(dst + i, cb, TTEMU_IN_ORDER, line);
}
inline void pack_init(uint32_t) {}
// Bit 0 of the configuration turns on the removal of negative values.
inline void pack_relu_config(uint32_t config, TTEMU_LINE) { ttemu_pack_relu(config != 0, line); }
#endif
// To the format of a buffer; or from that of another one.
// To the shape of its tiles as well if an option says so.
template <bool... tOptions>
inline void pack_reconfig_data_format(uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_pack(cb, at.line);
  if ((tOptions || ...)) ttemu_pack_tile_shape(cb, at.line);
}
template <bool... tOptions>
inline void pack_reconfig_data_format(uint32_t, uint32_t cb, ttemu::call_line at = ttemu::here()) {
  pack_reconfig_data_format<tOptions...>(cb, at);
}
inline void pack_reconfig_l1_acc(uint32_t on, TTEMU_LINE) { ttemu_pack_onto_l1(on != 0, line); }

// The first rows of a tile, one after the other.
} // namespace ckernel
namespace ttemu {
inline uint32_t rows_to_pack = 32;
} // namespace ttemu
namespace ckernel {
inline void pack_rows_init(uint32_t rows) { ttemu::rows_to_pack = rows; }
inline void pack_rows(uint32_t dst, uint32_t cb, uint32_t place = 0, TTEMU_LINE) {
  ttemu_pack_rows(dst, cb, place, ttemu::rows_to_pack, line);
}
inline void pack_rows_uninit() {}
} // namespace ckernel
using namespace ckernel;
