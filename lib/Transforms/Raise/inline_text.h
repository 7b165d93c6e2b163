/* Bodies in the place of ops, also of those whose meaning is written as text (inline_text.c). */
#ifndef TILEWRIGHT_INLINE_TEXT_H
#define TILEWRIGHT_INLINE_TEXT_H

#include "tilewright/ir.h"

/* Puts the ops of `body` in the place of `op`: its arguments are op's operands, and what its
 * terminator takes op's results. Destroys `op`; what is left of the body is the caller's. */
void tt_inline_body(MlirOperation op, MlirBlock body);
/* Puts the body of the one function of `text`, a module, in the place of `op`: its arguments are
 * op's operands, and what it returns op's results. False where the text is no module. */
bool tt_inline_text(TtArena *arena, MlirOperation op, const char *text);
/* How `type` is written. */
const char *tt_type_text(TtArena *arena, MlirType type);

#endif
