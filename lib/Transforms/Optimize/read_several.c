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
 * Requires bound accessors (D2), before D3; each loop has one read, which alone fills its circular
 * buffer, and a number of steps that is known.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
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

static bool read_bounds(Loop *l) {
  int64_t lower, upper, span;
  if (mlirOperationGetNumResults(l->op) > 0 ||
      !tt_constant(mlirOperationGetOperand(l->op, 0), &lower) ||
      !tt_constant(mlirOperationGetOperand(l->op, 1), &upper) ||
      !tt_constant(mlirOperationGetOperand(l->op, 2), &l->step) || l->step < 1 || upper <= lower ||
      __builtin_sub_overflow(upper, lower, &span) || span % l->step != 0)
    return false;
  l->steps = span / l->step;
  return l->steps > 1;
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
    if (l->steps % n != 0 || 2 * n * block > UINT16_MAX) continue;
    if ((more > 0 ? more : 0) + (more_parts > 0 ? more_parts : 0) <= left / page) return n;
  }
  return 1;
}

static bool can_join(Loop *l) {
  l->read = only_read(l->op);
  if (mlirOperationIsNull(l->read) || !tt_box_of(l->read, &l->box) || !tt_box_is_whole(&l->box))
    return false;
  MlirAttribute scratch = tt_op_attr(l->read, "scratch");
  l->cb = tt_cb_decl(l->program, tt_read_to_cb_cb(l->read));
  if (mlirAttributeIsNull(scratch) || mlirOperationIsNull(l->cb)) return false;
  l->parts = tt_program_cb(l->program, tt_string(scratch));
  if (mlirOperationIsNull(l->parts) || !tt_circular_buffer_isa(l->parts) || !read_bounds(l))
    return false;
  if (!is_filled_once(l)) return false;
  l->n = most_blocks(l);
  if (l->n == 1)
    tt_remark(l->read, TT_REMARK_MISSED, pass,
              "elements are waited for block by block: no number of blocks up to %d that divides "
              "the loop's %jd steps fits L1",
              MOST_BLOCKS, (intmax_t)l->steps);
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
  if (l->steps > l->n) {
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

static bool read_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t k = 0; k < kernels.n; ++k) {
    if (tt_role_of(kernels.data[k]) == TT_KERNEL_ROLE_COMPUTE) continue;
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
