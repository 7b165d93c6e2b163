/* Comparisons of flags (flag_compares.c). */
#ifndef TILEWRIGHT_FLAG_COMPARES_H
#define TILEWRIGHT_FLAG_COMPARES_H

#include "Analysis/kernel.h"

/* Makes comparisons of flags in `kernel` what bodies compute with flags. */
void tt_expand_flag_compares(TtArena *arena, MlirOperation kernel);

#endif
