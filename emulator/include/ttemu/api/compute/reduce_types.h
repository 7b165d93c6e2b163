// What reductions compute, and along which dimension.
#pragma once
#include "ttemu/kernel.hpp"

namespace ckernel {
enum class PoolType { SUM = TTEMU_POOL_SUM, AVG = TTEMU_POOL_AVG, MAX = TTEMU_POOL_MAX };
enum class ReduceDim {
  REDUCE_ROW = TTEMU_REDUCE_ROW,
  REDUCE_COL = TTEMU_REDUCE_COL,
  REDUCE_SCALAR = TTEMU_REDUCE_SCALAR
};
} // namespace ckernel
using namespace ckernel;
