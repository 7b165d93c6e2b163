/* A loop of a structured op, taken in steps (op_loop.c). */
#ifndef TILEWRIGHT_OP_LOOP_H
#define TILEWRIGHT_OP_LOOP_H

#include "Analysis/kernel.h"

enum { TT_MOST_OPERANDS = 16 };

/* A loop of an op, and along which dimension of each operand it goes; -1 for none. */
typedef struct TtOpLoop {
  MlirOperation op;
  intptr_t loop, n;
  intptr_t along[TT_MOST_OPERANDS];
} TtOpLoop;

/* The number of loops of a linalg op on memrefs, of which steps can be taken; 0 where it is no such
 * op. */
intptr_t tt_num_op_loops(MlirOperation op);
/* Whether several elements go to one of what such an op writes first. */
bool tt_op_reduces(MlirOperation op);
/* Loop `loop` of the op. False where an index of an operand is another function of it. */
bool tt_op_loop_of(MlirOperation op, intptr_t loop, TtOpLoop *out);
/* The part of an operand from %at on, of `size` or `open` elements along dimension `d`. */
MlirValue tt_part_along(TtBuilder *b, MlirLocation loc, MlirValue operand, intptr_t d, MlirValue at,
                        int64_t size, MlirValue open);
/* Has `op`, which is the loop's or a clone of it, take `size` steps of the loop from `at` on, at
 * its own place; `open` where that is not constant, or null. What its body takes for the index is
 * the place in the whole. */
void tt_take_steps(TtArena *arena, const TtOpLoop *l, MlirOperation op, MlirValue at, int64_t size,
                   MlirValue open);

#endif
