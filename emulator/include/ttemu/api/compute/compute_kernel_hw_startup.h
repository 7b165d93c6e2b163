// The one startup of the engine.
#pragma once
#include "ttemu/api/compute/common_globals.h"
#include "ttemu/api/compute/not_emulated.h"

namespace ckernel {
// The trees of December 2025 have it already.
#if TTEMU_API >= 202512
enum class SrcOrder : uint8_t { Regular = 0, Reverse = 1 };

template <SrcOrder tOrder = SrcOrder::Regular>
inline void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out, TTEMU_LINE) {
  ttemu_startup(a, b, out, tOrder == SrcOrder::Reverse, line);
}
inline void compute_kernel_hw_startup(uint32_t in, uint32_t out,
                                      ttemu::call_line at = ttemu::here()) {
  ttemu_startup(in, in, out, false, at.line);
}
#endif
TTEMU_NOT_EMULATED(enable_fp32_dest_acc,
                   "DST keeps the width that the host gives it (fp32_dest_acc_en)")
TTEMU_NOT_EMULATED(disable_fp32_dest_acc,
                   "DST keeps the width that the host gives it (fp32_dest_acc_en)")
#if TTEMU_API >= 202608
TTEMU_NOT_EMULATED(set_fp32_dest_acc,
                   "DST keeps the width that the host gives it (fp32_dest_acc_en)")
TTEMU_NOT_EMULATED(restore_fp32_dest_acc,
                   "DST keeps the width that the host gives it (fp32_dest_acc_en)")
#endif
} // namespace ckernel
using namespace ckernel;
