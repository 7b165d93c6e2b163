// Halves of DST: math acquires and commits them, pack waits for them and releases them.
#pragma once
#include "ttemu/kernel.hpp"

#if TTEMU_API < 202603
// The host chooses it since.
namespace tt {
enum class DstMode : uint8_t { Full, Half, Tile };
}
#endif
namespace ckernel {
inline void tile_regs_acquire(TTEMU_LINE) { ttemu_dst_acquire(line); }
inline void tile_regs_commit(TTEMU_LINE) { ttemu_dst_commit(line); }
inline void tile_regs_wait(TTEMU_LINE) { ttemu_dst_wait(line); }
inline void tile_regs_release(TTEMU_LINE) { ttemu_dst_release(line); }
// The older pair: each processor does its half.
inline void acquire_dst(TTEMU_LINE) {
  ttemu_dst_acquire(line);
  ttemu_dst_wait(line);
}
inline void release_dst(TTEMU_LINE) {
  ttemu_dst_commit(line);
  ttemu_dst_release(line);
}
#if TTEMU_API < 202603
inline void acquire_dst(tt::DstMode, TTEMU_LINE) { acquire_dst(line); }
inline void release_dst(tt::DstMode, TTEMU_LINE) { release_dst(line); }
#endif
} // namespace ckernel
using namespace ckernel;
