// Where buffers lie, and how.
#pragma once

#include <cstdint>

namespace tt::tt_metal {

enum class BufferType { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };
enum class TensorMemoryLayout {
  INTERLEAVED = 0,
#if defined(TTEMU_API) && TTEMU_API < 202603
  SINGLE_BANK = 1,
#endif
  HEIGHT_SHARDED = 2,
  WIDTH_SHARDED = 3,
  BLOCK_SHARDED = 4,
  ND_SHARDED = 5
};
enum class ShardOrientation { ROW_MAJOR = 0, COL_MAJOR = 1 };
enum class ShardDistributionStrategy { ROUND_ROBIN_1D = 0, GRID_2D = 1 };

// Their names.
constexpr const char *name_of(BufferType type) {
  constexpr const char *names[] = {"DRAM", "L1", "SYSTEM_MEMORY", "L1_SMALL", "TRACE"};
  return names[static_cast<int>(type)];
}
constexpr const char *name_of(TensorMemoryLayout layout) {
  constexpr const char *names[] = {"INTERLEAVED",   "SINGLE_BANK",   "HEIGHT_SHARDED",
                                   "WIDTH_SHARDED", "BLOCK_SHARDED", "ND_SHARDED"};
  return names[static_cast<int>(layout)];
}
constexpr const char *name_of(ShardOrientation order) {
  return order == ShardOrientation::ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR";
}

} // namespace tt::tt_metal
