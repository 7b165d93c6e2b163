/*===- complete_level_2.c - --tt-complete-level-2 -----------------------------------------------===
 *
 * The way in for kernels written on level 2: supplies what stages B and C would have left, by
 * calling what they call. A kernel that has it is left alone.
 *
 *   before  func.func @gemm(…) attributes {tt.kernel} { tt.read_to_cb … tt.mm.mma … }
 *   after   func.func @gemm(…) attributes {tt.kernel, tt.grid = array<i64: 1, 1, 1>,
 *             tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>], …,
 *             tt.tile_dfg = #tt.tile_dfg<…>} { … }
 *
 * Without a grid there is one unit of work, on one core.
 *
 * Requires stage A's metadata, and no op of level 1. Leaves tt.work_partition and what comes
 * with it (B1), and tt.tile_dfg (C3).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Partition/partition.h"
#include "Transforms/Split/split.h"
#include "Transforms/Tile/build_tile_dfg.h"

bool tt_require_level_2(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    MlirStringRef name = tt_op_name(op);
    bool low = tt_is_linalg(op) || tt_op_is(op, "memref.copy") || tt_op_is(op, "memref.alloc") ||
               tt_op_is(op, "memref.load") || tt_op_is(op, "memref.store") ||
               tt_op_is(op, "scf.forall") || tt_cb_view_isa(op);
    if (low)
      return tt_error(op,
                      "%.*s is not lowered to tile intrinsics: run --tt-stage-b and --tt-stage-c "
                      "first",
                      (int)name.length, name.data);
    if (tt_op_info(op)->level == TT_LEVEL_PROTOCOL)
      return tt_error(op, "%.*s is a protocol op; before stage D there are none", (int)name.length,
                      name.data);
  }
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor &&
        !tt_tensor_accessor_attr_isa(tt_named_attr(func, "tensor_accessor", args.data[i].name)))
      return tt_error(func,
                      "tensor '%s' has no tt.tensor_accessor.%s: run --tt-stage-a "
                      "(--tt-attach-tensor-accessor) first",
                      args.data[i].name, args.data[i].name);
  return true;
}

static bool complete(TtArena *arena, MlirOperation func) {
  return tt_require_level_2(arena, func) &&
         (!mlirAttributeIsNull(tt_get_attr(func, "tt.work_partition")) ||
          tt_partition_kernel(arena, func)) &&
         (!mlirAttributeIsNull(tt_get_attr(func, "tt.tile_dfg")) || tt_build_dfg(arena, func));
}

bool tt_run_complete_level_2(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, complete);
}
