/* Every function of the vector unit that the compiler knows has a row of costs, and figures that
 * the compiler's estimates need. */

#include "Target/costs.h"
#include "Target/sfpu.h"

#include <stdio.h>

static int check_chip(const TtChip *chip) {
  const TtCosts *costs = tt_costs(chip);
  int wrong = 0;
  for (int i = 0; i < tt_num_sfpu_functions; ++i) {
    TtVector row = tt_vector_of_sfpu(i);
    bool here = row < TT_NUM_VECTOR && tt_vector_clk(costs, row, false) >= 32 &&
                tt_vector_clk(costs, row, true) >= 32;
    if (!here) printf("%s: no costs of %s\n", chip->name, tt_sfpu_functions[i].name), ++wrong;
  }
  uint32_t tiles = 8 * tt_unpack_clk(chip, costs, 4096, false),
           block = tt_unpack_block_clk(chip, costs, 1, 8, 2048, 2048),
           column = tt_unpack_block_clk(chip, costs, 8, 1, 2048, 2048);
  if (block >= tiles || block != column) printf("%s: a block gains nothing\n", chip->name), ++wrong;
  if (tt_pack_clk(costs, 4, true) <= tt_pack_clk(costs, 4, false)) ++wrong;
  for (int op = 0; op < TT_NUM_MATH; ++op)
    for (int phases = 2; phases <= TT_FIDELITIES; ++phases)
      if (tt_math_clk(costs, (TtMath)op, phases) < tt_math_clk(costs, (TtMath)op, phases - 1))
        printf("%s: row %d: a higher fidelity costs less\n", chip->name, op), ++wrong;
  return wrong;
}

int main(void) {
  int wrong = 0;
  for (int i = 0; i < tt_num_chips; ++i) wrong += check_chip(&tt_chips[i]);
  TtVector fast = tt_vector_of_call("exp_tile<true>($0);"), exact = tt_vector_of_call("exp_tile");
  if (fast == exact || tt_vector_of_call("exp_tile<false, true>") != exact) ++wrong;
  if (tt_vector_of_call("no_tile") != TT_NUM_VECTOR) ++wrong;
  printf("%d functions on %d chips, %d wrong\n", tt_num_sfpu_functions, tt_num_chips, wrong);
  return wrong != 0;
}
