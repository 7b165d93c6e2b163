/*===- fuse_functions.c - --tt-fuse-functions --------------------------------------------------===
 *
 * Marks what the vector unit has as one function, where a body writes it as an expression.
 *
 *   before  %n = arith.negf %x   %e = math.exp %n   %d = arith.addf %e, %one
 *           %s = arith.divf %x, %d
 *   after   %n = arith.negf %x   %e = math.exp %n   %d = arith.addf %e, %one
 *           %s = arith.divf %x, %d {tt.function = "silu"}
 *
 * C2 takes the function of %x then, and leaves the rest. The expressions are those of functions.c.
 * Those that the chip computes less accurately than the expression (gelu, softplus, and exp by the
 * bits of its result) are marked only where the kernel has tt.math_approx; exponentials of an
 * element less the largest one, as in a softmax, are exp_below (--tt-drop-clamps).
 *
 * Requires nothing. Leaves bodies as they are but for the marks.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/below_maximum.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/functions.h"
#include "Passes/passes_decl.h"
#include "Support/value_map.h"

#include <string.h>

static const char *const pass = "tt-fuse-functions";

static bool allows_approximations(MlirOperation kernel) {
  MlirAttribute asked = tt_get_attr(kernel, "tt.math_approx");
  if (mlirAttributeIsNull(asked)) return false;
  return mlirAttributeIsAUnit(asked) ||
         (mlirAttributeIsABool(asked) && mlirBoolAttrGetValue(asked));
}

/* What computes a value of a body, back to the argument of a function, needs no mark of its own. */
static void cover(TtArena *arena, TtOpMap *covered, MlirOperation op, MlirValue argument) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation from = tt_defining_op(value);
    if (tt_value_eq(value, argument) || mlirOperationIsNull(from) ||
        tt_op_map_get(covered, from) >= 0)
      continue;
    MlirOpOperand use = mlirValueGetFirstUse(value);
    if (!mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) continue; /* used by itself, too */
    tt_op_map_set(arena, covered, from, 1);
    cover(arena, covered, from, argument);
  }
}

/* Exponentials of what is not above zero may do without the clamp of small ones
 * (--tt-drop-clamps). */
static const char *name_of(MlirOperation op, const TtFunctionMatch *match) {
  bool exponential = strcmp(match->name, "exp_fast") == 0;
  return exponential && tt_is_below_maximum(op, match->argument) ? "exp_below" : match->name;
}

static void fuse_body(TtArena *arena, MlirOperation op, bool approximate, bool wide) {
  MlirBlock body = tt_body(op);
  TtOpMap covered = {NULL, 0, 0};
  if (mlirBlockIsNull(body)) return;
  TtOps ops = tt_collect(arena, op, NULL);
  for (intptr_t i = ops.n; i-- > 0;) {
    MlirOperation at = ops.data[i];
    TtFunctionMatch match;
    if (!mlirBlockEqual(mlirOperationGetBlock(at), body) || tt_op_map_get(&covered, at) >= 0 ||
        !tt_match_function(at, &match) || (match.wide && !wide))
      continue;
    if (match.approximate && !approximate) {
      tt_remark(at, TT_REMARK_MISSED, pass,
                "the chip's %s is less accurate than this expression; tt.math_approx takes it",
                match.name);
      continue;
    }
    const char *name = name_of(op, &match);
    tt_set_attr(at, "tt.function", mlirStringAttrGet(mlirOperationGetContext(at), tt_str(name)));
    tt_remark(at, TT_REMARK_PASSED, pass, "this is the chip's function %s", name);
    cover(arena, &covered, at, match.argument);
  }
}

static bool fuse(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  bool approximate = allows_approximations(kernel), wide = tt_dst_is_32bit(kernel);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_is_linalg(ops.data[i]) && mlirOperationGetNumRegions(ops.data[i]) == 1)
      fuse_body(arena, ops.data[i], approximate, wide);
  return true;
}

bool tt_run_fuse_functions(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, fuse);
}
