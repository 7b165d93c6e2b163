/* D3 on a compute kernel. */
#ifndef TILEWRIGHT_LOWER_COMPUTE_H
#define TILEWRIGHT_LOWER_COMPUTE_H

#include "Analysis/program.h"
#include "Dialect/op_info.h"

bool tt_lower_compute(TtArena *arena, MlirOperation program, MlirOperation func);

typedef struct TtComputeLowering {
  TtArena *arena;
  MlirOperation program, func;
  int64_t capacity; /* of DST, in tiles */
} TtComputeLowering;

/* The group of ops that starts with `op` and ends where a result is packed, a tile of the
 * result at a time; they are gone then. */
bool tt_lower_group(TtComputeLowering *l, MlirOperation op);

/* True where tt.cb_open says when the block at the front of `cb` is in use. */
bool tt_is_open(TtComputeLowering *l, MlirValue cb);
void tt_wait_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n);
void tt_pop_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n);
/* Reserve, pack and publish `n` tiles from DST tile `dst` on. */
void tt_publish(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t dst, int64_t n);

#endif
