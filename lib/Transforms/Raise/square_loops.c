/*===- square_loops.c - loops whose bounds follow another loop ----------------------------------===
 *
 *   for %i = 0 to 64 {                          for %i = 0 to 64 {
 *     %s = for %k = 0 to %i + 1                   %s = for %k = 0 to 64
 *         iter_args(%t = %zero) {                     iter_args(%t = %zero) {
 *       %x = load %A[%i, %k]               =        %in = cmpi slt, %k, %i + 1
 *       yield %t + %x                               %x = if %in { load %A[%i, %k] } else { 0 }
 *     }                                             yield %t + %x }
 *
 * What is summed is zero where the loop had no step, and a store stands in a branch. Loops over
 * elements become ops on blocks, which are rectangles, with a mask.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_range.h"
#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"

#include <math.h>

enum { SLT = 2, SGE = 5, LARGEST = 1 << 16 };

/* Where a step does something, and the loops that this depends on. */
typedef struct Guard {
  MlirValue condition, variables[TT_NEST_LOOPS];
  intptr_t n;
} Guard;

/*===- Ops ------------------------------------------------------------------------------------===*/

static MlirValue op_of(TtBuilder *b, MlirLocation loc, const char *name, MlirType type, intptr_t n,
                       const MlirValue *operands) {
  TtOpState s = tt_op_state(name, loc);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, operands[i]);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* What folds leave a number as it is with. */
static const struct {
  const char *op;
  double neutral;
} folds[] = {{"arith.addf", 0},
             {"arith.addi", 0},
             {"arith.mulf", 0}, /* of a product that is summed */
             {"arith.muli", 0},
             {"arith.maximumf", -INFINITY},
             {"arith.maxnumf", -INFINITY},
             {"arith.minimumf", INFINITY},
             {"arith.minnumf", INFINITY}};

static intptr_t fold_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof folds / sizeof *folds; ++i)
    if (tt_op_is(op, folds[i].op)) return (intptr_t)i;
  return -1;
}

static MlirValue neutral(TtBuilder *b, MlirOperation fold, MlirType type) {
  double number = folds[fold_of(fold)].neutral;
  TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(fold));
  tt_op_state_attr(&s, b->context, "value",
                   mlirTypeIsAFloat(type) ? mlirFloatAttrDoubleGet(b->context, type, number)
                                          : mlirIntegerAttrGet(type, (int64_t)number));
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/*===- What a step without a condition does -------------------------------------------------===*/

/* The operand of fold `value` that is the other one than `old`, or one that loads what `store`
 * stores to; -1 where it is none. */
static intptr_t term_of(TtArena *arena, MlirValue value, MlirValue old, MlirOperation store) {
  MlirOperation sum = tt_defining_op(value);
  if (!tt_is_number(mlirValueGetType(value)) || fold_of(sum) < 0 || tt_op_is(sum, "arith.mulf") ||
      tt_op_is(sum, "arith.muli"))
    return -1;
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue x = mlirOperationGetOperand(sum, i);
    MlirOperation load = tt_defining_op(x);
    if (!tt_is_null_value(old) && tt_value_eq(x, old)) return 1 - i;
    if (!tt_is_null_value(old) || !tt_op_is(load, "memref.load") ||
        !tt_value_eq(mlirOperationGetOperand(load, 0), mlirOperationGetOperand(store, 1)))
      continue;
    bool same = true;
    for (intptr_t d = 1; same && d < mlirOperationGetNumOperands(load); ++d)
      same = tt_same_index(arena, mlirOperationGetOperand(load, d),
                           mlirOperationGetOperand(store, d + 1));
    if (same) return 1 - i;
  }
  return -1;
}

/* Whether `value` is made of what `of` is, or is it. */
static bool is_made_of(MlirValue value, MlirValue of, int depth) {
  if (tt_value_eq(value, of)) return true;
  if (mlirValueIsABlockArgument(value) || depth == 0) return false;
  MlirOperation op = tt_defining_op(value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_made_of(mlirOperationGetOperand(op, i), of, depth - 1)) return true;
  return false;
}

/* Makes operand `i` of `op` what changes nothing where the condition does not hold. */
static void guard_operand(MlirOperation op, intptr_t i, MlirValue c) {
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = mlirOperationGetOperand(op, i);
  MlirType type = mlirValueGetType(x);
  MlirValue operands[3] = {c, x, neutral(&b, op, type)};
  mlirOperationSetOperand(op, i, op_of(&b, loc, "arith.select", type, 3, operands));
}

/* Leaves what is there where the condition does not hold: of a product, by the factor that follows
 * the same loops, as it is a mask of that. */
static void guard_term(MlirOperation sum, intptr_t term, const Guard *g) {
  enum { DEPTH = 12 };
  MlirValue x = mlirOperationGetOperand(sum, term);
  MlirOperation product = tt_defining_op(x);
  bool adds = tt_op_is(sum, "arith.addf") || tt_op_is(sum, "arith.addi"),
       times = adds && (tt_op_is(product, "arith.mulf") || tt_op_is(product, "arith.muli"));
  for (intptr_t i = 0; times && i < 2; ++i) {
    bool all = true;
    for (intptr_t k = 0; all && k < g->n; ++k)
      all = is_made_of(mlirOperationGetOperand(product, i), g->variables[k], DEPTH);
    MlirOpOperand use = all ? mlirValueGetFirstUse(x) : (MlirOpOperand){NULL};
    if (!all || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) continue;
    guard_operand(product, i, g->condition);
    return;
  }
  guard_operand(sum, term, g->condition);
}

/* A store happens where the condition holds. */
static void guard_store(TtArena *arena, MlirOperation store, const Guard *g) {
  MlirValue value = mlirOperationGetOperand(store, 0), none = {NULL};
  intptr_t term = term_of(arena, value, none, store);
  if (term >= 0) {
    guard_term(tt_defining_op(value), term, g);
    return;
  }
  TtBuilder b = tt_builder_before(store);
  TtOpState s = tt_op_state("scf.if", mlirOperationGetLocation(store));
  tt_op_state_operand(&s, g->condition);
  MlirRegion then = mlirRegionCreate(), otherwise = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(then, block);
  MlirRegion regions[2] = {then, otherwise};
  mlirOperationStateAddOwnedRegions(&s, 2, regions);
  tt_builder_insert(&b, tt_op_state_finish(&s));
  MlirOperationState yield =
      mlirOperationStateGet(tt_str("scf.yield"), mlirOperationGetLocation(store));
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&yield));
  mlirOperationMoveBefore(store, mlirBlockGetTerminator(block));
}

/* What `loop` carries stays where the condition does not hold. */
static void guard_carried(TtArena *arena, MlirOperation loop, const Guard *g) {
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i), old = mlirBlockGetArgument(body, i + 1);
    MlirOperation op = tt_defining_op(value);
    intptr_t term = term_of(arena, value, old, (MlirOperation){NULL});
    if (term >= 0 && mlirBlockEqual(mlirOperationGetBlock(op), body)) {
      guard_term(op, term, g);
      continue;
    }
    TtBuilder b = tt_builder_before(yield);
    MlirValue operands[3] = {g->condition, value, old};
    mlirOperationSetOperand(yield, i,
                            op_of(&b, mlirOperationGetLocation(yield), "arith.select",
                                  mlirValueGetType(value), 3, operands));
  }
}

/*===- Loops --------------------------------------------------------------------------------===*/

/* Whether `bound` of `loop` follows loops around it, in `top`, which are noted: is a sum of them,
 * or a quotient, as where windows of a pooling begin. */
static bool follows_loops(TtArena *arena, MlirOperation top, MlirOperation loop, MlirValue bound,
                          Guard *g) {
  enum { DEPTH = 12 };
  intptr_t before = g->n;
  int64_t factor;
  for (MlirOperation p = loop; !tt_op_eq(p, top);) {
    p = tt_parent(p);
    bool counts = tt_op_is(p, "scf.for"),
         linear = counts && tt_index_factor(arena, bound, tt_for_iv(p), &factor),
         follows = linear ? factor != 0 : counts && is_made_of(bound, tt_for_iv(p), DEPTH);
    if (follows && g->n < TT_NEST_LOOPS) g->variables[g->n++] = tt_for_iv(p);
  }
  return g->n > before;
}

/* Whether all loads in `loop` that follow it stay inside of what they read. */
static bool stays_inside(TtArena *arena, MlirOperation loop) {
  TtOps loads = tt_collect(arena, loop, "memref.load");
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirOperation load = loads.data[i];
    MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0));
    for (intptr_t d = 0; d + 1 < mlirOperationGetNumOperands(load); ++d) {
      MlirValue index = mlirOperationGetOperand(load, d + 1);
      TtIndexRange range;
      int64_t factor;
      if (tt_index_factor(arena, index, tt_for_iv(loop), &factor) && factor == 0) continue;
      if (mlirShapedTypeIsDynamicDim(type, d) || !tt_index_range(arena, index, &range) ||
          range.least < 0 || range.most >= mlirShapedTypeGetDimSize(type, d))
        return false;
    }
  }
  return true;
}

static void square(TtArena *arena, MlirOperation loop, const bool follows[2], Guard g) {
  TtIndexRange range[2];
  int64_t step;
  MlirValue bounds[2];
  for (int i = 0; i < 2; ++i) {
    bounds[i] = mlirOperationGetOperand(loop, i);
    if (follows[i] && !tt_index_range(arena, bounds[i], &range[i])) return;
    if (follows[i] && (range[i].least < -LARGEST || range[i].most > LARGEST)) return;
  }
  if (!tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1) return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    if (!tt_is_number(mlirValueGetType(mlirOperationGetResult(loop, i)))) return;
  TtBuilder before = tt_builder_before(loop);
  MlirLocation loc = mlirOperationGetLocation(loop);
  for (int i = 0; i < 2; ++i)
    if (follows[i])
      mlirOperationSetOperand(loop, i,
                              tt_index(&before, loc, i == 0 ? range[i].least : range[i].most));
  if (!stays_inside(arena, loop)) {
    for (int i = 0; i < 2; ++i) mlirOperationSetOperand(loop, i, bounds[i]);
    return;
  }
  TtOps stores = tt_collect(arena, loop, "memref.store");
  TtBuilder in = tt_builder_at_start(tt_for_body(loop));
  for (int i = 0; i < 2; ++i) {
    if (!follows[i]) continue;
    MlirValue c = tt_cmpi(&in, loc, i == 0 ? SGE : SLT, tt_for_iv(loop), bounds[i]),
              both[2] = {g.condition, c};
    g.condition =
        i == 0 || !follows[0] ? c : op_of(&in, loc, "arith.andi", mlirValueGetType(c), 2, both);
  }
  for (intptr_t i = 0; i < stores.n; ++i) guard_store(arena, stores.data[i], &g);
  guard_carried(arena, loop, &g);
}

void tt_square_loops(TtArena *arena, MlirOperation top) {
  TtOps loops = tt_collect(arena, top, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i) {
    MlirOperation loop = loops.data[i];
    if (tt_op_eq(loop, top)) continue;
    bool follows[2];
    Guard g = {.variables = {tt_for_iv(loop)}, .n = 1};
    for (int k = 0; k < 2; ++k)
      follows[k] = follows_loops(arena, top, loop, mlirOperationGetOperand(loop, k), &g);
    if (follows[0] || follows[1]) square(arena, loop, follows, g);
  }
}
