/* The parts of stage B; stage D calls it for kernels that enter at level 2. */
#ifndef TILEWRIGHT_PARTITION_H
#define TILEWRIGHT_PARTITION_H

#include "Analysis/kernel.h"
#include "Analysis/shards.h"

/* The grid of a kernel: cells along x, y, z and the loop, if any. */
typedef struct TtGrid {
  int64_t cells[3];   /* 0 where it is known when the kernel runs only, */
  MlirValue upper[3]; /* as the upper bound of the loop; else null */
  int dims;           /* of the loop; 0 without one */
  MlirOperation loop; /* scf.forall, or null */
} TtGrid;
bool tt_find_grid(TtArena *arena, MlirOperation func, TtGrid *grid);
bool tt_is_dynamic_grid(const TtGrid *grid);
/* The number of cells along an axis of the loop, made at `b`. */
MlirValue tt_grid_cells(TtBuilder *b, const TtGrid *grid, int axis);

/* The grid dimensions (0 is x) along the rows or columns of a tensor, outermost first. */
typedef struct TtUnitSide {
  int axes[3], n;
  int64_t units, shard_units, shards; /* in all (0: dynamic), of a shard, and number of shards */
} TtUnitSide;

/* How units of work follow the shards of a tensor. */
typedef struct TtUnitOrder {
  bool follows; /* false: units are numbered row by row, and the rest is not set */
  bool local;   /* mode local_shard: a core has the units of its shard */
  bool in_l1;
  TtUnitSide m, n;
  int64_t block;  /* order block_linear: side of its squares, in units; else 0 */
  int64_t outer;  /* cells of the dimension that runs along neither side, */
  int outer_axis; /* which is this, or -1 */
  TtShards shards;
} TtUnitOrder;
/* False after an error. */
bool tt_find_unit_order(TtArena *arena, MlirOperation func, const TtGrid *grid, TtUnitOrder *order);

/* Checks that no cell of the grid writes what another one reads or writes, and, with `tiles`, that
 * no two write parts of a tile that are no runs. False after an error; a warning where it cannot be
 * told. */
bool tt_check_cells(TtArena *arena, MlirOperation func, const TtGrid *grid, bool tiles);
/* Notes in tt.least_sizes what open sizes must be at least for blocks of constant size
 * (least_sizes.c). */
void tt_note_least_sizes(TtArena *arena, MlirOperation func);

/* The axes of the grid (bit 0 is x) along which cells write parts of one tile of a tensor, which
 * the core that writes them reads, changes and writes back. */
unsigned tt_axes_sharing_tiles(TtArena *arena, MlirOperation func, const TtGrid *grid);

/* Gives a kernel whose units are numbered row by row a grid of so many, and each core its units,
 * the same as evenly and in the same order. */
void tt_set_units(TtArena *arena, MlirOperation func, const int64_t cells[3]);
/* The same on the first `cores` cores, in rows of `width`. */
void tt_set_units_on(TtArena *arena, MlirOperation func, const int64_t cells[3], int64_t cores,
                     int64_t width);
/* The same for a unit a core, of which each `parts` that follow each other are on cores that stand
 * one below the other, `width` such groups side by side. */
void tt_set_units_down(TtArena *arena, MlirOperation func, const int64_t cells[3], int64_t parts,
                       int64_t width);

/* Notes tensors of which the cells write a part, tt.keeps, so that the host brings what they held.
 */
void tt_keep_rest(TtArena *arena, MlirOperation func);

/* B1 on one kernel. */
bool tt_partition_kernel(TtArena *arena, MlirOperation func);

#endif
