/* Blocks that one processor fetches and the other brings on, where cores do not share them. */
#ifndef TILEWRIGHT_LOWER_RELAYS_H
#define TILEWRIGHT_LOWER_RELAYS_H

#include "Analysis/program.h"

/* Lowers the tt.relays of a kernel. */
void tt_lower_relays(TtArena *arena, MlirOperation program, MlirOperation kernel);

#endif
