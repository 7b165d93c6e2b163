/* Sums of products in DST, on level 2. */
#ifndef TILEWRIGHT_SUMS_H
#define TILEWRIGHT_SUMS_H

#include "Analysis/dfg.h"

/* An op of level 2 that computes. */
bool tt_is_block_compute(MlirOperation op);
/* The op that packs a product's DST tile: the next tt.pack_to_cb of it, in its block or one
 * around it, or the end of the ops that go on with it in DST. Null where an op that is no
 * product replaces it before. */
MlirOperation tt_pack_after(MlirOperation mma);
/* An op of level 2 that changes its DST tile, which an op before it filled. */
bool tt_works_in_place(MlirOperation op);
/* The list of other tiles of DST that an op of level 2 reads, or null. */
MlirAttribute tt_dst_sources(MlirOperation op);
/* Whether `op`, or one after it in its section of DST, works on the product's tiles. */
bool tt_uses_dst_of(MlirOperation op, MlirOperation mma);
/* True where a sum cannot stay in DST, of `capacity` tiles, until it is complete: it does
 * not fit, or others compute there that do not stand beside it all the time. */
bool tt_must_spill(TtArena *arena, MlirOperation mma, int64_t capacity);

#endif
