/* Loops, branches, loads and stores of the affine dialect (affine_loops.c). */
#ifndef TILEWRIGHT_AFFINE_LOOPS_H
#define TILEWRIGHT_AFFINE_LOOPS_H

#include "tilewright/ir.h"

#include "mlir-c/AffineMap.h"

/* Makes those in `kernel` ops of scf and memref; affine.parallel stays. */
void tt_raise_affine(TtArena *arena, MlirOperation kernel);
/* Result `i` of an affine map on the operands of `op` from `first` on, as a value. */
MlirValue tt_apply_map(TtBuilder *b, MlirOperation op, MlirAffineMap map, intptr_t i,
                       intptr_t first);
/* Gives `to` the discardable attributes of `from`. */
void tt_copy_attributes(MlirOperation from, MlirOperation to);

#endif
