/* Float32 beside integers, in the source registers of a compute kernel. */
#ifndef TILEWRIGHT_KEEP_EXPONENTS_H
#define TILEWRIGHT_KEEP_EXPONENTS_H

#include "Dialect/members.h"

/* Gives `program` a circular buffer of bf16, on the cores of `kernel`, where Float32 would have the
 * exponents of Float16 without. An error where no circular buffer is left. */
bool tt_keep_exponents(TtArena *arena, MlirOperation program, MlirOperation kernel);

#endif
