/*===- functions.c - expressions that are a function of the vector unit ------------------------===
 *
 *   sigmoid    1 / (1 + exp(-x))
 *   silu       x * sigmoid(x),  x / (1 + exp(-x))
 *   tanh       (exp(2x) - 1) / (exp(2x) + 1),  (1 - exp(-2x)) / (1 + exp(-2x))
 *   rsqrt      1 / sqrt(x)
 *   recip      1 / x
 *   square     x * x, of what was computed
 *   gelu       x / 2 * (1 + erf(x / sqrt 2)),  x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715
 * x^3))) softplus   log(1 + exp(x)),  log1p(exp(x))
 *
 *   exp_fast   exp(x)
 *
 * Sums and products are taken in any order, and constants as bf16 has them.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/functions.h"

#include <math.h>
#include <string.h>

enum { MAX_FACTORS = 8, MAX_DEPTH = 6 };

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

/* The op that gives a value, if it is of this name with `n` operands. */
static bool is_op(MlirValue value, const char *name, intptr_t n, MlirOperation *op) {
  *op = tt_defining_op(value);
  return !mlirOperationIsNull(*op) && tt_op_is(*op, name) && mlirOperationGetNumOperands(*op) == n;
}

static bool is_number(MlirValue value, double *number) {
  MlirOperation op;
  if (!is_op(value, "arith.constant", 0, &op)) return false;
  MlirAttribute attr = tt_op_attr(op, "value");
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAFloat(attr)) return false;
  return *number = mlirFloatAttrGetValueDouble(attr), true;
}

/* The same number, if it was rounded to bf16. */
static bool is_near(double number, double wanted) {
  return fabs(number - wanted) <= ldexp(fabs(wanted), -8);
}

static bool is_constant(MlirValue value, double wanted) {
  double number;
  return is_number(value, &number) && number == wanted;
}

/*===- Sums and products --------------------------------------------------------------------===*/

/* 1 + u */
static bool is_one_plus(MlirValue value, MlirValue *u) {
  MlirOperation op;
  if (!is_op(value, "arith.addf", 2, &op)) return false;
  for (intptr_t i = 0; i < 2; ++i)
    if (is_constant(operand(op, i), 1)) return *u = operand(op, 1 - i), true;
  return false;
}

/* A product: a constant times some values. */
typedef struct Product {
  double constant;
  MlirValue factors[MAX_FACTORS];
  int n;
} Product;

static bool is_used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static bool add_factors(Product *p, MlirValue value, int depth) {
  MlirOperation op;
  double number;
  if (is_number(value, &number)) return p->constant *= number, true;
  if (depth > 0 && !is_used_once(value)) depth = MAX_DEPTH; /* the argument, say */
  if (depth < MAX_DEPTH && is_op(value, "arith.mulf", 2, &op))
    return add_factors(p, operand(op, 0), depth + 1) && add_factors(p, operand(op, 1), depth + 1);
  if (depth < MAX_DEPTH && is_op(value, "arith.divf", 2, &op) && is_number(operand(op, 1), &number))
    return p->constant /= number, add_factors(p, operand(op, 0), depth + 1);
  if (depth < MAX_DEPTH && is_op(value, "arith.negf", 1, &op))
    return p->constant *= -1, add_factors(p, operand(op, 0), depth + 1);
  if (depth < MAX_DEPTH && is_op(value, "math.powf", 2, &op) && is_constant(operand(op, 1), 3)) {
    for (int i = 0; i < 3; ++i)
      if (!add_factors(p, operand(op, 0), MAX_DEPTH)) return false;
    return true;
  }
  if (p->n == MAX_FACTORS) return false;
  return p->factors[p->n++] = value, true;
}

static bool product_of(MlirValue value, Product *p) {
  *p = (Product){.constant = 1};
  return add_factors(p, value, 0);
}

/* c * x, where x may be a product itself */
static bool is_multiple(MlirValue value, double c, MlirValue *x) {
  MlirOperation op;
  double number;
  if (c == 1) return *x = value, true;
  if (c == -1 && is_op(value, "arith.negf", 1, &op)) return *x = operand(op, 0), true;
  if (c == -1 && is_op(value, "arith.subf", 2, &op) && is_constant(operand(op, 0), 0))
    return *x = operand(op, 1), true;
  if (c == 2 && is_op(value, "arith.addf", 2, &op) && tt_value_eq(operand(op, 0), operand(op, 1)))
    return *x = operand(op, 0), true;
  if (is_op(value, "arith.divf", 2, &op) && is_number(operand(op, 1), &number) &&
      is_near(1 / number, c))
    return *x = operand(op, 0), true;
  for (intptr_t i = 0; is_op(value, "arith.mulf", 2, &op) && i < 2; ++i)
    if (is_number(operand(op, i), &number) && is_near(number, c))
      return *x = operand(op, 1 - i), true;
  return false;
}

/* exp(c * x) */
static bool is_exp(MlirValue value, double c, MlirValue *x) {
  MlirOperation op;
  return is_op(value, "math.exp", 1, &op) && is_multiple(operand(op, 0), c, x);
}

/*===- Functions ----------------------------------------------------------------------------===*/

static bool is_reciprocal(MlirValue value, MlirValue *x) {
  MlirOperation op;
  if (!is_op(value, "arith.divf", 2, &op) || !is_constant(operand(op, 0), 1)) return false;
  return *x = operand(op, 1), true;
}

static bool is_sigmoid(MlirValue value, MlirValue *x) {
  MlirValue sum, u;
  return is_reciprocal(value, &sum) && is_one_plus(sum, &u) && is_exp(u, -1, x);
}

static bool is_silu(MlirValue value, MlirValue *x) {
  MlirOperation op;
  MlirValue u;
  if (is_op(value, "arith.divf", 2, &op) && is_one_plus(operand(op, 1), &u) && is_exp(u, -1, x))
    return tt_value_eq(*x, operand(op, 0));
  if (!is_op(value, "arith.mulf", 2, &op)) return false;
  for (intptr_t i = 0; i < 2; ++i)
    if (is_sigmoid(operand(op, i), x) && tt_value_eq(*x, operand(op, 1 - i))) return true;
  return false;
}

static bool is_tanh(MlirValue value, MlirValue *x) {
  MlirOperation quotient, over;
  MlirValue e;
  if (!is_op(value, "arith.divf", 2, &quotient) || !is_one_plus(operand(quotient, 1), &e) ||
      !is_op(operand(quotient, 0), "arith.subf", 2, &over))
    return false;
  bool grows = tt_value_eq(operand(over, 0), e) && is_constant(operand(over, 1), 1),
       falls = is_constant(operand(over, 0), 1) && tt_value_eq(operand(over, 1), e);
  return (grows && is_exp(e, 2, x)) || (falls && is_exp(e, -2, x));
}

/* x + 0.044715 x^3 */
static bool is_cubic(MlirValue value, MlirValue x) {
  MlirOperation op;
  if (!is_op(value, "arith.addf", 2, &op)) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    Product p;
    if (!tt_value_eq(operand(op, i), x) || !product_of(operand(op, 1 - i), &p)) continue;
    bool cube = p.n == 3 && is_near(p.constant, 0.044715);
    for (int f = 0; f < p.n; ++f) cube = cube && tt_value_eq(p.factors[f], x);
    if (cube) return true;
  }
  return false;
}

/* 1 + erf(x / sqrt 2), or 1 + tanh(…) */
static bool is_gate_of(MlirValue value, MlirValue x) {
  MlirValue u, y;
  MlirOperation op;
  Product p;
  if (!is_one_plus(value, &u)) return false;
  if (is_op(u, "math.erf", 1, &op))
    return is_multiple(operand(op, 0), sqrt(0.5), &y) && tt_value_eq(x, y);
  return is_op(u, "math.tanh", 1, &op) && product_of(operand(op, 0), &p) && p.n == 1 &&
         is_near(p.constant, sqrt(2 / acos(-1))) && is_cubic(p.factors[0], x);
}

static bool is_gelu(MlirValue value, MlirValue *x) {
  Product p;
  MlirOperation op;
  if (!is_op(value, "arith.mulf", 2, &op) || !product_of(value, &p) || p.n != 2 ||
      p.constant != 0.5)
    return false;
  for (int i = 0; i < 2; ++i)
    if (is_gate_of(p.factors[i], p.factors[1 - i])) return *x = p.factors[1 - i], true;
  return false;
}

static bool is_softplus(MlirValue value, MlirValue *x) {
  MlirOperation op;
  MlirValue u;
  if (is_op(value, "math.log1p", 1, &op)) return is_exp(operand(op, 0), 1, x);
  return is_op(value, "math.log", 1, &op) && is_one_plus(operand(op, 0), &u) && is_exp(u, 1, x);
}

static bool is_rsqrt(MlirValue value, MlirValue *x) {
  MlirValue root;
  MlirOperation op;
  if (!is_reciprocal(value, &root) || !is_op(root, "math.sqrt", 1, &op)) return false;
  return *x = operand(op, 0), true;
}

/* Products of operands are for the matrix engine. */
static bool is_square(MlirValue value, MlirValue *x) {
  MlirOperation op, cast;
  if (!is_op(value, "arith.mulf", 2, &op) || !tt_value_eq(operand(op, 0), operand(op, 1)))
    return false;
  *x = operand(op, 0);
  return !mlirValueIsABlockArgument(*x) && !is_op(*x, "arith.extf", 1, &cast);
}

/* By the bits of its result, which are nearly linear in x. */
static bool is_exponential(MlirValue value, MlirValue *x) {
  MlirOperation op;
  return is_op(value, "math.exp", 1, &op) && (*x = operand(op, 0), true);
}

static const struct {
  const char *name;
  bool (*is)(MlirValue value, MlirValue *argument);
  bool approximate, wide;
} functions[] = {
    {"silu", is_silu, false, false},           {"sigmoid", is_sigmoid, false, false},
    {"tanh", is_tanh, false, false},           {"rsqrt", is_rsqrt, false, false},
    {"gelu_exact", is_gelu, true, false},      {"softplus", is_softplus, true, false},
    {"square", is_square, false, true},        {"recip_exact", is_reciprocal, false, false},
    {"exp_fast", is_exponential, true, false},
};

bool tt_match_function(MlirOperation op, TtFunctionMatch *match) {
  if (mlirOperationGetNumResults(op) != 1) return false;
  MlirValue value = mlirOperationGetResult(op, 0), argument;
  if (!mlirTypeIsAFloat(mlirValueGetType(value))) return false;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (functions[i].is(value, &argument)) {
      *match = (TtFunctionMatch){functions[i].name, argument, functions[i].approximate,
                                 functions[i].wide};
      return true;
    }
  return false;
}
