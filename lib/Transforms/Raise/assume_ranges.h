/* What tensors of 64 bits may hold so that 32 do (assume_ranges.c). */
#ifndef TILEWRIGHT_ASSUME_RANGES_H
#define TILEWRIGHT_ASSUME_RANGES_H

#include "tilewright/ir.h"

/* Gives tensors that the bodies of the `linalg` ops of `kernel` compute with, and that say nothing,
 * the largest tt.range with which all fits 32 bits, and warns; leaves them where there is none. */
void tt_assume_ranges(TtArena *arena, MlirOperation kernel, const TtOps *linalg);

#endif
