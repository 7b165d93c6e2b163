/*===- read_several.c - --tt-read-several ------------------------------------------------------===
 *
 * Waits once for the elements of several blocks that a loop assembles one after the other.
 *
 *   before  for %i < 16 { tt.read_to_cb %x[%row + %i, %col], %cb box = [1, 16] through %parts }
 *   after   for %i < 16 step 8 {
 *             cb_reserve_back %cb, 8
 *             for %step < 8 { noc_async_read_part id(%row + %i + %step, …), … to %parts + … }
 *             noc_async_read_barrier
 *             for %step < 8 { copy_part %parts + … to %cb + … }
 *             cb_push_back %cb, 8
 *           }
 *
 * A read of few elements takes as long to come as one of a tile, some hundred clk, and a loop of
 * such reads does nothing but wait. The circular buffer gets room for the blocks of two steps, so
 * that the next ones are read while these are taken; blocks in it have the order that they had, so
 * who takes them sees no difference. Changes no result.
 *
 * Two loops, of which the inner one has few steps, are one for that. Of a number of steps that is
 * not known, as of the last block of a tensor, it is enough to know what divides it.
 *
 * Requires bound accessors (D2), before D3; each loop has one read, which alone fills its circular
 * buffer.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/cb_room.h"
#include "Transforms/Protocol/move.h"

#include <string.h>

static const char *const pass = "tt-read-several";

enum { MOST_BLOCKS = 8 }; /* more hide no more of the way to DRAM and back */

typedef struct Loop {
  TtArena *arena;
  MlirOperation program, kernel, op, read;
  MlirOperation cb, parts; /* declarations */
  TtBox box;
  int64_t steps, step, n; /* of them `n` together */
} Loop;

/*===- Legality ------------------------------------------------------------------------------===*/

/* The one read of the loop, beside arithmetic; null where it does more. */
static MlirOperation only_read(MlirOperation loop) {
  MlirOperation read = {NULL}, none = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (tt_read_to_cb_isa(op)) {
      if (!mlirOperationIsNull(read)) return none;
      read = op;
    } else if (strncmp(tt_op_name(op).data, "arith.", 6) != 0) {
      return none;
    }
  }
  return read;
}

/* The steps of a loop; -1 where they are not known. False where it does not count from a constant.
 */
static bool read_steps(MlirOperation loop, int64_t *step, int64_t *steps) {
  int64_t lower, upper, span;
  *steps = -1;
  if (mlirOperationGetNumResults(loop) > 0 ||
      !tt_constant(mlirOperationGetOperand(loop, 0), &lower) ||
      !tt_constant(mlirOperationGetOperand(loop, 2), step) || *step < 1)
    return false;
  if (!tt_constant(mlirOperationGetOperand(loop, 1), &upper)) return lower == 0 && *step == 1;
  if (upper <= lower || __builtin_sub_overflow(upper, lower, &span) || span % *step != 0)
    return false;
  *steps = span / *step;
  return true;
}

/* Whether the number of steps is a multiple of `n`. */
static bool is_multiple(const Loop *l, int64_t n) {
  TtBuilder b = tt_builder_before(l->op);
  return l->steps >= 0 ? l->steps % n == 0
                       : tt_is_multiple(l->arena, &b, mlirOperationGetOperand(l->op, 1), n);
}

/* Whether no other op fills the circular buffer. */
static bool is_filled_once(const Loop *l) {
  TtOps ops = tt_collect(l->arena, l->program, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirValue filled = tt_op_fills(ops.data[i]);
    if (tt_op_eq(ops.data[i], l->read) || tt_is_null_value(filled)) continue;
    if (tt_op_eq(tt_cb_decl(l->program, filled), l->cb)) return false;
  }
  return true;
}

/* The most blocks, a divisor of the steps, for which L1 has room. */
static int64_t most_blocks(const Loop *l) {
  int64_t block = tt_cb_tiles(mlirValueGetType(tt_read_to_cb_cb(l->read))),
          page = tt_int(tt_circular_buffer_page_bytes(l->cb)),
          pages = tt_int(tt_circular_buffer_pages(l->cb)),
          parts = tt_int(tt_circular_buffer_pages(l->parts)),
          left = tt_program_l1_left(l->arena, l->program), scratch = tt_box_scratch(&l->box);
  for (int64_t n = MOST_BLOCKS; n > 1; --n) {
    int64_t more = 2 * n * block - pages, more_parts = n * scratch - parts;
    if (!is_multiple(l, n) || 2 * n * block > UINT16_MAX) continue;
    if ((more > 0 ? more : 0) + (more_parts > 0 ? more_parts : 0) <= left / page) return n;
  }
  return 1;
}

/* Whether a read of elements is all that the loop does. */
static bool find_read(Loop *l) {
  l->read = only_read(l->op);
  if (mlirOperationIsNull(l->read) || !tt_box_of(l->read, &l->box) || !tt_box_is_whole(&l->box))
    return false;
  MlirAttribute scratch = tt_op_attr(l->read, "scratch");
  l->cb = tt_cb_decl(l->program, tt_read_to_cb_cb(l->read));
  if (mlirAttributeIsNull(scratch) || mlirOperationIsNull(l->cb)) return false;
  l->parts = tt_program_cb(l->program, tt_string(scratch));
  return !mlirOperationIsNull(l->parts) && tt_circular_buffer_isa(l->parts) && is_filled_once(l);
}

static bool can_join(Loop *l) {
  if (!find_read(l) || !read_steps(l->op, &l->step, &l->steps) || l->steps == 1) return false;
  l->n = most_blocks(l);
  if (l->n == 1)
    tt_remark(l->read, TT_REMARK_MISSED, pass,
              "elements are waited for block by block: no number of blocks up to %d that divides "
              "the loop's steps fits L1",
              MOST_BLOCKS);
  return l->n > 1;
}

/*===- Joining -------------------------------------------------------------------------------===*/

/* The loop again, over `n` steps from `first` on, with one half of what its read does. */
static bool add_half(const Loop *l, TtBuilder *b, const TtBlockMove *all, MlirValue first,
                     MlirValue parts, bool copies) {
  MlirLocation loc = mlirOperationGetLocation(l->op);
  MlirOperation loop = tt_for(b, loc, tt_index(b, loc, 0), tt_index(b, loc, l->n),
                              tt_index(b, loc, 1), "step"),
                body = tt_builder_insert(b, mlirOperationClone(l->op));
  TtBuilder in = tt_builder_at_terminator(tt_for_body(loop));
  MlirValue step = tt_for_iv(loop),
            at = tt_add(&in, loc, first, tt_mul(&in, loc, step, tt_index(&in, loc, l->step)));
  mlirValueReplaceAllUsesOfWith(tt_for_iv(body), at);
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(loop)), read = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(body)), next;
       !tt_is_terminator(op); op = next) {
    next = tt_next(op);
    if (tt_read_to_cb_isa(op)) read = op;
    mlirOperationMoveBefore(op, end);
  }
  mlirOperationDestroy(body);
  TtBlockMove m;
  if (!tt_read_move(l->arena, l->kernel, read, &m)) return false;
  in = tt_builder_before(read);
  MlirValue bytes = tt_move_tile_size(&m),
            block = tt_mul(&in, loc, bytes, tt_index(&in, loc, m.rows * m.cols)),
            slot = tt_mul(&in, loc, bytes, tt_index(&in, loc, tt_box_scratch(&l->box)));
  m.addr = metalium_l1_offset_addr(
      metalium_l1_offset_create(&in, loc, all->addr, tt_mul(&in, loc, step, block)));
  parts = metalium_l1_offset_addr(
      metalium_l1_offset_create(&in, loc, parts, tt_mul(&in, loc, step, slot)));
  tt_read_box_at(in, &m, parts, copies);
  mlirOperationDestroy(read);
  return true;
}

static bool join(const Loop *l) {
  MlirLocation loc = mlirOperationGetLocation(l->op);
  int64_t block = tt_cb_tiles(mlirValueGetType(tt_read_to_cb_cb(l->read))),
          scratch = l->n * tt_box_scratch(&l->box);
  tt_grow_cb(l->arena, l->program, l->cb, 2 * l->n * block, l->n * block);
  tt_grow_cb(l->arena, l->program, l->parts, scratch,
             tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(l->parts))));
  TtBlockMove m;
  if (!tt_read_move(l->arena, l->kernel, l->read, &m)) return false;
  TtBuilder b = tt_builder_before(l->op);
  MlirValue first = mlirOperationGetOperand(l->op, 0);
  if (l->steps != l->n) {
    MlirOperation loop = tt_for(&b, loc, first, mlirOperationGetOperand(l->op, 1),
                                tt_index(&b, loc, l->n * l->step), "first");
    first = tt_for_iv(loop);
    b = tt_builder_at_terminator(tt_for_body(loop));
  }
  MlirValue pages = tt_index(&b, loc, l->n * block);
  metalium_cb_reserve_back_create(&b, loc, m.cb, pages);
  m.addr = tt_named_pointer(&m, metalium_get_write_ptr_create(&b, loc, m.cb), "write_ptr");
  MlirValue parts = tt_reserve_scratch(&b, &m, scratch);
  if (!add_half(l, &b, &m, first, parts, false)) return false;
  metalium_noc_async_read_barrier_create(&b, loc);
  if (!add_half(l, &b, &m, first, parts, true)) return false;
  metalium_cb_push_back_create(&b, loc, m.cb, pages);
  tt_remark(l->read, TT_REMARK_PASSED, pass, "the elements of %jd blocks are waited for together",
            (intmax_t)l->n);
  mlirOperationDestroy(l->op);
  return true;
}

/*===- Two loops ------------------------------------------------------------------------------===*/

/* The one loop in the body of `loop`, beside arithmetic; null where it does more. */
static MlirOperation only_loop(MlirOperation loop) {
  MlirOperation inner = {NULL}, none = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_is_terminator(op);
       op = tt_next(op)) {
    if (tt_op_is(op, "scf.for") && mlirOperationIsNull(inner)) inner = op;
    else if (strncmp(tt_op_name(op).data, "arith.", 6) != 0) return none;
  }
  return inner;
}

static bool starts_at_zero(MlirOperation loop) {
  int64_t from;
  return tt_constant(mlirOperationGetOperand(loop, 0), &from) && from == 0;
}

/* Makes `outer` and the loop in it one where that has too few steps to wait for together. */
static bool flatten(TtArena *arena, MlirOperation program, MlirOperation kernel,
                    MlirOperation outer) {
  MlirOperation inner = only_loop(outer);
  int64_t step, steps, outer_step, outer_steps;
  if (mlirOperationIsNull(inner) || !read_steps(inner, &step, &steps) ||
      !read_steps(outer, &outer_step, &outer_steps) || outer_steps == 1 || steps < 1 ||
      steps > MOST_BLOCKS / 2 || step != 1 || outer_step != 1 || !starts_at_zero(inner) ||
      !starts_at_zero(outer))
    return false;
  Loop l = {.arena = arena, .program = program, .kernel = kernel, .op = inner};
  if (!find_read(&l)) return false;
  MlirLocation loc = mlirOperationGetLocation(outer);
  TtBuilder b = tt_builder_before(outer);
  MlirValue few = tt_index(&b, loc, steps);
  MlirOperation one =
      tt_for(&b, loc, mlirOperationGetOperand(outer, 0),
             tt_mul(&b, loc, mlirOperationGetOperand(outer, 1), few), tt_index(&b, loc, 1), "step");
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(one));
  TtBuilder in = tt_builder_at_terminator(tt_for_body(one));
  mlirValueReplaceAllUsesOfWith(tt_for_iv(outer), tt_div(&in, loc, tt_for_iv(one), few));
  mlirValueReplaceAllUsesOfWith(tt_for_iv(inner), tt_rem(&in, loc, tt_for_iv(one), few));
  for (int i = 0; i < 2; ++i) {
    MlirBlock body = tt_for_body(i == 0 ? outer : inner);
    for (MlirOperation op = mlirBlockGetFirstOperation(body), next; !tt_is_terminator(op);
         op = next) {
      next = tt_next(op);
      if (!tt_op_eq(op, inner)) mlirOperationMoveBefore(op, end);
    }
  }
  mlirOperationDestroy(outer);
  return true;
}

static void flatten_all(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  for (bool any = true; any;) {
    TtOps loops = tt_collect(arena, kernel, "scf.for");
    any = false;
    for (intptr_t i = 0; i < loops.n && !any; ++i)
      any = flatten(arena, program, kernel, loops.data[i]);
  }
}

static bool read_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    if (tt_role_of(kernels.data[k]) == TT_KERNEL_ROLE_COMPUTE) continue;
    flatten_all(arena, program, kernels.data[k]);
    TtOps loops = tt_collect(arena, kernels.data[k], "scf.for");
    for (intptr_t i = 0; i < loops.n; ++i) {
      Loop l = {.arena = arena, .program = program, .kernel = kernels.data[k], .op = loops.data[i]};
      if (can_join(&l) && !join(&l)) return false;
    }
  }
  return true;
}

bool tt_run_read_several(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, read_in_program);
}
