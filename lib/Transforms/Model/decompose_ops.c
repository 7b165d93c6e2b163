/*===- decompose_ops.c - --tt-decompose-ops --------------------------------------------------===
 *
 * Named ops that are several in one become those, by upstream's transforms.
 *
 *   before  %y = linalg.softmax dimension(1) ins(%x) outs(%e)
 *   after   %m = linalg.generic { maximumf } ins(%x)   %s = linalg.generic { subf, exp } ins(%x,
 * %m) %n = linalg.generic { addf } ins(%s)       %y = linalg.generic { divf } ins(%s, %n)
 *
 * What is packed in blocks (linalg.pack) is padded, reshaped and transposed, and so back.
 *
 * Tensors that are put together (tensor.concat) are an empty one into which parts are put, and
 * reshapes to constant shapes one dimension that becomes others, and what holds one number
 * everywhere (tensor.splat) is filled with it (decompose_shapes.c). A slice of every n-th element
 * is one of groups of n (slice_steps.c).
 *
 * An image that is resized by whole numbers has its pixels repeated (repeat_pixels.c), and one
 * whose new pixels lie between those that there are (BILINEAR) is a product with constants, along
 * rows and along columns (blend_pixels.c).
 *
 * A maximum that starts from what is no number, and takes any other instead (maxnumf), starts from
 * minus infinity.
 *
 * Flags that stand beside the IR (dense_resource of i1, a byte each) are written into it: neither
 * kernels nor MLIR's JIT take them from there.
 *
 * Requires nothing.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/weights.h"
#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

#include "mlir-c/Dialect/Transform/Interpreter.h"

#include <math.h>

static const char *const several_in_one[] = {"linalg.softmax", "linalg.pack", "linalg.unpack"};

static const char schedule_text[] =
    "module attributes {transform.with_named_sequence} {\n"
    "transform.named_sequence @decompose(%func: !transform.any_op) {\n"
    "  %ops = transform.structured.match ops{[\"linalg.softmax\"]} in %func : (!transform.any_op) "
    "-> !transform.any_op\n"
    "  %parts = transform.structured.decompose_interface %ops : (!transform.any_op) -> "
    "!transform.any_op\n"
    "  %packs = transform.structured.match ops{[\"linalg.pack\"]} in %func : (!transform.any_op) "
    "-> "
    "!transform.op<\"linalg.pack\">\n"
    "  %p:3 = transform.structured.lower_pack %packs : (!transform.op<\"linalg.pack\">) -> "
    "(!transform.op<\"tensor.pad\">, !transform.op<\"tensor.expand_shape\">, "
    "!transform.op<\"linalg.transpose\">)\n"
    "  %unpacks = transform.structured.match ops{[\"linalg.unpack\"]} in %func : "
    "(!transform.any_op) -> !transform.op<\"linalg.unpack\">\n"
    "  %u:4 = transform.structured.lower_unpack %unpacks : (!transform.op<\"linalg.unpack\">) -> "
    "(!transform.op<\"tensor.empty\">, !transform.op<\"linalg.transpose\">, "
    "!transform.op<\"tensor.collapse_shape\">, !transform.op<\"tensor.extract_slice\">)\n"
    "  transform.yield\n"
    "}\n"
    "}\n";

/* Whether `value` is a float constant that is no number. */
static bool is_nan(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (!tt_op_is(op, "arith.constant")) return false;
  MlirAttribute number = tt_op_attr(op, "value");
  return mlirAttributeIsAFloat(number) && isnan(mlirFloatAttrGetValueDouble(number));
}

/* What combines the old value of output `out` with others, if it is maxnumf or minnumf. */
static MlirOperation extreme_of(MlirOperation generic, intptr_t out) {
  MlirOperation none = {NULL};
  if (!tt_op_is(generic, "linalg.generic") || out < tt_linalg_num_inputs(generic)) return none;
  MlirOpOperand use = mlirValueGetFirstUse(mlirBlockGetArgument(tt_body(generic), out));
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return none;
  MlirOperation user = mlirOpOperandGetOwner(use);
  return tt_op_is(user, "arith.maxnumf") || tt_op_is(user, "arith.minnumf") ? user : none;
}

/* Has extremes that start from `fill` start from an infinity. */
static void start_from_infinity(MlirOperation fill) {
  if (mlirOperationGetNumResults(fill) != 1 || !is_nan(mlirOperationGetOperand(fill, 0))) return;
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(fill, 0)), next;
       !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t operand = mlirOpOperandGetOperandNumber(use);
    MlirOperation extreme = extreme_of(user, operand);
    if (mlirOperationIsNull(extreme)) continue;
    bool max = tt_op_is(extreme, "arith.maxnumf");
    TtBuilder b = tt_builder_before(fill);
    TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(fill));
    MlirType type = mlirValueGetType(mlirOperationGetOperand(fill, 0));
    tt_op_state_attr(&s, b.context, "value",
                     mlirFloatAttrDoubleGet(b.context, type, max ? -INFINITY : INFINITY));
    tt_op_state_result(&s, type);
    MlirOperation constant = tt_builder_insert(&b, tt_op_state_finish(&s)),
                  copy = tt_builder_insert(&b, mlirOperationClone(fill));
    mlirOperationSetOperand(copy, 0, mlirOperationGetResult(constant, 0));
    mlirOperationSetOperand(user, operand, mlirOperationGetResult(copy, 0));
  }
}

static bool has_any(TtArena *arena, MlirOperation func) {
  for (size_t i = 0; i < sizeof several_in_one / sizeof *several_in_one; ++i)
    if (tt_collect(arena, func, several_in_one[i]).n > 0) return true;
  return false;
}

static bool start_all(TtArena *arena, MlirOperation func) {
  TtOps fills = tt_collect(arena, func, "linalg.fill");
  for (intptr_t i = 0; i < fills.n; ++i) start_from_infinity(fills.data[i]);
  tt_erase_dead(func);
  return true;
}

static void write_flags(TtArena *arena, MlirOperation constant) {
  const char *name = tt_op_is(constant, "tosa.const") ? "values" : "value";
  MlirAttribute value = tt_op_attr(constant, name);
  if (!mlirAttributeIsADenseResourceElements(value)) return;
  MlirType type = mlirAttributeGetType(value), element = mlirShapedTypeGetElementType(type);
  if (!mlirTypeIsAInteger(element) || mlirIntegerTypeGetWidth(element) != 1) return;
  TtElements bytes;
  if (!tt_elements(constant, value, type, "this constant", &bytes)) return;
  int *flags = tt_arena_alloc(arena, (bytes.n + 1) * sizeof *flags);
  for (size_t i = 0; i < bytes.n; ++i) flags[i] = bytes.data[i] != 0;
  mlirOperationSetInherentAttributeByName(
      constant, tt_str(name), mlirDenseElementsAttrBoolGet(type, (intptr_t)bytes.n, flags));
}

static void write_all_flags(TtArena *arena, MlirOperation func) {
  static const char *const constants[] = {"tosa.const", "arith.constant"};
  for (int k = 0; k < 2; ++k) {
    TtOps ops = tt_collect(arena, func, constants[k]);
    for (intptr_t i = 0; i < ops.n; ++i) write_flags(arena, ops.data[i]);
  }
}

static bool decompose(TtArena *arena, MlirOperation func) {
  write_all_flags(arena, func);
  tt_repeat_pixels(arena, func);
  tt_blend_pixels(arena, func);
  tt_decompose_shapes(arena, func);
  if (!tt_split_steps(arena, func)) return false;
  if (!has_any(arena, func)) return start_all(arena, func);
  MlirModule schedule = mlirModuleCreateParse(mlirOperationGetContext(func), tt_str(schedule_text));
  MlirTransformOptions options = mlirTransformOptionsCreate();
  MlirOperation holder = mlirModuleGetOperation(schedule),
                sequence = mlirBlockGetFirstOperation(mlirModuleGetBody(schedule));
  bool ok =
      mlirLogicalResultIsSuccess(mlirTransformApplyNamedSequence(func, sequence, holder, options));
  mlirTransformOptionsDestroy(options);
  mlirModuleDestroy(schedule);
  return ok && start_all(arena, func);
}

bool tt_run_decompose_ops(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, decompose);
}
