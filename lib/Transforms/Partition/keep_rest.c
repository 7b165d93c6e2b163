/*===- keep_rest.c - tensors of which a kernel writes a part -----------------------------------===
 *
 *   scf.forall (%i) in (4) { memref.copy %x, %C[%i * 32, 0] [32, 32] }      C: memref<256x32xf32>
 *
 * = tt.keeps = ["C"]: what the host brings of C stays where no cell writes
 *
 * The elements that all steps write are counted, however they lie: where they are fewer than the
 * tensor has, some of them keep their values; so they may where a table says which are written.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_expr.h"
#include "Analysis/touches.h"
#include "Transforms/Partition/partition.h"

/* How often an op runs at most; false where that is not known. */
static bool runs_of(MlirOperation op, MlirOperation func, const TtGrid *grid, int64_t *runs) {
  *runs = 1;
  for (MlirOperation p = tt_parent(op); !tt_op_eq(p, func); p = tt_parent(p)) {
    int64_t n = 1, lower, upper, step;
    if (tt_op_is(p, "scf.forall")) {
      if (tt_is_dynamic_grid(grid)) return false;
      n = grid->cells[0] * grid->cells[1] * grid->cells[2];
    } else if (tt_op_is(p, "scf.for")) {
      if (!tt_constant(mlirOperationGetOperand(p, 0), &lower) ||
          !tt_constant(mlirOperationGetOperand(p, 1), &upper) ||
          !tt_constant(mlirOperationGetOperand(p, 2), &step) || step < 1)
        return false;
      n = upper > lower ? (upper - lower + step - 1) / step : 0;
    } else if (!tt_op_is(p, "scf.if")) {
      return false;
    }
    if (__builtin_mul_overflow(*runs, n, runs)) return false;
  }
  return true;
}

/* Adds the elements that a write covers to `*sum`; false where they are not known. */
static bool add_elements(const TtTouch *t, MlirOperation func, const TtGrid *grid, int64_t *sum) {
  int64_t n;
  if (t->whole || !runs_of(t->op, func, grid, &n)) return false;
  for (intptr_t d = 0; d < t->rank; ++d)
    if (t->size[d] < 0 ||
        __builtin_mul_overflow(n, (t->size[d] + t->stride[d] - 1) / t->stride[d], &n))
      return false;
  return !__builtin_add_overflow(*sum, n, sum);
}

/* Whether integers of a tensor say what an op writes of `tensor`, or whether it does. */
static bool is_by_table(const TtTouch *t, MlirOperation func) {
  for (MlirOperation p = tt_parent(t->op); !tt_op_eq(p, func); p = tt_parent(p))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(p); ++i)
      if (tt_is_loaded(mlirOperationGetOperand(p, i))) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(t->op); ++i) {
    MlirValue view = mlirOperationGetOperand(t->op, i);
    if (!tt_value_eq(tt_view_root(view), t->tensor->value)) continue;
    for (MlirOperation op = tt_defining_op(view); !mlirOperationIsNull(op);
         op = tt_defining_op(mlirOperationGetOperand(op, 0)))
      for (intptr_t j = 1; j < mlirOperationGetNumOperands(op); ++j)
        if (tt_is_loaded(mlirOperationGetOperand(op, j))) return true;
  }
  return false;
}

static bool writes_all(const TtTouches *all, const TtArg *arg, MlirOperation func,
                       const TtGrid *grid) {
  int64_t sum = 0, elements = 1;
  if (!mlirShapedTypeHasStaticShape(arg->type)) return true;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(arg->type); ++d)
    elements *= mlirShapedTypeGetDimSize(arg->type, d);
  for (intptr_t i = 0; i < all->n; ++i) {
    const TtTouch *t = &all->data[i];
    bool mine = t->writes && tt_value_eq(t->tensor->value, arg->value);
    if (mine && is_by_table(t, func)) return false;
    bool again = false; /* a fill, and the sum that starts from it */
    for (intptr_t j = 0; j < i && !again; ++j) again = tt_same_box(&all->data[j], t);
    if (mine && !again && !add_elements(t, func, grid, &sum)) return true;
  }
  return sum >= elements;
}

void tt_keep_rest(TtArena *arena, MlirOperation func, const TtGrid *grid) {
  TtArgs args = tt_kernel_args(arena, func);
  TtTouches all = tt_touches(arena, func, args);
  const char **names = tt_arena_alloc(arena, (size_t)(args.n + 1) * sizeof *names);
  intptr_t n = 0;
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor && args.data[i].written &&
        !writes_all(&all, &args.data[i], func, grid))
      names[n++] = args.data[i].name;
  if (n > 0)
    tt_set_attr(func, "tt.keeps", tt_strings_attr(arena, mlirOperationGetContext(func), n, names));
}
