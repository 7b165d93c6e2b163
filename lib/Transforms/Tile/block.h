/* Blocks of tensors: what a subview of an argument covers. */
#ifndef TILEWRIGHT_BLOCK_H
#define TILEWRIGHT_BLOCK_H

#include "Analysis/kernel.h"

/* A block of a tensor: where it starts, in elements of each dimension, and its sizes. */
typedef struct TtBlock {
  intptr_t rank;
  MlirValue offsets[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  int64_t strides[TT_MAX_RANK];                 /* how far apart its elements are in the tensor */
  int64_t rows[TT_MAX_RANK], cols[TT_MAX_RANK]; /* how far down and right a step along it goes */
  bool boxed; /* it is no whole tiles of one matrix, and assembled of elements */
  bool sized; /* it has sizes that are known when the kernel runs (tt_block_sizes) */
} TtBlock;
/* `value` as a block of a tensor argument, with offsets made at `b` (view.c). False, after an
 * error at `user`, where it is no box of the tensor with two dimensions. */
bool tt_block_of(TtArena *arena, TtBuilder *b, MlirOperation user, MlirValue value, TtBlock *block);
/* Whether elements of the tensor lie between those of the block. */
bool tt_is_strided(const TtBlock *block);
/* `sizes`, `strides`, `rows` or `cols` of a block as an attribute of its move; null where it is not
 * boxed. */
MlirAttribute tt_block_attr(const TtBlock *block, const int64_t *numbers);
/* Whether a block has at most two dimensions; an error at `user` where it has more. */
bool tt_check_block_rank(MlirOperation user, MlirType memref);
/* The circular buffer type of a memref's elements: a whole number of tiles, or a side of
 * one element, which takes one tile. A vector is a row of tiles. */
bool tt_cb_type_of(MlirOperation user, MlirType memref, MlirType element, MlirType *cb);
/* The type of a buffer of the shape of a block, which has at most two dimensions. */
MlirType tt_block_type(MlirType block, MlirType element);
/* memref.alloc of that type, which has constant sizes. */
MlirValue tt_static_alloc(TtBuilder *b, MlirLocation loc, MlirType type);
/* memref.alloc of a buffer for a block, made at `b`. */
MlirValue tt_block_buffer(TtBuilder *b, MlirLocation loc, MlirType block);
/* Buffers for views of tensors that ops compute in step by step (tensor_sums.c); false after
 * an error. */
bool tt_buffer_tensor_sums(TtArena *arena, MlirOperation func, TtArgs args);
/* linalg.copy with the region that the op defines. */
MlirOperation tt_linalg_copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to);
/* A copy: memref.copy or linalg.copy of one buffer to one. */
bool tt_is_copy(MlirOperation op);

#endif
