/*===- place_order.c - tiles of a block in another order --------------------------------------===
 *
 *   for %j < 32 {                     each op takes tile %j of blocks, or the next one, and packs
 *     mul_tiles_bcast_rows %x, %w, 0, %j, 0          tile %j of its result
 *     pack_to_cb → %y }
 *
 * A kernel of such loops gives the same in any order of the tiles, if all of its blocks have them
 * in that order. Where %w stays in its own, the op takes the tile that belongs to %j.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/place_order.h"

#include "Support/gcd.h"

/*===- Whether order matters -----------------------------------------------------------------===*/

/* One tile; a block in the new order, from a mover or of the kernel's own; one that stays. */
typedef enum Kind { ONE, ORDERED, ASIDE } Kind;

typedef struct Check {
  TtArena *arena;
  MlirOperation program, units;
  const TtFlows *flows;
  int64_t tiles;
  TtOps ops;
} Check;

/* The loop of a unit that an op is in, or null; false where it is deeper, or in a branch. */
static bool loop_around(const Check *c, MlirOperation op, MlirOperation *loop) {
  MlirOperation p = tt_parent(op);
  *loop = (MlirOperation){NULL};
  if (tt_op_eq(p, c->units) || tt_op_eq(op, c->units) || tt_op_eq(p, tt_parent(c->units)))
    return true;
  *loop = p;
  return tt_op_is(p, "scf.for") && tt_op_eq(tt_parent(p), c->units);
}

static bool has_act_on(const Check *c, MlirOperation loop, TtAct does, MlirOperation cb) {
  for (intptr_t i = 0; i < c->ops.n; ++i) {
    MlirOperation op = c->ops.data[i];
    if (tt_op_eq(tt_parent(op), loop) && tt_op_info(op)->does == does &&
        mlirOperationGetNumOperands(op) > 0 &&
        tt_op_eq(tt_cb_decl(c->program, mlirOperationGetOperand(op, 0)), cb))
      return true;
  }
  return false;
}

/* A loop of the unit that pushes a tile of this a round. */
static bool is_filled_in_loop(const Check *c, MlirOperation cb) {
  MlirOperation loop;
  for (intptr_t i = 0; i < c->ops.n; ++i)
    if (tt_op_info(c->ops.data[i])->does == TT_ACT_PUSH && loop_around(c, c->ops.data[i], &loop) &&
        !mlirOperationIsNull(loop) && has_act_on(c, loop, TT_ACT_PUSH, cb))
      return true;
  return false;
}

static Kind kind_of(const Check *c, MlirOperation cb) {
  for (int i = 0; i < c->flows->n; ++i)
    if (tt_op_eq(c->flows->data[i].cb, cb))
      return c->flows->data[i].tiles == 1 ? ONE : c->flows->data[i].aside ? ASIDE : ORDERED;
  return is_filled_in_loop(c, cb) ? ORDERED : ONE;
}

static bool is_constant(MlirValue value, int64_t expected) {
  int64_t is;
  return tt_constant(value, &is) && is == expected;
}

/* Counts of pages: a tile a round, a block around the loops. */
static bool counts_pages(const Check *c, MlirOperation op, MlirOperation loop) {
  MlirOperation cb = tt_cb_decl(c->program, mlirOperationGetOperand(op, 0));
  Kind kind = kind_of(c, cb);
  MlirValue count = mlirOperationGetOperand(op, 1);
  int64_t any;
  if (!mlirOperationIsNull(loop)) return kind == ORDERED && is_constant(count, 1);
  return kind == ONE ? tt_constant(count, &any) : is_constant(count, c->tiles);
}

static bool takes_its_tile(const Check *c, MlirOperation op, int read, MlirOperation loop) {
  const TtOpInfo *info = tt_op_info(op);
  MlirOperation cb = tt_cb_decl(c->program, tt_op_reads(op, read));
  MlirValue tile = tt_operand_at(op, info->tiles[read]);
  int64_t any;
  if (tt_is_null_value(tile)) return false;
  Kind kind = kind_of(c, cb);
  if (kind == ONE) return tt_constant(tile, &any);
  if (mlirOperationIsNull(loop) || has_act_on(c, loop, TT_ACT_PUSH, cb)) return false;
  return kind == ORDERED && has_act_on(c, loop, TT_ACT_POP, cb)
             ? is_constant(tile, 0)
             : tt_value_eq(tile, tt_for_iv(loop));
}

static bool packs_its_tile(const Check *c, MlirOperation op, MlirOperation loop) {
  MlirValue filled = tt_op_fills(op);
  if (tt_is_null_value(filled)) return false;
  Kind kind = kind_of(c, tt_cb_decl(c->program, filled));
  return mlirOperationIsNull(loop) ? kind == ONE : kind == ORDERED;
}

/* The variable of its loop numbers tiles, and nothing else. */
static bool only_numbers_tiles(MlirOperation op, MlirOperation loop) {
  const TtOpInfo *info = tt_op_info(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!tt_value_eq(mlirOperationGetOperand(op, i), tt_for_iv(loop))) continue;
    bool numbers = false;
    for (int k = 0; k < info->num_reads; ++k) numbers |= tt_operand_number(op, info->tiles[k]) == i;
    if (!numbers) return false;
  }
  return true;
}

static bool packs(const Check *c, MlirOperation loop) {
  for (intptr_t i = 0; i < c->ops.n; ++i)
    if (tt_op_eq(tt_parent(c->ops.data[i]), loop) && !tt_is_null_value(tt_op_fills(c->ops.data[i])))
      return true;
  return false;
}

static bool is_loop_over_block(const Check *c, MlirOperation op) {
  return tt_op_is(op, "scf.for") && is_constant(mlirOperationGetOperand(op, 0), 0) &&
         is_constant(mlirOperationGetOperand(op, 1), c->tiles) &&
         is_constant(mlirOperationGetOperand(op, 2), 1) && mlirOperationGetNumResults(op) == 0;
}

static bool takes_any_order(const Check *c, MlirOperation op) {
  MlirOperation loop;
  const TtOpInfo *info = tt_op_info(op);
  if (!loop_around(c, op, &loop)) return false;
  bool in_loop = !mlirOperationIsNull(loop);
  if (mlirOperationGetNumRegions(op) > 0)
    return tt_op_eq(op, c->units) || (!in_loop && is_loop_over_block(c, op));
  if (in_loop && !only_numbers_tiles(op, loop)) return false;
  switch (info->does) {
  case TT_ACT_RESERVE:
  case TT_ACT_PUSH:
  case TT_ACT_WAIT:
  case TT_ACT_POP: return counts_pages(c, op, loop);
  default: break;
  }
  if (info->level == TT_LEVEL_OTHER || info->level == TT_LEVEL_PROTOCOL_FREE)
    return mlirOperationGetNumResults(op) > 0 || tt_is_terminator(op) || info->num_reads == 0;
  for (int i = 0; i < info->num_reads; ++i)
    if (!takes_its_tile(c, op, i, loop)) return false;
  if (!tt_is_null_value(tt_op_fills(op))) return packs_its_tile(c, op, loop);
  /* What a loop that packs nothing keeps in DST are sums and maxima. */
  if (in_loop && tt_is_tile_math(op) && !packs(c, loop)) return info->dst_use == TT_DST_USE_ADDS;
  return true;
}

bool tt_takes_any_order(TtArena *arena, MlirOperation program, MlirOperation compute,
                        const TtFlows *flows, const TtPlaceOrder *order) {
  Check c = {.arena = arena,
             .program = program,
             .flows = flows,
             .tiles = order->rows * order->cols,
             .ops = tt_collect(arena, compute, NULL)};
  for (intptr_t i = 0; i < c.ops.n; ++i) {
    if (!tt_op_is(c.ops.data[i], "scf.for") || !tt_op_eq(tt_parent(c.ops.data[i]), compute))
      continue;
    if (!mlirOperationIsNull(c.units)) return false;
    c.units = c.ops.data[i];
  }
  if (mlirOperationIsNull(c.units)) return false;
  for (intptr_t i = 0; i < c.ops.n; ++i)
    if (!takes_any_order(&c, c.ops.data[i])) return false;
  return true;
}

/*===- The other order -----------------------------------------------------------------------===*/

/* `at` of n, so that `step` lies between one and the next. */
static MlirValue in_steps(TtBuilder *b, MlirLocation loc, MlirValue at, int64_t n, int64_t step) {
  int64_t round = n / tt_gcd(step, n);
  MlirValue first = round == n ? at : tt_rem(b, loc, at, tt_index(b, loc, round));
  first = tt_rem(b, loc, tt_mul(b, loc, first, tt_index(b, loc, step)), tt_index(b, loc, n));
  return round == n ? first : tt_add(b, loc, first, tt_div(b, loc, at, tt_index(b, loc, round)));
}

/* How many columns further on the next line of cores begins: two fifths of the banks, and prime to
 * their number, so that lines near each other begin at other banks (Wormhole: 5, Blackhole: 3). */
static int64_t between_lines(int64_t banks) {
  int64_t n = 2 * banks / 5;
  while (tt_gcd(n, banks) != 1) ++n;
  return n;
}

/* The columns that a core is ahead of the first one. */
static MlirValue start_of_core(TtBuilder *b, MlirLocation loc, const TtPlaceOrder *o,
                               MlirValue start) {
  MlirValue line = tt_index(b, loc, o->line), turn = tt_rem(b, loc, start, line);
  if (o->by_rows) return turn;
  return tt_add(
      b, loc, turn,
      tt_mul(b, loc, tt_div(b, loc, start, line), tt_index(b, loc, between_lines(o->step))));
}

/* Row and column of the tile that comes at `place`. */
static void place_to_tile(TtBuilder *b, MlirLocation loc, const TtPlaceOrder *o, MlirValue place,
                          MlirValue start, MlirValue *row, MlirValue *col) {
  MlirValue rows = tt_index(b, loc, o->rows), cols = tt_index(b, loc, o->cols),
            turn = start_of_core(b, loc, o, start), at = place;
  if (o->by_rows) {
    *row = in_steps(b, loc, tt_rem(b, loc, place, rows), o->rows, o->step);
    at = tt_div(b, loc, place, rows);
  } else {
    *row = o->rows == 1 ? tt_index(b, loc, 0) : tt_div(b, loc, place, cols);
    if (o->rows > 1) at = tt_rem(b, loc, place, cols);
    at = in_steps(b, loc, at, o->cols, o->step);
  }
  *col = tt_rem(b, loc, tt_add(b, loc, at, turn), cols);
  MlirOperation named = tt_defining_op(*col);
  if (!mlirOperationIsNull(named) && tt_op_is(named, "arith.remui")) tt_name_hint(named, "col");
}

/* `value` with these in place of the variables of a transfer's loops. */
static MlirValue with_tile(TtBuilder *b, MlirLocation loc, const TtFlow *f, MlirValue value,
                           MlirValue row, MlirValue col) {
  for (int i = 0; i < f->num_loops; ++i) {
    if (!tt_value_eq(value, tt_for_iv(f->loops[i]))) continue;
    if (i == f->num_loops - 1 && i >= f->first_col) return col;
    return i == f->first_col - 1 ? row : tt_index(b, loc, 0);
  }
  MlirOperation op = tt_defining_op(value);
  bool adds = !mlirOperationIsNull(op) && tt_op_is(op, "arith.addi"),
       multiplies = !mlirOperationIsNull(op) && tt_op_is(op, "arith.muli");
  if (!adds && !multiplies) return value;
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1),
            new_x = with_tile(b, loc, f, x, row, col), new_y = with_tile(b, loc, f, y, row, col);
  if (tt_value_eq(x, new_x) && tt_value_eq(y, new_y)) return value;
  return adds ? tt_add(b, loc, new_x, new_y) : tt_mul(b, loc, new_x, new_y);
}

void tt_order_flow(TtArena *arena, const TtFlow *f, const TtPlaceOrder *order, MlirValue start) {
  (void)arena;
  MlirLocation loc = mlirOperationGetLocation(f->op);
  TtBuilder b = tt_builder_before(f->op);
  MlirValue place = tt_index(&b, loc, 0), row, col;
  for (int i = 0; i < f->num_loops; ++i)
    place = tt_add(&b, loc, tt_mul(&b, loc, place, tt_index(&b, loc, f->trips[i])),
                   tt_for_iv(f->loops[i]));
  place_to_tile(&b, loc, order, place, start, &row, &col);
  mlirOperationSetOperand(f->op, 0, with_tile(&b, loc, f, f->tile, row, col));
}

void tt_order_compute(TtArena *arena, MlirOperation program, MlirOperation compute,
                      const TtFlows *flows, const TtPlaceOrder *order, MlirValue start) {
  Check c = {
      .arena = arena, .program = program, .flows = flows, .ops = tt_collect(arena, compute, NULL)};
  MlirOperation in = {NULL};
  MlirValue row, col, tile = {NULL};
  for (intptr_t i = 0; i < c.ops.n; ++i) {
    MlirOperation op = c.ops.data[i], loop = tt_parent(op);
    const TtOpInfo *info = tt_op_info(op);
    for (int k = 0; k < info->num_reads; ++k) {
      MlirValue cb = tt_op_reads(op, k);
      bool aside = false;
      for (int n = 0; n < flows->n; ++n)
        aside |= flows->data[n].aside && flows->data[n].tiles > 1 &&
                 tt_op_eq(flows->data[n].cb, tt_cb_decl(program, cb));
      if (!aside) continue;
      if (!tt_op_eq(in, loop)) {
        TtBuilder b = tt_builder_at_start(tt_for_body(loop));
        MlirLocation loc = mlirOperationGetLocation(op);
        place_to_tile(&b, loc, order, tt_for_iv(loop), start, &row, &col);
        tile = tt_add(&b, loc, tt_mul(&b, loc, row, tt_index(&b, loc, order->cols)), col);
        in = loop;
      }
      mlirOperationSetOperand(op, tt_operand_number(op, info->tiles[k]), tile);
    }
  }
}
