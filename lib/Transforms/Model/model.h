/* What the passes of --tt-model share: functions on tensors, and linalg ops in them. */
#ifndef TILEWRIGHT_MODEL_H
#define TILEWRIGHT_MODEL_H

#include "Analysis/kernel.h"

#include "mlir-c/AffineMap.h"

/* A func.func with a body and the unit attribute tt.model. */
bool tt_is_model(MlirOperation func);
/* Runs `run` on each of them, in order, until one fails. */
bool tt_for_each_model(MlirOperation module, bool (*run)(TtArena *, MlirOperation));

/* Of an op with indexing_maps: the map of operand `i`, ins first. */
MlirAffineMap tt_indexing_map(MlirOperation linalg, intptr_t i);
void tt_set_indexing_map(MlirOperation linalg, intptr_t i, MlirAffineMap map);
/* The loop that result `i` of a map is; -1 where it is no single loop. */
int64_t tt_map_loop(MlirAffineMap map, intptr_t i);
/* Whether loop `i` of a linalg op with iterator_types is parallel. */
bool tt_is_parallel_loop(MlirOperation linalg, intptr_t i);

#endif
