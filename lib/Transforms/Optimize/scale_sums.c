/*===- scale_sums.c - --tt-scale-sums -----------------------------------------------------------===
 *
 * Has a sum of rows or columns multiply by a scale, and not by ones, where its result was scaled.
 *
 *   before  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones
 *           tt.fpu.reduce sum_row, %x, %ones, dst = 0
 *           tt.sfpu.unary mul_scalar, dst = 0 scalar = 9.765625e-4 -> %mean
 *   after   tt.sfpu.unary fill, dst = 0 scalar = 9.765625e-4 -> %scale
 *           tt.fpu.reduce sum_row, %x, %scale, dst = 0 -> %mean
 *
 * The vector unit would take a whole tile for what is a column. A power of two changes only the
 * exponents of what is added, so that results have the same bits but where an element is below
 * 2^-110; any other scale would be cut to the bits of a source register, and stays.
 *
 * Requires tile intrinsics (C2), after --tt-join-sections, before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/section.h"

#include <math.h>

static const char *const pass = "tt-scale-sums";

enum { MOST_EXPONENT = 16, MOST_SCALES = 16 };

/* Tiles of a scale that were made, in place of which tile of ones. */
typedef struct Scales {
  MlirValue ones[MOST_SCALES], made[MOST_SCALES];
  double by[MOST_SCALES];
  int n;
} Scales;

/* A sum, the scale behind it in its section, and what fills the tile of ones. */
typedef struct Sum {
  MlirOperation func, reduce, scale, filler;
  double by;
} Sum;

/* What fills a circular buffer with ones, once; else null. */
static MlirOperation filler_of(MlirValue ones) {
  MlirOperation filler = {NULL}, none = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(ones); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirValue out = tt_op_fills(op);
    if (tt_is_null_value(out) || !tt_value_eq(out, ones)) continue;
    if (!mlirOperationIsNull(filler) || !tt_sfpu_unary_isa(op) ||
        tt_sfpu_unary_op(op) != TT_SFPU_FILL)
      return none;
    filler = op;
  }
  if (mlirOperationIsNull(filler)) return none;
  MlirAttribute with = tt_sfpu_unary_scalar(filler);
  bool fills = !mlirAttributeIsNull(with) && mlirAttributeIsAFloat(with) &&
               mlirFloatAttrGetValueDouble(with) == 1.0;
  return fills ? filler : none;
}

/* Whether a section's op is a sum that begins in an empty tile of DST, and the next one scales it
 * there. */
static bool find_sum(Sum *s, const TtSection *section, intptr_t at) {
  s->reduce = section->ops.data[at];
  if (!tt_fpu_reduce_isa(s->reduce) || at + 1 == section->ops.n) return false;
  TtReduce op = tt_fpu_reduce_op(s->reduce);
  s->scale = section->ops.data[at + 1];
  if ((op != TT_REDUCE_SUM_ROW && op != TT_REDUCE_SUM_COL) || !tt_sfpu_unary_isa(s->scale) ||
      tt_sfpu_unary_op(s->scale) != TT_SFPU_MUL_SCALAR ||
      tt_op_dst(s->scale) != tt_op_dst(s->reduce))
    return false;
  for (intptr_t i = 0; i < at; ++i)
    if (tt_op_dst(section->ops.data[i]) == tt_op_dst(s->reduce)) return false;
  MlirAttribute by = tt_sfpu_unary_scalar(s->scale);
  if (mlirAttributeIsNull(by) || !mlirAttributeIsAFloat(by)) return false;
  s->by = mlirFloatAttrGetValueDouble(by);
  s->filler = filler_of(tt_fpu_reduce_ones(s->reduce));
  return !mlirOperationIsNull(s->filler);
}

/* Why the result is scaled; NULL where what is added may be. */
static const char *why_not(const Sum *s) {
  MlirType ones = tt_cb_type_element_type(mlirValueGetType(tt_fpu_reduce_ones(s->reduce))),
           x = tt_cb_type_element_type(mlirValueGetType(tt_fpu_reduce_a(s->reduce)));
  int exponent;
  bool power = isfinite(s->by) && fabs(frexp(s->by, &exponent)) == 0.5;
  if (!power) return "the scale is no power of two, of which a source register keeps all bits";
  if (exponent > MOST_EXPONENT || exponent < -MOST_EXPONENT)
    return "the scale is too large or too small";
  if ((!mlirTypeIsABF16(ones) && !mlirTypeIsAF32(ones)) || mlirTypeIsAF16(x))
    return "numbers with the exponents of f16 may get too small";
  return NULL;
}

/* The tile of the scale, which is made beside the ones. */
static MlirValue scale_of(Scales *scales, const Sum *s) {
  MlirValue ones = tt_fpu_reduce_ones(s->reduce);
  for (int i = 0; i < scales->n; ++i)
    if (tt_value_eq(scales->ones[i], ones) && scales->by[i] == s->by) return scales->made[i];
  if (scales->n == MOST_SCALES) return (MlirValue){NULL};
  MlirLocation loc = mlirOperationGetLocation(s->filler);
  MlirValue made =
      tt_new_block(s->func, loc, "scale", 1, 1, tt_cb_type_element_type(mlirValueGetType(ones)));
  TtBuilder b = tt_builder_after(s->filler);
  tt_sfpu_unary_create(&b, loc, TT_SFPU_FILL, tt_op_dst(s->filler), tt_sfpu_unary_scalar(s->scale),
                       made);
  scales->ones[scales->n] = ones, scales->by[scales->n] = s->by;
  return scales->made[scales->n++] = made;
}

static void scale_sum(const Sum *s, MlirValue scale) {
  TtBuilder b = tt_builder_before(s->reduce);
  MlirOperation reduce = tt_fpu_reduce_create(
      &b, mlirOperationGetLocation(s->reduce), tt_fpu_reduce_op(s->reduce),
      tt_fpu_reduce_a(s->reduce), scale, tt_op_dst(s->reduce), tt_op_fills(s->scale));
  tt_remark(reduce, TT_REMARK_PASSED, pass, "the sum multiplies by its scale, and not by ones");
  mlirOperationDestroy(s->scale);
  mlirOperationDestroy(s->reduce);
}

/* Ones that nothing takes any more. */
static void erase_unused(const Scales *scales) {
  for (int i = 0; i < scales->n; ++i) {
    bool seen = false; /* for another scale */
    for (int j = 0; j < i; ++j) seen |= tt_value_eq(scales->ones[j], scales->ones[i]);
    MlirOpOperand use = seen ? (MlirOpOperand){NULL} : mlirValueGetFirstUse(scales->ones[i]);
    if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) continue;
    MlirOperation alloc = tt_defining_op(scales->ones[i]);
    mlirOperationDestroy(mlirOpOperandGetOwner(use)); /* what fills them */
    mlirOperationDestroy(alloc);
  }
}

static bool scale_sums(TtArena *arena, MlirOperation func) {
  TtBlocks blocks = tt_blocks_of(arena, func);
  Scales scales = {.n = 0};
  for (intptr_t i = 0; i < blocks.n; ++i) {
    TtSections sections = tt_sections_of(arena, blocks.data[i]);
    for (intptr_t k = 0; k < sections.n; ++k)
      for (intptr_t at = 0; at < sections.data[k].ops.n; ++at) {
        Sum s = {.func = func};
        if (!find_sum(&s, &sections.data[k], at)) continue;
        const char *reason = why_not(&s);
        MlirValue scale = reason ? (MlirValue){NULL} : scale_of(&scales, &s);
        if (reason)
          tt_remark(s.scale, TT_REMARK_MISSED, pass, "a sum is scaled behind it: %s", reason);
        if (!tt_is_null_value(scale)) scale_sum(&s, scale), ++at;
      }
  }
  erase_unused(&scales);
  tt_erase_dead(func);
  return true;
}

bool tt_run_scale_sums(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, scale_sums);
}
