/*===- host_values.h - the tensors of a host function -------------------------------===
 *
 *   %t = memref.alloc() …               a tensor of the device
 *   %w = memref.get_global @w           one that the host program loads
 *   %v = memref.collapse_shape %t …     %t, where its tiles are the same; else a copy
 *   scf.for … iter_args(%x = %t)        one of several
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_HOST_VALUES_H
#define TILEWRIGHT_HOST_VALUES_H

#include "Analysis/kernel.h"
#include "Support/value_map.h"

typedef enum TtHostTensorKind {
  TT_HOST_ARGUMENT,
  TT_HOST_GLOBAL,
  TT_HOST_ALLOC,
  TT_HOST_MOVED,  /* a view whose tiles are others than those of what it views */
  TT_HOST_CARRIED /* what a loop carries, or a branch gives: one of the others */
} TtHostTensorKind;

typedef struct TtHostTensor {
  TtHostTensorKind kind;
  MlirValue value; /* the first of those that are this tensor */
  intptr_t same;   /* the first tensor that may be the same as this one, or be this one */
} TtHostTensor;

typedef struct TtHostValues {
  TtHostTensor *data;
  intptr_t n;
  TtValueMap of; /* of values: which of the tensors */
} TtHostValues;

/* Arguments (scalars, too) in order, then globals, allocations and the others, in the order in
 * which they stand. */
TtHostValues tt_host_values(TtArena *arena, MlirOperation func);
/* The tensor that `value` is, or -1. */
intptr_t tt_host_tensor(const TtHostValues *values, MlirValue value);
/* Whether an op gives a tensor another type: a cast, or a collapsed or expanded shape. */
bool tt_is_host_view(MlirOperation op);
/* Whether a tensor has the same tiles in the same places, whichever of the types it has. */
bool tt_has_same_tiles(MlirType a, MlirType b);
/* The tensor that a view with other tiles has its elements from, which is no such view; else -1. */
intptr_t tt_host_source(const TtHostValues *values, intptr_t tensor);
/* memref.global that memref.get_global names, or null. */
MlirOperation tt_global_of(MlirOperation get);
/* The argument of a host function, and its dimension, whose size dimension `d` of `value` has;
 * false where that is not known. */
bool tt_find_host_size(MlirOperation func, MlirValue value, intptr_t d, intptr_t *arg,
                       intptr_t *dim);
/* Notes in tt.equal_dims which sizes of the arguments are equal, by what the programs that the
 * function launches take to be equal. */
void tt_note_equal_host_dims(TtArena *arena, MlirOperation func);

#endif
