/* The values that an index may take, from loops and grids of constant bounds and from the tt.range
 * of what is loaded (index_range.c). */
#ifndef TILEWRIGHT_INDEX_RANGE_H
#define TILEWRIGHT_INDEX_RANGE_H

#include "Analysis/kernel.h"

#include "mlir-c/AffineExpr.h"

typedef struct TtIndexRange {
  int64_t least, most;
} TtIndexRange;

/* False where nothing is known. */
bool tt_index_range(TtArena *arena, MlirValue index, TtIndexRange *range);
/* Of an affine expression of `leaves`, all of which it has are loaded; else false. */
bool tt_loaded_range(MlirAffineExpr e, const MlirValue *leaves, intptr_t n, TtIndexRange *range);

#endif
