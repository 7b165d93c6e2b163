/*===- finish_products.c - --tt-finish-products -------------------------------------------------===
 *
 * Has ops that take the result of a product tile by tile find it in DST, where it was packed.
 *
 *   before  tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = false -> %s          (2 x 8 tiles)
 *           tt.copy_to_dst %index repeat, dst = 0   tt.sfpu.scalar add_scalar, %x …, dst = 0
 *           tt.sfpu.unary gtz, dst = 0   tt.copy_to_dst %s, dst = 1
 *           tt.sfpu.unary fill, dst = 2 scalar = -1e30
 *           tt.sfpu.combine where, [0, 1, 2], dst = 0 -> %masked
 *   after   tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = false
 *           tt.copy_to_dst %index repeat, dst = 16   tt.sfpu.scalar add_scalar, %x …, dst = 16
 *           tt.sfpu.unary gtz, dst = 16
 *           tt.sfpu.unary fill, dst = 17 scalar = -1e30
 *           tt.sfpu.combine where, [16, 0, 17], dst = 0 -> %masked
 *
 * D3 lowers the product in sub-blocks, as many tiles as DST has beside those that the ops need. Its
 * result is not packed, unpacked and waited for. Legal where the ops follow the product, take its
 * result once, each tile in its place, leave theirs where it was, or can, and the format in which
 * it was packed has all bits of DST. So results keep their bits, but where the result went through
 * the source registers, which have 11 of f32.
 *
 * Requires D1, and --tt-pack-last-step, which gives a product its target; before D3.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/product_cost.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "Passes/passes_decl.h"
#include "Target/costs.h"
#include "Transforms/Optimize/section.h"

static const char *const pass = "tt-finish-products";

enum { MOST_TILES = 16 }; /* of DST that ops of level 2 name */

typedef struct Finish {
  TtArena *arena;
  MlirOperation program, product, copy;
  TtSection section; /* that takes the product's result */
  int64_t tiles;     /* of the result */
  int64_t place[MOST_TILES];
  int64_t scratch; /* tiles of DST besides */
} Finish;

/* The ops behind the product that are one section. */
static bool find_section(Finish *f) {
  MlirOperation first = tt_next_at_work(f->product);
  if (mlirOperationIsNull(first)) return false;
  TtSections all = tt_sections_of(f->arena, mlirOperationGetBlock(f->product));
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_eq(all.data[i].ops.data[0], first)) return f->section = all.data[i], true;
  return false;
}

static bool is_copy_of(MlirOperation op, MlirValue cb) {
  return tt_copy_to_dst_isa(op) && tt_value_eq(tt_copy_to_dst_a(op), cb);
}

/* What takes the result, once: a copy of its tiles as they are. */
static const char *find_copy(Finish *f) {
  MlirValue cb = tt_mm_mma_out(f->product);
  MlirOperation decl = tt_cb_decl(f->program, cb);
  TtOps handles = tt_collect(f->arena, f->program, "tt.get_cb");
  intptr_t uses = 0;
  for (intptr_t i = 0; i < handles.n; ++i) {
    MlirValue handle = tt_get_cb_cb(handles.data[i]);
    if (!tt_op_eq(tt_cb_decl(f->program, handle), decl)) continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(handle); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      ++uses;
  }
  for (intptr_t i = 0; i < f->section.ops.n; ++i)
    if (is_copy_of(f->section.ops.data[i], cb)) f->copy = f->section.ops.data[i];
  if (mlirOperationIsNull(f->copy) || uses != 2) return "not they alone take its result, and once";
  if (!mlirAttributeIsNull(tt_copy_to_dst_transpose(f->copy)) ||
      !mlirAttributeIsNull(tt_copy_to_dst_repeat(f->copy)) ||
      !tt_is_null_value(tt_copy_to_dst_out(f->copy)))
    return "they take its tiles otherwise than they are";
  bool f32 = mlirTypeIsAF32(tt_cb_type_element_type(mlirValueGetType(cb))),
       bf16 = mlirTypeIsABF16(tt_cb_type_element_type(mlirValueGetType(cb))),
       wide = tt_dst_is_32bit(f->program);
  return wide   ? f32 ? NULL : "its result is rounded first"
         : bf16 ? NULL
                : "its result is rounded first";
}

/* Ops that work in DST beside a product: tile by tile, and they add to nothing. */
static bool goes_on(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  if (info->dst_use == TT_DST_USE_ADDS || tt_fpu_reduce_isa(op)) return false;
  for (int i = 0; i < info->num_reads; ++i) {
    TtAccess access = tt_access(op, i);
    if (access == TT_ACCESS_REDUCED_ROW || access == TT_ACCESS_REDUCED_COL ||
        access == TT_ACCESS_PART || access == TT_ACCESS_INSET)
      return false;
  }
  return true;
}

/* Gives the result tile 0, and what else the ops use tiles behind it. The last op leaves its own
 * where the result was: it is there already, or a combination of tiles. */
static const char *place_tiles(Finish *f) {
  const TtSection *s = &f->section;
  MlirOperation last = s->ops.data[s->ops.n - 1];
  int64_t result = tt_op_dst(f->copy);
  if (tt_packed_tile(s) != tt_op_dst(last)) return "another tile of DST is packed than their last";
  if (tt_op_dst(last) != result && !tt_sfpu_combine_isa(last))
    return "they leave theirs in another tile of DST";
  for (intptr_t i = 0; i < MOST_TILES; ++i) f->place[i] = -1;
  if (result < 0 || result >= MOST_TILES) return "they name too many tiles of DST";
  f->place[result] = 0;
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    int64_t dst = tt_op_dst(s->ops.data[i]);
    if (!goes_on(s->ops.data[i])) return "they work in DST beside no product";
    if (dst < 0 || dst >= MOST_TILES) return "they name too many tiles of DST";
    if (i + 1 < s->ops.n && f->place[dst] < 0) f->place[dst] = f->tiles + f->scratch++;
  }
  return f->scratch < tt_dst_capacity(f->program) ? NULL : "DST has no room for them";
}

/* Whether the tile of the result has something else in it before the copy, or after it. */
static bool is_replaced(const Finish *f) {
  int64_t result = tt_op_dst(f->copy);
  for (intptr_t i = 0; i + 1 < f->section.ops.n; ++i) {
    MlirOperation op = f->section.ops.data[i];
    if (!tt_op_eq(op, f->copy) && tt_op_dst(op) == result && !tt_changes_dst(op)) return true;
  }
  return false;
}

/* The sub-block in which D3 will make the product (choose_part() in group.c). */
static TtSubBlock part_of(const Finish *f, TtProductShape shape) {
  for (intptr_t i = 0; i < f->section.ops.n; ++i)
    if (tt_sfpu_scalar_isa(f->section.ops.data[i]) &&
        !mlirAttributeIsNull(tt_sfpu_scalar_steps(f->section.ops.data[i])))
      return (TtSubBlock){1, 1};
  return tt_sub_block(shape.r, shape.c, tt_dst_capacity(f->program) - f->scratch);
}

/* Whether smaller sub-blocks, which unpack more for each product, take longer than packing a tile
 * of the result. */
static bool is_slower(const Finish *f, TtProductShape shape) {
  int64_t a = tt_int(
              tt_circular_buffer_page_bytes(tt_cb_decl(f->program, tt_mm_mma_a(f->product)))),
          b = tt_int(
              tt_circular_buffer_page_bytes(tt_cb_decl(f->program, tt_mm_mma_b(f->product))));
  TtSubBlock whole = tt_sub_block(shape.r, shape.c, tt_dst_capacity(f->program));
  if (!mlirAttributeIsNull(tt_mm_mma_transpose_b(f->product)) && shape.k > 1)
    return false; /* tile by tile either way (--tt-block-products) */
  double more =
      tt_product_clk(f->program, part_of(f, shape), a, b) - tt_product_clk(f->program, whole, a, b);
  const TtCosts *costs = tt_costs(tt_target_of(f->program).chip);
  return more * (double)shape.k > tt_pack_clk(costs, tt_dst_is_32bit(f->program) ? 4 : 2, false);
}

static const char *why_not(Finish *f) {
  int64_t adds;
  TtProductShape shape = tt_product_shape(f->product);
  f->tiles = shape.r * shape.c;
  if (!tt_constant(tt_mm_mma_accumulate(f->product), &adds) || adds || tt_op_dst(f->product) != 0)
    return "it is a step of a sum";
  const char *reason = find_copy(f);
  if (!reason && tt_cb_tiles(mlirValueGetType(f->section.out)) != f->tiles)
    reason = "theirs has another size";
  if (!reason) reason = place_tiles(f);
  if (!reason && is_replaced(f)) reason = "they use its tile for something else";
  return reason ? reason : is_slower(f, shape) ? "its sub-blocks would be too small" : NULL;
}

static void set_tile(MlirOperation op, int64_t tile) {
  mlirOperationSetInherentAttributeByName(op, tt_str("dst"),
                                          tt_i64_attr(mlirOperationGetContext(op), tile));
}

static void set_sources(const Finish *f, MlirOperation op) {
  if (!tt_op_info(op)->dst_sources) return;
  MlirAttribute sources = tt_dst_sources(op);
  intptr_t n = mlirDenseArrayGetNumElements(sources);
  int64_t *to = tt_arena_alloc(f->arena, (size_t)n * sizeof *to);
  for (intptr_t i = 0; i < n; ++i) to[i] = f->place[mlirDenseI64ArrayGetElement(sources, i)];
  mlirOperationSetInherentAttributeByName(op, tt_str(tt_op_info(op)->dst_sources),
                                          mlirDenseI64ArrayGet(mlirOperationGetContext(op), n, to));
}

/* The circular buffer of the result goes. */
static void drop_buffer(const Finish *f, MlirOperation decl) {
  TtOps handles = tt_collect(f->arena, f->program, "tt.get_cb");
  for (intptr_t i = 0; i < handles.n; ++i)
    if (tt_op_eq(tt_cb_decl(f->program, tt_get_cb_cb(handles.data[i])), decl))
      mlirOperationDestroy(handles.data[i]);
  mlirOperationDestroy(decl);
}

/* The circular buffer of partial sums goes, where no other product has it. */
static void drop_parts(const Finish *f, MlirAttribute parts) {
  TtOps products = tt_collect(f->arena, f->program, "tt.mm.mma");
  if (mlirAttributeIsNull(parts)) return;
  for (intptr_t i = 0; i < products.n; ++i)
    if (mlirAttributeEqual(tt_mm_mma_spill(products.data[i]), parts)) return;
  MlirOperation decl = tt_program_cb(f->program, tt_string(parts));
  if (!mlirOperationIsNull(decl)) mlirOperationDestroy(decl);
}

static void finish(Finish *f) {
  const TtSection *s = &f->section;
  MlirOperation decl = tt_cb_decl(f->program, tt_mm_mma_out(f->product));
  TtBuilder b = tt_builder_before(f->product);
  MlirValue none = {NULL};
  tt_mm_mma_create(&b, mlirOperationGetLocation(f->product), tt_mm_mma_a(f->product),
                   tt_mm_mma_b(f->product), 0, tt_mm_mma_accumulate(f->product), none,
                   mlirAttributeGetNull(), tt_mm_mma_transpose_b(f->product));
  for (intptr_t i = 0; i < s->ops.n; ++i) {
    MlirOperation op = s->ops.data[i];
    set_sources(f, op);
    set_tile(op, i + 1 < s->ops.n ? f->place[tt_op_dst(op)] : 0);
  }
  if (!mlirOperationIsNull(s->pack)) set_tile(s->pack, 0);
  MlirAttribute parts = tt_mm_mma_spill(f->product);
  mlirOperationDestroy(f->copy);
  mlirOperationDestroy(f->product);
  drop_buffer(f, decl);
  drop_parts(f, parts);
}

static void finish_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps products = tt_collect(arena, kernel, "tt.mm.mma");
  for (intptr_t i = 0; i < products.n; ++i) {
    Finish f = {.arena = arena, .program = program, .product = products.data[i]};
    if (tt_is_null_value(tt_mm_mma_out(f.product)) || !find_section(&f) || f.section.ops.n < 2)
      continue;
    const char *reason = why_not(&f);
    if (reason) {
      tt_remark(f.product, TT_REMARK_MISSED, pass, "the product is packed before ops take it: %s",
                reason);
      continue;
    }
    tt_remark(f.product, TT_REMARK_PASSED, pass, "ops go on with the product in DST");
    finish(&f);
  }
  tt_erase_dead(kernel);
}

static bool finish_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) finish_in_kernel(arena, program, kernels.data[i]);
  return true;
}

bool tt_run_finish_products(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, finish_in_program);
}
