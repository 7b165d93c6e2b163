/*===- store_flags.c - --tt-store-flags ------------------------------------------------------===
 *
 * Constants of truth values, such as masks, become ones and zeros of bf16: tensors of i1 have no
 * storage format, and floats may be broadcast.
 *
 *   before  %m = arith.constant dense<…> : tensor<64x64xi1>
 *           linalg.generic ins(%x, %m) { ^(%a: f32, %b: i1): select %b, %a, %z }
 *   after   %m = arith.constant dense<…> : tensor<64x64xbf16>
 *           linalg.generic ins(%x, %m) { ^(%a: f32, %b: bf16):
 *             %c = arith.extf %b : bf16 to f32  %d = arith.cmpf une, %c, %zero  select %d, %a, %z }
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

/* The same elements in bf16; null where they are no constant flags of several values. */
static MlirAttribute as_floats(TtArena *arena, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  MlirAttribute none = {NULL};
  MlirType type = mlirValueGetType(value);
  if (!tt_op_is(op, "arith.constant") || !mlirTypeIsATensor(type)) return none;
  MlirAttribute flags = tt_op_attr(op, "value");
  if (!mlirAttributeIsADenseElements(flags) || mlirDenseElementsAttrIsSplat(flags)) return none;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (!mlirTypeIsAInteger(element) || mlirIntegerTypeGetWidth(element) != 1) return none;
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
  if (!mlirTypeIsAInteger(from) || mlirIntegerTypeGetWidth(from) != 1 || !mlirTypeIsAFloat(to))
    return;
  MlirLocation loc = mlirOperationGetLocation(cast);
  TtBuilder b = tt_builder_before(cast);
  TtOpState s = tt_op_state("arith.select", loc);
  tt_op_state_operand(&s, flag);
  for (int one = 1; one >= 0; --one)
    tt_op_state_operand(&s, constant(&b, loc, mlirFloatAttrDoubleGet(b.context, to, one)));
  tt_replace(cast, insert(&b, s, to));
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
  return true;
}

bool tt_run_store_flags(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, store_flags);
}
