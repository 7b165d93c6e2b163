// The elementwise ops of the matrix engine.
#pragma once
#include "ttemu/device.h"

namespace ckernel {
enum EltwiseBinaryType { ELWADD = TTEMU_ADD, ELWSUB = TTEMU_SUB, ELWMUL = TTEMU_MUL };
} // namespace ckernel
using namespace ckernel;
