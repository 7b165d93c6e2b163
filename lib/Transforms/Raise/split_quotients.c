/*===- split_quotients.c - loops whose variable is divided are two ------------------------------===
 *
 *   for %k = 0 to 64 {                             for %q = 0 to 32 {
 *     … load %W[%k / 2] … shift by %k % 2      =     … load %W[%q] … shift by 0 …
 *   }                                                … load %W[%q] … shift by 1 … }
 *
 *   for %k = 0 to 512 { … load %S[%k / 128] … }
 * = for %q = 0 to 4 { for %r = 0 to 128 { … load %S[%q] … %q * 128 + %r … } }
 *
 * A short inner loop is written out; where it carries sums, as loops one after the other. Loops
 * over blocks stay: quotients of their variables are offsets. Of a sum, (%a * 128 + %k) / 32, what
 * is a multiple is taken out first: %a * 4 + %k / 32.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/index_leaves.h"
#include "Analysis/index_range.h"

#include "Transforms/Raise/loop_dims.h"
#include "Transforms/Raise/quotient_parts.h"

enum { LONGEST_OUT = 8, LONGEST_PLAIN = 4, MOST_BLOCKS = 16, MAX_ROUNDS = 12 };

/*===- Divisors ------------------------------------------------------------------------------===*/

/* What the variable is divided by: the least number, and whether a rest is taken of it. */
typedef struct Divisors {
  int64_t least;
  bool rest, other;
} Divisors;

static void note(Divisors *d, int64_t by, bool rest) {
  if (by < 2) {
    d->other = true;
    return;
  }
  if (d->least > 0 && by % d->least != 0 && d->least % by != 0) d->other = true;
  if (d->least == by) d->rest |= rest;
  if (d->least == 0 || by < d->least) d->least = by, d->rest = rest;
}

static bool is_binary(MlirAffineExpr e) {
  return tt_is_quotient(e) || mlirAffineExprIsAAdd(e) || mlirAffineExprIsAMul(e);
}

/* Whether dimension `dim` stands in `e` outside of quotients and rests by constants. */
static bool stands_bare(MlirAffineExpr e, intptr_t dim) {
  if (mlirAffineExprIsADim(e)) return mlirAffineDimExprGetPosition(e) == dim;
  if (!is_binary(e)) return false;
  MlirAffineExpr x = mlirAffineBinaryOpExprGetLHS(e), y = mlirAffineBinaryOpExprGetRHS(e);
  bool divided = tt_is_quotient(e) && mlirAffineExprIsADim(x) && mlirAffineExprIsAConstant(y);
  return !divided && (stands_bare(x, dim) || stands_bare(y, dim));
}

/* Notes the quotients in `e` of dimension `dim`. */
static void note_in(Divisors *d, MlirAffineExpr e, intptr_t dim) {
  if (!is_binary(e)) return;
  MlirAffineExpr x = mlirAffineBinaryOpExprGetLHS(e), by = mlirAffineBinaryOpExprGetRHS(e);
  if (tt_is_quotient(e) && mlirAffineExprIsFunctionOfDim(e, dim)) {
    bool plain =
        mlirAffineExprIsADim(x) && mlirAffineExprIsAConstant(by) && !mlirAffineExprIsACeilDiv(e);
    if (plain) note(d, mlirAffineConstantExprGetValue(by), mlirAffineExprIsAMod(e));
    else if (stands_bare(x, dim)) d->other = true;
    else note_in(d, x, dim);
    return;
  }
  note_in(d, x, dim), note_in(d, by, dim);
}

bool tt_splits_evenly(MlirAffineExpr e, intptr_t dim, int64_t extent) {
  Divisors d = {0};
  note_in(&d, e, dim);
  return d.least > 0 && !d.other && extent % d.least == 0;
}

static Divisors divisors_of(const TtLoopDim *loop) {
  Divisors d = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(loop->iv); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t at = mlirOpOperandGetOperandNumber(use);
    int64_t by;
    if (tt_op_is(op, "affine.apply")) {
      MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
      if (at < mlirAffineMapGetNumDims(map)) note_in(&d, mlirAffineMapGetResult(map, 0), at);
      else d.other = true;
    } else if ((tt_divides(op) || tt_takes_rest(op)) && at == 0 &&
               tt_constant(mlirOperationGetOperand(op, 1), &by)) {
      note(&d, by, tt_takes_rest(op));
    }
  }
  return d;
}

/*===- Loops ---------------------------------------------------------------------------------===*/

/* Whether a loop carries sums and extremes only, and stores nothing: its steps have no order. */
static bool only_sums(TtArena *arena, MlirOperation loop) {
  static const char *const names[] = {
      "arith.addf", "arith.maximumf", "arith.maxnumf", "arith.minimumf", "arith.minnumf",
      "arith.addi", "arith.maxsi",    "arith.minsi",   "arith.maxui",    "arith.minui"};
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  if (tt_collect(arena, loop, "memref.store").n > 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue arg = mlirBlockGetArgument(body, i + 1), next = mlirOperationGetOperand(yield, i);
    MlirOperation op = tt_defining_op(next);
    MlirOpOperand use = mlirValueGetFirstUse(arg);
    bool known = false;
    for (size_t j = 0; j < sizeof names / sizeof *names; ++j) known |= tt_op_is(op, names[j]);
    if (!known || mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
        !tt_op_eq(mlirOpOperandGetOwner(use), op))
      return false;
  }
  return true;
}

/* for %k { %s += … } = for %q { … of rest 0 }  for %q { … of rest 1 }, or, with `blocks`,
 * for %r { … of quotient 0 }  for %r { … of quotient 1 } … */
static void follow_each_other(TtArena *arena, const TtLoopDim *loop, int64_t by, bool blocks) {
  intptr_t n = mlirOperationGetNumResults(loop->op);
  int64_t copies = blocks ? loop->extent / by : by;
  tt_set_extent(loop, loop->extent / copies);
  MlirOperation last = {NULL};
  for (int64_t at = 0; at < copies; ++at) {
    MlirOperation copy = mlirOperationClone(loop->op);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop->op), loop->op, copy);
    for (intptr_t i = 0; at > 0 && i < n; ++i)
      mlirOperationSetOperand(copy, i + 3, mlirOperationGetResult(last, i));
    TtBuilder b = tt_builder_at_start(tt_for_body(copy)), before = tt_builder_before(copy);
    MlirValue iv = tt_for_iv(copy);
    TtParts p = {.context = mlirOperationGetContext(copy), .by = by, .rest = at, .q = iv};
    if (blocks) p.r = iv, p.q = tt_index(&before, mlirOperationGetLocation(copy), at);
    tt_use_parts(arena, p, b, copy, iv);
    last = copy;
  }
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop->op, i),
                                  mlirOperationGetResult(last, i));
  mlirOperationDestroy(loop->op);
}

/* A loop from 0 to `n` that holds all that the body of `loop` did, and carries what that carries.
 */
static MlirOperation nest(const TtLoopDim *loop, int64_t n) {
  MlirBlock body = loop->body;
  MlirLocation loc = mlirOperationGetLocation(loop->op);
  MlirOperation end = mlirBlockGetTerminator(body), first = mlirBlockGetFirstOperation(body);
  intptr_t carried = mlirOperationGetNumResults(loop->op);
  TtBuilder b = tt_builder_before(first);
  TtOpState s = tt_op_state("scf.for", loc);
  MlirType types[TT_MAX_RANK + 1];
  MlirLocation locs[TT_MAX_RANK + 1];
  tt_op_state_operand(&s, tt_index(&b, loc, 0));
  tt_op_state_operand(&s, tt_index(&b, loc, n));
  tt_op_state_operand(&s, tt_index(&b, loc, 1));
  types[0] = mlirIndexTypeGet(b.context), locs[0] = loc;
  for (intptr_t i = 0; i < carried; ++i) {
    tt_op_state_operand(&s, mlirBlockGetArgument(body, i + 1));
    tt_op_state_result(&s, types[i + 1] = mlirValueGetType(mlirBlockGetArgument(body, i + 1)));
    locs[i + 1] = loc;
  }
  MlirBlock inner = mlirBlockCreate(carried + 1, types, locs);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, inner);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtOpState y = tt_op_state("scf.yield", loc);
  for (intptr_t i = 0; i < carried; ++i) tt_op_state_operand(&y, mlirOperationGetOperand(end, i));
  mlirBlockAppendOwnedOperation(inner, tt_op_state_finish(&y));
  MlirOperation made = tt_op_state_finish(&s), to = mlirBlockGetTerminator(inner);
  for (intptr_t i = 0; i < carried; ++i)
    mlirValueReplaceAllUsesExcept(mlirBlockGetArgument(body, i + 1),
                                  mlirBlockGetArgument(inner, i + 1), 1, &made);
  for (MlirOperation op = first, next; !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, to);
  }
  mlirBlockInsertOwnedOperationBefore(body, end, made);
  for (intptr_t i = 0; i < carried; ++i)
    mlirOperationSetOperand(end, i, mlirOperationGetResult(made, i));
  return made;
}

/* The steps of `inner`, one after the other. */
static void write_out(TtArena *arena, const TtLoopDim *loop, MlirOperation inner, int64_t by) {
  for (int64_t rest = 0; rest < by; ++rest) {
    MlirOperation copy = mlirOperationClone(inner);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(inner), inner, copy);
    TtParts p = {.context = mlirOperationGetContext(copy), .by = by, .rest = rest, .q = loop->iv};
    tt_use_parts(arena, p, tt_builder_before(copy), copy, loop->iv);
    MlirOperation end = mlirBlockGetTerminator(tt_for_body(copy));
    for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(copy)), next; !tt_op_eq(op, end);
         op = next) {
      next = tt_next(op);
      mlirOperationMoveBefore(op, copy);
    }
    mlirOperationDestroy(copy);
  }
  mlirOperationDestroy(inner);
}

/* Whether a loop goes over elements, and over nothing else, and a quotient says which. */
static bool is_of_elements(TtArena *arena, const TtLoopDim *loop) {
  TtOps all = tt_collect(arena, loop->op, NULL);
  bool quotient = false;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    if (tt_op_is(op, "memref.alloc") || tt_op_is(op, "memref.copy") ||
        tt_op_is(op, "memref.subview") || tt_is_linalg(op))
      return false;
    bool store = tt_op_is(op, "memref.store");
    if (!store && !tt_op_is(op, "memref.load")) continue;
    intptr_t n = mlirOperationGetNumOperands(op), rank = n - 1 - store;
    for (intptr_t d = rank > 2 ? n - 2 : n - rank; d < n; ++d) {
      int64_t factor;
      quotient |= !tt_index_factor(arena, mlirOperationGetOperand(op, d), loop->iv, &factor);
    }
  }
  return quotient;
}

/* Splits a loop; false where it stays. */
static bool split(TtArena *arena, const TtLoopDim *loop) {
  Divisors d = divisors_of(loop);
  intptr_t carried = mlirOperationGetNumResults(loop->op);
  if (d.least == 0 || d.other || loop->extent % d.least != 0 || carried > TT_MAX_RANK ||
      !is_of_elements(arena, loop))
    return false;
  int64_t by = d.least;
  bool out = by <= (d.rest ? LONGEST_OUT : LONGEST_PLAIN);
  if ((out || loop->extent / by <= MOST_BLOCKS) && carried > 0 && only_sums(arena, loop->op)) {
    follow_each_other(arena, loop, by, !out);
    return true;
  }
  if (by == loop->extent) return false;
  MlirOperation inner = nest(loop, by);
  tt_set_extent(loop, loop->extent / by);
  if (out && carried == 0) {
    write_out(arena, loop, inner, by);
    return true;
  }
  TtParts p = {
      .context = mlirOperationGetContext(inner), .by = by, .q = loop->iv, .r = tt_for_iv(inner)};
  tt_use_parts(arena, p, tt_builder_at_start(tt_for_body(inner)), inner, loop->iv);
  return true;
}

/*===- All -----------------------------------------------------------------------------------===*/

static bool split_one(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    for (intptr_t d = 0; d < tt_num_loop_dims(all.data[i]); ++d) {
      TtLoopDim loop;
      if (tt_loop_dim(all.data[i], d, &loop) && loop.extent > 1 && split(arena, &loop)) return true;
    }
  }
  return false;
}

/*===- Branches that rests decide ------------------------------------------------------------===*/

/* Whether a constant, or a comparison of two that are not below zero, holds, in `*holds`. */
static bool is_decided(MlirValue flag, bool *holds) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };
  MlirOperation op = tt_defining_op(flag);
  int64_t a, b;
  if (tt_op_is(op, "arith.constant"))
    return *holds = mlirIntegerAttrGetValueInt(tt_op_attr(op, "value")) != 0, true;
  if (mlirOperationIsNull(op) || !tt_op_is(op, "arith.cmpi") ||
      !tt_constant(mlirOperationGetOperand(op, 0), &a) ||
      !tt_constant(mlirOperationGetOperand(op, 1), &b) || a < 0 || b < 0)
    return false;
  switch (tt_int(tt_op_attr(op, "predicate"))) {
  case EQ: return *holds = a == b, true;
  case NE: return *holds = a != b, true;
  case SLT:
  case ULT: return *holds = a < b, true;
  case SLE:
  case ULE: return *holds = a <= b, true;
  case SGT:
  case UGT: return *holds = a > b, true;
  case SGE:
  case UGE: return *holds = a >= b, true;
  default: return false;
  }
}

/* Leaves of a branch the side that is taken: `side` 0 where its condition holds, else 1. */
static void take_side(MlirOperation branch, intptr_t side) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, side));
  if (!mlirBlockIsNull(block)) {
    MlirOperation end = mlirBlockGetTerminator(block);
    for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !tt_op_eq(op, end);
         op = next) {
      next = tt_next(op);
      mlirOperationMoveBefore(op, branch);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, i),
                                    mlirOperationGetOperand(end, i));
  }
  mlirOperationDestroy(branch);
}

/* Where even and odd elements go different ways, each copy of the body has one of them. */
void tt_take_known_branches(TtArena *arena, MlirOperation kernel) {
  TtOps branches = tt_collect(arena, kernel, "scf.if");
  bool holds;
  for (intptr_t i = branches.n; i-- > 0;) /* those inside of others first */
    if (is_decided(mlirOperationGetOperand(branches.data[i], 0), &holds))
      take_side(branches.data[i], holds ? 0 : 1);
}

/*===- Quotients of sums ---------------------------------------------------------------------===*/

/* Whether what `e` divides are variables alone, not sums or products of them. */
static bool divides_variables(MlirAffineExpr e) {
  if (!is_binary(e)) return true;
  MlirAffineExpr x = mlirAffineBinaryOpExprGetLHS(e), y = mlirAffineBinaryOpExprGetRHS(e);
  return tt_is_quotient(e) ? mlirAffineExprIsADim(x) : divides_variables(x) && divides_variables(y);
}

/* (%a * 128 + %t) / 32 = %a * 4 + %t / 32, and % 32 = %t % 32: a grid's step and the elements in
 * it, of which only these are divided then. */
static void take_multiples_out(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    int64_t by;
    TtIndexRange range;
    if ((!tt_divides(op) && !tt_takes_rest(op)) || mlirOperationGetNumOperands(op) != 2 ||
        !tt_op_is(tt_defining_op(mlirOperationGetOperand(op, 0)), "arith.addi") ||
        !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
        !tt_constant(mlirOperationGetOperand(op, 1), &by) || by < 2 ||
        !tt_index_range(arena, mlirOperationGetOperand(op, 0), &range) || range.least < 0)
      continue;
    TtLeaves *l = tt_arena_alloc(arena, sizeof *l);
    l->context = mlirOperationGetContext(op);
    l->through_names = true;
    MlirAffineExpr e = tt_to_expr(l, mlirOperationGetResult(op, 0));
    e = mlirSimplifyAffineExpr(e, TT_MAX_LEAVES, 0);
    if (l->n == TT_MAX_LEAVES || l->n < 2 || !divides_variables(e)) continue;
    TtBuilder b = tt_builder_before(op);
    tt_replace(op, tt_from_expr(l, &b, mlirOperationGetLocation(op), e));
  }
}

void tt_split_quotients(TtArena *arena, MlirOperation kernel) {
  bool any = false;
  take_multiples_out(arena, kernel);
  for (int round = 0; round < MAX_ROUNDS && split_one(arena, kernel); ++round) any = true;
  if (any) tt_take_known_branches(arena, kernel);
}
