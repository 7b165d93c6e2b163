/* Rows of tiles that several cores have parts of (split_rows.c), and what that takes. */
#ifndef TILEWRIGHT_SPLIT_ROWS_H
#define TILEWRIGHT_SPLIT_ROWS_H

#include "Dialect/target.h"
#include "tilewright/ir.h"

/* A kernel whose units are rows of tiles. */
typedef struct TtRows {
  TtArena *arena;
  MlirOperation func;
  TtTarget target;
  TtOps ops, allocs;
  MlirValue unit;
  int64_t units, tiles;    /* blocks of rows, and the tiles of one */
  bool wide;               /* DST has 32 bits */
  TtOps moves, reductions; /* of whole rows */
} TtRows;

/* `parts` cores a row, on `width` x `height` cores of `each` units. */
typedef struct TtRowSplit {
  int64_t parts, width, height, each;
  double clk;
} TtRowSplit;

/* Whether a circular buffer of the kernel has a row, else a single tile. */
static inline bool tt_is_row(const TtRows *r, MlirValue cb) {
  return tt_cb_cols(mlirValueGetType(cb)) == r->tiles;
}
/* The clk that the kernel takes if it is split so (split_rows_cost.c): from the first reads to the
 * last writes, with units that are read while others are computed. */
double tt_split_clk(const TtRows *r, const TtRowSplit *s);
/* The least prime factor of a number above 1. */
int64_t tt_least_factor(int64_t n);

#endif
