/*===- assume_ranges.c - what tensors of 64 bits may hold so that 32 do -----------------------===
 *
 *   before  %A: memref<64xi64>     … addi %a, %a : i64
 *   after   %A: memref<64xi64> {tt.range = [-2^30, 2^30 - 1]}, with a warning
 *
 * The device has 32 bits of an integer of 64. Where bodies compute with elements of tensors that do
 * not say what they hold, these are taken to be in the largest range of this form with which all
 * results fit; the host program ends where they are not. Only tensors that it loads are checked
 * there: those that the kernel does not write, of kernels that no host function calls.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/assume_ranges.h"

#include "Analysis/kernel.h"
#include "Transforms/Raise/integer_bounds.h"

enum { MOST_BITS = 31, LEAST_BITS = 7 };

static bool is_i64(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
}

/* Whether a function of the module is a host program: its tensors are not checked as they pass from
 * kernel to kernel. */
static bool has_host(MlirOperation kernel) {
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(kernel));
       !mlirOperationIsNull(op); op = tt_next(op))
    if (!mlirAttributeIsNull(tt_get_attr(op, "tt.host"))) return true;
  return false;
}

/* Whether all that the bodies compute of 64 bits fits 32. */
static bool all_fit(TtArena *arena, const TtOps *linalg) {
  for (intptr_t i = 0; i < linalg->n; ++i) {
    TtOps body = tt_collect(arena, linalg->data[i], NULL);
    for (intptr_t j = 0; j < body.n; ++j) {
      MlirOperation op = body.data[j];
      TtBounds b;
      if (mlirOperationGetNumResults(op) != 1 || tt_op_is(op, "arith.constant") ||
          !is_i64(mlirValueGetType(mlirOperationGetResult(op, 0))))
        continue;
      if (!tt_integer_bounds(linalg->data[i], mlirOperationGetResult(op, 0), &b) ||
          b.lo < INT32_MIN || b.hi > INT32_MAX)
        return false;
    }
  }
  return true;
}

/* Whether bodies take elements of the tensor, and nothing else reads it: what steers a kernel is an
 * index, and not below zero. */
static bool is_computed_with(TtArena *arena, MlirOperation kernel, const TtOps *linalg,
                             MlirValue tensor) {
  bool taken = false;
  TtOps all = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j) {
      MlirValue operand = mlirOperationGetOperand(op, j);
      if (!mlirTypeIsAMemRef(mlirValueGetType(operand)) ||
          !tt_value_eq(tt_view_root(operand), tensor) || tt_op_is(op, "memref.subview"))
        continue;
      bool body = false;
      for (intptr_t k = 0; k < linalg->n && !body; ++k) body = tt_op_eq(linalg->data[k], op);
      if (!body && !tt_op_is(op, "memref.copy") && !tt_is_linalg(op)) return false;
      taken |= body;
    }
  }
  return taken;
}

static void set_ranges(MlirOperation kernel, const bool *open, intptr_t n, int bits) {
  MlirContext context = mlirOperationGetContext(kernel);
  int64_t end = INT64_C(1) << bits;
  MlirAttribute range[2] = {tt_i64_attr(context, -end), tt_i64_attr(context, end - 1)};
  for (intptr_t i = 0; i < n; ++i)
    if (open[i]) tt_set_arg_attr(kernel, i, "tt.range", mlirArrayAttrGet(context, 2, range));
}

static void warn(MlirOperation kernel, const TtArgs *args, const bool *open, int bits) {
  for (intptr_t i = 0; i < args->n; ++i)
    if (open[i])
      tt_warning(
          kernel,
          "tensor '%s' is taken to hold nothing below %jd and above %jd: what is computed "
          "with its integers of 64 bits fits 32 then, which the device has; the host program "
          "ends where it holds something else. Say by tt.range = [lo, hi] what it holds",
          args->data[i].name, (intmax_t)(-(INT64_C(1) << bits)),
          (intmax_t)((INT64_C(1) << bits) - 1));
}

void tt_assume_ranges(TtArena *arena, MlirOperation kernel, const TtOps *linalg) {
  TtArgs args = tt_kernel_args(arena, kernel);
  bool *open = tt_arena_alloc(arena, (size_t)(args.n + 1) * sizeof *open), any = false;
  for (intptr_t i = 0; i < args.n; ++i) {
    open[i] = args.data[i].is_tensor && !args.data[i].written &&
              mlirAttributeIsNull(tt_arg_attr(kernel, i, "tt.range")) &&
              is_i64(mlirShapedTypeGetElementType(mlirValueGetType(args.data[i].value))) &&
              is_computed_with(arena, kernel, linalg, args.data[i].value);
    any |= open[i];
  }
  if (!any || has_host(kernel) || all_fit(arena, linalg)) return;
  MlirAttribute before = tt_op_attr(kernel, "arg_attrs");
  for (int bits = MOST_BITS; bits >= LEAST_BITS; --bits) {
    set_ranges(kernel, open, args.n, bits);
    if (all_fit(arena, linalg)) {
      warn(kernel, &args, open, bits);
      return;
    }
  }
  mlirOperationSetInherentAttributeByName(kernel, tt_str("arg_attrs"), before);
}
