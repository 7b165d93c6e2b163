/*===- expression.c - scalar bodies to expressions over tiles ---------------------------===
 *
 *   %s = arith.subf %x, %y        max(x - y, 0) * 0.5
 *   %m = arith.maximumf %s, %zero   = mul_scalar(max_scalar(sub(x, y), 0), 0.5)
 *   %r = arith.mulf %m, %half
 *
 * Equal expressions are one, and a constant operand becomes a scalar where the vector unit
 * takes one (make_expression.c). Comparisons (comparison.c) are 1 where they hold, else 0. Casts
 * between float types at the ends of a body are what unpacker and packer do, and need nothing; amid
 * it they round (rounding.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"
#include "Analysis/functions.h"

#include "mlir-c/Dialect/Linalg.h"

#include <math.h>
#include <stdlib.h>

typedef enum Kind {
  CAST,
  ONE,
  TWO,
  COMPARE,
  CLASSIFY,
  DIFFER,
  CHOOSE,
  FMA,
  LOGARITHM,
  INTEGER,
  BITS
} Kind;

typedef struct Rule {
  const char *scalar_op;
  Kind kind;
  const char *function;
} Rule;

static const Rule rules[] = {
    {"arith.extf", CAST, ""},
    {"arith.truncf", CAST, ""},
    {"arith.addf", TWO, "add"},
    {"arith.subf", TWO, "sub"},
    {"arith.mulf", TWO, "mul"},
    {"arith.divf", TWO, "div"},
    {"arith.maximumf", TWO, "max"},
    {"arith.maxnumf", TWO, "max"},
    {"arith.minimumf", TWO, "min"},
    {"arith.minnumf", TWO, "min"},
    {"math.powf", TWO, "power"},
    {"arith.andi", TWO, "mul"},
    {"arith.ori", TWO, "max"},
    {"arith.negf", ONE, "negative"},
    {"math.absf", ONE, "abs"},
    {"math.exp", ONE, "exp"},
    {"math.exp2", ONE, "exp2"},
    {"math.expm1", ONE, "expm1"},
    {"math.log", ONE, "log"},
    {"math.log1p", ONE, "log1p"},
    {"math.sqrt", ONE, "sqrt"},
    {"math.rsqrt", ONE, "rsqrt"},
    {"math.tanh", ONE, "tanh"},
    {"math.erf", ONE, "erf"},
    {"math.erfc", ONE, "erfc"},
    {"math.sin", ONE, "sin"},
    {"math.cos", ONE, "cos"},
    {"math.tan", ONE, "tan"},
    {"math.asin", ONE, "asin"},
    {"math.acos", ONE, "acos"},
    {"math.atan", ONE, "atan"},
    {"math.sinh", ONE, "sinh"},
    {"math.cosh", ONE, "cosh"},
    {"math.asinh", ONE, "asinh"},
    {"math.acosh", ONE, "acosh"},
    {"math.atanh", ONE, "atanh"},
    {"math.floor", ONE, "floor"},
    {"math.ceil", ONE, "ceil"},
    {"math.trunc", ONE, "trunc"},
    {"math.log2", LOGARITHM, "1.4426950408889634"},
    {"math.log10", LOGARITHM, "0.43429448190325182"},
    {"math.fma", FMA, ""},
    {"arith.cmpf", COMPARE, ""},
    {"math.isnan", ONE, "isnan"},
    {"math.isinf", CLASSIFY, ""},
    {"math.isfinite", CLASSIFY, ""},
    {"arith.xori", DIFFER, ""},
    {"arith.select", CHOOSE, ""},
    {"arith.sitofp", INTEGER, ""},
    {"arith.uitofp", INTEGER, ""},
    {"arith.bitcast", BITS, ""},
    {"arith.cmpi", INTEGER, ""},
};

static const Rule *rule_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (tt_op_is(op, rules[i].scalar_op)) return &rules[i];
  return NULL;
}

static bool is_named(const char *name, const char *other) {
  return mlirStringRefEqual(tt_str(name), tt_str(other));
}

static TtExpr *constant(TtExprs *x, MlirOperation op);

/* A number from outside of the body. */
static TtExpr *outside(TtExprs *x, MlirValue scalar) {
  MlirOperation op = tt_defining_op(scalar);
  if (tt_op_is(op, "arith.constant")) return constant(x, op);
  if (tt_op_is(op, "arith.extf") || tt_op_is(op, "arith.truncf"))
    return outside(x, mlirOperationGetOperand(op, 0));
  if (mlirTypeIsAFloat(mlirValueGetType(scalar)) && mlirOperationIsNull(op))
    return tt_expr_scalar(x, "fill", NULL, scalar, NULL, 0);
  return tt_error(x->op, "takes a scalar that is neither a constant nor an argument of the kernel; "
                         "compute it in the body"),
         NULL;
}

TtExpr *tt_expr_leaf_of(TtExprs *x, MlirValue scalar) {
  intptr_t i = mlirBlockArgumentGetArgNumber(scalar);
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(scalar), tt_body(x->op))) return outside(x, scalar);
  MlirValue memref = mlirOperationGetOperand(x->op, i);
  if (!tt_is_memref(mlirValueGetType(memref))) return outside(x, memref);
  TtBuffer *buffer = tt_buffer_of(x->l, memref);
  TtSides sides;
  if (!buffer) return tt_error(x->op, "operand %jd is no buffer of the core", (intmax_t)i), NULL;
  if (!tt_sides_of(x->space, i, buffer->column, &sides)) return NULL;
  TtExpr *operand = tt_expr_operand(x, buffer->cb, sides);
  if (operand) operand->resident = buffer->resident;
  return operand;
}

static TtExpr *constant(TtExprs *x, MlirOperation op) {
  MlirAttribute value = tt_op_attr(op, "value");
  if (mlirAttributeIsAFloat(value)) return tt_expr_fill(x, mlirFloatAttrGetValueDouble(value));
  if (mlirAttributeIsAInteger(value) && mlirIntegerTypeGetWidth(mlirAttributeGetType(value)) == 1)
    return tt_expr_fill(x, mlirIntegerAttrGetValueInt(value) ? 1 : 0);
  return tt_error(x->op, "a constant of this type has no tile intrinsic; floats have"), NULL;
}

static bool is_float_or_flag(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAFloat(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1);
}

/* Of more than a flag's one bit. */
static bool is_integer(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1;
}

static bool may_be_minus_zero(const TtExpr *e) {
  static const char *const never[] = {"add_scalar", "sub_scalar", "abs", "exp", "square"};
  for (size_t i = 0; e->kind == TT_EXPR_UNARY && i < sizeof never / sizeof *never; ++i)
    if (is_named(e->function->name, never[i])) return false;
  return e->kind != TT_EXPR_FILL;
}

/* A function of one number. To the chip -0 is below zero, where there are no roots and no
 * logarithms. */
static TtExpr *function_of(TtExprs *x, const char *name, TtExpr *a) {
  bool above_zero = is_named(name, "sqrt") || is_named(name, "log");
  if (above_zero && may_be_minus_zero(a)) a = tt_expr_unary(x, "add_scalar", a, 0);
  return tt_expr_unary(x, name, a, 0);
}

/* An error of its argument is a relative error of the result, times the argument. */
static bool grows_errors(const char *function) {
  static const char *const names[] = {"exp", "exp2", "expm1", "sinh", "cosh"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (is_named(function, names[i])) return true;
  return false;
}

/* exp(x - y) in a kernel of f32: the difference keeps its bits, by the vector unit. Where tensors
 * are narrower, what the FPU cuts off is less than they have lost. */
static TtExpr *whole_difference(TtExprs *x, const char *function, TtExpr *e) {
  bool sums = grows_errors(function) && e->kind == TT_EXPR_COMBINE && !e->exact &&
              (is_named(e->function->name, "add") || is_named(e->function->name, "sub"));
  for (int i = 0; sums && i < 2; ++i) sums = tt_is_fp32_leaf(e->in[i]) && !e->in[i]->resident;
  if (!sums || !tt_is_of_f32(x->l->func) || !tt_dst_is_32bit(x->l->func)) return e;
  TtExpr whole = *e;
  whole.exact = true;
  return tt_expr_make(x, whole);
}

/* The function that an op is marked with: what matches, or its form for small arguments. */
static bool is_marked(MlirOperation op, TtFunctionMatch *function) {
  MlirAttribute mark = tt_get_attr(op, "tt.function");
  if (mlirAttributeIsNull(mark) || !tt_match_function(op, function)) return false;
  if (is_named(function->name, "exp_fast") && tt_str_eq(tt_string(mark), "exp_below"))
    function->name = "exp_below";
  return true;
}

static TtExpr *of_op(TtExprs *x, MlirValue scalar, MlirOperation op) {
  if (tt_op_is(op, "arith.constant")) return constant(x, op);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), tt_body(x->op))) return outside(x, scalar);
  TtFunctionMatch function;
  if (is_marked(op, &function))
    return tt_expr_unary(x, function.name, tt_expr_of_operand(x, function.argument), 0);
  const Rule *rule = rule_of(op);
  MlirStringRef name = tt_op_name(op);
  if (!rule || !is_float_or_flag(scalar))
    return tt_error(x->op,
                    "%.*s has no tile intrinsic here; there are arithmetic, comparisons, "
                    "select, max, min and casts of floats, and the functions of math",
                    (int)name.length, name.data),
           NULL;
  TtExpr *in[3] = {NULL, NULL, NULL};
  bool tensor = rule->kind == INTEGER &&
                (tt_is_tensor_integer(x, mlirOperationGetOperand(op, 0)) ||
                 (!tt_op_is(op, "arith.cmpi") && is_float_or_flag(mlirOperationGetOperand(op, 0))));
  if (rule->kind == INTEGER && !tensor && tt_op_is(op, "arith.cmpi"))
    tensor = tt_is_tensor_integer(x, mlirOperationGetOperand(op, 1));
  if (tensor)
    return tt_op_is(op, "arith.cmpi") ? tt_expr_compare_tensor_integers(x, op)
                                      : tt_expr_float_of_tensor_integer(x, op);
  if (rule->kind == INTEGER)
    return tt_op_is(op, "arith.cmpi")
               ? tt_expr_compare_integers(x, tt_int(tt_op_attr(op, "predicate")),
                                          mlirOperationGetOperand(op, 0),
                                          mlirOperationGetOperand(op, 1))
               : tt_expr_of_integer(x, mlirOperationGetOperand(op, 0));
  if (rule->kind == BITS) return tt_expr_float_of_bits(x, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 3; ++i) {
    in[i] = tt_expr_of_operand(x, mlirOperationGetOperand(op, i));
    if (!in[i]) return NULL;
  }
  switch (rule->kind) {
  case CAST: return in[0];
  case ONE: return function_of(x, rule->function, whole_difference(x, rule->function, in[0]));
  case TWO: return tt_expr_combine(x, rule->function, in[0], in[1], false);
  case CLASSIFY: return tt_expr_classify(x, op, in[0]);
  case DIFFER: return tt_expr_unary(x, "nez", tt_expr_combine(x, "sub", in[0], in[1], false), 0);
  case COMPARE: return tt_expr_compare(x, op, in[0], in[1]);
  case CHOOSE: return tt_expr_choose(x, in[0], in[1], in[2]);
  case FMA:
    return tt_expr_combine(x, "add", tt_expr_combine(x, "mul", in[0], in[1], false), in[2], false);
  case INTEGER:
  case BITS: break;
  case LOGARITHM:
    return tt_expr_unary(x, "mul_scalar", function_of(x, "log", in[0]),
                         strtod(rule->function, NULL));
  }
  return NULL;
}

TtExpr *tt_expr_of(TtExprs *x, MlirValue scalar) {
  if (is_integer(scalar)) return tt_expr_of_yielded_integer(x, scalar);
  if (mlirValueIsABlockArgument(scalar)) return tt_expr_leaf_of(x, scalar);
  TtExpr *known = tt_expr_known(x, scalar);
  return known ? known : tt_expr_remember(x, scalar, of_op(x, scalar, tt_defining_op(scalar)));
}
