/*===- tensor_sums.c - ops that compute step by step in a tensor ------------------------------===
 *
 *   linalg.fill outs(%c)                       %s = memref.alloc
 *   scf.for %k { linalg.matmul … outs(%c) }  = linalg.fill outs(%s)
 *                                              scf.for %k { linalg.matmul … outs(%s) }
 *                                              memref.copy %s, %c
 *
 * where %c is a view of an argument, as bufferization leaves it. A view whose first op reads
 * what is there is copied to the buffer before.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/block.h"
#include "Transforms/Tile/lowering.h"

typedef struct Span {
  TtOps users; /* linalg ops and copies on the view, in program order */
  bool sums;   /* one of them reads what an output holds */
} Span;

static bool reads_old(MlirOperation op, intptr_t operand) {
  intptr_t inputs = tt_is_copy(op) ? 1 : tt_linalg_num_inputs(op);
  if (operand < inputs) return true;
  if (tt_is_copy(op) || tt_op_is(op, "linalg.fill")) return false;
  return tt_is_contraction(op) || tt_is_reduction(op) || tt_reads_output(op, operand - inputs);
}

static bool find_users(TtArena *arena, TtOps order, MlirValue view, Span *span) {
  *span = (Span){.sums = false};
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t i = (intptr_t)mlirOpOperandGetOperandNumber(use);
    if (!tt_is_linalg(op) && !tt_is_copy(op)) return false;
    intptr_t inputs = tt_is_copy(op) ? 1 : tt_linalg_num_inputs(op);
    span->sums |= i >= inputs && reads_old(op, i);
  }
  for (intptr_t i = 0; span->sums && i < order.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(order.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(order.data[i], j), view)) {
        tt_ops_add(arena, &span->users, order.data[i]);
        break;
      }
  return span->sums;
}

/* The innermost block that holds all users, itself or in loops. */
static MlirBlock common_block(const Span *span) {
  MlirOperation op = span->users.data[0];
  for (;;) {
    MlirBlock block = mlirOperationGetBlock(op);
    bool all = true;
    for (intptr_t i = 0; all && i < span->users.n; ++i)
      all = !mlirOperationIsNull(tt_ancestor_in(block, span->users.data[i]));
    if (all) return block;
    op = tt_parent(op);
  }
}

static bool starts_by_reading(const Span *span, MlirValue view) {
  MlirOperation op = span->users.data[0];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tt_value_eq(mlirOperationGetOperand(op, i), view) && reads_old(op, i)) return true;
  return false;
}

static bool buffer_view(TtArena *arena, TtOps order, MlirValue view) {
  Span span;
  MlirType cb, type = mlirValueGetType(view);
  if (!find_users(arena, order, view, &span)) return true;
  MlirBlock block = common_block(&span);
  MlirOperation user = span.users.data[0], first = tt_ancestor_in(block, user), last = first;
  MlirLocation loc = mlirOperationGetLocation(user);
  if (!tt_cb_type_of(user, type, mlirShapedTypeGetElementType(type), &cb)) return false;
  for (intptr_t i = 0; i < span.users.n; ++i) {
    MlirOperation at = tt_ancestor_in(block, span.users.data[i]);
    if (tt_is_before(last, at)) last = at;
  }
  TtBuilder before = tt_builder_before(first), after = tt_builder_after(last);
  MlirValue buffer = tt_block_buffer(&before, loc, type);
  if (starts_by_reading(&span, view)) {
    tt_linalg_copy(&before, loc, view, buffer);
    /* what is read is not written: the value goes on in a buffer of its own */
    MlirValue value = tt_block_buffer(&before, loc, type);
    tt_linalg_copy(&before, loc, buffer, value);
    buffer = value;
  }
  for (intptr_t i = 0; i < span.users.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(span.users.data[i]); ++j)
      if (tt_value_eq(mlirOperationGetOperand(span.users.data[i], j), view))
        mlirOperationSetOperand(span.users.data[i], j, buffer);
  tt_linalg_copy(&after, mlirOperationGetLocation(last), buffer, view);
  return true;
}

bool tt_buffer_tensor_sums(TtArena *arena, MlirOperation func, TtArgs args) {
  TtOps order = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < order.n; ++i) {
    MlirOperation op = order.data[i];
    for (intptr_t j = 0; tt_is_linalg(op) && j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue view = mlirOperationGetOperand(op, j);
      const TtArg *arg = tt_arg_of(args, view);
      if (arg && arg->is_tensor && !buffer_view(arena, order, view)) return false;
    }
  }
  return true;
}
