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
// Forms of calls on two operands that a pointer to them takes, with the SDK's own parameters; who
// calls by name gets the other one, which knows its line. Behind a pointer it is that of the call
// before.
#define TTEMU_POINTED_TILE(name)                                                                   \
  template <class = void>                                                                          \
  inline void name(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst) {               \
    name(a, b, ia, ib, dst, ttemu::call_line{0});                                                  \
  }
#define TTEMU_POINTED_ROW(name)                                                                    \
  template <class = void>                                                                          \
  inline void name(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst, uint32_t row) { \
    name(a, b, ia, ib, dst, row, ttemu::call_line{0});                                             \
  }
// Which operand is what DST holds.
enum class EltwiseBinaryReuseDestType { NONE = 0, DEST_TO_SRCA = 1, DEST_TO_SRCB = 2 };
} // namespace ckernel
using namespace ckernel;
