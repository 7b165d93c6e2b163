/*===- keep_arguments.c - --tt-keep-arguments ------------------------------------------------===
 *
 * Says that what a model is given stays as it is, so that bufferization copies what is updated
 * before it updates it; and what a loop carries is put where it was, from step to step.
 *
 *   before  func.func @f(%cache: tensor<64x32xf32>) attributes {tt.model} …
 *             scf.for … iter_args(%h = …) { … scf.yield %new }
 *   after   func.func @f(%cache: tensor<64x32xf32> {bufferization.writable = false}) …
 *             scf.for … iter_args(%h = …) {
 *               … %0 = bufferization.materialize_in_destination %new in %h   scf.yield %0 }
 *
 * What is an update of the tensor already (tensor.insert_slice) stays as it is.
 *
 * Refuses two results that are one tensor, of which --tt-copy-results leaves none.
 *
 * Requires nothing. Bufferization takes the attribute away.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/model.h"

/* The tensor that `value` is an update of, one op before; null where there is none. */
static MlirValue updated(MlirValue value) {
  MlirValue none = {NULL};
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return none;
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op),
           at = mlirOpResultGetResultNumber(value);
  if (tt_op_is(op, "tensor.insert_slice") || tt_op_is(op, "tensor.insert"))
    return mlirOperationGetOperand(op, 1);
  if (tt_op_is(op, "tensor.cast") || tt_op_is(op, "tensor.expand_shape") ||
      tt_op_is(op, "tensor.collapse_shape"))
    return mlirOperationGetOperand(op, 0);
  bool own = tt_is_linalg(op) || tt_op_is(op, "scf.forall") || tt_op_is(op, "scf.for");
  return own && operands >= results ? mlirOperationGetOperand(op, operands - results + at) : none;
}

/* Whether `value` is what it was, or an update of it. */
static bool is_update_of(MlirValue value, MlirValue before) {
  while (!tt_is_null_value(value) && !tt_value_eq(value, before)) value = updated(value);
  return !tt_is_null_value(value);
}

static void keep_carried(MlirOperation loop) {
  MlirBlock body = tt_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i), before = mlirBlockGetArgument(body, i + 1);
    if (!mlirTypeIsATensor(mlirValueGetType(value)) || is_update_of(value, before)) continue;
    TtBuilder b = tt_builder_before(yield);
    TtOpState s =
        tt_op_state("bufferization.materialize_in_destination", mlirOperationGetLocation(yield));
    tt_op_state_operand(&s, value);
    tt_op_state_operand(&s, before);
    tt_op_state_result(&s, mlirValueGetType(value));
    MlirOperation put = tt_builder_insert(&b, tt_op_state_finish(&s));
    mlirOperationSetOperand(yield, i, mlirOperationGetResult(put, 0));
  }
}

/* Upstream's way to results as arguments takes each for a tensor of its own. */
static bool check_results(MlirOperation func) {
  MlirOperation end = mlirBlockGetTerminator(tt_body(func));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    for (intptr_t j = 0; j < i; ++j)
      if (tt_value_eq(mlirOperationGetOperand(end, i), mlirOperationGetOperand(end, j)))
        return tt_error(end, "results %jd and %jd are the same tensor; leave one out", (intmax_t)j,
                        (intmax_t)i);
  return true;
}

static bool keep_arguments(TtArena *arena, MlirOperation func) {
  if (!check_results(func)) return false;
  mlirContextGetOrLoadDialect(mlirOperationGetContext(func), tt_str("bufferization"));
  TtOps loops = tt_collect(arena, func, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i)
    if (tt_op_eq(tt_parent(loops.data[i]), func) || tt_op_is(tt_parent(loops.data[i]), "scf.for"))
      keep_carried(loops.data[i]);
  for (intptr_t i = 0; i < tt_num_args(func); ++i)
    if (mlirTypeIsATensor(mlirValueGetType(tt_arg(func, i))))
      tt_set_arg_attr(func, i, "bufferization.writable",
                      mlirBoolAttrGet(mlirOperationGetContext(func), false));
  return true;
}

bool tt_run_keep_arguments(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, keep_arguments);
}
