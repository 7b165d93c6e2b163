/* Rows of tiles that several cores have parts of (split_rows.c), and what that takes. */
#ifndef TILEWRIGHT_SPLIT_ROWS_H
#define TILEWRIGHT_SPLIT_ROWS_H

#include "Transforms/Optimize/core_groups.h"

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
  TtOps results;           /* writes of single tiles, which are known of a row */
} TtRows;

/* Whether a circular buffer of the kernel has a row, else a single tile. */
static inline bool tt_is_row(const TtRows *r, MlirValue cb) {
  return tt_cb_cols(mlirValueGetType(cb)) == r->tiles;
}
/* Why the first core of a row cannot write a single tile for all of them (split_rows_results.c);
 * NULL where it can. */
const char *tt_why_no_row_result(const TtRows *r, MlirOperation write);
/* Has the core whose `part` of a row is the first write the results. */
void tt_write_by_first(const TtRows *r, MlirValue part);
/* The clk that a kernel, a TtRows, takes on such groups (split_rows_cost.c): from the first reads
 * to the last writes, with units that are read while others are computed. */
double tt_split_clk(const void *rows, const TtGroups *groups);

#endif
