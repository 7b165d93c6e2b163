/*===- split_ranges.c - loops whose indices and branches change their form ---------------------===
 *
 *   for %i = 0 to 40 { %k = (%i + 9) mod 40  f }
 * = for %i = 0 to 31 { %k = %i + 9  f }     for %j = 0 to 9 { %i = %j + 31  %k = %j  f }
 *
 *   for %i = 0 to 30 { %k = fptosi(floor(%i * 0.667)) … }
 * = for %i = 0 to 30 { %k = %i floordiv 3 * 2 + … %i mod 3 … }      (split_quotients.c goes on)
 *
 *   %r = for %c = 0 to 8 iter_args(%s) { … if %c < 7 { store … } else { store … } … }
 * = %q = for %c = 0 to 7 iter_args(%s) { … store … }   %r = for %c = 7 to 8 iter_args(%q) { … }
 *
 * An index of elements that is made of one loop's variable is computed here in each of its steps,
 * with floats as well: what it is made of does not count. A branch counts where its loop carries
 * numbers, and it stores: its steps have an order; and where it keeps loads inside of a buffer of
 * the core, or of a tensor that the loop changes. Floats that computed an index are gone then.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

#include "Analysis/index_expr.h"
#include "Transforms/Raise/index_table.h"
#include "Transforms/Raise/loop_dims.h"
#include "Transforms/Raise/quotient_parts.h"

enum {
  MOST_STEPS = 1 << 14,
  FEW_STEPS = 16,
  LONGEST_PERIOD = 8,
  LONGEST_TABLE = 256, /* that is searched for quotients */
  MOST_PIECES = 4,
  MOST_ROUNDS = 128,
  DEEPEST = 8
};

/* A loop, what a value is in its steps, and where that is cut. */
typedef struct Split {
  TtArena *arena;
  TtLoopDim loop;
  int64_t *table;
  bool of_core; /* the index is one of a buffer of the core */
} Split;

/*===- Cuts ----------------------------------------------------------------------------------===*/

/* The loop with its first `n` steps, and one with the others behind it. Blocks of cells, of steps
 * or of periods, are smaller at the end of a tensor only, so that what is more than one is whole
 * ones. */
static void cut(const TtLoopDim *loop, int64_t n, int64_t period) {
  if (n > TT_TILE * period) n -= n % (TT_TILE * period);
  MlirOperation rest = mlirOperationClone(loop->op);
  MlirLocation loc = mlirOperationGetLocation(loop->op);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(loop->op), loop->op, rest);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(rest); ++i) {
    MlirValue result = mlirOperationGetResult(loop->op, i);
    mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(rest, i));
    mlirOperationSetOperand(rest, i + 3, result);
  }
  TtLoopDim other = *loop;
  other.op = rest, other.body = tt_body(rest);
  other.iv = mlirBlockGetArgument(other.body, loop->dim);
  tt_set_extent(loop, n);
  tt_set_extent(&other, loop->extent - n);
  TtBuilder b = tt_builder_at_start(other.body);
  MlirValue start = tt_index(&b, loc, n), at = tt_add(&b, loc, other.iv, start);
  MlirOperation sum = tt_defining_op(at);
  mlirValueReplaceAllUsesExcept(other.iv, at, 1, &sum);
}

/*===- Indices -------------------------------------------------------------------------------===*/

/* The table as quotient and rest of the variable by `period`, of which each adds `by`. */
static MlirAffineExpr periodic(MlirContext context, const int64_t *table, int64_t period,
                               int64_t by) {
  MlirAffineExpr i = mlirAffineDimExprGet(context, 0),
                 n = mlirAffineConstantExprGet(context, period), rest = mlirAffineModExprGet(i, n),
                 sum = mlirAffineMulExprGet(mlirAffineFloorDivExprGet(i, n),
                                            mlirAffineConstantExprGet(context, by));
  sum = mlirAffineAddExprGet(sum, mlirAffineConstantExprGet(context, table[0]));
  for (int64_t k = 1; k < period; ++k) { /* (rest + period - k) / period: whether rest >= k */
    MlirAffineExpr from = mlirAffineFloorDivExprGet(
        mlirAffineAddExprGet(rest, mlirAffineConstantExprGet(context, period - k)), n);
    int64_t more = table[k] - table[k - 1];
    sum = mlirAffineAddExprGet(
        sum, mlirAffineMulExprGet(from, mlirAffineConstantExprGet(context, more)));
  }
  return sum;
}

static void replace(const Split *s, MlirValue value, MlirAffineExpr e) {
  MlirOperation op = tt_defining_op(value);
  TtBuilder b = tt_builder_before(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtOpState state = tt_op_state("affine.apply", loc);
  tt_op_state_attr(&state, b.context, "map",
                   mlirAffineMapAttrGet(mlirAffineMapGet(b.context, 1, 0, 1, &e)));
  tt_op_state_operand(&state, s->loop.iv);
  tt_op_state_result(&state, mlirIndexTypeGet(b.context));
  MlirValue index = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&state)), 0);
  mlirValueReplaceAllUsesOfWith(
      value, tt_cast(&b, loc, "arith.index_cast", index, mlirValueGetType(value)));
}

/* How many values a quotient or a rest has that is made of the loop's variable alone, by such ones,
 * as id / 40 % 10 of a thread's number; 0 where one of them is not even, or is something else. */
static int64_t even_extent(const Split *s, MlirValue value, int depth) {
  MlirOperation op = tt_defining_op(value);
  int64_t by;
  if (tt_value_eq(value, s->loop.iv)) return s->loop.extent;
  if (depth == 0 || (!tt_divides(op) && !tt_takes_rest(op)) ||
      !tt_constant(mlirOperationGetOperand(op, 1), &by) || by <= 0)
    return 0;
  int64_t of = even_extent(s, mlirOperationGetOperand(op, 0), depth - 1);
  if (of % by != 0) return 0;
  return tt_takes_rest(op) && of > 0 ? by : of / by;
}

/* Whether `value` has the quotients and rests that split_quotients.c takes. */
static bool is_plain(const Split *s, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (tt_divides(op) || tt_takes_rest(op)) return even_extent(s, value, DEEPEST) > 0;
  if (!tt_op_is(op, "affine.apply")) return false;
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  bool plain = true, uses = false; /* of a sum, as behind a cut, nothing is known here */
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!tt_value_eq(mlirOperationGetOperand(op, i), s->loop.iv)) continue;
    uses = true;
    plain &= i < mlirAffineMapGetNumDims(map) &&
             tt_splits_evenly(mlirAffineMapGetResult(map, 0), i, s->loop.extent);
  }
  return plain && uses;
}

/* Whether what `e` divides are variables alone, not sums or products of them. */
static bool divides_variables(MlirAffineExpr e) {
  if (!tt_is_quotient(e) && !mlirAffineExprIsAAdd(e) && !mlirAffineExprIsAMul(e)) return true;
  MlirAffineExpr x = mlirAffineBinaryOpExprGetLHS(e), y = mlirAffineBinaryOpExprGetRHS(e);
  if (tt_is_quotient(e)) return mlirAffineExprIsADim(x) || mlirAffineExprIsASymbol(x);
  return divides_variables(x) && divides_variables(y);
}

/* Whether `value` is a quotient as it is written, of the loop's variable: split_quotients.c takes
 * it. */
static bool is_written_out(const Split *s, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (tt_divides(op)) return tt_value_eq(mlirOperationGetOperand(op, 0), s->loop.iv);
  return tt_op_is(op, "affine.apply") && divides_variables(mlirAffineMapGetResult(
                                             mlirAffineMapAttrGetValue(tt_op_attr(op, "map")), 0));
}

bool tt_is_of_floats(MlirValue value, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth == 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirTypeIsAFloat(mlirValueGetType(operand)) || tt_is_of_floats(operand, depth - 1))
      return true;
  }
  return false;
}

/* How many pieces of a line a table has; more than MOST_PIECES count as one more. */
static int64_t pieces_of(const int64_t *table, int64_t n) {
  int64_t pieces = 0;
  for (int64_t at = 0; at < n && pieces <= MOST_PIECES; ++pieces)
    at += tt_table_run(table + at, n - at);
  return pieces;
}

/* Whether table[i] - table[0] is (a * i + b) / c for all i. */
static bool is_line(const int64_t *table, int64_t n, int64_t a, int64_t b, int64_t c) {
  bool same = true;
  for (int64_t i = 0; same && i < n; ++i) same = (a * i + b) / c + table[0] == table[i];
  return same;
}

/* The table as (a * i + b) floordiv c; false where it is none. */
static bool as_quotient(MlirContext context, const int64_t *table, int64_t n, MlirAffineExpr *e) {
  enum { MOST = 64 };
  for (int64_t c = 2; c <= MOST && n > 1 && table[n - 1] >= table[0]; ++c) {
    int64_t steep = (table[n - 1] - table[0]) * c / (n - 1);
    for (int64_t a = steep > 0 ? steep - 1 : 0; a <= steep + 1; ++a)
      for (int64_t b = 0; b < c; ++b) {
        if (!is_line(table, n, a, b, c)) continue;
        MlirAffineExpr i = mlirAffineDimExprGet(context, 0),
                       line = mlirAffineAddExprGet(
                           mlirAffineMulExprGet(i, mlirAffineConstantExprGet(context, a)),
                           mlirAffineConstantExprGet(context, b));
        *e = mlirAffineAddExprGet(
            mlirAffineFloorDivExprGet(line, mlirAffineConstantExprGet(context, c)),
            mlirAffineConstantExprGet(context, table[0]));
        return true;
      }
  }
  return false;
}

/* How many steps go before those of a short period, or of a prefix of one; 0 where none do. */
static int64_t head_of(const int64_t *table, int64_t n) {
  for (int64_t head = 1; head < LONGEST_PERIOD && 2 * head < n; ++head) {
    int64_t by, of;
    if (tt_table_period(table + head, n - head, LONGEST_PERIOD, &by) > 0 ||
        2 * tt_table_prefix(table + head, n - head, LONGEST_PERIOD, &of) >= n)
      return head;
  }
  return 0;
}

/* Where a table that floats give is cut so that most of it is a quotient, as one that is clamped at
 * its end or at its start; 0: nowhere. */
static int64_t cut_of_quotient(MlirContext context, const int64_t *table, int64_t n) {
  MlirAffineExpr e;
  for (int64_t m = 1; 2 * m <= n && n <= LONGEST_TABLE; ++m) {
    if (as_quotient(context, table, n - m, &e)) return n - m;
    if (as_quotient(context, table + m, n - m, &e)) return m;
  }
  return 0;
}

/* Deals with an index of which the table is known; whether something has changed. */
static bool settle(const Split *s, MlirValue value) {
  MlirContext context = mlirOperationGetContext(s->loop.op);
  int64_t n = s->loop.extent, by, run = tt_table_run(s->table, n);
  MlirAffineExpr i = mlirAffineDimExprGet(context, 0), e;
  bool floats = tt_is_of_floats(value, DEEPEST);
  if (n == 2 && s->of_core) return cut(&s->loop, 1, 1), true; /* two points are no line */
  if (run == n) {
    int64_t factor = n > 1 ? s->table[1] - s->table[0] : 0;
    e = mlirAffineAddExprGet(mlirAffineMulExprGet(i, mlirAffineConstantExprGet(context, factor)),
                             mlirAffineConstantExprGet(context, s->table[0]));
    return replace(s, value, e), true;
  }
  int64_t period = tt_table_period(s->table, n, LONGEST_PERIOD, &by);
  if (is_plain(s, value) || (period > 0 && !floats && is_written_out(s, value))) return false;
  if (period > 0 && n % period == 0 && by >= 0)
    return replace(s, value, periodic(context, s->table, period, by)), true;
  if (period > 0 && n % period != 0) return cut(&s->loop, n - n % period, period), true;
  if (period == 0 && n <= FEW_STEPS && run == 2 && s->of_core) return cut(&s->loop, 1, 1), true;
  if (period == 0 && pieces_of(s->table, n) <= MOST_PIECES) return cut(&s->loop, run, 1), true;
  int64_t of = 1, prefix = period == 0 ? tt_table_prefix(s->table, n, LONGEST_PERIOD, &of) : 0;
  if (2 * prefix >= n && prefix < n)
    return cut(&s->loop, prefix, of), true; /* as where it is clamped */
  int64_t head = head_of(s->table, n);
  if (head > 0) return cut(&s->loop, head, 1), true; /* as where it is clamped at its start */
  if (floats && as_quotient(context, s->table, n, &e)) return replace(s, value, e), true;
  int64_t at = floats ? cut_of_quotient(context, s->table, n) : 0;
  if (at > 0) return cut(&s->loop, at, 1), true;
  return false;
}

/* The parts of an index that are made of the variable of the loop, and do not follow it; whether
 * one has been dealt with. */
static bool settle_parts(const Split *s, MlirValue value, int depth) {
  int64_t factor;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth == 0) return false;
  MlirValue under = value; /* what was settled before is a cast */
  if (tt_op_is(op, "arith.index_cast")) under = mlirOperationGetOperand(op, 0);
  if ((tt_index_factor(s->arena, value, s->loop.iv, &factor) ||
       tt_index_factor(s->arena, under, s->loop.iv, &factor)) &&
      !tt_is_of_floats(value, DEEPEST))
    return false;
  if (tt_tabulate(value, s->loop.iv, s->loop.extent, s->table)) return settle(s, value);
  bool sum = tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.subi") ||
             tt_op_is(op, "arith.muli") || tt_op_is(op, "arith.index_cast");
  for (intptr_t i = 0; sum && i < mlirOperationGetNumOperands(op); ++i)
    if (settle_parts(s, mlirOperationGetOperand(op, i), depth - 1)) return true;
  return false;
}

static bool settle_indices(Split *s) {
  TtOps all = tt_collect(s->arena, s->loop.op, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    bool store = tt_op_is(all.data[i], "memref.store");
    if (!store && !tt_op_is(all.data[i], "memref.load")) continue;
    s->of_core =
        tt_op_is(tt_defining_op(mlirOperationGetOperand(all.data[i], store)), "memref.alloc");
    for (intptr_t d = 1 + store; d < mlirOperationGetNumOperands(all.data[i]); ++d)
      if (settle_parts(s, mlirOperationGetOperand(all.data[i], d), DEEPEST)) return true;
  }
  return false;
}

/*===- Branches ------------------------------------------------------------------------------===*/

/* Whether `memref` is a buffer of the core, or a tensor that the loop changes: of neither there is
 * a copy with a border. */
static bool is_made_here(const Split *s, MlirValue memref) {
  if (tt_op_is(tt_defining_op(memref), "memref.alloc")) return true;
  TtOps stores = tt_collect(s->arena, s->loop.op, "memref.store");
  for (intptr_t i = 0; i < stores.n; ++i)
    if (tt_value_eq(mlirOperationGetOperand(stores.data[i], 1), memref)) return true;
  return false;
}

/* Whether a branch keeps loads inside of what the core makes: in some steps they would leave it. */
static bool keeps_inside(const Split *s, MlirOperation branch) {
  TtOps loads = tt_collect(s->arena, branch, "memref.load");
  int64_t n = s->loop.extent, *at = tt_arena_alloc(s->arena, (size_t)n * sizeof *at);
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirValue memref = mlirOperationGetOperand(loads.data[i], 0);
    MlirType type = mlirValueGetType(memref);
    if (!is_made_here(s, memref)) continue;
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
      MlirValue index = mlirOperationGetOperand(loads.data[i], d + 1);
      if (mlirShapedTypeIsDynamicDim(type, d) || !tt_tabulate(index, s->loop.iv, n, at)) continue;
      for (int64_t k = 0; k < n; ++k)
        if (at[k] < 0 || at[k] >= mlirShapedTypeGetDimSize(type, d)) return true;
    }
  }
  return false;
}

/* Whether steps that take `branch` and steps that do not are to be loops of their own: where the
 * loop carries numbers and it stores, since its steps have an order, and where it keeps loads
 * inside of a buffer. */
static bool counts(const Split *s, MlirOperation branch) {
  bool stores = tt_collect(s->arena, branch, "memref.store").n > 0;
  if (mlirOperationGetNumResults(s->loop.op) > 0 && stores) return true;
  return keeps_inside(s, branch);
}

/* Cuts a loop where a branch that counts begins or ends to be taken; in the parts it is taken
 * always, or never. */
static bool settle_branches(const Split *s) {
  if (!tt_op_is(s->loop.op, "scf.for")) return false;
  TtOps branches = tt_collect(s->arena, s->loop.op, "scf.if");
  for (intptr_t i = 0; i < branches.n; ++i) {
    MlirValue condition = mlirOperationGetOperand(branches.data[i], 0);
    int64_t n = s->loop.extent, same = 1;
    if (tt_op_is(tt_defining_op(condition), "arith.constant") ||
        !tt_tabulate(condition, s->loop.iv, n, s->table))
      continue;
    while (same < n && s->table[same] == s->table[0]) ++same;
    int64_t changes = 0;
    for (int64_t k = 1; k < n; ++k) changes += s->table[k] != s->table[k - 1];
    if (changes >= MOST_PIECES || (changes > 0 && !counts(s, branches.data[i]))) continue;
    if (changes > 0) return cut(&s->loop, same, 1), true;
    TtBuilder b = tt_builder_before(branches.data[i]);
    MlirLocation loc = mlirOperationGetLocation(branches.data[i]);
    mlirOperationSetOperand(branches.data[i], 0, tt_bool(&b, loc, s->table[0] != 0));
    tt_take_known_branches(s->arena, s->loop.op);
    return true;
  }
  return false;
}

/*===- All -----------------------------------------------------------------------------------===*/

/* Whether a loop goes over elements, and over nothing else. */
static bool is_of_elements(TtArena *arena, MlirOperation loop) {
  TtOps all = tt_collect(arena, loop, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_is(all.data[i], "memref.copy") || tt_op_is(all.data[i], "memref.subview") ||
        tt_is_linalg(all.data[i]))
      return false;
  return true;
}

static bool split_one(TtArena *arena, MlirOperation kernel) {
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i)
    for (intptr_t d = 0; d < tt_num_loop_dims(all.data[i]); ++d) {
      Split s = {.arena = arena};
      if (!tt_loop_dim(all.data[i], d, &s.loop) || s.loop.extent < 1 ||
          s.loop.extent > MOST_STEPS || !is_of_elements(arena, all.data[i]))
        continue;
      s.table = tt_arena_alloc(arena, (size_t)s.loop.extent * sizeof *s.table);
      if (settle_indices(&s) || settle_branches(&s)) return true;
    }
  return false;
}

bool tt_split_ranges(TtArena *arena, MlirOperation kernel) {
  bool any = false;
  for (int round = 0; round < MOST_ROUNDS && split_one(arena, kernel); ++round) any = true;
  if (any) tt_erase_dead(kernel);
  return any;
}
