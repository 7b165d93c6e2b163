/*===- integers.c - integers of tensors in scalar bodies ------------------------------------===
 *
 *   x + y, x & y, x << y, max, |x| …       by the vector unit's integer functions
 *   x > y                                  = max(x, y) - y differs from 0: exact for all values
 *   without signs                          = the same, of x and y with the highest bit turned over
 *   sitofp, fptosi                         = i32_to_f32, f32_to_i32
 *   bitcast from and to f32                = what is there, which DST holds in 32 bits either way
 *
 * In DST they are 32 bits wide. One of 8 or 16 bits is there as stored, from 0 on; an op that
 * looks at its sign spreads that, (x ^ 128) - 128, and what an op leaves is cut to the width.
 * Sums of indices that do not depend on a tensor are computed as floats (index_expression.c). An
 * operand that is broadcast or turned goes in bytes (integer_parts.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Transforms/Tile/expression.h"

typedef struct IntegerOp {
  const char *scalar_op, *function;
  bool signs; /* looks at the operands' signs */
  bool grows; /* may leave more bits than the width has */
} IntegerOp;

static const IntegerOp ops[] = {
    {"arith.addi", "add_int", false, true},  {"arith.subi", "sub_int", false, true},
    {"arith.muli", "mul_int", false, true},  {"arith.maxsi", "max_int", true, true},
    {"arith.minsi", "min_int", true, true},  {"math.absi", "abs_int", true, true},
    {"arith.andi", "and_int", false, false}, {"arith.ori", "or_int", false, false},
    {"arith.xori", "xor_int", false, false}, {"arith.shli", "shl_int", false, true},
    {"arith.shrsi", "shr_int", true, true},  {"arith.shrui", "shr_uint", false, false},
};

static unsigned width_of(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
}

/* Sums and small multiples, also of indices alone, which are computed as floats; others wrap. */
static bool is_sum(MlirOperation op) {
  const int64_t most = 1 << 16;
  int64_t factor;
  if (tt_op_is(op, "arith.addi") || tt_op_is(op, "arith.subi")) return true;
  return tt_op_is(op, "arith.muli") &&
         (tt_constant(mlirOperationGetOperand(op, 0), &factor) ||
          tt_constant(mlirOperationGetOperand(op, 1), &factor)) &&
         factor <= most && factor >= -most;
}

/* One of 8 or 16 bits, or a flag made one of more: no sum of indices. */
static bool is_cut(MlirOperation op, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  bool ext = tt_op_is(op, "arith.extui") || tt_op_is(op, "arith.extsi");
  if (ext && width_of(mlirOperationGetOperand(op, 0)) == 1 && width_of(value) <= 32) return true;
  return mlirTypeIsAInteger(type) && width_of(value) > 1 && width_of(value) < 32 &&
         !tt_op_is(op, "arith.constant");
}

static bool is_of_tensor(TtExprs *x, MlirValue value) {
  if (mlirTypeIsAFloat(mlirValueGetType(value))) return true;
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(x->op)) &&
           tt_is_memref(mlirValueGetType(
               mlirOperationGetOperand(x->op, mlirBlockArgumentGetArgNumber(value))));
  MlirOperation op = tt_defining_op(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), tt_body(x->op))) return false;
  if (is_cut(op, value)) return true;
  bool i32 = width_of(value) == 32 && mlirTypeIsAInteger(mlirValueGetType(value));
  if (i32 && tt_op_is(op, "arith.select")) return true;
  for (size_t i = 0; i32 && !is_sum(op) && i < sizeof ops / sizeof *ops; ++i)
    if (tt_op_is(op, ops[i].scalar_op)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tt_is_tensor_integer(x, mlirOperationGetOperand(op, i))) return true;
  return false;
}

bool tt_is_tensor_integer(TtExprs *x, MlirValue value) {
  int known = tt_value_map_get(&x->of_tensor, value);
  if (known < 0) {
    known = is_of_tensor(x, value);
    tt_value_map_set(x->l->arena, &x->of_tensor, value, known);
  }
  return known;
}

static TtExpr *refuse(TtExprs *x, const char *what) {
  return tt_error(x->op,
                  "%s has no tile intrinsic for integers of tensors; there are addi, subi, "
                  "muli, andi, ori, xori, shifts, maxima, minima, absi, comparisons, select, "
                  "casts, quotients and rests by what is not the constant 0, of 8, 16 and 32 bits",
                  what),
         NULL;
}

static TtExpr *named(TtExprs *x, MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return refuse(x, tt_arena_printf(x->l->arena, "%.*s", (int)name.length, name.data));
}

static TtExpr *constant(TtExprs *x, int64_t value) {
  return tt_expr_integer_scalar(x, "fill_int", NULL, value);
}

static bool check_width(TtExprs *x) {
  if (tt_dst_is_32bit(x->l->func)) return true;
  return tt_error(x->op,
                  "integers are 32 bits wide in DST, but tt.fp32_dest_acc = false makes it 16 "
                  "bits wide; remove it");
}

TtExpr *tt_expr_combine_integers(TtExprs *x, const char *function, TtExpr *a, TtExpr *b) {
  if (!a || !b) return NULL;
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_COMBINE,
                                  .in = {a, b, NULL},
                                  .function = tt_sfpu_function(function)});
}

/*===- Storage --------------------------------------------------------------------------------===*/

/* The integers that a circular buffer holds: those of the tensor that is moved through it, or
 * `own`. */
static TtDType held_integers(TtExprs *x, MlirValue cb, TtDType own) {
  TtArgs args = tt_kernel_args(x->l->arena, x->l->func);
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    TtMove move;
    if (!tt_move_of(mlirOpOperandGetOwner(use), &move)) continue;
    const TtArg *tensor = tt_arg_of(args, move.tensor);
    if (tensor) return tt_buffer_attr_dtype(tt_named_attr(x->l->func, "buffer", tensor->name));
  }
  return own;
}

/* What is in a circular buffer, in 32 bits; bytes and words from 0 on. */
static TtExpr *widen(TtExprs *x, TtExpr *e, TtDType held) {
  if (held == TT_D_TYPE_UINT8) return tt_expr_unary(x, "u8_to_i32", e, 0);
  return held == TT_D_TYPE_UINT16 ? tt_expr_unary(x, "u16_to_i32", e, 0) : e;
}

static bool is(const TtExpr *e, const char *function) {
  return e && e->kind == TT_EXPR_UNARY && e->function == tt_sfpu_function(function);
}

/* Zero in what is above the `width` bits of an integer. */
static TtExpr *cut(TtExprs *x, TtExpr *e, unsigned width) {
  if (!e || width >= 32) return e;
  if (is(e, "u8_to_i32") || (width == 16 && is(e, "u16_to_i32"))) return e;
  if (tt_expr_is_masked(e, INT64_C(1) << width)) return e;
  return tt_expr_integer_scalar(x, "and_int_scalar", e, (INT64_C(1) << width) - 1);
}

/* The same with its sign in all bits above. */
static TtExpr *spread(TtExprs *x, TtExpr *e, unsigned width) {
  if (!e || width >= 32) return e;
  int64_t sign = INT64_C(1) << (width - 1);
  e = tt_expr_integer_scalar(x, "xor_int_scalar", e, sign);
  return tt_expr_combine_integers(x, "sub_int", e, constant(x, sign));
}

static TtDType own_of(MlirType element) {
  TtDType own = TT_D_TYPE_INT32;
  return tt_dtype_of(element, &own) ? own : TT_D_TYPE_INT32;
}

/* An operand of integers, in 32 bits. */
static TtExpr *leaf(TtExprs *x, MlirValue value) {
  if (!check_width(x)) return NULL;
  TtExpr *e = tt_expr_leaf_of(x, value);
  if (!e) return NULL;
  if (e->kind != TT_EXPR_LEAF) return refuse(x, "an integer from outside of the body");
  TtDType held = held_integers(x, e->cb, own_of(mlirValueGetType(value)));
  MlirValue cb = e->cb;
  TtAccess access = e->access;
  if (access == TT_ACCESS_FULL) return cut(x, widen(x, e, held), width_of(value));
  TtExprs y = {.l = x->l, .op = x->op, .space = x->space, .in_section = x->in_section};
  TtExpr *whole = widen(&y, tt_expr_leaf(&y, cb, TT_ACCESS_FULL), held);
  unsigned bits = (unsigned)tt_format(held)->datum_bits;
  return cut(x, tt_expr_integer_parts(x, &y, whole, cb, access, bits), width_of(value));
}

TtExpr *tt_expr_stored_integer(TtExprs *x, TtExpr *e, MlirType element, MlirValue out) {
  TtDType own;
  if (!e || !mlirTypeIsAInteger(element) || !tt_dtype_of(element, &own)) return e;
  TtDType held = held_integers(x, out, own);
  if (held == TT_D_TYPE_UINT8 && is(e, "u8_to_i32")) return e->in[0];
  if (held == TT_D_TYPE_UINT16 && is(e, "u16_to_i32")) return e->in[0];
  if (held == TT_D_TYPE_UINT8) return cut(x, e, 8);
  return held == TT_D_TYPE_UINT16 ? tt_expr_unary(x, "i32_to_u16", e, 0) : e;
}

/*===- Ops ------------------------------------------------------------------------------------===*/

TtExpr *tt_expr_signed_integer(TtExprs *x, MlirValue value) {
  return spread(x, tt_expr_of_tensor_integer(x, value), width_of(value));
}

TtExpr *tt_expr_of_yielded_integer(TtExprs *x, MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return tt_expr_of_tensor_integer(x, value);
  MlirValue operand = mlirOperationGetOperand(x->op, mlirBlockArgumentGetArgNumber(value));
  int64_t number;
  if (tt_is_memref(mlirValueGetType(operand))) return leaf(x, value);
  if (tt_constant(operand, &number)) return cut(x, constant(x, number), width_of(value));
  return refuse(x, "a fill with what is no constant");
}

/* Of a float that may be 2^31 and more. */
static TtExpr *from_large(TtExprs *x, TtExpr *f) {
  TtExpr *large = tt_expr_unary(x, "gez", tt_expr_unary(x, "sub_scalar", f, 2147483648.0), 0),
         *low = tt_expr_combine(x, "sub", f, tt_expr_unary(x, "mul_scalar", large, 2147483648.0),
                                true),
         *sign = tt_expr_integer_scalar(x, "shl_int_scalar",
                                        tt_expr_unary(x, "f32_to_i32", large, 0), 31);
  return tt_expr_combine_integers(x, "add_int", tt_expr_unary(x, "f32_to_i32", low, 0), sign);
}

static TtExpr *cast(TtExprs *x, MlirOperation op, MlirValue first) {
  MlirValue value = mlirOperationGetResult(op, 0);
  unsigned from = width_of(first), to = width_of(value);
  if (tt_op_is(op, "arith.fptosi") || tt_op_is(op, "arith.fptoui")) {
    if (!check_width(x)) return NULL;
    TtExpr *f = tt_expr_of_operand(x, first);
    bool is_unsigned = f && tt_op_is(op, "arith.fptoui");
    /* Not by way of f32_to_u8: the library's gives 2 for 0, and other values for other fractions.
     */
    if (is_unsigned && to == 32) return from_large(x, f);
    return cut(x, tt_expr_unary(x, "f32_to_i32", f, 0), to);
  }
  if (from == 1) { /* a flag, 1 or -1 */
    TtExpr *flag = tt_expr_of(x, first);
    if (tt_op_is(op, "arith.extsi")) flag = tt_expr_unary(x, "negative", flag, 0);
    return check_width(x) ? cut(x, tt_expr_unary(x, "f32_to_i32", flag, 0), to) : NULL;
  }
  if (from < 8) return named(x, op);
  if (mlirTypeIsAIndex(mlirValueGetType(first)))
    return check_width(x) ? cut(x, tt_expr_of_index(x, first), to) : NULL;
  if (from > 32 && mlirValueIsABlockArgument(first)) return cut(x, leaf(x, first), to); /* i64 */
  if (tt_op_is(op, "arith.extsi")) return cut(x, tt_expr_signed_integer(x, first), to);
  if (tt_op_is(op, "arith.trunci")) return cut(x, tt_expr_of_tensor_integer(x, first), to);
  return tt_expr_of_tensor_integer(x, first);
}

static TtExpr *choice(TtExprs *x, MlirOperation op) {
  TtExpr *in[3] = {tt_expr_of(x, mlirOperationGetOperand(op, 0)),
                   tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 1)),
                   tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 2))};
  if (!in[0] || !in[1] || !in[2]) return NULL;
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_COMBINE,
                                  .in = {in[0], in[1], in[2]},
                                  .function = tt_sfpu_function("where_int")});
}

/* The largest or smallest without signs: by the order of what has its highest bit turned over. */
static TtExpr *extreme_unsigned(TtExprs *x, TtExpr *a, TtExpr *b, unsigned width, bool most) {
  const char *function = most ? "max_int" : "min_int";
  const int64_t sign = -INT64_C(0x80000000);
  if (width < 32) return tt_expr_combine_integers(x, function, a, b);
  if (!a || !b) return NULL;
  TtExpr *e =
      tt_expr_combine_integers(x, function, tt_expr_integer_scalar(x, "xor_int_scalar", a, sign),
                               tt_expr_integer_scalar(x, "xor_int_scalar", b, sign));
  return tt_expr_integer_scalar(x, "xor_int_scalar", e, sign);
}

TtExpr *tt_expr_fold_integers(TtExprs *x, const char *scalar_op, TtExpr *a, TtExpr *b,
                              unsigned width) {
  bool most = mlirStringRefEqual(tt_str(scalar_op), tt_str("arith.maxui"));
  a = cut(x, a, width), b = cut(x, b, width);
  if (most || mlirStringRefEqual(tt_str(scalar_op), tt_str("arith.minui")))
    return extreme_unsigned(x, a, b, width, most);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    if (!mlirStringRefEqual(tt_str(scalar_op), tt_str(ops[i].scalar_op))) continue;
    if (ops[i].signs) a = spread(x, a, width), b = spread(x, b, width);
    return cut(x, tt_expr_combine_integers(x, ops[i].function, a, b), width);
  }
  return NULL;
}

static TtExpr *by_table(TtExprs *x, MlirOperation op, const IntegerOp *row, unsigned width) {
  TtExpr *in[2] = {NULL, NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n && i < 2; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool amount = i == 1 && tt_op_is(op, "arith.shrsi");
    in[i] = row->signs && !amount ? tt_expr_signed_integer(x, operand)
                                  : tt_expr_of_tensor_integer(x, operand);
    if (!in[i]) return NULL;
  }
  TtExpr *e = n == 1 ? tt_expr_unary(x, row->function, in[0], 0)
                     : tt_expr_combine_integers(x, row->function, in[0], in[1]);
  return row->grows ? cut(x, e, width) : e;
}

/* The bits of a float of 32. */
static TtExpr *bits_of(TtExprs *x, MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0);
  if (!mlirTypeIsAF32(mlirValueGetType(from)))
    return refuse(x, "arith.bitcast of what has not 32 bits");
  return check_width(x) ? tt_expr_of_operand(x, from) : NULL;
}

static bool is_cast(MlirOperation op) {
  static const char *const casts[] = {"arith.fptosi",      "arith.fptoui", "arith.extui",
                                      "arith.extsi",       "arith.trunci", "arith.index_cast",
                                      "arith.index_castui"};
  for (size_t i = 0; i < sizeof casts / sizeof *casts; ++i)
    if (tt_op_is(op, casts[i])) return true;
  return false;
}

static TtExpr *of_integer(TtExprs *x, MlirValue value) {
  int64_t number;
  unsigned width = width_of(value);
  if (tt_constant(value, &number)) return cut(x, constant(x, number), width);
  if (width > 32 && !tt_op_is(tt_defining_op(value), "arith.extsi"))
    return refuse(x, "an integer of more than 32 bits");
  if (!tt_is_tensor_integer(x, value))
    return check_width(x) ? cut(x, tt_expr_of_index(x, value), width) : NULL;
  if (mlirValueIsABlockArgument(value)) return leaf(x, value);
  MlirOperation op = tt_defining_op(value);
  if (is_cast(op)) return cast(x, op, mlirOperationGetOperand(op, 0));
  if (tt_op_is(op, "arith.select")) return choice(x, op);
  if (tt_op_is(op, "arith.bitcast")) return bits_of(x, op);
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (tt_op_is(op, ops[i].scalar_op)) return by_table(x, op, &ops[i], width);
  if (tt_op_is(op, "arith.maxui") || tt_op_is(op, "arith.minui"))
    return extreme_unsigned(x, tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 0)),
                            tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 1)), width,
                            tt_op_is(op, "arith.maxui"));
  return named(x, op);
}

TtExpr *tt_expr_of_tensor_integer(TtExprs *x, MlirValue value) {
  TtExpr *known = tt_expr_known(x, value);
  return known ? known : tt_expr_remember(x, value, of_integer(x, value));
}

/*===- To floats ------------------------------------------------------------------------------===*/

/* `f`, 32 bits taken as a number with a sign, as one without: 2^32 more where it is negative. */
static TtExpr *without_sign(TtExprs *x, TtExpr *f) {
  TtExpr *below = tt_expr_unary(x, "mul_scalar", tt_expr_unary(x, "ltz", f, 0), 4294967296.0);
  return tt_expr_combine(x, "add", f, below, false);
}

TtExpr *tt_expr_float_of_tensor_integer(TtExprs *x, MlirOperation cast) {
  MlirValue from = mlirOperationGetOperand(cast, 0);
  bool is_unsigned = tt_op_is(cast, "arith.uitofp");
  unsigned width = width_of(from);
  if (width == 1) { /* a flag */
    TtExpr *flag = tt_expr_of(x, from);
    return is_unsigned ? flag : tt_expr_unary(x, "negative", flag, 0);
  }
  if (width > 32 || width < 8)
    return refuse(x, "a cast from integers that have neither 8, 16 nor 32 bits");
  TtExpr *e = is_unsigned ? tt_expr_of_tensor_integer(x, from) : tt_expr_signed_integer(x, from);
  if (is(e, "u8_to_i32")) return tt_expr_unary(x, "u8_to_f32", e->in[0], 0);
  TtExpr *f = tt_expr_unary(x, "i32_to_f32", e, 0);
  return is_unsigned && width == 32 ? without_sign(x, f) : f;
}

TtExpr *tt_expr_float_of_bits(TtExprs *x, MlirOperation cast) {
  MlirValue from = mlirOperationGetOperand(cast, 0);
  if (!mlirTypeIsAInteger(mlirValueGetType(from)) || width_of(from) != 32)
    return refuse(x, "arith.bitcast of what has not 32 bits");
  return tt_expr_of_tensor_integer(x, from);
}

/* Of arith::CmpIPredicate: 1 where it holds, else 0, as floats. */
TtExpr *tt_expr_compare_tensor_integers(TtExprs *x, MlirOperation op) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT };
  int64_t predicate = tt_int(tt_op_attr(op, "predicate"));
  MlirValue operands[2] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  TtExpr *in[2];
  bool is_unsigned = predicate >= ULT;
  for (int i = 0; i < 2; ++i) {
    bool plain = is_unsigned || predicate <= NE;
    in[i] =
        plain ? tt_expr_of_tensor_integer(x, operands[i]) : tt_expr_signed_integer(x, operands[i]);
    if (in[i] && is_unsigned && width_of(operands[i]) == 32)
      in[i] = tt_expr_integer_scalar(x, "xor_int_scalar", in[i], -INT64_C(0x80000000));
  }
  if (!in[0] || !in[1]) return NULL;
  if (is_unsigned) predicate -= ULT - SLT;
  bool less = predicate == SLT || predicate == SGE; /* b > a, or not */
  TtExpr *first = in[0], *second = in[1];
  if (predicate > NE) {
    second = less ? in[0] : in[1];
    first = tt_expr_combine_integers(x, "max_int", in[0], in[1]);
  }
  bool differs = predicate == NE || predicate == SLT || predicate == SGT;
  TtExpr *test = tt_expr_unary(x, differs ? "nez_int" : "eqz_int",
                               tt_expr_combine_integers(x, "sub_int", first, second), 0);
  return tt_expr_unary(x, "i32_to_f32", test, 0);
}
