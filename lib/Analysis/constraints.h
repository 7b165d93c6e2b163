/* Index arithmetic as linear constraints on integers, for tt_find_integers. */
#ifndef TILEWRIGHT_CONSTRAINTS_H
#define TILEWRIGHT_CONSTRAINTS_H

#include "tilewright/ir.h"

enum { TT_MAX_COLUMNS = 48 };

/* A sum of columns with factors, and a constant. */
typedef struct TtLinear {
  int64_t factor[TT_MAX_COLUMNS], constant;
} TtLinear;

/* Constraints over columns: values of the IR, as two runs of the same loops have them. Values
 * that do not depend on a loop in `root` are the same in both runs. */
typedef struct TtConstraints {
  TtArena *arena;
  MlirOperation root; /* the loop whose steps the runs are */
  MlirValue values[TT_MAX_COLUMNS];
  int run[TT_MAX_COLUMNS]; /* of a value: 0, 1, or -1 for both; of a helper: 2 */
  int n;
  TtLinear *rows; /* each >= 0 */
  int num_rows, capacity;
  bool exact;    /* false: not all that is known of the values could be said */
  bool overflow; /* more columns than there is room for */
} TtConstraints;

TtConstraints tt_constraints(TtArena *arena, MlirOperation root);
/* `value` in that run. Bounds of loops around it become constraints, and so do those of an
 * induction variable of `root`, an scf.forall, scf.parallel or affine.parallel. */
TtLinear tt_linear_of(TtConstraints *c, MlirValue value, int run);
/* a + factor * b, and a row that it is not negative. */
TtLinear tt_linear_add(TtLinear a, TtLinear b, int64_t factor);
void tt_require(TtConstraints *c, TtLinear row);
/* An integer of which nothing is known. */
TtLinear tt_linear_any(TtConstraints *c);
/* x / divisor, rounded down. */
TtLinear tt_linear_quotient(TtConstraints *c, TtLinear x, int64_t divisor);
/* The conditions of scf.if between `root` and `op`, where they compare indices. */
void tt_require_conditions(TtConstraints *c, MlirOperation op, int run);
/* Whether integers meet all of them; `x` has TT_MAX_COLUMNS places. */
bool tt_solve(const TtConstraints *c, int64_t *x);
/* What a linear sum is at `x`. */
int64_t tt_linear_at(const TtConstraints *c, const TtLinear *sum, const int64_t *x);

#endif
