// The elementwise ops of the matrix engine.
#pragma once
#include "ttemu/device.h"

enum EltwiseBinaryType { ELWADD = TTEMU_ADD, ELWSUB = TTEMU_SUB, ELWMUL = TTEMU_MUL };
