/*===- least_sizes.c - what sizes that are open must be at least ------------------------------===
 *
 *   scf.forall (%b) in (2) { memref.subview %Y[%b * 32, 0] [32, 70] : memref<?x?xf32> … }
 *   = tt.least_sizes = ["Y_d0>=64", "Y_d1>=70"]
 *
 * The host program asks for them, and the proof of the program holds from there on. Blocks in
 * branches, whose conditions may ask for sizes, say nothing, nor do grids and loops of open size;
 * what is loaded may be less than it says.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kept_dims.h"
#include "Transforms/Partition/partition.h"

static bool is_in_branch(MlirOperation op) {
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
    if (tt_op_is(p, "scf.if")) return true;
  return false;
}

/* How far the block goes along dimension `d`; 0 where that is not known. */
static int64_t reach(TtArena *arena, MlirOperation block, intptr_t d) {
  TtBuilder b = tt_builder_before(block);
  TtIndexRange range;
  int64_t size = mlirDenseI64ArrayGetElement(tt_op_attr(block, "static_sizes"), d),
          stride = mlirDenseI64ArrayGetElement(tt_op_attr(block, "static_strides"), d);
  if (size <= 0 || stride <= 0) return 0;
  MlirValue offset = tt_subview_offset(&b, block, d);
  if (tt_is_loaded(offset) || !tt_index_range(arena, offset, &range)) return 0;
  int64_t last, end;
  return __builtin_mul_overflow(size - 1, stride, &last) ||
                 __builtin_add_overflow(range.most, last, &end) ||
                 __builtin_add_overflow(end, (int64_t)1, &end)
             ? 0
             : end;
}

void tt_note_least_sizes(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  TtOps blocks = tt_collect(arena, func, "memref.subview");
  intptr_t n = 0, most = 0;
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor) most += mlirShapedTypeGetRank(args.data[i].type);
  const char **texts = tt_arena_alloc(arena, (size_t)(most + 1) * sizeof *texts);
  for (intptr_t i = 0; i < args.n; ++i)
    for (intptr_t d = 0; args.data[i].is_tensor && d < mlirShapedTypeGetRank(args.data[i].type);
         ++d) {
      int64_t least = 0;
      for (intptr_t j = 0; mlirShapedTypeIsDynamicDim(args.data[i].type, d) && j < blocks.n; ++j) {
        if (!tt_value_eq(mlirOperationGetOperand(blocks.data[j], 0), args.data[i].value) ||
            is_in_branch(blocks.data[j]))
          continue;
        int64_t to = reach(arena, blocks.data[j], d);
        if (to > least) least = to;
      }
      if (least > 1)
        texts[n++] = tt_arena_printf(arena, "%s>=%jd", tt_dim_name(arena, args.data[i].name, d),
                                     (intmax_t)least);
    }
  if (n > 0)
    tt_set_attr(func, "tt.least_sizes",
                tt_strings_attr(arena, mlirOperationGetContext(func), n, texts));
}
