/* Sums of products in DST, on level 2. */
#ifndef TILEWRIGHT_SUMS_H
#define TILEWRIGHT_SUMS_H

#include "Analysis/dfg.h"
#include "Support/value_map.h"

/* Where the products of a kernel are packed, found in one walk; good until ops of the kernel
 * change. */
typedef struct TtSumMap {
  TtArena *arena;
  TtOpMap packs;  /* of a product, the index in `ops` of what packs it */
  TtOpMap shared; /* of the outermost loop of a sum: whether all of it can stay in DST */
  TtOps ops, products;
} TtSumMap;
TtSumMap tt_analyze_sums(TtArena *arena, MlirOperation func);

/* The op that packs a product's DST tile: the next tt.pack_to_cb of it, in its block or one
 * around it, or the end of the ops that go on with it in DST. Null where an op that is no
 * product replaces it before. */
MlirOperation tt_pack_after(const TtSumMap *sums, MlirOperation mma);
/* True where a sum cannot stay in DST, of `capacity` tiles, until it is complete: it does
 * not fit, or others compute there that do not stand beside it all the time, or cannot stay
 * themselves. */
bool tt_must_spill(TtSumMap *sums, MlirOperation mma, int64_t capacity);

/* An op of level 2 that computes. */
bool tt_is_block_compute(MlirOperation op);
/* An op of level 2 that packs what it or others left in DST. */
bool tt_packs_block(MlirOperation op);
/* An op of level 2 that changes its DST tile, which an op before it filled. */
bool tt_works_in_place(MlirOperation op);
/* The list of other tiles of DST that an op of level 2 reads, or null. */
MlirAttribute tt_dst_sources(MlirOperation op);

#endif
