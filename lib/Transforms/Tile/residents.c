/*===- residents.c - products that the next op takes from DST --------------------------------===
 *
 *   tt.mm.mma %a, %b, dst = 0, …               tt.mm.mma %a, %b, dst = 0, …
 *   tt.pack_to_cb dst = 0 -> %s         =      tt.copy_to_dst %r, dst = 4
 *   f(%s, %r) -> %c                            tt.sfpu.combine f, [0, 4], dst = 0
 *                                              tt.pack_to_cb dst = 0 -> %c
 *
 * Where nothing but f reads the product, right behind it, and DST has a tile to spare.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/expression.h"

/* Whether an op leaves DST alone: moves, arithmetic on indices, fills that are no values. */
static bool leaves_dst(TtLowering *l, MlirOperation op) {
  if (tt_is_linalg(op)) return tt_is_dead(l, op);
  if (tt_cb_view_isa(op)) return true;
  return !tt_is_block_compute(op) && mlirOperationGetNumRegions(op) == 0;
}

static bool is_resident(const TtResidents *r, MlirOperation pack) {
  for (int i = 0; i < r->n; ++i)
    if (tt_op_eq(r->buffers[i]->pack, pack)) return true;
  return false;
}

/* A product that one op reads, packed in the block of `op`. */
static bool is_candidate(TtLowering *l, const TtSpace *space, intptr_t i, const TtBuffer *b,
                         const TtBuffer *out) {
  TtSides sides;
  if (!b || b->readers != 1 || mlirOperationIsNull(b->pack) || !mlirOperationIsNull(b->copy))
    return false;
  if (!mlirBlockEqual(mlirOperationGetBlock(b->pack), mlirOperationGetBlock(space->op)))
    return false;
  if (!tt_sides_of(space, i, b->column, &sides) || sides.row != space->sides.row ||
      sides.col != space->sides.col)
    return false;
  if (tt_cb_tiles(mlirValueGetType(b->cb)) != tt_cb_tiles(mlirValueGetType(out->cb))) return false;
  TtSumMap sums = tt_analyze_sums(l->arena, l->func);
  return !tt_must_spill(&sums, b->product, l->dst_tiles);
}

/* Sums over one loop share a section of DST: all of them stay there, or none. */
static bool has_all_sums(TtLowering *l, const TtResidents *r) {
  for (int i = 0; i < r->n; ++i) {
    MlirOperation product = r->buffers[i]->product;
    MlirOperation top = tt_ancestor_in(mlirOperationGetBlock(r->buffers[i]->pack), product);
    TtOps sums = tt_collect(l->arena, top, "tt.mm.mma");
    for (intptr_t j = 0; j < sums.n; ++j) {
      bool known = false;
      for (int k = 0; k < r->n; ++k) known |= tt_op_eq(r->buffers[k]->product, sums.data[j]);
      if (!known) return false;
    }
  }
  return true;
}

TtResidents tt_find_residents(TtLowering *l, const TtSpace *space, const TtBuffer *out) {
  TtResidents none = {.n = 0}, r = none;
  intptr_t inputs = tt_linalg_num_inputs(space->op);
  if (mlirOperationGetNumOperands(space->op) != inputs + 1) return none;
  MlirOperation first = {NULL};
  for (intptr_t i = 0; i < inputs && r.n < 8; ++i) {
    TtBuffer *b = tt_buffer_of(l, mlirOperationGetOperand(space->op, i));
    if (!is_candidate(l, space, i, b, out) || is_resident(&r, b->pack)) continue;
    if (mlirOperationIsNull(first) || tt_is_before(b->pack, first)) first = b->pack;
    r.buffers[r.n++] = b;
    int64_t end = tt_int(tt_pack_to_cb_dst(b->pack)) + tt_cb_tiles(mlirValueGetType(b->cb));
    if (end > r.end) r.end = end;
  }
  if (r.n == 0 || !has_all_sums(l, &r)) return none;
  for (MlirOperation op = first; !tt_op_eq(op, space->op); op = tt_next(op))
    if (!is_resident(&r, op) && !leaves_dst(l, op)) return none;
  return r;
}
