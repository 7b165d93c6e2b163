/* What ops of level 2 compute, as a line of text for the emitted code. */
#ifndef TILEWRIGHT_FORMULA_H
#define TILEWRIGHT_FORMULA_H

#include "Analysis/program.h"

/* "cb_out0 = exp(cb_in0 - cb_in1)": what `ops`, which go on with `products`, leave in DST tile
 * `packed`. Circular buffers are handles of the program. */
const char *tt_formula_of(TtArena *arena, TtOps products, TtOps ops, MlirValue out, int64_t packed);
/* "cb_in0 x cb_in1" of a tt.mm.mma. */
const char *tt_product_formula(TtArena *arena, MlirOperation mma);

#endif
