/*===- shards.h - sharded tensors, in tiles --------------------------------------===
 *
 * A tensor is one matrix of tiles, with the matrices of its outer dimensions one below
 * the other. Shards cut it into equal rectangles; the last ones may be partly empty.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_SHARDS_H
#define TILEWRIGHT_SHARDS_H

#include "Dialect/target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TtShards {
  int64_t rows, cols;             /* of the tensor, in tiles; not positive where dynamic */
  int64_t shard_rows, shard_cols; /* of a shard, in tiles */
  int64_t grid_rows, grid_cols;   /* number of shards down and across */
} TtShards;

/* Whether a tensor with this #tt.buffer (or null) is sharded; the second, in L1. */
bool tt_is_sharded(MlirAttribute buffer);
bool tt_is_l1_sharded(MlirAttribute buffer);
/* Whether it is stored without tiles, row by row. */
bool tt_is_row_major(MlirAttribute buffer);
/* The same of an argument of a kernel, or of one of the functions that it is split into. */
bool tt_lies_in_rows(TtArena *arena, MlirValue tensor);
/* The bytes of a page of a tensor: of a tile, or of a row of one stored row by row, whose last size
 * is constant. */
int64_t tt_page_bytes(MlirAttribute buffer, MlirType memref);
/* The shards of a sharded tensor that tt_check_shards has accepted. */
TtShards tt_shards_of(MlirAttribute buffer, MlirType memref);
/* Whether the shards of tensor `name` cover it and have a place on the target: in L1, shard
 * (i, j) on core (x = j, y = i); in DRAM, one bank each. False after an error at `op`. */
bool tt_check_shards(MlirOperation op, const char *name, MlirAttribute buffer, MlirType memref);
/* Cores in a row of those that hold L1 shards: shard s is on core (s % width, s / width).
 * A single row or column of shards that is longer than the worker grid goes on in its next row. */
int64_t tt_shard_core_columns(TtShards shards, TtTarget target);

/* Whether units of work are where shards of a tensor are, or in their order: in mode local_shard,
 * or where a sharded tensor has another order than row_major. */
bool tt_follows_shards(TtArena *arena, MlirOperation func);
/* The banks of DRAM that have a part of a tensor with this #tt.buffer (or null); 0 for one in L1.
 */
int64_t tt_dram_banks_of(MlirAttribute buffer, MlirType memref, TtTarget target);
/* Bytes of L1 that a tensor takes on the core that has most of it; 0 for one in DRAM. */
int64_t tt_l1_bytes_of(MlirAttribute buffer, MlirType memref, TtTarget target);
/* What tensors that a kernel or program does not take hold of each core's L1 while it runs, as its
 * host function says (tt.l1_beside). */
int64_t tt_l1_beside(MlirOperation kernel);

#ifdef __cplusplus
}
#endif
#endif
