/*===- carried_terms.c - steps of sums and extremes as the old value and one term ---------------===
 *
 *   store (select %c, %old + %x, %old), %S[%i]     store %old + (select %c, %x, 0), %S[%i]
 *   store (max(max(%old, %x), %y)), %S[%i]         store max(%old, max(%x, %y)), %S[%i]
 *   store (%old - %x) + %y, %S[%i]                 store %old + (%y - %x), %S[%i]
 *
 * where %old is what the element holds and a loop around the store leaves the element where it is:
 * that step is a reduction then, and its term the expression that linalg's body computes. What
 * nothing is added by is the neutral element.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"
#include "Analysis/made_of.h"

#include <math.h>
#include <string.h>

struct TtCombination {
  const char *op, *minus;      /* how it combines, and what takes away again */
  bool is_signed, is_greatest; /* of extremes */
};

typedef struct TtCombination Combination;

static const Combination combinations[] = {
    {"arith.addf", "arith.subf", false, false}, {"arith.maximumf", NULL, false, true},
    {"arith.maxnumf", NULL, false, true},       {"arith.minimumf", NULL, false, false},
    {"arith.minnumf", NULL, false, false},      {"arith.addi", "arith.subi", false, false},
    {"arith.maxsi", NULL, true, true},          {"arith.minsi", NULL, true, false},
    {"arith.maxui", NULL, false, true},         {"arith.minui", NULL, false, false},
};

enum { MAX_DEPTH = 16 };

typedef struct Step {
  TtArena *arena;
  MlirOperation store;
  const Combination *how;
  TtBuilder b; /* before the store */
} Step;

/*===- Making numbers ------------------------------------------------------------------------===*/

static MlirValue make(Step *s, const char *name, intptr_t n, const MlirValue *operands) {
  TtOpState state = tt_op_state(name, mlirOperationGetLocation(s->store));
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&state, operands[i]);
  tt_op_state_result(&state, mlirValueGetType(operands[n - 1]));
  return mlirOperationGetResult(tt_builder_insert(&s->b, tt_op_state_finish(&state)), 0);
}

/* What adds nothing to a sum, or to an extreme. */
static MlirValue neutral(Step *s, MlirType type) {
  TtOpState state = tt_op_state("arith.constant", mlirOperationGetLocation(s->store));
  MlirAttribute value;
  if (mlirTypeIsAFloat(type)) {
    double sign = s->how->is_greatest ? -1 : 1;
    value = mlirFloatAttrDoubleGet(s->b.context, type, s->how->minus ? 0 : sign * HUGE_VAL);
  } else {
    int64_t least =
        s->how->is_signed ? -(int64_t)(UINT64_C(1) << (mlirIntegerTypeGetWidth(type) - 1)) : 0;
    /* the greatest has all bits but those of the least one */
    value = mlirIntegerAttrGet(type, s->how->minus || s->how->is_greatest ? least : ~least);
  }
  tt_op_state_attr(&state, s->b.context, "value", value);
  tt_op_state_result(&state, type);
  return mlirOperationGetResult(tt_builder_insert(&s->b, tt_op_state_finish(&state)), 0);
}

/* What the buffer of the store holds at these indices. */
static MlirValue load_at(Step *s, const MlirValue *indices) {
  MlirValue memref = mlirOperationGetOperand(s->store, 1);
  TtOpState state = tt_op_state("memref.load", mlirOperationGetLocation(s->store));
  tt_op_state_operand(&state, memref);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(memref)); ++d)
    tt_op_state_operand(&state, indices[d]);
  tt_op_state_result(&state, mlirShapedTypeGetElementType(mlirValueGetType(memref)));
  return mlirOperationGetResult(tt_builder_insert(&s->b, tt_op_state_finish(&state)), 0);
}

/*===- Terms ---------------------------------------------------------------------------------===*/

static bool touches(TtArena *arena, MlirOperation op, const char *name, MlirValue memref) {
  TtOps ops = tt_collect(arena, op, name);
  tt_ops_add(arena, &ops, op);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_is(ops.data[i], name) &&
        tt_value_eq(mlirOperationGetOperand(ops.data[i], tt_op_is(ops.data[i], "memref.store")),
                    memref))
      return true;
  return false;
}

/* Whether `value` is what the element of the store holds when that comes to it. */
static bool is_old(const Step *s, MlirValue value) {
  MlirOperation load = tt_defining_op(value);
  MlirValue memref = mlirOperationGetOperand(s->store, 1);
  if (!tt_op_is(load, "memref.load") || !tt_value_eq(mlirOperationGetOperand(load, 0), memref) ||
      !mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(s->store)))
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(load); ++i)
    if (!tt_same_index(s->arena, mlirOperationGetOperand(load, i),
                       mlirOperationGetOperand(s->store, i + 1)))
      return false;
  for (MlirOperation op = load; !tt_op_eq(op, s->store); op = tt_next(op))
    if (touches(s->arena, op, "memref.store", memref)) return false;
  return true;
}

/* Whether `value` comes from the buffer that the store writes. */
static bool reads_buffer(const Step *s, MlirValue value) {
  TtValues all = tt_made_of(s->arena, value, NULL, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    if (tt_op_is(op, "memref.load") &&
        tt_value_eq(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(s->store, 1)))
      return true;
  }
  return false;
}

static bool term_of(Step *s, MlirValue value, bool makes, int depth, MlirValue *term);

/* The term of `op` of something that has one, in operand `i`, and of `other`, which has none. */
static bool combined(Step *s, const char *name, MlirValue old, MlirValue other, bool makes,
                     int depth, MlirValue *term) {
  if (reads_buffer(s, other) || !term_of(s, old, makes, depth + 1, term)) return false;
  if (!makes) return true;
  bool less = strcmp(name, s->how->op) != 0;
  if (tt_is_null_value(*term) && !less) *term = other;
  else {
    MlirValue first = tt_is_null_value(*term) ? neutral(s, mlirValueGetType(other)) : *term;
    *term = make(s, name, 2, (MlirValue[]){first, other});
  }
  return true;
}

/* The term of x * y + something that has one. */
static bool multiplied(Step *s, MlirOperation fma, bool makes, int depth, MlirValue *term) {
  MlirValue factors[2] = {mlirOperationGetOperand(fma, 0), mlirOperationGetOperand(fma, 1)};
  if (reads_buffer(s, factors[0]) || reads_buffer(s, factors[1]) ||
      !term_of(s, mlirOperationGetOperand(fma, 2), makes, depth + 1, term))
    return false;
  if (!makes) return true;
  MlirValue product = make(s, "arith.mulf", 2, factors);
  *term =
      tt_is_null_value(*term) ? product : make(s, "arith.addf", 2, (MlirValue[]){*term, product});
  return true;
}

/* The term of a choice between two that have one. */
static bool chosen(Step *s, MlirOperation op, bool makes, int depth, MlirValue *term) {
  MlirValue condition = mlirOperationGetOperand(op, 0), sides[2];
  if (reads_buffer(s, condition)) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    if (!term_of(s, mlirOperationGetOperand(op, i + 1), makes, depth + 1, &sides[i])) return false;
    if (makes && tt_is_null_value(sides[i]))
      sides[i] = neutral(s, mlirValueGetType(mlirOperationGetResult(op, 0)));
  }
  if (makes) *term = make(s, "arith.select", 3, (MlirValue[]){condition, sides[0], sides[1]});
  return true;
}

/* Whether `value` is the old one and a term, which is null where there is none. */
static bool term_of(Step *s, MlirValue value, bool makes, int depth, MlirValue *term) {
  *term = (MlirValue){NULL};
  if (is_old(s, value)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth > MAX_DEPTH) return false;
  if (tt_op_is(op, "arith.select")) return chosen(s, op, makes, depth, term);
  if (tt_op_is(op, "math.fma") && strcmp(s->how->op, "arith.addf") == 0)
    return multiplied(s, op, makes, depth, term);
  if (tt_op_is(op, s->how->op)) {
    MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
    return combined(s, s->how->op, x, y, makes, depth, term) ||
           combined(s, s->how->op, y, x, makes, depth, term);
  }
  return s->how->minus && tt_op_is(op, s->how->minus) &&
         combined(s, s->how->minus, mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1),
                  makes, depth, term);
}

/*===- Stores --------------------------------------------------------------------------------===*/

/* Whether a loop around the store leaves its element where it is. */
static bool stays(TtArena *arena, MlirOperation top, MlirOperation store) {
  TtNest nest;
  TtElement e;
  if (tt_nest_around(arena, top, store, &nest) || tt_element_of(&nest, store, &e)) return false;
  for (int i = 0; i < nest.n; ++i)
    if (!tt_runs_along(&e, i)) return true;
  return false;
}

/* Whether the value is the old one and another already, as linalg has it. */
static bool is_plain(const Step *s, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  for (size_t k = 0; k < sizeof combinations / sizeof *combinations; ++k)
    if (tt_op_is(op, combinations[k].op) &&
        (is_old(s, mlirOperationGetOperand(op, 0)) || is_old(s, mlirOperationGetOperand(op, 1))))
      return true;
  return false;
}

/* Which combination the value of a store is, and its term, which is made; or NULL. */
static const Combination *combination_of(Step *s, MlirValue *term) {
  MlirValue value = mlirOperationGetOperand(s->store, 0);
  for (size_t k = 0; k < sizeof combinations / sizeof *combinations; ++k) {
    s->how = &combinations[k];
    if (is_old(s, value) || !term_of(s, value, false, 0, term)) continue;
    term_of(s, value, true, 0, term);
    return s->how;
  }
  return NULL;
}

bool tt_term_of(TtArena *arena, MlirOperation store, TtTerm *term) {
  Step s = {.arena = arena, .store = store, .b = tt_builder_before(store)};
  term->of = combination_of(&s, &term->value);
  return term->of != NULL;
}

void tt_store_term(TtArena *arena, TtBuilder *b, MlirOperation store, const TtTerm *term,
                   MlirValue condition, const MlirValue *indices) {
  Step s = {arena, store, term->of, *b};
  MlirValue memref = mlirOperationGetOperand(store, 1),
            none = neutral(&s, mlirValueGetType(term->value)),
            added = make(&s, "arith.select", 3, (MlirValue[]){condition, term->value, none});
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(memref));
  MlirValue old = load_at(&s, indices), sum = make(&s, s.how->op, 2, (MlirValue[]){old, added});
  TtOpState state = tt_op_state("memref.store", mlirOperationGetLocation(store));
  tt_op_state_operand(&state, sum);
  tt_op_state_operand(&state, memref);
  for (intptr_t d = 0; d < rank; ++d) tt_op_state_operand(&state, indices[d]);
  tt_builder_insert(&s.b, tt_op_state_finish(&state));
}

void tt_part_terms(TtArena *arena, MlirOperation top) {
  TtOps stores = tt_collect(arena, top, "memref.store");
  bool changed = false;
  for (intptr_t i = 0; i < stores.n; ++i) {
    MlirOperation store = stores.data[i];
    MlirValue value = mlirOperationGetOperand(store, 0), term, old, indices[TT_MAX_RANK];
    if (!touches(arena, top, "memref.load", mlirOperationGetOperand(store, 1)) ||
        !stays(arena, top, store))
      continue;
    Step s = {.arena = arena, .store = store, .b = tt_builder_before(store)};
    if (is_plain(&s, value) || !combination_of(&s, &term)) continue;
    for (intptr_t d = 0; d < mlirOperationGetNumOperands(store) - 2; ++d)
      indices[d] = mlirOperationGetOperand(store, d + 2);
    old = load_at(&s, indices);
    mlirOperationSetOperand(store, 0, make(&s, s.how->op, 2, (MlirValue[]){old, term}));
    changed = true;
  }
  if (changed) tt_erase_dead(top); /* another load of the old value would be in the way */
}
