// Startup of kernels that begin with a copy.
#pragma once
#include "ttemu/api/compute/common.h"

namespace ckernel {
#if TTEMU_API < 202608 || defined(TTEMU_DEPRECATED)
inline void unary_op_init_common(uint32_t in, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  ttemu_startup(in, in, out, false, line);
  ttemu_copy_init(in, false, line);
}
inline void init_sfpu(uint32_t in, uint32_t out TTEMU_OR(16), TTEMU_LINE) {
  unary_op_init_common(in, out, line);
}
#endif
} // namespace ckernel
using namespace ckernel;
