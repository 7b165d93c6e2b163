/*===- part_runs.c - loops that go on with a block do nothing else ------------------------------===
 *
 *   before  for %k { %Y += %R[%k]   %Z += %S[%k] }
 *   after   for %k { %Y += %R[%k] }   for %k { %Z += %S[%k] }
 *
 * Sums of blocks that are gone over in parts (step_together.c) may have nothing between them that
 * is no such sum, or is one of other sizes. Right where no statement of a loop touches what those
 * write that go to the other one.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/statements.h"
#include "Transforms/Raise/step_together.h"

enum {
  MOST_STATEMENTS = 64,
  WIDE = 128 * 128 /* elements: what open sizes are gone over in */
};

bool tt_is_wide(MlirType type) {
  int64_t elements = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type) && elements <= WIDE; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (mlirShapedTypeIsDynamicDim(type, d) || size > WIDE) size = WIDE;
    elements *= size < 1 ? 1 : size;
  }
  return elements > WIDE;
}

/* The statements of a loop, and which of them belong together. */
typedef struct Parts {
  intptr_t n;
  TtOps ops[MOST_STATEMENTS];
  intptr_t part[MOST_STATEMENTS]; /* the first statement that it belongs to */
} Parts;

/* Whether an op of the statements goes on in each step of `loop` with a block of a tensor. */
static bool goes_on(MlirOperation loop, TtOps ops) {
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_is_linalg(op) || tt_num_op_loops(op) == 0) continue;
    MlirValue out = mlirOperationGetOperand(op, tt_linalg_num_inputs(op));
    if (!tt_is_part_of_tensor(out) || !tt_is_same_in(loop, out) ||
        (!tt_is_wide(mlirValueGetType(out)) && mlirShapedTypeHasStaticShape(mlirValueGetType(out))))
      continue;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
      if (tt_value_eq(tt_view_root(mlirOperationGetOperand(op, j)), tt_view_root(out)) &&
          tt_takes_old(op, j))
        return true;
  }
  return false;
}

/* Of an index or a view, which each loop has for itself, nothing depends. */
static bool counts(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 0 || !tt_only_computes(op);
}

static bool find_parts(TtArena *arena, MlirOperation loop, Parts *p) {
  p->n = 0;
  for (MlirOperation s = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(s);
       s = tt_next(s)) {
    if (p->n == MOST_STATEMENTS) return false;
    p->ops[p->n] = tt_statement_ops(arena, s);
    p->part[p->n] = p->n;
    ++p->n;
  }
  for (intptr_t i = 0; i < p->n; ++i)
    for (intptr_t j = i + 1; j < p->n; ++j) {
      intptr_t a = p->part[i], b = p->part[j];
      if (a == b || !counts(p->ops[i].data[0]) || !counts(p->ops[j].data[0]) ||
          !tt_depend(p->ops[i], p->ops[j]))
        continue;
      for (intptr_t l = 0; l < p->n; ++l)
        if (p->part[l] == b) p->part[l] = a;
    }
  return true;
}

/* The part of a loop that goes on with a block, where there is another one; -1 where there is none.
 */
static intptr_t part_of_run(MlirOperation loop, const Parts *p) {
  intptr_t found = -1;
  bool others = false;
  for (intptr_t i = 0; i < p->n; ++i) {
    if (!counts(p->ops[i].data[0])) continue;
    if (found < 0 && goes_on(loop, p->ops[i])) found = p->part[i];
  }
  for (intptr_t i = 0; i < p->n; ++i) others |= counts(p->ops[i].data[0]) && p->part[i] != found;
  return others ? found : -1;
}

/* Erases the statements of `loop`, which are as those of `p`, that are of the part, or of no part
 * but this. */
static void erase(MlirOperation loop, const Parts *p, intptr_t part, bool of_it) {
  MlirOperation s = mlirBlockGetFirstOperation(tt_for_body(loop)), next;
  for (intptr_t i = 0; i < p->n; ++i, s = next) {
    next = tt_next(s);
    if (counts(s) && (p->part[i] == part) == of_it) mlirOperationDestroy(s);
  }
}

void tt_part_runs(TtArena *arena, MlirOperation kernel) {
  Parts *p = tt_arena_alloc(arena, sizeof *p);
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = loops.n; i-- > 0;) {
    MlirOperation loop = loops.data[i];
    intptr_t part;
    while (mlirOperationGetNumResults(loop) == 0 && find_parts(arena, loop, p) &&
           (part = part_of_run(loop, p)) >= 0) {
      TtBuilder after = tt_builder_after(loop);
      MlirOperation rest = tt_builder_insert(&after, mlirOperationClone(loop));
      erase(loop, p, part, false);
      erase(rest, p, part, true);
      loop = rest;
    }
  }
}
