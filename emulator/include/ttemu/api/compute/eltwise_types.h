// The elementwise ops of the matrix engine, and which part of the second operand is repeated.
#pragma once
#include "ttemu/kernel_calls.h"

namespace ckernel {
enum EltwiseBinaryType { ELWADD = TTEMU_ADD, ELWSUB = TTEMU_SUB, ELWMUL = TTEMU_MUL };
enum class BroadcastType {
  NONE = TTEMU_BCAST_NONE,
  COL = TTEMU_BCAST_COL,
  ROW = TTEMU_BCAST_ROW,
  SCALAR = TTEMU_BCAST_SCALAR
};
using enum BroadcastType;
// Which operand is what DST holds.
enum class EltwiseBinaryReuseDestType { NONE = 0, DEST_TO_SRCA = 1, DEST_TO_SRCB = 2 };
} // namespace ckernel
using namespace ckernel;
