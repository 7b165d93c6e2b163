// Changes of the data formats that unpackers and packer expect.
#pragma once
#include "ttemu/api/compute/common.h"

inline void reconfig_data_format_srca(uint32_t cb, TTEMU_LINE) { ttemu_reconfig_srca(cb, line); }
inline void reconfig_data_format_srcb(uint32_t cb, TTEMU_LINE) { ttemu_reconfig_srcb(cb, line); }
inline void reconfig_data_format(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_reconfig_srca(a, line);
  ttemu_reconfig_srcb(b, line);
}
#if TTEMU_API >= 202608
inline void pack_reconfig_data_format(uint32_t cb, TTEMU_LINE) { ttemu_reconfig_pack(cb, line); }
#endif
