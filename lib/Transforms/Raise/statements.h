/* What statements of a block touch, and whether they may trade places (statements.c). */
#ifndef TILEWRIGHT_STATEMENTS_H
#define TILEWRIGHT_STATEMENTS_H

#include "Analysis/kernel.h"

/* A statement and all that is in it. */
TtOps tt_statement_ops(TtArena *arena, MlirOperation statement);
/* Whether an op of `all` touches elements of the memref `root`, or writes them. */
bool tt_any_touches(TtOps all, MlirValue root, bool only_writes);
/* Whether two statements may not trade places, of which `b` comes after `a`. */
bool tt_depend(TtOps a, TtOps b);

#endif
