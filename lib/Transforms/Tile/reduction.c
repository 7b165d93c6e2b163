/*===- reduction.c - sums and largest elements ---------------------------------------------===
 *
 *   m = max(m, f(x, y, …)) over the columns  = f to a circular buffer %t where it is no
 *                                              operand itself, then
 *                                              tt.fpu.reduce max_row, %t, %ones, dst = 0
 *   the same over columns and rows           = over the columns, then of the result over the rows
 *   min(m, x)                                = -max(-m, -x)
 *
 * What pads the last tile along a side is masked. A reduction that does not start from a constant
 * next to it gives a part, which is then combined with what was there.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

#include "Dialect/op_info.h"

#include <math.h>
#include <string.h>

typedef struct Combiner {
  const char *scalar_op, *function, *with_scalar;
  TtReduce reductions[2]; /* of columns, of rows */
  bool negated;           /* reduces what is negated, and negates the result */
} Combiner;

#define SUM {TT_REDUCE_SUM_COL, TT_REDUCE_SUM_ROW}
#define MAX {TT_REDUCE_MAX_COL, TT_REDUCE_MAX_ROW}
static const Combiner combiners[] = {
    {"arith.addf", "add", "add_scalar", SUM, false},
    {"arith.maximumf", "max", "max_scalar", MAX, false},
    {"arith.maxnumf", "max", "max_scalar", MAX, false},
    {"arith.minimumf", "min", "min_scalar", MAX, true},
    {"arith.minnumf", "min", "min_scalar", MAX, true},
    {"arith.addi", "add_int", NULL, SUM, false},
    {"arith.maxsi", "max_int", NULL, MAX, false},
    {"arith.minsi", "min_int", NULL, MAX, true},
    {"arith.maxui", "max_int", NULL, MAX, false},
    {"arith.minui", "min_int", NULL, MAX, true},
};

/* No element is beyond this one, in any format of the core: the largest finite bf16. */
static const double most = 3.3895313892515355e38;

static bool is_neutral(const Combiner *c, double start) {
  if (!tt_reduce_is_max(c->reductions[0])) return start == 0;
  return c->negated ? start >= most : start <= -most;
}

/* `value`, of 64 bits that are stored in 32: what is made of 32 before it is yielded, or what 32
 * are made of right after it was taken. */
static MlirValue before_64_bits(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return tt_op_is(op, "arith.extsi") && mlirIntegerTypeGetWidth(mlirValueGetType(value)) == 64
             ? mlirOperationGetOperand(op, 0)
             : value;
}
static MlirValue after_64_bits(MlirValue old) {
  MlirOpOperand use = mlirValueGetFirstUse(old);
  MlirType type = mlirValueGetType(old);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 64 ||
      mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return old;
  MlirOperation op = mlirOpOperandGetOwner(use);
  return tt_op_is(op, "arith.trunci") ? mlirOperationGetResult(op, 0) : old;
}

/* Splits what output `out` yields into the combiner and what it combines with the old value. */
static const Combiner *read_body(MlirOperation op, intptr_t out, MlirValue *term) {
  MlirBlock body = tt_body(op);
  MlirValue old = after_64_bits(mlirBlockGetArgument(body, tt_linalg_num_inputs(op) + out)),
            given = mlirOperationGetOperand(mlirBlockGetTerminator(body), out);
  MlirOperation last = tt_defining_op(before_64_bits(given));
  MlirOpOperand use = mlirValueGetFirstUse(old);
  bool once = !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  for (size_t i = 0; once && i < sizeof combiners / sizeof *combiners; ++i) {
    if (!tt_op_is(last, combiners[i].scalar_op)) continue;
    MlirValue a = mlirOperationGetOperand(last, 0), b = mlirOperationGetOperand(last, 1);
    if (!tt_value_eq(a, old) && !tt_value_eq(b, old)) break;
    *term = tt_value_eq(a, old) ? b : a;
    return &combiners[i];
  }
  tt_error(op,
           "this reduction has no tile intrinsic; sums, largest and smallest elements have: "
           "yield one arith.addf, maximumf or minimumf (addi, maxsi, minsi) of the output's old "
           "value and a term without it; by mulf, muli, andi, ori or xori, lines of constant "
           "number are combined of a tensor, or of what is copied from one, but not of what the "
           "core computes: compute that in the body of this reduction");
  return NULL;
}

/* A loop that no operand lies along with another one, as where vectors are compared or counted,
 * takes the side that is left. */
static void take_last_side(TtSpace *space) {
  intptr_t *row = &space->sides.row, *col = &space->sides.col;
  for (intptr_t d = 0; d < space->loops; ++d) {
    if (space->extent[d] == 1 || d == *row || d == *col) continue;
    if (*col == TT_UNIT) *col = d;
    else if (*row == TT_UNIT) *row = d;
  }
}

/* The block that a reduction runs over lies as its first operand with two sides. */
static bool choose_sides(TtLowering *l, TtSpace *space) {
  for (int wanted = 2; wanted > 0; --wanted)
    for (intptr_t i = 0; i < tt_linalg_num_inputs(space->op); ++i) {
      MlirValue operand = mlirOperationGetOperand(space->op, i);
      TtBuffer *buffer = tt_buffer_of(l, operand);
      TtSides s;
      if (!tt_is_memref(mlirValueGetType(operand))) continue;
      if (!tt_sides_of(space, i, buffer && buffer->column, &s)) return false;
      if ((s.row >= 0) + (s.col >= 0) != wanted) continue;
      space->sides = s;
      return take_last_side(space), true;
    }
  return true;
}

static int64_t tiles_along(const TtSpace *space, intptr_t loop) {
  return loop == TT_UNIT ? 1 : tt_tiles(space->extent[loop]);
}

/* Wide where DST is: the packer rounds to anything else. */
static MlirType element_of(TtLowering *l, MlirValue scalar) {
  MlirType type = mlirValueGetType(scalar);
  return mlirTypeIsAF32(type) && !tt_dst_is_32bit(l->func) ? tt_narrow_float(l->func) : type;
}

typedef struct Reduction {
  TtLowering *l;
  TtExprs *x;
  TtBuilder b;
  MlirLocation loc;
  const Combiner *combiner;
  TtSides sides; /* of the block as far as it is reduced */
} Reduction;

/* Reduces the block in `cb` along one of its sides, to `out`; after it, `scalar` is combined
 * where it is not null. */
static void reduce(Reduction *r, bool row, MlirValue cb, bool end, const double *start,
                   MlirValue out) {
  MlirValue ones = tt_constant_tile(r->l, r->loc, 1, tt_cb_type_element_type(mlirValueGetType(cb)));
  MlirValue none = {NULL};
  bool negate = end && r->combiner->negated;
  r->b = tt_builder_before(r->x->op);
  tt_fpu_reduce_create(&r->b, r->loc, r->combiner->reductions[row], cb, ones, 0,
                       negate || start ? none : out);
  if (negate)
    tt_sfpu_unary_create(&r->b, r->loc, TT_SFPU_NEGATIVE, 0, mlirAttributeGetNull(),
                         start ? none : out);
  if (start)
    tt_sfpu_unary_create(
        &r->b, r->loc, (TtSfpu)(tt_sfpu_function(r->combiner->with_scalar) - tt_sfpu_functions), 0,
        mlirFloatAttrDoubleGet(r->b.context, mlirF32TypeGet(r->b.context), *start), out);
  if (row) r->sides.col = TT_UNIT;
  else r->sides.row = TT_UNIT;
}

/* The largest elements of the block in `*cb`, with all bits of f32, in another. */
static bool reduce_exactly(Reduction *r, bool cols, bool rows, MlirValue *cb) {
  if (cols && !tt_exact_max(r->x, *cb, r->combiner->reductions[true], true, cb)) return false;
  if (cols) r->sides.col = TT_UNIT;
  if (rows && !tt_exact_max(r->x, *cb, r->combiner->reductions[false], false, cb)) return false;
  if (rows) r->sides.row = TT_UNIT;
  return true;
}

/* A circular buffer for a block with the sides that are left. */
static MlirValue part_cb(Reduction *r, bool row, bool col, MlirType element) {
  const TtSpace *s = r->x->space;
  return tt_new_cb(r->l, r->loc,
                   tt_cb_of_sides(r->b.context, row ? 1 : tiles_along(s, s->sides.row),
                                  col ? 1 : tiles_along(s, s->sides.col), element));
}

static bool same_sides(TtSides a, TtSides b) { return a.row == b.row && a.col == b.col; }

/* The term in a circular buffer: itself where it is an operand, else computed. */
static bool term_cb(Reduction *r, MlirValue scalar, bool exact, MlirValue *cb) {
  TtExpr *term = tt_expr_of_operand(r->x, scalar);
  if (!term) return false;
  if (r->combiner->negated) term = tt_expr_unary(r->x, "negative", term, 0);
  const TtSpace *s = r->x->space;
  const intptr_t reduced[2] = {
      s->sides.row >= 0 && s->reduced[s->sides.row] ? s->sides.row : TT_UNIT,
      s->sides.col >= 0 && s->reduced[s->sides.col] ? s->sides.col : TT_UNIT};
  bool sum = !tt_reduce_is_max(r->combiner->reductions[0]);
  term = tt_expr_padded(r->x, term, reduced, sum ? 0 : -INFINITY);
  if (!term) return false;
  *cb = term->cb;
  if (term->kind == TT_EXPR_LEAF && term->access == TT_ACCESS_FULL && (exact || !term->exact))
    return true;
  *cb = part_cb(r, false, false, element_of(r->l, scalar));
  term = tt_expr_whole(r->x, tt_expr_narrow(r->x, term, mlirValueGetType(*cb)));
  return term && tt_expr_to_cb(r->x, term, *cb);
}

static bool lower_output(TtLowering *l, MlirOperation op, TtSpace *space, intptr_t out_index) {
  MlirValue memref = mlirOperationGetOperand(op, tt_linalg_num_inputs(op) + out_index),
            scalar = {NULL}, cb;
  TtBuffer *out = tt_buffer_of(l, memref);
  if (!out) return tt_error(op, "writes something that is no buffer of the core");
  TtExprs x = {.l = l, .op = op, .space = space};
  Reduction r = {.l = l, .x = &x, .b = tt_builder_before(op), .loc = mlirOperationGetLocation(op)};
  TtSides target;
  double start = 0;
  r.combiner = read_body(op, out_index, &scalar);
  if (r.combiner && mlirTypeIsAInteger(mlirValueGetType(scalar)))
    return tt_lower_integer_reduction(&x, space, r.combiner->scalar_op, r.combiner->reductions,
                                      out_index, scalar);
  bool exact =
      tt_keeps_bits(l, out->cb) && r.combiner && tt_reduce_is_max(r.combiner->reductions[0]);
  if (!r.combiner || !term_cb(&r, scalar, exact, &cb) ||
      !tt_sides_of(space, tt_linalg_num_inputs(op) + out_index, out->column, &target))
    return false;
  r.sides = space->sides;
  bool rows = r.sides.row >= 0 && space->reduced[r.sides.row],
       cols = r.sides.col >= 0 && space->reduced[r.sides.col];
  MlirType element = tt_cb_type_element_type(mlirValueGetType(out->cb));
  bool fresh = tt_is_fresh(out, op);
  if (fresh && !tt_fill_value(tt_fill_before(op, memref), &start)) return false;
  exact = exact && mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(cb))) &&
          tt_has_room_for_parts(&x);
  bool neutral =
      exact ? isinf(start) && is_neutral(r.combiner, start) : is_neutral(r.combiner, start);
  const double *from = fresh && !neutral ? &start : NULL;
  if (exact) {
    if (!reduce_exactly(&r, cols, rows, &cb)) return false;
    cols = rows = false;
  }
  if (cols && rows) { /* of each row, then of those */
    MlirValue part = part_cb(&r, false, true, element);
    reduce(&r, true, cb, false, NULL, part);
    cb = part;
  }
  if (cols || rows) {
    TtSides left = r.sides;
    if (rows) left.row = TT_UNIT;
    else left.col = TT_UNIT;
    bool direct = fresh && same_sides(left, target);
    MlirValue to = direct ? out->cb : part_cb(&r, rows, cols, element);
    reduce(&r, !rows, cb, true, from, to);
    if (direct) return true;
    cb = to, from = NULL;
  }
  TtSides from_sides = r.sides;
  space->sides = target;
  TtExpr *result = tt_expr_operand(&x, cb, from_sides);
  result = tt_expr_whole(&x, result);
  if (r.combiner->negated && !cols && !rows) result = tt_expr_unary(&x, "negative", result, 0);
  if (from) result = tt_expr_unary(&x, r.combiner->with_scalar, result, start);
  if (!fresh && result)
    result = tt_expr_combine(&x, r.combiner->function, tt_expr_leaf(&x, out->cb, TT_ACCESS_FULL),
                             result, mlirTypeIsAF32(element));
  return result && tt_expr_to_cb(&x, result, out->cb);
}

bool tt_lower_reduction(TtLowering *l, MlirOperation op) {
  TtSpace space;
  if (!tt_space_of(op, &space)) return false;
  tt_space_sizes(l, &space);
  intptr_t inputs = tt_linalg_num_inputs(op);
  for (intptr_t i = inputs; i < mlirOperationGetNumOperands(op); ++i) {
    if (!choose_sides(l, &space) || !lower_output(l, op, &space, i - inputs)) return false;
  }
  tt_release_scratch(l, op);
  mlirOperationDestroy(op);
  return true;
}
