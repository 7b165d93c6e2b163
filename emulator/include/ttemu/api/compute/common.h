// Every compute kernel: circular buffers, DST, and packing in order.
#pragma once

#ifndef TTEMU_COMPUTE
#error "this header is for compute kernels"
#endif

#include "ttemu/kernel.hpp"

#define UNPACK(x) do { if (ttemu_role() == 2) { x; } } while (0)
#define MATH(x) do { if (ttemu_role() == 3) { x; } } while (0)
#define PACK(x) do { if (ttemu_role() == 4) { x; } } while (0)

inline void tile_regs_acquire(TTEMU_LINE) { ttemu_dst_acquire(line); }
inline void tile_regs_commit(TTEMU_LINE) { ttemu_dst_commit(line); }
inline void tile_regs_wait(TTEMU_LINE) { ttemu_dst_wait(line); }
inline void tile_regs_release(TTEMU_LINE) { ttemu_dst_release(line); }

// In order, or to the page at `place` among those that are reserved.
template <bool tOutOfOrder = false>
inline void pack_tile(uint32_t dst, uint32_t cb, uint32_t place = 0, TTEMU_LINE) {
  ttemu_pack_tile(dst, cb, tOutOfOrder ? static_cast<int>(place) : TTEMU_IN_ORDER, line);
}

#if TTEMU_API >= 202608
#include "ttemu/api/compute/compute_kernel_hw_startup.h"
#include "ttemu/api/compute/reconfig_data_format.h"
#endif
