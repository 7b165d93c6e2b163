/* What it costs to cut a kernel's tiles in units of some length (cut_cost.c). */
#ifndef TILEWRIGHT_CUT_COST_H
#define TILEWRIGHT_CUT_COST_H

#include "Analysis/block_axes.h"
#include "Analysis/kernel.h"

/* The reads and products of a step of a kernel of level 2. */
typedef struct TtCutSteps {
  MlirOperation func;
  const TtBlockAxes *axes;
  TtOps reads, products;
} TtCutSteps;

TtCutSteps tt_cut_steps(TtArena *arena, MlirOperation func, const TtBlockAxes *axes);
/* The clk of a step of all units, with blocks of `tiles` along each axis and `cells` blocks; in
 * `lines`, cores that read the same share it. */
double tt_cut_clk(const TtCutSteps *steps, const int64_t tiles[3], const int64_t cells[3],
                  bool lines);

/* The bytes that a core reads for a step. */
int64_t tt_cut_bytes(const TtCutSteps *steps, const int64_t tiles[3]);

/* What ops behind the steps take for a tile of a result, in clk, for each of the steps. */
double tt_cut_after_clk(TtArena *arena, const TtCutSteps *steps);

/* The tiles of the largest result of a product. */
int64_t tt_cut_result(const TtCutSteps *steps, const int64_t tiles[3]);

#endif
