/*===- check_blocks.c - steps of a parallel loop in a cell that meet in blocks ------------------===
 *
 * A part of --tt-check-elements: one core takes the steps one after the other, which hides that
 * they have no order.
 *
 *   scf.forall (%b) in (8) {
 *     scf.parallel (%t) = (0) to (4) {
 *       linalg.matmul ins(A[%b, %t], B[%t]) outs(C[%b])     four steps add to one block: an error
 *     }
 *   }
 *
 * Steps may write what does not differ between them, and read that after they have written it. What
 * loops carry and branches choose may be one buffer under two names (Analysis/buffer_names.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/check_blocks.h"

#include "Analysis/buffer_names.h"
#include "Analysis/kernel.h"
#include "Analysis/same_block.h"
#include "Transforms/Raise/check_ops.h"

/* Pairs of ops that are looked at in one loop. */
enum { MAX_PAIRS = 1000 };

typedef struct Accesses {
  TtBlockAccess *data;
  intptr_t n;
} Accesses;

typedef struct Check {
  TtArena *arena;
  MlirOperation kernel, loop;
  const TtBlockAccess *write, *other;
} Check;

/*===- What is touched -----------------------------------------------------------------------===*/

/* A memref that is not the step's own. */
static void add(TtArena *arena, Accesses *all, MlirOperation loop, MlirOperation op, MlirValue view,
                bool writes) {
  if (!tt_is_memref(mlirValueGetType(view)) || tt_is_own_buffer(arena, loop, view)) return;
  all->data[all->n++] = (TtBlockAccess){op, view, writes};
}

static Accesses accesses_of(TtArena *arena, MlirOperation loop) {
  TtOps ops = tt_collect(arena, loop, NULL);
  intptr_t room = 1;
  for (intptr_t i = 0; i < ops.n; ++i) room += mlirOperationGetNumOperands(ops.data[i]);
  Accesses all = {tt_arena_alloc(arena, (size_t)room * sizeof(TtBlockAccess)), 0};
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    intptr_t n = mlirOperationGetNumOperands(op);
    if (tt_op_is(op, "memref.load")) {
      add(arena, &all, loop, op, mlirOperationGetOperand(op, 0), false);
    } else if (tt_op_is(op, "memref.store")) {
      add(arena, &all, loop, op, mlirOperationGetOperand(op, 1), true);
    } else if (tt_op_is(op, "memref.copy")) {
      for (intptr_t k = 0; k < 2; ++k)
        add(arena, &all, loop, op, mlirOperationGetOperand(op, k), k == 1);
    } else if (tt_is_linalg(op)) {
      intptr_t inputs = tt_linalg_num_inputs(op);
      for (intptr_t k = 0; k < n; ++k)
        if (k >= inputs || tt_takes_operand(op, k))
          add(arena, &all, loop, op, mlirOperationGetOperand(op, k), k >= inputs);
    }
  }
  return all;
}

/* Whether the op that writes puts the same there in all steps, whatever was there. */
static bool writes_alike(const Check *check) {
  MlirOperation op = check->write->op;
  bool alike = tt_op_is(op, "memref.copy") || tt_is_linalg(op);
  for (intptr_t i = 0; alike && i < mlirOperationGetNumOperands(op); ++i) {
    alike = tt_is_same_in_steps(check->loop, mlirOperationGetOperand(op, i));
    if (tt_is_linalg(op) && i >= tt_linalg_num_inputs(op))
      alike = alike && !tt_takes_operand(op, i);
  }
  TtOps inner = tt_collect(check->arena, op, NULL);
  for (intptr_t i = 0; i < inner.n; ++i)
    for (intptr_t k = 0; alike && k < mlirOperationGetNumOperands(inner.data[i]); ++k) {
      MlirValue value = mlirOperationGetOperand(inner.data[i], k);
      alike = tt_is_defined_in(op, value) || tt_is_same_in_steps(check->loop, value);
    }
  return alike;
}

/* Whether each step has written before it reads. */
static bool writes_first(const Check *check) {
  MlirOperation reader = tt_ancestor_in(mlirOperationGetBlock(check->write->op), check->other->op);
  return !mlirOperationIsNull(reader) && !tt_op_eq(reader, check->write->op) &&
         tt_is_before(check->write->op, reader);
}

/*===- What is said --------------------------------------------------------------------------===*/

static const char *name_of(const Check *check) {
  const TtArg *arg = tt_arg_of(tt_kernel_args(check->arena, check->kernel), check->write->view);
  return arg ? arg->name : "the buffer";
}

static bool report(const Check *check, MlirValue seen, const TtSameElement *same) {
  intptr_t dims = mlirBlockGetNumArguments(tt_body(check->loop)),
           rank = mlirShapedTypeGetRank(mlirValueGetType(seen));
  const char *a = tt_list_text(check->arena, "()", same->step[0], dims),
             *b = tt_list_text(check->arena, "()", same->step[1], dims),
             *at = tt_list_text(check->arena, "[]", same->element, rank),
             *of = tt_value_eq(seen, tt_root_of_view(seen)) ? "" : " of a view of ";
  const char *place = *of ? tt_arena_printf(check->arena, "%s%s%s", at, of, name_of(check))
                          : tt_arena_printf(check->arena, "%s%s", name_of(check), at);
  bool writes = check->other->writes;
  MlirLocation where = mlirOperationGetLocation(check->other->op);
  const char *note = writes ? "and it is written here" : "and it is read here";
  return tt_error_with_notes(
      check->write->op, tt_op_eq(check->write->op, check->other->op) ? 0 : 1, &where, &note,
      writes ? "two steps of this parallel loop write the same block: %s and %s both write %s, in "
               "no order; make it an scf.for, which has one, or allocate the buffer inside of the "
               "loop where each step has its own"
             : "one step of this parallel loop writes a block that another one reads: %s writes "
               "%s, and %s reads it, in no order; make it an scf.for, which has one, or two loops "
               "with a buffer between them",
      a, writes ? b : place, writes ? place : b);
}

static void warn(const Check *check) {
  tt_warning(check->write->op,
             check->other->writes
                 ? "cannot tell whether two steps of this parallel loop meet here in %s: where "
                   "they write is made of what is not known before it runs; which one is last is "
                   "not said"
                 : "cannot tell whether steps of this parallel loop read what others write here "
                   "in %s: that is made of what is not known before it runs; which one is first "
                   "is not said",
             name_of(check));
}

/*===- Pairs ---------------------------------------------------------------------------------===*/

static bool is_element(const TtBlockAccess *access) {
  return tt_op_is(access->op, "memref.load") || tt_op_is(access->op, "memref.store");
}

/* Whether both are of one buffer, which is so outside of the loop. */
static TtMeets are_one_buffer(const Check *check) {
  MlirValue a = tt_root_of_view(check->write->view), b = tt_root_of_view(check->other->view);
  if (tt_value_eq(a, b) && !tt_is_defined_in(check->loop, a)) return TT_MEET;
  return tt_are_one_buffer(check->arena, a, b);
}

/* Whether check_elements.c looks at both: loads and stores of one value. */
static bool are_elements(const Check *check) {
  return is_element(check->write) && is_element(check->other) &&
         tt_value_eq(check->write->view, check->other->view) &&
         !tt_is_defined_in(check->loop, check->write->view);
}

static bool concerns(const Check *check) {
  if (are_elements(check) || are_one_buffer(check) == TT_NEVER_MEET) return false;
  if (tt_op_eq(check->write->op, check->other->op) && check->other->writes)
    return !writes_alike(check);
  return check->other->writes || !writes_first(check) || !writes_alike(check);
}

/* False after an error. */
static bool check_pair(const Check *check) {
  TtSameElement same;
  MlirValue seen;
  switch (
      tt_same_block_of_steps(check->arena, check->loop, check->write, check->other, &seen, &same)) {
  case TT_MEET:
    if (are_one_buffer(check) == TT_MEET) return report(check, seen, &same);
    return warn(check), true;
  case TT_MAY_MEET: return warn(check), true;
  default: return true;
  }
}

bool tt_check_blocks(TtArena *arena, MlirOperation kernel, MlirOperation loop) {
  Accesses all = accesses_of(arena, loop);
  intptr_t pairs = 0;
  for (int reads = 0; reads < 2; ++reads)
    for (intptr_t i = 0; i < all.n; ++i)
      for (intptr_t j = reads ? 0 : i; j < all.n && all.data[i].writes; ++j) {
        Check check = {arena, kernel, loop, &all.data[i], &all.data[j]};
        if (check.other->writes == (reads != 0) || !concerns(&check)) continue;
        if (++pairs > MAX_PAIRS) {
          tt_warning(loop, "so many blocks are touched in a step that not all pairs of them were "
                           "checked for steps that meet");
          return true;
        }
        if (!check_pair(&check)) return false;
      }
  return true;
}
