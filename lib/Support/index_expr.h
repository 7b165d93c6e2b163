/* Index arithmetic through MLIR's affine expressions, which simplify it. */
#ifndef TILEWRIGHT_INDEX_EXPR_H
#define TILEWRIGHT_INDEX_EXPR_H

#include "tilewright/ir.h"

/* `value` / `divisor`, where the division provably leaves no rest, built at `b`
 * in its simplest form; a null value where it may leave one. */
MlirValue tt_exact_quotient(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue value,
                            int64_t divisor);

/* Whether two index values are provably equal. */
bool tt_same_index(TtArena *arena, MlirValue a, MlirValue b);

#endif
