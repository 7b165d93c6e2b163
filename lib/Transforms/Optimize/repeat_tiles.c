/*===- repeat_tiles.c - --tt-repeat-tiles -------------------------------------------------------===
 *
 * Computes a tile once that a loop computes again and again, and packs it as often as it is needed.
 *
 *   before  for %i < 2 { …; for %some <= %j < 8 { fill 0, -1e30; … pack 0 -> %s } }
 *           for %i < 2 { for %j < 8 { sub_tiles_bcast_cols %s, %max, %i * 8 + %j, %i, 0
 *                                     exp 0; … pack 0 -> %w } }
 *   after   for %i < 2 { …; if %some < 8 { fill 0, -1e30
 *                                           for %some <= %j < 8 { … pack 0 -> %s } } }
 *           for %i < 2 { for %j < %some { sub_tiles_bcast_cols …; exp 0; … pack 0 -> %w }
 *                        if %some < 8 {
 *                          sub_tiles_bcast_cols %s, %max, %i * 8 + %some, %i, 0; exp 0
 *                          for %some <= %j < 8 { … pack 0 -> %w } } }
 *
 * The first kind of loop computes what does not depend on its variable. The second takes tiles that
 * a loop of the first kind made, of the one block that the circular buffer holds, and nothing else
 * that depends on its variable: equal tiles have equal results. So what a mask leaves nothing of
 * (--tt-split-masks) costs one exponential for each row of tiles. Changes no result.
 *
 * Requires D3, before D4. Leaves loops alone whose bounds are constant: they fill a block at the
 * beginning.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/math_loop.h"

static const char *const pass = "tt-repeat-tiles";

/* Loops that fill a block of `rows` times `cols` tiles, row by row. */
typedef struct Block {
  TtArena *arena;
  MlirOperation program, kernel;
  MlirOperation equal; /* of the loops over columns, that whose tiles are equal */
  MlirOperation outer; /* the loop over rows, or null for one row */
  MlirValue cb;
  int64_t rows, cols;
} Block;

/*===- What a loop does ----------------------------------------------------------------------===*/

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

static bool has_bounds(MlirOperation loop, int64_t *end) {
  int64_t lower, step;
  return tt_op_is(loop, "scf.for") && tt_constant(mlirOperationGetOperand(loop, 0), &lower) &&
         lower == 0 && tt_constant(mlirOperationGetOperand(loop, 1), end) &&
         tt_constant(mlirOperationGetOperand(loop, 2), &step) && step == 1;
}

/* Whether a value of the loop's body is another one in each step. */
static bool varies(MlirOperation loop, MlirValue value) {
  if (tt_value_eq(value, tt_for_iv(loop))) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || !tt_op_eq(tt_parent(op), loop)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (varies(loop, mlirOperationGetOperand(op, i))) return true;
  return false;
}

/* What the loop packs, a tile in each step; null where it does more than compute a tile, or less.
 */
static MlirValue packs_one(MlirOperation loop) {
  MlirValue cb = {NULL}, none = {NULL};
  bool computes = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    TtAct does = tt_is_math_loop(op) ? TT_ACT_MATH : act_of(op);
    computes |= does == TT_ACT_MATH;
    bool counts =
        does == TT_ACT_RESERVE || does == TT_ACT_PUSH || does == TT_ACT_WAIT || does == TT_ACT_POP;
    if (tt_pack_to_cb_isa(op)) {
      if (!tt_is_null_value(cb) || tt_int(tt_pack_to_cb_tiles(op)) != 1 ||
          !tt_is_null_value(tt_pack_to_cb_place(op)))
        return none;
      cb = tt_pack_to_cb_out(op);
    } else if (counts ? !tt_counts_one(op) : does != TT_ACT_MATH && !tt_is_index_op(op))
      return none;
  }
  return computes ? cb : none;
}

static bool touches(MlirOperation loop, TtAct does, MlirValue cb) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op))
    if (act_of(op) == does && tt_value_eq(mlirOperationGetOperand(op, 0), cb)) return true;
  return false;
}

/* Whether all steps compute the same, but for tiles of `cb`, if any, which are at `tile`. */
static bool computes_the_same(const Block *b, MlirOperation loop, MlirValue cb, MlirValue tile) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    const TtOpInfo *info = tt_op_info(op);
    if (mlirOperationGetNumRegions(op) > 0) return false;
    if (act_of(op) != TT_ACT_MATH) continue;
    MlirValue chosen = {NULL};
    for (int i = 0; i < info->num_reads; ++i) {
      MlirValue read = tt_op_reads(op, i), at = tt_operand_at(op, info->tiles[i]);
      if (touches(loop, TT_ACT_POP, read) || touches(loop, TT_ACT_WAIT, read)) return false;
      if (tt_is_null_value(cb) || !tt_value_eq(read, cb)) continue;
      if (tt_is_null_value(at) || !tt_same_index(b->arena, at, tile)) return false;
      chosen = at;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      if (varies(loop, operand) && (tt_is_null_value(chosen) || !tt_value_eq(operand, chosen)))
        return false;
    }
  }
  return true;
}

/*===- The block that has equal tiles --------------------------------------------------------===*/

/* All that pushes to the circular buffer are loops of one block, each beginning where the one
 * before ends, a tile in each step, from 0 to a constant. */
static bool find_columns(Block *b) {
  TtOps pushes = tt_collect(b->arena, b->kernel, "metalium.cb_push_back");
  MlirBlock block = mlirOperationGetBlock(b->equal);
  MlirOperation decl = tt_cb_decl(b->program, b->cb);
  MlirValue at = {NULL};
  for (intptr_t i = 0; i < pushes.n; ++i) {
    if (!tt_op_eq(tt_cb_decl(b->program, mlirOperationGetOperand(pushes.data[i], 0)), decl))
      continue;
    MlirOperation loop = tt_parent(pushes.data[i]);
    int64_t first, step;
    if (!tt_op_is(loop, "scf.for") || !mlirBlockEqual(mlirOperationGetBlock(loop), block) ||
        !tt_value_eq(packs_one(loop), b->cb) ||
        !tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1)
      return false;
    MlirValue start = mlirOperationGetOperand(loop, 0);
    bool begins = tt_constant(start, &first) && first == 0;
    if (tt_is_null_value(at) ? !begins : !tt_value_eq(at, start)) return false;
    at = mlirOperationGetOperand(loop, 1);
  }
  return !tt_is_null_value(at) && tt_constant(at, &b->cols);
}

static bool read_block(Block *b) {
  int64_t end;
  if (has_bounds(b->equal, &end)) return false;
  b->cb = packs_one(b->equal);
  if (tt_is_null_value(b->cb) ||
      !computes_the_same(b, b->equal, (MlirValue){NULL}, (MlirValue){NULL}) || !find_columns(b))
    return false;
  MlirOperation decl = tt_cb_decl(b->program, b->cb);
  b->outer = tt_parent(b->equal), b->rows = 1;
  int64_t pages = tt_int(tt_circular_buffer_pages(decl));
  if (pages == b->cols) b->outer = (MlirOperation){NULL};
  else if (!has_bounds(b->outer, &b->rows)) return false;
  return pages == b->rows * b->cols;
}

/*===- Loops that take its tiles -------------------------------------------------------------===*/

/* Whether `loop` goes over the columns of the block, and a loop around it over its rows, after the
 * block was filled. */
static bool goes_over(const Block *b, MlirOperation loop) {
  MlirOperation filled = mlirOperationIsNull(b->outer) ? b->equal : b->outer, nest = loop;
  int64_t cols, rows;
  if (!has_bounds(loop, &cols) || cols != b->cols) return false;
  if (!mlirOperationIsNull(b->outer)) {
    nest = tt_parent(loop);
    if (!has_bounds(nest, &rows) || rows != b->rows) return false;
  }
  return mlirBlockEqual(mlirOperationGetBlock(nest), mlirOperationGetBlock(filled)) &&
         tt_is_before(filled, nest);
}

/* The tile of the block at the place of a loop. */
static MlirValue tile_at(const Block *b, MlirOperation loop) {
  TtBuilder at = tt_builder_at_start(tt_for_body(loop));
  MlirLocation loc = mlirOperationGetLocation(loop);
  if (mlirOperationIsNull(b->outer)) return tt_for_iv(loop);
  MlirValue row = tt_for_iv(tt_parent(loop));
  return tt_add(&at, loc, tt_mul(&at, loc, row, tt_index(&at, loc, b->cols)), tt_for_iv(loop));
}

static bool takes(const Block *b, MlirOperation loop) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op))
    for (int i = 0; act_of(op) == TT_ACT_MATH && i < tt_op_info(op)->num_reads; ++i)
      if (tt_value_eq(tt_op_reads(op, i), b->cb)) return true;
  return false;
}

/*===- Once -----------------------------------------------------------------------------------===*/

/* What the loop computes comes before it, for its first step; what it packs stays in it. */
static void compute_once(MlirOperation loop) {
  MlirLocation loc = mlirOperationGetLocation(loop);
  MlirValue start = mlirOperationGetOperand(loop, 0);
  TtBuilder b = tt_builder_before(loop);
  MlirOperation any = tt_if(&b, loc, tt_less(&b, loc, start, mlirOperationGetOperand(loop, 1)));
  mlirOperationMoveBefore(loop, mlirBlockGetTerminator(tt_body(any)));
  mlirValueReplaceAllUsesOfWith(tt_for_iv(loop), start);
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)), next;
       !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    if (act_of(op) == TT_ACT_MATH || tt_is_index_op(op)) mlirOperationMoveBefore(op, loop);
  }
}

/* A value of the loops that fill the block, at the row of `loop`, in front of that. */
static MlirValue value_for(const Block *b, TtBuilder *at, MlirOperation loop, MlirValue value) {
  if (mlirOperationIsNull(b->outer)) return value;
  if (tt_value_eq(value, tt_for_iv(b->outer))) return tt_for_iv(tt_parent(loop));
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || !tt_op_eq(tt_parent(op), b->outer)) return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, value_for(b, at, loop, mlirOperationGetOperand(op, i)));
  return mlirOperationGetResult(tt_builder_insert(at, copy), 0);
}

static MlirOperation add_part(MlirOperation loop, MlirValue start, MlirValue end) {
  int64_t first, last;
  if (tt_constant(start, &first) && tt_constant(end, &last) && first >= last)
    return (MlirOperation){NULL};
  TtBuilder b = tt_builder_before(loop);
  MlirOperation copy = tt_builder_insert(&b, mlirOperationClone(loop));
  mlirOperationSetOperand(copy, 0, start);
  mlirOperationSetOperand(copy, 1, end);
  return copy;
}

static void split(const Block *b, MlirOperation loop) {
  TtBuilder at = tt_builder_before(loop);
  MlirValue start = value_for(b, &at, loop, mlirOperationGetOperand(b->equal, 0)),
            end = value_for(b, &at, loop, mlirOperationGetOperand(b->equal, 1));
  add_part(loop, mlirOperationGetOperand(loop, 0), start);
  MlirOperation equal = add_part(loop, start, end);
  add_part(loop, end, mlirOperationGetOperand(loop, 1));
  tt_remark(loop, TT_REMARK_PASSED, pass, "of tiles that are equal one is computed");
  mlirOperationDestroy(loop);
  if (!mlirOperationIsNull(equal)) compute_once(equal);
}

/*===- Kernels -------------------------------------------------------------------------------===*/

static void repeat(const Block *b) {
  TtOps loops = tt_collect(b->arena, b->kernel, "scf.for"), found = {NULL, 0, 0};
  for (intptr_t i = 0; i < loops.n; ++i)
    if (goes_over(b, loops.data[i]) && !tt_is_null_value(packs_one(loops.data[i])) &&
        takes(b, loops.data[i]) &&
        computes_the_same(b, loops.data[i], b->cb, tile_at(b, loops.data[i])))
      tt_ops_add(b->arena, &found, loops.data[i]);
  for (intptr_t i = 0; i < found.n; ++i) split(b, found.data[i]);
  compute_once(b->equal);
}

static bool repeat_one(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = 0; i < loops.n; ++i) {
    Block b = {.arena = arena, .program = program, .kernel = kernel, .equal = loops.data[i]};
    if (!read_block(&b)) continue;
    repeat(&b);
    return true;
  }
  return false;
}

static bool repeat_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    while (repeat_one(arena, program, kernels.data[i])) continue;
    tt_erase_dead(kernels.data[i]);
  }
  return true;
}

bool tt_run_repeat_tiles(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, repeat_in_program);
}
