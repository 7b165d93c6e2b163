/*===- drop_unit_dims.c - --tt-drop-unit-dims ------------------------------------------------===
 *
 * All tensors of a model lose their dimensions of one element, and ops the loops over them: what
 * is left are matrices and vectors where there are no batches, and inside of grids, whose blocks
 * take one step of other dimensions. Arguments and results keep their types.
 *
 *   before  %a = tensor.extract_slice %x[%h, %t, 0] [1, 32, 64] : … to tensor<1x32x64xbf16>
 *           linalg.contract [(h, m, n, k) -> (h, m, k), …] ins(%a, …)
 *   after   %a = tensor.extract_slice %x[%h, %t, 0] [1, 32, 64] : … to tensor<32x64xbf16>
 *           linalg.contract [(m, n, k) -> (m, k), …] ins(%a, …)
 *
 * What is no slice, reshape, constant or linalg op works on the shapes that it has. Where a window
 * has one place only, what it does not reach of its operand is cut off before, since then the
 * window alone says how large the operand is.
 *
 * Requires generalized ops on tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Support/resources.h"
#include "Transforms/Model/unit_dims.h"

#include "mlir-c/AffineExpr.h"

/*===- Ops, before types change --------------------------------------------------------------===*/

static bool is_reshape(MlirOperation op) {
  return tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape");
}

static void drop_in_slice(MlirOperation op) {
  TtSlice slice;
  if (!tt_slice_read(op, &slice) || !tt_has_units(mlirValueGetType(slice.whole))) return;
  bool keeps[TT_SLICE_RANK];
  intptr_t n = 0;
  tt_kept_dims(mlirValueGetType(slice.whole), keeps);
  for (intptr_t d = 0; d < slice.rank; ++d) {
    if (!keeps[d]) continue;
    slice.offset[n] = slice.offset[d];
    slice.size[n++] = slice.size[d];
  }
  slice.rank = n;
  tt_slice_replace(op, &slice,
                   tt_is_extraction(op) ? mlirValueGetType(mlirOperationGetResult(op, 0))
                                        : (MlirType){NULL});
}

/* Groups of dimensions without those that are dropped, and without groups of none. */
static void drop_in_reshape(TtArena *arena, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  bool expands = tt_op_is(op, "tensor.expand_shape"), keeps[TT_SLICE_RANK];
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
           to = mlirValueGetType(mlirOperationGetResult(op, 0)), larger = expands ? to : from;
  if (mlirShapedTypeGetRank(larger) > TT_SLICE_RANK) return;
  tt_kept_dims(larger, keeps);
  MlirAttribute groups = tt_op_attr(op, "reassociation");
  intptr_t n = mlirArrayAttrGetNumElements(groups), kept = 0, number = 0, at = 0;
  MlirAttribute *left = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *left);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute members[TT_SLICE_RANK];
    intptr_t size = mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, i)), m = 0;
    for (intptr_t j = 0; j < size; ++j)
      if (keeps[at++]) members[m++] = tt_i64_attr(context, number++);
    if (m > 0) left[kept++] = mlirArrayAttrGet(context, m, members);
  }
  mlirOperationSetInherentAttributeByName(op, tt_str("reassociation"),
                                          mlirArrayAttrGet(context, kept, left));
  if (!expands) return;
  int64_t shape[TT_SLICE_RANK];
  intptr_t rank = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(to); ++d)
    if (keeps[d]) shape[rank++] = mlirShapedTypeGetDimSize(to, d);
  mlirOperationSetInherentAttributeByName(op, tt_str("static_output_shape"),
                                          mlirDenseI64ArrayGet(context, rank, shape));
}

/* tensor.extract of a body has an index for each dimension. */
static void drop_in_extract(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (!tt_has_units(type)) return;
  bool keeps[TT_SLICE_RANK];
  MlirValue operands[TT_SLICE_RANK + 1] = {mlirOperationGetOperand(op, 0)};
  intptr_t n = 1;
  tt_kept_dims(type, keeps);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (keeps[d]) operands[n++] = mlirOperationGetOperand(op, d + 1);
  mlirOperationSetOperands(op, n, operands);
}

static bool drop_in_constant(MlirOperation op) {
  MlirAttribute value = tt_op_attr(op, "value");
  MlirType type = mlirAttributeGetType(value);
  if (!tt_has_units(type)) return true;
  bool beside = mlirAttributeIsADenseResourceElements(value);
  if (!beside && !mlirAttributeIsADenseElements(value)) return false;
  MlirAttribute reshaped = beside ? tt_resource_reshape(value, tt_without_units(type))
                                  : mlirDenseElementsAttrReshapeGet(value, tt_without_units(type));
  mlirOperationSetInherentAttributeByName(op, tt_str("value"), reshaped);
  return true;
}

/* Whether `op` is fine once its types have changed. */
static bool adapt(TtArena *arena, MlirOperation op) {
  if (tt_is_extraction(op) || tt_is_insertion(op)) drop_in_slice(op);
  else if (is_reshape(op)) drop_in_reshape(arena, op);
  else if (tt_op_is(op, "tensor.extract")) drop_in_extract(op);
  else if (tt_op_is(op, "arith.constant")) return drop_in_constant(op);
  else if (tt_is_linalg(op)) tt_drop_units_in_linalg(arena, op);
  else
    return tt_op_is(op, "tensor.empty") || tt_op_is(op, "scf.for") || tt_op_is(op, "scf.forall") ||
           tt_op_is(op, "scf.if") || tt_is_terminator(op) || tt_op_is(op, "scf.forall.in_parallel");
  return true;
}

/*===- Windows of one place ----------------------------------------------------------------===*/

static bool is_one(const int64_t *extents, intptr_t loops, MlirAffineExpr e) {
  for (intptr_t d = 0; d < loops; ++d)
    if (mlirAffineExprIsFunctionOfDim(e, d) && extents[d] == 1) return true;
  return false;
}

/* The largest index that sums of loops times constants come to; -1 where it is another one. */
static int64_t largest(const int64_t *extents, MlirAffineExpr e) {
  if (mlirAffineExprIsAConstant(e)) return mlirAffineConstantExprGetValue(e);
  if (mlirAffineExprIsADim(e)) return extents[mlirAffineDimExprGetPosition(e)] - 1;
  if (!mlirAffineExprIsAAdd(e) && !mlirAffineExprIsAMul(e)) return -1;
  int64_t a = largest(extents, mlirAffineBinaryOpExprGetLHS(e)),
          b = largest(extents, mlirAffineBinaryOpExprGetRHS(e));
  return a < 0 || b < 0 ? -1 : mlirAffineExprIsAAdd(e) ? a + b : a * b;
}

static void cut_operand(MlirOperation op, intptr_t operand, intptr_t loops,
                        const int64_t *extents) {
  MlirAffineMap map = tt_indexing_map(op, operand);
  TtSlice slice = {.whole = mlirOperationGetOperand(op, operand)};
  MlirType type = mlirValueGetType(slice.whole);
  int64_t shape[TT_SLICE_RANK];
  bool cuts = false;
  slice.rank = mlirAffineMapGetNumResults(map);
  if (slice.rank > TT_SLICE_RANK || !mlirShapedTypeHasStaticShape(type)) return;
  for (intptr_t r = 0; r < slice.rank; ++r) {
    MlirAffineExpr e = mlirAffineMapGetResult(map, r);
    int64_t size = mlirShapedTypeGetDimSize(type, r), end = largest(extents, e) + 1;
    bool cut = !mlirAffineExprIsADim(e) && is_one(extents, loops, e) && end > 0 && end < size;
    shape[r] = slice.size[r].number = cut ? end : size;
    cuts = cuts || cut;
  }
  if (!cuts) return;
  TtBuilder b = tt_builder_before(op);
  MlirType part = mlirRankedTensorTypeGet(slice.rank, shape, mlirShapedTypeGetElementType(type),
                                          mlirAttributeGetNull());
  mlirOperationSetOperand(
      op, operand,
      tt_slice_create(&b, mlirOperationGetLocation(op), "tensor.extract_slice", &slice, part));
}

static void cut_operands(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i) {
    intptr_t loops = mlirAffineMapGetNumDims(tt_indexing_map(ops.data[i], 0));
    int64_t *extents = tt_arena_alloc(arena, (size_t)(loops + 1) * sizeof *extents);
    if (!tt_loop_extents(ops.data[i], loops, extents)) continue;
    for (intptr_t j = 0; j < tt_linalg_num_inputs(ops.data[i]); ++j)
      if (mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(ops.data[i], j))))
        cut_operand(ops.data[i], j, loops, extents);
  }
}

/*===- Types -------------------------------------------------------------------------------===*/

static void retype(MlirValue value) {
  if (tt_has_units(mlirValueGetType(value)))
    mlirValueSetType(value, tt_without_units(mlirValueGetType(value)));
}

static void retype_results(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    retype(mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (intptr_t i = 0; !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i)
      retype(mlirBlockGetArgument(block, i));
  }
}

/* The groups of the dimensions of `type` that make those of the type without units. */
static MlirAttribute groups_of(MlirContext context, MlirType type) {
  bool keeps[TT_SLICE_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type), n = tt_kept_dims(type, keeps), group = -1;
  MlirAttribute members[TT_SLICE_RANK], groups[TT_SLICE_RANK];
  intptr_t m = 0;
  for (intptr_t d = 0; d < rank; ++d) {
    if (keeps[d] && group >= 0) {
      groups[group++] = mlirArrayAttrGet(context, m, members);
      m = 0;
    } else if (keeps[d]) group = 0;
    members[m++] = tt_i64_attr(context, d);
  }
  if (n > 0) groups[n - 1] = mlirArrayAttrGet(context, m, members);
  return mlirArrayAttrGet(context, n, groups);
}

/* `value` in the shape of `with`, a type with units, or without them where `collapses`. */
static MlirValue reshape(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType with,
                         bool collapses) {
  return tt_reshape(b, loc, value, collapses ? tt_without_units(with) : with,
                    groups_of(b->context, with), !collapses, NULL);
}

/* An op that works on the shapes that it has gets and gives them. */
static void keep_shapes(MlirOperation op, const MlirType *operands) {
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder before = tt_builder_before(op), after = tt_builder_after(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tt_has_units(operands[i]))
      mlirOperationSetOperand(
          op, i, reshape(&before, loc, mlirOperationGetOperand(op, i), operands[i], false));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!tt_has_units(mlirValueGetType(result))) continue;
    MlirValue flat = reshape(&after, loc, result, mlirValueGetType(result), true);
    MlirOperation own = tt_defining_op(flat);
    mlirValueReplaceAllUsesExcept(result, flat, 1, &own);
  }
}

static void flatten_arguments(MlirOperation func) {
  TtBuilder b = tt_builder_at_start(tt_body(func));
  for (intptr_t i = 0; i < tt_num_args(func); ++i) {
    MlirValue arg = tt_arg(func, i);
    if (!tt_has_units(mlirValueGetType(arg)) || !tt_has_uses(arg)) continue;
    MlirValue flat = reshape(&b, mlirOperationGetLocation(func), arg, mlirValueGetType(arg), true);
    MlirOperation own = tt_defining_op(flat);
    mlirValueReplaceAllUsesExcept(arg, flat, 1, &own);
  }
}

/* Reshapes between shapes that differ in units only. */
static void drop_idle_reshapes(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (is_reshape(ops.data[i]) &&
        mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(ops.data[i], 0)),
                      mlirValueGetType(mlirOperationGetResult(ops.data[i], 0))))
      tt_replace(ops.data[i], mlirOperationGetOperand(ops.data[i], 0));
}

/* All but the ops in bodies of linalg ops that work on elements: of these, indices of loops go. */
static TtOps ops_with_shapes(TtArena *arena, MlirOperation func) {
  TtOps all = tt_collect(arena, func, NULL), ops = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    bool in_body = tt_is_linalg(tt_parent(op)) && !tt_op_is(op, "tensor.extract") &&
                   !tt_op_is(op, "arith.constant");
    if (!in_body) tt_ops_add(arena, &ops, op);
  }
  return ops;
}

static bool drop(TtArena *arena, MlirOperation func) {
  cut_operands(arena, func);
  TtOps ops = ops_with_shapes(arena, func), others = {NULL, 0, 0};
  MlirType **types = tt_arena_alloc(arena, (size_t)(ops.n + 1) * sizeof *types);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool returns = tt_op_is(op, "func.return"); /* another op may stand for it afterwards */
    if (adapt(arena, op) && !returns) continue;
    intptr_t n = mlirOperationGetNumOperands(op);
    types[others.n] = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof **types);
    for (intptr_t j = 0; j < n; ++j)
      types[others.n][j] = mlirValueGetType(mlirOperationGetOperand(op, j));
    tt_ops_add(arena, &others, op);
  }
  ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0, next = 0; i < ops.n; ++i)
    if (next < others.n && tt_op_eq(ops.data[i], others.data[next])) ++next;
    else retype_results(ops.data[i]);
  for (intptr_t i = 0; i < others.n; ++i) keep_shapes(others.data[i], types[i]);
  flatten_arguments(func);
  drop_idle_reshapes(arena, func);
  return true;
}

bool tt_run_drop_unit_dims(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, drop);
}
