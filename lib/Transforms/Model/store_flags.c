/*===- store_flags.c - --tt-store-flags ------------------------------------------------------===
 *
 * Tensors of truth values, such as masks, become ones and zeros of bf16: tensors of i1 have no
 * storage format, and floats may be broadcast.
 *
 *   before  %m = arith.constant dense<…> : tensor<64x64xi1>
 *           linalg.generic ins(%x, %m) { ^(%a: f32, %b: i1): select %b, %a, %z }
 *   after   %m = arith.constant dense<…> : tensor<64x64xbf16>
 *           linalg.generic ins(%x, %m) { ^(%a: f32, %b: bf16):
 *             %c = arith.extf %b : bf16 to f32  %d = arith.cmpf une, %c, %zero  select %d, %a, %z }
 *
 *   before  %r = linalg.generic … { ori %flag, %old } -> tensor<64xi1>
 *   after   %r = linalg.generic … { maximumf (select %flag, 1, 0), %old } -> tensor<64xbf16>
 *
 * A flag that becomes a number is a choice between one and zero.
 *
 * Requires generalized ops on tensors.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

enum { UNE = 13 };     /* arith.cmpf's predicate */
enum { ONE = 0x3F80 }; /* in bf16 */

static bool is_flag(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

/* The same elements in bf16; null where they are no constant flags of several values. */
static MlirAttribute as_floats(TtArena *arena, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  MlirAttribute none = {NULL};
  MlirType type = mlirValueGetType(value);
  if (!tt_op_is(op, "arith.constant") || !mlirTypeIsATensor(type)) return none;
  MlirAttribute flags = tt_op_attr(op, "value");
  if (!mlirAttributeIsADenseElements(flags) || mlirDenseElementsAttrIsSplat(flags)) return none;
  if (!is_flag(mlirShapedTypeGetElementType(type))) return none;
  intptr_t n = (intptr_t)mlirElementsAttrGetNumElements(flags), rank = mlirShapedTypeGetRank(type);
  uint16_t *floats = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *floats);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t i = 0; i < n; ++i)
    floats[i] = mlirDenseElementsAttrGetBoolValue(flags, i) ? ONE : 0;
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  MlirType bf16 = mlirBF16TypeGet(mlirTypeGetContext(type)),
           stored = mlirRankedTensorTypeGet(rank, shape, bf16, mlirAttributeGetNull());
  return mlirDenseElementsAttrBFloat16Get(stored, n, floats);
}

static MlirValue insert(TtBuilder *b, TtOpState s, MlirType type) {
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static MlirValue constant(TtBuilder *b, MlirLocation loc, MlirAttribute value) {
  TtOpState s = tt_op_state("arith.constant", loc);
  tt_op_state_attr(&s, b->context, "value", value);
  return insert(b, s, mlirAttributeGetType(value));
}

/* Has the body of `op` take its input `i` as a float. */
static void take_float(MlirOperation op, intptr_t i) {
  MlirBlock body = tt_body(op);
  MlirContext context = mlirOperationGetContext(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue arg = mlirBlockGetArgument(body, i);
  MlirType i1 = mlirValueGetType(arg), f32 = mlirF32TypeGet(context);
  TtBuilder b = {context, body, mlirBlockGetFirstOperation(body)};
  TtOpState extend = tt_op_state("arith.extf", loc), compare = tt_op_state("arith.cmpf", loc);
  tt_op_state_operand(&extend, arg);
  MlirValue wide = insert(&b, extend, f32);
  MlirOperation extension = tt_defining_op(wide);
  tt_op_state_operand(&compare, wide);
  tt_op_state_operand(&compare, constant(&b, loc, mlirFloatAttrDoubleGet(context, f32, 0)));
  tt_op_state_attr(&compare, context, "predicate",
                   mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), UNE));
  tt_op_state_attr(&compare, context, "fastmath",
                   mlirAttributeParseGet(context, tt_str("#arith.fastmath<none>")));
  MlirValue flag = insert(&b, compare, i1);
  mlirValueReplaceAllUsesExcept(arg, flag, 1, &extension);
  mlirValueSetType(arg, mlirBF16TypeGet(context));
}

/* A flag as a number of floats is a choice between one and zero. */
static void choose_number(MlirOperation cast) {
  MlirValue flag = mlirOperationGetOperand(cast, 0);
  MlirType from = mlirValueGetType(flag), to = mlirValueGetType(mlirOperationGetResult(cast, 0));
  if (!is_flag(from) || !mlirTypeIsAFloat(to)) return;
  MlirLocation loc = mlirOperationGetLocation(cast);
  TtBuilder b = tt_builder_before(cast);
  TtOpState s = tt_op_state("arith.select", loc);
  tt_op_state_operand(&s, flag);
  for (int one = 1; one >= 0; --one)
    tt_op_state_operand(&s, constant(&b, loc, mlirFloatAttrDoubleGet(b.context, to, one)));
  tt_replace(cast, insert(&b, s, to));
}

/*===- Computed flags -------------------------------------------------------------------------===*/

static bool is_flags(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && is_flag(mlirShapedTypeGetElementType(type));
}

static MlirType as_stored(TtArena *arena, MlirType type) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(rank, shape, mlirBF16TypeGet(mlirTypeGetContext(type)),
                                 mlirRankedTensorTypeGetEncoding(type));
}

/* Ops that move flags, or make room for them. */
static bool moves(MlirOperation op) {
  return tt_op_is(op, "linalg.fill") || tt_op_is(op, "tensor.empty") ||
         tt_op_is(op, "tensor.expand_shape") || tt_op_is(op, "tensor.collapse_shape") ||
         tt_op_is(op, "tensor.extract_slice") || tt_op_is(op, "tensor.insert_slice") ||
         tt_op_is(op, "tensor.concat");
}

/* Whether linalg ops compute flags, and all that has them are such ops and what moves them. */
static bool computes_flags(TtOps ops) {
  bool any = false;
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool generic = tt_op_is(op, "linalg.generic"), has = false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      has |= is_flags(mlirOperationGetOperand(op, k));
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k) {
      bool made = is_flags(mlirOperationGetResult(op, k));
      has |= made, any |= made && generic;
    }
    if (has && !generic && !moves(op)) return false;
  }
  return any;
}

/* One of bf16 for a flag, else zero. */
static MlirValue number_of(TtBuilder *b, MlirLocation loc, MlirValue flag) {
  MlirType bf16 = mlirBF16TypeGet(b->context);
  TtOpState s = tt_op_state("arith.select", loc);
  tt_op_state_operand(&s, flag);
  for (int one = 1; one >= 0; --one)
    tt_op_state_operand(&s, constant(b, loc, mlirFloatAttrDoubleGet(b->context, bf16, one)));
  return insert(b, s, bf16);
}

/* What `flag` is combined with, if it is `old`, used nowhere else, or any or all of them. */
static MlirValue combined_with(MlirValue flag, MlirValue old) {
  MlirOperation op = tt_defining_op(flag);
  MlirOpOperand use = mlirValueGetFirstUse(old);
  if ((!tt_op_is(op, "arith.ori") && !tt_op_is(op, "arith.andi")) || mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
      !tt_op_eq(mlirOpOperandGetOwner(use), op))
    return (MlirValue){NULL};
  return mlirOperationGetOperand(op, 1 - mlirOpOperandGetOperandNumber(use));
}

/* Has the body of `op` yield numbers for flags of result `i`. */
static void yield_number(MlirOperation op, intptr_t i) {
  MlirOperation end = mlirBlockGetTerminator(tt_body(op));
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(end);
  intptr_t out = tt_linalg_num_inputs(op) + i;
  MlirValue flag = mlirOperationGetOperand(end, i), old = mlirBlockGetArgument(tt_body(op), out),
            other = combined_with(flag, old);
  if (mlirValueIsNull(other)) {
    take_float(op, out);
    mlirOperationSetOperand(end, i, number_of(&b, loc, mlirOperationGetOperand(end, i)));
    return;
  }
  MlirOperation joins = tt_defining_op(flag);
  bool any = tt_op_is(joins, "arith.ori");
  TtOpState s = tt_op_state(any ? "arith.maximumf" : "arith.minimumf", loc);
  tt_op_state_operand(&s, number_of(&b, loc, other));
  tt_op_state_operand(&s, old);
  tt_op_state_attr(&s, b.context, "fastmath",
                   mlirAttributeParseGet(b.context, tt_str("#arith.fastmath<none>")));
  mlirOperationSetOperand(end, i, insert(&b, s, mlirBF16TypeGet(b.context)));
  mlirValueSetType(old, mlirBF16TypeGet(b.context));
  if (!tt_has_uses(flag)) mlirOperationDestroy(joins);
}

/* A tensor filled with a flag. */
static void fill_number(MlirOperation fill) {
  TtBuilder b = tt_builder_before(fill);
  mlirOperationSetOperand(
      fill, 0, number_of(&b, mlirOperationGetLocation(fill), mlirOperationGetOperand(fill, 0)));
  MlirBlock body = tt_body(fill);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueSetType(mlirBlockGetArgument(body, i), mlirBF16TypeGet(b.context));
}

static void store_computed(TtArena *arena, TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (tt_op_is(ops.data[i], "linalg.fill") && is_flags(mlirOperationGetResult(ops.data[i], 0)))
      fill_number(ops.data[i]);
    if (!tt_op_is(ops.data[i], "linalg.generic")) continue;
    for (intptr_t k = 0; k < tt_linalg_num_inputs(ops.data[i]); ++k)
      if (is_flags(mlirOperationGetOperand(ops.data[i], k))) take_float(ops.data[i], k);
    for (intptr_t k = 0; k < mlirOperationGetNumResults(ops.data[i]); ++k)
      if (is_flags(mlirOperationGetResult(ops.data[i], k))) yield_number(ops.data[i], k);
  }
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumResults(ops.data[i]); ++k) {
      MlirValue value = mlirOperationGetResult(ops.data[i], k);
      if (is_flags(value)) mlirValueSetType(value, as_stored(arena, mlirValueGetType(value)));
    }
}

static bool store_flags(TtArena *arena, MlirOperation func) {
  TtOps casts = tt_collect(arena, func, "arith.uitofp");
  for (intptr_t i = 0; i < casts.n; ++i) choose_number(casts.data[i]);
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; j < tt_linalg_num_inputs(ops.data[i]); ++j) {
      MlirOperation op = ops.data[i];
      MlirAttribute floats = as_floats(arena, mlirOperationGetOperand(op, j));
      if (mlirAttributeIsNull(floats)) continue;
      MlirOperation from = tt_defining_op(mlirOperationGetOperand(op, j));
      TtBuilder b = tt_builder_before(from);
      mlirOperationSetOperand(op, j, constant(&b, mlirOperationGetLocation(from), floats));
      take_float(op, j);
    }
  TtOps all = tt_collect(arena, func, NULL), tensors = {NULL, 0, 0}; /* without those of bodies */
  for (intptr_t i = 0; i < all.n; ++i)
    if (!tt_is_linalg(mlirOperationGetParentOperation(all.data[i])))
      tt_ops_add(arena, &tensors, all.data[i]);
  if (computes_flags(tensors)) store_computed(arena, tensors);
  return true;
}

bool tt_run_store_flags(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, store_flags);
}
