/*===- dims.h - sizes of tensors that are known when a kernel runs ----------------===
 *
 * Dimension 0 of memref<?x64xbf16> %A has the name "A_d0". Kernels take it as a runtime
 * argument of that name, the host program as a number after the files.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_DIMS_H
#define TILEWRIGHT_DIMS_H

#include "Analysis/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

char *tt_dim_name(TtArena *arena, const char *tensor, intptr_t dim);
/* Replaces memref.dim of the arguments of a kernel by constants, and by tt.runtime_arg at its
 * top. False after an error. */
bool tt_name_dims(TtArena *arena, MlirOperation func);
/* The tt.runtime_arg `name`, made at the top of `func` where there is none. */
MlirValue tt_named_arg(TtArena *arena, MlirOperation func, const char *name);
/* Size of dimension `dim` of tensor `name`, of this type: a constant, or the runtime argument. */
MlirValue tt_dim_value(TtArena *arena, MlirOperation func, TtBuilder *b, const char *name,
                       MlirType type, intptr_t dim);
/* What "Y_d1>=70" of tt.least_sizes asks for: the name, and the number. */
const char *tt_least_size(TtArena *arena, MlirAttribute text, int64_t *least);
/* The largest number there, 0 without one. */
int64_t tt_largest_least_size(TtArena *arena, MlirOperation func);
/* Notes on a kernel that two dimensions are assumed to be equal, as "A_d0=B_d0" in tt.equal_dims;
 * the host program checks it. */
void tt_assume_equal_dims(TtArena *arena, MlirOperation func, const char *a, const char *b);
/* Forgets those of tensors that are no arguments of the function any more. */
void tt_keep_known_dims(TtArena *arena, MlirOperation func);

#ifdef __cplusplus
}
#endif
#endif
