/*===- while_loops.c - counted loops that are written as scf.while ------------------------------===
 *
 *   %e = scf.while (%i = %a) { condition (%i < %n) } do { … yield %i + 2 }
 * = scf.for %i = %a to %n step 2 { … }
 *
 *   scf.while (%s = 1) { condition (%s < 8) } do { … yield %s * 2 }
 * = scf.for %p = 0 to 3 { %s = %p == 0 ? 1 : %p == 1 ? 2 : 4 … }
 *
 * What else the loop carries, the other one carries, too. Loops that end otherwise stay.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/while_loops.h"

#include "Dialect/shapes.h"
#include "Transforms/Raise/index_table.h"

#include <string.h>

/* arith::CmpIPredicate */
enum { NE = 1, SLT = 2, SLE = 3, SGT = 4, SGE = 5, ULT = 6, ULE = 7, UGT = 8, UGE = 9 };

enum { MOST_VALUES = 16, LARGEST = 1 << 12 };

typedef struct While {
  MlirOperation op;
  MlirBlock before, after;
  intptr_t n, counter; /* what it carries, and which of that counts */
  MlirValue bound;
  bool last; /* the bound is counted, too */
  int64_t step;
  int64_t values[MOST_VALUES]; /* of the counter, where it has few that are known: a step each */
  int64_t steps, end;          /* 0 steps: it goes on by `step` */
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

/*===- Few values ----------------------------------------------------------------------------===*/

/* Whether the block before each step only computes whether there is one, of numbers. */
static bool only_decides(const While *w) {
  MlirOperation end = mlirBlockGetTerminator(w->before);
  if (!tt_op_is(end, "scf.condition") || mlirOperationGetNumOperands(end) != w->n + 1) return false;
  for (intptr_t i = 0; i < w->n; ++i)
    if (argument_of(w->before, mlirOperationGetOperand(end, i + 1)) != i) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(w->before); !tt_op_eq(op, end);
       op = tt_next(op)) {
    MlirStringRef name = tt_op_name(op);
    if (name.length < 6 || memcmp(name.data, "arith.", 6) != 0) return false;
  }
  return true;
}

/* The values of counter `c`, which starts at a constant, as where it doubles, in w->values. */
static bool read_values(TtArena *arena, While *w, intptr_t c) {
  int64_t value, *goes = tt_arena_alloc(arena, LARGEST * sizeof *goes),
                 *next = tt_arena_alloc(arena, LARGEST * sizeof *next);
  MlirOperation yield = mlirBlockGetTerminator(w->after);
  if (!only_decides(w) || mlirOperationGetNumOperands(yield) != w->n ||
      !tt_constant(mlirOperationGetOperand(w->op, c), &value) ||
      mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetOperand(w->op, c))) ||
      !tt_tabulate(mlirOperationGetOperand(mlirBlockGetTerminator(w->before), 0),
                   mlirBlockGetArgument(w->before, c), LARGEST, goes) ||
      !tt_tabulate(mlirOperationGetOperand(yield, c), mlirBlockGetArgument(w->after, c), LARGEST,
                   next))
    return false;
  for (w->steps = 0; value >= 0 && value < LARGEST && goes[value]; value = next[value]) {
    if (w->steps == MOST_VALUES) return w->steps = 0, false;
    w->values[w->steps++] = value;
  }
  bool known = value >= 0 && value < LARGEST && w->steps > 0;
  w->counter = c, w->end = value;
  return known || (w->steps = 0, false);
}

static MlirValue number(TtBuilder *b, MlirLocation loc, MlirType type, int64_t n) {
  TtOpState s = tt_op_state("arith.constant", loc);
  tt_op_state_attr(&s, b->context, "value", mlirIntegerAttrGet(type, n));
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* The counter's value in step %p. */
static MlirValue value_at(const While *w, TtBuilder *b, MlirLocation loc, MlirValue p,
                          MlirType type) {
  MlirValue value = number(b, loc, type, w->values[w->steps - 1]);
  for (int64_t i = w->steps - 1; i-- > 0;) {
    TtOpState compare = tt_op_state("arith.cmpi", loc), choice = tt_op_state("arith.select", loc);
    tt_op_state_operand(&compare, p);
    tt_op_state_operand(&compare, tt_index(b, loc, i));
    tt_op_state_attr(&compare, b->context, "predicate", tt_i64_attr(b->context, 0)); /* eq */
    tt_op_state_result(&compare, mlirIntegerTypeGet(b->context, 1));
    tt_op_state_operand(
        &choice, mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&compare)), 0));
    tt_op_state_operand(&choice, number(b, loc, type, w->values[i]));
    tt_op_state_operand(&choice, value);
    tt_op_state_result(&choice, type);
    value = mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&choice)), 0);
  }
  return value;
}

/*===- Loops ---------------------------------------------------------------------------------===*/

static void make_for(const While *w) {
  MlirLocation loc = mlirOperationGetLocation(w->op), locs[TT_MAX_RANK + 1];
  TtBuilder b = tt_builder_before(w->op);
  MlirType index = mlirIndexTypeGet(b.context), types[TT_MAX_RANK + 1];
  MlirValue first, end;
  if (w->steps > 0) {
    first = tt_index(&b, loc, 0), end = tt_index(&b, loc, w->steps);
    MlirValue result = mlirOperationGetResult(w->op, w->counter);
    mlirValueReplaceAllUsesOfWith(result, number(&b, loc, mlirValueGetType(result), w->end));
  } else {
    first = tt_cast(&b, loc, "arith.index_cast", mlirOperationGetOperand(w->op, w->counter), index);
    end = tt_cast(&b, loc, "arith.index_cast", w->bound, index);
  }
  if (w->last) end = tt_add(&b, loc, end, tt_index(&b, loc, 1));
  TtOpState s = tt_op_state("scf.for", loc), y = tt_op_state("scf.yield", loc);
  tt_op_state_operand(&s, first);
  tt_op_state_operand(&s, end);
  tt_op_state_operand(&s, tt_index(&b, loc, w->steps > 0 ? 1 : w->step));
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
  MlirType type = mlirValueGetType(mlirBlockGetArgument(w->after, w->counter));
  MlirValue p = mlirBlockGetArgument(body, 0),
            count = w->steps > 0 ? value_at(w, &in, loc, p, type)
                                 : tt_cast(&in, loc, "arith.index_cast", p, type);
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
    bool counts = read_condition(&w) && read_step(&w) &&
                  !tt_has_uses(mlirOperationGetResult(w.op, w.counter));
    if (!counts) w.last = false;
    for (intptr_t c = 0; !counts && c < w.n; ++c) counts = read_values(arena, &w, c);
    if (counts) make_for(&w);
  }
}
