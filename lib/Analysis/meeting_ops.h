/* Whether two ops on memrefs may change places (meeting_ops.c). */
#ifndef TILEWRIGHT_MEETING_OPS_H
#define TILEWRIGHT_MEETING_OPS_H

#include "tilewright/ir.h"

/* Whether an op gives tensors, views or numbers, and touches no element. */
bool tt_only_views(MlirOperation op);
/* Whether one of two ops, with all that is in them, writes what the other reads or writes. */
bool tt_ops_meet(TtArena *arena, MlirOperation a, MlirOperation b);

#endif
