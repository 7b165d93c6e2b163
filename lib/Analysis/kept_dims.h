/* Which dimensions a rank-reducing subview keeps (kept_dims.c). */
#ifndef TILEWRIGHT_KEPT_DIMS_H
#define TILEWRIGHT_KEPT_DIMS_H

#include "tilewright/ir.h"

/* Which dimensions of its source the result of a memref.subview has, of TT_MAX_RANK at most; of
 * several ways, the one that keeps the last. False where sizes and strides allow none. */
bool tt_subview_keeps(MlirOperation subview, bool *keeps);

/* The offset of a memref.subview along dimension `d` of its source; a constant is made at `b`. */
MlirValue tt_subview_offset(TtBuilder *b, MlirOperation subview, intptr_t d);

#endif
