/*===- while_loops.c - counted loops that are written as scf.while
 * -------------------------------===
 *
 *   %e = scf.while (%i = %a) { condition (%i < %n) } do { … yield %i + 2 }
 * = scf.for %i = %a to %n step 2 { … }
 *
 * What else the loop carries, the other one carries, too. Loops that end otherwise stay.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/while_loops.h"

#include "Dialect/shapes.h"

/* arith::CmpIPredicate */
enum { NE = 1, SLT = 2, SLE = 3, SGT = 4, SGE = 5, ULT = 6, ULE = 7, UGT = 8, UGE = 9 };

typedef struct While {
  MlirOperation op;
  MlirBlock before, after;
  intptr_t n, counter; /* what it carries, and which of that counts */
  MlirValue bound;
  bool last; /* the bound is counted, too */
  int64_t step;
} While;

static bool is_inside(MlirOperation op, MlirValue value) {
  MlirOperation at = mlirValueIsABlockArgument(value)
                         ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                         : tt_parent(tt_defining_op(value));
  for (; !mlirOperationIsNull(at); at = tt_parent(at))
    if (tt_op_eq(at, op)) return true;
  return false;
}

/* Which argument of `block` a value is, or -1. */
static intptr_t argument_of(MlirBlock block, MlirValue value) {
  return mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), block)
             ? mlirBlockArgumentGetArgNumber(value)
             : -1;
}

/* The comparison that goes on while a counter is below a bound. */
static bool read_condition(While *w) {
  MlirOperation end = mlirBlockGetTerminator(w->before),
                compare = tt_defining_op(mlirOperationGetOperand(end, 0));
  if (!tt_op_is(end, "scf.condition") || !tt_op_is(compare, "arith.cmpi") ||
      mlirOperationGetNumOperands(end) != w->n + 1)
    return false;
  for (intptr_t i = 0; i < w->n; ++i)
    if (argument_of(w->before, mlirOperationGetOperand(end, i + 1)) != i) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(w->before), next; !tt_op_eq(op, end);
       op = next) {
    next = tt_next(op);
    if (tt_op_is(op, "arith.constant")) mlirOperationMoveBefore(op, w->op);
    else if (!tt_op_eq(op, compare)) return false;
  }
  int64_t predicate = tt_int(tt_op_attr(compare, "predicate"));
  MlirValue x = mlirOperationGetOperand(compare, 0), y = mlirOperationGetOperand(compare, 1);
  if (predicate == SGT || predicate == SGE || predicate == UGT || predicate == UGE) {
    MlirValue other = x;
    x = y, y = other, predicate -= 2;
  }
  w->counter = argument_of(w->before, x), w->bound = y;
  w->last = predicate == SLE || predicate == ULE;
  bool below = predicate == SLT || predicate == ULT || w->last;
  return below && w->counter >= 0 && !is_inside(w->op, y);
}

/* What the counter goes on by, in the end of each step. */
static bool read_step(While *w) {
  MlirOperation yield = mlirBlockGetTerminator(w->after);
  if (mlirOperationGetNumOperands(yield) != w->n) return false;
  MlirOperation sum = tt_defining_op(mlirOperationGetOperand(yield, w->counter));
  if (!tt_op_is(sum, "arith.addi")) return false;
  for (intptr_t i = 0; i < 2; ++i)
    if (argument_of(w->after, mlirOperationGetOperand(sum, i)) == w->counter)
      return tt_constant(mlirOperationGetOperand(sum, 1 - i), &w->step) && w->step > 0;
  return false;
}

static void make_for(const While *w) {
  MlirLocation loc = mlirOperationGetLocation(w->op), locs[TT_MAX_RANK + 1];
  TtBuilder b = tt_builder_before(w->op);
  MlirType index = mlirIndexTypeGet(b.context), types[TT_MAX_RANK + 1];
  MlirValue first = tt_cast(&b, loc, "arith.index_cast", mlirOperationGetOperand(w->op, w->counter),
                            index),
            end = tt_cast(&b, loc, "arith.index_cast", w->bound, index);
  if (w->last) end = tt_add(&b, loc, end, tt_index(&b, loc, 1));
  TtOpState s = tt_op_state("scf.for", loc), y = tt_op_state("scf.yield", loc);
  tt_op_state_operand(&s, first);
  tt_op_state_operand(&s, end);
  tt_op_state_operand(&s, tt_index(&b, loc, w->step));
  MlirOperation old = mlirBlockGetTerminator(w->after);
  intptr_t kept = 0;
  types[0] = index, locs[0] = loc;
  for (intptr_t i = 0; i < w->n; ++i) {
    if (i == w->counter) continue;
    tt_op_state_operand(&s, mlirOperationGetOperand(w->op, i));
    tt_op_state_result(&s, types[++kept] = mlirValueGetType(mlirOperationGetResult(w->op, i)));
    locs[kept] = loc;
  }
  MlirBlock body = mlirBlockCreate(kept + 1, types, locs);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtBuilder in = {b.context, body, {NULL}};
  MlirValue count = tt_cast(&in, loc, "arith.index_cast", mlirBlockGetArgument(body, 0),
                            mlirValueGetType(mlirBlockGetArgument(w->after, w->counter)));
  for (intptr_t i = 0, at = 0; i < w->n; ++i) {
    MlirValue arg = mlirBlockGetArgument(w->after, i);
    mlirValueReplaceAllUsesOfWith(arg, i == w->counter ? count : mlirBlockGetArgument(body, ++at));
    if (i != w->counter) tt_op_state_operand(&y, mlirOperationGetOperand(old, i));
  }
  MlirOperation yield = tt_builder_insert(&in, tt_op_state_finish(&y));
  for (MlirOperation op = mlirBlockGetFirstOperation(w->after), next; !tt_op_eq(op, old);
       op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, yield);
  }
  MlirOperation made = tt_builder_insert(&b, tt_op_state_finish(&s));
  for (intptr_t i = 0, at = 0; i < w->n; ++i)
    if (i != w->counter)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(w->op, i),
                                    mlirOperationGetResult(made, at++));
  mlirOperationDestroy(w->op);
}

void tt_count_while_loops(TtArena *arena, MlirOperation kernel) {
  TtOps loops = tt_collect(arena, kernel, "scf.while");
  for (intptr_t i = loops.n; i-- > 0;) { /* those inside come first */
    While w = {.op = loops.data[i], .n = mlirOperationGetNumResults(loops.data[i])};
    w.before = mlirRegionGetFirstBlock(mlirOperationGetRegion(w.op, 0));
    w.after = mlirRegionGetFirstBlock(mlirOperationGetRegion(w.op, 1));
    if (w.n == 0 || w.n > TT_MAX_RANK || w.n != mlirOperationGetNumOperands(w.op)) continue;
    if (!read_condition(&w) || !read_step(&w) ||
        tt_has_uses(mlirOperationGetResult(w.op, w.counter)))
      continue;
    make_for(&w);
  }
}
