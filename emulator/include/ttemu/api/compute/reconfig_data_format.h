// Changes of the data formats that unpackers and packer expect: to the new buffers, or from
// old to new ones.
#pragma once
#include "ttemu/api/compute/common_globals.h"
#include "ttemu/api/compute/compute_kernel_hw_startup.h"

// Whether the matrix engine takes integers changes where the first option says so; the last era
// sees by itself.
#define TTEMU_INTEGERS(a, b, at)                                                                   \
  if constexpr (TTEMU_API >= 202608 || ttemu::first_of<tOptions...>())                             \
  ttemu_reconfig_integers(a, b, TTEMU_API < 202608, at)
namespace ttemu {
template <bool tFirst = false, bool...> constexpr bool first_of() { return tFirst; }
} // namespace ttemu

namespace ckernel {
template <bool... tOptions>
inline void reconfig_data_format_srca(uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(cb, at.line);
  TTEMU_INTEGERS(cb, cb, at.line);
}
template <bool... tOptions>
inline void reconfig_data_format_srca(uint32_t old, uint32_t cb,
                                      ttemu::call_line at = ttemu::here()) {
  if (!ttemu_same_source(old, cb, at.line)) reconfig_data_format_srca<tOptions...>(cb, at);
}
template <bool... tOptions>
inline void reconfig_data_format_srcb(uint32_t cb, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srcb(cb, at.line);
  TTEMU_INTEGERS(cb, cb, at.line);
}
template <bool... tOptions>
inline void reconfig_data_format_srcb(uint32_t old, uint32_t cb,
                                      ttemu::call_line at = ttemu::here()) {
  if (!ttemu_same_source(old, cb, at.line)) reconfig_data_format_srcb<tOptions...>(cb, at);
}

#if TTEMU_API < 202608
template <bool... tOptions>
inline void reconfig_data_format(uint32_t a, uint32_t b, ttemu::call_line at = ttemu::here()) {
  ttemu_reconfig_srca(a, at.line);
  ttemu_reconfig_srcb(b, at.line);
  TTEMU_INTEGERS(a, b, at.line);
}
// Both where both differ, else the one that does.
template <bool... tOptions>
inline void reconfig_data_format(uint32_t old_a, uint32_t a, uint32_t old_b, uint32_t b,
                                 ttemu::call_line at = ttemu::here()) {
  const bool same_a = ttemu_same_source(old_a, a, at.line),
             same_b = ttemu_same_source(old_b, b, at.line);
  if (!same_a && !same_b) reconfig_data_format<tOptions...>(a, b, at);
  else if (!same_a) reconfig_data_format_srca<tOptions...>(a, at);
  else if (!same_b) reconfig_data_format_srcb<tOptions...>(b, at);
}
#else
#define TTEMU_RECONFIG(name, tIntegers)                                                            \
  template <SrcOrder tOrder = SrcOrder::Regular>                                                   \
  inline void name(uint32_t a, uint32_t b, TTEMU_LINE) {                                           \
    ttemu_reconfig_srca(tOrder == SrcOrder::Reverse ? b : a, line);                                \
    ttemu_reconfig_srcb(tOrder == SrcOrder::Reverse ? a : b, line);                                \
    if (tIntegers) ttemu_reconfig_integers(a, b, false, line);                                     \
  }                                                                                                \
  template <SrcOrder tOrder = SrcOrder::Regular>                                                   \
  inline void name(uint32_t, uint32_t a, uint32_t, uint32_t b,                                     \
                   ttemu::call_line at = ttemu::here()) {                                          \
    name<tOrder>(a, b, at.line);                                                                   \
  }
TTEMU_RECONFIG(reconfig_data_format, true)
TTEMU_RECONFIG(reconfig_full_operand, true)
TTEMU_RECONFIG(reconfig_data_format_skip_int8, false)
#define TTEMU_RECONFIG_ONE(name, source, tIntegers)                                                \
  inline void name(uint32_t cb, ttemu::call_line at = ttemu::here()) {                             \
    source(cb, at.line);                                                                           \
    if (tIntegers) ttemu_reconfig_integers(cb, cb, false, at.line);                                \
  }                                                                                                \
  inline void name(uint32_t old, uint32_t cb, ttemu::call_line at = ttemu::here()) {               \
    if (!ttemu_same_source(old, cb, at.line)) name(cb, at);                                        \
  }
TTEMU_RECONFIG_ONE(reconfig_full_operand_srca, ttemu_reconfig_srca, true)
TTEMU_RECONFIG_ONE(reconfig_full_operand_srcb, ttemu_reconfig_srcb, true)
TTEMU_RECONFIG_ONE(reconfig_data_format_srca_skip_int8, ttemu_reconfig_srca, false)
TTEMU_RECONFIG_ONE(reconfig_data_format_srcb_skip_int8, ttemu_reconfig_srcb, false)
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
