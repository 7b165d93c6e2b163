/* Integers of tensors that steer kernels: tt.fetch_index and tt.take_index (lower_indices.c). */
#ifndef TILEWRIGHT_LOWER_INDICES_H
#define TILEWRIGHT_LOWER_INDICES_H

#include "Analysis/kernel.h"

/* Lowers those of a kernel to the protocol; `computes`: a compute kernel, which reads values from
 * tiles. False after an error. */
bool tt_lower_indices(TtArena *arena, MlirOperation kernel, bool computes);

#endif
