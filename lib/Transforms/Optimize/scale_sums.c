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
 * So where cores have parts of a row, too (tt.gather_parts), and it is their sum that is scaled.
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

/* A sum, the scale behind it in its section, or behind the sum of cores' parts there, and what
 * fills the tile of ones. */
typedef struct Sum {
  MlirOperation func, reduce, scale, filler;
  MlirOperation together; /* that adds the parts; null: there are none */
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

/* Whether a section's op is a sum that begins in an empty tile of DST. */
static bool is_sum(const TtSection *section, intptr_t at) {
  MlirOperation op = section->ops.data[at];
  if (!tt_fpu_reduce_isa(op)) return false;
  for (intptr_t i = 0; i < at; ++i)
    if (tt_op_dst(section->ops.data[i]) == tt_op_dst(op)) return false;
  return tt_fpu_reduce_op(op) == TT_REDUCE_SUM_ROW || tt_fpu_reduce_op(op) == TT_REDUCE_SUM_COL;
}

/* The one op that fills `cb`, where only `taker` takes it; else null. */
static MlirOperation between_two(MlirValue cb, MlirOperation taker) {
  MlirOperation filler = {NULL}, none = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(cb); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tt_op_eq(op, taker)) continue;
    if (!mlirOperationIsNull(filler)) return none;
    filler = op;
  }
  bool fills = !mlirOperationIsNull(filler) && !tt_is_null_value(tt_op_fills(filler)) &&
               tt_value_eq(tt_op_fills(filler), cb);
  return fills ? filler : none;
}

/* What gathers the parts of which a section makes one sum up to `at`, and nothing else; null if it
 * is none. */
static MlirOperation gather_of(const TtSection *section, intptr_t at) {
  MlirOperation gather = {NULL}, none = {NULL};
  MlirValue all = {NULL};
  intptr_t parts = 0, uses = 0;
  for (intptr_t i = 0; i <= at; ++i) {
    MlirOperation op = section->ops.data[i];
    if (tt_sfpu_combine_isa(op) && tt_sfpu_combine_op(op) == TT_SFPU_ADD) continue;
    if (!tt_part_to_dst_isa(op) || (parts > 0 && !tt_value_eq(tt_part_to_dst_a(op), all)))
      return none;
    all = tt_part_to_dst_a(op), ++parts;
  }
  if (parts == 0) return none;
  for (MlirOpOperand use = mlirValueGetFirstUse(all); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use), ++uses)
    if (tt_gather_parts_isa(mlirOpOperandGetOwner(use))) gather = mlirOpOperandGetOwner(use);
  return uses == parts + 1 ? gather : none; /* nobody else takes a part */
}

/* The section of an op, and its place there; null where none has it. */
static const TtSection *section_of(const TtSections *sections, MlirOperation op, intptr_t *at) {
  for (intptr_t k = 0; k < sections->n; ++k)
    for (*at = 0; *at < sections->data[k].ops.n; ++*at)
      if (tt_op_eq(sections->data[k].ops.data[*at], op)) return &sections->data[k];
  return NULL;
}

/* The sum of a core's part, where the op adds up what cores have gathered of such, or of such
 * sums: cores of a row at first, then those of a column. Null if it does not. */
static MlirOperation sum_of_parts(const TtSections *sections, const TtSection *section,
                                  intptr_t at) {
  MlirOperation none = {NULL};
  for (intptr_t n = 0; n < sections->n && section; ++n) { /* no further than all of them */
    if (!tt_sfpu_combine_isa(section->ops.data[at])) return none;
    MlirOperation gather = gather_of(section, at);
    if (mlirOperationIsNull(gather)) return none;
    section = section_of(sections, between_two(tt_gather_parts_part(gather), gather), &at);
    if (section && is_sum(section, at)) return section->ops.data[at];
  }
  return none;
}

/* Whether a section's op makes a sum that the next one scales where it is. */
static bool find_sum(Sum *s, const TtSections *sections, const TtSection *section, intptr_t at) {
  if (at + 1 == section->ops.n) return false;
  s->scale = section->ops.data[at + 1];
  if (!tt_sfpu_unary_isa(s->scale) || tt_sfpu_unary_op(s->scale) != TT_SFPU_MUL_SCALAR ||
      tt_op_dst(s->scale) != tt_op_dst(section->ops.data[at]))
    return false;
  MlirAttribute by = tt_sfpu_unary_scalar(s->scale);
  if (mlirAttributeIsNull(by) || !mlirAttributeIsAFloat(by)) return false;
  s->by = mlirFloatAttrGetValueDouble(by);
  if (is_sum(section, at)) s->reduce = section->ops.data[at];
  else s->together = section->ops.data[at], s->reduce = sum_of_parts(sections, section, at);
  if (mlirOperationIsNull(s->reduce)) return false;
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

/* What the scale filled may be made between it and the op that fills it now. */
static void make_before(MlirValue out, MlirOperation op) {
  MlirOperation made = tt_is_null_value(out) ? (MlirOperation){NULL} : tt_defining_op(out);
  if (!tt_alloc_cb_isa(made) ||
      !mlirBlockEqual(mlirOperationGetBlock(made), mlirOperationGetBlock(op)))
    return;
  if (tt_is_before(op, made)) mlirOperationMoveBefore(made, op);
}

static void scale_sum(const Sum *s, MlirValue scale) {
  bool parts = !mlirOperationIsNull(s->together);
  make_before(tt_op_fills(s->scale), parts ? s->together : s->reduce);
  TtBuilder b = tt_builder_before(s->reduce);
  MlirOperation reduce =
      tt_fpu_reduce_create(&b, mlirOperationGetLocation(s->reduce), tt_fpu_reduce_op(s->reduce),
                           tt_fpu_reduce_a(s->reduce), scale, tt_op_dst(s->reduce),
                           parts ? tt_op_fills(s->reduce) : tt_op_fills(s->scale));
  tt_remark(reduce, TT_REMARK_PASSED, pass, "the sum multiplies by its scale, and not by ones");
  if (parts) {
    b = tt_builder_before(s->together);
    tt_sfpu_combine_create(&b, mlirOperationGetLocation(s->together), TT_SFPU_ADD,
                           tt_sfpu_combine_sources(s->together), tt_op_dst(s->together),
                           tt_op_fills(s->scale));
    mlirOperationDestroy(s->together);
  }
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

/* Scales what one sum of a block adds, or, where it `says`, says why none does; false where it did
 * not. */
static bool scale_in_block(TtArena *arena, MlirOperation func, MlirBlock block, Scales *scales,
                           bool says) {
  TtSections sections = tt_sections_of(arena, block);
  for (intptr_t k = 0; k < sections.n; ++k)
    for (intptr_t at = 0; at < sections.data[k].ops.n; ++at) {
      Sum s = {.func = func};
      if (!find_sum(&s, &sections, &sections.data[k], at)) continue;
      const char *reason = why_not(&s);
      MlirValue scale = reason ? (MlirValue){NULL} : scale_of(scales, &s);
      if (reason && says)
        tt_remark(s.scale, TT_REMARK_MISSED, pass, "a sum is scaled behind it: %s", reason);
      if (!tt_is_null_value(scale)) return scale_sum(&s, scale), true;
    }
  return false;
}

static bool scale_sums(TtArena *arena, MlirOperation func) {
  TtBlocks blocks = tt_blocks_of(arena, func);
  Scales scales = {.n = 0};
  for (intptr_t i = 0; i < blocks.n; ++i) {
    while (scale_in_block(arena, func, blocks.data[i], &scales, false)) continue;
    scale_in_block(arena, func, blocks.data[i], &scales, true);
  }
  erase_unused(&scales);
  tt_erase_dead(func);
  return true;
}

bool tt_run_scale_sums(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, scale_sums);
}
