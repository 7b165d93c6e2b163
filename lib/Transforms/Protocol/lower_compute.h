/* D3 on a compute kernel. */
#ifndef TILEWRIGHT_LOWER_COMPUTE_H
#define TILEWRIGHT_LOWER_COMPUTE_H

#include "Analysis/program.h"
#include "Dialect/op_info.h"

bool tt_lower_compute(TtArena *arena, MlirOperation program, MlirOperation func);

/* What is asked of the whole kernel, found once. */
typedef struct TtComputeLowering {
  TtArena *arena;
  MlirOperation program, func;
  int64_t capacity;   /* of DST, in tiles */
  TtValueMap open;    /* circular buffers of which tt.cb_open says when they are in use */
  TtSumMap sums;      /* before anything was lowered */
  TtOpMap completed;  /* products whose spilled sum another product adds to and packs */
  TtOpMap copied_out; /* packs that take partial sums to their target */
  TtOpMap resident;   /* of an op behind products: where their list starts, */
  TtOps products;     /* in here; it ends with a null op */
  TtOpMap finished;   /* products that a group has lowered, part by part */
} TtComputeLowering;

/* An op of a group: it computes tile by tile, and is no product. */
bool tt_is_group_op(MlirOperation op);
/* Lowers the group of ops that starts with `op` and ends where a result is packed, a tile of
 * the result at a time; they are gone then. Returns how many ops of the group were so, in
 * program order from `op` on, or 0 after an error. */
intptr_t tt_lower_group(TtComputeLowering *l, MlirOperation op);

/* Waits for what product `mma` takes; a sub-block of its results in loops over its rows and
 * columns, the place of which goes to `at`, and `in` into the loops; and frees what it took. */
void tt_begin_parts(TtComputeLowering *l, MlirOperation mma, TtSubBlock part, TtBuilder *in,
                    MlirValue at[2]);
void tt_end_parts(TtComputeLowering *l, MlirOperation mma, TtBuilder *b);
/* True where tt.cb_open says when the block at the front of `cb` is in use. */
bool tt_is_open(const TtComputeLowering *l, MlirValue cb);
void tt_wait_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n);
void tt_pop_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n);
/* Reserve, pack and publish `n` tiles from DST tile `dst` on. */
void tt_publish(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t dst, int64_t n);

#endif
