/*===- product_cost.c - what products of blocks take of the engine ------------------------------===
 *
 *   matmul_block of 1 x 4 tiles, bf16, HiFi2, Wormhole: math 4 * 34 = 136 clk, unpack 2 + 64 for
 *   the first pair and 38 for each tile that follows, 180: 45 clk a product
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/product_cost.h"

#include "Analysis/compute_config.h"
#include "Analysis/l1_budget.h"
#include "Analysis/program.h"
#include "Dialect/shapes.h"
#include "Dialect/target.h"
#include "Target/costs.h"

double tt_product_clk(MlirOperation op, TtSubBlock part, int64_t bytes_a, int64_t bytes_b) {
  const TtChip *chip = tt_target_of(op).chip;
  const TtCosts *costs = tt_costs(chip);
  MlirAttribute config = tt_asked_config(op, mlirAttributeGetNull());
  int phases = (int)tt_compute_config_attr_math_fidelity(config) + 1;
  double math = tt_math_clk(costs, TT_MATH_matmul_block, phases),
         unpack = (double)tt_unpack_block_clk(chip, costs, (uint32_t)part.rows, (uint32_t)part.cols,
                                              (uint64_t)bytes_a, (uint64_t)bytes_b) /
                  (double)(part.rows * part.cols);
  return math > unpack ? math : unpack;
}

double tt_pack_onto_clk(MlirOperation op, bool wide) {
  return tt_pack_clk(tt_costs(tt_target_of(op).chip), wide ? 4 : 2, true);
}

double tt_mma_clk(const TtDfg *dfg, MlirOperation func, MlirOperation mma) {
  TtProductShape s = tt_product_shape(mma);
  const TtCB *a = tt_dfg_cb((TtDfg *)(uintptr_t)dfg, tt_mm_mma_a(mma)),
             *b = tt_dfg_cb((TtDfg *)(uintptr_t)dfg, tt_mm_mma_b(mma));
  if (!a || !b) return 0;
  TtSubBlock part = tt_joined_part(s.r, s.c, tt_dst_capacity(func));
  return tt_product_clk(func, part, tt_cb_page_bytes(dfg, a), tt_cb_page_bytes(dfg, b)) *
         (double)(s.r * s.c * s.k);
}
