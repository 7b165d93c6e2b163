/*===- sums.c - where the sum of a product is, and how long -----------------------------------===
 *
 * A walk over each block, from its last op to the first, knows what follows every op:
 *
 *   tt.mm.mma …, dst = 0            packs: 0 -> the tt.pack_to_cb; next: none
 *   tt.pack_to_cb dst = 0 -> %x     packs: none; next: tt.fpu.add, which uses no tile of DST
 *   tt.fpu.add %x, %y … -> %z
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/sums.h"

#include "Dialect/op_info.h"

bool tt_is_block_compute(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  return info->level == TT_LEVEL_PROTOCOL_FREE && info->role == TT_ROLE_COMPUTE;
}

bool tt_packs_block(MlirOperation op) {
  return tt_is_block_compute(op) && !tt_is_null_value(tt_traffic(op).out);
}

/* A block op that computes in DST. */
static bool computes(MlirOperation op) { return tt_op_info(op)->does == TT_ACT_COMPUTE; }

bool tt_works_in_place(MlirOperation op) { return tt_changes_dst(op); }

MlirAttribute tt_dst_sources(MlirOperation op) {
  const char *name = tt_op_info(op)->dst_sources;
  return name ? tt_op_attr(op, name) : mlirAttributeGetNull();
}

/*===- What follows an op --------------------------------------------------------------------===*/

/* A tile of DST, and the op that packs it. */
typedef struct Tile {
  int64_t dst;
  MlirOperation pack;
  const struct Tile *next;
} Tile;

static const Tile *find_tile(const Tile *list, int64_t dst) {
  while (list && list->dst != dst) list = list->next;
  return list;
}

/* What follows an op in its block and, where that does not say it, in those around it. */
typedef struct Future {
  const Tile *packs; /* before the next op that computes and is no product */
  bool computed;     /* whether there is such an op; then, in the section that starts there: */
  const Tile *used;  /* the tiles of DST that it goes on with, */
  MlirOperation end; /* and what packs at its end, or null */
  const struct Future *outer;
} Future;

typedef struct Walk {
  TtSumMap *sums;
  const Tile *used; /* as in a Future, of all ops from here on */
  MlirOperation end;
} Walk;

static const Tile *add_tile(TtArena *arena, const Tile *list, int64_t dst, MlirOperation pack) {
  Tile *tile = tt_arena_alloc(arena, sizeof *tile);
  *tile = (Tile){dst, pack, list};
  return tile;
}

static void use_tile(Walk *w, int64_t dst) {
  if (!find_tile(w->used, dst))
    w->used = add_tile(w->sums->arena, w->used, dst, (MlirOperation){NULL});
}

/* The section that starts with `op`: its tiles, and its end. */
static void note_section(Walk *w, MlirOperation op) {
  if (tt_packs_block(op)) w->used = NULL, w->end = op;
  MlirAttribute sources = tt_dst_sources(op);
  intptr_t n = mlirAttributeIsNull(sources) ? 0 : mlirDenseArrayGetNumElements(sources);
  for (intptr_t i = 0; i < n; ++i) use_tile(w, mlirDenseI64ArrayGetElement(sources, i));
  if (tt_works_in_place(op)) use_tile(w, tt_op_dst(op));
}

static void note_product(TtSumMap *sums, MlirOperation mma, const Future *f) {
  int64_t dst = tt_int(tt_mm_mma_dst(mma));
  for (; f; f = f->outer) {
    const Tile *tile = find_tile(f->packs, dst);
    if (!tile && !f->computed) continue;
    /* It goes on with what is in DST, or replaces it. */
    MlirOperation pack = tile                      ? tile->pack
                         : find_tile(f->used, dst) ? f->end
                                                   : (MlirOperation){NULL};
    if (mlirOperationIsNull(pack)) return;
    tt_op_map_set(sums->arena, &sums->packs, mma, (int)sums->ops.n);
    tt_ops_add(sums->arena, &sums->ops, pack);
    tt_ops_add(sums->arena, &sums->products, mma);
    return;
  }
}

static void walk_block(TtSumMap *sums, MlirBlock block, const Future *outer) {
  TtOps ops = {NULL, 0, 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op))
    tt_ops_add(sums->arena, &ops, op);
  Walk w = {sums, NULL, {NULL}};
  Future f = {NULL, false, NULL, {NULL}, outer};
  for (intptr_t i = ops.n; i-- > 0;) {
    MlirOperation op = ops.data[i];
    if (tt_mm_mma_isa(op)) note_product(sums, op, &f);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
           !mlirBlockIsNull(body); body = mlirBlockGetNextInRegion(body))
        walk_block(sums, body, &f);
    if (tt_is_block_compute(op)) note_section(&w, op);
    if (tt_op_info(op)->does == TT_ACT_PACK_BLOCK)
      f.packs = add_tile(sums->arena, f.packs, tt_op_dst(op), op);
    else if (computes(op) && !tt_mm_mma_isa(op)) f = (Future){NULL, true, w.used, w.end, outer};
  }
}

TtSumMap tt_analyze_sums(TtArena *arena, MlirOperation func) {
  TtSumMap sums = {.arena = arena};
  walk_block(&sums, tt_body(func), NULL);
  return sums;
}

MlirOperation tt_pack_after(const TtSumMap *sums, MlirOperation mma) {
  int at = tt_op_map_get(&sums->packs, mma);
  return at < 0 ? (MlirOperation){NULL} : sums->ops.data[at];
}

/*===- Sums that stay in DST -----------------------------------------------------------------===*/

static bool fits(MlirOperation mma, int64_t capacity) {
  TtProductShape s = tt_product_shape(mma);
  return tt_int(tt_mm_mma_dst(mma)) + s.r * s.c <= capacity;
}

/* The outermost loop of a product's sum, or the product itself; null where nothing packs it. */
static MlirOperation sum_of(const TtSumMap *sums, MlirOperation mma) {
  MlirOperation pack = tt_pack_after(sums, mma);
  if (mlirOperationIsNull(pack)) return pack;
  return tt_ancestor_in(mlirOperationGetBlock(pack), mma);
}

/* Whether nothing in `loop` computes but products that are summed over it. */
static bool holds_sums_only(TtSumMap *sums, MlirOperation loop, int64_t capacity) {
  int known = tt_op_map_get(&sums->shared, loop);
  if (known >= 0) return known;
  bool only = true;
  TtOps ops = tt_collect(sums->arena, loop, NULL);
  for (intptr_t i = 0; only && i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!computes(op)) continue;
    only = tt_mm_mma_isa(op) && tt_is_null_value(tt_mm_mma_out(op)) && fits(op, capacity) &&
           tt_op_eq(sum_of(sums, op), loop);
  }
  tt_op_map_set(sums->arena, &sums->shared, loop, only);
  return only;
}

/* Whether a product's sum may stay in DST while all that computes there does. */
static bool may_stay(TtSumMap *sums, MlirOperation mma, int64_t capacity) {
  if (!fits(mma, capacity)) return false;
  MlirOperation loop = sum_of(sums, mma);
  return mlirOperationIsNull(loop) || holds_sums_only(sums, loop, capacity);
}

/* The time in which DST holds a sum, or several: from one op of a block to a later one. */
typedef struct Span {
  MlirOperation from, to;
} Span;

static bool overlap(const Span *a, const Span *b) {
  return mlirBlockEqual(mlirOperationGetBlock(a->from), mlirOperationGetBlock(b->from)) &&
         tt_is_before(a->from, b->to) && tt_is_before(b->from, a->to);
}

/* Adds the sums that DST holds at some time of the span, and those that it holds with them; false
 * where one of these cannot stay. */
static bool widen(TtSumMap *sums, Span *span, int64_t capacity) {
  for (bool wider = true; wider;) {
    wider = false;
    for (intptr_t i = 0; i < sums->products.n; ++i) {
      MlirOperation mma = sums->products.data[i];
      if (!tt_is_null_value(tt_mm_mma_out(mma))) continue;
      Span other = {sum_of(sums, mma), sums->ops.data[i]};
      if (mlirOperationIsNull(other.from) || !overlap(span, &other)) continue;
      if (!may_stay(sums, mma, capacity)) return false;
      if (tt_is_before(other.from, span->from)) span->from = other.from, wider = true;
      if (tt_is_before(span->to, other.to)) span->to = other.to, wider = true;
    }
  }
  return true;
}

bool tt_must_spill(TtSumMap *sums, MlirOperation mma, int64_t capacity) {
  if (!fits(mma, capacity)) return true;
  if (!tt_is_null_value(tt_mm_mma_out(mma))) return false;
  Span span = {sum_of(sums, mma), tt_pack_after(sums, mma)};
  if (mlirOperationIsNull(span.from)) return false;
  return !may_stay(sums, mma, capacity) || !widen(sums, &span, capacity);
}
