/*===- parts.c - f32 with all of its bits through the FPU, in parts ---------------------------===
 *
 * What is broadcast or turned goes through the sources of the FPU, which hold 11 bits of a
 * significand. A number of f32, of 24, is the sum of three of bf16, of 8, that pass unchanged:
 *
 *   x, a column, exact   =   a = bf16(x), b = bf16(x - a), c = (x - a) - b, columns of bf16;
 *                            a + (b + c), of the broadcast columns, in the vector unit
 *
 * and so are largest elements: those of a; of b, as a differs from the largest a; of c:
 *
 *   max of x             =   h = max(bf16(x)), m = max(bf16(x - h)), l = max((x - h) - m);
 *                            h + (m + l)
 *
 * since rounding keeps the order. Parts end at the largest finite number, so that an infinity is
 * the last part of itself, and no difference of infinities is ever taken.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/sums.h"
#include "Dialect/op_info.h"
#include "Transforms/Tile/expression.h"

/* The largest finite bf16. */
static const double most = 3.3895313892515355e38;

/* The first part of a number. */
static TtExpr *first_part(TtExprs *x, TtExpr *e) {
  e = tt_expr_unary(x, "round_to_bf16", e, 0);
  return tt_expr_unary(x, "min_scalar", tt_expr_unary(x, "max_scalar", e, -most), most);
}

static TtExpr *rest(TtExprs *x, TtExpr *e, TtExpr *part) {
  return tt_expr_combine(x, "sub", e, part, true);
}

/* The last two first: their sum is what the first one leaves, and does not overflow. */
static TtExpr *sum(TtExprs *x, TtExpr *a, TtExpr *b, TtExpr *c) {
  return tt_expr_combine(x, "add", a, tt_expr_combine(x, "add", b, c, true), true);
}

/*===- Scratch ------------------------------------------------------------------------------===*/

/* A circular buffer of `element` with `rows` x `cols` tiles that nothing is in. */
MlirValue tt_take_scratch(TtExprs *x, int64_t rows, int64_t cols, MlirType element) {
  MlirType type = tt_cb_of_sides(mlirOperationGetContext(x->op), rows, cols, element);
  for (TtScratch *s = x->l->scratch; s; s = s->next)
    if (!s->busy && mlirTypeEqual(mlirValueGetType(s->cb), type)) return s->busy = true, s->cb;
  TtScratch *s = tt_arena_alloc(x->l->arena, sizeof *s);
  *s = (TtScratch){tt_new_cb(x->l, mlirOperationGetLocation(x->op), type), true, x->l->scratch};
  x->l->scratch = s;
  ++x->l->parts;
  return s->cb;
}

/* Several ops may read what has been computed there. */
void tt_show_scratch(TtExprs *x, MlirValue cb) {
  TtBuilder b = tt_builder_before(x->op);
  tt_cb_open_create(&b, mlirOperationGetLocation(x->op), cb);
}

/* Where what was read last of `cb` before `op` is packed, so that what is computed after that may
 * lie there; `op` where nothing is. */
static MlirOperation after_last_use(MlirOperation op, MlirValue cb) {
  MlirOperation last = {NULL};
  MlirBlock block = mlirOperationGetBlock(op);
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tt_ancestor_in(block, mlirOpOperandGetOwner(use));
    if (mlirOperationIsNull(user) || !tt_is_before(user, op)) continue;
    if (mlirOperationIsNull(last) || tt_is_before(last, user)) last = user;
  }
  if (mlirOperationIsNull(last)) return op;
  while (!tt_op_eq(last, op) && !tt_packs_block(last)) last = tt_next(last);
  return tt_op_eq(last, op) ? op : tt_next(last);
}

static void release(MlirOperation op, TtScratch *s) {
  TtBuilder b = tt_builder_before(after_last_use(op, s->cb));
  tt_cb_close_create(&b, mlirOperationGetLocation(op), s->cb);
  s->busy = false;
}

void tt_release_scratch_cb(TtExprs *x, MlirValue cb) {
  for (TtScratch *s = x->l->scratch; s; s = s->next)
    if (s->busy && tt_value_eq(s->cb, cb)) release(x->op, s);
}

void tt_release_scratch(TtLowering *l, MlirOperation op) {
  for (TtScratch *s = l->scratch; s; s = s->next)
    if (s->busy) release(op, s);
}

/* `e`, a block like `like`, in scratch of bf16. */
bool tt_expr_to_scratch(TtExprs *x, TtExpr *e, MlirValue like, MlirValue *cb) {
  MlirType type = mlirValueGetType(like);
  *cb = tt_take_scratch(x, tt_cb_rows(type), tt_cb_cols(type), tt_narrow_float(x->l->func));
  if (!e || !tt_expr_to_cb(x, e, *cb)) return false;
  return tt_show_scratch(x, *cb), true;
}

bool tt_has_room(const TtLowering *l, int64_t needed) {
  int64_t limit = tt_target_of(l->func).cbs + (l->room < 0 ? l->room : 0);
  return !l->in_room || tt_collect(l->arena, l->func, "tt.alloc_cb").n + needed <= limit;
}

static bool has_room(TtExprs *x, int64_t needed) {
  TtLowering *l = x->l;
  if (tt_has_room(l, needed) || l->parts + needed <= l->room) return true;
  MlirLocation place = mlirOperationGetLocation(x->op);
  if (mlirLocationIsNull(l->told) || !mlirLocationEqual(l->told, place))
    tt_warning(x->op,
               "no circular buffers are left in which f32 keeps all of its bits: 11 bits come "
               "through the FPU, so that numbers that are equal may differ; split the kernel");
  l->told = place;
  return false;
}

bool tt_has_room_for_parts(TtExprs *x) {
  enum { MOST = 8, FRESH = 3 }; /* of one extreme; of one whose shapes are there already */
  int64_t needed = MOST;
  for (TtScratch *s = x->l->scratch; s && needed > FRESH; s = s->next) needed -= !s->busy;
  return has_room(x, needed);
}

/* Expressions about the whole of `cb`, before x->op. */
static TtExprs on(const TtExprs *x) { return (TtExprs){.l = x->l, .op = x->op, .space = x->space}; }

/*===- Operands -----------------------------------------------------------------------------===*/

/* The sum of the parts of what is in `cb`, each of which lies so; NULL after an error. */
static TtExpr *of_parts(TtExprs *x, MlirValue cb, TtAccess access) {
  MlirValue parts[3];
  for (int i = 0; i < 3; ++i) {
    TtExprs y = on(x);
    TtExpr *whole = tt_expr_leaf(&y, cb, TT_ACCESS_FULL), *part;
    whole->exact = true;
    TtExpr *left = rest(&y, whole, first_part(&y, whole));
    part = i == 0   ? first_part(&y, whole)
           : i == 1 ? first_part(&y, left)
                    : rest(&y, left, first_part(&y, left));
    if (!tt_expr_to_scratch(&y, part, cb, &parts[i])) return NULL;
  }
  return sum(x, tt_expr_leaf(x, parts[0], access), tt_expr_leaf(x, parts[1], access),
             tt_expr_leaf(x, parts[2], access));
}

static bool needs_parts(const TtExpr *e) {
  return tt_is_fp32_leaf(e) && e->exact && !e->resident && e->access != TT_ACCESS_FULL &&
         e->access != TT_ACCESS_CONSTANT;
}

static TtExpr *with_parts(TtExprs *x, TtExpr *e) {
  if (e->whole) return e->whole;
  TtExpr copy = *e;
  bool news = false;
  if (needs_parts(e)) return e->whole = of_parts(x, e->cb, e->access);
  for (int i = 0; i < 3 && e->in[i]; ++i) {
    copy.in[i] = with_parts(x, e->in[i]);
    if (!copy.in[i]) return NULL;
    news |= copy.in[i] != e->in[i];
  }
  return e->whole = news ? tt_expr_make(x, copy) : e;
}

/* Circular buffers that the parts of operand `i` need beside those that are free: three of its
 * shape. Operands before it may take those. */
static int64_t fresh_parts(const TtExprs *x, intptr_t i) {
  MlirType type = mlirValueGetType(x->data[i]->cb),
           part = tt_cb_of_sides(mlirOperationGetContext(x->op), tt_cb_rows(type), tt_cb_cols(type),
                                 mlirBF16TypeGet(mlirOperationGetContext(x->op)));
  int64_t needed = 3;
  for (TtScratch *s = x->l->scratch; s && needed; s = s->next)
    needed -= !s->busy && mlirTypeEqual(mlirValueGetType(s->cb), part);
  for (intptr_t j = 0; j < i; ++j)
    if (needs_parts(x->data[j]) && mlirTypeEqual(mlirValueGetType(x->data[j]->cb), type)) return 3;
  return needed;
}

TtExpr *tt_expr_whole(TtExprs *x, TtExpr *e) {
  bool any = false;
  int64_t needed = 0;
  for (intptr_t i = 0; i < x->n; ++i) {
    if (needs_parts(x->data[i])) any = true, needed += fresh_parts(x, i);
    x->data[i]->whole = NULL;
  }
  if (!any || !e) return e;
  if (x->in_section) return x->refused = true, NULL;
  return has_room(x, needed) ? with_parts(x, e) : e;
}

/*===- Copies -------------------------------------------------------------------------------===*/

MlirValue tt_turned_cb(TtLowering *l, MlirOperation op, MlirValue cb) {
  MlirType type = mlirValueGetType(cb);
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  MlirValue copy = tt_new_cb(
      l, loc,
      tt_cb_of_sides(b.context, tt_cb_cols(type), tt_cb_rows(type), tt_cb_type_element_type(type)));
  if (!tt_keeps_bits(l, cb)) {
    tt_copy_to_dst_create(&b, loc, cb, mlirUnitAttrGet(b.context), mlirAttributeGetNull(), 0, copy);
    return copy;
  }
  TtExprs x = {.l = l, .op = op};
  TtExpr *e = tt_expr_whole(&x, tt_expr_leaf(&x, cb, TT_ACCESS_TURNED));
  tt_value_map_set(l->arena, &l->exact, copy, 1);
  return e && tt_expr_to_cb(&x, e, copy) ? copy : (MlirValue){NULL};
}

MlirValue tt_cb_for_fpu(TtLowering *l, MlirOperation op, MlirValue cb) {
  if (!tt_keeps_bits(l, cb)) return cb;
  MlirType type = mlirValueGetType(cb);
  MlirValue copy = tt_new_cb(l, mlirOperationGetLocation(op),
                             tt_cb_of_sides(mlirOperationGetContext(op), tt_cb_rows(type),
                                            tt_cb_cols(type), tt_cb_type_element_type(type)));
  TtBuilder b = tt_builder_before(op);
  MlirAttribute no = mlirAttributeGetNull();
  tt_copy_to_dst_create(&b, mlirOperationGetLocation(op), cb, no, no, 0, copy);
  return copy;
}

/*===- Largest elements ---------------------------------------------------------------------===*/

typedef struct Extreme {
  TtExprs *x;
  MlirValue cb; /* the block */
  TtReduce kind;
  bool row;
} Extreme;

/* Scratch for one number a row or column of the block. */
static MlirValue take_narrow(const Extreme *r, MlirType element) {
  MlirType type = mlirValueGetType(r->cb);
  return tt_take_scratch(r->x, r->row ? tt_cb_rows(type) : 1, r->row ? 1 : tt_cb_cols(type),
                         element);
}

/* The largest of each row or column of `e`, a function of the block, in bf16. */
static bool largest(const Extreme *r, TtExprs *y, TtExpr *e, MlirValue *out) {
  MlirValue part;
  if (!tt_expr_to_scratch(y, e, r->cb, &part)) return false;
  MlirType bf16 = mlirBF16TypeGet(mlirOperationGetContext(r->x->op));
  MlirLocation loc = mlirOperationGetLocation(r->x->op);
  MlirValue ones = tt_constant_tile(r->x->l, loc, 1, bf16);
  TtBuilder b = tt_builder_before(r->x->op);
  *out = take_narrow(r, bf16);
  tt_fpu_reduce_create(&b, loc, r->kind, part, ones, 0, *out);
  tt_release_scratch_cb(r->x, part);
  tt_show_scratch(r->x, *out);
  return true;
}

bool tt_exact_max(TtExprs *x, MlirValue cb, TtReduce kind, bool row, MlirValue *out) {
  Extreme r = {x, cb, kind, row};
  MlirValue found[3];
  for (int i = 0; i < 3; ++i) {
    TtExprs y = on(x);
    TtExpr *e = tt_expr_leaf(&y, cb, TT_ACCESS_FULL);
    e->exact = true;
    for (int j = 0; j < i; ++j)
      e = rest(&y, e, tt_expr_leaf(&y, found[j], row ? TT_ACCESS_COLS : TT_ACCESS_ROWS));
    e = i < 2 ? first_part(&y, e) : tt_expr_unary(&y, "round_to_bf16", e, 0);
    if (!largest(&r, &y, e, &found[i])) return false;
  }
  TtExprs y = on(x);
  TtExpr *all =
      sum(&y, tt_expr_leaf(&y, found[0], TT_ACCESS_FULL),
          tt_expr_leaf(&y, found[1], TT_ACCESS_FULL), tt_expr_leaf(&y, found[2], TT_ACCESS_FULL));
  *out = take_narrow(&r, mlirF32TypeGet(mlirOperationGetContext(x->op)));
  tt_value_map_set(x->l->arena, &x->l->exact, *out, 1);
  if (!tt_expr_to_cb(&y, all, *out)) return false;
  tt_show_scratch(x, *out);
  for (int i = 0; i < 3; ++i) tt_release_scratch_cb(x, found[i]);
  return true;
}
