/* Index arithmetic as an affine expression over the values that it cannot see into, for the files
 * of index_expr.h. */
#ifndef TILEWRIGHT_INDEX_LEAVES_H
#define TILEWRIGHT_INDEX_LEAVES_H

#include "Analysis/index_expr.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

/* A value that is used twice is looked at twice; past this many looks it stays opaque. */
enum { TT_MAX_LEAVES = 32, TT_MAX_VISITS = 1000 };

typedef struct TtLeaves {
  MlirContext context;
  MlirValue values[TT_MAX_LEAVES];
  intptr_t n;
  int visits;
  bool through_names; /* look into values that have a name, too */
} TtLeaves;

/* A value as an expression over `l`, to which what it cannot see into is added; whole is only what
 * leaves fewer than TT_MAX_LEAVES there. */
MlirAffineExpr tt_to_expr(TtLeaves *l, MlirValue value);
/* Ops that compute an expression over `l`. */
MlirValue tt_from_expr(TtLeaves *l, TtBuilder *b, MlirLocation loc, MlirAffineExpr e);
/* The map of an affine.apply or affine.min, and its i-th result. */
MlirAffineMap tt_affine_map_of(MlirOperation op);
MlirAffineExpr tt_affine_result(TtLeaves *l, MlirOperation op, intptr_t i);
/* Whether an expression is subtracted: -2 * x, of which `positive` is 2 * x. */
bool tt_is_negated(MlirAffineExpr e, MlirAffineExpr *positive);
bool tt_is_ceiling(MlirOperation op);

#endif
