/*===- scale_factors.c - --tt-scale-factors -----------------------------------------------------===
 *
 * Has a product take a factor that is scaled, where its result was: once for all steps.
 *
 *   before  tt.read_to_cb %Q[…], %q
 *           scf.for %step = … {
 *             tt.mm.mma %q, %k transpose_b, dst = 0      tt.pack_to_cb dst = 0 -> %p
 *             tt.copy_to_dst %p, dst = 0
 *             tt.sfpu.unary mul_scalar, dst = 0 scalar = c -> %scaled
 *   after   tt.read_to_cb %Q[…], %q
 *           tt.copy_to_dst %q, dst = 0
 *           tt.sfpu.unary mul_scalar, dst = 0 scalar = c -> %scaled_factor
 *           scf.for %step = … {
 *             tt.mm.mma %scaled_factor, %k transpose_b, dst = 0   tt.pack_to_cb dst = 0 -> %p
 *             tt.copy_to_dst %p, dst = 0 -> %scaled
 *
 * The copy that is left is what --tt-forward-copies takes away. A power of two changes only the
 * exponents of the factor, which keeps its format, so that results have the same bits but where an
 * element is below 2^-110. Any other scale is multiplied in f32, of which the FPU takes 11 bits,
 * cut, three more than bf16 has: only where all bits of the FPU are multiplied and DST has 32.
 *
 * Requires tile intrinsics (C2), before --tt-forward-copies and the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/l1_budget.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/section.h"

#include <math.h>

static const char *const pass = "tt-scale-factors";

enum { MOST_EXPONENT = 16 }; /* of a scale: elements of a factor stay far from the ends of bf16 */

/* A product, the copy that brings it to DST again, or null where it stays there, and the scale. */
typedef struct Scaled {
  TtArena *arena;
  MlirOperation func, product, copy, scale;
  double by;
  MlirValue factor;     /* of the product: what is scaled instead */
  MlirOperation anchor; /* in front of which the factor is scaled */
  MlirType element;     /* of the scaled factor */
} Scaled;

static MlirOperation next_effect(MlirOperation op) {
  do op = tt_next(op);
  while (!mlirOperationIsNull(op) && tt_op_is(op, "arith.constant"));
  return op;
}

/* Whether a product is no part of a sum. */
static bool is_whole(MlirOperation product) {
  int64_t adds = 1;
  return tt_constant(tt_mm_mma_accumulate(product), &adds) && adds == 0;
}

/* The circular buffer that a product is packed to; null where it stays in DST. */
static MlirValue packed_result(MlirOperation product) {
  MlirValue none = {NULL}, out = tt_op_fills(product);
  if (!tt_is_null_value(out)) return out;
  MlirOperation next = next_effect(product);
  bool packs = !mlirOperationIsNull(next) && tt_pack_to_cb_isa(next) &&
               tt_op_dst(next) == tt_op_dst(product);
  return packs ? tt_op_fills(next) : none;
}

/* The copy that alone takes what is in a circular buffer to DST, or null. */
static MlirOperation only_copy(MlirValue cb) {
  MlirOperation none = {NULL};
  if (tt_is_null_value(cb) || !tt_is_between_two(cb)) return none;
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_copy_to_dst_isa(op) && tt_value_eq(tt_copy_to_dst_a(op), cb) &&
        tt_is_null_value(tt_copy_to_dst_out(op)))
      return op;
  }
  return none;
}

/* The scale behind the product, or behind the copy that brings it to DST again. */
static bool find_scale(Scaled *s) {
  MlirValue packed = packed_result(s->product);
  if (!tt_is_null_value(packed)) s->copy = only_copy(packed);
  MlirOperation from = tt_is_null_value(packed) ? s->product : s->copy;
  if (mlirOperationIsNull(from)) return false;
  s->scale = next_effect(from);
  if (mlirOperationIsNull(s->scale) || !tt_sfpu_unary_isa(s->scale) ||
      tt_sfpu_unary_op(s->scale) != TT_SFPU_MUL_SCALAR || tt_op_dst(s->scale) != tt_op_dst(from))
    return false;
  MlirAttribute by = tt_sfpu_unary_scalar(s->scale);
  if (mlirAttributeIsNull(by) || !mlirAttributeIsAFloat(by)) return false;
  s->by = mlirFloatAttrGetValueDouble(by);
  return true;
}

static int64_t result_tiles(MlirOperation product) {
  MlirType a = mlirValueGetType(tt_mm_mma_a(product)), b = mlirValueGetType(tt_mm_mma_b(product));
  bool turned = !mlirAttributeIsNull(tt_mm_mma_transpose_b(product));
  return tt_cb_rows(a) * (turned ? tt_cb_rows(b) : tt_cb_cols(b));
}

static bool is_power_of_two(double x) {
  int exponent;
  return fabs(frexp(x, &exponent)) == 0.5;
}

/* What fills a circular buffer, once, where no op holds it; else null. */
static MlirOperation only_filler(MlirValue cb) {
  MlirOperation filler = {NULL}, none = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    TtAct does = tt_op_info(op)->does;
    MlirValue out = tt_op_fills(op);
    bool fills = does == TT_ACT_LOAD || (!tt_is_null_value(out) && tt_value_eq(out, cb));
    if (!fills && does != TT_ACT_COMPUTE) return none;
    if (fills && !mlirOperationIsNull(filler)) return none;
    if (fills) filler = op;
  }
  return filler;
}

/* Whether `cb` is a factor that is as it is outside of the loops around the product, or smaller
 * than the result; where it is scaled then. */
static bool stays_outside(Scaled *s, MlirValue cb) {
  MlirOperation filler =
      tt_alloc_cb_isa(tt_defining_op(cb)) ? only_filler(cb) : (MlirOperation){NULL};
  if (mlirOperationIsNull(filler)) return false;
  MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(filler), s->product);
  if (mlirOperationIsNull(at) || !tt_is_before(filler, at)) return false;
  int64_t tiles = tt_cb_tiles(mlirValueGetType(cb)), of_result = result_tiles(s->product);
  if (tt_op_eq(at, s->product) ? tiles >= of_result : tiles > of_result) return false;
  s->factor = cb, s->anchor = at;
  return true;
}

static bool find_factor(Scaled *s) {
  MlirValue a = tt_mm_mma_a(s->product), b = tt_mm_mma_b(s->product);
  return !tt_value_eq(a, b) && (stays_outside(s, a) || stays_outside(s, b));
}

/* Why the result is scaled; NULL where the factor may be. */
static const char *why_not(Scaled *s) {
  int exponent;
  s->element = tt_cb_type_element_type(mlirValueGetType(s->factor));
  bool bf16 = mlirTypeIsABF16(s->element), f32 = mlirTypeIsAF32(s->element);
  (void)frexp(s->by, &exponent);
  if (!bf16 && !f32) return "its factors have another format than bf16 and f32";
  if (!isfinite(s->by) || s->by == 0 || exponent > MOST_EXPONENT || exponent < -MOST_EXPONENT)
    return "the scale is too large or too small for elements of a factor";
  if (!is_power_of_two(s->by)) {
    if (!tt_dst_is_32bit(s->func) || !tt_multiplies_all_bits(s->func))
      return "the scale is no power of two, and the FPU leaves out bits of the scaled factor";
    s->element = mlirF32TypeGet(mlirOperationGetContext(s->func));
  }
  TtDfg dfg;
  bool silent = tt_silence(true), known = tt_analyze_dfg(s->arena, s->func, &dfg);
  tt_silence(silent);
  int64_t bytes =
      tt_cb_tiles(mlirValueGetType(s->factor)) * (int64_t)tt_element_tile_bytes(s->element);
  return known && tt_l1_left(&dfg) >= bytes ? NULL : "L1 has no room for a scaled factor";
}

static void scale_factor(const Scaled *s) {
  MlirLocation loc = mlirOperationGetLocation(s->scale);
  MlirType type = mlirValueGetType(s->factor);
  MlirAttribute no = mlirAttributeGetNull();
  MlirValue none = {NULL}, out = tt_op_fills(s->scale),
            scaled = tt_new_block(s->func, loc, "scaled", tt_cb_rows(type), tt_cb_cols(type),
                                  s->element);
  TtBuilder b = tt_builder_before(s->anchor);
  tt_copy_to_dst_create(&b, loc, s->factor, no, no, 0, none);
  tt_sfpu_unary_create(&b, loc, TT_SFPU_MUL_SCALAR, 0, tt_sfpu_unary_scalar(s->scale), scaled);
  intptr_t at = tt_value_eq(tt_mm_mma_a(s->product), s->factor) ? 0 : 1;
  mlirOperationSetOperand(s->product, at, scaled);
  TtBuilder in = tt_builder_before(s->scale);
  if (!tt_is_null_value(out) && mlirOperationIsNull(s->copy)) {
    tt_pack_to_cb_create(&in, loc, tt_op_dst(s->scale), no, out, none);
  } else if (!tt_is_null_value(out)) { /* the copy is the whole section */
    tt_copy_to_dst_create(&in, mlirOperationGetLocation(s->copy), tt_copy_to_dst_a(s->copy),
                          tt_copy_to_dst_transpose(s->copy), tt_copy_to_dst_repeat(s->copy),
                          tt_op_dst(s->copy), out);
    mlirOperationDestroy(s->copy);
  }
  mlirOperationDestroy(s->scale);
}

static bool scale_factors(TtArena *arena, MlirOperation func) {
  TtOps products = tt_collect(arena, func, "tt.mm.mma");
  bool ok = products.n == 0 || tt_complete_short_form(arena, func);
  for (intptr_t i = 0; ok && i < products.n; ++i) {
    Scaled s = {.arena = arena, .func = func, .product = products.data[i]};
    if (!is_whole(s.product) || !find_scale(&s)) continue;
    const char *reason =
        find_factor(&s) ? why_not(&s) : "both factors change with each step of the loops around it";
    if (reason) {
      tt_remark(s.scale, TT_REMARK_MISSED, pass, "the result of a product is scaled: %s", reason);
      continue;
    }
    tt_remark(s.scale, TT_REMARK_PASSED, pass,
              "a factor of %jd tiles is scaled, not each result of %jd",
              (intmax_t)tt_cb_tiles(mlirValueGetType(s.factor)), (intmax_t)result_tiles(s.product));
    scale_factor(&s);
  }
  return ok;
}

bool tt_run_scale_factors(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, scale_factors);
}
