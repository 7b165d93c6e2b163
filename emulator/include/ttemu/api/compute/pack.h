// Settings of the packer.
#pragma once
#include "ttemu/api/compute/common.h"

#if TTEMU_API < 202608
inline void pack_reconfig_data_format(uint32_t cb, TTEMU_LINE) { ttemu_reconfig_pack(cb, line); }
#endif

// Tiles in a row of DST, in order.
#if TTEMU_API < 202608
inline void pack_tile_block(uint32_t dst, uint32_t cb, uint32_t count, TTEMU_LINE) {
  for (uint32_t i = 0; i < count; ++i) ttemu_pack_tile(dst + i, cb, TTEMU_IN_ORDER, line);
}
#else
inline void pack_block(uint32_t dst, uint32_t cb, uint32_t count, TTEMU_LINE) {
  for (uint32_t i = 0; i < count; ++i) ttemu_pack_tile(dst + i, cb, TTEMU_IN_ORDER, line);
}
#endif
inline void pack_reconfig_l1_acc(uint32_t on, TTEMU_LINE) { ttemu_pack_onto_l1(on != 0, line); }
