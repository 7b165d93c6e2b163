/*===- wait_as_needed.c - --tt-wait-as-needed ---------------------------------------------------===
 *
 * Waits for a tile of a block when it is taken, not for the whole block before.
 *
 *   before  cb_wait_front %x, 32
 *           for %l < 32 { reduce_tile %x, %ones, %l, 0, 0 }
 *   after   for %l < 32 { cb_wait_front %x, %l + 1; reduce_tile %x, %ones, %l, 0, 0 }
 *
 * So the first op that takes a block runs while the rest of it is read (--tt-read-in-parts), and
 * the ops after it find all of it. Legal where the first loops around that op take all tiles of
 * the block in their order, one or, as both its operands, two at a time, and what else they do with
 * the block takes the same tiles after it. Changes no result.
 *
 * Also where the kernel fills the block itself, tile by tile: unpack takes the first tiles while
 * the last ones are packed.
 *
 * Requires D3, before D4. Leaves blocks alone that the kernel itself fills at once, and those of a
 * prime number of tiles that --tt-batch-tiles takes in batches.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/tile_order.h"

static const char *const pass = "tt-wait-as-needed";

/* A wait for a block of `tiles`, and the first op that takes one of them, or two. */
typedef struct Wait {
  TtArena *arena;
  MlirOperation op, taker, loop; /* the outermost of the loops that take the tiles */
  MlirValue cb, tile;
  int64_t tiles, at_once;
} Wait;

/* The number of the tile of `cb` that `op` takes, or of the first of two; null where it takes
 * none. */
static MlirValue tile_taken(MlirOperation op, MlirValue cb) {
  const TtOpInfo *info = tt_op_info(op);
  for (int i = 0; info->level == TT_LEVEL_PROTOCOL && i < info->num_reads; ++i)
    if (tt_value_eq(tt_op_reads(op, i), cb)) {
      MlirValue tile = tt_operand_at(op, info->tiles[i]);
      if (!tt_is_null_value(tile)) return tile;
    }
  return (MlirValue){NULL};
}

/* How many tiles of `cb` an op takes, one behind the other; 0 where they lie otherwise. */
static int64_t taken_at_once(TtArena *arena, MlirOperation op, MlirValue cb) {
  const TtOpInfo *info = tt_op_info(op);
  MlirValue first = tile_taken(op, cb);
  int64_t n = 0, apart;
  for (int i = 0; i < info->num_reads; ++i) {
    if (!tt_value_eq(tt_op_reads(op, i), cb)) continue;
    MlirValue tile = tt_operand_at(op, info->tiles[i]);
    if (tt_is_null_value(tile) || !tt_index_difference(arena, tile, first, &apart) || apart < 0 ||
        apart > n)
      return 0;
    if (apart == n) ++n; /* else it takes a tile twice, as a square does */
  }
  return n;
}

static bool counts_pages(MlirOperation op, MlirValue cb) {
  TtAct does = tt_op_info(op)->does;
  return (does == TT_ACT_PUSH || does == TT_ACT_POP || does == TT_ACT_WAIT) &&
         tt_value_eq(mlirOperationGetOperand(op, 0), cb);
}

static bool find_taker(Wait *w) {
  for (MlirOperation op = tt_next(w->op); !mlirOperationIsNull(op); op = tt_next(op)) {
    TtOps inside = tt_collect(w->arena, op, NULL);
    for (intptr_t i = 0; i < inside.n; ++i) {
      if (counts_pages(inside.data[i], w->cb)) return false;
      w->tile = tile_taken(inside.data[i], w->cb);
      if (tt_is_null_value(w->tile)) continue;
      w->taker = inside.data[i], w->loop = op;
      w->at_once = taken_at_once(w->arena, w->taker, w->cb);
      return tt_op_is(op, "scf.for");
    }
    if (!tt_is_null_value(tile_taken(op, w->cb)) || counts_pages(op, w->cb)) return false;
  }
  return false;
}

/* All else that the loops do with the block takes the same tiles, after the first op. */
static bool others_follow(const Wait *w) {
  TtOps inside = tt_collect(w->arena, w->loop, NULL);
  MlirBlock block = mlirOperationGetBlock(w->taker);
  for (intptr_t i = 0; i < inside.n; ++i) {
    MlirOperation op = inside.data[i];
    if (counts_pages(op, w->cb)) return false;
    MlirValue tile = tile_taken(op, w->cb);
    if (tt_is_null_value(tile) || tt_op_eq(op, w->taker)) continue;
    if (!mlirBlockEqual(mlirOperationGetBlock(op), block) ||
        !tt_same_index(w->arena, tile, w->tile) || taken_at_once(w->arena, op, w->cb) > w->at_once)
      return false;
  }
  return true;
}

/* Whether the kernel pushes as many pages of `cb` as are waited for, at once. */
static bool fills_at_once(const Wait *w, MlirOperation program, MlirOperation kernel) {
  TtOps pushes = tt_collect(w->arena, kernel, "metalium.cb_push_back");
  MlirOperation decl = tt_cb_decl(program, w->cb);
  for (intptr_t i = 0; i < pushes.n; ++i) {
    int64_t pages;
    if (!tt_op_eq(tt_cb_decl(program, mlirOperationGetOperand(pushes.data[i], 0)), decl)) continue;
    if (!tt_constant(mlirOperationGetOperand(pushes.data[i], 1), &pages) || pages >= w->tiles)
      return true;
  }
  return false;
}

/* Whether the loop packs what several ops make of a tile, so that --tt-batch-tiles takes some at
 * once, and their number has no divisor for that: waits for some more each time would be for as
 * many, [rule 3], and the last batch has fewer. */
static bool is_better_batched(const Wait *w, MlirOperation program) {
  int64_t settings = 0;
  bool packs = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(w->taker));
       !tt_is_terminator(op); op = tt_next(op)) {
    settings += tt_op_info(op)->does == TT_ACT_MATH;
    packs |= tt_op_info(op)->does == TT_ACT_PACK_BLOCK;
  }
  if (!packs || settings < 2) return false;
  for (int64_t batch = 2; batch <= tt_dst_capacity(program); ++batch)
    if (w->tiles % batch == 0) return false;
  return true;
}

static void wait_for_tiles(const Wait *w) {
  MlirLocation loc = mlirOperationGetLocation(w->op);
  TtBuilder b = tt_builder_before(w->taker);
  metalium_cb_wait_front_create(&b, loc, w->cb,
                                tt_add(&b, loc, w->tile, tt_index(&b, loc, w->at_once)));
  tt_remark(w->taker, TT_REMARK_PASSED, pass, "%s of %jd tiles %s waited for when %s taken",
            w->at_once > 1 ? "two" : "each", (intmax_t)w->tiles, w->at_once > 1 ? "are" : "is",
            w->at_once > 1 ? "they are" : "it is");
  mlirOperationDestroy(w->op);
}

static bool wait_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps waits = tt_collect(arena, kernel, "metalium.cb_wait_front");
  for (intptr_t i = 0; i < waits.n; ++i) {
    Wait w = {.arena = arena, .op = waits.data[i], .cb = mlirOperationGetOperand(waits.data[i], 0)};
    if (!tt_constant(mlirOperationGetOperand(w.op, 1), &w.tiles) || w.tiles == 1 ||
        fills_at_once(&w, program, kernel) || !find_taker(&w))
      continue;
    if (is_better_batched(&w, program))
      tt_remark(
          w.taker, TT_REMARK_MISSED, pass,
          "a block is waited for as a whole: its %jd tiles are taken some at a time, which do "
          "not divide them",
          (intmax_t)w.tiles);
    else if (w.at_once > 0 && w.tiles > w.at_once &&
             tt_takes_in_order(arena, w.taker, w.loop, w.tile, w.tiles, w.at_once) &&
             others_follow(&w))
      wait_for_tiles(&w);
    else
      tt_remark(w.taker, TT_REMARK_MISSED, pass,
                "a block is waited for as a whole: its tiles are not taken once, in their order");
  }
  tt_erase_dead(kernel);
  return true;
}

static bool wait_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (!wait_in_kernel(arena, program, kernels.data[i])) return false;
  return true;
}

bool tt_run_wait_as_needed(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, wait_in_program);
}
