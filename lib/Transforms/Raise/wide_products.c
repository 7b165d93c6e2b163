/*===- wide_products.c - products of 64 bits, of integers of 32 -------------------------------===
 *
 * The device has 32 bits of a product. The upper ones are made of products of halves:
 *
 *   before  %lo, %hi = arith.mului_extended %x, %y : i32
 *           %h = trunci ((extui %x) * (extui %y) >> 32)
 *   after   %xl = %x & 65535   %xh = %x >> 16   %yl, %yh
 *           %t = %xl * %yh + (%xl * %yl >> 16)   %u = %xh * %yl + (%t & 65535)
 *           %hi = %xh * %yh + (%t >> 16) + (%u >> 16)   %lo = %x * %y
 *
 * With signs, %y is taken from that where %x is below zero, and %x where %y is.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/wide_products.h"

#include "Transforms/Raise/inline_text.h"

#include <string.h>

/* clang-format off */
#define UPPER \
  "func.func @f(%x: i32, %y: i32) -> (i32, i32) {\n " \
  "%half = arith.constant 65535 : i32\n %bits = arith.constant 16 : i32\n " \
  "%lo = arith.muli %x, %y : i32\n " \
  "%xl = arith.andi %x, %half : i32\n %xh = arith.shrui %x, %bits : i32\n " \
  "%yl = arith.andi %y, %half : i32\n %yh = arith.shrui %y, %bits : i32\n " \
  "%p = arith.muli %xl, %yl : i32\n %q = arith.muli %xl, %yh : i32\n " \
  "%ps = arith.shrui %p, %bits : i32\n %t = arith.addi %q, %ps : i32\n " \
  "%r = arith.muli %xh, %yl : i32\n %tl = arith.andi %t, %half : i32\n " \
  "%u = arith.addi %r, %tl : i32\n %s = arith.muli %xh, %yh : i32\n " \
  "%ts = arith.shrui %t, %bits : i32\n %us = arith.shrui %u, %bits : i32\n " \
  "%st = arith.addi %s, %ts : i32\n %hu = arith.addi %st, %us : i32\n "
static const char without_sign[] = UPPER "return %lo, %hu : i32, i32\n}\n";
static const char with_sign[] = UPPER
  "%zero = arith.constant 0 : i32\n " \
  "%xn = arith.cmpi slt, %x, %zero : i32\n %yn = arith.cmpi slt, %y, %zero : i32\n " \
  "%ym = arith.select %xn, %y, %zero : i32\n %xm = arith.select %yn, %x, %zero : i32\n " \
  "%h1 = arith.subi %hu, %ym : i32\n %h2 = arith.subi %h1, %xm : i32\n " \
  "return %lo, %h2 : i32, i32\n}\n";
/* clang-format on */

static bool is_width(MlirType type, unsigned width) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == width;
}

static const char *text_of(MlirOperation op) {
  if (!tt_op_is(op, "arith.mului_extended") && !tt_op_is(op, "arith.mulsi_extended")) return NULL;
  if (!is_width(mlirValueGetType(mlirOperationGetResult(op, 0)), 32)) return NULL;
  return tt_op_is(op, "arith.mulsi_extended") ? with_sign : without_sign;
}

/* `value`, of 64 bits, as the 32 that it was extended from, or null. `sign`: how. */
static MlirValue narrow(TtBuilder *b, MlirValue value, bool *sign) {
  MlirOperation op = tt_defining_op(value);
  int64_t constant;
  if (tt_constant(value, &constant)) {
    if (*sign ? constant != (int32_t)constant : constant != (int64_t)(uint32_t)constant)
      return (MlirValue){NULL};
    TtOpState s = tt_op_state("arith.constant", mlirOperationGetLocation(op));
    MlirType type = mlirIntegerTypeGet(b->context, 32);
    tt_op_state_attr(&s, b->context, "value", mlirIntegerAttrGet(type, (int32_t)constant));
    tt_op_state_result(&s, type);
    return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
  }
  bool extends = tt_op_is(op, *sign ? "arith.extsi" : "arith.extui");
  MlirValue from = extends ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
  return extends && is_width(mlirValueGetType(from), 32) ? from : (MlirValue){NULL};
}

/* The upper half of a product of 64 bits, `cut` from it, becomes that of an extended one. */
static MlirOperation extended_product(MlirOperation cut) {
  MlirOperation none = {NULL}, shift = tt_defining_op(mlirOperationGetOperand(cut, 0));
  int64_t by;
  if (!is_width(mlirValueGetType(mlirOperationGetResult(cut, 0)), 32) ||
      (!tt_op_is(shift, "arith.shrui") && !tt_op_is(shift, "arith.shrsi")) ||
      !tt_constant(mlirOperationGetOperand(shift, 1), &by) || by != 32)
    return none;
  MlirOperation product = tt_defining_op(mlirOperationGetOperand(shift, 0));
  if (!tt_op_is(product, "arith.muli") ||
      !is_width(mlirValueGetType(mlirOperationGetResult(product, 0)), 64))
    return none;
  TtBuilder b = tt_builder_before(cut);
  for (int i = 0; i < 2; ++i) {
    bool sign = i == 1;
    MlirValue x = narrow(&b, mlirOperationGetOperand(product, 0), &sign),
              y = narrow(&b, mlirOperationGetOperand(product, 1), &sign);
    if (tt_is_null_value(x) || tt_is_null_value(y)) continue;
    TtOpState s = tt_op_state(sign ? "arith.mulsi_extended" : "arith.mului_extended",
                              mlirOperationGetLocation(cut));
    tt_op_state_operand(&s, x);
    tt_op_state_operand(&s, y);
    for (int r = 0; r < 2; ++r) tt_op_state_result(&s, mlirIntegerTypeGet(b.context, 32));
    return tt_builder_insert(&b, tt_op_state_finish(&s));
  }
  return none;
}

bool tt_expand_wide_products(TtArena *arena, MlirOperation kernel) {
  TtOps cuts = tt_collect(arena, kernel, "arith.trunci");
  for (intptr_t i = 0; i < cuts.n; ++i) {
    MlirOperation product = extended_product(cuts.data[i]);
    if (!mlirOperationIsNull(product)) tt_replace(cuts.data[i], mlirOperationGetResult(product, 1));
  }
  if (cuts.n > 0) tt_erase_dead(kernel);
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    const char *text = text_of(ops.data[i]);
    if (text && !tt_inline_text(arena, ops.data[i], text)) return false;
  }
  return true;
}
