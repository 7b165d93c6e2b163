/*===- use_reciprocals.c - --tt-use-reciprocals -------------------------------------------------===
 *
 * Takes the reciprocal of a tile where one is divided by it.
 *
 *   before  tt.sfpu.unary fill, dst = 0 scalar = 1.0
 *           tt.copy_to_dst %s, dst = 1
 *           tt.sfpu.combine div, [0, 1], dst = 0 -> %r
 *   after   tt.copy_to_dst %s, dst = 0
 *           tt.sfpu.unary recip_exact, dst = 0 -> %r
 *
 * So quotients by a number a row come out of C2, whose reciprocal is multiplied. The vector unit
 * divides by such a reciprocal itself, and then multiplies and looks for special operands; the
 * accurate reciprocal alone is off by 7.5e-8.
 *
 * Requires tile intrinsics (C2), before --tt-halve-functions and the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"

static const char *const pass = "tt-use-reciprocals";

static MlirOperation next_effect(MlirOperation op) {
  do op = tt_next(op);
  while (!mlirOperationIsNull(op) && tt_op_is(op, "arith.constant"));
  return op;
}

static bool fills_with_one(MlirOperation op) {
  MlirAttribute value = tt_sfpu_unary_scalar(op);
  return tt_sfpu_unary_op(op) == TT_SFPU_FILL && tt_is_null_value(tt_op_fills(op)) &&
         !mlirAttributeIsNull(value) && mlirAttributeIsAFloat(value) &&
         mlirFloatAttrGetValueDouble(value) == 1;
}

/* Whether `quotient` divides the tile of `one` by that of `copy`, which nothing takes after it. */
static bool divides(MlirOperation one, MlirOperation copy, MlirOperation quotient) {
  if (mlirOperationIsNull(copy) || mlirOperationIsNull(quotient) || !tt_copy_to_dst_isa(copy) ||
      !tt_is_null_value(tt_op_fills(copy)) || !tt_sfpu_combine_isa(quotient) ||
      tt_sfpu_combine_op(quotient) != TT_SFPU_DIV)
    return false;
  MlirAttribute sources = tt_sfpu_combine_sources(quotient);
  if (mlirDenseArrayGetNumElements(sources) != 2 || tt_op_dst(one) == tt_op_dst(copy) ||
      mlirDenseI64ArrayGetElement(sources, 0) != tt_op_dst(one) ||
      mlirDenseI64ArrayGetElement(sources, 1) != tt_op_dst(copy))
    return false;
  MlirOperation next = next_effect(quotient);
  return !tt_is_null_value(tt_op_fills(quotient)) ||
         (!mlirOperationIsNull(next) && tt_pack_to_cb_isa(next) &&
          tt_op_dst(next) == tt_op_dst(quotient));
}

static bool use_reciprocals(TtArena *arena, MlirOperation func) {
  TtOps fills = tt_collect(arena, func, "tt.sfpu.unary");
  for (intptr_t i = 0; i < fills.n; ++i) {
    MlirOperation one = fills.data[i];
    if (!fills_with_one(one)) continue;
    MlirOperation copy = next_effect(one);
    MlirOperation quotient = mlirOperationIsNull(copy) ? copy : next_effect(copy);
    if (!divides(one, copy, quotient)) continue;
    MlirValue none = {NULL}, out = tt_op_fills(quotient);
    int64_t dst = tt_op_dst(quotient);
    TtBuilder b = tt_builder_before(one);
    tt_remark(quotient, TT_REMARK_PASSED, pass, "a reciprocal, and no quotient of one");
    tt_copy_to_dst_create(&b, mlirOperationGetLocation(copy), tt_copy_to_dst_a(copy),
                          tt_copy_to_dst_transpose(copy), tt_copy_to_dst_repeat(copy), dst, none);
    tt_sfpu_unary_create(&b, mlirOperationGetLocation(quotient), TT_SFPU_RECIP_EXACT, dst,
                         mlirAttributeGetNull(), out);
    mlirOperationDestroy(quotient);
    mlirOperationDestroy(copy);
    mlirOperationDestroy(one);
  }
  return true;
}

bool tt_run_use_reciprocals(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, use_reciprocals);
}
