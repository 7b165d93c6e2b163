/* What passes add to a program for a kernel whose cores do not all do the same. */
#ifndef TILEWRIGHT_GIVEN_H
#define TILEWRIGHT_GIVEN_H

#include "Analysis/program.h"

/* Adds n values, built in tt.core_args before its end, to what the host gives each core. */
void tt_give_cores(TtArena *arena, MlirOperation program, intptr_t n, const char *const *names,
                   const MlirValue *values);
/* Such a value, in a kernel, built where `top` stands. */
MlirValue tt_take_given(TtBuilder *top, MlirLocation loc, const char *name);
/* A semaphore of the cores of a kernel, 0 at first, and its address there. */
MlirValue tt_add_semaphore(MlirOperation program, MlirOperation kernel, TtBuilder *top,
                           MlirLocation loc, const char *name);
/* The top of a kernel, behind what stands there already. */
TtBuilder tt_top_of_kernel(MlirOperation kernel);
/* 1 where `condition`, an i1, holds, else 0. */
MlirValue tt_flag_of(TtBuilder *b, MlirLocation loc, MlirValue condition);
/* Whether two values of type index are the same, an i1; null where they are plainly so. */
MlirValue tt_equal(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);

#endif
