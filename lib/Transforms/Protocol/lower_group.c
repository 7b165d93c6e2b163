/*===- lower_group.c - elementwise ops and reductions to tiles ----------------------------===
 *
 * Ops that follow each other in DST, up to the one that packs, are a group. It runs a tile
 * of its result at a time:
 *
 *   tt.fpu.add %x, %y, dst = 0 -> %z                                        (n tiles)
 * = for t < n { cb_wait_front %x, 1; cb_wait_front %y, 1; add_tiles %x, %y, 0, 0, 0;
 *               cb_pop_front %x, 1; cb_pop_front %y, 1;
 *               cb_reserve_back %z, 1; tt.pack_to_cb dst = 0 tiles = 1 -> %z; cb_push_back %z, 1 }
 *
 *   tt.fpu.sub %x, %m bcast cols, dst = 0 -> %z                           (r x c tiles)
 * = cb_wait_front %m, r;
 *   for i < r, j < c { cb_wait_front %x, 1; sub_tiles_bcast_cols %x, %m, 0, i, 0; … }
 *   cb_pop_front %m, r
 *
 *   tt.fpu.reduce max_row, %x, %ones, dst = 0 -> %m                       (r x k tiles)
 * = cb_wait_front %x, r*k;
 *   for i < r { for l < k { reduce_tile max_row, %x, %ones, i*k + l, 0, 0 } … }
 *   reduce_uninit; cb_pop_front %x, r*k
 *
 *   tt.fpu.mul_sum sum_row, %x, %y, dst = 0 -> %p                         (r x k tiles)
 * = the same with mul_tiles %x, %y, i*k + l, i*k + l, 0, which add up in DST
 *
 * A group that goes on with products in DST runs for each of their tiles, and packs all of
 * them at the end:
 *
 *   tt.mm.mma …, dst = 0 (r x c); tt.copy_to_dst %r, dst = 4; tt.sfpu.combine add, [0, 4],
 *   dst = 0; tt.pack_to_cb dst = 0 -> %z
 * = …; for t < r*c { copy_tile %r, 0, 4; add_binary_tile 0 + t, 4, 0 + t }; pack r*c tiles
 *
 * or, where DST has no room for them all, for each tile of a sub-block, which it packs. And one
 * that a product is added to fills all of the product's tiles and packs none.
 *
 * So a circular buffer is waited for a tile at a time where tiles are taken in order, else
 * as a whole; one that is open (tt.cb_open) is neither waited for nor popped here. Sums are
 * products with ones: those keep the precision of DST, where reduce_tile does not.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/formula.h"
#include "Transforms/Protocol/group.h"

#include "Dialect/verify.h"

/*===- Operands -----------------------------------------------------------------------------===*/

/* A circular buffer that a group reads. */
typedef struct Input {
  MlirValue cb;
  bool open;     /* waited for and popped elsewhere */
  bool streamed; /* waited for and popped a tile at a time */
} Input;

typedef struct Inputs {
  Input *data;
  intptr_t n;
  bool in_order; /* all tiles are taken in the order of the result's */
} Inputs;

static Input *find_input(const Inputs *in, MlirValue cb) {
  for (intptr_t i = 0; i < in->n; ++i)
    if (tt_value_eq(in->data[i].cb, cb)) return &in->data[i];
  return NULL;
}

static Inputs collect_inputs(TtComputeLowering *l, const TtGroup *g) {
  Inputs in = {tt_arena_alloc(l->arena, 2 * (size_t)g->ops.n * sizeof *in.data), 0, true};
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    TtTraffic t = tt_traffic(g->ops.data[i]);
    in.in_order = in.in_order && !tt_has_steps(g->ops.data[i]);
    for (int j = 0; j < t.num_in; ++j) {
      TtAccess access = tt_access(g->ops.data[i], j);
      Input *known = find_input(&in, t.in[j]);
      if (!known) {
        known = &in.data[in.n++];
        *known = (Input){t.in[j], tt_is_open(l, t.in[j]), true};
      }
      known->streamed = known->streamed && !known->open && access == TT_ACCESS_FULL;
      in.in_order = in.in_order && (access == TT_ACCESS_FULL || access == TT_ACCESS_CONSTANT);
    }
  }
  return in;
}

/*===- Code -----------------------------------------------------------------------------===*/

/* Where a group is: tile (i, j), the t-th, of a result of r x c. */
typedef struct Place {
  MlirValue i, j, t;
  MlirValue own; /* the tile of DST that a product has there */
  int64_t r, c;
  const TtGroup *group;
} Place;

/* A tile of DST: of a product, the one of this place. */
static MlirValue dst_tile(TtBuilder *b, MlirLocation loc, const Place *p, int64_t dst) {
  MlirValue tile = tt_index(b, loc, tt_slot_of(p->group, dst));
  return mlirOperationIsNull(tt_product_at(p->group, dst)) ? tile : tt_add(b, loc, p->own, tile);
}

/* The scalar of a tile. */
static void scalar_op(TtBuilder *b, MlirOperation op, const Place *p) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirAttribute steps = tt_sfpu_scalar_steps(op);
  MlirValue value = tt_sfpu_scalar_value(op), along[2] = {p->i, p->j};
  for (int i = 0; tt_has_steps(op) && i < 2; ++i) {
    int64_t step = mlirDenseI64ArrayGetElement(steps, i);
    MlirValue by = tt_mul(b, loc, along[i], tt_index(b, loc, step < 0 ? -step : step));
    value = step < 0 ? tt_sub(b, loc, value, by) : tt_add(b, loc, value, by);
  }
  TtOpState s = tt_op_state("metalium.sfpu_scalar_tile", loc);
  tt_op_state_operand(&s, dst_tile(b, loc, p, tt_int(tt_sfpu_scalar_dst(op))));
  tt_op_state_operand(&s, value);
  tt_op_state_attr(&s, b->context, "op", tt_op_attr(op, "op"));
  tt_op_state_attr(&s, b->context, "limit", tt_sfpu_scalar_limit(op));
  tt_builder_insert(b, tt_op_state_finish(&s));
}

static void sfpu_op(TtBuilder *b, MlirOperation op, const Place *p) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue dst = dst_tile(b, loc, p, tt_op_dst(op));
  bool one = tt_sfpu_unary_isa(op);
  TtOpState s = tt_op_state(one ? "metalium.sfpu_tile" : "metalium.sfpu_tiles", loc);
  if (!one) {
    MlirAttribute sources = tt_sfpu_combine_sources(op);
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(sources); ++i)
      tt_op_state_operand(&s, dst_tile(b, loc, p, mlirDenseI64ArrayGetElement(sources, i)));
  } else if (!mlirAttributeIsNull(tt_sfpu_unary_scalar(op))) {
    tt_op_state_attr(&s, b->context, "scalar", tt_sfpu_unary_scalar(op));
  }
  tt_op_state_operand(&s, dst);
  tt_op_state_attr(&s, b->context, "op", tt_op_attr(op, "op"));
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* The tile of a block that `access` takes at a place; `l` counts what is reduced. */
static MlirValue tile_at(TtBuilder *b, MlirLocation loc, TtAccess access, MlirValue cb,
                         const Place *p, MlirValue l) {
  MlirType type = mlirValueGetType(cb);
  switch (access) {
  case TT_ACCESS_FULL: return p->t;
  case TT_ACCESS_ROWS: return p->j;
  case TT_ACCESS_COLS: return p->i;
  case TT_ACCESS_TURNED: return tt_add(b, loc, tt_mul(b, loc, p->j, tt_index(b, loc, p->r)), p->i);
  case TT_ACCESS_REDUCED_ROW:
    return tt_add(b, loc, tt_mul(b, loc, p->i, tt_index(b, loc, tt_cb_cols(type))), l);
  case TT_ACCESS_REDUCED_COL:
    return tt_add(b, loc, tt_mul(b, loc, l, tt_index(b, loc, p->c)), p->j);
  default: return tt_index(b, loc, 0);
  }
}

/* The tile of a part of a block, which starts at `row` and `col` of it, or of a place in it. */
static MlirValue tile_of_part(TtBuilder *b, MlirLocation loc, MlirType type, MlirValue i,
                              MlirValue j) {
  return tt_add(b, loc, tt_mul(b, loc, i, tt_index(b, loc, tt_cb_cols(type))), j);
}

static void part_tile(TtBuilder *b, MlirOperation op, const Place *p, MlirValue dst) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue a = tt_part_to_dst_a(op);
  MlirValue at =
      tile_of_part(b, loc, mlirValueGetType(a), tt_add(b, loc, tt_part_to_dst_row(op), p->i),
                   tt_add(b, loc, tt_part_to_dst_col(op), p->j));
  metalium_copy_tile_create(b, loc, a, at, dst);
}

/* Whether `at` <= `i` < `at` + `n`, of indices below `all`. */
static MlirValue is_within(TtBuilder *b, MlirLocation loc, MlirValue i, MlirValue at, int64_t n,
                           int64_t all) {
  if (n == all) return tt_bool(b, loc, true);
  MlirValue end = tt_add(b, loc, at, tt_index(b, loc, n));
  MlirValue before = tt_less(b, loc, i, end);
  int64_t start;
  if (tt_constant(at, &start) && start == 0) return before;
  return tt_and(b, loc, tt_less(b, loc, at, tt_add(b, loc, i, tt_index(b, loc, 1))), before);
}

/* if (i, j) is in the part { copy_tile of the part } else { copy_tile of the block } */
static void inset_tile(TtBuilder *b, MlirOperation op, const Place *p, MlirValue tile,
                       MlirValue dst) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue a = tt_inset_to_dst_a(op), part = tt_inset_to_dst_part(op),
            row = tt_inset_to_dst_row(op), col = tt_inset_to_dst_col(op);
  MlirType type = mlirValueGetType(part);
  MlirValue inside = tt_and(b, loc, is_within(b, loc, p->i, row, tt_cb_rows(type), p->r),
                            is_within(b, loc, p->j, col, tt_cb_cols(type), p->c));
  MlirOperation branch = tt_if_else(b, loc, inside);
  TtBuilder then = tt_builder_at_terminator(tt_body(branch)),
            other = tt_builder_at_terminator(
                mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, 1)));
  MlirValue at =
      tile_of_part(&then, loc, type, tt_sub(&then, loc, p->i, row), tt_sub(&then, loc, p->j, col));
  metalium_copy_tile_create(&then, loc, part, at, dst);
  metalium_copy_tile_create(&other, loc, a, tile, dst);
}

static void reduction(TtBuilder b, MlirOperation op, const Place *p, MlirValue dst) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = tt_fpu_reduce_a(op), ones = tt_fpu_reduce_ones(op), zero = tt_index(&b, loc, 0);
  TtAccess access = tt_access(op, 0);
  MlirType type = mlirValueGetType(x);
  bool row = access == TT_ACCESS_REDUCED_ROW;
  MlirValue l = tt_counted_loop(&b, loc, row ? tt_cb_cols(type) : tt_cb_rows(type), "l");
  MlirValue at = tile_at(&b, loc, access, x, p, l);
  MlirAttribute no = mlirAttributeGetNull();
  if (tt_is_max_block(op)) {
    TtOpState s = tt_op_state("metalium.reduce_tile", loc);
    MlirValue operands[] = {x, ones, at, zero, dst};
    for (int i = 0; i < 5; ++i) tt_op_state_operand(&s, operands[i]);
    tt_op_state_attr(&s, b.context, "op", tt_op_attr(op, "op"));
    tt_builder_insert(&b, tt_op_state_finish(&s));
  } else if (row) {
    metalium_matmul_tiles_create(&b, loc, x, ones, at, zero, dst, no);
  } else {
    metalium_matmul_tiles_create(&b, loc, ones, x, zero, at, dst, no);
  }
}

/* add_tiles, or add_tiles_bcast_rows and the like. */
static void binary(TtBuilder *b, TtArena *arena, MlirLocation loc, const char *name,
                   TtAccess access, const MlirValue operands[5]) {
  TtBcast bcast;
  const char *variant = tt_access_bcast(access, &bcast)
                            ? tt_arena_printf(arena, "%s_bcast_%s", name, tt_bcast_str((int)bcast))
                            : name;
  TtOpState s = tt_op_state(tt_tile_op(variant)->name, loc);
  for (int i = 0; i < 5; ++i) tt_op_state_operand(&s, operands[i]);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* for l { mul_tiles of the l-th tiles, which DST adds up } */
static void sum_of_products(TtBuilder b, TtArena *arena, MlirOperation op, const Place *p,
                            MlirValue dst) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = tt_fpu_mul_sum_a(op), y = tt_fpu_mul_sum_b(op);
  TtAccess access = tt_access(op, 0);
  MlirType type = mlirValueGetType(x);
  int64_t n = access == TT_ACCESS_REDUCED_ROW ? tt_cb_cols(type) : tt_cb_rows(type);
  MlirValue l = tt_counted_loop(&b, loc, n, "l"), at = tile_at(&b, loc, access, x, p, l);
  binary(&b, arena, loc, "mul", TT_ACCESS_FULL, (MlirValue[]){x, y, at, at, dst});
}

/* for l { add_tiles of tiles 2l and 2l + 1, onto DST }, behind a copy of the first where they are
 * odd */
static void sum_of_tiles(TtBuilder b, TtArena *arena, MlirOperation op, const Place *p,
                         MlirValue dst) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = tt_fpu_add_sum_a(op);
  TtAccess access = tt_access(op, 0);
  MlirType type = mlirValueGetType(x);
  int64_t n = access == TT_ACCESS_REDUCED_ROW ? tt_cb_cols(type) : tt_cb_rows(type);
  if (n % 2 == 1)
    metalium_copy_tile_create(&b, loc, x, tile_at(&b, loc, access, x, p, tt_index(&b, loc, 0)),
                              dst);
  if (n == 1) return;
  MlirValue l = tt_counted_loop(&b, loc, n / 2, "l"),
            first =
                tt_add(&b, loc, tt_mul(&b, loc, l, tt_index(&b, loc, 2)), tt_index(&b, loc, n % 2)),
            second = tt_add(&b, loc, first, tt_index(&b, loc, 1));
  binary(&b, arena, loc, "add_onto", TT_ACCESS_FULL,
         (MlirValue[]){x, x, tile_at(&b, loc, access, x, p, first),
                       tile_at(&b, loc, access, x, p, second), dst});
}

static void tile_op(TtBuilder *b, TtArena *arena, MlirOperation op, const Inputs *in,
                    const Place *place) {
  MlirLocation loc = mlirOperationGetLocation(op);
  const TtOpInfo *info = tt_op_info(op);
  if (tt_sfpu_scalar_isa(op)) scalar_op(b, op, place);
  else if (info->unit == TT_UNIT_SFPU) sfpu_op(b, op, place);
  if (info->unit == TT_UNIT_SFPU) return;
  MlirValue dst = dst_tile(b, loc, place, tt_op_dst(op)), zero = tt_index(b, loc, 0), at[2];
  TtTraffic t = tt_traffic(op);
  if (tt_fpu_reduce_isa(op)) {
    reduction(*b, op, place, dst);
    return;
  }
  if (tt_fpu_mul_sum_isa(op)) {
    sum_of_products(*b, arena, op, place, dst);
    return;
  }
  if (tt_fpu_add_sum_isa(op)) {
    sum_of_tiles(*b, arena, op, place, dst);
    return;
  }
  for (int i = 0; i < t.num_in; ++i)
    at[i] = find_input(in, t.in[i])->streamed
                ? zero
                : tile_at(b, loc, tt_access(op, i), t.in[i], place, zero);
  if (info->variant >= 0)
    binary(b, arena, loc, tt_binary_str(info->variant), tt_access(op, 1),
           (MlirValue[]){t.in[0], t.in[1], at[0], at[1], dst});
  else if (tt_part_to_dst_isa(op)) part_tile(b, op, place, dst);
  else if (tt_inset_to_dst_isa(op)) inset_tile(b, op, place, at[0], dst);
  else if (tt_bcast_to_dst_isa(op))
    binary(b, arena, loc, "add", tt_access(op, 0),
           (MlirValue[]){t.in[1], t.in[0], at[1], at[0], dst});
  else if (tt_fpu_reuse_isa(op))
    metalium_binary_dest_reuse_tiles_create(b, loc, tt_fpu_reuse_op(op), t.in[0], at[0], dst);
  else if (mlirAttributeIsNull(tt_copy_to_dst_transpose(op)))
    metalium_copy_tile_create(b, loc, t.in[0], at[0], dst);
  else metalium_transpose_wh_tile_create(b, loc, t.in[0], at[0], dst);
}

static void wait_for_blocks(TtBuilder *b, MlirLocation loc, const Inputs *in, bool wait) {
  for (intptr_t i = 0; i < in->n; ++i) {
    if (in->data[i].open || in->data[i].streamed) continue;
    int64_t n = tt_cb_tiles(mlirValueGetType(in->data[i].cb));
    if (wait) tt_wait_front(b, loc, in->data[i].cb, n);
    else tt_pop_front(b, loc, in->data[i].cb, n);
  }
}

/* The loops over the tiles of the result; `b` moves into them. */
static Place tile_loops(TtBuilder *b, MlirLocation loc, MlirType out, bool in_order) {
  Place p = {.r = tt_cb_rows(out), .c = tt_cb_cols(out)};
  if (in_order) {
    p.t = tt_counted_loop(b, loc, p.r * p.c, "t");
    p.i = p.j = (MlirValue){NULL};
  } else {
    p.i = tt_counted_loop(b, loc, p.r, "i"), p.j = tt_counted_loop(b, loc, p.c, "j");
    p.t = tt_add(b, loc, tt_mul(b, loc, p.i, tt_index(b, loc, p.c)), p.j);
  }
  p.own = p.t;
  return p;
}

/* The same over the tiles of a sub-block of a product, which is at `at`. */
static Place part_loops(TtBuilder *b, MlirLocation loc, const TtGroup *g, const MlirValue at[2]) {
  Place p = tile_loops(b, loc,
                       tt_cb_type_get(b->context, 2, (int64_t[]){g->part.rows, g->part.cols},
                                      tt_cb_type_element_type(g->shape)),
                       false);
  p.r = tt_cb_rows(g->shape), p.c = tt_cb_cols(g->shape);
  p.i = tt_add(b, loc, tt_mul(b, loc, at[0], tt_index(b, loc, g->part.rows)), p.i);
  p.j = tt_add(b, loc, tt_mul(b, loc, at[1], tt_index(b, loc, g->part.cols)), p.j);
  p.t = tt_add(b, loc, tt_mul(b, loc, p.i, tt_index(b, loc, p.c)), p.j);
  return p;
}

intptr_t tt_lower_group(TtComputeLowering *l, MlirOperation op) {
  TtGroup g;
  if (!tt_read_group(l, op, &g)) return 0;
  MlirLocation loc = mlirOperationGetLocation(op);
  Inputs in = collect_inputs(l, &g);
  MlirOperation last = mlirOperationIsNull(g.pack) ? g.ops.data[g.ops.n - 1] : g.pack;
  int64_t packed = tt_op_dst(last);
  TtBuilder outer = tt_builder_before(op), b = outer; /* before the block of an operand is closed */
  metalium_comment_create(&b, loc, tt_formula_of(l->arena, g.products, g.ops, g.out, packed));
  wait_for_blocks(&b, loc, &in, true);
  MlirValue part_at[2];
  if (g.in_parts) tt_begin_parts(l, g.products.data[0], g.part, &b, part_at);
  TtBuilder part = g.in_parts ? b : outer;
  Place place =
      g.in_parts ? part_loops(&b, loc, &g, part_at) : tile_loops(&b, loc, g.shape, in.in_order);
  place.group = &g;
  for (intptr_t i = 0; i < in.n; ++i)
    if (in.data[i].streamed) tt_wait_front(&b, loc, in.data[i].cb, 1);
  for (intptr_t i = 0; i < g.ops.n; ++i) tile_op(&b, l->arena, g.ops.data[i], &in, &place);
  for (intptr_t i = 0; i < in.n; ++i)
    if (in.data[i].streamed) tt_pop_front(&b, loc, in.data[i].cb, 1);
  int64_t tiles = g.in_parts         ? g.part.rows * g.part.cols
                  : g.products.n > 0 ? tt_cb_tiles(g.shape)
                                     : 1;
  if (mlirOperationIsNull(g.sum))
    tt_publish(g.products.n > 0 ? &part : &b, loc, g.out, packed, tiles);
  if (g.in_parts) tt_end_parts(l, g.products.data[0], &outer);
  for (intptr_t i = 0; i < g.ops.n; ++i)
    if (tt_is_max_block(g.ops.data[i])) metalium_reduce_uninit_create(&outer, loc);
  wait_for_blocks(&outer, loc, &in, false);
  for (intptr_t i = 0; i < g.ops.n; ++i) mlirOperationDestroy(g.ops.data[i]);
  if (!mlirOperationIsNull(g.pack)) mlirOperationDestroy(g.pack);
  return g.ops.n;
}
