/* Blocks whose size is known when the kernel runs only (partial.c). */
#ifndef TILEWRIGHT_PARTIAL_H
#define TILEWRIGHT_PARTIAL_H

#include "Transforms/Tile/block.h"

/* The size of a dimension of an operand of a linalg op. */
typedef struct TtSize {
  MlirOperation op;
  intptr_t operand, dim;
  MlirValue value;
  struct TtSize *next;
} TtSize;
typedef struct TtSizes {
  TtSize *first;
} TtSizes;

/* Gives every buffer and block of a kernel the size that it has at most, and notes what it has.
 * False after an error. */
bool tt_fix_sizes(TtArena *arena, MlirOperation func, TtSizes *sizes);
/* Puts what was noted into the IR, as views of whole buffers. */
void tt_show_sizes(const TtSizes *sizes);
/* A null value where the size is that of the operand's type. */
MlirValue tt_size_of(const TtSizes *sizes, MlirOperation op, intptr_t operand, intptr_t dim);
/* The sizes of a block of a tensor of `rank` dimensions that are not what is left of it; null
 * values for the others. False where there are none. */
bool tt_block_sizes(const TtSizes *sizes, MlirValue view, intptr_t rank, MlirValue *values);
/* Whether a block of a tensor may end behind the tensor's end. */
bool tt_is_partial(MlirValue view);

#endif
