/*===- group.c - ops that follow each other in DST ----------------------------------------===
 *
 *   tt.copy_to_dst %x, dst = 0
 *   tt.copy_to_dst %y, dst = 1
 *   tt.sfpu.combine max, [0, 1], dst = 0
 *   tt.pack_to_cb dst = 0 -> %z
 *
 * are a group: what is computed in DST up to the op that packs it. Every tile that one of
 * them leaves there is used by another or packed, and every one that is used was left there.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/group.h"

enum { MAX_DST_TILES = 16 }; /* of any mode */

bool tt_is_sfpu_block(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  return info->does == TT_ACT_COMPUTE && info->unit == TT_UNIT_SFPU;
}

bool tt_is_max_block(MlirOperation op) {
  return tt_fpu_reduce_isa(op) && tt_reduce_is_max(tt_fpu_reduce_op(op));
}

static bool needs_clean_tile(MlirOperation op) {
  return tt_op_info(op)->dst_use == TT_DST_USE_ADDS;
}

static bool is_product(MlirOperation op) { return tt_op_info(op)->node == TT_DFG_NODE_KIND_MATMUL; }

static bool is_hold(MlirOperation op) {
  TtAct does = tt_op_info(op)->does;
  return does == TT_ACT_OPEN || does == TT_ACT_CLOSE;
}

static bool lost(MlirOperation op) {
  return tt_error(op, "the result of this op stays in DST, but neither an SFPU op nor a "
                      "tt.pack_to_cb follows; name its circular buffer with '-> %%cb'");
}

bool tt_has_steps(MlirOperation op) {
  return tt_sfpu_scalar_isa(op) && !mlirAttributeIsNull(tt_sfpu_scalar_steps(op));
}

/*===- Groups -----------------------------------------------------------------------------===*/

static bool joins_group(MlirOperation op) {
  return tt_op_info(op)->does == TT_ACT_COMPUTE && !is_product(op);
}

/* A product that adds to what `op` leaves in DST. */
static bool adds_to(MlirOperation mma, MlirOperation op) {
  int64_t flag;
  return is_product(mma) && tt_constant(tt_mm_mma_accumulate(mma), &flag) && flag &&
         tt_int(tt_mm_mma_dst(mma)) == tt_op_dst(op);
}

static void set_shape(TtGroup *g) {
  if (mlirOperationIsNull(g->sum)) {
    g->shape = mlirValueGetType(g->out);
    return;
  }
  TtProductShape s = tt_product_shape(g->sum);
  MlirType a = mlirValueGetType(tt_mm_mma_a(g->sum));
  int64_t sides[2] = {s.r, s.c};
  g->shape = tt_cb_type_get(mlirOperationGetContext(g->sum), 2, sides, tt_cb_type_element_type(a));
}

static bool collect_group(TtArena *arena, MlirOperation op, TtGroup *g) {
  *g = (TtGroup){.pack = {NULL}};
  tt_ops_add(arena, &g->ops, op);
  g->out = tt_traffic(op).out;
  for (MlirOperation next = tt_next(op); tt_is_null_value(g->out); next = tt_next(next)) {
    while (!mlirOperationIsNull(next) && (!tt_is_block_compute(next) || is_hold(next)) &&
           mlirOperationGetNumRegions(next) == 0)
      next = tt_next(next);
    if (tt_op_info(next)->does == TT_ACT_PACK_BLOCK) {
      g->pack = next;
      g->out = tt_op_fills(next);
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

/*===- Products in DST ---------------------------------------------------------------------===*/

/* Of two that leave results of one size in one tile, the later one counts. */
static bool replaces(MlirOperation later, MlirOperation earlier) {
  TtProductShape a = tt_product_shape(later), b = tt_product_shape(earlier);
  return tt_int(tt_mm_mma_dst(later)) == tt_int(tt_mm_mma_dst(earlier)) && a.r * a.c == b.r * b.c &&
         mlirAttributeIsNull(tt_mm_mma_spill(later)) ==
             mlirAttributeIsNull(tt_mm_mma_spill(earlier));
}

/* A list of its own, since ops before this one keep theirs. */
static TtOps add_product(TtArena *arena, TtOps list, MlirOperation mma) {
  TtOps longer = {NULL, 0, 0};
  for (intptr_t i = 0; i < list.n; ++i)
    if (!replaces(mma, list.data[i])) tt_ops_add(arena, &longer, list.data[i]);
  tt_ops_add(arena, &longer, mma);
  return longer;
}

/* Writes a list down; returns where it starts. */
static int note_list(TtComputeLowering *l, TtOps list) {
  intptr_t start = l->products.n;
  for (intptr_t i = 0; i < list.n; ++i) tt_ops_add(l->arena, &l->products, list.data[i]);
  tt_ops_add(l->arena, &l->products, (MlirOperation){NULL});
  return (int)start;
}

/* The products since the last pack in a block, those in its loops included. */
static TtOps walk_products(TtComputeLowering *l, MlirBlock block, bool *packs) {
  TtOps open = {NULL, 0, 0}, none = {NULL, 0, 0};
  int noted = -1; /* where `open` is written down */
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op)) {
    if (open.n > 0 && tt_is_group_op(op)) {
      if (noted < 0) noted = note_list(l, open);
      tt_op_map_set(l->arena, &l->resident, op, noted);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
      MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
      bool packed = false;
      TtOps inside = mlirBlockIsNull(body) ? none : walk_products(l, body, &packed);
      if (packed) *packs = true, open = none, noted = -1;
      for (intptr_t j = 0; j < inside.n; ++j, noted = -1)
        open = add_product(l->arena, open, inside.data[j]);
    }
    if (tt_packs_block(op)) *packs = true, open = none, noted = -1;
    else if (is_product(op) && tt_op_map_get(&l->completed, op) < 0)
      open = add_product(l->arena, open, op), noted = -1;
  }
  return open;
}

void tt_find_resident_products(TtComputeLowering *l) {
  bool packs = false;
  walk_products(l, tt_body(l->func), &packs);
}

static TtOps resident_products(TtComputeLowering *l, MlirOperation op) {
  TtOps found = {NULL, 0, 0};
  int at = tt_op_map_get(&l->resident, op);
  for (; at >= 0 && !mlirOperationIsNull(l->products.data[at]); ++at)
    tt_ops_add(l->arena, &found, l->products.data[at]);
  return found;
}

MlirOperation tt_product_at(const TtGroup *g, int64_t dst) {
  for (intptr_t i = 0; i < g->products.n; ++i)
    if (tt_int(tt_mm_mma_dst(g->products.data[i])) == dst) return g->products.data[i];
  if (!mlirOperationIsNull(g->sum) && tt_int(tt_mm_mma_dst(g->sum)) == dst) return g->sum;
  return (MlirOperation){NULL};
}

static bool check_products(const TtGroup *g) {
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

/* Blocks that are opened or closed amid a group, or between it and a product that is lowered with
 * it, are so before and after it, and indices are computed before the loops over its tiles. */
static void clear_between(TtArena *arena, const TtGroup *g) {
  MlirOperation first = g->in_parts ? g->products.data[0] : g->ops.data[0],
                last = g->ops.data[g->ops.n - 1];
  TtOps opens = {NULL, 0, 0}, closes = {NULL, 0, 0}, indices = {NULL, 0, 0};
  if (!mlirOperationIsNull(g->pack)) last = g->pack;
  for (MlirOperation op = first; !tt_op_eq(op, last); op = tt_next(op)) {
    if (is_hold(op)) tt_ops_add(arena, tt_op_info(op)->does == TT_ACT_OPEN ? &opens : &closes, op);
    else if (tt_op_info(op)->level == TT_LEVEL_OTHER) tt_ops_add(arena, &indices, op);
  }
  for (intptr_t i = 0; i < indices.n; ++i) mlirOperationMoveBefore(indices.data[i], first);
  for (intptr_t i = 0; i < opens.n; ++i) mlirOperationMoveBefore(opens.data[i], first);
  for (intptr_t i = 0; i < closes.n; ++i) mlirOperationMoveAfter(closes.data[i], last);
}

/*===- Products in parts --------------------------------------------------------------------===*/

int64_t tt_slot_of(const TtGroup *g, int64_t dst) {
  if (!g->in_parts) return dst;
  int64_t own = tt_cb_tiles(g->shape);
  return dst < own ? dst : dst - own + g->part.rows * g->part.cols;
}

/* The tiles of DST that the ops of a group use, those of its product included. */
static int64_t tiles_used(const TtGroup *g) {
  int64_t most = tt_cb_tiles(g->shape);
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    MlirAttribute sources = tt_dst_sources(g->ops.data[i]);
    intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
    for (intptr_t j = 0; j < n; ++j)
      if (mlirDenseI64ArrayGetElement(sources, j) >= most)
        most = mlirDenseI64ArrayGetElement(sources, j) + 1;
    if (tt_op_dst(g->ops.data[i]) >= most) most = tt_op_dst(g->ops.data[i]) + 1;
  }
  return most;
}

/* Where DST has no room for all tiles of the one product that a group goes on with, and for those
 * that the group needs besides, it goes on with sub-blocks. Tile by tile where tiles differ by
 * where they are, as with masks, of which some tiles then need less. */
static void choose_part(TtComputeLowering *l, TtGroup *g) {
  MlirOperation mma = g->products.n == 1 ? g->products.data[0] : (MlirOperation){NULL};
  if (mlirOperationIsNull(mma) || tt_op_dst(mma) != 0 ||
      !mlirAttributeIsNull(tt_mm_mma_spill(mma)) || !mlirOperationIsNull(g->sum) ||
      !mlirBlockEqual(mlirOperationGetBlock(mma), mlirOperationGetBlock(g->ops.data[0])))
    return;
  int64_t tiles = tt_cb_tiles(g->shape), used = tiles_used(g);
  if (used <= l->capacity || used - tiles >= l->capacity) return;
  g->in_parts = true;
  g->part = tt_sub_block(tt_cb_rows(g->shape), tt_cb_cols(g->shape), l->capacity - used + tiles);
  for (intptr_t i = 0; i < g->ops.n; ++i)
    if (tt_has_steps(g->ops.data[i])) g->part = (TtSubBlock){1, 1};
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
    return tt_error(op,
                    "(C1) no op left a block in DST tile %jd before this one; copy one there with "
                    "tt.copy_to_dst",
                    (intmax_t)tile);
  return t->used[tile] = true;
}

static bool write_tile(Tiles *t, MlirOperation op, int64_t tile) {
  if (!mlirOperationIsNull(t->writer[tile]) && !t->used[tile]) return lost(t->writer[tile]);
  if (!mlirOperationIsNull(t->writer[tile]) && needs_clean_tile(op))
    return tt_error(op,
                    "products and sums add to what is in DST; give this one a tile that nothing "
                    "wrote before, not tile %jd",
                    (intmax_t)tile);
  t->writer[tile] = op, t->used[tile] = false;
  return true;
}

static bool check_capacity(TtComputeLowering *l, MlirOperation op, int64_t tile, const char *verb) {
  if (tile >= 0 && tile < l->capacity && tile < MAX_DST_TILES) return true;
  return tt_error(op, "[rule 9] DST has %jd tiles, but this %s tile %jd", (intmax_t)l->capacity,
                  verb, (intmax_t)tile);
}

/* Tiles of products are there before the group, and only their first one has a name; so it is with
 * a product that is added to the group. */
static bool note_products(Tiles *tiles, const TtGroup *g) {
  if (!mlirOperationIsNull(g->sum)) {
    TtProductShape s = tt_product_shape(g->sum);
    for (int64_t t = tt_op_dst(g->sum) + 1; t < tt_op_dst(g->sum) + s.r * s.c && t < MAX_DST_TILES;
         ++t)
      tiles->used[t] = tiles->inner[t] = true;
  }
  for (intptr_t i = 0; i < g->products.n; ++i) {
    MlirOperation op = g->products.data[i];
    TtProductShape s = tt_product_shape(op);
    int64_t dst = tt_int(tt_mm_mma_dst(op)),
            n = g->in_parts ? g->part.rows * g->part.cols : s.r * s.c;
    for (int64_t t = dst; t < dst + n && t < MAX_DST_TILES; ++t) {
      tiles->writer[t] = op;
      tiles->used[t] = t > dst;
      tiles->inner[t] = t > dst;
    }
  }
  return true;
}

static bool check_tiles(TtComputeLowering *l, const TtGroup *g) {
  Tiles tiles = {.used = {false}};
  note_products(&tiles, g);
  for (intptr_t i = 0; i < g->ops.n; ++i) {
    MlirOperation op = g->ops.data[i];
    int64_t dst = tt_slot_of(g, tt_op_dst(op));
    if (!check_capacity(l, op, dst, "writes")) return false;
    if (tiles.inner[dst])
      return tt_error(op, "tile %jd of DST is part of a product's result", (intmax_t)dst);
    if (g->products.n > 0 && needs_clean_tile(op))
      return tt_error(op, "products and sums add to what is in DST, so they do not follow another "
                          "product there; pack that first");
    MlirAttribute sources = tt_dst_sources(op);
    intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
    for (intptr_t j = 0; j < n; ++j) {
      int64_t source = tt_slot_of(g, mlirDenseI64ArrayGetElement(sources, j));
      if (!check_capacity(l, op, source, "reads") || !use_tile(&tiles, op, source)) return false;
    }
    if (tt_works_in_place(op) && !use_tile(&tiles, op, dst)) return false;
    if (!write_tile(&tiles, op, dst)) return false;
  }
  MlirOperation last = mlirOperationIsNull(g->pack) ? g->ops.data[g->ops.n - 1] : g->pack;
  int64_t packed = tt_slot_of(g, tt_op_dst(last));
  if (!check_capacity(l, last, packed, "packs")) return false;
  if (g->products.n > 0 && mlirOperationIsNull(tt_product_at(g, packed)))
    return tt_error(last,
                    "what follows a product is packed from the product's tile; copy tile %jd "
                    "there with tt.sfpu.combine copy",
                    (intmax_t)packed);
  tiles.used[packed] = true;
  for (int t = 0; t < MAX_DST_TILES; ++t)
    if (!mlirOperationIsNull(tiles.writer[t]) && !tiles.used[t]) return lost(tiles.writer[t]);
  return true;
}

/*===- Blocks -----------------------------------------------------------------------------===*/

static bool check_shapes(const TtGroup *g) {
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
      case TT_ACCESS_PART: fits = r >= tt_cb_rows(out) && c >= tt_cb_cols(out); break;
      case TT_ACCESS_INSET: fits = r <= tt_cb_rows(out) && c <= tt_cb_cols(out); break;
      case TT_ACCESS_REDUCED_ROW: fits = r == tt_cb_rows(out) && tt_cb_cols(out) == 1; break;
      case TT_ACCESS_REDUCED_COL: fits = c == tt_cb_cols(out) && tt_cb_rows(out) == 1; break;
      default: break;
      }
      if (!fits)
        return tt_error(g->ops.data[i], "operand and result differ in their number of tiles");
    }
  }
  return true;
}

/* The packer keeps to what a reduction set until it is ended, and so do the sources. */
static bool check_max(const TtGroup *g) {
  MlirOperation max = {NULL};
  for (intptr_t i = 0; i < g->ops.n; ++i)
    if (tt_is_max_block(g->ops.data[i])) max = g->ops.data[i];
  for (intptr_t i = 0; !mlirOperationIsNull(max) && i < g->ops.n; ++i)
    if (!tt_is_sfpu_block(g->ops.data[i]) && !tt_op_eq(g->ops.data[i], max))
      return tt_error(g->ops.data[i],
                      "[rule 14] this works in DST beside a reduction to the largest "
                      "element; pack one of them to a circular buffer first");
  return true;
}

bool tt_read_group(TtComputeLowering *l, MlirOperation op, TtGroup *g) {
  TtOps products = resident_products(l, op);
  if ((tt_works_in_place(op) || tt_op_info(op)->dst_sources) && products.n == 0)
    return tt_error(op, "(C1) no op left a block in DST before this one; copy one there with "
                        "tt.copy_to_dst");
  if (!collect_group(l->arena, op, g)) return false;
  g->products = products;
  if (!check_products(g)) return false;
  choose_part(l, g);
  clear_between(l->arena, g);
  return check_tiles(l, g) && check_shapes(g) && check_max(g);
}
