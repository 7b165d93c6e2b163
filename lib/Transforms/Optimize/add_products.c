/*===- add_products.c - --tt-add-products -------------------------------------------------------===
 *
 * Has DST add a scaled block and what is added to it, which was packed in between.
 *
 *   before  tt.fpu.mul %s, %f, dst = 0 -> %s        tt.cb_close %s   tt.cb_open %s
 *           tt.fpu.reduce sum_row, %w, %ones, dst = 0 -> %t
 *           tt.copy_to_dst %s, dst = 0   tt.copy_to_dst %t, dst = 1
 *           tt.sfpu.combine add, [0, 1], dst = 0 -> %s
 *   after   tt.fpu.reduce sum_row, %w, %ones, dst = 0
 *           tt.fpu.mul_add %s, %f, dst = 0 -> %s
 *
 * and where a product of blocks is added:
 *
 *   before  tt.fpu.mul %a, %f bcast cols, dst = 0 -> %a      tt.cb_close %a   tt.cb_open %a
 *           tt.copy_to_dst %a, dst = 0
 *           tt.mm.mma %w, %v, dst = 0, accumulate = true     tt.pack_to_cb dst = 0 -> %a
 *   after   tt.fpu.mul %a, %f bcast cols, dst = 0
 *           tt.mm.mma %w, %v, dst = 0, accumulate = true     tt.pack_to_cb dst = 0 -> %a
 *
 * What is added is computed in the same section where it is a sum of a block's rows or columns, or
 * else copied there. Legal where the scaled block is taken by this sum alone, before it is
 * replaced, and the factor stays at the front of its circular buffer until then. Terms are added in
 * the same order; but the scaled block goes to the sum with all bits of DST, where a copy of it
 * that goes through the source registers has 11. So DST must have 32 bits.
 *
 * Requires tile intrinsics (C2), before the graph of C3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-add-products";

/* A block that is scaled where it is, and the section that adds to it. */
typedef struct Scaled {
  TtArena *arena;
  MlirOperation mul, close, open; /* of the old value; of the scaled one */
  MlirOperation copy;             /* what alone takes the scaled block */
  MlirOperation sum;              /* the product that adds to the copy, or … */
  MlirOperation other, combine;   /* … the copy of what is added, and the sum of both */
  MlirOperation rows; /* the reduction that fills what is added, if DST can go on with it */
} Scaled;

static MlirOperation next_use(const Scaled *s, MlirOperation op, MlirValue cb) {
  do op = tt_next(op);
  while (!mlirOperationIsNull(op) && !tt_has_use(s->arena, op, cb));
  return op;
}

static bool is_f32(MlirValue cb) {
  return mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(cb)));
}

/* One op is the whole section, and scales the block in its circular buffer, of f32. */
static bool find_scaled(Scaled *s) {
  MlirValue cb = tt_fpu_mul_a(s->mul), out = tt_fpu_mul_out(s->mul);
  if (tt_is_null_value(out) || !tt_value_eq(cb, out) || tt_op_dst(s->mul) != 0 ||
      tt_value_eq(tt_fpu_mul_b(s->mul), cb) || !is_f32(cb))
    return false;
  s->close = next_use(s, s->mul, cb);
  if (mlirOperationIsNull(s->close) || !tt_acts_on(s->close, TT_ACT_CLOSE, cb)) return false;
  s->open = next_use(s, s->close, cb);
  if (mlirOperationIsNull(s->open) || !tt_acts_on(s->open, TT_ACT_OPEN, cb)) return false;
  s->copy = next_use(s, s->open, cb);
  return tt_is_plain_copy(s->copy) && tt_value_eq(tt_copy_to_dst_a(s->copy), cb);
}

/* A product that adds to the copy, of all of its tiles, and is packed where the block was. */
static bool find_product(Scaled *s) {
  int64_t adds;
  MlirOperation sum = tt_next_at_work(s->copy);
  MlirValue cb = tt_fpu_mul_a(s->mul);
  if (mlirOperationIsNull(sum) || !tt_mm_mma_isa(sum) || tt_op_dst(sum) != 0 ||
      tt_op_dst(s->copy) != 0 || !tt_is_null_value(tt_mm_mma_out(sum)) ||
      !tt_constant(tt_mm_mma_accumulate(sum), &adds) || !adds)
    return false;
  MlirOperation pack = tt_next_at_work(sum);
  if (mlirOperationIsNull(pack) || !tt_pack_to_cb_isa(pack) || tt_op_dst(pack) != 0 ||
      !tt_value_eq(tt_op_fills(pack), cb))
    return false;
  s->sum = sum;
  return true;
}

/* The copies of both, in either order, and their sum, which goes where the block was. */
static bool find_sum(Scaled *s) {
  MlirValue cb = tt_fpu_mul_a(s->mul);
  MlirOperation after = tt_next_at_work(s->copy), before = {NULL};
  for (MlirOperation op = s->open; !tt_op_eq(op, s->copy); op = tt_next_at_work(op)) before = op;
  bool first = tt_is_plain_copy(after);
  s->other = first ? after : before;
  if (!tt_is_plain_copy(s->other) || tt_value_eq(tt_copy_to_dst_a(s->other), cb)) return false;
  s->combine = tt_next_at_work(first ? s->other : s->copy);
  if (mlirOperationIsNull(s->combine) || !tt_sfpu_combine_isa(s->combine) ||
      tt_sfpu_combine_op(s->combine) != TT_SFPU_ADD ||
      tt_is_null_value(tt_sfpu_combine_out(s->combine)) ||
      !tt_value_eq(tt_sfpu_combine_out(s->combine), cb))
    return false;
  MlirAttribute sources = tt_sfpu_combine_sources(s->combine);
  int64_t a = mlirDenseI64ArrayGetElement(sources, 0), b = mlirDenseI64ArrayGetElement(sources, 1),
          mine = tt_op_dst(s->copy), others = tt_op_dst(s->other);
  return mine != others && ((a == mine && b == others) || (a == others && b == mine));
}

/* Whether the section of `op`, which fills `cb`, is this op alone. */
static bool is_alone(Scaled *s, MlirOperation op) {
  TtSections all = tt_sections_of(s->arena, mlirOperationGetBlock(op));
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_eq(all.data[i].ops.data[0], op)) return all.data[i].ops.n == 1;
  return false;
}

/* What is added is a sum of rows or columns that nothing else takes, in the same block. */
static void find_rows(Scaled *s) {
  MlirValue cb = tt_copy_to_dst_a(s->other);
  if (!tt_is_between_two(cb) || !is_f32(cb)) return;
  for (MlirOperation op = tt_next(s->mul); !tt_op_eq(op, s->combine); op = tt_next(op))
    if (tt_fpu_reduce_isa(op) && !tt_is_null_value(tt_fpu_reduce_out(op)) &&
        tt_value_eq(tt_fpu_reduce_out(op), cb) && tt_op_dst(op) == 0 &&
        !tt_reduce_is_max(tt_fpu_reduce_op(op)) && is_alone(s, op))
      s->rows = op;
}

/* Why the block is packed before it is added to; NULL where it need not be. */
static const char *why_not(Scaled *s) {
  if (!find_product(s) && !find_sum(s)) return "it is taken by more than a sum";
  MlirValue cb = tt_fpu_mul_a(s->mul);
  MlirOperation next = next_use(s, mlirOperationIsNull(s->sum) ? s->combine : s->sum, cb);
  if (!mlirOperationIsNull(s->sum)) next = next_use(s, next, cb); /* behind its pack */
  if (mlirOperationIsNull(next) || !tt_acts_on(next, TT_ACT_CLOSE, cb))
    return "it is taken again after the sum";
  MlirOperation last = mlirOperationIsNull(s->sum) ? s->combine : s->sum;
  if (!tt_stays(s->arena, s->mul, tt_fpu_mul_b(s->mul), last)) return "its factor does not stay";
  if (mlirOperationIsNull(s->sum)) find_rows(s);
  if (!mlirOperationIsNull(s->rows))
    for (int i = 0; i < tt_op_info(s->rows)->num_reads; ++i)
      if (!tt_stays(s->arena, s->rows, tt_op_reads(s->rows, i), s->combine))
        s->rows = (MlirOperation){NULL};
  return NULL;
}

/* The scaled block stays in DST for the product that adds to it. */
static void start_product(const Scaled *s) {
  TtBuilder b = tt_builder_before(s->copy);
  MlirValue none = {NULL};
  tt_fpu_mul_create(&b, mlirOperationGetLocation(s->mul), tt_fpu_mul_a(s->mul),
                    tt_fpu_mul_b(s->mul), tt_fpu_mul_bcast(s->mul), 0, none);
}

/* The scaled block is added to what is in DST: a sum of rows, or a copy. */
static void add_to_other(const Scaled *s) {
  TtBuilder b = tt_builder_before(s->combine);
  MlirValue none = {NULL}, cb = tt_fpu_mul_a(s->mul);
  MlirAttribute no = mlirAttributeGetNull();
  if (!mlirOperationIsNull(s->rows)) {
    tt_fpu_reduce_create(&b, mlirOperationGetLocation(s->rows), tt_fpu_reduce_op(s->rows),
                         tt_fpu_reduce_a(s->rows), tt_fpu_reduce_ones(s->rows), 0, none);
    mlirOperationDestroy(s->rows);
  } else {
    tt_copy_to_dst_create(&b, mlirOperationGetLocation(s->other), tt_copy_to_dst_a(s->other), no,
                          no, 0, none);
  }
  tt_fpu_mul_add_create(&b, mlirOperationGetLocation(s->combine), cb, tt_fpu_mul_b(s->mul),
                        tt_fpu_mul_bcast(s->mul), 0, cb);
  mlirOperationDestroy(s->other);
  mlirOperationDestroy(s->combine);
}

static void add_in_dst(const Scaled *s) {
  if (mlirOperationIsNull(s->sum)) add_to_other(s);
  else start_product(s);
  mlirOperationDestroy(s->copy);
  mlirOperationDestroy(s->open);
  mlirOperationDestroy(s->close);
  mlirOperationDestroy(s->mul);
}

static bool add_products(TtArena *arena, MlirOperation func) {
  TtOps products = tt_collect(arena, func, "tt.fpu.mul");
  if (!tt_dst_is_32bit(func)) return true;
  for (intptr_t i = 0; i < products.n; ++i) {
    Scaled s = {.arena = arena, .mul = products.data[i]};
    if (!find_scaled(&s)) continue;
    const char *reason = why_not(&s);
    if (reason) {
      tt_remark(s.mul, TT_REMARK_MISSED, pass, "a scaled block is packed: %s", reason);
      continue;
    }
    tt_remark(s.mul, TT_REMARK_PASSED, pass, "DST adds a scaled block and what is added to it");
    add_in_dst(&s);
  }
  tt_erase_dead(func);
  return true;
}

bool tt_run_add_products(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, add_products);
}
