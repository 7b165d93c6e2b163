/*===- emit_ranges.c - what a host program asks of the integers that it gets ------------------===
 *
 *   %n: index {tt.range = [0, 8]}
 *
 *       if (n < 0 || n > 8) {
 *           std::fprintf(stderr, "n is %d, and must be 0 to 8\n", n);
 *           std::exit(1);
 *       }
 *
 * The proof of a program holds for what its bounds and conditions may be.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Analysis/ranges.h"

#include <string.h>

/* Whether a bound of a loop or a condition depends on `value`. */
static bool decides(MlirValue value, int depth) {
  enum { MOST = 12 };
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_is(op, "scf.for") || tt_op_is(op, "scf.if") || depth == MOST) return true;
    if (mlirOperationGetNumResults(op) == 1 && decides(mlirOperationGetResult(op, 0), depth + 1))
      return true;
  }
  return false;
}

static bool decides_in(TtHost *h, MlirOperation program, const char *name) {
  TtOps kernels = tt_program_kernels(h->arena, program);
  for (intptr_t k = 0; k < kernels.n; ++k)
    for (intptr_t i = 0; i < tt_num_args(kernels.data[k]); ++i)
      if (strcmp(tt_arg_name(h->arena, kernels.data[k], i), name) == 0 &&
          decides(tt_arg(kernels.data[k], i), 0))
        return true;
  return false;
}

void tt_emit_range_checks(TtHost *h) {
  for (intptr_t i = 0; i < h->num_args; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!t->scalar || mlirTypeIsAFloat(t->type)) continue;
    bool program = tt_program_isa(h->program);
    TtRange r =
        program ? tt_program_range(h->program, t->name, t->type) : tt_arg_range(h->program, i);
    if (!r.given && !(program && mlirTypeIsAIndex(t->type) && decides_in(h, h->program, t->name)))
      continue;
    const char *name = h->buffers[i];
    bool above = r.hi < INT32_MAX;
    tt_text_printf(h->out, "    if (%s < %jd", name, (intmax_t)r.lo);
    if (above) tt_text_printf(h->out, " || %s > %jd", name, (intmax_t)r.hi);
    tt_text_printf(h->out, ") {\n        std::fprintf(stderr, \"%s is %%d, and must be ", name);
    if (above) tt_text_printf(h->out, "%jd to %jd", (intmax_t)r.lo, (intmax_t)r.hi);
    else tt_text_printf(h->out, "at least %jd", (intmax_t)r.lo);
    tt_text_printf(h->out, "\\n\", %s);\n        std::exit(1);\n    }\n", name);
  }
}
