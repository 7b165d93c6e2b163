/*===- integer_results.c - how outputs of integers compare with their reference -----------------===
 *
 *   %q = arith.divf %x, %scale : f32      %i = arith.fptosi %q : f32 to i8
 *
 * A quotient that is a little off may lie on the other side of where the integer changes, so that
 * integers made of what is computed are as far from the reference as floats are, and one more.
 * What is only moved, chosen or cut before it is converted is exact, and so are its integers.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/run.h"

#include "Analysis/kernel.h"
#include "Analysis/made_of.h"

#include <math.h>
#include <stdlib.h>

/* What an argument of a linalg body is: computed where its operand is no tensor that came in. */
static bool is_computed_operand(MlirValue arg) {
  MlirOperation op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(arg));
  intptr_t i = mlirBlockArgumentGetArgNumber(arg);
  if (!tt_is_linalg(op) || i >= mlirOperationGetNumOperands(op)) return false;
  MlirValue operand = mlirOperationGetOperand(op, i);
  return !mlirValueIsABlockArgument(tt_view_root(operand));
}

/* Of what is exact: it goes on with its operands. */
static bool is_exact(const void *none, MlirOperation op) {
  static const char *const exact[] = {
      "arith.extf",     "arith.negf",    "arith.select",   "arith.maximumf", "arith.maxnumf",
      "arith.minimumf", "arith.minnumf", "math.absf",      "math.floor",     "math.ceil",
      "math.trunc",     "math.round",    "math.roundeven", "arith.cmpf",     "arith.constant"};
  (void)none;
  for (size_t i = 0; i < sizeof exact / sizeof *exact; ++i)
    if (tt_op_is(op, exact[i])) return true;
  return false;
}

static bool is_computed(TtArena *arena, MlirValue value) {
  TtValues all = tt_made_of(arena, value, is_exact, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    bool load = tt_op_is(op, "memref.load") || tt_op_is(op, "affine.load");
    MlirValue from = load ? tt_view_root(mlirOperationGetOperand(op, 0)) : all.data[i];
    if (mlirOperationIsNull(op) ? is_computed_operand(from)
        : load                  ? !mlirValueIsABlockArgument(from)
                                : !is_exact(NULL, op))
      return true;
  }
  return false;
}

bool tt_rounds_to_integers(TtArena *arena, MlirOperation module) {
  TtOps ops = tt_collect(arena, module, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    bool converts = tt_op_is(ops.data[i], "arith.fptosi") || tt_op_is(ops.data[i], "arith.fptoui");
    if (converts && is_computed(arena, mlirOperationGetOperand(ops.data[i], 0))) return true;
  }
  return false;
}

/*===- Comparing -----------------------------------------------------------------------------===*/

static int64_t element(const TtArray *array, int64_t i) {
  return array->type == TT_NPY_U8 ? ((const int8_t *)array->data)[i]
                                  : ((const int32_t *)array->data)[i];
}

/* a - b, as far as integers of their width go around. */
static int64_t difference(const TtArray *a, const TtArray *b, int64_t i) {
  int64_t d = element(a, i) - element(b, i);
  return a->type == TT_NPY_U8 ? (int8_t)d : d;
}

/* Values that differ by r of themselves become other integers in a share r * |value| of all cases,
 * one apart. */
static TtTolerance rounded(TtTolerance t, const float *reference, int64_t n) {
  double squares = 0;
  for (int64_t i = 0; i < n; ++i) squares += (double)reference[i] * reference[i];
  double size = n > 0 ? sqrt(squares / (double)n) : 0;
  t.rms += sqrt(t.rms / (size > 1 ? size : 1));
  if (1 - t.rms * t.rms < t.pcc) t.pcc = 1 - t.rms * t.rms;
  return t;
}

bool tt_compare_integers(TtArena *arena, const char *name, const TtArray *result,
                         const TtArray *reference, const TtTolerance *tolerance) {
  int64_t n = result->n, differ = 0, most = 0;
  float *x = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *x),
        *y = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *y);
  for (int64_t i = 0; i < n; ++i) {
    int64_t d = difference(result, reference, i);
    differ += d != 0, most = llabs(d) > most ? llabs(d) : most;
    y[i] = (float)element(reference, i), x[i] = y[i] + (float)d;
  }
  if (differ == 0 || !tolerance) {
    printf("%s: %s\n", name, differ == 0 ? "equal: ok" : "DIFFERENT from the reference");
    return differ == 0;
  }
  TtTolerance t = rounded(*tolerance, y, n);
  TtComparison c = tt_compare(x, y, n, t, (TtSpecials){.keeps_nan = true});
  printf(
      "%s: %jd of %jd rounded from computed floats differ, by at most %jd, relative RMS %.3g (at "
      "most %.2g): %s\n",
      name, (intmax_t)differ, (intmax_t)n, (intmax_t)most, c.rms, t.rms,
      c.within ? "ok" : "OUT OF TOLERANCE");
  return c.within;
}
