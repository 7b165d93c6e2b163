/*===- integer_reduction.c - sums, largest and smallest integers ------------------------------===
 *
 *   m = maxsi(m, f(x, y, …)) over the columns  = f to scratch of i32, what pads it less than all;
 *                                                its largest, in bytes (integer_parts.c); with m
 *   minsi                                      = ~maxsi(~m, ~f), the order turned round
 *   maxui of 32 bits                           = the same with the highest bit turned over
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Transforms/Tile/expression.h"

typedef struct Fold {
  TtExprs *x;
  TtSpace *space;
  const char *scalar_op; /* what combines two of them */
  const TtReduce *kinds; /* of columns, of rows */
  int64_t mask;          /* what turns its order into that of maxsi */
} Fold;

static const int64_t sign_bit = -INT64_C(0x80000000);

static bool is(const Fold *f, const char *name) {
  return mlirStringRefEqual(tt_str(f->scalar_op), tt_str(name));
}

static bool is_sum(const Fold *f) { return !tt_reduce_is_max(f->kinds[0]); }

static int64_t mask_of(const Fold *f, MlirValue scalar) {
  bool least = is(f, "arith.minsi") || is(f, "arith.minui"),
       is_unsigned = is(f, "arith.maxui") || is(f, "arith.minui");
  int64_t mask =
      is_unsigned && mlirIntegerTypeGetWidth(mlirValueGetType(scalar)) == 32 ? sign_bit : 0;
  return least ? ~mask : mask;
}

static TtExpr *turned_over(const Fold *f, TtExpr *e) {
  return e && f->mask ? tt_expr_integer_scalar(f->x, "xor_int_scalar", e, f->mask) : e;
}

/* `e`, but what counts for nothing beyond the extents of the loops that are reduced. */
static TtExpr *padded(const Fold *f, TtExpr *e) {
  TtExprs *x = f->x;
  const intptr_t loops[2] = {f->space->sides.row, f->space->sides.col};
  for (int i = 0; e && i < 2; ++i) {
    intptr_t loop = loops[i];
    if (loop < 0 || !f->space->reduced[loop] || !tt_is_padded(f->space, loop)) continue;
    TtExpr *within = tt_expr_within(x, loop),
           *outside = tt_expr_integer_scalar(x, "fill_int", NULL, is_sum(f) ? 0 : sign_bit);
    if (!within) return NULL;
    e = tt_expr_make(x, (TtExpr){.kind = TT_EXPR_COMBINE,
                                 .in = {within, e, outside},
                                 .function = tt_sfpu_function("where_int")});
  }
  return e;
}

static int64_t tiles_along(const TtSpace *space, intptr_t loop) {
  return loop == TT_UNIT ? 1 : tt_tiles(space->extent[loop]);
}

/* The term, in scratch of 32 bits. */
static bool term_to_scratch(const Fold *f, MlirValue scalar, MlirValue *cb) {
  TtExprs *x = f->x;
  bool is_signed = is(f, "arith.maxsi") || is(f, "arith.minsi");
  TtExpr *term =
      is_signed ? tt_expr_signed_integer(x, scalar) : tt_expr_of_tensor_integer(x, scalar);
  term = tt_expr_whole(x, padded(f, turned_over(f, term)));
  if (!term) return false;
  MlirType i32 = mlirIntegerTypeGet(mlirOperationGetContext(x->op), 32);
  *cb = tt_take_scratch(x, tiles_along(f->space, f->space->sides.row),
                        tiles_along(f->space, f->space->sides.col), i32);
  if (!tt_expr_to_cb(x, term, *cb)) return false;
  return tt_show_scratch(x, *cb), true;
}

static bool check_fidelity(const Fold *f) {
  MlirAttribute asked = tt_get_attr(f->x->l->func, "tt.math_fidelity");
  bool low = !mlirAttributeIsNull(asked) && mlirAttributeIsAString(asked) &&
             (mlirStringRefEqual(tt_string(asked), tt_str("LoFi")) ||
              mlirStringRefEqual(tt_string(asked), tt_str("HiFi2")));
  if (!low || !is_sum(f)) return true;
  return tt_error(f->x->op, "a sum of integers needs all bits of a byte, which tt.math_fidelity "
                            "below HiFi3 does not take; raise it");
}

/* What is in scratch, where the result has its sides. */
static TtExpr *at_sides(TtExprs *x, MlirValue cb, TtSides sides) {
  TtExpr *e = tt_expr_operand(x, cb, sides);
  if (!e || e->access == TT_ACCESS_FULL) return e;
  TtExprs y = {.l = x->l, .op = x->op, .space = x->space};
  return tt_expr_integer_parts(x, &y, tt_expr_leaf(&y, cb, TT_ACCESS_FULL), cb, e->access, 32);
}

/* Over columns, then over rows. */
static bool reduce(const Fold *f, MlirValue *cb, TtSides *left) {
  for (int row = 1; row >= 0; --row) {
    intptr_t loop = row ? left->col : left->row;
    if (loop < 0 || !f->space->reduced[loop]) continue;
    if (!tt_reduce_integers(f->x, *cb, f->kinds[row], row, cb)) return false;
    *(row ? &left->col : &left->row) = TT_UNIT;
  }
  return true;
}

bool tt_lower_integer_reduction(TtExprs *x, TtSpace *space, const char *scalar_op,
                                const TtReduce kinds[2], intptr_t out_index, MlirValue scalar) {
  intptr_t operand = tt_linalg_num_inputs(x->op) + out_index;
  MlirValue memref = mlirOperationGetOperand(x->op, operand), cb;
  TtBuffer *out = tt_buffer_of(x->l, memref);
  Fold f = {x, space, scalar_op, kinds, 0};
  if (!is_sum(&f)) f.mask = mask_of(&f, scalar);
  TtSides target, left = space->sides;
  double start = 0;
  bool fresh = tt_is_fresh(out, x->op);
  if (!check_fidelity(&f) || !term_to_scratch(&f, scalar, &cb) ||
      !tt_sides_of(space, operand, out->column, &target) ||
      (fresh && !tt_fill_value(tt_fill_before(x->op, memref), &start)) || !reduce(&f, &cb, &left))
    return false;
  space->sides = target;
  TtExpr *result = turned_over(&f, at_sides(x, cb, left));
  TtExpr *before =
      fresh ? tt_expr_integer_scalar(x, "fill_int", NULL, (int64_t)start)
            : tt_expr_of_yielded_integer(x, mlirBlockGetArgument(tt_body(x->op), operand));
  MlirType element = mlirValueGetType(scalar);
  result = tt_expr_fold_integers(x, scalar_op, before, result, mlirIntegerTypeGetWidth(element));
  result = tt_expr_stored_integer(x, result, element, out->cb);
  return result && tt_expr_to_cb(x, result, out->cb);
}
