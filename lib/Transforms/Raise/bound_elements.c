/*===- bound_elements.c - loops over elements that end where what they guard ends ---------------===
 *
 *   for %k = 0 to 32 {                                     for %k = 0 to min(32, 80 - %k0) {
 *     %in = cmpi ult, %k0 + %k, %c80                   =     %a = load %A[%i, %k0 + %k]
 *     %a = if %in { load %A[%i, %k0 + %k] } else { 0 }       …
 *     store load %C[%i, %j] + %a * …, %C[%i, %j]             store … } }
 *
 * Where the condition does not hold, all stores of the loop leave what is there: they add zero,
 * take the larger of it and minus infinity, or stand in the branch themselves; and what the loop
 * carries goes on as it is.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"
#include "Analysis/made_of.h"

#include "mlir-c/Dialect/Linalg.h"

#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 32 };

static bool is_and(const void *none, MlirOperation op) {
  (void)none;
  return tt_op_is(op, "arith.andi");
}

/* Whether `condition` is `c`, or `c` and something else. */
static bool demands(TtArena *arena, MlirValue condition, MlirValue c) {
  TtValues all = tt_made_of(arena, condition, is_and, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_value_eq(all.data[i], c)) return true;
  return false;
}

static bool is_number(MlirOperation op, double number) {
  MlirAttribute value = tt_op_attr(op, "value");
  if (!tt_op_is(op, "arith.constant")) return false;
  if (mlirAttributeIsAFloat(value)) return mlirFloatAttrGetValueDouble(value) == number;
  return number == 0 && mlirAttributeIsAInteger(value) && mlirIntegerAttrGetValueInt(value) == 0;
}

static MlirValue yielded(MlirOperation branch, intptr_t region, intptr_t i) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, region));
  return mlirOperationGetOperand(mlirBlockGetTerminator(block), i);
}

/* A number that a store is to leave as it is where a condition does not hold. */
typedef struct Idle {
  TtArena *arena;
  MlirValue c;
  double number;
  TtValueMap known; /* 1 for values that are this number then, else 0 */
} Idle;

static bool is_then(Idle *idle, MlirValue value);

static bool is_then_by(Idle *idle, MlirOperation op, MlirValue value) {
  if (is_number(op, idle->number)) return true;
  if (tt_op_is(op, "scf.if")) {
    intptr_t i = mlirOpResultGetResultNumber(value);
    return is_then(idle, yielded(op, 1, i)) &&
           (demands(idle->arena, mlirOperationGetOperand(op, 0), idle->c) ||
            is_then(idle, yielded(op, 0, i)));
  }
  if (tt_op_is(op, "arith.select"))
    return is_then(idle, mlirOperationGetOperand(op, 2)) &&
           (demands(idle->arena, mlirOperationGetOperand(op, 0), idle->c) ||
            is_then(idle, mlirOperationGetOperand(op, 1)));
  if (tt_op_is(op, "arith.extf") || tt_op_is(op, "arith.truncf") || tt_op_is(op, "arith.sitofp") ||
      tt_op_is(op, "arith.extsi"))
    return is_then(idle, mlirOperationGetOperand(op, 0));
  bool product = tt_op_is(op, "arith.mulf") || tt_op_is(op, "arith.muli");
  return product && idle->number == 0 &&
         (is_then(idle, mlirOperationGetOperand(op, 0)) ||
          is_then(idle, mlirOperationGetOperand(op, 1)));
}

/* Whether `value` is the number where the condition does not hold. */
static bool is_then(Idle *idle, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return false;
  int known = tt_value_map_get(&idle->known, value);
  if (known < 0) {
    known = is_then_by(idle, op, value);
    tt_value_map_set(idle->arena, &idle->known, value, known);
  }
  return known;
}

/* What an op that folds numbers leaves as it is: the op, and the number that does so. */
static const struct {
  const char *op;
  double neutral;
} folds[] = {{"arith.addf", 0},
             {"arith.addi", 0},
             {"arith.maximumf", -INFINITY},
             {"arith.maxnumf", -INFINITY},
             {"arith.minimumf", INFINITY},
             {"arith.minnumf", INFINITY}};

/* Whether `value`, which a loop carries on in the place of `arg`, is that where `c` does not hold.
 */
static bool stays(TtArena *arena, MlirValue value, MlirValue arg, MlirValue c, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (tt_value_eq(value, arg)) return true;
  if (mlirOperationIsNull(op) || depth == 0) return false;
  bool branch = tt_op_is(op, "scf.if");
  if (branch || tt_op_is(op, "arith.select")) {
    intptr_t i = branch ? mlirOpResultGetResultNumber(value) : 0;
    MlirValue other = branch ? yielded(op, 1, i) : mlirOperationGetOperand(op, 2),
              taken = branch ? yielded(op, 0, i) : mlirOperationGetOperand(op, 1);
    return stays(arena, other, arg, c, depth - 1) &&
           (demands(arena, mlirOperationGetOperand(op, 0), c) ||
            stays(arena, taken, arg, c, depth - 1));
  }
  for (size_t f = 0; f < sizeof folds / sizeof *folds; ++f)
    for (intptr_t i = 0; i < 2 && tt_op_is(op, folds[f].op); ++i) {
      Idle idle = {.arena = arena, .c = c, .number = folds[f].neutral};
      if (tt_value_eq(mlirOperationGetOperand(op, i), arg) &&
          is_then(&idle, mlirOperationGetOperand(op, 1 - i)))
        return true;
    }
  return false;
}

/* Whether all that `loop` carries stays as it is in steps where `c` does not hold. */
static bool carries_on(TtArena *arena, MlirOperation loop, MlirValue c) {
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    if (!stays(arena, mlirOperationGetOperand(yield, i), mlirBlockGetArgument(body, i + 1), c,
               MAX_DEPTH))
      return false;
  return true;
}

/* Whether a store leaves what is there where `c` does not hold. */
static bool is_idle(TtArena *arena, MlirOperation store, MlirOperation loop, MlirValue c) {
  for (MlirOperation p = tt_parent(store); !tt_op_eq(p, loop); p = tt_parent(p))
    if (tt_op_is(p, "scf.if") && demands(arena, mlirOperationGetOperand(p, 0), c)) {
      MlirBlock then = mlirRegionGetFirstBlock(mlirOperationGetRegion(p, 0));
      return !mlirOperationIsNull(tt_ancestor_in(then, store));
    }
  MlirOperation fold = tt_defining_op(mlirOperationGetOperand(store, 0));
  for (size_t f = 0; f < sizeof folds / sizeof *folds; ++f)
    for (intptr_t i = 0; i < 2 && tt_op_is(fold, folds[f].op); ++i) {
      MlirOperation old = tt_defining_op(mlirOperationGetOperand(fold, i));
      bool same = tt_op_is(old, "memref.load") &&
                  mlirOperationGetNumOperands(old) + 1 == mlirOperationGetNumOperands(store);
      for (intptr_t d = 0; same && d < mlirOperationGetNumOperands(old); ++d) {
        MlirValue a = mlirOperationGetOperand(old, d), b = mlirOperationGetOperand(store, d + 1);
        same = tt_value_eq(a, b) || (d > 0 && tt_same_index(arena, a, b));
      }
      Idle idle = {.arena = arena, .c = c, .number = folds[f].neutral};
      if (same && is_then(&idle, mlirOperationGetOperand(fold, 1 - i))) return true;
    }
  return false;
}

/*===- Shorter loops -------------------------------------------------------------------------===*/

static bool is_arithmetic(MlirOperation op) {
  return strncmp(tt_op_name(op).data, "arith.", 6) == 0 || tt_op_is(op, "affine.apply");
}

/* Index `value` in the first step of `loop`, from 0 on, before `top`; null where something else in
 * that is in it. */
static MlirValue at_start(TtBuilder *b, MlirOperation top, MlirOperation loop, MlirValue value,
                          int depth) {
  MlirOperation op = tt_defining_op(value);
  if (tt_value_eq(value, tt_for_iv(loop))) return tt_index(b, mlirOperationGetLocation(loop), 0);
  if (!tt_is_defined_in(top, value)) return value;
  if (mlirOperationIsNull(op) || depth == 0 || !is_arithmetic(op)) return (MlirValue){NULL};
  MlirOperation same = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue start = at_start(b, top, loop, mlirOperationGetOperand(op, i), depth - 1);
    if (tt_is_null_value(start)) return mlirOperationDestroy(same), start;
    mlirOperationSetOperand(same, i, start);
  }
  return mlirOperationGetResult(tt_builder_insert(b, same), mlirOpResultGetResultNumber(value));
}

/* min(all, end - start), as affine.min where it is no constant. */
static MlirValue shorter(TtBuilder *b, MlirLocation loc, int64_t all, MlirValue end,
                         MlirValue start) {
  int64_t constant, from;
  bool known = tt_constant(end, &constant);
  if (known && tt_constant(start, &from) && from >= 0 && constant > from)
    return tt_index(b, loc, constant - from < all ? constant - from : all);
  MlirAffineExpr at = mlirAffineDimExprGet(b->context, 0),
                 minus = mlirAffineMulExprGet(at, mlirAffineConstantExprGet(b->context, -1)),
                 to = known ? mlirAffineConstantExprGet(b->context, constant)
                            : mlirAffineDimExprGet(b->context, 1);
  MlirAffineExpr terms[2] = {mlirAffineConstantExprGet(b->context, all),
                             mlirAffineAddExprGet(minus, to)};
  TtOpState s = tt_op_state("affine.min", loc);
  tt_op_state_attr(&s, b->context, "map",
                   mlirAffineMapAttrGet(mlirAffineMapGet(b->context, known ? 1 : 2, 0, 2, terms)));
  tt_op_state_operand(&s, start);
  if (!known) tt_op_state_operand(&s, end);
  tt_op_state_result(&s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Ends `loop`, in `top`, where comparison `compare` ends to hold, and makes that true. */
static bool bound_by(TtArena *arena, MlirOperation top, MlirOperation loop, MlirOperation compare) {
  enum { SLT = 2, ULT = 6 };
  int64_t predicate = tt_int(tt_op_attr(compare, "predicate")), lower, upper, factor;
  MlirValue a = mlirOperationGetOperand(compare, 0), b = mlirOperationGetOperand(compare, 1),
            c = mlirOperationGetResult(compare, 0);
  if ((predicate != SLT && predicate != ULT) || !mlirTypeIsAIndex(mlirValueGetType(a)) ||
      tt_is_defined_in(top, b) || !tt_index_factor(arena, a, tt_for_iv(loop), &factor) ||
      factor != 1 || !tt_constant(mlirOperationGetOperand(loop, 0), &lower) || lower != 0 ||
      !tt_constant(mlirOperationGetOperand(loop, 1), &upper))
    return false;
  TtOps stores = tt_collect(arena, loop, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i)
    if (!is_idle(arena, stores.data[i], loop, c)) return false;
  if (!carries_on(arena, loop, c)) return false;
  TtBuilder before = tt_builder_before(top);
  MlirLocation loc = mlirOperationGetLocation(compare);
  MlirValue start = at_start(&before, top, loop, a, MAX_DEPTH);
  if (stores.n == 0 || tt_is_null_value(start)) return false;
  mlirOperationSetOperand(loop, 1, shorter(&before, loc, upper, b, start));
  TtOpState s = tt_op_state("arith.constant", loc);
  tt_op_state_attr(&s, before.context, "value", mlirBoolAttrGet(before.context, 1));
  tt_op_state_result(&s, mlirIntegerTypeGet(before.context, 1));
  tt_replace(compare,
             mlirOperationGetResult(tt_builder_insert(&before, tt_op_state_finish(&s)), 0));
  return true;
}

/*===- Conditions that hold ------------------------------------------------------------------===*/

static bool is_true(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return tt_op_is(op, "arith.constant") && mlirIntegerAttrGetValueInt(tt_op_attr(op, "value")) != 0;
}

static void take_branch(MlirOperation branch) {
  MlirBlock then = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 0));
  MlirOperation end = mlirBlockGetTerminator(then);
  for (MlirOperation op = mlirBlockGetFirstOperation(then), next; !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, branch);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, i),
                                  mlirOperationGetOperand(end, i));
  mlirOperationDestroy(branch);
}

static void fold_true(TtArena *arena, MlirOperation top) {
  TtOps ops = tt_collect(arena, top, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; j < 2 && tt_op_is(ops.data[i], "arith.andi"); ++j)
      if (is_true(mlirOperationGetOperand(ops.data[i], j))) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(ops.data[i], 0),
                                      mlirOperationGetOperand(ops.data[i], 1 - j));
        break;
      }
  TtOps branches = tt_collect(arena, top, "scf.if");
  for (intptr_t i = branches.n; i-- > 0;)
    if (is_true(mlirOperationGetOperand(branches.data[i], 0))) take_branch(branches.data[i]);
}

void tt_bound_elements(TtArena *arena, MlirOperation top) {
  bool any = false;
  TtOps loops = tt_collect(arena, top, "scf.for");
  tt_ops_add(arena, &loops, top);
  for (intptr_t i = 0; i < loops.n; ++i) {
    TtOps compares = tt_collect(arena, loops.data[i], "arith.cmpi");
    for (intptr_t j = 0; j < compares.n; ++j)
      if (bound_by(arena, top, loops.data[i], compares.data[j])) {
        any = true;
        break;
      }
  }
  if (any) fold_true(arena, top);
}
