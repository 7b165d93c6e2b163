/*===- check_elements.c - --tt-check-elements -----------------------------------------------===
 *
 * Steps of a grid over elements run in no order, and those of one block become steps of one
 * core's loops, which have one. So a store that another step overwrites, or a load of what another
 * step stores, is refused before that is made:
 *
 *   scf.parallel (%i, %j) = (0, 0) to (64, 96) {
 *     %c = load %C[%i]
 *     store (%c + load %X[%i, %j]), %C[%i]           %j does not tell where C is written: an error
 *   }
 *
 * Where that cannot be decided, as where a list says what is written, it is a warning. Atomic ops
 * are what they are for, and counted loops in a step have an order. Parallel loops inside of a
 * cell, whose steps one core takes one after the other, are refused for the same, since they give
 * something else wherever threads take them; but steps may store what does not differ between them.
 * So are those of ops on blocks in such loops (check_blocks.c), also of a buffer that has two
 * names: loops carry it, or a branch or a select gives it (Analysis/buffer_names.c).
 * Cells that write blocks are for --tt-layout-aware-work-partition, which asks the same.
 *
 * Requires nothing; loops, loads and stores of the affine dialect become those of scf and memref.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Analysis/same_element.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/affine_loops.h"
#include "Transforms/Raise/check_blocks.h"
#include "Transforms/Raise/check_ops.h"

#include <string.h>

/* Pairs of ops that are looked at in one kernel. */
enum { MAX_PAIRS = 1000 };

typedef struct Check {
  TtArena *arena;
  MlirOperation kernel, grid;
  bool inner; /* the parallel loop is in a cell */
  MlirOperation write, other;
} Check;

static MlirValue memref_of(MlirOperation access) {
  return mlirOperationGetOperand(access, tt_op_is(access, "memref.store"));
}

const char *tt_list_text(TtArena *arena, const char *ends, const int64_t *x, intptr_t n) {
  char *text = tt_arena_printf(arena, "%c", ends[0]);
  for (intptr_t i = 0; i < n; ++i)
    text = tt_arena_printf(arena, "%s%s%jd", text, i ? ", " : "", (intmax_t)x[i]);
  return tt_arena_printf(arena, "%s%c", text, ends[1]);
}

static const char *name_of(const Check *check) {
  const TtArg *arg =
      tt_arg_of(tt_kernel_args(check->arena, check->kernel), memref_of(check->write));
  return arg ? arg->name : "the buffer";
}

static const char *message_of(const Check *check, bool writes) {
  if (check->inner)
    return writes ? "two steps of this parallel loop write the same element: %s and %s both write "
                    "%s, in no order; make it an scf.for, which has one, or memref.atomic_rmw for "
                    "a sum"
                  : "one step of this parallel loop writes what another one reads: %s writes %s, "
                    "and %s reads it, in no order; make it an scf.for, which has one, or two loops "
                    "with a buffer between them";
  return writes ? "two cells of the grid write the same element: %s and %s both write %s, in "
                  "no order; let one cell do all of it (a sum over a dimension of the grid becomes "
                  "an scf.for inside of the cell, or memref.atomic_rmw)"
                : "one cell of the grid writes what another one reads: %s writes %s, and %s "
                  "reads it, in no order; write to another tensor, or make it two grids";
}

static bool report(const Check *check, const TtSameElement *same) {
  intptr_t dims = mlirBlockGetNumArguments(tt_body(check->grid));
  const char *a = tt_list_text(check->arena, "()", same->step[0], dims),
             *b = tt_list_text(check->arena, "()", same->step[1], dims),
             *place = tt_arena_printf(
                 check->arena, "%s%s", name_of(check),
                 tt_list_text(check->arena, "[]", same->element, tt_rank_of_access(check->write)));
  bool writes = tt_op_is(check->other, "memref.store");
  MlirLocation where = mlirOperationGetLocation(check->other);
  const char *note = writes ? "and it is written here" : "and it is read here";
  return tt_error_with_notes(check->write, tt_op_eq(check->write, check->other) ? 0 : 1, &where,
                             &note, message_of(check, writes), a, writes ? b : place,
                             writes ? place : b);
}

/* Notes that it was said that cells may meet in a tensor, tt.may_meet, for those that ask again. */
static void note_warning(const Check *check) {
  if (!tt_arg_of(tt_kernel_args(check->arena, check->kernel), memref_of(check->write))) return;
  MlirAttribute before = tt_get_attr(check->kernel, "tt.may_meet");
  intptr_t n = mlirAttributeIsNull(before) ? 0 : mlirArrayAttrGetNumElements(before);
  const char **names = tt_arena_alloc(check->arena, (size_t)(n + 1) * sizeof *names);
  for (intptr_t i = 0; i < n; ++i) {
    names[i] = tt_arena_str(check->arena, tt_string(mlirArrayAttrGetElement(before, i)));
    if (strcmp(names[i], name_of(check)) == 0) return;
  }
  names[n] = name_of(check);
  tt_set_attr(check->kernel, "tt.may_meet",
              tt_strings_attr(check->arena, mlirOperationGetContext(check->kernel), n + 1, names));
}

static void warn(const Check *check) {
  if (!check->inner && tt_op_is(check->other, "memref.store")) note_warning(check);
  const char *steps = check->inner ? "steps of this parallel loop" : "cells of the grid";
  if (tt_op_is(check->other, "memref.store"))
    tt_warning(check->write,
               "cannot tell whether two %s meet here in %s: where they write is "
               "made of what is not known before it runs; which one is last is not said",
               steps, name_of(check));
  else
    tt_warning(check->write,
               "cannot tell whether %s read what others write here in %s: that is "
               "made of what is not known before it runs; which one is first is not said",
               steps, name_of(check));
}

static bool starts_with(MlirOperation op, const char *prefix) {
  MlirStringRef name = tt_op_name(op);
  return name.length > strlen(prefix) && memcmp(name.data, prefix, strlen(prefix)) == 0;
}

/* Whether `root` is no other one under another name: a tensor, or a buffer. */
static bool is_known_root(const Check *check, MlirValue root) {
  if (mlirValueIsABlockArgument(root))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(root), tt_body(check->kernel));
  return tt_op_is(tt_defining_op(root), "memref.alloc") ||
         tt_op_is(tt_defining_op(root), "memref.alloca");
}

/* Whether its users are seen as those of what it is of. */
static bool is_view(MlirOperation op) {
  MlirValue result =
      mlirOperationGetNumResults(op) == 1 ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
  return !tt_is_null_value(result) && tt_is_memref(mlirValueGetType(result)) &&
         !tt_value_eq(tt_view_root(result), result);
}

/* Whether the loop does more than load from what `memref` is of. */
static bool is_changed(const Check *check, MlirValue memref) {
  MlirValue of = tt_view_root(memref);
  TtOps all = tt_collect(check->arena, check->grid, NULL);
  bool changed = !is_known_root(check, of);
  for (intptr_t i = 0; i < all.n && !changed; ++i) {
    MlirOperation op = all.data[i];
    if (tt_op_is(op, "memref.load") || tt_op_is(op, "memref.dim") || is_view(op)) continue;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue root = mlirOperationGetOperand(op, j);
      if (!tt_is_memref(mlirValueGetType(root))) continue;
      root = tt_view_root(root);
      changed |= tt_value_eq(root, of) || !is_known_root(check, root);
    }
  }
  return changed;
}

/* Whether `value` is the same in all steps of the loop: it is computed of such values alone, or
 * loaded, at such indices, from what no step changes. */
static bool is_alike(const Check *check, MlirValue value, int depth) {
  enum { DEEPEST = 10 };
  if (!tt_is_defined_in(check->grid, value)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth == DEEPEST) return false;
  bool known = starts_with(op, "arith.") || starts_with(op, "math.") ||
               tt_op_is(op, "affine.apply") || tt_op_is(op, "affine.min") ||
               tt_op_is(op, "affine.max") || tt_op_is(op, "memref.subview") ||
               (tt_op_is(op, "memref.load") && !is_changed(check, memref_of(op)));
  for (intptr_t i = 0; known && i < mlirOperationGetNumOperands(op); ++i)
    known = is_alike(check, mlirOperationGetOperand(op, i), depth + 1);
  return known;
}

/* Whether all steps of the loop store what is the same in all of them. */
static bool stores_alike(const Check *check) {
  MlirValue value = mlirOperationGetOperand(check->write, 0);
  return tt_op_is(check->other, "memref.store") &&
         tt_value_eq(value, mlirOperationGetOperand(check->other, 0)) && is_alike(check, value, 0);
}

/* False after an error. */
static bool check_pair(const Check *check) {
  TtSameElement same;
  if (check->inner && stores_alike(check)) return true;
  switch (tt_same_element_of_steps(check->arena, check->grid, check->write, check->other, &same)) {
  case TT_MEET: return report(check, &same);
  case TT_MAY_MEET: return warn(check), true;
  default: return true;
  }
}

/* Loads and stores in a grid of what lies outside of it. */
static TtOps accesses_of(TtArena *arena, MlirOperation grid) {
  TtOps all = tt_collect(arena, grid, NULL), found = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if ((tt_op_is(all.data[i], "memref.store") ||
         (tt_op_is(all.data[i], "memref.load") &&
          tt_has_uses(mlirOperationGetResult(all.data[i], 0)))) &&
        !tt_is_defined_in(grid, memref_of(all.data[i])))
      tt_ops_add(arena, &found, all.data[i]);
  return found;
}

/* Writes with writes first, then with reads. False after an error. */
static bool check_grid(TtArena *arena, MlirOperation kernel, MlirOperation grid, bool inner) {
  TtOps all = accesses_of(arena, grid);
  intptr_t pairs = 0;
  for (int reads = 0; reads < 2; ++reads)
    for (intptr_t i = 0; i < all.n; ++i)
      for (intptr_t j = reads ? 0 : i; j < all.n && tt_op_is(all.data[i], "memref.store"); ++j) {
        Check check = {arena, kernel, grid, inner, all.data[i], all.data[j]};
        if (tt_op_is(check.other, reads ? "memref.store" : "memref.load") ||
            !tt_value_eq(memref_of(check.write), memref_of(check.other)))
          continue;
        if (++pairs > MAX_PAIRS) {
          tt_warning(grid, "so many elements are touched in a step that not all pairs of them were "
                           "checked for steps that meet");
          return true;
        }
        if (!check_pair(&check)) return false;
      }
  return true;
}

static bool is_parallel(MlirOperation op) {
  return tt_op_is(op, "scf.parallel") || tt_op_is(op, "affine.parallel") ||
         tt_op_is(op, "scf.forall");
}

static bool check_kernel(TtArena *arena, MlirOperation kernel) {
  tt_raise_affine(arena, kernel);
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    bool inner = !tt_op_eq(tt_parent(op), kernel);
    if (tt_is_linalg(op) && !tt_check_op(op)) return false;
    if (is_parallel(op) && mlirBlockGetNumArguments(tt_body(op)) <= TT_PARALLEL_DIMS &&
        (!check_grid(arena, kernel, op, inner) || (inner && !tt_check_blocks(arena, kernel, op))))
      return false;
  }
  return true;
}

bool tt_run_check_elements(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, check_kernel);
}
