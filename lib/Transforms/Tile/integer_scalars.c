/*===- integer_scalars.c - integers, each with one number ------------------------------------===
 *
 *   arith.andi %x, 255    and_int_scalar %x, 255     where %x is not below zero: bytes, say
 *                         and_int %x, fill_int 255   elsewhere
 *
 * The library's functions of a tile and a number load an integer of 32 bits as sign and magnitude
 * on Wormhole, compute with that, and store it back: -20 & 255 is 20 there, not 236, and the least
 * integer is 0. `bitwise_xor_tile` turns what is negative after it over, on Blackhole as well.
 * Those of two tiles take the bits as they are.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

#include "Target/sfpu.h"

static bool is(const TtExpr *e, TtExprKind kind, const char *function) {
  return e && e->kind == kind && e->function == tt_sfpu_function(function);
}

TtExpr *tt_expr_integer_fill(TtExprs *x, MlirValue number, const int64_t steps[2]) {
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_FILL,
                                  .value = number,
                                  .steps = {steps[0], steps[1]},
                                  .function = tt_sfpu_function("fill_int")});
}

bool tt_expr_is_masked(const TtExpr *e, int64_t limit) {
  if (is(e, TT_EXPR_UNARY, "and_int_scalar")) return e->scalar >= 0 && e->scalar < (double)limit;
  const TtExpr *mask = is(e, TT_EXPR_COMBINE, "and_int") ? e->in[1] : NULL;
  int64_t number;
  return is(mask, TT_EXPR_FILL, "fill_int") && tt_constant(mask->value, &number) &&
         mask->steps[0] == 0 && mask->steps[1] == 0 && number >= 0 && number < limit;
}

/* Known not to be below zero. */
static bool has_no_sign(const TtExpr *e) {
  if (is(e, TT_EXPR_UNARY, "u8_to_i32") || is(e, TT_EXPR_UNARY, "u16_to_i32")) return true;
  if (is(e, TT_EXPR_UNARY, "shr_int_scalar")) return has_no_sign(e->in[0]);
  return tt_expr_is_masked(e, INT64_C(1) << 31);
}

/* The function of two tiles that a function of a tile and a number stands for, if that is not
 * right for all integers. */
static const char *of_two_tiles(const char *function) {
  static const char *const pairs[][2] = {
      {"and_int_scalar", "and_int"}, {"xor_int_scalar", "xor_int"}, {"shr_int_scalar", "shr_int"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (mlirStringRefEqual(tt_str(function), tt_str(pairs[i][0]))) return pairs[i][1];
  return NULL;
}

TtExpr *tt_expr_integer_scalar(TtExprs *x, const char *function, TtExpr *a, int64_t value) {
  const char *two = a ? of_two_tiles(function) : NULL;
  if (two && (value < 0 || !has_no_sign(a)))
    return tt_expr_combine_integers(x, two, a, tt_expr_integer_scalar(x, "fill_int", NULL, value));
  TtBuilder b = tt_builder_before(x->op);
  MlirValue number = tt_index(&b, mlirOperationGetLocation(x->op), value);
  return tt_expr_make(x, (TtExpr){.kind = a ? TT_EXPR_UNARY : TT_EXPR_FILL,
                                  .in = {a, NULL, NULL},
                                  .value = number,
                                  .scalar = (double)value,
                                  .function = tt_sfpu_function(function)});
}
