// The one startup of the engine.
#pragma once
#include "ttemu/api/compute/common.h"

#if TTEMU_API >= 202603
enum class SrcOrder : uint8_t { Regular = 0, Reverse = 1 };

template <SrcOrder order = SrcOrder::Regular>
inline void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  ttemu_startup(a, b, out, order == SrcOrder::Reverse, line);
}
namespace ttemu {
struct call_line {  // so that the form with two buffers is not taken for that with three
  uint32_t line;
};
}  // namespace ttemu
inline void compute_kernel_hw_startup(uint32_t in, uint32_t out,
                                      ttemu::call_line at = {
                                          static_cast<uint32_t>(__builtin_LINE())}) {
  ttemu_startup(in, in, out, false, at.line);
}
#endif
