/* Another order of the tiles of a block, for --tt-order-by-banks. */
#ifndef TILEWRIGHT_PLACE_ORDER_H
#define TILEWRIGHT_PLACE_ORDER_H

#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"

enum { TT_FLOW_LOOPS = 4, TT_FLOWS = 16, TT_MOST_TILES = 1 << 16 };

/* A read or a write of a tile, in the loops of a block. */
typedef struct TtFlow {
  MlirOperation op, kernel;
  MlirOperation cb; /* its tt.circular_buffer */
  MlirValue tile;   /* its number in the tensor */
  bool writes;
  bool aside; /* read for other cores, too */
  int num_loops;
  MlirOperation loops[TT_FLOW_LOOPS + 1]; /* of a unit, the outermost first */
  int64_t trips[TT_FLOW_LOOPS + 1], tiles;
  int64_t rows, cols; /* of the block, in tiles */
  int64_t width;      /* tiles from row to row; 0 where there is one row */
  int first_col;      /* the first loop that goes over columns */
} TtFlow;

typedef struct TtFlows {
  TtFlow data[TT_FLOWS];
  int n;
  MlirOperation sent[TT_FLOWS]; /* circular buffers that other cores get */
  int num_sent;
} TtFlows;

/* Rows x cols tiles; `step` rows, or columns, lead back to a bank. Cores of a line of `line` begin
 * at other columns, and, where columns take turns, so does the next line. */
typedef struct TtPlaceOrder {
  int64_t rows, cols, step, line;
  bool by_rows;
} TtPlaceOrder;

/* Whether compute gives the same, but for the order of sums, whatever the order of tiles is. */
bool tt_takes_any_order(TtArena *arena, MlirOperation program, MlirOperation compute,
                        const TtFlows *flows, const TtPlaceOrder *order);
/* Has a transfer take the tiles in this order; `start` tells cores apart. */
void tt_order_flow(TtArena *arena, const TtFlow *flow, const TtPlaceOrder *order, MlirValue start);
/* Has compute take tiles of blocks that stay in their order at their new places. */
void tt_order_compute(TtArena *arena, MlirOperation program, MlirOperation compute,
                      const TtFlows *flows, const TtPlaceOrder *order, MlirValue start);

#endif
