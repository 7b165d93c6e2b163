/*===- make_expression.c - expressions over tiles, each of them once --------------------------===
 *
 *   add(a, fill 2)  = add_scalar(a, 2)      sub(fill 2, a) = rsub_scalar(a, 2)
 *   div(a, fill 4)  = mul_scalar(a, 0.25)   power(a, fill 2) = square(a)
 *
 * Equal expressions are one; a constant operand becomes a scalar where the vector unit takes
 * one. What an expression is made of is known when it is made: how many tiles it needs, along
 * which sides it differs.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Transforms/Tile/expression.h"

#include <math.h>

static int max_int(int a, int b) { return a > b ? a : b; }

/* Computed one after the other, the one that needs most first, each leaves one tile. */
static int need_of(const TtExpr *x) {
  int needs[3] = {0, 0, 0}, n = 0, most = 1;
  for (int i = 0; i < 3 && x->in[i]; ++i) needs[n++] = x->in[i]->need;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if (needs[j] > needs[i]) {
        int other = needs[i];
        needs[i] = needs[j], needs[j] = other;
      }
  for (int i = 0; i < n; ++i) most = max_int(most, needs[i] + i);
  return most;
}

static bool same(const TtExpr *a, const TtExpr *b) {
  return a->kind == b->kind && a->function == b->function && a->scalar == b->scalar &&
         (a->exact == b->exact || a->kind == TT_EXPR_LEAF) &&
         signbit(a->scalar) == signbit(b->scalar) && tt_value_eq(a->value, b->value) &&
         a->steps[0] == b->steps[0] && a->steps[1] == b->steps[1] && a->limit == b->limit &&
         a->in[0] == b->in[0] && a->in[1] == b->in[1] && a->in[2] == b->in[2] &&
         (a->kind != TT_EXPR_LEAF || (a->access == b->access && tt_value_eq(a->cb, b->cb)));
}

static int leaf_along(TtAccess access) {
  return access == TT_ACCESS_SCALAR ? 0
         : access == TT_ACCESS_COLS ? TT_ALONG_ROWS
         : access == TT_ACCESS_ROWS ? TT_ALONG_COLS
                                    : TT_ALONG_ROWS | TT_ALONG_COLS;
}

void tt_expr_know(TtExpr *e) {
  enum { LARGE = 1 << 28 };
  e->need = need_of(e), e->size = 1, e->of_leaf = e->kind == TT_EXPR_LEAF;
  e->along = e->of_leaf ? leaf_along(e->access)
                        : (e->steps[0] ? TT_ALONG_ROWS : 0) | (e->steps[1] ? TT_ALONG_COLS : 0);
  for (int i = 0; i < 3 && e->in[i]; ++i) {
    e->size = e->size + e->in[i]->size < LARGE ? e->size + e->in[i]->size : LARGE;
    e->along |= e->in[i]->along, e->of_leaf |= e->in[i]->of_leaf;
  }
}

TtExpr *tt_expr_make(TtExprs *x, TtExpr new) {
  for (intptr_t i = 0; i < x->n; ++i)
    if (same(x->data[i], &new)) return x->data[i];
  tt_expr_know(&new);
  new.number = x->n;
  TtExpr *copy = tt_arena_alloc(x->l->arena, sizeof *copy);
  *copy = new;
  if (x->n == x->capacity) {
    TtExpr **more = tt_arena_alloc(x->l->arena, (size_t)(2 * x->n + 16) * sizeof *more);
    for (intptr_t i = 0; i < x->n; ++i) more[i] = x->data[i];
    x->data = more, x->capacity = 2 * x->n + 16;
  }
  return x->data[x->n++] = copy;
}

TtExpr *tt_expr_known(const TtExprs *x, MlirValue value) {
  int number = tt_value_map_get(&x->known, value);
  return number < 0 ? NULL : x->data[number];
}

TtExpr *tt_expr_remember(TtExprs *x, MlirValue value, TtExpr *e) {
  if (e && !mlirValueIsABlockArgument(value))
    tt_value_map_set(x->l->arena, &x->known, value, (int)e->number);
  return e;
}

TtExpr *tt_expr_leaf(TtExprs *x, MlirValue cb, TtAccess access) {
  TtExpr *leaf = tt_expr_make(x, (TtExpr){.kind = TT_EXPR_LEAF, .cb = cb, .access = access});
  leaf->exact |= tt_keeps_bits(x->l, cb);
  return leaf;
}

/* `cb` turned, once for all of the body's uses; null after an error. */
static MlirValue turned_copy(TtExprs *x, MlirValue cb) {
  int known = tt_value_map_get(&x->turned, cb);
  if (known >= 0) return x->data[known]->cb;
  MlirValue copy = tt_turned_cb(x->l, x->op, cb);
  if (tt_is_null_value(copy)) return copy;
  TtExpr *leaf = tt_expr_leaf(x, copy, TT_ACCESS_FULL);
  tt_value_map_set(x->l->arena, &x->turned, cb, (int)leaf->number);
  return copy;
}

TtExpr *tt_expr_operand(TtExprs *x, MlirValue cb, TtSides s) {
  TtSides at = x->space->sides;
  if (s.row == at.row && s.col == at.col) return tt_expr_leaf(x, cb, TT_ACCESS_FULL);
  if (s.row == at.col && s.col == at.row) return tt_expr_leaf(x, cb, TT_ACCESS_TURNED);
  if (s.row == TT_UNIT && s.col == TT_UNIT) return tt_expr_leaf(x, cb, TT_ACCESS_SCALAR);
  if (s.row == TT_UNIT && s.col == at.col) return tt_expr_leaf(x, cb, TT_ACCESS_ROWS);
  if (s.col == TT_UNIT && s.row == at.row) return tt_expr_leaf(x, cb, TT_ACCESS_COLS);
  bool turned = (s.row == TT_UNIT && s.col == at.row) || (s.col == TT_UNIT && s.row == at.col);
  if (turned && x->in_section) return x->refused = true, NULL;
  if (turned) {
    MlirValue other = turned_copy(x, cb);
    if (tt_is_null_value(other)) return NULL;
    return tt_expr_leaf(x, other, s.row == TT_UNIT ? TT_ACCESS_COLS : TT_ACCESS_ROWS);
  }
  return tt_error(x->op, "an operand has a loop that the result has not, and that sums nothing"),
         NULL;
}

TtExpr *tt_expr_fill(TtExprs *x, double value) {
  return tt_expr_make(
      x, (TtExpr){.kind = TT_EXPR_FILL, .scalar = value, .function = tt_sfpu_function("fill")});
}

TtExpr *tt_expr_unary(TtExprs *x, const char *name, TtExpr *a, double scalar) {
  if (!a) return NULL;
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_UNARY,
                                  .in = {a, NULL, NULL},
                                  .scalar = scalar,
                                  .function = tt_sfpu_function(name)});
}

TtExpr *tt_expr_scalar(TtExprs *x, const char *name, TtExpr *a, MlirValue value,
                       const int64_t steps[2], int64_t limit) {
  int64_t constant;
  bool moves = steps && (steps[0] || steps[1]);
  if (tt_constant(value, &constant) && !moves) {
    double c = (double)constant;
    if (limit && c > (double)limit) c = (double)limit;
    if (limit && c < -(double)limit) c = -(double)limit;
    return a ? tt_expr_unary(x, name, a, c) : tt_expr_fill(x, c);
  }
  TtExpr new = {.kind = a ? TT_EXPR_UNARY : TT_EXPR_FILL,
                .in = {a, NULL, NULL},
                .value = value,
                .limit = limit,
                .function = tt_sfpu_function(name)};
  if (moves) new.steps[0] = steps[0], new.steps[1] = steps[1];
  return tt_expr_make(x, new);
}

static bool is_named(const char *name, const char *other) {
  return mlirStringRefEqual(tt_str(name), tt_str(other));
}

/* With a number that the kernel gets when it runs. */
static TtExpr *with_value(TtExprs *x, const char *name, TtExpr *a, TtExpr *b) {
  static const char *const takes[][3] = {{"add", "add_scalar", "add_scalar"},
                                         {"mul", "mul_scalar", "mul_scalar"},
                                         {"sub", "sub_scalar", "rsub_scalar"},
                                         {"max", "max_scalar", "max_scalar"},
                                         {"min", "min_scalar", "min_scalar"}};
  bool left = a->kind == TT_EXPR_FILL;
  TtExpr *number = left ? a : b, *other = left ? b : a;
  for (size_t i = 0; i < sizeof takes / sizeof *takes; ++i)
    if (is_named(name, takes[i][0]))
      return tt_expr_scalar(x, takes[i][1 + left], other, number->value, number->steps,
                            number->limit);
  return NULL;
}

/* With a constant, where the vector unit takes it as a scalar; NULL where it does not. */
static TtExpr *with_scalar(TtExprs *x, const char *name, TtExpr *a, TtExpr *b) {
  bool left = a->kind == TT_EXPR_FILL; /* the constant comes first */
  TtExpr *other = left ? b : a;
  double c = left ? a->scalar : b->scalar;
  if (!tt_is_null_value((left ? a : b)->value)) return with_value(x, name, a, b);
  if (is_named(name, "add")) return tt_expr_unary(x, "add_scalar", other, c);
  if (is_named(name, "mul")) return tt_expr_unary(x, "mul_scalar", other, c);
  if (is_named(name, "sub")) return tt_expr_unary(x, left ? "rsub_scalar" : "sub_scalar", other, c);
  if (is_named(name, "max")) return tt_expr_unary(x, "max_scalar", other, c);
  if (is_named(name, "min")) return tt_expr_unary(x, "min_scalar", other, c);
  if (left) return NULL;
  if (is_named(name, "div")) return tt_expr_unary(x, "mul_scalar", other, 1 / c);
  if (is_named(name, "power") && c == 2) return tt_expr_unary(x, "square", other, 0);
  if (is_named(name, "power") && c == 0.5) return tt_expr_unary(x, "sqrt", other, 0);
  if (is_named(name, "power") && c == -0.5) return tt_expr_unary(x, "rsqrt", other, 0);
  return NULL;
}

bool tt_is_fp32_leaf(const TtExpr *e) {
  return e->kind == TT_EXPR_LEAF &&
         mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(e->cb)));
}

TtExpr *tt_expr_combine(TtExprs *x, const char *name, TtExpr *a, TtExpr *b, bool exact) {
  if (!a || !b) return NULL;
  bool left = a->kind == TT_EXPR_FILL, right = b->kind == TT_EXPR_FILL;
  TtExpr *short_form = left != right ? with_scalar(x, name, a, b) : NULL;
  if (short_form) return short_form;
  exact = exact && !left && !right;
  if (exact) a->exact |= tt_is_fp32_leaf(a), b->exact |= tt_is_fp32_leaf(b);
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_COMBINE,
                                  .in = {a, b, NULL},
                                  .exact = exact,
                                  .function = tt_sfpu_function(name)});
}

TtExpr *tt_expr_choose(TtExprs *x, TtExpr *condition, TtExpr *yes, TtExpr *no) {
  if (!condition || !yes || !no) return NULL;
  return tt_expr_make(x, (TtExpr){.kind = TT_EXPR_COMBINE,
                                  .in = {condition, yes, no},
                                  .function = tt_sfpu_function("where")});
}
