/*===- integer_parts.c - integers through the FPU, in bytes -----------------------------------===
 *
 * The FPU, which broadcasts, turns and reduces, knows floats only. A byte is a number of bf16, or
 * of f16 where the kernel's floats of 16 bits are those:
 *
 *   x, a column, of 32 bits =   b0 = x & 255, b1 = x >> 8 & 255, b2 = x >> 16 & 255, b3 = x >> 24,
 *                               columns of bf16; ((256 b3 + b2) << 16) + (256 b1 + b0)
 *
 *   x of a tensor whose     =   x itself, in bf16; and of 17, in two parts
 *   tt.range is of 9 bits
 *
 *   sum of x                =   s0 = sum(b0) … s3 = sum(b3);  s0 + (s1 << 8) + (s2 << 16) + (s3 <<
 * 24)
 *
 *   max of x                =   h3 = max(b3), t = h3; h2 = max of x >> 16 above t << 8, and so on:
 *                               of those that agree with what is known of the largest, the next
 * byte
 *
 * Sums of bytes are exact in DST up to 2^24, in the fidelity that takes all bits of both factors.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/ranges.h"
#include "Dialect/op_info.h"
#include "Transforms/Tile/expression.h"

enum { BYTE = 256, MAX_BYTES = 4 };

/* Byte `i` of `n`: without a sign, but for the fourth. */
static TtExpr *byte_of(TtExprs *x, TtExpr *whole, int i, bool top) {
  if (i > 0) whole = tt_expr_integer_scalar(x, "shr_int_scalar", whole, 8 * i);
  return top ? whole : tt_expr_integer_scalar(x, "and_int_scalar", whole, BYTE - 1);
}

static TtExpr *as_float(TtExprs *x, TtExpr *e) { return tt_expr_unary(x, "i32_to_f32", e, 0); }

/* low + 256 high, in floats of up to 24 bits */
static TtExpr *two_bytes(TtExprs *x, TtExpr *low, TtExpr *high) {
  return tt_expr_combine(x, "add", low, tt_expr_unary(x, "mul_scalar", high, BYTE), true);
}

/* What was made of a circular buffer: a body uses an operand a dozen times, and one is enough. */
typedef struct TtInParts {
  MlirValue cb;
  TtAccess access;
  unsigned bits;
  TtExpr *e;
  struct TtInParts *next;
} TtInParts;

/* What is read into `cb`, by the tt.range of the tensors; false where that is not known. */
static bool range_of(TtExprs *x, MlirValue cb, TtRange *range) {
  MlirOperation func = x->l->func;
  *range = (TtRange){0, 0, false};
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!tt_op_is(op, "tt.read_to_cb")) continue;
    TtRange own = {0, 0, false};
    MlirValue tensor = tt_view_root(mlirOperationGetOperand(op, 0));
    for (intptr_t i = 0; i < tt_num_args(func); ++i)
      if (tt_value_eq(tt_arg(func, i), tensor)) own = tt_arg_range(func, i);
    if (!own.given) return false;
    if (!range->given || own.lo < range->lo) range->lo = own.lo;
    if (!range->given || own.hi > range->hi) range->hi = own.hi;
    range->given = true;
  }
  return range->given;
}

/* In how many bytes all of `cb` is, the last one with a sign; 0 where that is not known. */
static int bytes_in_range(TtExprs *x, MlirValue cb) {
  TtRange range;
  if (!range_of(x, cb, &range)) return 0;
  if (range.lo >= -BYTE && range.hi <= BYTE) return 1; /* what 8 bits of significand hold */
  return range.lo >= -BYTE * BYTE && range.hi < BYTE * BYTE ? 2 : 0;
}

static TtExpr *made_of_parts(TtExprs *x, TtExprs *y, TtExpr *whole, MlirValue cb, TtAccess access,
                             unsigned bits) {
  int small = bytes_in_range(x, cb), n = (int)(bits + 7) / 8;
  TtExpr *parts[MAX_BYTES] = {NULL};
  if (small && small < n) n = small;
  else small = MAX_BYTES;
  if (x->in_section) return x->refused = true, NULL;
  if (!whole) return NULL;
  for (int i = 0; i < n; ++i) {
    MlirValue part;
    if (!tt_expr_to_scratch(y, as_float(y, byte_of(y, whole, i, i + 1 == small)), cb, &part))
      return NULL;
    parts[i] = tt_expr_leaf(x, part, access);
  }
  TtExpr *low = n > 1 ? two_bytes(x, parts[0], parts[1]) : parts[0];
  low = tt_expr_unary(x, "f32_to_i32", low, 0);
  if (n < 4) return low;
  TtExpr *high = tt_expr_unary(x, "f32_to_i32", two_bytes(x, parts[2], parts[3]), 0);
  return tt_expr_combine_integers(x, "add_int", low,
                                  tt_expr_integer_scalar(x, "shl_int_scalar", high, 16));
}

TtExpr *tt_expr_integer_parts(TtExprs *x, TtExprs *y, TtExpr *whole, MlirValue cb, TtAccess access,
                              unsigned bits) {
  for (const TtInParts *p = x->in_parts; p; p = p->next)
    if (tt_value_eq(p->cb, cb) && p->access == access && p->bits == bits) return p->e;
  TtExpr *e = made_of_parts(x, y, whole, cb, access, bits);
  if (!e) return NULL;
  TtInParts *made = tt_arena_alloc(x->l->arena, sizeof *made);
  *made = (TtInParts){cb, access, bits, e, x->in_parts};
  x->in_parts = made;
  return e;
}

/*===- Reductions -----------------------------------------------------------------------------===*/

typedef struct Fold {
  TtExprs *x;
  MlirValue cb; /* i32 */
  TtReduce kind;
  bool row;
} Fold;

static TtExprs on(const Fold *f) {
  return (TtExprs){.l = f->x->l, .op = f->x->op, .space = f->x->space};
}

/* `e`, of floats, reduced by the FPU to scratch of `element`. */
static bool fold(const Fold *f, TtExprs *y, TtExpr *e, MlirType element, MlirValue *out) {
  MlirValue part;
  MlirType type = mlirValueGetType(f->cb);
  MlirLocation loc = mlirOperationGetLocation(f->x->op);
  if (!tt_expr_to_scratch(y, e, f->cb, &part)) return false;
  MlirValue ones = tt_constant_tile(f->x->l, loc, 1, tt_narrow_float(f->x->l->func));
  TtBuilder b = tt_builder_before(f->x->op);
  *out =
      tt_take_scratch(f->x, f->row ? tt_cb_rows(type) : 1, f->row ? 1 : tt_cb_cols(type), element);
  tt_fpu_reduce_create(&b, loc, f->kind, part, ones, 0, *out);
  tt_release_scratch_cb(f->x, part);
  tt_show_scratch(f->x, *out);
  return true;
}

/* A number a row or column, of 32 bits, in scratch. */
static bool finish(const Fold *f, TtExprs *y, TtExpr *e, MlirValue *out) {
  MlirType type = mlirValueGetType(f->cb);
  *out = tt_take_scratch(f->x, f->row ? tt_cb_rows(type) : 1, f->row ? 1 : tt_cb_cols(type),
                         tt_cb_type_element_type(type));
  if (!e || !tt_expr_to_cb(y, e, *out)) return false;
  return tt_show_scratch(f->x, *out), true;
}

static TtExpr *shifted(TtExprs *y, TtExpr *e, int by) {
  return by ? tt_expr_integer_scalar(y, "shl_int_scalar", e, by) : e;
}

/* From the highest byte on, so that each step shifts what is there. */
static bool sum(const Fold *f, MlirValue *out) {
  MlirType f32 = mlirF32TypeGet(mlirOperationGetContext(f->x->op));
  for (int i = MAX_BYTES; i-- > 0;) {
    TtExprs y = on(f), z = on(f);
    MlirValue found, before = *out;
    TtExpr *byte = byte_of(&y, tt_expr_leaf(&y, f->cb, TT_ACCESS_FULL), i, i == 3);
    if (!fold(f, &y, as_float(&y, byte), f32, &found)) return false;
    TtExpr *all = tt_expr_unary(&z, "f32_to_i32", tt_expr_leaf(&z, found, TT_ACCESS_FULL), 0);
    bool more = i < MAX_BYTES - 1;
    if (more)
      all = tt_expr_combine_integers(&z, "add_int",
                                     shifted(&z, tt_expr_leaf(&z, before, TT_ACCESS_FULL), 8), all);
    if (!finish(f, &z, all, out)) return false;
    tt_release_scratch_cb(f->x, found);
    if (more) tt_release_scratch_cb(f->x, before);
  }
  return true;
}

/* What is known of the largest elements from the first `n` bytes, in 32 bits. */
static TtExpr *known(TtExprs *y, const MlirValue *found, int n, TtAccess access) {
  TtExpr *t = NULL;
  for (int i = 0; i < n; ++i) {
    TtExpr *of = tt_expr_unary(y, "f32_to_i32", tt_expr_leaf(y, found[i], access), 0);
    t = t ? tt_expr_combine_integers(y, "add_int", shifted(y, t, 8), of) : of;
  }
  return t;
}

static bool most(const Fold *f, MlirValue *out) {
  MlirValue found[MAX_BYTES];
  MlirType narrow = tt_narrow_float(f->x->l->func);
  TtAccess access = f->row ? TT_ACCESS_COLS : TT_ACCESS_ROWS;
  for (int i = 0; i < MAX_BYTES; ++i) {
    TtExprs y = on(f);
    TtExpr *e = tt_expr_leaf(&y, f->cb, TT_ACCESS_FULL);
    if (i < 3) e = tt_expr_integer_scalar(&y, "shr_int_scalar", e, 24 - 8 * i);
    if (i > 0) { /* 0 where it is less */
      TtExpr *t = shifted(&y, known(&y, found, i, access), 8);
      e = tt_expr_combine_integers(&y, "sub_int", tt_expr_combine_integers(&y, "max_int", e, t), t);
    }
    if (!fold(f, &y, as_float(&y, e), narrow, &found[i])) return false;
  }
  TtExprs y = on(f);
  return finish(f, &y, known(&y, found, MAX_BYTES, TT_ACCESS_FULL), out);
}

bool tt_reduce_integers(TtExprs *x, MlirValue cb, TtReduce kind, bool row, MlirValue *out) {
  Fold f = {x, cb, kind, row};
  return tt_reduce_is_max(kind) ? most(&f, out) : sum(&f, out);
}
