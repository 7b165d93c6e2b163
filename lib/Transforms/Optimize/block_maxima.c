/*===- block_maxima.c - --tt-block-maxima -----------------------------------------------------===
 *
 * Makes loops over tiles of which rows' largest elements are taken calls for all of them.
 *
 *   before  for %l < 16 {
 *             cb_wait_front %x, %i * 16 + %l + 1
 *             reduce_tile max_row, %x, %ones, %i * 16 + %l, 0, %dst
 *           }
 *           …; reduce_uninit
 *   after   cb_wait_front %x, %i * 16 + 16
 *           reduce_block_max_row %x, %ones, %i * 16, %dst ct = 16
 *           …; reduce_block_max_row_uninit %x
 *
 * The unpacker brings tile after tile, which the engine pools along columns, and turns what comes
 * of the row once, not for each tile: 38 clk a tile on Wormhole, where a call for each takes 108.
 * The library's form is for bf16, and replaces what DST held. Changes no result.
 *
 * Requires D3, --tt-wait-as-needed before it, and comes before D4. Leaves a loop alone that takes
 * blocks as a reader brings them, whose first tiles are reduced while the last are on their way,
 * and one whose tile of DST has been computed before.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/unwrap.h"

static const char *const pass = "tt-block-maxima";

/* A loop over the tiles of a row. */
typedef struct Row {
  TtArena *arena;
  MlirOperation program, kernel, reduce, loop;
  MlirOperation wait;   /* for the tile, or null */
  MlirOperation uninit; /* what ends the reduction */
  int64_t tiles;
} Row;

static bool is_bf16(MlirValue cb) {
  return mlirTypeIsABF16(tt_cb_type_element_type(mlirValueGetType(cb)));
}

/* The loop does nothing but reduce a tile, behind a wait for it. */
static bool read_loop(Row *r) {
  MlirValue cb = metalium_reduce_tile_a(r->reduce), tile = metalium_reduce_tile_ia(r->reduce);
  int64_t lower, step, apart, by_tile, by_dst;
  r->loop = tt_parent(r->reduce);
  if (!tt_op_is(r->loop, "scf.for")) return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(r->loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (tt_op_eq(op, r->reduce) || tt_is_index_op(op)) continue;
    if (!metalium_cb_wait_front_isa(op) || !mlirOperationIsNull(r->wait) ||
        !tt_value_eq(mlirOperationGetOperand(op, 0), cb) ||
        !tt_index_difference(r->arena, mlirOperationGetOperand(op, 1), tile, &apart) || apart != 1)
      return false;
    r->wait = op;
  }
  MlirValue iv = tt_for_iv(r->loop);
  return tt_constant(mlirOperationGetOperand(r->loop, 0), &lower) && lower == 0 &&
         tt_constant(mlirOperationGetOperand(r->loop, 1), &r->tiles) &&
         tt_constant(mlirOperationGetOperand(r->loop, 2), &step) && step == 1 &&
         tt_index_factor(r->arena, tile, iv, &by_tile) && by_tile == 1 &&
         tt_index_factor(r->arena, metalium_reduce_tile_dst(r->reduce), iv, &by_dst) && by_dst == 0;
}

/* The next op behind a reduction that ends one. */
static MlirOperation uninit_of(MlirOperation reduce) {
  for (MlirOperation at = reduce; !mlirOperationIsNull(at); at = tt_parent(at))
    for (MlirOperation op = tt_next(at); !mlirOperationIsNull(op); op = tt_next(op))
      if (metalium_reduce_uninit_isa(op)) return op;
  return (MlirOperation){NULL};
}

/* What ends this reduction, and no other. */
static bool find_uninit(Row *r) {
  TtOps all = tt_collect(r->arena, r->kernel, "metalium.reduce_tile");
  r->uninit = uninit_of(r->reduce);
  for (intptr_t i = 0; i < all.n; ++i)
    if (!tt_op_eq(all.data[i], r->reduce) && tt_op_eq(uninit_of(all.data[i]), r->uninit))
      return false;
  return !mlirOperationIsNull(r->uninit);
}

/* Whether ops between `op`, or what is around it, and the packing before it compute in DST. A loop
 * that packs behind `op` begins with a tile that nothing has computed. */
static bool is_computed_before(const Row *r) {
  for (MlirOperation at = r->loop; !tt_op_eq(at, r->kernel); at = tt_parent(at)) {
    bool packs_behind = false;
    for (MlirOperation op = tt_next(at); !mlirOperationIsNull(op); op = tt_next(op))
      packs_behind |= tt_op_info(op)->does == TT_ACT_PACK_BLOCK;
    MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(at));
    bool computed = false;
    for (; !tt_op_eq(op, at); op = tt_next(op)) {
      TtOps inside = tt_collect(r->arena, op, NULL);
      for (intptr_t i = 0; i < inside.n; ++i) {
        TtAct does = tt_op_info(inside.data[i])->does;
        if (does == TT_ACT_PACK_BLOCK) computed = false;
        else if (does == TT_ACT_MATH) computed = true;
      }
    }
    if (computed) return true;
    if (packs_behind) return false;
  }
  return false;
}

/* Whether the compute kernel itself pushes what the loop takes, so that all of a row is there soon,
 * or all of it has been waited for. */
static bool comes_at_once(const Row *r) {
  if (mlirOperationIsNull(r->wait)) return true;
  MlirOperation decl = tt_cb_decl(r->program, metalium_reduce_tile_a(r->reduce));
  TtOps pushes = tt_collect(r->arena, r->kernel, "metalium.cb_push_back");
  for (intptr_t i = 0; i < pushes.n; ++i)
    if (tt_op_eq(tt_cb_decl(r->program, mlirOperationGetOperand(pushes.data[i], 0)), decl))
      return true;
  return false;
}

/* Why rows are reduced tile by tile; NULL where they need not be. */
static const char *why_not(Row *r) {
  if (!is_bf16(metalium_reduce_tile_a(r->reduce)) ||
      !is_bf16(metalium_reduce_tile_scaler(r->reduce)))
    return "the engine reduces blocks of bf16 alone";
  if (tt_dst_is_32bit(r->program))
    return "blocks are reduced in DST of 16 bits alone, and this kernel's has 32";
  int64_t first;
  if (!read_loop(r) || !tt_constant(metalium_reduce_tile_is(r->reduce), &first) || first != 0 ||
      !find_uninit(r))
    return "no loop goes over the tiles of a row, one after the other";
  if (r->tiles < 2 || r->tiles >= TT_MAX_BLOCK_OF_MAXIMA)
    return "a row has one tile, or more than a call takes";
  if (is_computed_before(r)) return "its tile of DST has been computed before";
  if (!comes_at_once(r)) return "its tiles are reduced as they come";
  return NULL;
}

/* `value` where the loop begins, `plus` more. */
static MlirValue at_start(const Row *r, TtBuilder *b, MlirValue value, int64_t plus) {
  MlirLocation loc = mlirOperationGetLocation(r->reduce);
  MlirValue n = tt_index(b, loc, plus);
  return plus ? tt_add(b, loc, value, n) : value;
}

static void reduce_row(const Row *r) {
  MlirOperation op = r->reduce;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue cb = metalium_reduce_tile_a(op);
  TtBuilder b = tt_builder_before(r->uninit);
  metalium_reduce_block_max_row_uninit_create(&b, loc, cb);
  mlirOperationDestroy(r->uninit);
  TtBuilder in = tt_builder_before(op);
  MlirValue first = metalium_reduce_tile_ia(op);
  if (!mlirOperationIsNull(r->wait)) {
    metalium_cb_wait_front_create(&in, loc, cb, at_start(r, &in, first, r->tiles));
    mlirOperationDestroy(r->wait);
  }
  metalium_reduce_block_max_row_create(&in, loc, cb, metalium_reduce_tile_scaler(op), first,
                                       metalium_reduce_tile_dst(op), r->tiles);
  tt_remark(op, TT_REMARK_PASSED, pass, "%jd tiles of a row are reduced in one call",
            (intmax_t)r->tiles);
  mlirOperationDestroy(op);
  tt_unwrap(r->loop);
}

static void visit(TtArena *arena, MlirOperation program, MlirOperation kernel,
                  MlirOperation reduce) {
  if (metalium_reduce_tile_op(reduce) != TT_REDUCE_MAX_ROW) return;
  Row r = {.arena = arena, .program = program, .kernel = kernel, .reduce = reduce};
  const char *reason = why_not(&r);
  if (!reason) reduce_row(&r);
  else tt_remark(reduce, TT_REMARK_MISSED, pass, "a row is reduced tile by tile: %s", reason);
}

static bool block_maxima(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    TtOps reductions = tt_collect(arena, kernels.data[i], "metalium.reduce_tile");
    for (intptr_t j = 0; j < reductions.n; ++j)
      visit(arena, program, kernels.data[i], reductions.data[j]);
    if (reductions.n > 0) tt_erase_dead(kernels.data[i]);
  }
  return true;
}

bool tt_run_block_maxima(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, block_maxima);
}
