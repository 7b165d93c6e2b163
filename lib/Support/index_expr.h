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

/* The constant factor of `of` in `value`, where `value` is linear in it: 3 for
 * %i * 3 + %j. False where it may not be. */
bool tt_index_factor(TtArena *arena, MlirValue value, MlirValue of, int64_t *factor);

#endif
