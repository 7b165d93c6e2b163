/* Integers of tensors that say where elements are, out of loops over these (hoist_indices.c). */
#ifndef TILEWRIGHT_HOIST_INDICES_H
#define TILEWRIGHT_HOIST_INDICES_H

#include "tilewright/ir.h"

/* Moves them, and branches that they decide, out of the innermost loops in `kernel`. */
void tt_hoist_indices(TtArena *arena, MlirOperation kernel);

#endif
