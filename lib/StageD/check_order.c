/*===- check_order.c - reads that must see writes ------------------------------------------===
 *
 * After the split, data movement runs ahead of what is computed: a read does not wait
 * for a write to the same tensor. In place, block by block, is safe,
 *
 *   tt.read_to_cb %A[%m, %n], %a   …   tt.write_from_cb %b, %A[%m, %n]
 *
 * since what is written depends on what was read, and no other step touches the
 * block. Everything else is refused.
 *
 *===----------------------------------------------------------------------===*/

#include "index_expr.h"
#include "stage_d.h"
#include "tilewright/kernel.h"

static bool depends_on(MlirValue value, MlirValue on) {
  if (tt_value_eq(value, on)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (depends_on(mlirOperationGetOperand(op, i), on)) return true;
  return false;
}

/* Whether each step of each loop around `write` has a block of its own. The loop over
 * a core's units, whose bounds are runtime arguments, stands for a grid, and cells of
 * a grid are independent. */
static bool own_block_each_step(MlirOperation write) {
  int64_t lower;
  for (MlirOperation p = tt_parent(write); !mlirOperationIsNull(p); p = tt_parent(p)) {
    if (!tt_op_is(p, "scf.for") || !tt_constant(mlirOperationGetOperand(p, 0), &lower)) continue;
    MlirValue iv = tt_for_iv(p);
    if (!depends_on(tt_write_from_cb_offsets(write, 0), iv) &&
        !depends_on(tt_write_from_cb_offsets(write, 1), iv))
      return false;
  }
  return true;
}

static bool is_in_place(TtArena *arena, MlirOperation read, MlirOperation write) {
  if (!mlirBlockEqual(mlirOperationGetBlock(read), mlirOperationGetBlock(write)) ||
      !tt_is_before(read, write) ||
      !mlirTypeEqual(mlirValueGetType(tt_read_to_cb_cb(read)),
                     mlirValueGetType(tt_write_from_cb_cb(write))))
    return false;
  for (intptr_t i = 0; i < 2; ++i)
    if (!tt_same_index(arena, tt_read_to_cb_offsets(read, i), tt_write_from_cb_offsets(write, i)))
      return false;
  return own_block_each_step(write);
}

bool tt_check_order(TtArena *arena, MlirOperation func) {
  TtOps reads = tt_collect(arena, func, "tt.read_to_cb"),
        writes = tt_collect(arena, func, "tt.write_from_cb");
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < reads.n; ++i)
    for (intptr_t j = 0; j < writes.n; ++j) {
      MlirValue tensor = tt_read_to_cb_tensor(reads.data[i]);
      if (!tt_value_eq(tensor, tt_write_from_cb_tensor(writes.data[j])) ||
          is_in_place(arena, reads.data[i], writes.data[j]))
        continue;
      const TtArg *arg = tt_arg_of(args, tensor);
      return tt_error(reads.data[i],
                      "reads tensor '%s', which the kernel writes as well; only a block that is "
                      "read and then written at the same place may be updated in place. Write to "
                      "another tensor, or use two kernels", arg ? arg->name : "?");
    }
  return true;
}
