/*===- split_guarded.c - what few cells of a grid over elements store, as a grid ----------------===
 *
 * A part of --tt-raise-loops. Cells become blocks of elements, of which each would write what one
 * of all cells writes by itself. So that is a grid of its own:
 *
 *   before  scf.parallel (%i, %j) = (0, 0) to (64, 96) {
 *             store (exp %x), %Z[%i, %j]
 *             scf.if (%j == 3) { store %x, %Y[%i] } }
 *   after   scf.parallel (%i, %j) = (0, 0) to (64, 96) { store (exp %x), %Z[%i, %j] }
 *           scf.parallel (%i, %j) = (0, 3) to (64, 4)  { store %x, %Y[%i] }
 *
 * Cells that move what a tensor holds, and then read what they have made of it, are two grids: the
 * first one reads a copy (copy_before.c), which the second one may not.
 *
 *   before  scf.parallel (%d) { store load %S[%d, 1], %S[%d, 0]   store load %S[%d, 0], %Y[%d] }
 *   after   scf.parallel (%d) { store load %S[%d, 1], %S[%d, 0] }
 *           scf.parallel (%d) { store load %S[%d, 0], %Y[%d] }
 *
 * Which variables the branch leaves one value is a question of integer points. Its grid is behind
 * that of the rest, or before, where one touches what the other stores: as it is in a cell.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/split_guarded.h"

#include "Analysis/constraints.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_value.h"
#include "Analysis/kernel.h"
#include "Analysis/same_element.h"
#include "Transforms/Raise/loop_dims.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

typedef struct Split {
  TtArena *arena;
  MlirOperation grid, branch;
  intptr_t dims;
  bool first; /* the branch becomes the grid before, not behind */
  bool pinned[TT_PARALLEL_DIMS];
  int64_t at[TT_PARALLEL_DIMS];
} Split;

static MlirValue memref_of(MlirOperation access) {
  return tt_view_root(mlirOperationGetOperand(access, tt_op_is(access, "memref.store")));
}

/* Whether `op` ends the body of a loop: scf.yield, scf.reduce, scf.forall.in_parallel. */
static bool ends(MlirOperation op) { return mlirOperationIsNull(tt_next(op)); }

/*===- Whether a branch may be a grid
 * ----------------------------------------------------------===*/

static bool starts_with(MlirOperation op, const char *dialect) {
  MlirStringRef name = tt_op_name(op);
  size_t n = strlen(dialect);
  return name.length > n && memcmp(name.data, dialect, n) == 0;
}

/* Whether an op only computes, or loads. */
static bool computes(MlirOperation op) {
  static const char *const names[] = {"memref.load", "memref.dim", "scf.for",
                                      "scf.if",      "scf.yield",  "affine.apply",
                                      "affine.min",  "affine.max", "memref.subview"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return starts_with(op, "arith.") || starts_with(op, "math.");
}

static bool all_compute(TtArena *arena, MlirOperation op, bool stores) {
  TtOps inner = tt_collect(arena, op, NULL);
  bool all = computes(op);
  for (intptr_t i = 0; i < inner.n; ++i)
    all = all && (computes(inner.data[i]) || (stores && tt_op_is(inner.data[i], "memref.store")));
  return all;
}

/* Whether all that stands in the grid are numbers, stores, and loops and branches around them, and
 * what is no part of what the branch computes gives nothing on. */
static bool is_simple(const Split *s) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(s->grid)); !ends(op);
       op = tt_next(op)) {
    if (!tt_op_is(op, "memref.store") && !all_compute(s->arena, op, true)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (!all_compute(s->arena, op, false) && tt_has_uses(mlirOperationGetResult(op, i)))
        return false;
  }
  return mlirOperationGetNumResults(s->branch) == 0 &&
         mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(s->branch, 1)));
}

static bool is_in_branch(const Split *s, MlirOperation op) {
  return tt_op_eq(tt_ancestor_in(mlirOperationGetBlock(s->branch), op), s->branch);
}

/* Whether `op`, outside of the branch, is done before it in each cell, and what it loads does not
 * go into the branch. */
static bool goes_before(const Split *s, MlirOperation op) {
  MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(s->branch), op);
  bool apart = mlirOperationGetNumResults(at) == 0;
  while (!mlirOperationIsNull(at) && !tt_op_eq(at, s->branch)) at = tt_next(at);
  return apart && !mlirOperationIsNull(at);
}

static bool follows(const Split *s, MlirOperation op) {
  MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(s->branch), op);
  while (!mlirOperationIsNull(at) && !tt_op_eq(at, s->branch)) at = tt_next(at);
  return mlirOperationIsNull(at);
}

/* Whether the branch may touch `store`'s tensor behind all cells, or before, as `other` does. */
static bool is_in_order(const Split *s, MlirOperation store, MlirOperation other) {
  bool own = is_in_branch(s, store), inside = is_in_branch(s, other);
  if (own && inside) return true;
  if (!own && !inside && tt_op_is(other, "memref.store")) return true;
  if (s->first) return follows(s, own ? other : store);
  return goes_before(s, own || !inside ? other : store);
}

/* Whether that is so of all that is stored, and all of it is a tensor's. */
static bool is_apart(const Split *s) {
  TtOps all = tt_collect(s->arena, s->grid, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation store = all.data[i];
    if (!tt_op_is(store, "memref.store")) continue;
    MlirValue memref = memref_of(store);
    if (tt_is_defined_in(s->grid, memref) || !mlirValueIsABlockArgument(memref)) return false;
    for (intptr_t j = 0; j < all.n; ++j) {
      MlirOperation other = all.data[j];
      bool touches = tt_op_is(other, "memref.load") || tt_op_is(other, "memref.store");
      if (touches && tt_value_eq(memref_of(other), memref) && !is_in_order(s, store, other))
        return false;
    }
  }
  return true;
}

/* Finds the variables of the grid that have one value in the branch. */
static bool pin(Split *s) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(s->branch, 0));
  TtConstraints c = tt_constraints(s->arena, s->grid);
  TtLinear iv[TT_PARALLEL_DIMS];
  int64_t x[TT_MAX_COLUMNS];
  bool some = false;
  for (intptr_t d = 0; d < s->dims; ++d)
    iv[d] = tt_linear_of(&c, mlirBlockGetArgument(tt_body(s->grid), d), 0);
  tt_require_conditions(&c, mlirBlockGetFirstOperation(block), 0);
  if (c.overflow || !tt_solve(&c, x)) return false;
  for (intptr_t d = 0; d < s->dims; ++d) {
    s->at[d] = tt_linear_at(&c, &iv[d], x), s->pinned[d] = true;
    for (int sign = -1; sign <= 1; sign += 2) {
      TtConstraints other = c;
      TtLinear least = {.constant = -1 - sign * s->at[d]};
      tt_require(&other, tt_linear_add(least, iv[d], sign));
      if (tt_solve(&other, x)) s->pinned[d] = false;
    }
    some |= s->pinned[d];
  }
  return some;
}

/* Whether a store in the branch goes to where one of the pinned variables does not tell. */
static bool gains(const Split *s) {
  TtOps stores = tt_collect(s->arena, s->branch, "memref.store");
  for (intptr_t d = 0; d < s->dims; ++d)
    for (intptr_t i = 0; s->pinned[d] && i < stores.n; ++i) {
      bool tells = false;
      for (intptr_t k = 0; k < tt_rank_of_access(stores.data[i]); ++k)
        tells |= tt_value_eq(tt_index_of_access(stores.data[i], k),
                             mlirBlockGetArgument(tt_body(s->grid), d));
      if (!tells) return true;
    }
  return false;
}

/*===- The grid of its own
 * ---------------------------------------------------------------------===*/

static void set_number(MlirOperation loop, const char *name, intptr_t d, int64_t value) {
  MlirAttribute all = tt_op_attr(loop, name);
  int64_t numbers[TT_PARALLEL_DIMS];
  intptr_t n = mlirDenseArrayGetNumElements(all);
  for (intptr_t i = 0; i < n; ++i) numbers[i] = mlirDenseI64ArrayGetElement(all, i);
  numbers[d] = value;
  mlirOperationSetInherentAttributeByName(
      loop, tt_str(name), mlirDenseI64ArrayGet(mlirOperationGetContext(loop), n, numbers));
}

/* Whether the loop has a step of variable `d` at `value` for sure: between constants, or the first
 * of open sizes, which are not zero. */
static bool has_step(MlirOperation loop, intptr_t d, int64_t value) {
  int64_t lower, upper;
  intptr_t dims = mlirBlockGetNumArguments(tt_body(loop));
  TtLoopDim own;
  if (tt_op_is(loop, "affine.parallel"))
    return tt_loop_dim(loop, d, &own) && value >= 0 && value < own.extent;
  if (tt_op_is(loop, "scf.forall")) {
    static const char *const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
    for (int i = 0; i < 3; ++i)
      if (mlirDenseI64ArrayGetElement(tt_op_attr(loop, names[i]), d) == INT64_MIN) return false;
    return true;
  }
  return tt_op_is(loop, "scf.parallel") && tt_constant(mlirOperationGetOperand(loop, d), &lower) &&
         (value == lower ||
          (value > lower && tt_constant(mlirOperationGetOperand(loop, dims + d), &upper) &&
           value < upper));
}

/* One step of variable `d`, at `value`, which stands for it by now. */
static void set_bounds(MlirOperation loop, intptr_t d, int64_t value) {
  TtLoopDim own;
  if (tt_op_is(loop, "affine.parallel")) {
    if (tt_loop_dim(loop, d, &own)) tt_set_extent(&own, 1);
    return;
  }
  if (tt_op_is(loop, "scf.forall")) {
    set_number(loop, "staticLowerBound", d, value);
    set_number(loop, "staticUpperBound", d, value + 1);
    set_number(loop, "staticStep", d, 1);
    return;
  }
  TtBuilder b = tt_builder_before(loop);
  MlirLocation loc = mlirOperationGetLocation(loop);
  intptr_t dims = mlirBlockGetNumArguments(tt_body(loop));
  mlirOperationSetOperand(loop, d, tt_index(&b, loc, value));
  mlirOperationSetOperand(loop, dims + d, tt_index(&b, loc, value + 1));
  mlirOperationSetOperand(loop, 2 * dims + d, tt_index(&b, loc, 1));
}

/* Takes what is in `branch` out of it, where its condition holds in all steps that are left. */
static void open_branch(MlirOperation branch, const TtKnown *known) {
  int64_t holds;
  if (!tt_index_value(known, mlirOperationGetOperand(branch, 0), &holds) || !holds) return;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !ends(op); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, branch);
  }
  mlirOperationDestroy(branch);
}

static void split(const Split *s) {
  MlirOperation copy = mlirOperationClone(s->grid), branch = {NULL};
  (s->first ? mlirBlockInsertOwnedOperationBefore
            : mlirBlockInsertOwnedOperationAfter)(mlirOperationGetBlock(s->grid), s->grid, copy);
  MlirOperation from = mlirBlockGetFirstOperation(tt_body(s->grid));
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(copy)), next; !ends(op);
       op = next, from = tt_next(from)) {
    next = tt_next(op);
    if (tt_op_eq(from, s->branch)) branch = op;
    else if (!all_compute(s->arena, op, false)) mlirOperationDestroy(op);
  }
  TtKnown known = {.n = 0};
  TtBuilder b = tt_builder_before(copy);
  for (intptr_t d = 0; d < s->dims; ++d) {
    if (!s->pinned[d]) continue;
    known.values[known.n] = tt_index(&b, mlirOperationGetLocation(copy), s->at[d]);
    known.at[known.n] = s->at[d];
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(tt_body(copy), d), known.values[known.n++]);
    set_bounds(copy, d, s->at[d]);
  }
  open_branch(branch, &known);
  mlirOperationDestroy(s->branch);
  tt_erase_dead(copy);
  tt_erase_dead(s->grid);
  if (tt_collect(s->arena, s->grid, "memref.store").n == 0) mlirOperationDestroy(s->grid);
}

/* Makes the branch a grid where that may be; whether nothing else is left. */
static bool split_off(Split *s) {
  TtArena *arena = s->arena;
  intptr_t stores = tt_collect(arena, s->branch, "memref.store").n;
  if (stores == 0 || !is_simple(s) || !is_apart(s) || !pin(s)) return false;
  for (intptr_t d = 0; d < s->dims; ++d) s->pinned[d] &= has_step(s->grid, d, s->at[d]);
  if (!gains(s)) return false;
  bool last = tt_collect(arena, s->grid, "memref.store").n == stores;
  split(s);
  return last;
}

static TtOps branches_of(const Split *s) {
  TtOps branches = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(s->grid)); !ends(op); op = tt_next(op))
    if (tt_op_is(op, "scf.if")) tt_ops_add(s->arena, &branches, op);
  return branches;
}

void tt_split_guarded(TtArena *arena, MlirOperation grid) {
  Split s = {.arena = arena, .grid = grid, .dims = mlirBlockGetNumArguments(tt_body(grid))};
  if (s.dims > TT_PARALLEL_DIMS || mlirOperationGetNumResults(grid) > 0) return;
  for (int first = 0; first < 2; ++first) {
    TtOps branches = branches_of(&s);
    s.first = first;
    for (intptr_t i = 0; i < branches.n; ++i) { /* next to the grid, in their own order */
      s.branch = branches.data[first ? i : branches.n - 1 - i];
      if (split_off(&s)) return;
    }
  }
}

/*===- What moves elements, and reads them then ----------------------------------------------===*/

static bool is_access(MlirOperation op) {
  return tt_op_is(op, "memref.load") || tt_op_is(op, "memref.store");
}

/* Whether two accesses of one tensor are provably of one element. */
static bool same_place(TtArena *arena, MlirOperation a, MlirOperation b) {
  for (intptr_t d = 0; d < tt_rank_of_access(a); ++d)
    if (!tt_same_index(arena, tt_index_of_access(a, d), tt_index_of_access(b, d))) return false;
  return true;
}

/* Whether `all` before `end`, an op of the grid, have a store to what `load` is of, and one that
 * moves it. */
static bool reads_moved(TtArena *arena, const TtOps *all, intptr_t end, MlirOperation load) {
  MlirValue memref = memref_of(load);
  for (intptr_t i = 0; i < end; ++i)
    for (intptr_t j = 0; j < end; ++j) {
      MlirOperation from = all->data[i], to = all->data[j];
      if (tt_op_is(from, "memref.load") && tt_op_is(to, "memref.store") &&
          tt_value_eq(memref_of(from), memref) && tt_value_eq(memref_of(to), memref) &&
          mlirValueIsABlockArgument(memref) && !same_place(arena, from, to))
        return true;
    }
  return false;
}

/* The op of the grid's body that begins what is to be a grid of its own; or null. */
static MlirOperation second_part(const Split *s) {
  TtOps before = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(s->grid)); !ends(op);
       op = tt_next(op)) {
    TtOps own = tt_collect(s->arena, op, NULL);
    intptr_t end = before.n;
    tt_ops_add(s->arena, &own, op);
    for (intptr_t i = 0; i < own.n; ++i)
      if (tt_op_is(own.data[i], "memref.load") && reads_moved(s->arena, &before, end, own.data[i]))
        return op;
    for (intptr_t i = 0; i < own.n; ++i)
      if (is_access(own.data[i])) tt_ops_add(s->arena, &before, own.data[i]);
  }
  return (MlirOperation){NULL};
}

/* Whether all is numbers and stores, what gives numbers stores nothing, and, before `second`, loads
 * nothing that the grid stores. */
static bool may_repeat(const Split *s, MlirOperation second) {
  bool behind = false;
  TtOps stores = tt_collect(s->arena, s->grid, "memref.store");
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(s->grid)); !ends(op);
       op = tt_next(op)) {
    if (!tt_op_is(op, "memref.store") && !all_compute(s->arena, op, true)) return false;
    behind |= tt_op_eq(op, second);
    if (mlirOperationGetNumResults(op) == 0) continue;
    TtOps own = tt_collect(s->arena, op, NULL);
    tt_ops_add(s->arena, &own, op);
    for (intptr_t i = 0; i < own.n; ++i) {
      if (tt_op_is(own.data[i], "memref.store")) return false;
      for (intptr_t j = 0; !behind && tt_op_is(own.data[i], "memref.load") && j < stores.n; ++j)
        if (tt_value_eq(memref_of(stores.data[j]), memref_of(own.data[i]))) return false;
    }
  }
  return true;
}

void tt_split_moves(TtArena *arena, MlirOperation grid) {
  Split s = {.arena = arena, .grid = grid};
  MlirOperation second = second_part(&s);
  if (mlirOperationIsNull(second) || mlirOperationGetNumResults(grid) > 0 ||
      !may_repeat(&s, second))
    return;
  MlirOperation copy = mlirOperationClone(grid);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(grid), grid, copy);
  bool behind = false;
  MlirOperation op = mlirBlockGetFirstOperation(tt_body(grid)),
                other = mlirBlockGetFirstOperation(tt_body(copy));
  for (MlirOperation next, other_next; !ends(op); op = next, other = other_next) {
    next = tt_next(op), other_next = tt_next(other);
    behind |= tt_op_eq(op, second);
    if (mlirOperationGetNumResults(op) == 0) mlirOperationDestroy(behind ? op : other);
  }
  tt_erase_dead(grid);
  tt_erase_dead(copy);
}
