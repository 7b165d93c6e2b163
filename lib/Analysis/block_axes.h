/* Which sides of circular buffers follow the grid of a kernel of level 2. */
#ifndef TILEWRIGHT_BLOCK_AXES_H
#define TILEWRIGHT_BLOCK_AXES_H

#include "Analysis/block_sides.h"
#include "Dialect/op_info.h"

/* An axis of the grid along which units are blocks of tiles that only their offsets tell apart:
 * with blocks of another length, and as many units as make up the same tiles, a kernel computes
 * the same. */
typedef struct TtBlockAxis {
  const char *reason; /* why it is none; NULL where it is */
  int64_t cells;      /* units along it */
  int64_t tiles;      /* of a block */
  MlirValue at;       /* the coordinate of a unit along it */
  TtOps starts;       /* the products of `at` and the block's elements */
  TtOps rows, cols;   /* the tt.alloc_cb whose rows, or columns, are those of a block */
  TtOps moves;        /* what moves them */
  bool whole; /* all of a tensor's tiles, wherever they are moved: a block may end behind it */
  bool uncut; /* the grid has one unit along it, whose blocks begin at 0: no `at`, no `starts` */
} TtBlockAxis;

/* The grid of a kernel behind C2. */
typedef struct TtBlockAxes {
  MlirValue unit; /* the number of a unit; null where the grid has one, which has none */
  TtBlockAxis axes[3];
} TtBlockAxes;

/* The number of a unit in the loop of a core over them, start_id + its variable; false where there
 * is none, or something else is done with start_id. */
bool tt_find_unit(TtArena *arena, MlirOperation func, MlirValue *unit);

/* Finds the axes of `func`, after B2 and C2. False, and nothing said, where its units are not
 * numbered row by row, or not known. */
bool tt_find_block_axes(TtArena *arena, MlirOperation func, TtBlockAxes *out);

/* Gives axes of the grid with one unit sides of blocks that begin at 0 and could be cut
 * (uncut_axes.c). */
void tt_find_uncut_axes(const TtSides *sides, TtBlockAxes *axes);
/* The dimension of a move's tensor that an uncut axis is. */
intptr_t tt_uncut_dim(const TtBlockAxis *axis, const TtMove *move);

/* How many different blocks the units of a grid of `cells` read by `read` at a step, at most. */
int64_t tt_blocks_along(const TtBlockAxes *axes, const int64_t cells[3], MlirOperation read);

#endif
