// The one startup of the engine.
#pragma once
#include "ttemu/api/compute/common.h"

#if TTEMU_API >= 202603
enum class SrcOrder : uint8_t { Regular = 0, Reverse = 1 };

template <SrcOrder tOrder = SrcOrder::Regular>
inline void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  ttemu_startup(a, b, out, tOrder == SrcOrder::Reverse, line);
}
inline void compute_kernel_hw_startup(uint32_t in, uint32_t out, ttemu::call_line at = ttemu::here()) {
  ttemu_startup(in, in, out, false, at.line);
}
#endif
