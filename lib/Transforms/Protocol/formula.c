/*===- formula.c - what a section computes, in a line -----------------------------------------===
 *
 *   tt.fpu.sub %cb_in0, %cb_intermed0 bcast cols, dst = 0; tt.sfpu.unary exp, dst = 0
 *   -> %cb_intermed1
 * = "cb_intermed1 = exp(cb_in0 - cb_intermed0)"
 *
 * The tiles of DST hold formulas while the ops are read in order. Operators bind as usual; a
 * formula that grows long ends in "...".
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/formula.h"

#include "Dialect/op_info.h"
#include "Target/sfpu.h"

#include <math.h>
#include <string.h>

enum { MOST_TILES = 16, MOST_LETTERS = 100 };

typedef enum Binding { SUM, PRODUCT, ATOM } Binding;

typedef struct Formula {
  const char *text;
  Binding binding;
} Formula;

typedef struct Reader {
  TtArena *arena;
  int64_t own; /* tiles of the product that the first tile is of, or 0 */
  Formula tiles[MOST_TILES];
} Reader;

static const char *cb_name(TtArena *arena, MlirValue cb) {
  MlirOperation get = tt_defining_op(cb);
  return tt_get_cb_isa(get) ? tt_arena_str(arena, tt_string(tt_get_cb_name(get))) : "?";
}

static const char *bound(Reader *r, Formula f, Binding at_least) {
  return f.binding >= at_least ? f.text : tt_arena_printf(r->arena, "(%s)", f.text);
}

static Formula infix(Reader *r, const char *name, Formula a, Formula b) {
  static const struct {
    const char *name, *sign;
    Binding left, right, whole;
  } signs[] = {{"add", "+", SUM, SUM, SUM},
               {"sub", "-", SUM, PRODUCT, SUM},
               {"mul", "*", PRODUCT, PRODUCT, PRODUCT},
               {"div", "/", PRODUCT, ATOM, PRODUCT}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i)
    if (strncmp(name, signs[i].name, 3) == 0 && (name[3] == '\0' || name[3] == '_'))
      return (Formula){tt_arena_printf(r->arena, "%s %s %s", bound(r, a, signs[i].left),
                                       signs[i].sign, bound(r, b, signs[i].right)),
                       signs[i].whole};
  return (Formula){tt_arena_printf(r->arena, "%s(%s, %s)", name, a.text, b.text), ATOM};
}

/* Of a product only the first tile has a name. */
static Formula *tile(Reader *r, int64_t dst) {
  if (r->own > 0 && dst >= r->own) dst -= r->own - 1;
  return &r->tiles[dst >= 0 && dst < MOST_TILES ? dst : 0];
}

/* A function with a scalar: add_scalar, max_scalar, fill, … */
static Formula with_scalar(Reader *r, MlirStringRef name, Formula x, const char *scalar) {
  char *text = tt_arena_str(r->arena, name);
  Formula s = {scalar, scalar[0] == '-' ? SUM : ATOM};
  if (strncmp(text, "fill", 4) == 0) return s;
  if (strcmp(text, "rsub_scalar") == 0) return infix(r, "sub", s, x);
  char *end = strstr(text, "_scalar");
  if (end) *end = '\0';
  return infix(r, text, x, s);
}

/* The function of an op; of the half of a tile, or of all of it, it is the same formula. */
static const char *function_name(Reader *r, MlirOperation op) {
  char *name = tt_arena_str(r->arena, tt_attr_word(op, "op"));
  if (tt_sfpu_is_of_column((int)tt_int(tt_op_attr(op, "op")))) *strrchr(name, '_') = '\0';
  return name;
}

static Formula unary(Reader *r, MlirOperation op, Formula x) {
  MlirAttribute scalar = tt_sfpu_unary_scalar(op);
  if (!mlirAttributeIsNull(scalar)) {
    double value = mlirFloatAttrGetValueDouble(scalar);
    const char *text =
        isinf(value) ? value < 0 ? "-inf" : "inf" : tt_arena_printf(r->arena, "%.6g", value);
    return with_scalar(r, tt_attr_word(op, "op"), x, text);
  }
  if (tt_sfpu_unary_op(op) == TT_SFPU_NEGATIVE)
    return (Formula){tt_arena_printf(r->arena, "-%s", bound(r, x, ATOM)), SUM};
  return (Formula){tt_arena_printf(r->arena, "%s(%s)", function_name(r, op), x.text), ATOM};
}

static const char *number_name(Reader *r, MlirValue value) {
  int64_t constant;
  if (tt_constant(value, &constant)) return tt_arena_printf(r->arena, "%jd", (intmax_t)constant);
  if (!mlirValueIsABlockArgument(value)) return "index";
  MlirOperation func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return tt_is_function(func) ? tt_arg_name(r->arena, func, mlirBlockArgumentGetArgNumber(value))
                              : "index";
}

static Formula combine(Reader *r, MlirOperation op) {
  MlirAttribute sources = tt_sfpu_combine_sources(op);
  const char *name = function_name(r, op);
  intptr_t n = mlirDenseArrayGetNumElements(sources);
  Formula in[3] = {{"", ATOM}, {"", ATOM}, {"", ATOM}};
  for (intptr_t i = 0; i < n && i < 3; ++i)
    in[i] = *tile(r, mlirDenseI64ArrayGetElement(sources, i));
  if (n == 1) return in[0];
  if (n == 2) return infix(r, name, in[0], in[1]);
  return (Formula){
      tt_arena_printf(r->arena, "%s(%s, %s, %s)", name, in[0].text, in[1].text, in[2].text), ATOM};
}

static Formula read(Reader *r, MlirOperation op) {
  TtTraffic t = tt_traffic(op);
  Formula a = {t.num_in > 0 ? cb_name(r->arena, t.in[0]) : "", ATOM},
          b = {t.num_in > 1 ? cb_name(r->arena, t.in[1]) : "", ATOM}, *dst = tile(r, tt_op_dst(op));
  if (tt_sfpu_combine_isa(op)) return combine(r, op);
  if (tt_sfpu_unary_isa(op)) return unary(r, op, *dst);
  if (tt_sfpu_scalar_isa(op))
    return with_scalar(r, tt_attr_word(op, "op"), *dst, number_name(r, tt_sfpu_scalar_value(op)));
  if (tt_fpu_reduce_isa(op) || tt_fpu_add_sum_isa(op)) {
    MlirStringRef name = tt_attr_word(op, "op");
    if (tt_fpu_add_sum_isa(op)) name = tt_str("sum_tiles");
    return (Formula){tt_arena_printf(r->arena, "%.*s(%s)", (int)name.length, name.data, a.text),
                     ATOM};
  }
  if (tt_fpu_mul_sum_isa(op)) {
    MlirStringRef name = tt_attr_word(op, "op");
    return (Formula){
        tt_arena_printf(r->arena, "%.*s(%s * %s)", (int)name.length, name.data, a.text, b.text),
        ATOM};
  }
  if (tt_fpu_mul_add_isa(op)) return infix(r, "add", infix(r, "mul", a, b), *dst);
  if (tt_op_info(op)->variant >= 0) return infix(r, tt_binary_str(tt_op_info(op)->variant), a, b);
  if (tt_fpu_reuse_isa(op)) {
    TtReuse reuse = tt_fpu_reuse_op(op);
    return reuse == TT_REUSE_RSUB ? infix(r, "sub", a, *dst)
                                  : infix(r, tt_reuse_str((int)reuse), *dst, a);
  }
  if (tt_inset_to_dst_isa(op))
    return (Formula){tt_arena_printf(r->arena, "%s with %s inside", a.text, b.text), SUM};
  if (tt_part_to_dst_isa(op))
    return (Formula){tt_arena_printf(r->arena, "part of %s", a.text), SUM};
  bool turned = tt_copy_to_dst_isa(op) && !mlirAttributeIsNull(tt_copy_to_dst_transpose(op));
  return turned ? (Formula){tt_arena_printf(r->arena, "transposed(%s)", a.text), ATOM} : a;
}

const char *tt_formula_of(TtArena *arena, TtOps products, TtOps ops, MlirValue out,
                          int64_t packed) {
  Reader r = {.arena = arena};
  for (int i = 0; i < MOST_TILES; ++i) r.tiles[i] = (Formula){"0", ATOM};
  if (products.n == 1) {
    TtProductShape s = tt_product_shape(products.data[0]);
    r.own = s.r * s.c;
  }
  for (intptr_t i = 0; i < products.n; ++i)
    *tile(&r, tt_int(tt_mm_mma_dst(products.data[i]))) =
        (Formula){tt_product_formula(arena, products.data[i]), PRODUCT};
  for (intptr_t i = 0; i < ops.n; ++i) {
    Formula f = read(&r, ops.data[i]);
    if (strlen(f.text) > MOST_LETTERS)
      f.text = tt_arena_printf(arena, "%.*s...", MOST_LETTERS - 3, f.text), f.binding = ATOM;
    *tile(&r, tt_op_dst(ops.data[i])) = f;
  }
  return tt_arena_printf(arena, "%s = %s", tt_is_null_value(out) ? "DST" : cb_name(arena, out),
                         tile(&r, packed)->text);
}

const char *tt_product_formula(TtArena *arena, MlirOperation mma) {
  return tt_arena_printf(arena, "%s x %s%s", cb_name(arena, tt_mm_mma_a(mma)),
                         cb_name(arena, tt_mm_mma_b(mma)),
                         mlirAttributeIsNull(tt_mm_mma_transpose_b(mma)) ? "" : " transposed");
}
