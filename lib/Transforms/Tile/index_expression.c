/*===- index_expression.c - indices in scalar bodies ----------------------------------------===
 *
 * Integers in a body are sums of the loops' indices, times constants, and of numbers from
 * outside. Element (r, c) of tile (i, j) of a block has
 *
 *   row * (32 i + r) + col * (32 j + c) + offset
 * = a tile of row * r + col * c, which the reader fills once      tt.index_to_cb
 * + a scalar, offset + 32 row * i + 32 col * j                    tt.sfpu.scalar add_scalar
 *
 * With a factor that bf16 does not hold, the tile is multiplied in DST of 32 bits.
 *
 * Only the sign of a comparison's difference counts, so there the scalar is limited to a
 * little more than the tile holds, and all is exact even in 16 bits.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

/* Up to here bf16 holds integers, and f32 does with room for sums. */
enum { EXACT = 256, LARGEST = 1 << 21 };

/* row * index of the row + col * index of the column + offset + constant. */
typedef struct TtLinear {
  int64_t row, col, constant;
  MlirValue offset; /* an index, or null */
  bool within;      /* of rows and columns of the tile, not of the block */
} Linear;

static bool is_narrow(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 32;
}

/* Between indices and integers of 32 bits and more, which hold what indices are. */
static bool is_cast(MlirOperation op) {
  bool cast = tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui") ||
              tt_op_is(op, "arith.extsi") || tt_op_is(op, "arith.extui") ||
              tt_op_is(op, "arith.trunci");
  return cast && !is_narrow(mlirOperationGetResult(op, 0)) &&
         !is_narrow(mlirOperationGetOperand(op, 0));
}

static bool refuse(TtExprs *x, const char *what) {
  return tt_error(x->op,
                  "%s has no tile intrinsic; integers in a body are sums of indices "
                  "(linalg.index), times constants, and of indices from outside",
                  what);
}

static bool is_inside(TtExprs *x, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                     : mlirOperationGetBlock(tt_defining_op(value));
  return mlirBlockEqual(block, tt_body(x->op));
}

/* The index outside of the body that an integer comes from. */
static bool outside(TtExprs *x, MlirValue value, Linear *l) {
  int64_t constant;
  MlirOperation op = tt_defining_op(value);
  if (tt_constant(value, &constant)) return l->constant = constant, true;
  while (!mlirTypeIsAIndex(mlirValueGetType(value)) && !mlirOperationIsNull(op) && is_cast(op)) {
    value = mlirOperationGetOperand(op, 0);
    op = tt_defining_op(value);
  }
  if (!mlirTypeIsAIndex(mlirValueGetType(value)))
    return refuse(x, "an integer from outside that is no index");
  return l->offset = value, true;
}

static MlirValue sum(TtExprs *x, MlirValue a, MlirValue b, int64_t factor) {
  TtBuilder at = tt_builder_before(x->op);
  MlirLocation loc = mlirOperationGetLocation(x->op);
  if (tt_is_null_value(b) || factor == 0) return a;
  b = tt_mul(&at, loc, b, tt_index(&at, loc, factor < 0 ? -factor : factor));
  if (tt_is_null_value(a)) a = tt_index(&at, loc, 0);
  return factor < 0 ? tt_sub(&at, loc, a, b) : tt_add(&at, loc, a, b);
}

/* a + factor * b */
static Linear add(TtExprs *x, Linear a, Linear b, int64_t factor) {
  return (Linear){.row = a.row + factor * b.row,
                  .col = a.col + factor * b.col,
                  .constant = a.constant + factor * b.constant,
                  .offset = sum(x, a.offset, b.offset, factor)};
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

static bool is_small(Linear l) {
  const int64_t most = INT64_C(1) << 31;
  if (l.constant == INT64_MIN) return false;
  return magnitude(l.row) <= most && magnitude(l.col) <= most && magnitude(l.constant) <= most;
}

static bool read_linear(TtExprs *x, MlirValue value, Linear *l);

/* Of an op in the body. */
static bool linear_of(TtExprs *x, MlirValue value, Linear *l) {
  Linear none = {0}, a = none, b = none;
  MlirOperation op = tt_defining_op(value);
  if (is_cast(op)) return read_linear(x, mlirOperationGetOperand(op, 0), l);
  if (tt_op_is(op, "linalg.index")) {
    intptr_t loop = (intptr_t)tt_int(tt_op_attr(op, "dim"));
    if (x->space->extent[loop] == 1) return true;
    l->row = loop == x->space->sides.row, l->col = loop == x->space->sides.col;
    return l->row || l->col ||
           tt_error(x->op, "the index of a loop along which no operand lies, as that of the values "
                           "in a histogram; store what is summed to a buffer of all loops first, "
                           "and sum that");
  }
  bool plus = tt_op_is(op, "arith.addi"), minus = tt_op_is(op, "arith.subi"),
       times = tt_op_is(op, "arith.muli");
  if (!plus && !minus && !times) {
    MlirStringRef name = tt_op_name(op);
    return refuse(x, tt_arena_printf(x->l->arena, "%.*s", (int)name.length, name.data));
  }
  if (!read_linear(x, mlirOperationGetOperand(op, 0), &a) ||
      !read_linear(x, mlirOperationGetOperand(op, 1), &b))
    return false;
  if (!is_small(a) || !is_small(b)) return refuse(x, "an integer this large");
  if (!times) return *l = add(x, a, b, plus ? 1 : -1), true;
  bool a_constant = !a.row && !a.col && tt_is_null_value(a.offset),
       b_constant = !b.row && !b.col && tt_is_null_value(b.offset);
  if (!a_constant && !b_constant) return refuse(x, "a product of two indices");
  return *l = a_constant ? add(x, none, b, a.constant) : add(x, none, a, b.constant), true;
}

static void remember_linear(TtExprs *x, MlirValue value, Linear l) {
  if (x->n_linears == x->linears_capacity) {
    x->linears_capacity = 2 * x->linears_capacity + 8;
    Linear *more = tt_arena_alloc(x->l->arena, (size_t)x->linears_capacity * sizeof *more);
    for (intptr_t i = 0; i < x->n_linears; ++i) more[i] = x->linears[i];
    x->linears = more;
  }
  tt_value_map_set(x->l->arena, &x->linear, value, (int)x->n_linears);
  x->linears[x->n_linears++] = l;
}

static bool read_linear(TtExprs *x, MlirValue value, Linear *l) {
  *l = (Linear){0};
  if (!is_inside(x, value)) return outside(x, value, l);
  if (mlirValueIsABlockArgument(value)) return refuse(x, "an operand of integers");
  if (tt_constant(value, &l->constant)) return true;
  int known = tt_value_map_get(&x->linear, value);
  if (known >= 0) return *l = x->linears[known], true;
  if (!linear_of(x, value, l)) return false;
  if (!is_small(*l)) return refuse(x, "an index times a factor this large");
  return remember_linear(x, value, *l), true;
}

/* factor * the index of the row, or of the column, within a tile of DST; `e` more. */
static TtExpr *times(TtExprs *x, TtExpr *e, bool row, int64_t factor) {
  MlirLocation loc = mlirOperationGetLocation(x->op);
  if (factor == 0) return e;
  TtExpr *index = tt_expr_leaf(x, tt_index_tile(x->l, loc, row, !row), TT_ACCESS_CONSTANT),
         *product = tt_expr_unary(x, "mul_scalar", index, (double)factor);
  return e ? tt_expr_combine(x, "add", e, product, true) : product;
}

/* The values of `l` in a tile of DST; `sign`: only their sign counts. A circular buffer of bf16
 * holds indices times small factors; others are multiplied in DST, if it is 32 bits wide. */
static TtExpr *tile_of(TtExprs *x, Linear l, bool sign) {
  TtBuilder at = tt_builder_before(x->op);
  MlirLocation loc = mlirOperationGetLocation(x->op);
  int64_t most = (TT_TILE - 1) * (magnitude(l.row) + magnitude(l.col));
  bool large = most > EXACT || (sign && 2 * most + 2 > EXACT);
  if (large && (most > LARGEST || !tt_dst_is_32bit(x->l->func)))
    return refuse(x, "an index times a factor this large"), NULL;
  MlirValue offset = tt_index(&at, loc, l.constant);
  if (!tt_is_null_value(l.offset)) offset = tt_add(&at, loc, l.offset, offset);
  int64_t limit = sign ? most + 1 : 0;
  int64_t steps[2] = {l.within ? 0 : TT_TILE * l.row, l.within ? 0 : TT_TILE * l.col};
  if (!l.row && !l.col) return tt_expr_scalar(x, "fill", NULL, offset, steps, limit);
  TtExpr *tile = large
                     ? times(x, times(x, NULL, true, l.row), false, l.col)
                     : tt_expr_leaf(x, tt_index_tile(x->l, loc, l.row, l.col), TT_ACCESS_CONSTANT);
  if (l.within) return tile;
  return tt_expr_scalar(x, "add_scalar", tile, offset, steps, limit);
}

TtExpr *tt_expr_of_integer(TtExprs *x, MlirValue integer) {
  Linear l;
  return read_linear(x, integer, &l) ? tile_of(x, l, false) : NULL;
}

/* In 32 bits: what is within a tile, by floats, and the rest. */
TtExpr *tt_expr_of_index(TtExprs *x, MlirValue integer) {
  Linear l;
  if (!read_linear(x, integer, &l)) return NULL;
  TtBuilder at = tt_builder_before(x->op);
  MlirValue offset = tt_index(&at, mlirOperationGetLocation(x->op), l.constant);
  if (!tt_is_null_value(l.offset))
    offset = tt_add(&at, mlirOperationGetLocation(x->op), l.offset, offset);
  int64_t steps[2] = {TT_TILE * l.row, TT_TILE * l.col};
  TtExpr *base = tt_expr_integer_fill(x, offset, steps);
  if (!l.row && !l.col) return base;
  l.offset = (MlirValue){NULL}, l.constant = 0, l.within = true;
  TtExpr *tile = tile_of(x, l, false);
  return tt_expr_combine_integers(x, "add_int", tt_expr_unary(x, "f32_to_i32", tile, 0), base);
}

/* 1 where a < b (or a <= b), else 0: as integers with signs, b - a > 0 (b - a + 1 > 0). */
static TtExpr *less(TtExprs *x, Linear a, Linear b, bool or_equal) {
  Linear d = add(x, b, a, -1);
  d.constant += or_equal;
  TtExpr *tile = tile_of(x, d, true);
  return tile ? tt_expr_unary(x, "gtz", tile, 0) : NULL;
}

/* Whether an integer may be below 0, where it counts as a large one in comparisons without
 * signs. Indices from outside are not, but for differences of them. */
static bool may_be_negative(Linear l) {
  MlirOperation op = tt_is_null_value(l.offset) ? (MlirOperation){NULL} : tt_defining_op(l.offset);
  return l.row < 0 || l.col < 0 || l.constant < 0 || tt_op_is(op, "arith.subi");
}

static TtExpr *exclusive_or(TtExprs *x, TtExpr *a, TtExpr *b) {
  return tt_expr_unary(x, "nez", tt_expr_combine(x, "sub", a, b, false), 0);
}

/* a < b (a <= b) without signs: that with signs, turned round for each that is below 0. */
static TtExpr *less_unsigned(TtExprs *x, Linear a, Linear b, bool or_equal) {
  TtExpr *e = less(x, a, b, or_equal);
  Linear zero = {0};
  if (e && may_be_negative(a)) e = exclusive_or(x, e, less(x, a, zero, false));
  if (e && may_be_negative(b)) e = exclusive_or(x, e, less(x, b, zero, false));
  return e;
}

TtExpr *tt_expr_compare_integers(TtExprs *x, int64_t predicate, MlirValue a, MlirValue b) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE }; /* arith::CmpIPredicate */
  Linear la, lb;
  if (!read_linear(x, a, &la) || !read_linear(x, b, &lb)) return NULL;
  switch (predicate) {
  case SLT: return less(x, la, lb, false);
  case SLE: return less(x, la, lb, true);
  case SGT: return less(x, lb, la, false);
  case SGE: return less(x, lb, la, true);
  case ULT: return less_unsigned(x, la, lb, false);
  case ULE: return less_unsigned(x, la, lb, true);
  case UGT: return less_unsigned(x, lb, la, false);
  case UGE: return less_unsigned(x, lb, la, true);
  default: break;
  }
  TtExpr *tile = tile_of(x, add(x, la, lb, -1), true);
  return tile ? tt_expr_unary(x, predicate == EQ ? "eqz" : "nez", tile, 0) : NULL;
}

TtExpr *tt_expr_within(TtExprs *x, intptr_t loop) {
  MlirValue size = x->space->size[loop];
  Linear left = {.row = -(loop == x->space->sides.row),
                 .col = -(loop == x->space->sides.col),
                 .constant = tt_is_null_value(size) ? x->space->extent[loop] : 0,
                 .offset = size};
  TtExpr *tile = tile_of(x, left, true);
  return tile ? tt_expr_unary(x, "gtz", tile, 0) : NULL;
}

TtExpr *tt_expr_padded(TtExprs *x, TtExpr *e, const intptr_t loops[2], double padding) {
  for (int i = 0; e && i < 2; ++i) {
    if (loops[i] == TT_UNIT || !tt_is_padded(x->space, loops[i])) continue;
    TtExpr *within = tt_expr_within(x, loops[i]), *outside = tt_expr_fill(x, padding);
    e = tt_expr_choose(x, within, e, outside);
  }
  return e;
}
