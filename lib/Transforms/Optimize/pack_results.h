/* Products whose result ops go on with in DST (pack_results.c). */
#ifndef TILEWRIGHT_PACK_RESULTS_H
#define TILEWRIGHT_PACK_RESULTS_H

#include "tilewright/ir.h"

/* Whether ops go on with a product's result where it is in DST, which has to hold all of it. */
bool tt_has_results_in_dst(TtArena *arena, MlirOperation func);
/* Packs the results of a kernel's products that ops of a tile go on with, on level 2, and copies
 * them back, so that they may have more tiles than one. Adds the new ops to `added`; false, and
 * nothing is changed, where the format that it takes would lose bits. */
bool tt_pack_results(TtArena *arena, MlirOperation func, TtOps *added);
/* Takes such ops away again. */
void tt_forget_results(const TtOps *added);

#endif
