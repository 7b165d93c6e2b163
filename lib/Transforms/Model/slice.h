/*===- slice.h - slices of tensors ----------------------------------------------------------===
 *
 * tensor.extract_slice and its opposites, tensor.insert_slice and tensor.parallel_insert_slice,
 * hold their numbers half as attributes and half as operands; here they are one list.
 *
 *===----------------------------------------------------------------------===*/
#ifndef TILEWRIGHT_MODEL_SLICE_H
#define TILEWRIGHT_MODEL_SLICE_H

#include "Transforms/Model/model.h"

enum { TT_SLICE_RANK = 16 };

/* A constant where `value` is null. */
typedef struct TtSize {
  MlirValue value;
  int64_t number;
} TtSize;

/* The part [offset, offset + size) of each dimension of `whole`. `part` is null for an
 * extraction, whose result it is. */
typedef struct TtSlice {
  MlirValue part, whole;
  intptr_t rank;
  TtSize offset[TT_SLICE_RANK], size[TT_SLICE_RANK];
} TtSlice;

bool tt_is_extraction(MlirOperation op);
bool tt_is_insertion(MlirOperation op);
/* Reads one of the three ops; false where it has steps other than 1, or too many dimensions. */
bool tt_slice_read(MlirOperation op, TtSlice *slice);
/* The same with any steps, of which `steps` has room for TT_SLICE_RANK. */
bool tt_slice_read_steps(MlirOperation op, TtSlice *slice, TtSize *steps);
/* Makes an op of that name, tensor.extract_slice or tensor.insert_slice, with a result. */
MlirValue tt_slice_create(TtBuilder *b, MlirLocation loc, const char *name, const TtSlice *slice,
                          MlirType result);
/* Replaces `op` by one with other numbers, of which an extraction yields `result`. The result of
 * an insertion has the type of its whole. */
MlirOperation tt_slice_replace(MlirOperation op, const TtSlice *slice, MlirType result);

/* tensor.expand_shape of `value`, or collapse_shape: `groups` of the larger one's dimensions make
 * one of the smaller's each. Sizes that `type` leaves open are those of `sizes`; where that is
 * NULL, each group has one at most, which follows from the value's. */
MlirValue tt_reshape(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type,
                     MlirAttribute groups, bool expands, const TtSlice *sizes);
/* tensor.dim: the size of dimension `d`. */
MlirValue tt_tensor_dim(TtBuilder *b, MlirLocation loc, MlirValue value, intptr_t d);
MlirValue tt_empty(TtBuilder *b, MlirLocation loc,
                   MlirType type); /* tensor.empty, of constant sizes */
/* tensor.empty of the type and the sizes of `value`, a ranked tensor. */
MlirValue tt_empty_like(TtBuilder *b, MlirLocation loc, MlirValue value);
/* A linalg.generic that gives the elements of `value` at `map` of its loops, which go over `out`.
 */
MlirValue tt_read_by(TtBuilder *b, MlirLocation loc, MlirValue value, MlirAffineMap map,
                     MlirValue out);

#endif
