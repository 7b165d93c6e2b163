/*===- rounding.c - casts amid a body ---------------------------------------------------------===
 *
 *   %b = arith.truncf %x : f32 to bf16       b = round_to_bf16(x), in DST of 32 bits
 *   %f = arith.extf %b : bf16 to f32         f = b
 *
 * To f16, whose significands have 11 bits, no function of the vector unit rounds. With
 * t = (2^13 + 1) x, t - (t - x) is x rounded to 11 bits, to even (Dekker's splitting). Below
 * 2^-14 f16 is a fixed-point number, and (x + 0.75) - 0.75 rounds to its last place, 2^-24. The
 * same goes for fp8, whose significands have 4 bits (e4m3) or 3 (e5m2), in DST of 32 bits.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

#include <math.h>

/* A float with fewer bits than f32. */
typedef struct Narrow {
  int mantissa;       /* bits behind the point */
  double least, over; /* the least normal number, and the least that is rounded to what is beyond */
  bool endless;       /* that is an infinity; else it is no number */
} Narrow;

static Narrow narrow_of(MlirType type) {
  if (mlirTypeIsAF16(type)) return (Narrow){10, 0x1p-14, 65520, true};
  if (mlirTypeIsAFloat8E5M2(type)) return (Narrow){2, 0x1p-14, 61440, true};
  return (Narrow){3, 0x1p-6, 0x1.d00002p+8,
                  false}; /* e4m3: 464 lies between 448 and 480, to even */
}

static TtExpr *to_narrow(TtExprs *x, TtExpr *e, Narrow to) {
  /* The least number of f32 whose last place is that of the fixed-point numbers, and a half. */
  const double split = ldexp(1, 23 - to.mantissa) + 1,
               fixed = ldexp(1.5 * to.least, 23 - to.mantissa);
  TtExpr *t = tt_expr_unary(x, "mul_scalar", e, split),
         *normal = tt_expr_combine(x, "sub", t, tt_expr_combine(x, "sub", t, e, true), true),
         *small = tt_expr_unary(x, "sub_scalar", tt_expr_unary(x, "add_scalar", e, fixed), fixed),
         *size = tt_expr_unary(x, "abs", e, 0);
  TtExpr *is_small = tt_expr_unary(x, "ltz", tt_expr_unary(x, "sub_scalar", size, to.least), 0),
         *is_over = tt_expr_unary(x, "gez", tt_expr_unary(x, "sub_scalar", size, to.over), 0),
         *beyond = to.endless ? tt_expr_unary(x, "mul_scalar", e, INFINITY) : tt_expr_fill(x, NAN);
  return tt_expr_choose(x, is_over, beyond, tt_expr_choose(x, is_small, small, normal));
}

/* DST of 16 bits holds no more than bf16, or f16 in a kernel that is built with its exponents, and
 * rounds each value to it. */
static TtExpr *rounded(TtExprs *x, TtExpr *e, MlirType type) {
  MlirOperation func = x->l->func;
  bool wide = tt_dst_is_32bit(func), is_bf16 = mlirTypeIsABF16(tt_narrow_float(func));
  if (mlirTypeIsABF16(type)) return wide || !is_bf16 ? tt_expr_unary(x, "round_to_bf16", e, 0) : e;
  if (mlirTypeIsAF16(type)) return wide ? to_narrow(x, e, narrow_of(type)) : e;
  if (tt_is_f8(type) && wide) return to_narrow(x, e, narrow_of(type));
  if (tt_is_f8(type))
    return tt_error(x->op, "rounds to fp8, which takes DST of 32 bits; do not set "
                           "tt.fp32_dest_acc to false"),
           NULL;
  return tt_error(x->op,
                  "rounds to floats of %u bits amid a body, which has no tile intrinsic; "
                  "there are casts to bf16, f16 and fp8",
                  mlirFloatTypeGetWidth(type)),
         NULL;
}

TtExpr *tt_expr_of_operand(TtExprs *x, MlirValue operand) {
  TtExpr *e = tt_expr_of(x, operand);
  MlirOperation op = tt_defining_op(operand);
  bool inside = e && tt_op_is(op, "arith.truncf") &&
                mlirBlockEqual(mlirOperationGetBlock(op), tt_body(x->op));
  return inside ? rounded(x, e, mlirValueGetType(operand)) : e;
}
