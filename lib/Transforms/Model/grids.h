/* Grids of a bufferized model that are to be kernels. */
#ifndef TILEWRIGHT_MODEL_GRIDS_H
#define TILEWRIGHT_MODEL_GRIDS_H

#include "Transforms/Model/model.h"

/* The ops of a bufferized model that are in no grid, grids among them, in order: those of loops,
 * too, which the host goes through. */
TtOps tt_host_ops(TtArena *arena, MlirOperation func);
/* A memref that is no part of another. */
bool tt_is_whole(MlirValue memref);
/* Whether the host does more than to call one kernel after the other: loops and copies. */
bool tt_needs_host(TtArena *arena, MlirOperation func);
/* Has a grid placed by the compiler, and what is built up in a block of a tensor built up in a
 * buffer of the core (model_to_kernels.c). */
void tt_prepare_grid(TtArena *arena, MlirOperation grid);
/* "transpose" of an op that moves elements: its name in the model, or "copy", or "fill"
 * (name_kernels.c). */
const char *tt_move_word(TtArena *arena, MlirOperation op);
/* A grid, in the place of a memref.copy, of copies of its parts; the copy itself where it has no
 * such dimension (spread_copy.c). */
MlirOperation tt_spread_copy(MlirOperation copy);

#endif
