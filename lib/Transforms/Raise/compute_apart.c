/*===- compute_apart.c - a value of a body in a buffer of its own ------------------------------===
 *
 *   linalg.generic ins(%a) outs(%c) {       %b = memref.alloc()
 *     %q = … %a                             linalg.generic ins(%a) outs(%b) { … yield %q }
 *     yield %q + %q % 5 }                 = linalg.generic ins(%a, %b) outs(%c) { yield %q + … }
 *
 * An expression of hundreds of ops, or one that takes a broadcast integer a dozen times, needs more
 * circular buffers than the chip has. Buffers of ops that follow one another take turns
 * (--tt-share-buffers).
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/compute_apart.h"

#include "Analysis/kernel.h"

enum { MOST_OPERANDS = 32 };

static bool is_map(MlirOperation op) {
  MlirAttribute kinds = tt_op_attr(op, "iterator_types"),
                parallel = mlirAttributeParseGet(mlirOperationGetContext(op),
                                                 tt_str("#linalg.iterator_type<parallel>"));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(kinds); ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(kinds, i), parallel)) return false;
  return true;
}

/* The open sizes of `memref`, as its subview or its allocation says; false where nothing does. */
static bool add_sizes(TtOpState *s, MlirValue memref, int32_t *n) {
  MlirOperation op = tt_defining_op(memref);
  MlirType type = mlirValueGetType(memref);
  bool subview = !mlirOperationIsNull(op) && tt_op_is(op, "memref.subview");
  *n = 0;
  if (mlirShapedTypeHasStaticShape(type)) return true;
  if (!subview && (mlirOperationIsNull(op) || !tt_op_is(op, "memref.alloc"))) return false;
  intptr_t end = mlirOperationGetNumOperands(op), first = 0;
  if (subview) {
    MlirAttribute sizes = tt_op_attr(op, "operandSegmentSizes");
    first = 1 + mlirDenseI32ArrayGetElement(sizes, 1);
    end = first + mlirDenseI32ArrayGetElement(sizes, 2);
  }
  intptr_t open = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    open += mlirShapedTypeIsDynamicDim(type, d);
  if (end - first != open) return false; /* a size that the view drops */
  for (; first < end; ++first, ++*n) tt_op_state_operand(s, mlirOperationGetOperand(op, first));
  return true;
}

/* A buffer of `element`, as large as `like`; null where nothing says how large that is. */
static MlirValue buffer_like(TtBuilder *b, MlirOperation op, MlirValue like, MlirType element) {
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(op));
  MlirType type = mlirValueGetType(like);
  int64_t shape[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  int32_t sizes;
  if (rank > TT_MAX_RANK || !add_sizes(&s, like, &sizes)) return (MlirValue){NULL};
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){sizes, 0}));
  tt_op_state_result(&s,
                     mlirMemRefTypeContiguousGet(
                         element, rank, shape,
                         mlirAttributeParseGet(b->context, tt_str("#gpu.address_space<private>"))));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* What `value` is in a copy of its body. */
static MlirValue same_in(MlirBlock copy, MlirBlock body, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockGetArgument(copy, mlirBlockArgumentGetArgNumber(value));
  MlirOperation op = tt_defining_op(value), other = mlirBlockGetFirstOperation(copy);
  for (MlirOperation at = mlirBlockGetFirstOperation(body); !tt_op_eq(at, op); at = tt_next(at))
    other = tt_next(other);
  return mlirOperationGetResult(other, mlirOpResultGetResultNumber(value));
}

/* The op with one more input, `input`, with the map of its output, before that. */
static MlirOperation with_input(MlirOperation old, MlirValue input) {
  TtBuilder b = tt_builder_before(old);
  MlirLocation loc = mlirOperationGetLocation(old);
  MlirAttribute maps = tt_op_attr(old, "indexing_maps"), all[MOST_OPERANDS];
  intptr_t n = mlirOperationGetNumOperands(old);
  TtOpState s = tt_op_state("linalg.generic", loc);
  for (intptr_t i = 0; i <= n; ++i) {
    tt_op_state_operand(&s, i == n - 1 ? input : mlirOperationGetOperand(old, i < n ? i : n - 1));
    all[i] = mlirArrayAttrGetElement(maps, i < n ? i : n - 1);
  }
  tt_op_state_attr(&s, b.context, "indexing_maps", mlirArrayAttrGet(b.context, n + 1, all));
  tt_op_state_attr(&s, b.context, "iterator_types", tt_op_attr(old, "iterator_types"));
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){(int32_t)n, 1}));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation op = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirRegionTakeBody(mlirOperationGetRegion(op, 0), mlirOperationGetRegion(old, 0));
  mlirBlockInsertArgument(tt_body(op), n - 1, mlirShapedTypeGetElementType(mlirValueGetType(input)),
                          loc);
  mlirOperationDestroy(old);
  return op;
}

MlirOperation tt_compute_apart(MlirOperation op, MlirValue value) {
  MlirOperation none = {NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!tt_op_is(op, "linalg.generic") || tt_linalg_num_inputs(op) != n - 1 || n >= MOST_OPERANDS ||
      mlirOperationGetNumResults(op) > 0 || !is_map(op))
    return none;
  MlirAffineMap map =
      mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(tt_op_attr(op, "indexing_maps"), n - 1));
  if (!mlirAffineMapIsPermutation(map)) return none;
  MlirOperation apart = mlirOperationClone(op);
  MlirBlock body = tt_body(apart);
  MlirValue made = same_in(body, tt_body(op), value), old = mlirBlockGetArgument(body, n - 1);
  mlirOperationSetOperand(mlirBlockGetTerminator(body), 0, made);
  tt_erase_dead(apart);
  TtBuilder b = tt_builder_before(op);
  MlirValue buffer = {NULL};
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(old)))
    buffer = buffer_like(&b, op, mlirOperationGetOperand(op, n - 1), mlirValueGetType(made));
  if (tt_is_null_value(buffer)) return mlirOperationDestroy(apart), none;
  mlirOperationSetOperand(apart, n - 1, buffer);
  mlirValueSetType(old, mlirValueGetType(made));
  tt_builder_insert(&b, apart);
  op = with_input(op, buffer);
  mlirValueReplaceAllUsesOfWith(value, mlirBlockGetArgument(tt_body(op), n - 1));
  tt_erase_dead(op);
  return op;
}
