/*===- reference_precision.c - a model in f64, and rounded after each op -----------------------===
 *
 * What a model's results are worth: how far they are from an evaluation in which nothing rounds,
 * and from one that rounds as a framework does whose tensors are all bf16.
 *
 *   before  %r = linalg.generic … ins(%x : tensor<8xf32>) { … truncf … : f32 to bf16 … }
 *   f64     %r = linalg.generic … ins(%x : tensor<8xf64>) { … }
 *   bf16    %r = …, %n = linalg.generic ins(%r) { truncf to bf16, extf to f32 }, for its users
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/weights.h"
#include "Run/run.h"
#include "Support/text.h"
#include "Transforms/Raise/inline_text.h"

#include <string.h>

static bool is_float(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsABF16(type) || mlirTypeIsAF16(type);
}

/*===- f64 ----------------------------------------------------------------------------------===*/

/* `type`, of numbers or tensors, with f64 for floats. */
static MlirType doubled(TtArena *arena, MlirType type) {
  MlirType f64 = mlirF64TypeGet(mlirTypeGetContext(type));
  if (is_float(type)) return f64;
  if (!mlirTypeIsARankedTensor(type) || !is_float(mlirShapedTypeGetElementType(type))) return type;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirRankedTensorTypeGet(rank, shape, f64, mlirRankedTensorTypeGetEncoding(type));
}

static void double_value(TtArena *arena, MlirValue value) {
  mlirValueSetType(value, doubled(arena, mlirValueGetType(value)));
}

static bool double_constant(TtArena *arena, MlirOperation op) {
  MlirAttribute value = tt_op_attr(op, "value");
  MlirType type = mlirAttributeGetType(value), now = doubled(arena, type);
  if (mlirTypeEqual(type, now)) return true;
  if (mlirAttributeIsAFloat(value)) {
    value = mlirFloatAttrDoubleGet(mlirOperationGetContext(op), now,
                                   mlirFloatAttrGetValueDouble(value));
  } else {
    TtElements e;
    if (!tt_elements(op, value, type, "this constant", &e)) return false;
    MlirType element = mlirShapedTypeGetElementType(type);
    int64_t n = (int64_t)e.n / tt_element_bytes(element);
    TtArray floats = {.type = TT_NPY_F32, .n = n};
    floats.data = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof(float));
    double *numbers = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *numbers);
    tt_from_elements(element, e.data, &floats);
    for (int64_t i = 0; i < n; ++i) numbers[i] = ((float *)floats.data)[i];
    value = mlirDenseElementsAttrRawBufferGet(now, (size_t)n * sizeof *numbers, numbers);
  }
  mlirOperationSetInherentAttributeByName(op, tt_str("value"), value);
  return true;
}

static bool double_op(TtArena *arena, MlirOperation op) {
  if (tt_op_is(op, "arith.bitcast") || tt_op_is(op, "func.call"))
    return tt_error(op, "this op has no evaluation in f64; leave --against=f64 out");
  if (tt_op_is(op, "arith.constant") && !double_constant(arena, op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    double_value(arena, mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        double_value(arena, mlirBlockGetArgument(block, i));
  return true;
}

static bool to_doubles(TtArena *arena, MlirOperation model) {
  TtOps ops = tt_collect(arena, model, NULL);
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(model, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type), n = mlirFunctionTypeGetNumResults(type);
  MlirType *types = tt_arena_alloc(arena, (size_t)(inputs + n + 1) * sizeof *types);
  for (intptr_t i = 0; i < inputs; ++i) {
    double_value(arena, tt_arg(model, i));
    types[i] = doubled(arena, mlirFunctionTypeGetInput(type, i));
  }
  for (intptr_t i = 0; i < n; ++i)
    types[inputs + i] = doubled(arena, mlirFunctionTypeGetResult(type, i));
  mlirOperationSetInherentAttributeByName(
      model, tt_str("function_type"),
      mlirTypeAttrGet(
          mlirFunctionTypeGet(mlirOperationGetContext(model), inputs, types, n, types + inputs)));
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!double_op(arena, ops.data[i])) return false;
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], "arith.extf") || tt_op_is(ops.data[i], "arith.truncf"))
      tt_replace(ops.data[i], mlirOperationGetOperand(ops.data[i], 0));
  return true;
}

/*===- bf16 ---------------------------------------------------------------------------------===*/

/* A copy of a tensor of f32, rounded to bf16. */
static const char *rounding_text(TtArena *arena, MlirType type) {
  const char *dims = "", *kinds = "", *text = tt_type_text(arena, type);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    dims = tt_arena_printf(arena, "%s%sd%jd", dims, d ? ", " : "", (intmax_t)d);
    kinds = tt_arena_printf(arena, "%s%s\"parallel\"", kinds, d ? ", " : "");
  }
  return tt_arena_printf(
      arena,
      "func.func @f(%%x: %s) -> %s {\n"
      "  %%r = linalg.generic {indexing_maps = [affine_map<(%s) -> (%s)>, affine_map<(%s) -> "
      "(%s)>],\n      iterator_types = [%s]} ins(%%x : %s) outs(%%x : %s) {\n"
      "    ^bb0(%%a: f32, %%b: f32):\n      %%h = arith.truncf %%a : f32 to bf16\n"
      "      %%w = arith.extf %%h : bf16 to f32\n      linalg.yield %%w : f32\n  } -> %s\n"
      "  return %%r : %s\n}\n",
      text, text, dims, dims, dims, dims, kinds, text, text, text, text);
}

static bool round_result(TtArena *arena, MlirOperation op, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsARankedTensor(type) || !mlirTypeIsAF32(mlirShapedTypeGetElementType(type)))
    return true;
  TtBuilder b = tt_builder_after(op);
  TtOpState s = tt_op_state("tensor.cast", mlirOperationGetLocation(op));
  tt_op_state_operand(&s, value);
  tt_op_state_result(&s, type);
  MlirOperation cast = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirValueReplaceAllUsesExcept(value, mlirOperationGetResult(cast, 0), 1, &cast);
  return tt_inline_text(arena, cast, rounding_text(arena, type));
}

static bool round_results(TtArena *arena, MlirOperation model) {
  TtOps ops = tt_collect(arena, model, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t r = 0; r < mlirOperationGetNumResults(ops.data[i]); ++r)
      if (!round_result(arena, ops.data[i], mlirOperationGetResult(ops.data[i], r))) return false;
  return true;
}

bool tt_reference_precision(TtArena *arena, MlirOperation model, TtPrecision precision) {
  if (precision == TT_PRECISION_F64) return to_doubles(arena, model);
  return precision != TT_PRECISION_BF16 || round_results(arena, model);
}
