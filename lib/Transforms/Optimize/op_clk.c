/*===- op_clk.c - what compute takes between two places ---------------------------------------===
 *
 *   scf.for %j = 0 to 32 {
 *     metalium.sub_tiles_bcast %x, %mean, …       2048 and 4096 bytes: 100 clk of unpack
 *     metalium.pack_tile … }                      3200
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/op_clk.h"

#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Target/costs.h"

/* Of a tile. */
static double tile_clk(MlirOperation program, MlirOperation op) {
  const TtChip *chip = tt_target_of(program).chip;
  const TtOpInfo *info = tt_op_info(op);
  uint64_t bytes = 0;
  if (metalium_sfpu_tile_isa(op))
    return tt_sfpu_clk(tt_costs(chip), (int)metalium_sfpu_tile_op(op), tt_dst_is_32bit(program));
  if (info->does != TT_ACT_MATH) return 0;
  for (int i = 0; i < info->num_reads; ++i)
    bytes +=
        (uint64_t)tt_int(tt_circular_buffer_page_bytes(tt_cb_decl(program, tt_op_reads(op, i))));
  return bytes ? tt_unpack_clk(chip, tt_costs(chip), bytes, info->num_reads < 2) : 0;
}

static int64_t steps_of(MlirOperation loop) {
  int64_t at[3] = {0, 1, 1};
  bool known = tt_op_is(loop, "scf.for");
  for (int i = 0; i < 3; ++i)
    known = known && tt_constant(mlirOperationGetOperand(loop, i), &at[i]);
  return known && at[2] > 0 && at[1] > at[0] ? (at[1] - at[0] + at[2] - 1) / at[2] : 1;
}

double tt_op_clk(MlirOperation program, MlirOperation op) {
  double clk = tile_clk(program, op);
  int64_t steps = steps_of(op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (mlirBlockIsNull(block)) continue;
    for (MlirOperation in = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(in);
         in = tt_next(in))
      clk += (double)steps * tt_op_clk(program, in);
  }
  return clk;
}
