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
 * What is an update of the tensor already (tensor.insert_slice) stays as it is. Where a step hands
 * what one tensor held to another, that is put there before the first one gets what is new; tensors
 * that change places go by a copy of one of them:
 *
 *   before  scf.yield %y, %x : …                                     (carried as %x, %y)
 *   after   %c = bufferization.alloc_tensor() copy(%y)
 *           %1 = bufferization.materialize_in_destination %x in %y
 *           %0 = bufferization.materialize_in_destination %c in %x   scf.yield %0, %1
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

/* What a loop carries on that is another tensor than before, to be put where that was. */
typedef struct Put {
  MlirValue value, before;
  intptr_t number;
  bool done;
} Put;

/* Whether `value` is what `before` holds, or a part of it. */
static bool holds(MlirValue value, MlirValue before) {
  while (!tt_is_null_value(value) && !tt_value_eq(value, before)) {
    MlirOperation op = tt_defining_op(value);
    value = tt_op_is(op, "tensor.extract_slice") ? mlirOperationGetOperand(op, 0) : updated(value);
  }
  return !tt_is_null_value(value);
}

/* Whether others that are still to be put somewhere are in the tensor where `p` goes. */
static bool is_needed(const Put *puts, intptr_t n, const Put *p) {
  for (intptr_t i = 0; i < n; ++i)
    if (&puts[i] != p && !puts[i].done && holds(puts[i].value, p->before)) return true;
  return false;
}

static void put(MlirOperation yield, Put *p) {
  TtBuilder b = tt_builder_before(yield);
  TtOpState s =
      tt_op_state("bufferization.materialize_in_destination", mlirOperationGetLocation(yield));
  tt_op_state_operand(&s, p->value);
  tt_op_state_operand(&s, p->before);
  tt_op_state_result(&s, mlirValueGetType(p->value));
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  mlirOperationSetOperand(yield, p->number, mlirOperationGetResult(made, 0));
  p->done = true;
}

static MlirValue copy_of(MlirOperation op, MlirValue value) {
  TtBuilder b = tt_builder_before(op);
  TtOpState s = tt_op_state("bufferization.alloc_tensor", mlirOperationGetLocation(op));
  tt_op_state_operand(&s, value);
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 3, (int32_t[]){0, 1, 0}));
  tt_op_state_result(&s, mlirValueGetType(value));
  return mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
}

/* Puts all where they go, those first that nobody waits for; where each waits for another, one is
 * copied. */
static void put_in_order(MlirOperation yield, Put *puts, intptr_t n) {
  for (intptr_t left = n; left > 0;) {
    Put *next = NULL, *first = NULL;
    for (intptr_t i = n; i-- > 0;) {
      if (puts[i].done) continue;
      first = &puts[i];
      if (!is_needed(puts, n, &puts[i])) next = &puts[i];
    }
    if (next) put(yield, next), --left;
    else first->value = copy_of(yield, first->value);
  }
}

/* What `value` held before the step, where it is a carried tensor that the step updates in its
 * place, and hands on as it was, too. */
static MlirValue as_it_was(MlirOperation yield, MlirValue value) {
  MlirBlock body = mlirOperationGetBlock(yield);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue next = mlirOperationGetOperand(yield, i);
    if (!tt_value_eq(value, mlirBlockGetArgument(body, i + 1)) || tt_value_eq(next, value))
      continue;
    if (is_update_of(next, value)) return copy_of(mlirBlockGetFirstOperation(body), value);
  }
  return value;
}

static void keep_carried(TtArena *arena, MlirOperation loop) {
  MlirBlock body = tt_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t n = 0, carried = mlirOperationGetNumOperands(yield);
  Put *puts = tt_arena_alloc(arena, (size_t)(carried + 1) * sizeof *puts);
  for (intptr_t i = 0; i < carried; ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i), before = mlirBlockGetArgument(body, i + 1);
    if (mlirTypeIsATensor(mlirValueGetType(value)) && !is_update_of(value, before))
      puts[n++] = (Put){as_it_was(yield, value), before, i, false};
  }
  put_in_order(yield, puts, n);
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
      keep_carried(arena, loops.data[i]);
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
