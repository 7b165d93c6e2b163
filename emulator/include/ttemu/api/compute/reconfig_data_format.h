// Changes of the data formats that unpackers and packer expect: to the new buffers, or from
// old to new ones.
#pragma once
#include "ttemu/api/compute/common_globals.h"
#include "ttemu/api/compute/compute_kernel_hw_startup.h"

namespace ckernel {
template <bool... tOptions>
inline void reconfig_data_format_srca(uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(cb, at.line);
}
template <bool... tOptions>
inline void reconfig_data_format_srca(uint32_t, uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(cb, at.line);
}
template <bool... tOptions>
inline void reconfig_data_format_srcb(uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srcb(cb, at.line);
}
template <bool... tOptions>
inline void reconfig_data_format_srcb(uint32_t, uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srcb(cb, at.line);
}

#if TTEMU_API < 202608
template <bool... tOptions> inline void reconfig_data_format(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_reconfig_srca(a, line);
  ttemu_reconfig_srcb(b, line);
}
template <bool... tOptions>
inline void reconfig_data_format(uint32_t, uint32_t a, uint32_t, uint32_t b,
                                 ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(a, at.line);
  ttemu_reconfig_srcb(b, at.line);
}
#else
#define TTEMU_RECONFIG(name)                                                                       \
  template <SrcOrder tOrder = SrcOrder::Regular>                                                   \
  inline void name(uint32_t a, uint32_t b, TTEMU_LINE) {                                           \
    ttemu_reconfig_srca(tOrder == SrcOrder::Reverse ? b : a, line);                                \
    ttemu_reconfig_srcb(tOrder == SrcOrder::Reverse ? a : b, line);                                \
  }                                                                                                \
  template <SrcOrder tOrder = SrcOrder::Regular>                                                   \
  inline void name(uint32_t, uint32_t a, uint32_t, uint32_t b,                                     \
                   ttemu::call_line at = ttemu::here()) {                                          \
    name<tOrder>(a, b, at.line);                                                                   \
  }
TTEMU_RECONFIG(reconfig_data_format)
TTEMU_RECONFIG(reconfig_full_operand)
TTEMU_RECONFIG(reconfig_data_format_skip_int8)
#define TTEMU_RECONFIG_ONE(name, source)                                                           \
  inline void name(uint32_t cb, ttemu::call_line at = ttemu::here()) { source(cb, at.line); }      \
  inline void name(uint32_t, uint32_t cb, ttemu::call_line at = ttemu::here()) {                   \
    source(cb, at.line);                                                                           \
  }
TTEMU_RECONFIG_ONE(reconfig_full_operand_srca, ttemu_reconfig_srca)
TTEMU_RECONFIG_ONE(reconfig_full_operand_srcb, ttemu_reconfig_srcb)
TTEMU_RECONFIG_ONE(reconfig_data_format_srca_skip_int8, ttemu_reconfig_srca)
TTEMU_RECONFIG_ONE(reconfig_data_format_srcb_skip_int8, ttemu_reconfig_srcb)
// The shape of a tile alone, which is always 32 x 32 here.
template <SrcOrder tOrder = SrcOrder::Regular>
inline void reconfig_tile_shape(uint32_t, uint32_t) {}
template <SrcOrder tOrder = SrcOrder::Regular>
inline void reconfig_tile_shape(uint32_t, uint32_t, uint32_t, uint32_t) {}
inline void reconfig_tile_shape_srca(uint32_t, uint32_t = 0) {}
inline void reconfig_tile_shape_srcb(uint32_t, uint32_t = 0) {}
#endif
} // namespace ckernel
using namespace ckernel;
