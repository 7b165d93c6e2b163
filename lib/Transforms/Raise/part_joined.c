/*===- part_joined.c - --tt-part-joined
 * ----------------------------------------------------------===
 *
 * A parallel loop over the product of two sizes, whose steps take quotient and rest by one of them,
 * is one of two dimensions: sizes that only a run knows have no other form for the host program.
 *
 *   before  scf.parallel (%i) = (0) to (%rows * %cols) { %r = %i / %cols  %c = %i % %cols  … }
 *   after   scf.parallel (%r, %c) = (0, 0) to (%rows, %cols) { … }
 *
 * Leaves loops between constants, and those that take the variable otherwise.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

#include <string.h>

enum { MOST_DIMS = 3 };

/* The bounds of a parallel loop, and which of its dimensions is parted, at `factor[0]` times
 * `factor[1]` steps, of which `inner` is what is divided by. */
typedef struct Joined {
  TtArena *arena;
  MlirOperation op;
  intptr_t dims, dim;
  MlirValue lower[MOST_DIMS], upper[MOST_DIMS], step[MOST_DIMS], factor[2];
  int inner;
} Joined;

/*===- Bounds ---------------------------------------------------------------------------------===*/

static MlirValue forall_bound(TtBuilder *b, MlirOperation op, const char *name, intptr_t d,
                              intptr_t *operand) {
  int64_t value = mlirDenseI64ArrayGetElement(tt_op_attr(op, name), d);
  return value == INT64_MIN ? mlirOperationGetOperand(op, (*operand)++)
                            : tt_index(b, mlirOperationGetLocation(op), value);
}

static bool has_open_bound(MlirOperation op) {
  int64_t value;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!tt_constant(mlirOperationGetOperand(op, i), &value)) return true;
  return false;
}

/* Reads those of a loop that may be parted: no mapping, no results. */
static bool read_bounds(Joined *j) {
  MlirOperation op = j->op;
  bool forall = tt_op_is(op, "scf.forall");
  if ((!forall && !tt_op_is(op, "scf.parallel")) || mlirOperationGetNumResults(op) > 0 ||
      !has_open_bound(op))
    return false;
  j->dims = mlirBlockGetNumArguments(tt_body(op));
  if (j->dims >= MOST_DIMS) return false;
  if (!forall) {
    for (intptr_t d = 0; d < j->dims; ++d) {
      j->lower[d] = mlirOperationGetOperand(op, d);
      j->upper[d] = mlirOperationGetOperand(op, j->dims + d);
      j->step[d] = mlirOperationGetOperand(op, 2 * j->dims + d);
    }
    return true;
  }
  static const char *const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  TtBuilder b = tt_builder_before(op);
  intptr_t operand = 0;
  for (int k = 0; k < 3; ++k)
    for (intptr_t d = 0; d < j->dims; ++d)
      (k == 0   ? j->lower
       : k == 1 ? j->upper
                : j->step)[d] = forall_bound(&b, op, names[k], d, &operand);
  return true;
}

/*===- Quotients and rests --------------------------------------------------------------------===*/

static bool is_variable(MlirAffineExpr e) {
  return mlirAffineExprIsADim(e) || mlirAffineExprIsASymbol(e);
}

/* Whether `op` is quotient (`*rest` false) or rest of `iv` by a value; which. */
static bool divides_by(MlirOperation op, MlirValue iv, bool *rest, MlirValue *by) {
  static const char *const names[] = {"arith.divui", "arith.divsi", "arith.remui", "arith.remsi",
                                      "arith.floordivsi"};
  for (int i = 0; i < 5; ++i)
    if (tt_op_is(op, names[i])) {
      *rest = i == 2 || i == 3, *by = mlirOperationGetOperand(op, 1);
      return tt_value_eq(mlirOperationGetOperand(op, 0), iv);
    }
  if (!tt_op_is(op, "affine.apply") || mlirOperationGetNumOperands(op) != 2) return false;
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  MlirAffineExpr e = mlirAffineMapGetResult(map, 0);
  *rest = mlirAffineExprIsAMod(e);
  if (!*rest && !mlirAffineExprIsAFloorDiv(e)) return false;
  MlirAffineExpr divided = mlirAffineBinaryOpExprGetLHS(e),
                 divisor = mlirAffineBinaryOpExprGetRHS(e);
  *by = mlirOperationGetOperand(op, 1);
  return mlirAffineExprIsADim(divided) && mlirAffineDimExprGetPosition(divided) == 0 &&
         is_variable(divisor) && !mlirAffineExprEqual(divided, divisor) &&
         tt_value_eq(mlirOperationGetOperand(op, 0), iv);
}

/* Whether `upper` is a product of two values; which. */
static bool is_product(Joined *j, MlirValue upper) {
  MlirOperation op = tt_defining_op(upper);
  bool product = tt_op_is(op, "arith.muli");
  if (tt_op_is(op, "affine.apply") && mlirOperationGetNumOperands(op) == 2) {
    MlirAffineExpr e = mlirAffineMapGetResult(mlirAffineMapAttrGetValue(tt_op_attr(op, "map")), 0);
    product =
        mlirAffineExprIsAMul(e) && is_variable(mlirAffineBinaryOpExprGetLHS(e)) &&
        is_variable(mlirAffineBinaryOpExprGetRHS(e)) &&
        !mlirAffineExprEqual(mlirAffineBinaryOpExprGetLHS(e), mlirAffineBinaryOpExprGetRHS(e));
  }
  for (int i = 0; product && i < 2; ++i) j->factor[i] = mlirOperationGetOperand(op, i);
  return product;
}

/* Whether all that is done with dimension `d` is to divide by one factor of its extent. */
static bool is_joined(Joined *j, intptr_t d) {
  MlirValue iv = mlirBlockGetArgument(tt_body(j->op), d);
  int64_t lower, step;
  if (!tt_constant(j->lower[d], &lower) || lower != 0 || !tt_constant(j->step[d], &step) ||
      step != 1 || !is_product(j, j->upper[d]) || !tt_has_uses(iv))
    return false;
  j->dim = d;
  for (j->inner = 1; j->inner >= 0; --j->inner) {
    bool all = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(iv); all && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      bool rest;
      MlirValue by;
      all = divides_by(mlirOpOperandGetOwner(use), iv, &rest, &by) &&
            tt_same_index(j->arena, by, j->factor[j->inner]);
    }
    if (all) return true;
  }
  return false;
}

/*===- Two dimensions -------------------------------------------------------------------------===*/

/* Moves the body into a loop with one dimension more. */
static void part(Joined *j) {
  MlirOperation op = j->op;
  MlirLocation loc = mlirOperationGetLocation(op), locs[MOST_DIMS];
  TtBuilder b = tt_builder_before(op);
  MlirType index[MOST_DIMS];
  MlirValue bounds[3][MOST_DIMS];
  intptr_t n = j->dims + 1;
  for (intptr_t d = 0; d < n; ++d) {
    intptr_t from = d > j->dim ? d - 1 : d;
    bool own = d == j->dim || d == j->dim + 1;
    index[d] = mlirIndexTypeGet(b.context), locs[d] = loc;
    bounds[0][d] = j->lower[from], bounds[2][d] = j->step[from];
    bounds[1][d] = own ? j->factor[(d == j->dim) != (j->inner == 0) ? 0 : 1] : j->upper[from];
  }
  TtOpState s = tt_op_state("scf.parallel", loc);
  for (int k = 0; k < 3; ++k)
    for (intptr_t d = 0; d < n; ++d) tt_op_state_operand(&s, bounds[k][d]);
  int32_t each = (int32_t)n;
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 4, (int32_t[]){each, each, each, 0}));
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(n, index, locs), old = tt_body(op);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtOpState end = tt_op_state("scf.reduce", loc);
  mlirBlockAppendOwnedOperation(body, tt_op_state_finish(&end));
  tt_builder_insert(&b, tt_op_state_finish(&s));
  MlirValue iv = mlirBlockGetArgument(old, j->dim);
  for (MlirOpOperand use; !mlirOpOperandIsNull(use = mlirValueGetFirstUse(iv));) {
    bool rest;
    MlirValue by;
    MlirOperation user = mlirOpOperandGetOwner(use);
    divides_by(user, iv, &rest, &by);
    tt_replace(user, mlirBlockGetArgument(body, j->dim + rest));
  }
  for (intptr_t d = 0; d < j->dims; ++d)
    if (d != j->dim)
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, d),
                                    mlirBlockGetArgument(body, d > j->dim ? d + 1 : d));
  MlirOperation last = mlirBlockGetTerminator(body), stop = mlirBlockGetTerminator(old);
  for (MlirOperation in = mlirBlockGetFirstOperation(old), next; !tt_op_eq(in, stop); in = next) {
    next = tt_next(in);
    mlirOperationMoveBefore(in, last);
  }
  mlirOperationDestroy(op);
}

static bool part_loops(TtArena *arena, MlirOperation kernel) {
  for (bool again = true; again;) {
    again = false;
    TtOps ops = tt_collect(arena, kernel, NULL);
    for (intptr_t i = 0; i < ops.n && !again; ++i) {
      Joined j = {.arena = arena, .op = ops.data[i]};
      if (!read_bounds(&j)) continue;
      for (intptr_t d = 0; d < j.dims && !again; ++d)
        if (is_joined(&j, d)) part(&j), again = true;
    }
  }
  return true;
}

bool tt_run_part_joined(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, part_loops);
}
