/*===- split_buffers.c - buffers of the core with more than two dimensions --------------------===
 *
 * A buffer of which each op takes a step, at constants, becomes one for each step. Where a step is
 * known when the kernel runs only, and is whole tiles, the steps lie one below the other:
 *
 *   %s = memref.alloc() : memref<4x32x64xf32>     %v = memref.subview %s[%h, 0, 0] [1, 32, 64]
 * = %n = memref.alloc() : memref<128x64xf32>      %v = memref.subview %n[%h * 32, 0] [32, 64]
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kept_dims.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Tile/block.h"

/* The step that a view of a buffer takes, or takes a part of, where it drops the first `outer`
 * dimensions, at constants; -1 where it does not. */
static int64_t step_of(MlirOperation view, MlirType type, intptr_t outer) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t step = 0;
  if (!tt_op_is(view, "memref.subview") ||
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(view, 0))) != rank - outer)
    return -1;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t offset = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_offsets"), d),
            size = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_sizes"), d),
            stride = mlirDenseI64ArrayGetElement(tt_op_attr(view, "static_strides"), d);
    if (stride == INT64_MIN || (size == INT64_MIN && !tt_takes_open_side(view, d))) return -1;
    if (d < outer && (offset == INT64_MIN || size != 1)) return -1;
    if (d < outer) step = step * mlirShapedTypeGetDimSize(type, d) + offset;
  }
  return step;
}

/* What `view` takes of the part of a buffer that its step is. */
static MlirValue part_of(MlirOperation view, MlirValue own, intptr_t outer) {
  TtBuilder b = tt_builder_before(view);
  MlirLocation loc = mlirOperationGetLocation(view);
  MlirAttribute offsets = tt_op_attr(view, "static_offsets"),
                all = tt_op_attr(view, "static_sizes"), apart = tt_op_attr(view, "static_strides");
  MlirValue at[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK], steps[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK], whole = true;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(own)); ++d) {
    at[d] = tt_subview_offset(&b, view, outer + d);
    sizes[d] = mlirDenseI64ArrayGetElement(all, outer + d);
    steps[d] = mlirDenseI64ArrayGetElement(apart, outer + d), keeps[d] = true;
    whole &= mlirDenseI64ArrayGetElement(offsets, outer + d) == 0 &&
             sizes[d] == mlirShapedTypeGetDimSize(mlirValueGetType(own), d);
  }
  return whole ? own : tt_strided_subview(&b, loc, own, at, sizes, steps, keeps);
}

/* The views of a buffer, which all take steps of its first `*outer` dimensions; none where other
 * ops use it as well. */
static TtOps views_of(TtArena *arena, MlirValue buffer, intptr_t *outer) {
  MlirType type = mlirValueGetType(buffer);
  TtOps views = {NULL, 0, 0}, none = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (views.n == 0 && tt_op_is(view, "memref.subview"))
      *outer = mlirShapedTypeGetRank(type) -
               mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(view, 0)));
    if (*outer < 1 || step_of(view, type, *outer) < 0) return none;
    tt_ops_add(arena, &views, view);
  }
  return views;
}

/* A buffer for a step of what `alloc` allocates, of which sides may be known as it runs only. */
static MlirValue own_buffer(TtBuilder *b, MlirOperation alloc, intptr_t outer) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  intptr_t rank = mlirShapedTypeGetRank(type), open = mlirOperationGetNumOperands(alloc);
  int64_t shape[TT_MAX_RANK];
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(alloc));
  for (intptr_t d = outer; d < rank; ++d) shape[d - outer] = mlirShapedTypeGetDimSize(type, d);
  for (intptr_t i = 0; i < open; ++i) tt_op_state_operand(&s, mlirOperationGetOperand(alloc, i));
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){(int32_t)open, 0}));
  tt_op_state_result(&s,
                     mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank - outer,
                                                 shape, mlirMemRefTypeGetMemorySpace(type)));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Whether its outer dimensions are of constant size, and a step has at most two. */
static bool has_steps(MlirType type, intptr_t outer) {
  for (intptr_t d = 0; d < outer; ++d)
    if (mlirShapedTypeIsDynamicDim(type, d)) return false;
  return mlirShapedTypeGetRank(type) - outer <= 2;
}

/* A buffer of which each op takes a step becomes one for each step. */
static bool split_buffer(TtArena *arena, MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(buffer);
  intptr_t rank = mlirShapedTypeGetRank(type), outer = 0;
  int64_t steps = 1;
  if (rank < 2 || rank > TT_MAX_RANK) return false;
  TtOps views = views_of(arena, buffer, &outer);
  if (views.n == 0 || !has_steps(type, outer)) return false;
  for (intptr_t d = 0; d < outer; ++d) steps *= mlirShapedTypeGetDimSize(type, d);
  if (steps > TT_MAX_UNROLLED) return false;
  MlirValue *own = tt_arena_alloc(arena, (size_t)(steps + 1) * sizeof *own);
  TtBuilder b = tt_builder_before(alloc);
  for (int64_t i = 0; i < steps; ++i) own[i] = own_buffer(&b, alloc, outer);
  for (intptr_t i = 0; i < views.n; ++i) {
    MlirOperation view = views.data[i];
    tt_replace(view, part_of(view, own[step_of(view, type, outer)], outer));
  }
  mlirOperationDestroy(alloc);
  return true;
}

/* A buffer whose steps are whole tiles becomes one of two dimensions, seen with all. */
static void flatten(MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  MlirType type = mlirValueGetType(buffer);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank < 3 || rank > TT_MAX_RANK || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetDimSize(type, rank - 2) % TT_TILE != 0)
    return;
  TtBuilder b = tt_builder_before(alloc);
  MlirLocation loc = mlirOperationGetLocation(alloc);
  int64_t shape[2] = {1, mlirShapedTypeGetDimSize(type, rank - 1)}, all[TT_MAX_RANK];
  MlirAttribute rows[TT_MAX_RANK], groups[2], last = tt_i64_attr(b.context, rank - 1);
  for (intptr_t d = 0; d < rank; ++d) {
    all[d] = mlirShapedTypeGetDimSize(type, d);
    if (d < rank - 1) shape[0] *= all[d], rows[d] = tt_i64_attr(b.context, d);
  }
  groups[0] = mlirArrayAttrGet(b.context, rank - 1, rows);
  groups[1] = mlirArrayAttrGet(b.context, 1, &last);
  MlirValue flat =
      tt_static_alloc(&b, loc,
                      mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 2, shape,
                                                  mlirMemRefTypeGetMemorySpace(type)));
  TtOpState s = tt_op_state("memref.expand_shape", loc);
  tt_op_state_operand(&s, flat);
  tt_op_state_attr(&s, b.context, "reassociation", mlirArrayAttrGet(b.context, 2, groups));
  tt_op_state_attr(&s, b.context, "static_output_shape",
                   mlirDenseI64ArrayGet(b.context, rank, all));
  tt_op_state_result(&s, type);
  tt_replace(alloc, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
}

void tt_split_buffers(TtArena *arena, MlirOperation kernel) {
  TtOps allocs = tt_collect(arena, kernel, "memref.alloc");
  for (intptr_t i = 0; i < allocs.n; ++i)
    if (!split_buffer(arena, allocs.data[i])) flatten(allocs.data[i]);
  tt_fold_reshapes(arena, kernel);
  tt_erase_dead(kernel);
}
