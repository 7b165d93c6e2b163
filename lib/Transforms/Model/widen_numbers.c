/*===- widen_numbers.c - --tt-widen-numbers --------------------------------------------------===
 *
 * What gives a single number gives a tensor of one element, with a loop of one step over it: a
 * kernel's work is blocks of its result, and of a number there are none.
 *
 *   before  %n = linalg.generic {(i) -> (i), (i) -> ()} ["reduction"] ins(%x) … -> tensor<f32>
 *           %r = linalg.generic {(i) -> (i), (i) -> ()…} ins(%x, %n) …
 *   after   %n = linalg.generic {(i, u) -> (i), (i, u) -> (u)} ["reduction", "parallel"] ins(%x) …
 *                -> tensor<1xf32>
 *           %r = linalg.generic {(i) -> (i), (i) -> (0)…} ins(%x, %n) …
 *
 * Requires --tt-name-contractions, and dimensions of one element dropped.
 *
 *===----------------------------------------------------------------------===*/

#include "Passes/passes_decl.h"
#include "Transforms/Model/slice.h"

#include "mlir-c/AffineExpr.h"

static bool is_number(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) == 0;
}

/* tensor<1x…> for tensor<…> */
static MlirType widened(MlirValue number) {
  int64_t one = 1;
  return mlirRankedTensorTypeGet(1, &one, mlirShapedTypeGetElementType(mlirValueGetType(number)),
                                 mlirAttributeGetNull());
}

/* `map` over one more loop, the last, which its result is where it has none and `is_output`. */
static MlirAffineMap add_loop(MlirAffineMap map, bool is_output) {
  MlirContext context = mlirAffineMapGetContext(map);
  intptr_t loops = mlirAffineMapGetNumDims(map), rank = mlirAffineMapGetNumResults(map);
  MlirAffineExpr results[2 * TT_SLICE_RANK];
  for (intptr_t r = 0; r < rank; ++r) results[r] = mlirAffineMapGetResult(map, r);
  if (is_output) results[rank++] = mlirAffineDimExprGet(context, loops);
  return mlirAffineMapGet(context, loops + 1, 0, rank, results);
}

static void add_parallel_loop(TtArena *arena, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute old = tt_op_attr(op, "iterator_types");
  intptr_t n = mlirArrayAttrGetNumElements(old);
  MlirAttribute *kinds = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *kinds);
  for (intptr_t d = 0; d < n; ++d) kinds[d] = mlirArrayAttrGetElement(old, d);
  kinds[n] = mlirAttributeParseGet(context, tt_str("#linalg.iterator_type<parallel>"));
  mlirOperationSetInherentAttributeByName(op, tt_str("iterator_types"),
                                          mlirArrayAttrGet(context, n + 1, kinds));
}

/* Reads element 0 of what was a number. */
static void read_first(MlirOperation user, intptr_t operand, MlirValue number) {
  MlirContext context = mlirOperationGetContext(user);
  MlirAffineExpr zero = mlirAffineConstantExprGet(context, 0);
  intptr_t loops = mlirAffineMapGetNumDims(tt_indexing_map(user, operand));
  tt_set_indexing_map(user, operand, mlirAffineMapGet(context, loops, 0, 1, &zero));
  mlirOperationSetOperand(user, operand, number);
}

/* The same output with one element; what is neither empty nor filled is reshaped. */
static MlirValue widen_output(TtBuilder *b, MlirLocation loc, MlirValue out) {
  MlirOperation from = tt_defining_op(out);
  if (tt_op_is(from, "tensor.empty")) return tt_empty(b, loc, widened(out));
  if (!tt_op_is(from, "linalg.fill"))
    return tt_reshape(b, loc, out, widened(out), mlirArrayAttrGet(b->context, 0, NULL), true, NULL);
  MlirValue empty = widen_output(b, loc, mlirOperationGetOperand(from, 1));
  MlirOperation fill = tt_builder_insert(b, mlirOperationClone(from));
  mlirOperationSetOperand(fill, 1, empty);
  mlirValueSetType(mlirOperationGetResult(fill, 0), widened(out));
  return mlirOperationGetResult(fill, 0);
}

static void widen(TtArena *arena, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  intptr_t inputs = tt_linalg_num_inputs(op), n = mlirOperationGetNumOperands(op);
  TtBuilder before = tt_builder_before(op), after = tt_builder_after(op);
  MlirContext context = before.context;
  MlirAttribute *maps = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *maps);
  for (intptr_t i = 0; i < n; ++i)
    maps[i] = mlirAffineMapAttrGet(add_loop(tt_indexing_map(op, i), i >= inputs));
  mlirOperationSetOperand(op, inputs,
                          widen_output(&before, loc, mlirOperationGetOperand(op, inputs)));
  mlirOperationSetInherentAttributeByName(op, tt_str("indexing_maps"),
                                          mlirArrayAttrGet(context, n, maps));
  add_parallel_loop(arena, op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType number = mlirValueGetType(result);
  mlirValueSetType(result, widened(result));
  for (MlirOpOperand use = mlirValueGetFirstUse(result), next; !mlirOpOperandIsNull(use);
       use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t operand = mlirOpOperandGetOperandNumber(use);
    if (tt_op_is(user, "linalg.generic") && operand < tt_linalg_num_inputs(user)) {
      read_first(user, operand, result);
    } else {
      mlirOperationSetOperand(
          user, operand,
          tt_reshape(&after, loc, result, number, mlirArrayAttrGet(context, 0, NULL), false, NULL));
    }
  }
}

static bool widen_all(TtArena *arena, MlirOperation func) {
  TtOps ops = tt_collect(arena, func, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (mlirOperationGetNumResults(ops.data[i]) == 1 &&
        is_number(mlirOperationGetResult(ops.data[i], 0)))
      widen(arena, ops.data[i]);
  tt_erase_dead(func);
  return true;
}

bool tt_run_widen_numbers(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_model(module, widen_all);
}
