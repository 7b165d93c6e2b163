/* Which parts of its tensors a kernel of level 1 or 2 reads and writes. */
#ifndef TILEWRIGHT_TOUCHES_H
#define TILEWRIGHT_TOUCHES_H

#include "Analysis/kernel.h"

enum { TT_MAX_TERMS = 6 };

/* An op that reads or writes a box of a tensor argument: in dimension d, from the sum of
 * `terms[d]` on, `size[d]` elements or fewer. */
typedef struct TtTouch {
  MlirOperation op;
  const TtArg *tensor;
  bool writes;
  bool whole;            /* the box is all of the tensor, since nothing closer is known */
  bool turned, reshaped; /* it is seen with its dimensions in another order, or in groups */
  intptr_t rank;
  MlirValue terms[TT_MAX_RANK][TT_MAX_TERMS];
  int num_terms[TT_MAX_RANK];
  int64_t start[TT_MAX_RANK];    /* a constant, added to the terms */
  int64_t size[TT_MAX_RANK];     /* in elements; -1 where no bound is known */
  MlirValue length[TT_MAX_RANK]; /* how many of them there are, where a run says; else null */
  int64_t stride[TT_MAX_RANK];   /* of them, every so many is touched */
} TtTouch;

typedef struct TtTouches {
  TtTouch *data;
  intptr_t n, capacity;
} TtTouches;

/* All of a function, in program order: copies, structured ops, loads and stores of elements,
 * tt.read_to_cb and tt.write_from_cb. Other ops touch no tensor. */
TtTouches tt_touches(TtArena *arena, MlirOperation func, TtArgs args);
/* Whether two of one block read, or write, the same box. */
bool tt_same_box(const TtTouch *a, const TtTouch *b);

#endif
