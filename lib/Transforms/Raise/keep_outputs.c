/*===- keep_outputs.c - --tt-keep-outputs ---------------------------------------------------===
 *
 * A block of a result that ops of a cell write, and others read after that, is a buffer of the core
 * until the cell ends: the tensor itself may be read before it is written only.
 *
 *   before  scf.forall (%h) { %o = subview %O[%h, 0] [1, 64]     after  %b = memref.alloc()
 *             fill %o   for %p { %o += … }   %o = %o / %l }               fill %b  for %p { %b += …
 * } %b = %b / %l copy %b, %o
 *
 * What a step of a loop reads of it that a step before wrote, as in a recurrence over elements, is
 * kept in the same way, where no other cell may write to the block. Sums go on as they are. Where
 * each step has a block of its own, it is kept until the step ends.
 *
 * So are elements that steps change one after the other, as in a branch: a read takes along what
 * lies beside them.
 *
 * What the cell does not overwrite first is copied to the buffer before. Ops may also work on parts
 * of the block, such as a column in each step of a loop, which become parts of the buffer. Requires
 * that loops over elements are raised, and all uses in the cell to be of one block.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/kept_views.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/step_together.h"

enum { MOST_VIEWS = 64 };

static bool reads(MlirOperation op, MlirValue block) {
  if (tt_op_is(op, "memref.copy")) return tt_value_eq(mlirOperationGetOperand(op, 0), block);
  intptr_t inputs = tt_linalg_num_inputs(op);
  MlirBlock body = tt_body(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!tt_value_eq(mlirOperationGetOperand(op, i), block)) continue;
    if (i < inputs) return true;
    bool argument = !mlirBlockIsNull(body) && i < mlirBlockGetNumArguments(body);
    if (argument && tt_has_uses(mlirBlockGetArgument(body, i))) return true;
  }
  return false;
}

static bool writes(MlirOperation op, MlirValue block) {
  if (tt_op_is(op, "memref.copy")) return tt_value_eq(mlirOperationGetOperand(op, 1), block);
  for (intptr_t i = tt_linalg_num_inputs(op); i < mlirOperationGetNumOperands(op); ++i)
    if (tt_value_eq(mlirOperationGetOperand(op, i), block)) return true;
  return false;
}

/* Whether `is` holds of an operand of a user that is the block, or a part of it. */
static bool any_name(const TtKept *k, MlirOperation user, bool (*is)(MlirOperation, MlirValue)) {
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(user); ++j) {
    MlirValue operand = mlirOperationGetOperand(user, j);
    if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), k->tensor) &&
        is(user, operand))
      return true;
  }
  return false;
}

static bool names(MlirOperation op, MlirValue block) {
  return reads(op, block) || writes(op, block);
}

/* Whether the op makes new values of what is there, element by element. */
static bool changes(const TtKept *k, MlirOperation op) {
  return any_name(k, op, reads) && any_name(k, op, writes) && !tt_op_reduces(op);
}

/* Notes the uses of the tensor in the cell; false where they are not all of one block. */
static bool find_uses(TtKept *k) {
  TtOps all = tt_collect(k->arena, mlirBlockGetParentOperation(k->cell), NULL);
  MlirValue views[MOST_VIEWS];
  intptr_t n = 0;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue operand = mlirOperationGetOperand(op, j);
      if (!tt_is_memref(mlirValueGetType(operand)) ||
          !tt_value_eq(tt_view_root(operand), k->tensor))
        continue;
      if (tt_op_is(op, "memref.subview") && tt_value_eq(operand, k->tensor)) break;
      bool known = tt_is_linalg(op) || tt_op_is(op, "memref.copy");
      if (!known || n == MOST_VIEWS) return false;
      views[n++] = operand;
      if (k->users.n == 0 || !tt_op_eq(k->users.data[k->users.n - 1], op))
        tt_ops_add(k->arena, &k->users, op);
    }
  }
  for (intptr_t i = 0; i < n; ++i) {
    bool block = tt_is_of_cell(k, views[i]);
    for (intptr_t j = 0; j < n && block; ++j)
      block = (tt_same_view(k->arena, views[i], views[j]) && tt_is_of_cell(k, views[j])) ||
              tt_is_part_of_block(k, views[i], views[j]);
    if (block) return k->block = views[i], true;
  }
  bool differ = false; /* else each step has its own block, and the tensor may be long */
  for (intptr_t i = 1; i < n; ++i) differ |= !tt_same_view(k->arena, views[0], views[i]);
  for (intptr_t i = 0; i < k->users.n && !differ && n > 0; ++i)
    differ = (changes(k, k->users.data[i]) && tt_begins_at_any_column(k, views[0])) ||
             tt_steps_overlap(k, k->users.data[i], views[0]);
  if (!differ) return n > 0 && tt_is_of_step(k, views[0]) && (k->block = views[0], true);
  k->block = tt_joint_view(k, views, n);
  k->is_joint = !tt_is_null_value(k->block);
  for (intptr_t i = 0; i < n && k->is_joint; ++i)
    if (!tt_is_part_of_block(k, k->block, views[i])) return false;
  return k->is_joint;
}

/* Whether `a` and `b` stand in one loop of the cell, so that a step of one comes after the other's
 * in the step before. */
static bool share_loop(const TtKept *k, MlirOperation a, MlirOperation b) {
  for (MlirOperation p = tt_parent(a); !mlirOperationIsNull(tt_ancestor_in(k->cell, p));
       p = tt_parent(p)) {
    if (!tt_op_is(p, "scf.for")) continue;
    for (MlirOperation q = tt_parent(b); !mlirOperationIsNull(q); q = tt_parent(q))
      if (tt_op_eq(p, q)) return true;
  }
  return false;
}

/* The operand of a user that is the block, under whichever name. */
static MlirValue own_name(const TtKept *k, MlirOperation user) {
  for (intptr_t j = 0; j < mlirOperationGetNumOperands(user); ++j) {
    MlirValue operand = mlirOperationGetOperand(user, j);
    if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), k->tensor))
      return operand;
  }
  return (MlirValue){NULL};
}

/* Whether `op` is a sum onto one place, or onto places that have nothing in common. */
static bool goes_on(const TtKept *k, MlirOperation op) {
  return tt_op_reduces(op) && !tt_steps_overlap(k, op, own_name(k, op));
}

/* Whether the op goes on with one block in steps of a loop that no fill of it comes before. */
static bool goes_on_with_old(const TtKept *k, MlirOperation op) {
  MlirOperation first = k->users.data[0];
  MlirValue block = own_name(k, op);
  if (tt_op_is(first, "linalg.fill") && tt_same_view(k->arena, own_name(k, first), block) &&
      !mlirOperationIsNull(tt_ancestor_in(mlirOperationGetBlock(first), op)))
    return false;
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(tt_ancestor_in(k->cell, p));
       p = tt_parent(p))
    if (tt_op_is(p, "scf.for") && tt_is_same_in(p, block)) return true;
  return false;
}

/* Whether an op reads what another one has written, or what itself has in a step before. A sum onto
 * the block that a fill begins goes on in DST, or in a buffer, as it is, but where its steps have
 * parts that overlap, as windows do that are scattered. */
static bool is_read_again(const TtKept *k) {
  for (intptr_t i = 0; i < k->users.n; ++i)
    for (intptr_t j = 0; j < k->users.n; ++j) {
      MlirOperation w = k->users.data[i], r = k->users.data[j];
      if (!any_name(k, w, writes) || !any_name(k, r, reads) ||
          (tt_op_is(w, "linalg.fill") && tt_op_reduces(r)))
        continue;
      if (i < j || (share_loop(k, w, r) && !(i == j && goes_on(k, w) && !goes_on_with_old(k, w))))
        return true;
    }
  return false;
}

static void copy(TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to) {
  TtOpState s = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, to);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* The block again, at `b`. */
static MlirValue view_at(const TtKept *k, TtBuilder *b) {
  MlirOperation view = tt_defining_op(k->block);
  if (mlirOperationIsNull(view)) return k->block;
  return mlirOperationGetResult(tt_builder_insert(b, mlirOperationClone(view)), 0);
}

/* Adds the sizes of the block that are not constant; false where the view does not say them. */
static bool add_sizes(const TtKept *k, MlirType type, TtOpState *s, int32_t *n) {
  MlirOperation view = tt_defining_op(k->block);
  intptr_t rank = mlirShapedTypeGetRank(type), operand = 1, open = 0;
  for (intptr_t d = 0; d < rank; ++d) open += mlirShapedTypeIsDynamicDim(type, d);
  *n = 0;
  if (open == 0) return true;
  if (!tt_op_is(view, "memref.subview")) return false;
  MlirAttribute offsets = tt_op_attr(view, "static_offsets"),
                sizes = tt_op_attr(view, "static_sizes");
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(offsets); ++d)
    operand += mlirDenseI64ArrayGetElement(offsets, d) == INT64_MIN;
  for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(sizes); ++d) {
    if (mlirDenseI64ArrayGetElement(sizes, d) != INT64_MIN) continue;
    MlirValue size = mlirOperationGetOperand(view, operand++);
    if (tt_index_bound(size) < 0) return false; /* a buffer has room for the most that it may be */
    if (s) tt_op_state_operand(s, size);
    ++*n;
  }
  return *n == open;
}

/* A buffer of more than two sides of which ops take windows goes step by step through the outer
 * ones (step_outer_dims.c): each step of them is whole tiles. */
static MlirValue all_of(TtBuilder *b, MlirLocation loc, MlirValue buffer, MlirType type) {
  MlirValue from[TT_MAX_RANK];
  int64_t sizes[TT_MAX_RANK];
  bool keeps[TT_MAX_RANK];
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    from[d] = tt_index(b, loc, 0), sizes[d] = mlirShapedTypeGetDimSize(type, d), keeps[d] = true;
  return tt_subview(b, loc, buffer, from, sizes, keeps);
}

/* Keeps the block from its first user on, until `end`. */
static void keep(TtKept *k, TtBuilder end) {
  MlirOperation first = tt_ancestor_in(k->cell, k->users.data[0]);
  MlirLocation loc = mlirOperationGetLocation(k->users.data[0]);
  MlirType type = mlirValueGetType(k->block);
  int64_t shape[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  bool tall = k->is_joint && rank > 2 && shape[rank - 2] > 0;
  if (tall) shape[rank - 2] = (shape[rank - 2] + TT_TILE - 1) / TT_TILE * TT_TILE;
  TtBuilder before = tt_builder_before(first);
  TtOpState s = tt_op_state("memref.alloc", loc);
  int32_t sizes;
  add_sizes(k, type, &s, &sizes);
  tt_op_state_attr(&s, before.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(before.context, 2, (int32_t[]){sizes, 0}));
  tt_op_state_result(
      &s, mlirMemRefTypeContiguousGet(
              mlirShapedTypeGetElementType(type), rank, shape,
              mlirAttributeParseGet(before.context, tt_str("#gpu.address_space<private>"))));
  MlirValue buffer = mlirOperationGetResult(tt_builder_insert(&before, tt_op_state_finish(&s)), 0);
  if (tall) buffer = all_of(&before, loc, buffer, type);
  bool overwritten = tt_op_eq(first, k->users.data[0]) && !reads(first, own_name(k, first)) &&
                     tt_same_view(k->arena, k->block, own_name(k, first));
  copy(&end, loc, buffer, view_at(k, &end));
  if (!overwritten) copy(&before, loc, view_at(k, &before), buffer);
  for (intptr_t i = 0; i < k->users.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(k->users.data[i]); ++j) {
      MlirValue operand = mlirOperationGetOperand(k->users.data[i], j);
      if (tt_is_memref(mlirValueGetType(operand)) && tt_value_eq(tt_view_root(operand), k->tensor))
        mlirOperationSetOperand(k->users.data[i], j,
                                tt_part_of_block(k, k->users.data[i], operand, buffer));
    }
}

/* Whether an op that is not in the run writes its block, such as a fill that stands further before.
 */
static bool is_written_beside(const TtKept *k) {
  MlirOperation kernel = k->users.data[0];
  while (!tt_is_function(kernel)) kernel = tt_parent(kernel);
  TtOps all = tt_collect(k->arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    if ((!tt_is_linalg(op) && !tt_op_is(op, "memref.copy")) || !any_name(k, op, writes)) continue;
    bool in_run = false;
    for (intptr_t j = 0; j < k->users.n && !in_run; ++j) in_run = tt_op_eq(op, k->users.data[j]);
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op) && !in_run; ++j)
      if (tt_same_view(k->arena, mlirOperationGetOperand(op, j), k->block)) return true;
  }
  return false;
}

bool tt_keep_run(TtArena *arena, const TtRun *run) {
  bool any = false;
  for (intptr_t i = 0; i < run->n_blocks; ++i) {
    TtKept k = {.arena = arena,
                .cell = mlirOperationGetBlock(run->statements.data[0]),
                .tensor = tt_view_root(run->blocks[i]),
                .block = run->blocks[i]};
    int32_t sizes;
    for (intptr_t j = 0; j < run->ops.n; ++j)
      if (any_name(&k, run->ops.data[j], names)) tt_ops_add(arena, &k.users, run->ops.data[j]);
    if (!is_read_again(&k) || is_written_beside(&k) ||
        !add_sizes(&k, mlirValueGetType(k.block), NULL, &sizes))
      continue;
    keep(&k, tt_builder_after(run->statements.data[run->statements.n - 1]));
    any = true;
  }
  return any;
}

bool tt_keep_from(TtArena *arena, MlirOperation fill) {
  MlirValue block = mlirOperationGetOperand(fill, tt_linalg_num_inputs(fill));
  TtKept k = {.arena = arena,
              .cell = mlirOperationGetBlock(fill),
              .tensor = tt_view_root(block),
              .block = block};
  int32_t sizes;
  MlirOperation last = fill;
  TtOps all = tt_collect(arena, mlirBlockGetParentOperation(k.cell), NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i], at = tt_ancestor_in(k.cell, op);
    bool uses = false;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue operand = mlirOperationGetOperand(op, j);
      if (!tt_is_memref(mlirValueGetType(operand)) ||
          !tt_value_eq(tt_view_root(operand), k.tensor) || tt_op_is(op, "memref.subview") ||
          tt_op_is(op, "memref.dim") || mlirOperationIsNull(at) || tt_is_before(at, fill))
        continue;
      if ((!tt_is_linalg(op) && !tt_op_is(op, "memref.copy")) ||
          !tt_same_view(arena, operand, block))
        return false;
      uses = true;
    }
    if (uses) tt_ops_add(arena, &k.users, op), last = at;
  }
  if (k.users.n < 2 || !add_sizes(&k, mlirValueGetType(block), NULL, &sizes)) return false;
  keep(&k, tt_builder_after(last));
  return true;
}

/* Whether what ops do with a wide block is one run, which may go over it in parts later on, with
 * less to keep (--tt-step-wide-blocks). */
static bool is_wide_run(TtKept *k) {
  TtRun all;
  if (!tt_is_wide(mlirValueGetType(k->block)) || !tt_run_of(k->arena, k->users.data[0], &all) ||
      !all.in_loop)
    return false;
  intptr_t of_it = 0;
  for (intptr_t i = 0; i < all.ops.n; ++i) of_it += any_name(k, all.ops.data[i], names);
  return of_it == k->users.n;
}

static bool run(TtArena *arena, MlirOperation kernel) {
  tt_part_runs(arena, kernel);
  TtArgs args = tt_kernel_args(arena, kernel);
  TtOps grids = tt_collect(arena, kernel, "scf.forall");
  for (intptr_t i = 0; i < args.n; ++i) {
    if (!args.data[i].is_tensor || !args.data[i].written) continue;
    for (intptr_t g = 0; g < (grids.n ? grids.n : 1); ++g) {
      TtKept k = {.arena = arena,
                  .cell = tt_body(grids.n ? grids.data[g] : kernel),
                  .tensor = args.data[i].value};
      int32_t sizes;
      if (find_uses(&k) && is_read_again(&k) && !is_wide_run(&k) &&
          add_sizes(&k, mlirValueGetType(k.block), NULL, &sizes) &&
          mlirShapedTypeGetRank(mlirValueGetType(k.block)) <= TT_MAX_RANK)
        keep(&k, tt_builder_before(mlirBlockGetTerminator(k.cell)));
      if (k.is_joint) mlirOperationDestroy(tt_defining_op(k.block)); /* clones are used */
    }
  }
  return true;
}

bool tt_run_keep_outputs(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
