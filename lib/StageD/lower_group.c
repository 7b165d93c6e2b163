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
 *   tt.fpu.sub %x, %m bcast "cols", dst = 0 -> %z                           (r x c tiles)
 * = cb_wait_front %m, r;
 *   for i < r, j < c { cb_wait_front %x, 1; sub_tiles_bcast_cols %x, %m, 0, i, 0; … }
 *   cb_pop_front %m, r
 *
 *   tt.fpu.reduce "max_row", %x, %ones, dst = 0 -> %m                       (r x k tiles)
 * = cb_wait_front %x, r*k;
 *   for i < r { for l < k { reduce_tile "max_row", %x, %ones, i*k + l, 0, 0 } … }
 *   reduce_uninit; cb_pop_front %x, r*k
 *
 * A group that goes on with products in DST runs for each of their tiles, and packs all of
 * them at the end:
 *
 *   tt.mm.mma …, dst = 0 (r x c); tt.copy_to_dst %r, dst = 4; tt.sfpu.combine "add", [0, 4],
 *   dst = 0; tt.pack_to_cb dst = 0 -> %z
 * = …; for t < r*c { copy_tile %r, 0, 4; add_binary_tile 0 + t, 4, 0 + t }; pack r*c tiles
 *
 * and one that a product is added to fills all of the product's tiles and packs none.
 *
 * So a circular buffer is waited for a tile at a time where tiles are taken in order, else
 * as a whole; one that is open (tt.cb_open) is neither waited for nor popped here. Sums are
 * products with ones: those keep the precision of DST, where reduce_tile does not.
 *
 *===----------------------------------------------------------------------===*/

#include "formula.h"
#include "lower_compute.h"

#include "tilewright/verify.h"

enum { MAX_DST_TILES = 16 }; /* of any mode */

typedef TtComputeLowering Lowering;

/* An op that computes in DST and those on its result, to where it is packed. */
typedef struct Group {
  TtOps ops;
  TtOps products;     /* that it goes on with, tile by tile */
  MlirOperation pack; /* an own tt.pack_to_cb, or null */
  MlirValue out;      /* null where a product is added to the result */
  MlirOperation sum;  /* that product, or null */
  MlirType shape;     /* of the result, as a circular buffer */
} Group;

/* A function of one tile, in place. */
static bool is_unary(MlirOperation op) { return tt_sfpu_unary_isa(op) || tt_sfpu_scalar_isa(op); }

static bool is_sfpu(MlirOperation op) { return is_unary(op) || tt_sfpu_combine_isa(op); }

/* A scalar that differs from tile to tile. */
static bool has_steps(MlirOperation op) {
  return tt_sfpu_scalar_isa(op) && !mlirAttributeIsNull(tt_sfpu_scalar_steps(op));
}

static bool is_max(MlirOperation op) {
  return tt_fpu_reduce_isa(op) && tt_string(tt_fpu_reduce_op(op)).data[0] == 'm';
}

/* Products add to what is in DST, and so do sums. */
static bool needs_clean_tile(MlirOperation op) {
  return tt_fpu_mul_isa(op) || tt_fpu_reduce_isa(op);
}

static bool lost(MlirOperation op) {
  return tt_error(op, "the result of this op stays in DST, but neither an SFPU op nor a "
                      "tt.pack_to_cb follows; name its circular buffer with '-> %%cb'");
}

/*===- Groups -----------------------------------------------------------------------------===*/

static bool joins_group(MlirOperation op) {
  return is_sfpu(op) || tt_copy_to_dst_isa(op) || tt_bcast_to_dst_isa(op) || tt_fpu_reuse_isa(op) ||
         tt_fpu_add_isa(op) || tt_fpu_sub_isa(op) || tt_fpu_mul_isa(op) || tt_fpu_reduce_isa(op);
}

/* A product that adds to what `op` leaves in DST. */
static bool adds_to(MlirOperation mma, MlirOperation op) {
  int64_t flag;
  return tt_mm_mma_isa(mma) && tt_constant(tt_mm_mma_accumulate(mma), &flag) && flag &&
         tt_int(tt_mm_mma_dst(mma)) == tt_int(tt_op_attr(op, "dst"));
}

static void set_shape(Group *g) {
  if (mlirOperationIsNull(g->sum)) {
    g->shape = mlirValueGetType(g->out);
    return;
  }
  TtProductShape s = tt_product_shape(g->sum);
  MlirType a = mlirValueGetType(tt_mm_mma_a(g->sum));
  int64_t sides[2] = {s.r, s.c};
  g->shape = tt_cb_type_get(mlirOperationGetContext(g->sum), 2, sides, tt_cb_type_element_type(a));
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
    } else if (!mlirOperationIsNull(next) && adds_to(next, g->ops.data[g->ops.n - 1])) {
      g->sum = next;
      break;
    } else if (!mlirOperationIsNull(next) && joins_group(next)) {
      tt_ops_add(arena, &g->ops, next);
      g->out = tt_traffic(next).out;
    } else {
      return lost(op);
    }
  }
  set_shape(g);
  return true;
}

/* The products whose tiles are in DST where `op` stands: since the last pack before it. */
static TtOps open_products(TtArena *arena, MlirOperation op) {
  TtOps open = {NULL, 0, 0}, none = {NULL, 0, 0};
  MlirOperation p = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !tt_op_eq(p, op); p = tt_next(p)) {
    TtOps inside = tt_collect(arena, p, NULL);
    tt_ops_add(arena, &inside, p);
    for (intptr_t i = 0; i < inside.n; ++i) {
      MlirOperation q = inside.data[i];
      bool packs = tt_is_block_compute(q) && !tt_is_null_value(tt_traffic(q).out);
      if (packs || tt_pack_to_cb_isa(q)) open = none;
      else if (tt_mm_mma_isa(q)) tt_ops_add(arena, &open, q);
    }
  }
  return open;
}

static MlirOperation product_at(const Group *g, int64_t dst) {
  for (intptr_t i = 0; i < g->products.n; ++i)
    if (tt_int(tt_mm_mma_dst(g->products.data[i])) == dst) return g->products.data[i];
  if (!mlirOperationIsNull(g->sum) && tt_int(tt_mm_mma_dst(g->sum)) == dst) return g->sum;
  return (MlirOperation){NULL};
}

static bool check_products(const Group *g) {
  for (intptr_t i = 0; i < g->products.n; ++i) {
    MlirOperation op = g->products.data[i];
    TtProductShape s = tt_product_shape(op);
    if (!mlirAttributeIsNull(tt_mm_mma_spill(op)))
      return tt_error(g->ops.data[0], "[rule 9] goes on with a product that is larger than DST, or "
                                      "that others interrupt; pack the product first");
    if (s.r * s.c != tt_cb_tiles(g->shape))
      return tt_error(g->ops.data[0], "goes on with a product of %jd tiles, but packs %jd",
                      (intmax_t)(s.r * s.c), (intmax_t)tt_cb_tiles(g->shape));
  }
  return true;
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

/*===- Tiles of DST -----------------------------------------------------------------------===*/

/* While a group runs: who wrote a tile, and whether that was used. */
typedef struct Tiles {
  MlirOperation writer[MAX_DST_TILES];
  bool used[MAX_DST_TILES];
  bool inner[MAX_DST_TILES]; /* of a product, behind its first */
} Tiles;

static bool use_tile(Tiles *t, MlirOperation op, int64_t tile) {
  if (mlirOperationIsNull(t->writer[tile]))
    return tt_error(op, "(C1) no op left a block in DST tile %jd before this one; copy one there with "
                        "tt.copy_to_dst", (intmax_t)tile);
  return t->used[tile] = true;
}

static bool write_tile(Tiles *t, MlirOperation op, int64_t tile) {
  if (!mlirOperationIsNull(t->writer[tile]) && !t->used[tile]) return lost(t->writer[tile]);
  if (!mlirOperationIsNull(t->writer[tile]) && needs_clean_tile(op))
    return tt_error(op, "products and sums add to what is in DST; give this one a tile that nothing "
                        "wrote before, not tile %jd", (intmax_t)tile);
  t->writer[tile] = op, t->used[tile] = false;
  return true;
}

static bool check_capacity(Lowering *l, MlirOperation op, int64_t tile, const char *verb) {
  if (tile >= 0 && tile < l->capacity && tile < MAX_DST_TILES) return true;
  return tt_error(op, "[rule 9] DST has %jd tiles, but this %s tile %jd", (intmax_t)l->capacity,
                  verb, (intmax_t)tile);
}

/* Tiles of products are there before the group, and only their first one has a name. */
static bool note_products(Tiles *tiles, const Group *g) {
  for (intptr_t i = 0; i < g->products.n; ++i) {
    MlirOperation op = g->products.data[i];
    TtProductShape s = tt_product_shape(op);
    int64_t dst = tt_int(tt_mm_mma_dst(op));
    for (int64_t t = dst; t < dst + s.r * s.c && t < MAX_DST_TILES; ++t) {
      tiles->writer[t] = op;
      tiles->used[t] = t > dst;
      tiles->inner[t] = t > dst;
    }
  }
  return true;
}

static bool check_tiles(Lowering *l, const Group *g) {
  Tiles tiles = {.used = {false}};
  note_products(&tiles, g);
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    MlirOperation op = g->ops.data[i];
    int64_t dst = tt_int(tt_op_attr(op, "dst"));
    if (!check_capacity(l, op, dst, "writes")) return false;
    if (tiles.inner[dst])
      return tt_error(op, "tile %jd of DST is part of a product's result", (intmax_t)dst);
    if (g->products.n > 0 && needs_clean_tile(op))
      return tt_error(op, "products and sums add to what is in DST, so they do not follow another "
                          "product there; pack that first");
    MlirAttribute sources = tt_sfpu_combine_isa(op) ? tt_sfpu_combine_sources(op)
                                                    : mlirAttributeGetNull();
    intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
    for (intptr_t j = 0; j < n; ++j) {
      int64_t source = mlirDenseI64ArrayGetElement(sources, j);
      if (!check_capacity(l, op, source, "reads") || !use_tile(&tiles, op, source)) return false;
    }
    if (tt_works_in_place(op) && !use_tile(&tiles, op, dst)) return false;
    if (!write_tile(&tiles, op, dst)) return false;
  }
  MlirOperation last = mlirOperationIsNull(g->pack) ? g->ops.data[g->ops.n - 1] : g->pack;
  int64_t packed = tt_int(tt_op_attr(last, "dst"));
  if (!check_capacity(l, last, packed, "packs")) return false;
  if (g->products.n > 0 && mlirOperationIsNull(product_at(g, packed)))
    return tt_error(last, "what follows a product is packed from the product's tile; copy tile %jd "
                          "there with tt.sfpu.combine \"copy\"", (intmax_t)packed);
  tiles.used[packed] = true;
  for (int t = 0; t < MAX_DST_TILES; ++t)
    if (!mlirOperationIsNull(tiles.writer[t]) && !tiles.used[t]) return lost(tiles.writer[t]);
  return true;
}

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

static Inputs collect_inputs(Lowering *l, const Group *g) {
  Inputs in = {tt_arena_alloc(l->arena, 2 * (size_t)g->ops.n * sizeof *in.data), 0, true};
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    TtTraffic t = tt_traffic(g->ops.data[i]);
    in.in_order = in.in_order && !has_steps(g->ops.data[i]);
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

static bool check_shapes(const Group *g) {
  MlirType out = g->shape;
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    TtTraffic t = tt_traffic(g->ops.data[i]);
    for (int j = 0; j < t.num_in; ++j) {
      MlirType in = mlirValueGetType(t.in[j]);
      int64_t r = tt_cb_rows(in), c = tt_cb_cols(in);
      bool fits = true;
      switch (tt_access(g->ops.data[i], j)) {
      case TT_ACCESS_FULL: fits = tt_cb_tiles(in) == tt_cb_tiles(out); break;
      case TT_ACCESS_TURNED: fits = r == tt_cb_cols(out) && c == tt_cb_rows(out); break;
      case TT_ACCESS_COLS: fits = r == tt_cb_rows(out); break;
      case TT_ACCESS_ROWS: fits = c == tt_cb_cols(out); break;
      case TT_ACCESS_REDUCED_ROW: fits = r == tt_cb_rows(out) && tt_cb_cols(out) == 1; break;
      case TT_ACCESS_REDUCED_COL: fits = c == tt_cb_cols(out) && tt_cb_rows(out) == 1; break;
      default: break;
      }
      if (!fits) return tt_error(g->ops.data[i], "operand and result differ in their number of tiles");
    }
  }
  return true;
}

/* The packer keeps to what a reduction set until it is ended, and so do the sources. */
static bool check_max(const Group *g) {
  MlirOperation max = {NULL};
  for (intptr_t i = 0; i < g->ops.n; ++i)
    if (is_max(g->ops.data[i])) max = g->ops.data[i];
  for (intptr_t i = 0; !mlirOperationIsNull(max) && i < g->ops.n; ++i)
    if (!is_sfpu(g->ops.data[i]) && !tt_op_eq(g->ops.data[i], max))
      return tt_error(g->ops.data[i], "[rule 14] this works in DST beside a reduction to the largest "
                                      "element; pack one of them to a circular buffer first");
  return true;
}

/*===- Code -----------------------------------------------------------------------------===*/

/* Where a group is: tile (i, j), the t-th, of a result of r x c. */
typedef struct Place {
  MlirValue i, j, t;
  int64_t r, c;
  const Group *group;
} Place;

/* A tile of DST: of a product, the one of this place. */
static MlirValue dst_tile(TtBuilder *b, MlirLocation loc, const Place *p, int64_t dst) {
  MlirValue tile = tt_index(b, loc, dst);
  return mlirOperationIsNull(product_at(p->group, dst)) ? tile : tt_add(b, loc, p->t, tile);
}

/* The scalar of a tile. */
static void scalar_op(TtBuilder *b, MlirOperation op, const Place *p) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirAttribute steps = tt_sfpu_scalar_steps(op);
  MlirValue value = tt_sfpu_scalar_value(op), along[2] = {p->i, p->j};
  for (int i = 0; has_steps(op) && i < 2; ++i) {
    int64_t step = mlirDenseI64ArrayGetElement(steps, i);
    MlirValue by = tt_mul(b, loc, along[i], tt_index(b, loc, step < 0 ? -step : step));
    value = step < 0 ? tt_sub(b, loc, value, by) : tt_add(b, loc, value, by);
  }
  TtOpState s = tt_op_state("metalium.sfpu_scalar_tile", loc);
  tt_op_state_operand(&s, dst_tile(b, loc, p, tt_int(tt_sfpu_scalar_dst(op))));
  tt_op_state_operand(&s, value);
  tt_op_state_attr(&s, b->context, "op", tt_sfpu_scalar_op(op));
  tt_op_state_attr(&s, b->context, "limit", tt_sfpu_scalar_limit(op));
  tt_builder_insert(b, tt_op_state_finish(&s));
}

static void sfpu_op(TtBuilder *b, MlirOperation op, const Place *p) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue dst = dst_tile(b, loc, p, tt_int(tt_op_attr(op, "dst")));
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

static void reduction(TtBuilder b, MlirOperation op, const Place *p, MlirValue dst) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue x = tt_fpu_reduce_a(op), ones = tt_fpu_reduce_ones(op), zero = tt_index(&b, loc, 0);
  TtAccess access = tt_access(op, 0);
  MlirType type = mlirValueGetType(x);
  bool row = access == TT_ACCESS_REDUCED_ROW;
  MlirValue l = tt_counted_loop(&b, loc, row ? tt_cb_cols(type) : tt_cb_rows(type), "l");
  MlirValue at = tile_at(&b, loc, access, x, p, l);
  MlirAttribute no = mlirAttributeGetNull();
  if (is_max(op)) {
    TtOpState s = tt_op_state("metalium.reduce_tile", loc);
    MlirValue operands[] = {x, ones, at, zero, dst};
    for (int i = 0; i < 5; ++i) tt_op_state_operand(&s, operands[i]);
    tt_op_state_attr(&s, b.context, "op", tt_fpu_reduce_op(op));
    tt_builder_insert(&b, tt_op_state_finish(&s));
  } else if (row) {
    metalium_matmul_tiles_create(&b, loc, x, ones, at, zero, dst, no);
  } else {
    metalium_matmul_tiles_create(&b, loc, ones, x, zero, at, dst, no);
  }
}

/* add_tiles, or add_tiles_bcast_rows and the like. */
static void binary(TtBuilder *b, TtArena *arena, MlirLocation loc, const char *name, TtAccess access,
                   const MlirValue operands[5]) {
  const char *bcast = tt_access_bcast(access);
  TtOpState s = tt_op_state(tt_arena_printf(arena, "metalium.%s_tiles%s%s", name,
                                            bcast ? "_bcast_" : "", bcast ? bcast : ""), loc);
  for (int i = 0; i < 5; ++i) tt_op_state_operand(&s, operands[i]);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

static void tile_op(TtBuilder *b, TtArena *arena, MlirOperation op, const Inputs *in,
                    const Place *place) {
  MlirLocation loc = mlirOperationGetLocation(op);
  if (tt_sfpu_scalar_isa(op)) scalar_op(b, op, place);
  else if (is_sfpu(op)) sfpu_op(b, op, place);
  if (is_sfpu(op)) return;
  MlirValue dst = dst_tile(b, loc, place, tt_int(tt_op_attr(op, "dst"))),
            zero = tt_index(b, loc, 0), at[2];
  TtTraffic t = tt_traffic(op);
  if (tt_fpu_reduce_isa(op)) {
    reduction(*b, op, place, dst);
    return;
  }
  for (int i = 0; i < t.num_in; ++i)
    at[i] = find_input(in, t.in[i])->streamed
                ? zero : tile_at(b, loc, tt_access(op, i), t.in[i], place, zero);
  if (tt_bcast_to_dst_isa(op))
    binary(b, arena, loc, "add", tt_access(op, 0),
           (MlirValue[]){t.in[1], t.in[0], at[1], at[0], dst});
  else if (tt_fpu_reuse_isa(op))
    metalium_binary_dest_reuse_tiles_create(
        b, loc, tt_arena_str(arena, tt_string(tt_fpu_reuse_op(op))), t.in[0], at[0], dst);
  else if (!tt_copy_to_dst_isa(op))
    binary(b, arena, loc, tt_fpu_add_isa(op) ? "add" : tt_fpu_sub_isa(op) ? "sub" : "mul",
           tt_access(op, 1), (MlirValue[]){t.in[0], t.in[1], at[0], at[1], dst});
  else if (mlirAttributeIsNull(tt_copy_to_dst_transpose(op)))
    metalium_copy_tile_create(b, loc, t.in[0], at[0], dst);
  else
    metalium_transpose_wh_tile_create(b, loc, t.in[0], at[0], dst);
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
  return p;
}

bool tt_lower_group(TtComputeLowering *l, MlirOperation op) {
  Group g;
  TtOps products = open_products(l->arena, op);
  if ((tt_works_in_place(op) || tt_sfpu_combine_isa(op)) && products.n == 0)
    return tt_error(op, "(C1) no op left a block in DST before this one; copy one there with "
                        "tt.copy_to_dst");
  if (!collect_group(l->arena, op, &g)) return false;
  g.products = products;
  if (!check_products(&g)) return false;
  widen_holds(l->arena, &g);
  MlirLocation loc = mlirOperationGetLocation(op);
  Inputs in = collect_inputs(l, &g);
  if (!check_tiles(l, &g) || !check_shapes(&g) || !check_max(&g)) return false;
  MlirOperation last = mlirOperationIsNull(g.pack) ? g.ops.data[g.ops.n - 1] : g.pack;
  int64_t packed = tt_int(tt_op_attr(last, "dst"));
  TtBuilder outer = tt_builder_before(op), b = outer; /* before the block of an operand is closed */
  metalium_comment_create(&b, loc, tt_formula_of(l->arena, g.products, g.ops, g.out, packed));
  wait_for_blocks(&b, loc, &in, true);
  Place place = tile_loops(&b, loc, g.shape, in.in_order);
  place.group = &g;
  for (intptr_t i = 0; i < in.n; ++i)
    if (in.data[i].streamed) tt_wait_front(&b, loc, in.data[i].cb, 1);
  for (intptr_t i = 0; i < g.ops.n; ++i) tile_op(&b, l->arena, g.ops.data[i], &in, &place);
  for (intptr_t i = 0; i < in.n; ++i)
    if (in.data[i].streamed) tt_pop_front(&b, loc, in.data[i].cb, 1);
  int64_t tiles = products.n > 0 ? tt_cb_tiles(g.shape) : 1;
  if (mlirOperationIsNull(g.sum))
    tt_publish(products.n > 0 ? &outer : &b, loc, g.out, packed, tiles);
  for (intptr_t i = 0; i < g.ops.n; ++i)
    if (is_max(g.ops.data[i])) metalium_reduce_uninit_create(&outer, loc);
  wait_for_blocks(&outer, loc, &in, false);
  for (intptr_t i = 0; i < g.ops.n; ++i) mlirOperationDestroy(g.ops.data[i]);
  if (!mlirOperationIsNull(g.pack)) mlirOperationDestroy(g.pack);
  return true;
}
