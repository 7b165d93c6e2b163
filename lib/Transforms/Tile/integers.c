/*===- integers.c - integers of tensors in scalar bodies ------------------------------------===
 *
 *   x + y, x - y, x * y, max, min, |x|     by the vector unit's integer functions
 *   x > y                                  = max(x, y) - y differs from 0: exact for all values
 *   sitofp, fptosi                         = i32_to_f32, f32_to_i32
 *   uitofp of i8                           = u8_to_f32; sitofp: less 256 above 127
 *
 * In DST they are 32 bits wide. i8 is stored without a sign. What does not depend on a tensor,
 * but on indices only, is computed as floats (index_expression.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Transforms/Tile/expression.h"

typedef struct IntegerOp {
  const char *scalar_op, *function;
} IntegerOp;

static const IntegerOp ops[] = {
    {"arith.addi", "add_int"},  {"arith.subi", "sub_int"},  {"arith.muli", "mul_int"},
    {"arith.maxsi", "max_int"}, {"arith.minsi", "min_int"}, {"math.absi", "abs_int"},
};

static unsigned width_of(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
}

bool tt_is_tensor_integer(TtExprs *x, MlirValue value) {
  if (mlirTypeIsAFloat(mlirValueGetType(value))) return true;
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(x->op)) &&
           tt_is_memref(mlirValueGetType(
               mlirOperationGetOperand(x->op, mlirBlockArgumentGetArgNumber(value))));
  MlirOperation op = tt_defining_op(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), tt_body(x->op))) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tt_is_tensor_integer(x, mlirOperationGetOperand(op, i))) return true;
  return false;
}

static TtExpr *refuse(TtExprs *x, const char *what) {
  return tt_error(x->op,
                  "%s has no tile intrinsic for integers of tensors; there are addi, subi, "
                  "muli, maxsi, minsi, absi, comparisons, select, and casts from i8 and between "
                  "i32 and floats",
                  what),
         NULL;
}

static TtExpr *named(TtExprs *x, MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return refuse(x, tt_arena_printf(x->l->arena, "%.*s", (int)name.length, name.data));
}

static TtExpr *constant(TtExprs *x, int64_t value) {
  TtBuilder b = tt_builder_before(x->op);
  MlirValue number = tt_index(&b, mlirOperationGetLocation(x->op), value);
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_FILL,
                                  .value = number,
                                  .scalar = (double)value,
                                  .function = tt_sfpu_function("fill_int")});
}

static bool is_plain_leaf(TtExprs *x, const TtExpr *e) {
  if (!e || e->kind != TT_EXPR_LEAF || e->access == TT_ACCESS_FULL) return e != NULL;
  return tt_error(x->op, "an operand of integers is broadcast or turned, which goes through the "
                         "sources of the FPU, and those hold floats only");
}

static bool check_width(TtExprs *x) {
  if (tt_dst_is_32bit(x->l->func)) return true;
  return tt_error(x->op,
                  "integers are 32 bits wide in DST, but tt.fp32_dest_acc = false makes it 16 "
                  "bits wide; remove it");
}

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

static TtExpr *leaf(TtExprs *x, MlirValue value) {
  if (!check_width(x)) return NULL;
  TtExpr *e = tt_expr_leaf_of(x, value);
  if (!is_plain_leaf(x, e)) return NULL;
  bool bytes = width_of(value) == 32 && e->kind == TT_EXPR_LEAF &&
               held_integers(x, e->cb, TT_D_TYPE_INT32) == TT_D_TYPE_UINT8;
  return bytes ? tt_expr_unary(x, "u8_to_i32", e, 0) : e;
}

/* Whether an i8 comes from where it has 32 bits. */
static bool is_wide_byte(TtExprs *x, const TtExpr *e) {
  return e && e->kind == TT_EXPR_LEAF &&
         held_integers(x, e->cb, TT_D_TYPE_UINT8) == TT_D_TYPE_INT32;
}

TtExpr *tt_expr_stored_integer(TtExprs *x, TtExpr *e, MlirType element, MlirValue out) {
  TtDType own;
  if (!e || !mlirTypeIsAInteger(element) || !tt_dtype_of(element, &own)) return e;
  TtDType held = held_integers(x, out, own);
  if (held == own) return e;
  if (held == TT_D_TYPE_UINT8)
    return tt_expr_unary(x, "f32_to_u8", tt_expr_unary(x, "i32_to_f32", e, 0), 0);
  return held == TT_D_TYPE_INT32 && !is_wide_byte(x, e) ? tt_expr_unary(x, "u8_to_i32", e, 0) : e;
}

static TtExpr *combine(TtExprs *x, const char *function, TtExpr *a, TtExpr *b) {
  if (!a || !b) return NULL;
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_COMBINE,
                                  .in = {a, b, NULL},
                                  .function = tt_sfpu_function(function)});
}

/* An i8 as it is stored, 0 to 255, in 32 bits. */
static TtExpr *byte(TtExprs *x, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) return leaf(x, value);
  return named(x, tt_defining_op(value));
}

static TtExpr *as_i32(TtExprs *x, TtExpr *b) {
  return is_wide_byte(x, b) ? b : tt_expr_unary(x, "u8_to_i32", b, 0);
}

TtExpr *tt_expr_of_yielded_integer(TtExprs *x, MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return tt_expr_of_tensor_integer(x, value);
  MlirValue operand = mlirOperationGetOperand(x->op, mlirBlockArgumentGetArgNumber(value));
  int64_t number;
  if (tt_is_memref(mlirValueGetType(operand))) return leaf(x, value); /* a copy, of any width */
  if (tt_constant(operand, &number)) return constant(x, number);
  return refuse(x, "a fill with what is no constant");
}

TtExpr *tt_expr_of_tensor_integer(TtExprs *x, MlirValue value) {
  int64_t number;
  if (tt_constant(value, &number)) return constant(x, number);
  if (!tt_is_tensor_integer(x, value))
    return tt_expr_unary(x, "f32_to_i32", tt_expr_of_integer(x, value), 0);
  if (mlirValueIsABlockArgument(value)) {
    if (width_of(value) == 32) return leaf(x, value);
    return refuse(x, "an operation on integers that are not 32 bits wide");
  }
  MlirOperation op = tt_defining_op(value);
  MlirValue first = mlirOperationGetOperand(op, 0);
  bool from_float = tt_op_is(op, "arith.fptosi") || tt_op_is(op, "arith.fptoui");
  if (from_float && !check_width(x)) return NULL;
  if (tt_op_is(op, "arith.fptosi") && width_of(value) == 32)
    return tt_expr_unary(x, "f32_to_i32", tt_expr_of_operand(x, first), 0);
  if (tt_op_is(op, "arith.fptoui") && width_of(value) == 8)
    return tt_expr_unary(x, "f32_to_u8", tt_expr_of_operand(x, first), 0);
  if (tt_op_is(op, "arith.extui") && width_of(first) == 8 && width_of(value) == 32)
    return as_i32(x, byte(x, first));
  if (tt_op_is(op, "arith.select")) {
    TtExpr *in[3] = {tt_expr_of(x, first),
                     tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 1)),
                     tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 2))};
    if (!in[0] || !in[1] || !in[2]) return NULL;
    return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_COMBINE,
                                    .in = {in[0], in[1], in[2]},
                                    .function = tt_sfpu_function("where_int")});
  }
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    if (!tt_op_is(op, ops[i].scalar_op)) continue;
    TtExpr *a = tt_expr_of_tensor_integer(x, first);
    if (mlirOperationGetNumOperands(op) == 1) return tt_expr_unary(x, ops[i].function, a, 0);
    return combine(x, ops[i].function, a,
                   tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 1)));
  }
  return named(x, op);
}

/* `f`, 32 bits taken as a number with a sign, as one without: 2^32 more where it is negative. */
static TtExpr *without_sign(TtExprs *x, TtExpr *f) {
  TtExpr *below = tt_expr_unary(x, "mul_scalar", tt_expr_unary(x, "ltz", f, 0), 4294967296.0);
  return tt_expr_combine(x, "add", f, below, false);
}

TtExpr *tt_expr_float_of_tensor_integer(TtExprs *x, MlirOperation cast) {
  MlirValue from = mlirOperationGetOperand(cast, 0);
  if (width_of(from) == 32) {
    TtExpr *f = tt_expr_unary(x, "i32_to_f32", tt_expr_of_tensor_integer(x, from), 0);
    return tt_op_is(cast, "arith.uitofp") ? without_sign(x, f) : f;
  }
  if (width_of(from) != 8)
    return refuse(x, "a cast from integers that are neither 8 nor 32 bits wide");
  TtExpr *b = byte(x, from),
         *u = tt_expr_unary(x, is_wide_byte(x, b) ? "i32_to_f32" : "u8_to_f32", b, 0);
  if (!u || tt_op_is(cast, "arith.uitofp")) return u;
  TtExpr *above = tt_expr_unary(x, "gtz", tt_expr_unary(x, "sub_scalar", u, 127), 0);
  return tt_expr_combine(x, "sub", u, tt_expr_unary(x, "mul_scalar", above, 256), false);
}

/* Of arith::CmpIPredicate: 1 where it holds, else 0, as floats. */
TtExpr *tt_expr_compare_tensor_integers(TtExprs *x, MlirOperation op) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT };
  int64_t predicate = tt_int(tt_op_attr(op, "predicate"));
  TtExpr *a = tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 0)),
         *b = tt_expr_of_tensor_integer(x, mlirOperationGetOperand(op, 1));
  if (predicate >= ULT) return refuse(x, "a comparison without signs");
  if (!a || !b) return NULL;
  bool less = predicate == SLT || predicate == SGE; /* b > a, or not */
  TtExpr *first = a, *second = b;
  if (predicate > NE) {
    second = less ? a : b;
    first = combine(x, "max_int", a, b);
  }
  bool differs = predicate == NE || predicate == SLT || predicate == SGT;
  TtExpr *test =
      tt_expr_unary(x, differs ? "nez_int" : "eqz_int", combine(x, "sub_int", first, second), 0);
  return tt_expr_unary(x, "i32_to_f32", test, 0);
}
