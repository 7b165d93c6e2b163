/*===- same_element.c - steps of a parallel loop that touch one element ------------------------===
 *
 *   scf.parallel (%i, %j) … { store %x, %Y[%i / 2, %j] }      steps (0, 0) and (1, 0): Y[0, 0]
 *
 * Sums, quotients and rests are a question of integer points (constraints.c), whatever the bounds.
 * What is none of these, such as exclusive-or, extremes and choices, is counted where bounds are
 * constants (count_same_element.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/same_element.h"

#include "Analysis/constraints.h"

intptr_t tt_rank_of_access(MlirOperation access) {
  return mlirOperationGetNumOperands(access) - 1 - tt_op_is(access, "memref.store");
}

MlirValue tt_index_of_access(MlirOperation access, intptr_t d) {
  return mlirOperationGetOperand(access, d + 1 + tt_op_is(access, "memref.store"));
}

/* A problem of two steps. */
typedef struct Problem {
  TtConstraints c;
  TtLinear step[2][TT_PARALLEL_DIMS], element[TT_MAX_RANK];
  intptr_t dims, rank;
} Problem;

static Problem problem_of(TtArena *arena, MlirOperation root, MlirOperation a, MlirOperation b) {
  MlirOperation ops[2] = {a, b};
  Problem p = {.c = tt_constraints(arena, root), .rank = tt_rank_of_access(a)};
  p.dims = mlirBlockGetNumArguments(tt_body(root));
  for (int run = 0; run < 2; ++run) {
    for (intptr_t d = 0; d < p.dims; ++d)
      p.step[run][d] = tt_linear_of(&p.c, mlirBlockGetArgument(tt_body(root), d), run);
    tt_require_conditions(&p.c, ops[run], run);
  }
  for (intptr_t d = 0; d < p.rank; ++d) {
    TtLinear none = {.constant = 0}, other = tt_linear_of(&p.c, tt_index_of_access(b, d), 1);
    p.element[d] = tt_linear_of(&p.c, tt_index_of_access(a, d), 0);
    TtLinear apart = tt_linear_add(p.element[d], other, -1);
    tt_require(&p.c, apart);
    tt_require(&p.c, tt_linear_add(none, apart, -1));
  }
  return p;
}

static TtMeets solution(const Problem *p, const int64_t *x, TtSameElement *same) {
  if (!p->c.exact) return TT_MAY_MEET;
  for (int run = 0; run < 2; ++run)
    for (intptr_t d = 0; d < p->dims; ++d)
      same->step[run][d] = tt_linear_at(&p->c, &p->step[run][d], x);
  for (intptr_t d = 0; d < p->rank; ++d) same->element[d] = tt_linear_at(&p->c, &p->element[d], x);
  return TT_MEET;
}

static TtMeets by_constraints(TtArena *arena, MlirOperation root, MlirOperation a, MlirOperation b,
                              TtSameElement *same) {
  int64_t x[TT_MAX_COLUMNS];
  Problem p = problem_of(arena, root, a, b);
  if (p.c.overflow) return TT_MAY_MEET;
  for (intptr_t d = 0; d < p.dims; ++d)
    for (int sign = tt_op_eq(a, b) ? 1 : -1; sign <= 1; sign += 2) {
      Problem q = p;
      TtLinear apart = tt_linear_add(q.step[1][d], q.step[0][d], -1), row = {.constant = -1};
      tt_require(&q.c, tt_linear_add(row, apart, sign));
      if (tt_solve(&q.c, x)) return solution(&q, x, same);
    }
  return TT_NEVER_MEET;
}

TtMeets tt_same_element_of_steps(TtArena *arena, MlirOperation root, MlirOperation a,
                                 MlirOperation b, TtSameElement *same) {
  TtMeets meets = by_constraints(arena, root, a, b, same);
  return meets == TT_MAY_MEET ? tt_count_same_element(arena, root, a, b, same) : meets;
}
