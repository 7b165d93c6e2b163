/* Runs `run` on every kernel (every tt.program) of a module, in order, until one
 * fails. The arena lives as long as the call. */
#ifndef TILEWRIGHT_FOR_EACH_KERNEL_H
#define TILEWRIGHT_FOR_EACH_KERNEL_H

#include "Analysis/kernel.h"

bool tt_for_each_kernel(MlirOperation module, bool (*run)(TtArena *, MlirOperation));
bool tt_for_each_program(MlirOperation module, bool (*run)(TtArena *, MlirOperation));

#endif
