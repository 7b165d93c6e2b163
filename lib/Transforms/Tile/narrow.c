/*===- narrow.c - what is the same along a side is computed once --------------------------------===
 *
 *   x * rsqrt(v + e), v a column        = w = rsqrt(v + e), a column; x * w
 *   x / s, s a column                   = w = 1 / s, a column; x * w         (32-bit DST)
 *
 * A part of an expression whose operands are all broadcast along a side costs a section for
 * each tile of a column or row, instead of a place in the section of each tile of the block;
 * and what is left has a form on the FPU more often. Quotients become products where DST
 * keeps enough of the reciprocal.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

enum { SPARE_CBS = 12 /* not taken by such parts: other ops of the kernel may need them */ };

static TtExpr **new_memo(TtExprs *x) {
  return tt_arena_alloc(x->l->arena, (size_t)(x->n + 1) * sizeof(TtExpr *));
}

static bool has_exact_leaf(TtExprs *x, const TtExpr *e) {
  bool *exact = tt_arena_alloc(x->l->arena, (size_t)(x->n + 1) * sizeof *exact);
  for (intptr_t i = 0; i <= e->number; ++i) { /* operands come first */
    const TtExpr *part = x->data[i];
    exact[i] = part->kind == TT_EXPR_LEAF && part->exact;
    for (int j = 0; j < 3 && part->in[j]; ++j) exact[i] |= exact[part->in[j]->number];
  }
  return exact[e->number];
}

/* The same expression on a block that is no longer broadcast. */
static TtExpr *on_narrow_block(TtExprs *x, TtExpr *e, TtAccess access, TtExpr **memo) {
  if (e->kind == TT_EXPR_LEAF)
    return e->access == access ? tt_expr_leaf(x, e->cb, TT_ACCESS_FULL) : e;
  if (memo[e->number]) return memo[e->number];
  TtExpr copy = *e;
  for (int i = 0; i < 3 && e->in[i]; ++i) copy.in[i] = on_narrow_block(x, e->in[i], access, memo);
  return memo[e->number] = tt_expr_make(x, copy);
}

typedef struct Narrowing {
  TtExprs *x;
  MlirType out;
  bool wide, failed;
  TtExpr **memo; /* of the first `n` expressions */
  intptr_t n;
} Narrowing;

/* A part that varies along at most one side, as an operand that is computed before. */
static TtExpr *compute_before(Narrowing *n, TtExpr *e, int along) {
  TtExprs *x = n->x;
  TtAccess access = along == TT_ALONG_ROWS   ? TT_ACCESS_COLS
                    : along == TT_ALONG_COLS ? TT_ACCESS_ROWS
                                             : TT_ACCESS_SCALAR;
  int64_t rows = along == TT_ALONG_ROWS ? tt_cb_rows(n->out) : 1,
          cols = along == TT_ALONG_COLS ? tt_cb_cols(n->out) : 1;
  MlirContext context = mlirOperationGetContext(x->op);
  MlirType element = tt_cb_type_element_type(n->out);
  if (n->wide) element = mlirF32TypeGet(context);
  else if (mlirTypeIsAF32(element)) element = tt_narrow_float(x->l->func);
  if (rows * cols == tt_cb_tiles(n->out) || !tt_has_room(x->l, SPARE_CBS)) return e;
  MlirValue cb = tt_new_cb(x->l, mlirOperationGetLocation(x->op),
                           tt_cb_of_sides(context, rows, cols, element));
  TtExpr *narrow = tt_expr_whole(x, on_narrow_block(x, e, access, new_memo(x)));
  if (n->wide && has_exact_leaf(x, e)) tt_value_map_set(x->l->arena, &x->l->exact, cb, 1);
  n->failed |= !narrow || !tt_expr_to_cb(x, narrow, cb);
  return tt_expr_leaf(x, cb, access);
}

static bool is_quotient(const TtExpr *e) {
  return e->kind == TT_EXPR_COMBINE && e->function == &tt_sfpu_functions[TT_SFPU_DIV];
}

static bool is_narrow(const TtExpr *e) {
  return e->of_leaf && e->along != (TT_ALONG_ROWS | TT_ALONG_COLS);
}

static TtExpr *narrow(Narrowing *n, TtExpr *e);

static TtExpr *narrow_operands(Narrowing *n, TtExpr *e) {
  if (is_narrow(e)) return compute_before(n, e, e->along);
  if (n->wide && is_quotient(e) && is_narrow(e->in[1])) {
    TtExpr *one = tt_expr_make(
        n->x, (TtExpr){.kind = TT_EXPR_FILL, .scalar = 1, .function = tt_sfpu_function("fill")});
    TtExpr *reciprocal = narrow(n, tt_expr_combine(n->x, "div", one, e->in[1], false));
    return tt_expr_combine(n->x, "mul", narrow(n, e->in[0]), reciprocal, false);
  }
  TtExpr copy = *e;
  for (int i = 0; i < 3 && e->in[i]; ++i) copy.in[i] = narrow(n, e->in[i]);
  return tt_expr_make(n->x, copy);
}

static TtExpr *narrow(Narrowing *n, TtExpr *e) {
  if (e->kind == TT_EXPR_LEAF || e->kind == TT_EXPR_FILL) return e;
  bool old = e->number < n->n;
  if (old && n->memo[e->number]) return n->memo[e->number];
  TtExpr *narrower = narrow_operands(n, e);
  return old ? n->memo[e->number] = narrower : narrower;
}

TtExpr *tt_expr_narrow(TtExprs *x, TtExpr *e, MlirType out) {
  Narrowing n = {x, out, tt_dst_is_32bit(x->l->func), false, new_memo(x), x->n};
  for (intptr_t i = 0; i < x->n; ++i) /* those cannot be broadcast as they are */
    if (tt_expr_is_integer(x->data[i])) return e;
  TtExpr *result = narrow(&n, e);
  return n.failed ? NULL : result;
}
