/*===- tile_open_dims.c - --tt-tile-open-dims -----------------------------------------------===
 *
 * Ops over a dimension of tensors whose size is known only when the kernel runs go over it in
 * blocks, since buffers of a core are of constant size.
 *
 *   before  %n = memref.dim %X, 1
 *           linalg.generic (sum over j) ins(%X[%i, 0] [32, %n]) outs(%sum : 32)
 *   after   scf.for %j = 0 to %n step 128 {
 *             %left = min(%n - %j, 128)
 *             linalg.generic (sum over j) ins(%X[%i, %j] [32, %left]) outs(%sum : 32)
 *           }
 *
 * Elements are taken in the same order. Done where all operands that have the dimension are views
 * of tensors; a buffer of the core of open size stays, and is refused where it is made.
 *
 * Requires raised loops and elements. Leaves ops whose sizes have a constant bound.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/op_loop.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/step_together.h"
#include "Transforms/Tile/block.h"

/* Of a block: four tiles, of which buffers hold two, take little of L1 and hide what reads wait. */
enum { BLOCK = 128 };

/* The size of a loop that goes along open dimensions of tensors, and nothing else; null where it is
 * another one, is constant, or has a constant bound. */
static MlirValue open_size(const TtOpLoop *l) {
  MlirValue none = {NULL}, found = none;
  for (intptr_t i = 0; i < l->n; ++i) {
    MlirValue operand = mlirOperationGetOperand(l->op, i);
    if (l->along[i] < 0) continue;
    if (!mlirShapedTypeIsDynamicDim(mlirValueGetType(operand), l->along[i]) ||
        !tt_is_part_of_tensor(operand))
      return none;
    TtBuilder b = tt_builder_before(l->op);
    int64_t constant;
    MlirValue size = tt_dynamic_size(&b, mlirOperationGetLocation(l->op), operand, l->along[i]);
    if (tt_constant(size, &constant) || tt_index_bound(size) > 0) return none;
    if (tt_is_null_value(found)) found = size;
  }
  return found;
}

static void tile(TtArena *arena, const TtOpLoop *l, MlirValue size) {
  MlirLocation loc = mlirOperationGetLocation(l->op);
  TtBuilder b = tt_builder_before(l->op);
  MlirOperation loop =
      tt_for(&b, loc, tt_index(&b, loc, 0), size, tt_index(&b, loc, BLOCK), "from");
  MlirValue at = tt_for_iv(loop);
  b = tt_builder_at_terminator(tt_for_body(loop));
  MlirValue left = tt_min(&b, loc, tt_sub(&b, loc, size, at), tt_index(&b, loc, BLOCK));
  mlirOperationMoveBefore(l->op, mlirBlockGetTerminator(tt_for_body(loop)));
  tt_take_steps(arena, l, l->op, at, INT64_MIN, left);
}

/* What reads again what ops before it have written goes along open dimensions of the blocks with
 * them. */
static void tile_together(TtArena *arena, MlirOperation func, intptr_t d) {
  TtRun run;
  for (TtRuns runs = tt_runs_of(arena, func); tt_next_run(&runs, &run);) {
    if (!run.reads_again || tt_run_extent(&run, d) != INT64_MIN) continue;
    TtBuilder b = tt_builder_before(run.statements.data[0]);
    MlirLocation loc = mlirOperationGetLocation(run.ops.data[0]);
    MlirValue size = tt_dynamic_size(&b, loc, run.blocks[0], d);
    int64_t constant;
    if (!tt_constant(size, &constant) && tt_index_bound(size) <= 0)
      tt_step_run(arena, &run, d, BLOCK);
  }
}

/* Parts of open size are kept for all ops that go over them together. */
static void keep_parts(TtArena *arena, MlirOperation func) {
  TtRun run;
  for (TtRuns runs = tt_runs_of(arena, func); tt_next_run(&runs, &run);)
    if (run.reads_again && !mlirShapedTypeHasStaticShape(mlirValueGetType(run.blocks[0])))
      tt_keep_run(arena, &run);
}

static bool tile_open_dims(TtArena *arena, MlirOperation func) {
  tt_part_runs(arena, func);
  for (intptr_t d = 0; d < TT_MAX_RANK; ++d) tile_together(arena, func, d);
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtOpLoop l;
    intptr_t loops = tt_num_op_loops(ops.data[i]);
    for (intptr_t d = 0; d < loops; ++d) {
      if (!tt_op_loop_of(ops.data[i], d, &l)) continue;
      MlirValue size = open_size(&l);
      if (!tt_is_null_value(size)) tile(arena, &l, size);
    }
  }
  keep_parts(arena, func);
  tt_erase_dead(func);
  return true;
}

bool tt_run_tile_open_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, tile_open_dims);
}
