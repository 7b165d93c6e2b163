/* Dimensions of one element (unit_linalg.c): which of a type are kept, and linalg ops without
 * the others. */
#ifndef TILEWRIGHT_MODEL_UNIT_DIMS_H
#define TILEWRIGHT_MODEL_UNIT_DIMS_H

#include "Transforms/Model/slice.h"

/* A ranked tensor of not too many dimensions, some of which have one element. */
bool tt_has_units(MlirType type);
/* Which dimensions of a tensor are kept, in `keeps`; how many. */
intptr_t tt_kept_dims(MlirType type, bool *keeps);
/* The type of those alone. */
MlirType tt_without_units(MlirType type);
/* Drops, of a linalg op with maps, dropped dimensions of its operands, whose types are still what
 * they were, and loops that no operand has then. */
void tt_drop_units_in_linalg(TtArena *arena, MlirOperation op);

#endif
