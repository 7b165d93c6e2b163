/* Counted loops that are written as scf.while (while_loops.c). */
#ifndef TILEWRIGHT_WHILE_LOOPS_H
#define TILEWRIGHT_WHILE_LOOPS_H

#include "Analysis/kernel.h"

/* Makes each scf.while that counts up to a bound an scf.for; others stay. */
void tt_count_while_loops(TtArena *arena, MlirOperation kernel);

#endif
