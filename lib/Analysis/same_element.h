/* Whether two steps of a parallel loop touch one element of a buffer (same_element.c). */
#ifndef TILEWRIGHT_SAME_ELEMENT_H
#define TILEWRIGHT_SAME_ELEMENT_H

#include "Dialect/shapes.h"
#include "tilewright/ir.h"

enum { TT_PARALLEL_DIMS = 8 };

typedef enum TtMeets { TT_NEVER_MEET, TT_MEET, TT_MAY_MEET } TtMeets;

/* Two different steps, by variables of the loop, and the element that both touch. */
typedef struct TtSameElement {
  int64_t step[2][TT_PARALLEL_DIMS], element[TT_MAX_RANK];
} TtSameElement;

/* Of `a` and `b`, loads and stores of one memref in `root`, a parallel loop of at most
 * TT_PARALLEL_DIMS dimensions: they may be one op. `*same` is set for TT_MEET only. */
TtMeets tt_same_element_of_steps(TtArena *arena, MlirOperation root, MlirOperation a,
                                 MlirOperation b, TtSameElement *same);
/* The same, by doing what leads to the indices step by step, where bounds are constants. */
TtMeets tt_count_same_element(TtArena *arena, MlirOperation root, MlirOperation a, MlirOperation b,
                              TtSameElement *same);

/* Index `d` of a load or store. */
MlirValue tt_index_of_access(MlirOperation access, intptr_t d);
intptr_t tt_rank_of_access(MlirOperation access);

#endif
