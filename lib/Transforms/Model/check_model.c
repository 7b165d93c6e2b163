/*===- check_model.c - --tt-check-model ------------------------------------------------------===
 *
 * Refuses models that no later pass takes, at the op or the type that stops them: before anything
 * is made of them, so that the error names what stands in the input.
 *
 *   before  func.func @f(%x: tensor<*xf32>) -> tensor<*xf32> attributes {tt.model}
 *   after   error: argument 0 has no rank; …
 *
 * Requires calls to be inlined. Changes nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/weights.h"
#include "Dialect/shapes.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include <string.h>

/*===- Types -------------------------------------------------------------------------------===*/

/* What a tensor is of, for errors. */
typedef struct Subject {
  MlirOperation op;
  const char *what; /* "argument 0" */
} Subject;

static bool refuse(Subject s, const char *why) { return tt_error(s.op, "%s %s", s.what, why); }

static double bytes_of(MlirType type, MlirType element) {
  double bytes = (double)tt_element_bytes(element);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (!mlirShapedTypeIsDynamicDim(type, d)) bytes *= (double)mlirShapedTypeGetDimSize(type, d);
  return bytes;
}

static bool check_sizes(Subject s, MlirType type) {
  if (!mlirShapedTypeHasRank(type))
    return refuse(s, "has no rank; a model is of tensors of known rank (export it with shapes)");
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (!mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) == 0)
      return tt_error(s.op, "%s has no elements, since dimension %jd is 0; leave it out", s.what,
                      (intmax_t)d);
  const TtChip *chip = tt_target_of(s.op).chip;
  double bytes = bytes_of(type, mlirShapedTypeGetElementType(type)),
         room = (double)chip->dram_banks * chip->dram_bytes;
  if (bytes > room)
    return tt_error(s.op, "%s takes %.0f bytes, more than the %.0f of the device's DRAM", s.what,
                    bytes, room);
  return true;
}

/* Numbers that a core computes with: no pairs, no quantized ones, and none of 64 bits. */
static bool is_number(MlirType type) {
  TtDType dtype;
  return tt_dtype_of(type, &dtype) || mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type) ||
         (mlirTypeIsAFloat(type) && !mlirTypeIsAF64(type));
}

static bool check_tensor(Subject s, MlirType type) {
  if (!mlirTypeIsATensor(type)) return true;
  if (!check_sizes(s, type)) return false;
  if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return refuse(s, "has an encoding, as sparse tensors have, and tensors of a model hold all of "
                     "their elements; convert it before");
  return is_number(mlirShapedTypeGetElementType(type)) ||
         refuse(s, "has elements of a type that the device does not compute with (f64, complex and "
                   "quantized ones); dequantize or convert them before, to bf16, f16, f32, i32, "
                   "i16 or i8");
}

/* Arguments and results are tensors in DRAM, or (arguments) numbers. */
static bool check_boundary(Subject s, MlirType type, bool numbers) {
  TtDType dtype;
  if (mlirTypeIsAVector(type) || (mlirTypeIsAShaped(type) && !mlirTypeIsATensor(type)))
    return refuse(s, "is no tensor; a model takes and gives tensors, and kernels take memrefs");
  bool number = mlirTypeIsAFloat(type) || mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
  if (number && !numbers)
    return refuse(s, "is a number, and models give tensors; make it a tensor of one element");
  if (number && !is_number(type))
    return refuse(s, "is a number of 64 bits, with which the device does not compute; make it f32");
  if (!mlirTypeIsATensor(type))
    return number || refuse(s, "is neither a tensor nor a number that the device computes with");
  if (!check_tensor(s, type)) return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (!tt_dtype_of(element, &dtype) && !tt_is_f8(element))
    return refuse(s, "has elements for which there is no storage format; use bf16, f16, f32, "
                     "f8E4M3FN, f8E5M2, i32, i16 or i8");
  if (mlirShapedTypeGetRank(type) > TT_MAX_RANK)
    return tt_error(s.op, "%s has %jd dimensions, and tensors have at most %d; collapse some",
                    s.what, (intmax_t)mlirShapedTypeGetRank(type), TT_MAX_RANK);
  return true;
}

static bool check_signature(TtArena *arena, MlirOperation func) {
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(func, "function_type"));
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  if (results == 0) return tt_error(func, "this model has no results, so that it has no effect");
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    Subject s = {func, tt_arena_printf(arena, "argument %jd", (intmax_t)i)};
    if (!check_boundary(s, mlirFunctionTypeGetInput(type, i), true)) return false;
  }
  for (intptr_t i = 0; i < results; ++i) {
    MlirType result = mlirFunctionTypeGetResult(type, i);
    Subject s = {func, tt_arena_printf(arena, "result %jd", (intmax_t)i)};
    if (!check_boundary(s, result, false)) return false;
  }
  return true;
}

/*===- Ops ---------------------------------------------------------------------------------===*/

static bool in_dialect(MlirOperation op, const char *prefix) {
  MlirStringRef name = tt_op_name(op);
  size_t n = strlen(prefix);
  return name.length > n && memcmp(name.data, prefix, n) == 0;
}

/* Pixels that are taken from between those of an image: of a single one, all are the same. Pixels
 * may be repeated. */
static bool resizes_image(MlirOperation op) {
  if (!tt_op_is(op, "tosa.resize") || tt_repeats_pixels(op) || tt_blends_pixels(op)) return false;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  for (intptr_t d = 1; d <= 2; ++d)
    if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) != 4 ||
        mlirShapedTypeGetDimSize(type, d) != 1)
      return true;
  return false;
}

/* Ops for which upstream has no way to generic ones, or none that kernels have. */
static bool is_without_form(MlirOperation op) {
  static const char *const names[] = {"tosa.custom",         "tosa.scatter",   "tosa.cond_if",
                                      "tosa.while_loop",     "tosa.variable",  "tosa.variable_read",
                                      "tosa.variable_write", "tensor.scatter", "tensor.gather",
                                      "tosa.reduce_product"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

static bool is_of_models(MlirOperation op) {
  static const char *const dialects[] = {"tosa.", "linalg.", "tensor.", "arith.", "math.", "scf."};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (in_dialect(op, dialects[i])) return true;
  return tt_op_is(op, "func.return") || tt_op_is(op, "affine.apply") ||
         tt_op_is(op, "affine.min") || tt_op_is(op, "affine.max");
}

static bool carries_tensors(MlirOperation op) {
  if (!in_dialect(op, "scf.") || mlirOperationGetNumRegions(op) == 0 || tt_op_is(op, "scf.for"))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, i)))) return true;
  return false;
}

/* Whether `zero`, a tensor of one element or a number, is a constant; `*is_zero`: 0, as floats have
 * to have it. */
static bool is_known(MlirValue zero, bool *is_zero) {
  MlirOperation op = tt_defining_op(zero);
  *is_zero = false;
  if (!tt_op_is(op, "tosa.const") && !tt_op_is(op, "arith.constant")) return false;
  MlirAttribute value = tt_op_attr(op, tt_op_is(op, "tosa.const") ? "values" : "value");
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  if (mlirAttributeIsAInteger(value)) return *is_zero = tt_int(value) == 0, true;
  *is_zero = mlirAttributeIsAFloat(value) && mlirFloatAttrGetValueDouble(value) == 0;
  return *is_zero;
}

/* Whether a sum of products subtracts zero points from its operands that are not known. */
static bool has_open_zero_points(MlirOperation op) {
  static const char *const names[] = {"tosa.matmul", "tosa.conv2d", "tosa.conv3d",
                                      "tosa.depthwise_conv2d", "tosa.transpose_conv2d"};
  intptr_t n = mlirOperationGetNumOperands(op);
  bool points = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    points |= tt_op_is(op, names[i]) && n > 2;
  MlirStringRef name = tt_op_name(op);
  if (!points &&
      !(in_dialect(op, "linalg.") && (memmem(name.data, name.length, "quantized", 9) ||
                                      memcmp(name.data + name.length - 2, "_q", 2) == 0)))
    return false;
  intptr_t last = points ? n : tt_linalg_num_inputs(op);
  bool zero;
  return !is_known(mlirOperationGetOperand(op, last - 1), &zero) ||
         !is_known(mlirOperationGetOperand(op, last - 2), &zero);
}

static bool check_op(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  int n = (int)name.length;
  if (tt_op_is(op, "cf.assert"))
    return tt_error(op, "this assertion is about values that only a run has, and a model does not "
                        "check any; give constant sizes, or have the host check it");
  if (!is_of_models(op) || is_without_form(op))
    return tt_error(op,
                    "'%.*s' has no form in a model, whose ops are those of TOSA, linalg, tensor, "
                    "arith and math; write it in those, or leave it to the host",
                    n, name.data);
  if (has_open_zero_points(op))
    return tt_error(op,
                    "'%.*s' has zero points that are no constants, which its sums are corrected "
                    "by; make them constants, or dequantize its operands",
                    n, name.data);
  if (resizes_image(op))
    return tt_error(op,
                    "'tosa.resize' is taken as NEAREST_NEIGHBOR by whole factors, as to twice the "
                    "height and width, and as BILINEAR of floats, but this one is neither; resize "
                    "on the host");
  if (carries_tensors(op))
    return tt_error(op,
                    "'%.*s' gives a tensor, but a model computes all of its tensors, in scf.for "
                    "loops too; choose between elements with a select, or have a host function "
                    "(tt.host) call kernels in it",
                    n, name.data);
  if (tt_op_is(op, "scf.for") && !mlirTypeIsAIndex(mlirValueGetType(tt_for_iv(op))))
    return tt_error(op,
                    "this loop counts in i%u, and loops of a model count in index; cast its "
                    "bounds with arith.index_cast",
                    mlirIntegerTypeGetWidth(mlirValueGetType(tt_for_iv(op))));
  Subject s = {op, "this tensor"};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!check_tensor(s, mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
  MlirAttribute value = tt_op_attr(op, tt_op_is(op, "tosa.const") ? "values" : "value");
  bool weights = (tt_op_is(op, "arith.constant") || tt_op_is(op, "tosa.const")) &&
                 mlirTypeIsATensor(mlirAttributeGetType(value));
  TtElements elements;
  return !weights ||
         tt_elements(op, value, mlirAttributeGetType(value), "this constant", &elements);
}

/*===- Models ------------------------------------------------------------------------------===*/

/* Bytes of a tensor that is in DRAM from the start or at the end. */
static double stored(MlirType type) {
  return mlirTypeIsARankedTensor(type) ? bytes_of(type, mlirShapedTypeGetElementType(type)) : 0;
}

/* Arguments, results and constants, all of which are in DRAM at once; a constant of one number is
 * no tensor. */
static bool check_room(MlirOperation func, TtOps ops) {
  double bytes = 0;
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(func, "function_type"));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    bytes += stored(mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    bytes += stored(mlirFunctionTypeGetResult(type, i));
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    bool tosa = tt_op_is(op, "tosa.const");
    if (!tosa && !tt_op_is(op, "arith.constant")) continue;
    MlirAttribute value = tt_op_attr(op, tosa ? "values" : "value");
    if (!mlirAttributeIsADenseElements(value) || !mlirDenseElementsAttrIsSplat(value))
      bytes += stored(mlirValueGetType(mlirOperationGetResult(op, 0)));
  }
  const TtChip *chip = tt_target_of(func).chip;
  double room = (double)chip->dram_banks * chip->dram_bytes;
  return bytes <= room ||
         tt_error(func,
                  "this model's arguments, results and constants take %.0f bytes together, more "
                  "than the %.0f of the device's DRAM; split it",
                  bytes, room);
}

static bool check(TtArena *arena, MlirOperation func) {
  if (!check_signature(arena, func)) return false;
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(tt_body(func))))
    return tt_error(mlirBlockGetTerminator(tt_body(func)),
                    "a model has no branches between blocks (cf); what it computes does not depend "
                    "on the values of its tensors");
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!check_op(ops.data[i])) return false;
  return check_room(func, ops);
}

/* A dimension that a tensor does not have: upstream's canonicalization, which all functions of the
 * module go through, would look for it outside of the tensor's sizes. */
static bool check_dims(TtArena *arena, MlirOperation module) {
  TtOps ops = tt_collect(arena, module, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_op_is(op, "tensor.dim") && !tt_op_is(op, "memref.dim")) continue;
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
    int64_t dim;
    if (!mlirShapedTypeHasRank(type) || !tt_constant(mlirOperationGetOperand(op, 1), &dim))
      continue;
    if (dim < 0 || dim >= mlirShapedTypeGetRank(type))
      return tt_error(op, "asks for dimension %jd of %jd, which are counted from 0", (intmax_t)dim,
                      (intmax_t)mlirShapedTypeGetRank(type));
  }
  return true;
}

/* Declarations are no models for the other passes. */
static bool check_declarations(TtArena *arena, MlirOperation module) {
  TtOps funcs = tt_collect(arena, module, "func.func");
  for (intptr_t i = 0; i < funcs.n; ++i)
    if (!mlirAttributeIsNull(tt_get_attr(funcs.data[i], "tt.model")) &&
        mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(funcs.data[i], 0))))
      return tt_error(funcs.data[i], "this model has no body; give it one, or drop tt.model");
  return true;
}

bool tt_run_check_model(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  bool ok = check_dims(arena, module) && check_declarations(arena, module);
  tt_arena_destroy(arena);
  return ok && tt_for_each_model(module, check);
}
