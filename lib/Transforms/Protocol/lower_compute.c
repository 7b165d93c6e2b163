/*===- lower_compute.c - products to tiles, with waits and pops ---------------------------===
 *
 * Elementwise ops and reductions: see lower_group.c.
 *
 * A product that fits DST stays there over the loops that sum it:
 *
 *   tt.mm.mma %a, %b, dst = 0, accumulate = %more
 * = cb_wait_front %a, r*k; cb_wait_front %b, k*c;
 *   for i < r, j < c, l < k { matmul_tiles %a, %b, i*k + l, l*c + j, i*c + j };
 *   cb_pop_front %a, r*k; cb_pop_front %b, k*c
 *
 * A larger one works in sub-blocks of h x w tiles. Partial sums wait in `spill`
 * between steps, first in first out, and are copied out at the tt.pack_to_cb:
 *
 *   tt.mm.mma … spill @p
 * = wait a, b; for each sub-block {
 *     if %more { cb_wait_front %p, h*w; copy_tile %p, t, t for t < h*w; cb_pop_front %p, h*w }
 *     matmul_tiles …;
 *     cb_reserve_back %p, h*w; tt.pack_to_cb dst = 0 tiles = h*w -> %p; cb_push_back %p, h*w
 *   } pop a, b
 *
 * One that ops go on with, tile by tile, packs what they make of a sub-block, and has no %p.
 * One with a target of its own, the last of a sum, packs the sub-blocks there; the only one of a
 * sum needs no %p.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/lower_compute.h"

#include "Transforms/Protocol/formula.h"
#include "Transforms/Protocol/group.h"

#include "Dialect/verify.h"

typedef TtComputeLowering Lowering;

bool tt_is_open(const TtComputeLowering *l, MlirValue cb) {
  return tt_value_map_get(&l->open, cb) >= 0;
}

void tt_wait_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n) {
  metalium_cb_wait_front_create(b, loc, cb, tt_index(b, loc, n));
}

void tt_pop_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n) {
  metalium_cb_pop_front_create(b, loc, cb, tt_index(b, loc, n));
}

void tt_publish(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t dst, int64_t n) {
  metalium_cb_reserve_back_create(b, loc, cb, tt_index(b, loc, n));
  tt_pack_to_cb_create(b, loc, dst, tt_i64_attr(b->context, n), cb, (MlirValue){NULL});
  metalium_cb_push_back_create(b, loc, cb, tt_index(b, loc, n));
}

static void tile_loop_copy(TtBuilder b, MlirLocation loc, MlirValue cb, int64_t n, int64_t dst) {
  MlirValue t = tt_counted_loop(&b, loc, n, "t");
  metalium_copy_tile_create(&b, loc, cb, t, tt_add(&b, loc, t, tt_index(&b, loc, dst)));
}

/*===- Products -------------------------------------------------------------------------===*/

typedef struct Product {
  MlirOperation op;
  MlirValue a, b;
  MlirAttribute transpose_b; /* b is c x k */
  bool by_columns;           /* b stands in its circular buffer column by column */
  int64_t r, k, c, dst;
} Product;

static Product read_product(const Lowering *l, MlirOperation op) {
  TtProductShape s = tt_product_shape(op);
  MlirOperation decl = tt_cb_decl(l->program, tt_mm_mma_b(op));
  return (Product){.op = op,
                   .a = tt_mm_mma_a(op),
                   .b = tt_mm_mma_b(op),
                   .transpose_b = tt_mm_mma_transpose_b(op),
                   .by_columns = !mlirAttributeIsNull(tt_circular_buffer_by_columns(decl)),
                   .r = s.r,
                   .k = s.k,
                   .c = s.c,
                   .dst = tt_int(tt_mm_mma_dst(op))};
}

/* The tile of b that product (l, j) takes: b has k rows of c tiles, or c rows of k, which stand in
 * the circular buffer row by row, or column by column. */
static MlirValue tile_of_b(TtBuilder *b, const Product *p, MlirValue l, MlirValue j) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  if (mlirAttributeIsNull(p->transpose_b) != p->by_columns)
    return tt_add(b, loc, tt_mul(b, loc, l, tt_index(b, loc, p->c)), j);
  return tt_add(b, loc, tt_mul(b, loc, j, tt_index(b, loc, p->k)), l);
}

/* Sub-block (row, col) of h x w tiles: DST[dst + i*w + j] += A . B. */
static void multiply(TtBuilder b, const Product *p, TtSubBlock s, MlirValue row, MlirValue col) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  MlirValue i = tt_counted_loop(&b, loc, s.rows, "i"), j = tt_counted_loop(&b, loc, s.cols, "j"),
            l = tt_counted_loop(&b, loc, p->k, "l");
  MlirValue ai = tt_add(&b, loc, tt_mul(&b, loc, row, tt_index(&b, loc, s.rows)), i),
            bj = tt_add(&b, loc, tt_mul(&b, loc, col, tt_index(&b, loc, s.cols)), j);
  MlirValue ia = tt_add(&b, loc, tt_mul(&b, loc, ai, tt_index(&b, loc, p->k)), l),
            ib = tile_of_b(&b, p, l, bj),
            d = tt_add(&b, loc, tt_mul(&b, loc, i, tt_index(&b, loc, s.cols)), j);
  d = tt_add(&b, loc, d, tt_index(&b, loc, p->dst));
  metalium_matmul_tiles_create(&b, loc, p->a, p->b, ia, ib, d, p->transpose_b);
}

static MlirValue spill_handle(Lowering *l, MlirAttribute name) {
  MlirOperation op = tt_program_cb(l->program, tt_string(name));
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  TtOps made = tt_collect(l->arena, l->func, "tt.get_cb");
  for (intptr_t i = 0; i < made.n; ++i)
    if (tt_op_eq(tt_cb_decl(l->program, tt_get_cb_cb(made.data[i])), op))
      return tt_get_cb_cb(made.data[i]);
  TtBuilder b = tt_builder_at_start(tt_body(l->func));
  return tt_get_cb_cb(tt_get_cb_create(&b, mlirOperationGetLocation(op),
                                       mlirTypeAttrGetValue(tt_circular_buffer_type(op)), name));
}

static void comment(Lowering *l, TtBuilder b, MlirOperation mma) {
  const char *text = tt_arena_printf(l->arena, "DST += %s", tt_product_formula(l->arena, mma));
  metalium_comment_create(&b, mlirOperationGetLocation(mma), text);
}

/* Waits for and frees an operand, unless it is open. */
static void wait_operands(Lowering *l, TtBuilder *b, const Product *p, bool wait) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  MlirValue cbs[2] = {p->a, p->b};
  int64_t n[2] = {p->r * p->k, p->k * p->c};
  int operands = tt_value_eq(p->a, p->b) ? 1 : 2;
  for (int i = 0; i < operands; ++i)
    if (tt_is_open(l, cbs[i])) continue;
    else if (wait) tt_wait_front(b, loc, cbs[i], n[i]);
    else tt_pop_front(b, loc, cbs[i], n[i]);
}

static void reload(TtBuilder *b, const Product *p, MlirValue spill, int64_t n) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  MlirValue more = tt_mm_mma_accumulate(p->op);
  int64_t constant;
  bool known = tt_constant(more, &constant);
  if (known && !constant) return;
  TtBuilder in = *b;
  if (!known) in = tt_builder_at_terminator(tt_body(tt_if(b, loc, more)));
  tt_wait_front(&in, loc, spill, n);
  tile_loop_copy(in, loc, spill, n, p->dst);
  tt_pop_front(&in, loc, spill, n);
}

/* In place of the pack, which several products may share. */
static void copy_out(Lowering *l, const Product *p, MlirValue spill, TtSubBlock s) {
  MlirOperation pack = tt_pack_after(&l->sums, p->op);
  if (tt_op_map_get(&l->copied_out, pack) >= 0) return;
  tt_op_map_set(l->arena, &l->copied_out, pack, 1);
  MlirLocation loc = mlirOperationGetLocation(pack);
  TtBuilder b = tt_builder_before(pack);
  int64_t n = s.rows * s.cols;
  tt_counted_loop(&b, loc, p->r * p->c / n, "block");
  tt_wait_front(&b, loc, spill, n);
  tile_loop_copy(b, loc, spill, n, 0);
  tt_pop_front(&b, loc, spill, n);
  tt_publish(&b, loc, tt_pack_to_cb_out(pack), 0, n);
  mlirOperationDestroy(pack);
}

/* Whether it adds to nothing and is packed at once: no part of it waits for more. */
static bool is_complete(MlirOperation op) {
  int64_t more;
  return !tt_is_null_value(tt_mm_mma_out(op)) && tt_constant(tt_mm_mma_accumulate(op), &more) &&
         !more;
}

static bool lower_in_parts(Lowering *l, Product *p) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  TtBuilder b = tt_builder_before(p->op);
  MlirAttribute name = tt_mm_mma_spill(p->op);
  MlirValue spill = {NULL};
  if (!mlirAttributeIsNull(name)) spill = spill_handle(l, name);
  TtSubBlock s = tt_sub_block(p->r, p->c, l->capacity);
  p->dst = 0; /* a section has DST for itself */
  MlirValue out = tt_mm_mma_out(p->op);
  if (tt_is_null_value(spill) && !mlirAttributeIsNull(name))
    return tt_error(p->op, "the program has no circular buffer of the name in 'spill'");
  comment(l, b, p->op);
  wait_operands(l, &b, p, true);
  TtBuilder in = b;
  MlirValue row = tt_counted_loop(&in, loc, p->r / s.rows, "block_row"),
            col = tt_counted_loop(&in, loc, p->c / s.cols, "block_col");
  reload(&in, p, spill, s.rows * s.cols);
  multiply(in, p, s, row, col);
  tt_publish(&in, loc, tt_is_null_value(out) ? spill : out, p->dst, s.rows * s.cols);
  wait_operands(l, &b, p, false);
  if (tt_is_null_value(out) && tt_op_map_get(&l->completed, p->op) < 0) copy_out(l, p, spill, s);
  mlirOperationDestroy(p->op);
  return true;
}

void tt_begin_parts(TtComputeLowering *l, MlirOperation mma, TtSubBlock part, TtBuilder *in,
                    MlirValue at[2]) {
  Product p = read_product(l, mma);
  MlirLocation loc = mlirOperationGetLocation(mma);
  wait_operands(l, in, &p, true);
  at[0] = tt_counted_loop(in, loc, p.r / part.rows, "block_row");
  at[1] = tt_counted_loop(in, loc, p.c / part.cols, "block_col");
  multiply(*in, &p, part, at[0], at[1]);
}

void tt_end_parts(TtComputeLowering *l, MlirOperation mma, TtBuilder *b) {
  Product p = read_product(l, mma);
  wait_operands(l, b, &p, false);
  tt_op_map_set(l->arena, &l->finished, mma, 1);
}

static bool lower_product(Lowering *l, MlirOperation op) {
  Product p = read_product(l, op);
  MlirLocation loc = mlirOperationGetLocation(op);
  bool fits = p.dst + p.r * p.c <= l->capacity;
  if (tt_op_map_get(&l->finished, op) >= 0) return mlirOperationDestroy(op), true;
  if (!mlirAttributeIsNull(tt_mm_mma_spill(op)) || (!fits && is_complete(op)))
    return lower_in_parts(l, &p);
  if (!fits)
    return tt_error(op,
                    "[rule 9] the result has %jd tiles, but DST holds %jd: run "
                    "--tt-split-device-kernel, which makes room for partial sums",
                    (intmax_t)(p.dst + p.r * p.c), (intmax_t)l->capacity);
  TtBuilder b = tt_builder_before(op);
  MlirValue zero = tt_index(&b, loc, 0), out = tt_mm_mma_out(op);
  comment(l, b, op);
  wait_operands(l, &b, &p, true);
  multiply(b, &p, (TtSubBlock){p.r, p.c}, zero, zero);
  wait_operands(l, &b, &p, false);
  if (!tt_is_null_value(out)) tt_publish(&b, loc, out, p.dst, p.r * p.c);
  mlirOperationDestroy(op);
  return true;
}

/* A tt.pack_to_cb of level 2 gets its reservation and publication. */
static void lower_pack(MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue out = tt_pack_to_cb_out(op);
  TtBuilder b = tt_builder_before(op);
  tt_publish(&b, loc, out, tt_int(tt_pack_to_cb_dst(op)), tt_cb_tiles(mlirValueGetType(out)));
  mlirOperationDestroy(op);
}

static void lower_hold(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirValue cb = mlirOperationGetOperand(op, 0);
  int64_t n = tt_cb_tiles(mlirValueGetType(cb));
  if (tt_op_info(op)->does == TT_ACT_OPEN) tt_wait_front(&b, mlirOperationGetLocation(op), cb, n);
  else tt_pop_front(&b, mlirOperationGetLocation(op), cb, n);
}

/*===- The whole kernel ---------------------------------------------------------------------===*/

bool tt_is_group_op(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  return info->does == TT_ACT_COMPUTE && info->node != TT_DFG_NODE_KIND_MATMUL;
}

/* The ops to lower, by kind, in program order. */
typedef struct Work {
  TtOps groups, products, packs, holds;
} Work;

static Work collect_work(TtComputeLowering *l) {
  TtOps ops = tt_collect(l->arena, l->func, NULL);
  Work work = {.groups = {NULL, 0, 0}};
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    TtAct does = tt_op_info(op)->does;
    if (does == TT_ACT_OPEN)
      tt_value_map_set(l->arena, &l->open, mlirOperationGetOperand(op, 0), 1);
    if (does == TT_ACT_OPEN || does == TT_ACT_CLOSE) tt_ops_add(l->arena, &work.holds, op);
    else if (tt_is_group_op(op)) tt_ops_add(l->arena, &work.groups, op);
    else if (does == TT_ACT_COMPUTE) tt_ops_add(l->arena, &work.products, op);
  }
  return work;
}

/* tt_publish() says how many tiles; level 2 does not. */
static void lower_packs(TtComputeLowering *l) {
  TtOps all = tt_collect(l->arena, l->func, "tt.pack_to_cb");
  for (intptr_t i = 0; i < all.n; ++i)
    if (mlirAttributeIsNull(tt_pack_to_cb_tiles(all.data[i]))) lower_pack(all.data[i]);
}

/* Those for which another product has the same circular buffer of partial sums, and a target. */
static void find_completed(TtComputeLowering *l) {
  TtOps products = tt_collect(l->arena, l->func, "tt.mm.mma");
  for (intptr_t i = 0; i < products.n; ++i) {
    MlirAttribute spill = tt_mm_mma_spill(products.data[i]);
    if (mlirAttributeIsNull(spill) || !tt_is_null_value(tt_mm_mma_out(products.data[i]))) continue;
    for (intptr_t j = 0; j < products.n; ++j)
      if (mlirAttributeEqual(tt_mm_mma_spill(products.data[j]), spill) &&
          !tt_is_null_value(tt_mm_mma_out(products.data[j])))
        tt_op_map_set(l->arena, &l->completed, products.data[i], 1);
  }
}

bool tt_lower_compute(TtArena *arena, MlirOperation program, MlirOperation func) {
  Lowering l = {.arena = arena, .program = program, .func = func};
  l.capacity = tt_dst_capacity(program);
  l.sums = tt_analyze_sums(arena, func);
  find_completed(&l);
  tt_find_resident_products(&l);
  Work work = collect_work(&l);
  /* Groups first: those that go on with a product read its shape. */
  for (intptr_t i = 0, n; i < work.groups.n; i += n)
    if ((n = tt_lower_group(&l, work.groups.data[i])) == 0) return false;
  for (intptr_t i = 0; i < work.products.n; ++i)
    if (!lower_product(&l, work.products.data[i])) return false;
  lower_packs(&l);
  for (intptr_t i = 0; i < work.holds.n; ++i) lower_hold(work.holds.data[i]);
  for (intptr_t i = 0; i < work.holds.n; ++i) mlirOperationDestroy(work.holds.data[i]);
  tt_erase_dead(func);
  return true;
}
