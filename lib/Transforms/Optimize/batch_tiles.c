/*===- batch_tiles.c - --tt-batch-tiles ---------------------------------------------------------===
 *
 * Has a section of DST hold several tiles of a result, so that the engine is set to each of the ops
 * that follow each other once for all of them.
 *
 *   before  for %j < 32 {
 *             mul_tiles_bcast_cols %x, %r, %j, 0, 0      (the engine is set to this, …)
 *             cb_wait_front %w, %j + 1
 *             add_tiles_bcast_rows %zero, %w, 0, %j, 1   (… and to this)
 *             mul_binary_tile 0, 1, 0
 *             cb_reserve_back %y, 1; tt.pack_to_cb dst = 0 tiles = 1 -> %y; cb_push_back %y, 1
 *           }
 *   after   for %j < 16 {
 *             for %t < 2 { mul_tiles_bcast_cols %x, %r, %j * 2 + %t, 0, %t }
 *             cb_wait_front %w, %j * 2 + 2
 *             for %t < 2 { add_tiles_bcast_rows %zero, %w, 0, %j * 2 + %t, 2 + %t
 *                          mul_binary_tile %t, 2 + %t, %t }
 *             cb_reserve_back %y, 2; tt.pack_to_cb dst = 0 tiles = 2 -> %y; cb_push_back %y, 2
 *           }
 *
 * Each tile is computed as before, in tiles of DST of its own; a loop that only computes, with one
 * setting, as of what is summed, counts as an op. Done where the ops of a tile need the FPU or the
 * vector unit set in more than one way, or where the vector unit works on tiles that stay on the
 * core, on top of which a section takes its own time; several tiles fit DST, and some batches are
 * left, so that one is packed while the next one is computed, or the loop is one batch. Legal where
 * the pages that are moved a tile at a time lie behind each other. Changes no result.
 *
 * Requires D3, before D4.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Target/schedule.h"
#include "Transforms/Optimize/math_loop.h"
#include "Transforms/Optimize/unwrap.h"
#include "Transforms/Protocol/move.h"

#include <string.h>

static const char *const pass = "tt-batch-tiles";

/* A loop over tiles of a result. */
typedef struct Batch {
  TtArena *arena;
  MlirOperation program, loop;
  int64_t trips, tiles; /* of the loop; in a batch */
  int64_t first;        /* the tile with which it begins */
  int64_t slots;        /* tiles of DST that a tile of the result needs */
  TtOps ops;            /* of the body, in order, without its terminator */
  TtOps popped;         /* pops of a page: what they free is taken from the front */
  intptr_t settings;    /* runs of ops that need one setting of their units */
} Batch;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

/* Whether `cb` is popped a page a tile. */
static bool is_popped(const Batch *b, MlirValue cb) {
  for (intptr_t i = 0; i < b->popped.n; ++i)
    if (tt_value_eq(mlirOperationGetOperand(b->popped.data[i], 0), cb)) return true;
  return false;
}

/*===- What it is ----------------------------------------------------------------------------===*/

static bool read_bounds(Batch *b) {
  int64_t lower, step;
  return tt_constant(mlirOperationGetOperand(b->loop, 0), &lower) && lower == 0 &&
         tt_constant(mlirOperationGetOperand(b->loop, 1), &b->trips) && b->trips > 1 &&
         tt_constant(mlirOperationGetOperand(b->loop, 2), &step) && step == 1;
}

/* What an op needs of its unit. */
static const char *setting_of(const Batch *b, MlirOperation op) {
  const char *key = tt_setting(b->arena, op);
  for (int i = 0; i < tt_op_info(op)->num_reads; ++i)
    key = tt_arena_printf(b->arena, "%s %s", key, tt_handle_name(b->arena, tt_op_reads(op, i)));
  return key;
}

/* The settings of a run of ops. */
typedef struct Run {
  const char *fpu, *sfpu;
} Run;

/* Whether an op joins the run, or needs a unit set anew. */
static bool joins(const Batch *b, Run *run, MlirOperation op) {
  const char **known = tt_op_info(op)->unit == TT_UNIT_SFPU ? &run->sfpu : &run->fpu;
  const char *key = setting_of(b, op);
  bool same = !*known || strcmp(*known, key) == 0;
  if (!same) *run = (Run){NULL, NULL};
  *known = key;
  return same;
}

static bool note_slots(Batch *b, MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  intptr_t first = tt_operand_number(op, info->dst), n = mlirOperationGetNumOperands(op);
  for (intptr_t i = first; i >= 0 && i < (info->all_dst ? n : first + 1); ++i) {
    int64_t slot;
    if (!tt_constant(mlirOperationGetOperand(op, i), &slot)) return false;
    if (slot >= b->slots) b->slots = slot + 1;
  }
  return first >= 0;
}

/* A loop in the body that computes, or waits, with one setting, in tiles of DST of its own. */
static bool is_math_loop(const Batch *b, MlirOperation op) {
  const char *setting = NULL;
  if (!tt_op_is(op, "scf.for")) return false;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op)); !tt_is_terminator(in);
       in = tt_next(in)) {
    if (tt_is_index_op(in)) continue;
    if (act_of(in) == TT_ACT_WAIT && !is_popped(b, mlirOperationGetOperand(in, 0))) continue;
    if (act_of(in) != TT_ACT_MATH) return false;
    for (int i = 0; i < tt_op_info(in)->num_reads; ++i)
      if (is_popped(b, tt_op_reads(in, i))) return false;
    const char *key = setting_of(b, in);
    if (setting && strcmp(setting, key) != 0) return false;
    setting = key;
  }
  return setting != NULL;
}

/* What computes in the body: the op, or the first one in a loop that only computes. */
static MlirOperation math_of(const Batch *b, MlirOperation op) {
  if (act_of(op) == TT_ACT_MATH || !is_math_loop(b, op)) return op;
  MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op));
  while (act_of(in) != TT_ACT_MATH) in = tt_next(in);
  return in;
}

static bool note_all_slots(Batch *b, MlirOperation op) {
  if (act_of(op) == TT_ACT_MATH) return note_slots(b, op);
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op)); !tt_is_terminator(in);
       in = tt_next(in))
    if (act_of(in) == TT_ACT_MATH && !note_slots(b, in)) return false;
  return true;
}

/* Whether math is what takes long: the vector unit works for a hundred clk and more on a tile, and
 * a section's own time comes on top. Results that leave the core go as they come. */
static bool waits_for_math(const Batch *b) {
  bool vector = false, stays = false;
  for (intptr_t i = 0; i < b->ops.n; ++i) {
    MlirOperation op = b->ops.data[i];
    vector |= tt_op_info(op)->unit == TT_UNIT_SFPU && act_of(op) == TT_ACT_MATH;
    if (tt_pack_to_cb_isa(op))
      stays = tt_circular_buffer_role(tt_cb_decl(b->program, tt_pack_to_cb_out(op))) ==
              TT_CB_ROLE_INTERMEDIATE;
  }
  return vector && stays;
}

static bool read_body(Batch *b) {
  intptr_t packs = 0;
  Run run = {NULL, NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(b->loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    tt_ops_add(b->arena, &b->ops, op);
    if (act_of(op) == TT_ACT_POP) tt_ops_add(b->arena, &b->popped, op);
  }
  for (intptr_t i = 0; i < b->ops.n; ++i) {
    MlirOperation op = b->ops.data[i], math = math_of(b, op);
    switch (act_of(math)) {
    case TT_ACT_MATH:
      if (!note_all_slots(b, op)) return false;
      if (!joins(b, &run, math) || b->settings == 0) ++b->settings;
      break;
    case TT_ACT_PACK_BLOCK:
      if (!tt_pack_to_cb_isa(op) || tt_int(tt_pack_to_cb_tiles(op)) != 1 ||
          !tt_is_null_value(tt_pack_to_cb_place(op)) || ++packs > 1)
        return false;
      break;
    case TT_ACT_RESERVE:
    case TT_ACT_PUSH:
    case TT_ACT_POP:
      if (!tt_counts_one(op)) return false;
      break;
    case TT_ACT_WAIT:
      if (is_popped(b, mlirOperationGetOperand(op, 0)) && !tt_counts_one(op)) return false;
      break;
    default:
      if (!tt_is_index_op(op)) return false;
    }
  }
  return packs == 1 && (b->settings > 1 || (b->settings == 1 && waits_for_math(b)));
}

/* Pages that are moved one by one lie behind each other in a batch of `tiles`: batches divide the
 * circular buffer, or the loop moves whole blocks, in which batches begin. And waits for pages on
 * top of those that are there are for as many each time, [rule 3]. */
static bool pages_fit(const Batch *b, int64_t tiles) {
  for (intptr_t i = 0; i < b->ops.n; ++i) {
    TtAct does = act_of(b->ops.data[i]);
    int64_t all;
    if (does == TT_ACT_WAIT && b->trips % tiles != 0 &&
        !tt_constant(mlirOperationGetOperand(b->ops.data[i], 1), &all))
      return false;
    if (does != TT_ACT_PUSH && does != TT_ACT_POP) continue;
    MlirOperation cb = tt_cb_decl(b->program, mlirOperationGetOperand(b->ops.data[i], 0));
    int64_t pages = tt_int(tt_circular_buffer_pages(cb)),
            block = tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(cb)));
    bool divide = pages % tiles == 0 && block % tiles == 0 && b->trips % tiles == 0,
         whole = block == b->trips && pages % block == 0;
    if (!divide && !whole) return false;
  }
  return true;
}

/* The most tiles that divide the loop; or, where these are few, as of a prime number, about as many
 * as there is room for, and the last batch is shorter. A loop that DST holds as a whole is one
 * batch: what is set once more takes longer than the packer would have worked at the same time. */
static int64_t choose(const Batch *b) {
  int64_t most = tt_dst_capacity(b->program) / b->slots;
  if (b->settings > 1 && most >= b->trips && pages_fit(b, b->trips)) return b->trips;
  if (most > b->trips / TT_LEAST_BATCHES) most = b->trips / TT_LEAST_BATCHES;
  if (most < 1) most = 1;
  int64_t even = most, uneven = tt_part_of(1, b->trips, most).cols;
  while (even > 1 && (b->trips % even != 0 || !pages_fit(b, even))) --even;
  return uneven > even && pages_fit(b, uneven) ? uneven : even;
}

/*===- The batch -----------------------------------------------------------------------------===*/

/* Copies of the body's index arithmetic, made at `at` for tile `iv` of the result. */
typedef struct Copies {
  MlirValue *from, *to;
  intptr_t n;
} Copies;

static MlirValue copy_of(const Copies *c, MlirValue value) {
  for (intptr_t i = 0; i < c->n; ++i)
    if (tt_value_eq(c->from[i], value)) return c->to[i];
  return value;
}

static MlirOperation copy_op(TtBuilder *at, const Copies *c, MlirOperation op) {
  MlirOperation copy = tt_builder_insert(at, mlirOperationClone(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, copy_of(c, mlirOperationGetOperand(copy, i)));
  return copy;
}

/* What arithmetic stands before `end`; what is not used is erased in the end. */
static Copies copy_indices(const Batch *b, TtBuilder *at, MlirValue iv, MlirOperation end) {
  Copies c = {tt_arena_alloc(b->arena, (size_t)(b->ops.n + 1) * sizeof *c.from),
              tt_arena_alloc(b->arena, (size_t)(b->ops.n + 1) * sizeof *c.to), 1};
  c.from[0] = tt_for_iv(b->loop), c.to[0] = iv;
  for (intptr_t i = 0; i < b->ops.n && !tt_op_eq(b->ops.data[i], end); ++i) {
    MlirOperation op = b->ops.data[i];
    if (!tt_is_index_op(op) || mlirOperationGetNumResults(op) != 1) continue;
    c.from[c.n] = mlirOperationGetResult(op, 0);
    c.to[c.n] = mlirOperationGetResult(copy_op(at, &c, op), 0);
    ++c.n;
  }
  return c;
}

/* Tile `%j * tiles + t` of the result. */
static MlirValue tile_of(const Batch *b, TtBuilder *at, MlirLocation loc, MlirValue t) {
  if (b->tiles == b->trips) return tt_add(at, loc, t, tt_index(at, loc, b->first));
  return tt_add(at, loc, tt_mul(at, loc, tt_for_iv(b->loop), tt_index(at, loc, b->tiles)), t);
}

/* Has a copy of an op work in tile `t` of the batch. */
static void use_tiles(const Batch *b, MlirOperation op, MlirOperation copy, MlirValue t) {
  MlirLocation loc = mlirOperationGetLocation(op);
  const TtOpInfo *info = tt_op_info(op);
  TtBuilder at = tt_builder_before(copy);
  intptr_t first = tt_operand_number(op, info->dst), n = mlirOperationGetNumOperands(op);
  for (intptr_t i = first; i < (info->all_dst ? n : first + 1); ++i) {
    int64_t slot = 0;
    tt_constant(mlirOperationGetOperand(op, i), &slot);
    mlirOperationSetOperand(copy, i, tt_add(&at, loc, t, tt_index(&at, loc, slot * b->tiles)));
  }
  for (int i = 0; i < info->num_reads; ++i) {
    intptr_t tile = tt_operand_number(op, info->tiles[i]);
    if (tile >= 0 && is_popped(b, tt_op_reads(op, i))) mlirOperationSetOperand(copy, tile, t);
  }
}

/* An op for tile `t` of the batch, or a loop of such. */
static void copy_math(const Batch *b, TtBuilder at, MlirOperation op, MlirValue t) {
  Copies c = copy_indices(b, &at, tile_of(b, &at, mlirOperationGetLocation(op), t), op);
  MlirOperation copy = copy_op(&at, &c, op);
  if (act_of(op) == TT_ACT_MATH) {
    use_tiles(b, op, copy, t);
    return;
  }
  MlirOperation from = mlirBlockGetFirstOperation(tt_for_body(op)),
                to = mlirBlockGetFirstOperation(tt_for_body(copy));
  for (; !tt_is_terminator(from); from = tt_next(from), to = tt_next(to)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(to); ++i)
      mlirOperationSetOperand(to, i, copy_of(&c, mlirOperationGetOperand(to, i)));
    if (act_of(from) == TT_ACT_MATH) use_tiles(b, from, to, t);
  }
}

/* An op that counts pages, for all of the batch. */
static void copy_count(const Batch *b, TtBuilder *at, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  bool one_by_one = act_of(op) != TT_ACT_WAIT || is_popped(b, mlirOperationGetOperand(op, 0));
  Copies c = copy_indices(b, at, tile_of(b, at, loc, tt_index(at, loc, b->tiles - 1)), op);
  MlirOperation copy = copy_op(at, &c, op);
  TtBuilder before = tt_builder_before(copy);
  if (one_by_one) mlirOperationSetOperand(copy, 1, tt_index(&before, loc, b->tiles));
  else {
    MlirValue simple =
        tt_exact_quotient(b->arena, &before, loc, mlirOperationGetOperand(copy, 1), 1);
    if (!tt_is_null_value(simple)) mlirOperationSetOperand(copy, 1, simple);
  }
}

static void copy_pack(const Batch *b, TtBuilder *at, MlirOperation op) {
  tt_pack_to_cb_create(at, mlirOperationGetLocation(op), tt_int(tt_pack_to_cb_dst(op)) * b->tiles,
                       tt_i64_attr(at->context, b->tiles), tt_pack_to_cb_out(op),
                       (MlirValue){NULL});
}

/* `gone` gains the ops that are erased. */
static void make_batches(Batch *b, TtOpMap *gone) {
  MlirLocation loc = mlirOperationGetLocation(b->loop);
  TtBuilder before = tt_builder_before(b->loop),
            at = tt_builder_at_terminator(tt_for_body(b->loop)), inner = at;
  MlirValue t = {NULL};
  Run run = {NULL, NULL};
  mlirOperationSetOperand(b->loop, 1, tt_index(&before, loc, b->trips / b->tiles));
  tt_name_hint(b->loop, "batch");
  for (intptr_t i = 0; i < b->ops.n; ++i) {
    MlirOperation op = b->ops.data[i];
    if (act_of(math_of(b, op)) == TT_ACT_MATH) {
      if (!joins(b, &run, math_of(b, op)) || tt_is_null_value(t)) {
        inner = at;
        t = tt_counted_loop(&inner, mlirOperationGetLocation(op), b->tiles, "t");
      }
      copy_math(b, inner, op, t);
      continue;
    }
    if (tt_is_index_op(op)) continue;
    t = (MlirValue){NULL}; /* what follows is behind this */
    if (tt_pack_to_cb_isa(op)) copy_pack(b, &at, op);
    else copy_count(b, &at, op);
  }
  for (intptr_t i = b->ops.n; i-- > 0;) {
    if (tt_is_index_op(b->ops.data[i])) continue;
    tt_op_map_set(b->arena, gone, b->ops.data[i], 1);
    mlirOperationDestroy(b->ops.data[i]);
  }
  if (b->tiles == b->trips) tt_unwrap(b->loop);
}

/* The tiles behind the last batch that is full, as one of their own: a copy of the loop, which
 * ends before them. */
static Batch split_rest(Batch *b) {
  int64_t rest = b->trips % b->tiles;
  TtBuilder behind = tt_builder_after(b->loop), before = tt_builder_before(b->loop);
  MlirOperation copy = tt_builder_insert(&behind, mlirOperationClone(b->loop));
  Batch last = {.arena = b->arena, .program = b->program, .loop = copy};
  last.trips = last.tiles = rest, last.first = b->trips - rest;
  read_body(&last);
  b->trips -= rest;
  mlirOperationSetOperand(b->loop, 1,
                          tt_index(&before, mlirOperationGetLocation(b->loop), b->trips));
  return last;
}

static bool batch_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    TtOps loops = tt_collect(arena, kernels.data[k], "scf.for");
    TtOpMap gone = {NULL, 0, 0};
    for (intptr_t i = 0; i < loops.n; ++i) {
      if (tt_op_map_get(&gone, loops.data[i]) >= 0) continue;
      Batch b = {.arena = arena, .program = program, .loop = loops.data[i]};
      bool fits = read_bounds(&b) && read_body(&b);
      b.tiles = fits ? choose(&b) : 1;
      if (fits && b.tiles == 1)
        tt_remark(b.loop, TT_REMARK_MISSED, pass,
                  "one tile at a time: DST has no room for more, they do not divide the result, or "
                  "there are few");
      if (b.tiles == 1) continue;
      tt_remark(b.loop, TT_REMARK_PASSED, pass, "%jd tiles at a time", (intmax_t)b.tiles);
      bool uneven = b.trips % b.tiles != 0;
      Batch rest = uneven ? split_rest(&b) : b;
      make_batches(&b, &gone);
      if (uneven) make_batches(&rest, &gone);
    }
    tt_erase_dead(kernels.data[k]);
  }
  return true;
}

bool tt_run_batch_tiles(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, batch_in_program);
}
