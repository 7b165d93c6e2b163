/*===- lower_compute.c - blocks to tiles, with waits and pops -----------------------------===
 *
 * Elementwise, a tile at a time:
 *
 *   tt.fpu.add %x, %y, dst = 0 -> %z         (n tiles; ops up to the one that packs join)
 * = for t < n { cb_wait_front %x, 1; cb_wait_front %y, 1; add_tiles %x, %y, 0, 0, 0;
 *               cb_pop_front %x, 1; cb_pop_front %y, 1;
 *               cb_reserve_back %z, 1; tt.pack_to_cb dst = 0 tiles = 1 -> %z; cb_push_back %z, 1 }
 *
 * A circular buffer that is open (tt.cb_open) is indexed by t instead, without
 * wait and pop.
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
 *===----------------------------------------------------------------------===*/

#include "lower_compute.h"

#include "tilewright/verify.h"

enum { MAX_DST_TILES = 16 }; /* of any mode */

typedef struct Lowering {
  TtArena *arena;
  MlirOperation program, func;
  int64_t capacity;
} Lowering;

static bool is_open(Lowering *l, MlirValue cb) {
  TtOps ops = tt_collect(l->arena, l->func, "tt.cb_open");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_value_eq(tt_cb_open_cb(ops.data[i]), cb)) return true;
  return false;
}

static void wait_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n) {
  metalium_cb_wait_front_create(b, loc, cb, tt_index(b, loc, n));
}

static void pop_front(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t n) {
  metalium_cb_pop_front_create(b, loc, cb, tt_index(b, loc, n));
}

/* Reserve, pack and publish `n` tiles from DST tile `dst` on. */
static void publish(TtBuilder *b, MlirLocation loc, MlirValue cb, int64_t dst, int64_t n) {
  metalium_cb_reserve_back_create(b, loc, cb, tt_index(b, loc, n));
  tt_pack_to_cb_create(b, loc, dst, tt_i64_attr(b->context, n), cb);
  metalium_cb_push_back_create(b, loc, cb, tt_index(b, loc, n));
}

static void tile_loop_copy(TtBuilder b, MlirLocation loc, MlirValue cb, int64_t n, int64_t dst) {
  MlirValue t = tt_counted_loop(&b, loc, n, "t");
  metalium_copy_tile_create(&b, loc, cb, t, tt_add(&b, loc, t, tt_index(&b, loc, dst)));
}

/*===- Elementwise --------------------------------------------------------------------===*/

/* An op that computes in DST and the SFPU ops on its result, to where it is packed. */
typedef struct Group {
  TtOps ops;
  MlirOperation pack; /* an own tt.pack_to_cb, or null */
  MlirValue out;
} Group;

static bool is_sfpu(MlirOperation op) { return tt_sfpu_unary_isa(op) || tt_sfpu_combine_isa(op); }

/* A function that needs nothing in DST. */
static bool is_fill(MlirOperation op) {
  return tt_sfpu_unary_isa(op) && tt_str_eq(tt_string(tt_sfpu_unary_op(op)), "fill");
}

static bool lost(MlirOperation op) {
  return tt_error(op, "the result of this op stays in DST, but neither an SFPU op nor a "
                      "tt.pack_to_cb follows; name its circular buffer with '-> %%cb'");
}

static bool joins_group(MlirOperation op) {
  return is_sfpu(op) || tt_copy_to_dst_isa(op) || tt_fpu_add_isa(op) || tt_fpu_sub_isa(op) ||
         tt_fpu_mul_isa(op);
}

static bool collect_group(TtArena *arena, MlirOperation op, Group *g) {
  *g = (Group){.pack = {NULL}};
  tt_ops_add(arena, &g->ops, op);
  g->out = tt_traffic(op).out;
  for (MlirOperation next = tt_next(op); tt_is_null_value(g->out); next = tt_next(next)) {
    while (!mlirOperationIsNull(next) &&
           (!tt_is_block_compute(next) || tt_cb_open_isa(next) || tt_cb_close_isa(next)) &&
           mlirOperationGetNumRegions(next) == 0)
      next = tt_next(next);
    if (tt_pack_to_cb_isa(next)) {
      g->pack = next;
      g->out = tt_pack_to_cb_out(next);
    } else if (!mlirOperationIsNull(next) && joins_group(next)) {
      tt_ops_add(arena, &g->ops, next);
      g->out = tt_traffic(next).out;
    } else {
      return lost(op);
    }
  }
  return true;
}

static void sfpu_op(TtBuilder *b, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue dst = tt_index(b, loc, tt_int(tt_op_attr(op, "dst")));
  bool one = tt_sfpu_unary_isa(op);
  TtOpState s = tt_op_state(one ? "metalium.sfpu_tile" : "metalium.sfpu_tiles", loc);
  if (!one) {
    MlirAttribute sources = tt_sfpu_combine_sources(op);
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(sources); ++i)
      tt_op_state_operand(&s, tt_index(b, loc, mlirDenseI64ArrayGetElement(sources, i)));
  } else if (!mlirAttributeIsNull(tt_sfpu_unary_scalar(op))) {
    tt_op_state_attr(&s, b->context, "scalar", tt_sfpu_unary_scalar(op));
  }
  tt_op_state_operand(&s, dst);
  tt_op_state_attr(&s, b->context, "op", tt_op_attr(op, "op"));
  tt_builder_insert(b, tt_op_state_finish(&s));
}

/* The circular buffers that a group reads, each once. */
typedef struct Inputs {
  MlirValue *cbs, *index; /* index: of the tile in each */
  bool *streamed;         /* waited for and popped a tile at a time */
  intptr_t n;
} Inputs;

static intptr_t find_input(const Inputs *in, MlirValue cb) {
  for (intptr_t i = 0; i < in->n; ++i)
    if (tt_value_eq(in->cbs[i], cb)) return i;
  return -1;
}

static Inputs collect_inputs(TtArena *arena, const Group *g) {
  size_t most = 2 * (size_t)g->ops.n;
  Inputs in = {tt_arena_alloc(arena, most * sizeof *in.cbs),
               tt_arena_alloc(arena, most * sizeof *in.index),
               tt_arena_alloc(arena, most * sizeof *in.streamed), 0};
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    TtTraffic t = tt_traffic(g->ops.data[i]);
    for (int j = 0; j < t.num_in; ++j)
      if (find_input(&in, t.in[j]) < 0) in.cbs[in.n++] = t.in[j];
  }
  return in;
}

static void tile_op(TtBuilder *b, MlirOperation op, const Inputs *in) {
  MlirLocation loc = mlirOperationGetLocation(op);
  if (is_sfpu(op)) {
    sfpu_op(b, op);
    return;
  }
  MlirValue dst = tt_index(b, loc, tt_int(tt_op_attr(op, "dst"))), x = mlirOperationGetOperand(op, 0);
  MlirValue ix = in->index[find_input(in, x)];
  if (tt_copy_to_dst_isa(op)) {
    metalium_copy_tile_create(b, loc, x, ix, dst);
    return;
  }
  MlirValue y = mlirOperationGetOperand(op, 1), iy = in->index[find_input(in, y)];
  if (tt_fpu_add_isa(op)) metalium_add_tiles_create(b, loc, x, y, ix, iy, dst);
  else if (tt_fpu_sub_isa(op)) metalium_sub_tiles_create(b, loc, x, y, ix, iy, dst);
  else metalium_mul_tiles_create(b, loc, x, y, ix, iy, dst);
}

/* Tiles of DST while a group runs: who wrote them, and whether that was used. */
typedef struct Tiles {
  MlirOperation writer[MAX_DST_TILES];
  bool used[MAX_DST_TILES];
} Tiles;

static bool use_tile(Tiles *t, MlirOperation op, int64_t tile) {
  if (mlirOperationIsNull(t->writer[tile]))
    return tt_error(op, "(C1) no op left a block in DST tile %jd before this one; copy one there with "
                        "tt.copy_to_dst", (intmax_t)tile);
  return t->used[tile] = true;
}

static bool write_tile(Tiles *t, MlirOperation op, int64_t tile) {
  if (!mlirOperationIsNull(t->writer[tile]) && !t->used[tile]) return lost(t->writer[tile]);
  if (!mlirOperationIsNull(t->writer[tile]) && tt_fpu_mul_isa(op))
    return tt_error(op, "products add to what is in DST; give this one a tile that nothing wrote "
                        "before, not tile %jd", (intmax_t)tile);
  t->writer[tile] = op, t->used[tile] = false;
  return true;
}

static bool check_tiles(Lowering *l, const Group *g) {
  Tiles tiles = {.used = {false}};
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    MlirOperation op = g->ops.data[i];
    int64_t dst = tt_int(tt_op_attr(op, "dst"));
    if (dst >= l->capacity || dst >= MAX_DST_TILES)
      return tt_error(op, "[rule 9] DST has %jd tiles, but this writes tile %jd",
                      (intmax_t)l->capacity, (intmax_t)dst);
    MlirAttribute sources = tt_sfpu_combine_isa(op) ? tt_sfpu_combine_sources(op)
                                                    : mlirAttributeGetNull();
    intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
    for (intptr_t j = 0; j < n; ++j) {
      int64_t source = mlirDenseI64ArrayGetElement(sources, j);
      if (source >= l->capacity || source >= MAX_DST_TILES)
        return tt_error(op, "[rule 9] DST has %jd tiles, but this reads tile %jd",
                        (intmax_t)l->capacity, (intmax_t)source);
      if (!use_tile(&tiles, op, source)) return false;
    }
    if (tt_sfpu_unary_isa(op) && !is_fill(op) && !use_tile(&tiles, op, dst)) return false;
    if (!write_tile(&tiles, op, dst)) return false;
  }
  MlirOperation last = mlirOperationIsNull(g->pack) ? g->ops.data[g->ops.n - 1] : g->pack;
  int64_t packed = tt_int(tt_op_attr(last, "dst"));
  if (packed < 0 || packed >= l->capacity || packed >= MAX_DST_TILES)
    return tt_error(last, "[rule 9] DST has %jd tiles, but this packs tile %jd",
                    (intmax_t)l->capacity, (intmax_t)packed);
  tiles.used[packed] = true;
  for (int t = 0; t < MAX_DST_TILES; ++t)
    if (!mlirOperationIsNull(tiles.writer[t]) && !tiles.used[t]) return lost(tiles.writer[t]);
  return true;
}

static bool check_group(Lowering *l, const Group *g, const Inputs *in) {
  MlirOperation first = g->ops.data[0];
  if (!check_tiles(l, g)) return false;
  for (intptr_t i = 0; i < in->n; ++i)
    if (tt_cb_tiles(mlirValueGetType(in->cbs[i])) != tt_cb_tiles(mlirValueGetType(g->out)))
      return tt_error(first, "operand and result differ in their number of tiles");
  if (in->n > 0) return true;
  return tt_error(first, "this section reads no circular buffer; a constant block is not supported");
}

/* Blocks that are opened or closed amid a group are so before and after it. */
static void widen_holds(TtArena *arena, const Group *g) {
  MlirOperation first = g->ops.data[0], last = g->ops.data[g->ops.n - 1];
  TtOps opens = {NULL, 0, 0}, closes = {NULL, 0, 0};
  if (!mlirOperationIsNull(g->pack)) last = g->pack;
  for (MlirOperation op = first; !tt_op_eq(op, last); op = tt_next(op)) {
    if (tt_cb_open_isa(op)) tt_ops_add(arena, &opens, op);
    if (tt_cb_close_isa(op)) tt_ops_add(arena, &closes, op);
  }
  for (intptr_t i = 0; i < opens.n; ++i) mlirOperationMoveBefore(opens.data[i], first);
  for (intptr_t i = 0; i < closes.n; ++i) mlirOperationMoveAfter(closes.data[i], last);
}

static bool lower_elementwise(Lowering *l, MlirOperation op) {
  Group g;
  if (!collect_group(l->arena, op, &g)) return false;
  widen_holds(l->arena, &g);
  MlirLocation loc = mlirOperationGetLocation(op);
  Inputs in = collect_inputs(l->arena, &g);
  if (!check_group(l, &g, &in)) return false;
  TtBuilder b = tt_builder_before(op); /* before the block of an operand is closed */
  MlirValue index = tt_counted_loop(&b, loc, tt_cb_tiles(mlirValueGetType(g.out)), "t"),
            zero = tt_index(&b, loc, 0);
  for (intptr_t i = 0; i < in.n; ++i) {
    in.streamed[i] = !is_open(l, in.cbs[i]);
    in.index[i] = in.streamed[i] ? zero : index;
    if (in.streamed[i]) wait_front(&b, loc, in.cbs[i], 1);
  }
  for (intptr_t i = 0; i < g.ops.n; ++i) tile_op(&b, g.ops.data[i], &in);
  for (intptr_t i = 0; i < in.n; ++i)
    if (in.streamed[i]) pop_front(&b, loc, in.cbs[i], 1);
  MlirOperation last = mlirOperationIsNull(g.pack) ? g.ops.data[g.ops.n - 1] : g.pack;
  publish(&b, loc, g.out, tt_int(tt_op_attr(last, "dst")), 1);
  for (intptr_t i = 0; i < g.ops.n; ++i) mlirOperationDestroy(g.ops.data[i]);
  if (!mlirOperationIsNull(g.pack)) mlirOperationDestroy(g.pack);
  return true;
}

/*===- Products -------------------------------------------------------------------------===*/

typedef struct Product {
  MlirOperation op;
  MlirValue a, b;
  MlirAttribute transpose_b; /* b is c x k */
  int64_t r, k, c, dst;
} Product;

static Product read_product(MlirOperation op) {
  TtProductShape s = tt_product_shape(op);
  return (Product){op, tt_mm_mma_a(op), tt_mm_mma_b(op), tt_mm_mma_transpose_b(op),
                   s.r, s.k, s.c, tt_int(tt_mm_mma_dst(op))};
}

/* The tile of b that product (l, j) takes: b has k rows of c tiles, or c rows of k. */
static MlirValue tile_of_b(TtBuilder *b, const Product *p, MlirValue l, MlirValue j) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  if (mlirAttributeIsNull(p->transpose_b))
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
  MlirStringRef text = tt_string(name);
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(l->program)); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (!tt_circular_buffer_isa(op) || !mlirStringRefEqual(tt_symbol_name(op), text)) continue;
    TtBuilder b = tt_builder_at_start(tt_body(l->func));
    return tt_get_cb_cb(tt_get_cb_create(&b, mlirOperationGetLocation(op),
                                         mlirTypeAttrGetValue(tt_circular_buffer_type(op)), name));
  }
  return (MlirValue){NULL};
}

/* Waits for and frees an operand, unless it is open. */
static void wait_operands(Lowering *l, TtBuilder *b, const Product *p, bool wait) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  MlirValue cbs[2] = {p->a, p->b};
  int64_t n[2] = {p->r * p->k, p->k * p->c};
  int operands = tt_value_eq(p->a, p->b) ? 1 : 2;
  for (int i = 0; i < operands; ++i)
    if (is_open(l, cbs[i])) continue;
    else if (wait) wait_front(b, loc, cbs[i], n[i]);
    else pop_front(b, loc, cbs[i], n[i]);
}

static void reload(TtBuilder *b, const Product *p, MlirValue spill, int64_t n) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  MlirValue more = tt_mm_mma_accumulate(p->op);
  int64_t constant;
  bool known = tt_constant(more, &constant);
  if (known && !constant) return;
  TtBuilder in = *b;
  if (!known) in = tt_builder_at_terminator(tt_body(tt_if(b, loc, more)));
  wait_front(&in, loc, spill, n);
  tile_loop_copy(in, loc, spill, n, p->dst);
  pop_front(&in, loc, spill, n);
}

static void copy_out(const Product *p, MlirOperation pack, MlirValue spill, TtSubBlock s) {
  MlirLocation loc = mlirOperationGetLocation(pack);
  TtBuilder b = tt_builder_before(pack);
  int64_t n = s.rows * s.cols;
  tt_counted_loop(&b, loc, p->r * p->c / n, "block");
  wait_front(&b, loc, spill, n);
  tile_loop_copy(b, loc, spill, n, 0);
  pop_front(&b, loc, spill, n);
  publish(&b, loc, tt_pack_to_cb_out(pack), 0, n);
  mlirOperationDestroy(pack);
}

static bool lower_spilled(Lowering *l, Product *p) {
  MlirLocation loc = mlirOperationGetLocation(p->op);
  TtBuilder b = tt_builder_before(p->op);
  MlirValue spill = spill_handle(l, tt_mm_mma_spill(p->op));
  TtSubBlock s = tt_sub_block(p->r, p->c, l->capacity);
  MlirOperation pack = tt_pack_after(p->op);
  p->dst = 0; /* a section has DST for itself */
  MlirValue out = tt_mm_mma_out(p->op);
  if (tt_is_null_value(spill))
    return tt_error(p->op, "the program has no circular buffer of the name in 'spill'");
  wait_operands(l, &b, p, true);
  TtBuilder in = b;
  MlirValue row = tt_counted_loop(&in, loc, p->r / s.rows, "block_row"),
            col = tt_counted_loop(&in, loc, p->c / s.cols, "block_col");
  if (tt_is_null_value(out)) reload(&in, p, spill, s.rows * s.cols);
  multiply(in, p, s, row, col);
  publish(&in, loc, tt_is_null_value(out) ? spill : out, p->dst, s.rows * s.cols);
  wait_operands(l, &b, p, false);
  if (tt_is_null_value(out)) copy_out(p, pack, spill, s);
  mlirOperationDestroy(p->op);
  return true;
}

static bool lower_product(Lowering *l, MlirOperation op) {
  Product p = read_product(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!mlirAttributeIsNull(tt_mm_mma_spill(op))) return lower_spilled(l, &p);
  if (p.dst + p.r * p.c > l->capacity)
    return tt_error(op, "[rule 9] the result has %jd tiles, but DST holds %jd: run "
                        "--tt-split-device-kernel, which makes room for partial sums",
                    (intmax_t)(p.dst + p.r * p.c), (intmax_t)l->capacity);
  TtBuilder b = tt_builder_before(op);
  MlirValue zero = tt_index(&b, loc, 0), out = tt_mm_mma_out(op);
  wait_operands(l, &b, &p, true);
  multiply(b, &p, (TtSubBlock){p.r, p.c}, zero, zero);
  wait_operands(l, &b, &p, false);
  if (!tt_is_null_value(out)) publish(&b, loc, out, p.dst, p.r * p.c);
  mlirOperationDestroy(op);
  return true;
}

/* A tt.pack_to_cb of level 2 gets its reservation and publication. */
static void lower_pack(MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue out = tt_pack_to_cb_out(op);
  TtBuilder b = tt_builder_before(op);
  publish(&b, loc, out, tt_int(tt_pack_to_cb_dst(op)), tt_cb_tiles(mlirValueGetType(out)));
  mlirOperationDestroy(op);
}

static void lower_hold(MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirValue cb = mlirOperationGetOperand(op, 0);
  int64_t n = tt_cb_tiles(mlirValueGetType(cb));
  if (tt_cb_open_isa(op)) wait_front(&b, mlirOperationGetLocation(op), cb, n);
  else pop_front(&b, mlirOperationGetLocation(op), cb, n);
}

static MlirOperation next_unlowered(Lowering *l, bool (*wanted)(MlirOperation)) {
  TtOps ops = tt_collect(l->arena, l->func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (wanted(ops.data[i])) return ops.data[i];
  return (MlirOperation){NULL};
}

static bool is_level_2_math(MlirOperation op) {
  return tt_is_block_compute(op) && !tt_pack_to_cb_isa(op) && !tt_cb_open_isa(op) &&
         !tt_cb_close_isa(op);
}

bool tt_lower_compute(TtArena *arena, MlirOperation program, MlirOperation func) {
  Lowering l = {arena, program, func, tt_dst_capacity(program)};
  TtOps packs = {NULL, 0, 0};
  for (MlirOperation op; !mlirOperationIsNull(op = next_unlowered(&l, is_level_2_math));) {
    if (is_sfpu(op) && !is_fill(op))
      return tt_error(op, "(C1) no op left a block in DST before this one; copy one there with "
                          "tt.copy_to_dst");
    if (!(tt_mm_mma_isa(op) ? lower_product(&l, op) : lower_elementwise(&l, op))) return false;
  }
  TtOps all = tt_collect(arena, func, "tt.pack_to_cb");
  for (intptr_t i = 0; i < all.n; ++i) /* publish() says how many tiles; level 2 does not */
    if (mlirAttributeIsNull(tt_pack_to_cb_tiles(all.data[i])))
      tt_ops_add(arena, &packs, all.data[i]);
  for (intptr_t i = 0; i < packs.n; ++i) lower_pack(packs.data[i]);
  TtOps ops = tt_collect(arena, func, NULL), holds = {NULL, 0, 0};
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_cb_open_isa(ops.data[i]) || tt_cb_close_isa(ops.data[i]))
      tt_ops_add(arena, &holds, ops.data[i]);
  for (intptr_t i = 0; i < holds.n; ++i) lower_hold(holds.data[i]);
  for (intptr_t i = 0; i < holds.n; ++i) mlirOperationDestroy(holds.data[i]);
  tt_erase_dead(func);
  return true;
}
