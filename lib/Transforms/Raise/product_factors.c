/*===- product_factors.c - a term of a sum as two operands of a product -----------------------===
 *
 *   %c + %x * (sitofp %w * %s), of loops (i, k), (k, j), (j)  =  %x and sitofp %w * %s
 *
 * The factors of a term go to two groups, by the rows or the columns of the result that they move
 * along. A choice of the term or zero becomes one of a factor that moves along all that the
 * condition does:
 *
 *   %c + select(%m, %x * %w, 0)  =  select(%m, %x, 0) and %w
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/product_factors.h"

#include "Analysis/kept_dims.h"
#include "Analysis/made_of.h"

#include "mlir-c/Dialect/Linalg.h"

enum { MAX_DEPTH = 64 };

/*===- What is multiplied --------------------------------------------------------------------===*/

/* The argument of the body that `value` is, or -1. */
intptr_t tt_factor_argument_of(const TtProduct *p, MlirValue value) {
  bool own =
      mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), p->body);
  return own ? mlirBlockArgumentGetArgNumber(value) : -1;
}

bool tt_factor_is_in_body(const TtProduct *p, MlirOperation op) {
  return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), p->body);
}

static unsigned dims_of_map(const TtProduct *p, MlirAffineMap map) {
  unsigned dims = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    for (intptr_t d = 0; d < p->num_dims; ++d)
      if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, r), d)) dims |= 1u << d;
  return dims;
}

static bool goes_on(const void *p, MlirOperation op) {
  return tt_factor_is_in_body((const TtProduct *)p, op) && mlirOperationGetNumRegions(op) == 0 &&
         !tt_op_is(op, "memref.load");
}

/* The loops that `value` moves along. `*reads_out`: it is made of the old result. */
static unsigned dims_of(const TtProduct *p, MlirValue value, bool *reads_out) {
  unsigned dims = 0;
  TtValues all = tt_made_of(p->arena, value, goes_on, p);
  for (intptr_t i = 0; i < all.n; ++i) {
    intptr_t arg = tt_factor_argument_of(p, all.data[i]);
    MlirOperation op = tt_defining_op(all.data[i]);
    if (arg >= 0) dims |= dims_of_map(p, p->maps[arg]), *reads_out |= arg == p->inputs;
    else if (!tt_factor_is_in_body(p, op)) continue;
    else if (tt_op_is(op, "linalg.index")) dims |= 1u << tt_int(tt_op_attr(op, "dim"));
    else *reads_out |= !goes_on(p, op);
  }
  return dims;
}

/* Takes a tree of multiplications apart; false where it has too many factors. */
static bool add_factors(TtProduct *p, MlirValue value, int depth) {
  MlirOperation op = tt_defining_op(value);
  if (depth > 0 && tt_factor_is_in_body(p, op) &&
      tt_op_is(op, p->integers ? "arith.muli" : "arith.mulf"))
    return add_factors(p, mlirOperationGetOperand(op, 0), depth - 1) &&
           add_factors(p, mlirOperationGetOperand(op, 1), depth - 1);
  if (p->num_factors == TT_MOST_FACTORS) return false;
  p->factors[p->num_factors++] = value;
  return true;
}

/* The term that the body adds to the old result, or null. */
static MlirValue term_of(const TtProduct *p) {
  MlirValue none = {NULL};
  MlirOperation yield = mlirBlockGetTerminator(p->body);
  if (mlirOperationGetNumOperands(yield) != 1) return none;
  MlirOperation sum = tt_defining_op(mlirOperationGetOperand(yield, 0));
  if (!tt_factor_is_in_body(p, sum) || !tt_op_is(sum, p->integers ? "arith.addi" : "arith.addf"))
    return none;
  for (intptr_t i = 0; i < 2; ++i)
    if (tt_factor_argument_of(p, mlirOperationGetOperand(sum, i)) == p->inputs)
      return mlirOperationGetOperand(sum, 1 - i);
  return none;
}

static bool is_zero(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || !tt_op_is(op, "arith.constant")) return false;
  MlirAttribute number = tt_op_attr(op, "value");
  return mlirAttributeIsAFloat(number) && mlirFloatAttrGetValueDouble(number) == 0;
}

/* Notes that a condition decides which terms count, and returns the term. */
static MlirValue without_choice(TtProduct *p, MlirValue term) {
  MlirOperation op = tt_defining_op(term);
  if (p->integers || !tt_factor_is_in_body(p, op) || !tt_op_is(op, "arith.select") ||
      !is_zero(mlirOperationGetOperand(op, 2)))
    return term;
  p->choice = op;
  return mlirOperationGetOperand(op, 1);
}

/* Chooses a factor in place of the term; false where none moves along all that decides. */
static bool choose_factor(TtProduct *p) {
  bool reads_out = false;
  if (mlirOperationIsNull(p->choice)) return true;
  unsigned dims = dims_of(p, mlirOperationGetOperand(p->choice, 0), &reads_out);
  for (int g = 0; g < 2 && !reads_out; ++g)
    for (intptr_t i = 0; i < p->group[g].n; ++i) {
      MlirValue *factor = &p->group[g].factors[i];
      if (dims & ~dims_of(p, *factor, &reads_out)) continue;
      MlirOperation choice = mlirOperationClone(p->choice);
      mlirOperationSetOperand(choice, 1, *factor);
      mlirBlockInsertOwnedOperationBefore(p->body, p->choice, choice);
      *factor = mlirOperationGetResult(choice, 0);
      return true;
    }
  return false;
}

static void put(TtFactors *g, MlirValue factor, unsigned dims) {
  g->factors[g->n++] = factor, g->dims |= dims;
}

/* Two integers, of matrices, vectors or one of each. */
static bool deal_integers(TtProduct *p) {
  if (p->num_factors != 2) return false;
  for (int g = 0; g < 2; ++g) {
    bool reads_out = false;
    unsigned dims = dims_of(p, p->factors[g], &reads_out);
    if (reads_out || !(dims & p->sums)) return false;
    put(&p->group[g], p->factors[g], dims);
  }
  unsigned a = p->group[0].dims & ~p->sums, b = p->group[1].dims & ~p->sums;
  return (a & ~b) || (b & ~a) || !(a | b);
}

/* Deals the factors to two operands; false where they are none of a matrix product. */
static bool deal_factors(TtProduct *p) {
  if (p->integers) return deal_integers(p);
  bool waits[TT_MOST_FACTORS];
  unsigned dims[TT_MOST_FACTORS];
  for (intptr_t i = 0; i < p->num_factors; ++i) {
    bool reads_out = false;
    dims[i] = dims_of(p, p->factors[i], &reads_out);
    if (reads_out) return false;
    waits[i] = !(dims[i] & p->sums);
    if (waits[i]) continue;
    unsigned own = dims[i] & ~p->sums;
    int g = 0;
    for (; g < 2; ++g) {
      unsigned has = p->group[g].dims & ~p->sums;
      if (p->group[g].n == 0 || (own & ~has) == 0 || (has & ~own) == 0) break;
    }
    if (g == 2) return false;
    put(&p->group[g], p->factors[i], dims[i]);
  }
  for (intptr_t i = 0; i < p->num_factors; ++i) {
    if (!waits[i]) continue;
    int g = dims[i] & ~p->group[0].dims ? 1 : 0;
    if (dims[i] & ~p->group[g].dims) return false;
    put(&p->group[g], p->factors[i], dims[i]);
  }
  unsigned a = p->group[0].dims & ~p->sums, b = p->group[1].dims & ~p->sums;
  return p->group[0].n > 0 && p->group[1].n > 0 && (a & ~b) && (b & ~a);
}

/* What `value` is a cast of: of a float to a wider one, of 8 bits to more. */
MlirValue tt_factor_narrow_of(const TtProduct *p, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  bool cast = tt_factor_is_in_body(p, op) &&
              (p->integers ? tt_op_is(op, "arith.extsi") || tt_op_is(op, "arith.extui")
                           : tt_op_is(op, "arith.extf"));
  return cast ? mlirOperationGetOperand(op, 0) : value;
}

/* The input that a group is, as it comes; -1 where it is something else. */
intptr_t tt_factor_plain_input(const TtProduct *p, const TtFactors *g) {
  if (g->n != 1 || p->integers) return -1;
  intptr_t arg = tt_factor_argument_of(p, tt_factor_narrow_of(p, g->factors[0]));
  return arg >= 0 && mlirAffineMapIsProjectedPermutation(p->maps[arg]) ? arg : -1;
}

/* The same of one less a zero point, as (extsi %x) - 3: with eight bits beside its sign. */
static int64_t size_of_moved(const TtProduct *p, MlirValue factor) {
  enum { EXACT = 255 };
  MlirOperation op = tt_defining_op(factor);
  int64_t by;
  if (!tt_factor_is_in_body(p, op) || !tt_op_is(op, "arith.subi") ||
      !tt_constant(mlirOperationGetOperand(op, 1), &by) || by < -EXACT || by > EXACT)
    return 0;
  MlirValue x = mlirOperationGetOperand(op, 0);
  int64_t size = !tt_value_eq(tt_factor_narrow_of(p, x), x) ? tt_factor_size_of_narrow(p, x) : 0;
  bool sign = tt_op_is(tt_defining_op(x), "arith.extsi");
  int64_t low = (sign ? -size : 0) - by, high = size - 1 - by, most = high > -low ? high : -low;
  return size > 0 && most <= EXACT ? most : 0;
}

/* The largest size of an integer of 8 bits or fewer that is made wider, or of that less a constant;
 * 0 for something else. */
int64_t tt_factor_size_of_narrow(const TtProduct *p, MlirValue factor) {
  MlirValue from = tt_factor_narrow_of(p, factor);
  if (tt_value_eq(from, factor)) return size_of_moved(p, factor);
  MlirType type = mlirValueGetType(from);
  if (!mlirTypeIsAInteger(type)) return 0;
  int64_t width = mlirIntegerTypeGetWidth(type);
  bool sign = tt_op_is(tt_defining_op(factor), "arith.extsi");
  return width > 8 ? 0 : INT64_C(1) << (sign ? width - 1 : width);
}

/*===- Reading the op ------------------------------------------------------------------------===*/

/* The size of dimension `r` of a buffer or view, where it is known when the kernel runs only. */
static MlirValue size_of(MlirValue memref, intptr_t r) {
  MlirOperation op = tt_defining_op(memref);
  MlirType type = mlirValueGetType(memref);
  intptr_t operand = 0;
  if (tt_op_is(op, "memref.alloc")) {
    for (intptr_t d = 0; d < r; ++d) operand += mlirShapedTypeIsDynamicDim(type, d);
    return mlirOperationGetOperand(op, operand);
  }
  bool keeps[TT_MAX_RANK];
  if (!tt_op_is(op, "memref.subview") || !tt_subview_keeps(op, keeps)) return (MlirValue){NULL};
  MlirAttribute offsets = tt_op_attr(op, "static_offsets"), sizes = tt_op_attr(op, "static_sizes");
  intptr_t rank = mlirDenseArrayGetNumElements(offsets);
  for (intptr_t d = 0; d < rank; ++d)
    operand += mlirDenseI64ArrayGetElement(offsets, d) == INT64_MIN;
  for (intptr_t d = 0; d < rank; ++d) {
    bool dynamic = mlirDenseI64ArrayGetElement(sizes, d) == INT64_MIN;
    if (keeps[d] && r-- == 0)
      return dynamic ? mlirOperationGetOperand(op, 1 + operand) : (MlirValue){NULL};
    operand += dynamic;
  }
  return (MlirValue){NULL};
}

static bool read_extents(TtProduct *p) {
  for (intptr_t d = 0; d < p->num_dims; ++d) p->extent[d] = 0;
  for (intptr_t i = 0; i <= p->inputs; ++i) {
    MlirType type = mlirValueGetType(p->operands[i]);
    if (!tt_is_memref(type)) return false;
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(p->maps[i]); ++r) {
      MlirAffineExpr e = mlirAffineMapGetResult(p->maps[i], r);
      if (!mlirAffineExprIsADim(e)) continue;
      int64_t size = mlirShapedTypeGetDimSize(type, r);
      intptr_t d = mlirAffineDimExprGetPosition(e);
      if (size < 0) {
        p->size[d] = size_of(p->operands[i], r), p->extent[d] = INT64_MIN;
        if (tt_is_null_value(p->size[d]) || p->sums & 1u << d) return false;
      } else if (p->extent[d] == 0) p->extent[d] = size;
    }
  }
  for (intptr_t d = 0; d < p->num_dims; ++d)
    if (p->extent[d] == 0) return false;
  return true;
}

bool tt_read_product(TtProduct *p, MlirOperation op) {
  MlirAttribute kinds = tt_op_attr(op, "iterator_types"),
                sum = mlirAttributeParseGet(mlirOperationGetContext(op),
                                            tt_str("#linalg.iterator_type<reduction>"));
  p->op = op, p->body = tt_body(op), p->inputs = tt_linalg_num_inputs(op);
  p->num_dims = mlirArrayAttrGetNumElements(kinds);
  if (mlirOperationGetNumOperands(op) != p->inputs + 1 || p->inputs > TT_MOST_INPUTS ||
      p->num_dims > TT_MOST_DIMS || mlirOperationGetNumResults(op) > 0)
    return false;
  for (intptr_t d = 0; d < p->num_dims; ++d)
    if (mlirAttributeEqual(mlirArrayAttrGetElement(kinds, d), sum)) p->sums |= 1u << d, p->k = d;
  if (p->sums != 1u << p->k) return false;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  for (intptr_t i = 0; i <= p->inputs; ++i) {
    p->maps[i] = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    p->operands[i] = mlirOperationGetOperand(op, i);
  }
  MlirType result = mlirValueGetType(mlirBlockGetArgument(p->body, p->inputs));
  p->integers = mlirTypeIsAInteger(result);
  if (p->integers && mlirIntegerTypeGetWidth(result) != 32) return false;
  if (!mlirAffineMapIsProjectedPermutation(p->maps[p->inputs]) || !read_extents(p)) return false;
  MlirValue term = term_of(p);
  if (tt_is_null_value(term) || !add_factors(p, without_choice(p, term), MAX_DEPTH) ||
      !deal_factors(p) || !choose_factor(p))
    return false;
  if (!p->integers)
    return tt_factor_plain_input(p, &p->group[0]) < 0 || tt_factor_plain_input(p, &p->group[1]) < 0;
  for (int g = 0; g < 2; ++g)
    if (p->group[g].n != 1 || !tt_factor_size_of_narrow(p, p->group[g].factors[0])) return false;
  return true;
}
