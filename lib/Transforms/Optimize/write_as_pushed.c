/*===- write_as_pushed.c - --tt-write-as-pushed -------------------------------------------------===
 *
 * Writes each tile of a block as soon as compute has pushed it, and results of which it pushes
 * tiles side by side in one loop.
 *
 *   before  cb_wait_front %c, 4
 *           for %j < 4 { noc_async_write_tile …, get_read_ptr(%c) + %j * bytes }
 *           noc_async_write_barrier; cb_pop_front %c, 4
 *           cb_wait_front %d, 4
 *           for %j < 4 { noc_async_write_tile …, get_read_ptr(%d) + %j * bytes }
 *           noc_async_write_barrier; cb_pop_front %d, 4
 *   after   for %j < 4 { cb_wait_front %c, %j + 1; noc_async_write_tile …
 *                        cb_wait_front %d, %j + 1; noc_async_write_tile … }
 *           noc_async_write_barrier; cb_pop_front %c, 4; cb_pop_front %d, 4
 *
 * So the last tile is all that is on its way when compute is done. Legal where the loop takes the
 * tiles in their order. Results share loop and barrier where their tensors differ and compute
 * pushes tiles of both side by side (--tt-pack-copies), which no other op of it does. Changes no
 * result.
 *
 * Requires D3, before D4; behind the passes that change the order in which tiles are written.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/tile_order.h"

static const char *const pass = "tt-write-as-pushed";

/* A block that a kernel writes to a tensor, with what stands around it. */
typedef struct Write {
  TtArena *arena;
  MlirOperation program, wait, ptr, barrier, pop;
  MlirOperation loop, op; /* the outermost loop over its tiles, null of one; what writes them */
  MlirValue cb, tile;
  int64_t tiles;
} Write;

static TtAct act_of(MlirOperation op) { return tt_op_info(op)->does; }

/* The next op that is more than arithmetic. */
static MlirOperation next_at_work(MlirOperation op) {
  do op = tt_next(op);
  while (!mlirOperationIsNull(op) && (tt_is_index_op(op) || metalium_get_tile_size_isa(op)));
  return op;
}

static bool counts(MlirOperation op, TtAct does, const Write *w) {
  int64_t n;
  return !mlirOperationIsNull(op) && act_of(op) == does &&
         tt_value_eq(mlirOperationGetOperand(op, 0), w->cb) &&
         tt_constant(mlirOperationGetOperand(op, 1), &n) && n == w->tiles;
}

/*===- What it is -----------------------------------------------------------------------------===*/

/* What writes the tiles, alone in loops; null where those do more. */
static MlirOperation only_write(MlirOperation op) {
  if (metalium_noc_async_write_tile_isa(op)) return op;
  MlirOperation found = {NULL};
  if (!tt_op_is(op, "scf.for")) return found;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_for_body(op)); !tt_is_terminator(in);
       in = tt_next(in)) {
    if (tt_is_index_op(in) || metalium_l1_offset_isa(in)) continue;
    if (!mlirOperationIsNull(found)) return (MlirOperation){NULL};
    found = only_write(in);
    if (mlirOperationIsNull(found)) return found;
  }
  return found;
}

/* The tile of the block that the write takes: of pointer + tile * bytes of one. */
static bool find_tile(Write *w) {
  MlirOperation at = tt_defining_op(metalium_noc_async_write_tile_addr(w->op));
  if (mlirOperationIsNull(w->loop)) return tt_op_eq(at, w->ptr);
  if (!metalium_l1_offset_isa(at) || !tt_op_eq(tt_defining_op(metalium_l1_offset_base(at)), w->ptr))
    return false;
  MlirOperation by = tt_defining_op(metalium_l1_offset_bytes(at));
  if (!tt_op_is(by, "arith.muli")) return false;
  for (int i = 0; i < 2; ++i) {
    MlirOperation size = tt_defining_op(mlirOperationGetOperand(by, i));
    if (!metalium_get_tile_size_isa(size) ||
        !tt_op_eq(tt_cb_decl(w->program, metalium_get_tile_size_cb(size)),
                  tt_cb_decl(w->program, w->cb)))
      continue;
    w->tile = mlirOperationGetOperand(by, 1 - i);
    return tt_takes_in_order(w->arena, w->op, w->loop, w->tile, w->tiles, 1);
  }
  return false;
}

static bool read_write(Write *w) {
  w->cb = mlirOperationGetOperand(w->wait, 0);
  if (!tt_constant(mlirOperationGetOperand(w->wait, 1), &w->tiles)) return false;
  w->ptr = next_at_work(w->wait);
  if (mlirOperationIsNull(w->ptr) || !metalium_get_read_ptr_isa(w->ptr) ||
      !tt_value_eq(mlirOperationGetOperand(w->ptr, 0), w->cb))
    return false;
  MlirOperation writes = next_at_work(w->ptr);
  if (mlirOperationIsNull(writes)) return false;
  w->op = only_write(writes);
  if (mlirOperationIsNull(w->op)) return false;
  if (!tt_op_eq(w->op, writes)) w->loop = writes;
  else if (w->tiles != 1) return false;
  w->barrier = next_at_work(writes);
  if (mlirOperationIsNull(w->barrier) || !metalium_noc_async_write_barrier_isa(w->barrier))
    return false;
  w->pop = next_at_work(w->barrier);
  return counts(w->pop, TT_ACT_POP, w) && find_tile(w);
}

/*===- What compute pushes --------------------------------------------------------------------===*/

/* The pushes of the compute kernel to a circular buffer; none where it has no such kernel, or
 * several. */
static TtOps pushes_to(const Write *w) {
  TtOps kernels = tt_program_kernels_of(w->arena, w->program, TT_KERNEL_ROLE_COMPUTE),
        found = {NULL, 0, 0};
  if (kernels.n != 1) return found;
  TtOps all = tt_collect(w->arena, kernels.data[0], "metalium.cb_push_back");
  MlirOperation decl = tt_cb_decl(w->program, w->cb);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_eq(tt_cb_decl(w->program, mlirOperationGetOperand(all.data[i], 0)), decl))
      tt_ops_add(w->arena, &found, all.data[i]);
  return found;
}

/* The block of compute in which loops push all of a block of results; null where more or less is
 * pushed, or in more than one place. */
static MlirBlock pushed_in(const Write *w, MlirOperation *push) {
  TtOps pushes = pushes_to(w);
  MlirBlock none = {NULL};
  int64_t n;
  if (pushes.n != 1 || !tt_constant(mlirOperationGetOperand(pushes.data[0], 1), &n)) return none;
  MlirOperation at = *push = pushes.data[0];
  while (n < w->tiles) {
    int64_t lower, end, step;
    MlirOperation loop = at = tt_parent(at);
    if (!tt_op_is(loop, "scf.for") || !tt_constant(mlirOperationGetOperand(loop, 0), &lower) ||
        lower != 0 || !tt_constant(mlirOperationGetOperand(loop, 1), &end) ||
        !tt_constant(mlirOperationGetOperand(loop, 2), &step) || step != 1)
      return none;
    n *= end;
  }
  return n == w->tiles ? mlirOperationGetBlock(at) : none;
}

/* Whether compute pushes less than the block at a time. */
static bool comes_in_parts(const Write *w) {
  TtOps pushes = pushes_to(w);
  for (intptr_t i = 0; i < pushes.n; ++i) {
    int64_t n;
    if (!tt_constant(mlirOperationGetOperand(pushes.data[i], 1), &n) || n >= w->tiles) return false;
  }
  return pushes.n > 0;
}

static bool holds_blocks(const Write *w) {
  MlirOperation decl = tt_cb_decl(w->program, w->cb);
  return tt_int(tt_circular_buffer_pages(decl)) >= w->tiles;
}

/* Whether the writes of `b`, which follow those of `a`, can go before their barrier: compute
 * pushes both side by side, so that it never needs room for one to push the other. */
static bool can_join(const Write *a, const Write *b) {
  MlirOperation one, other;
  MlirBlock block = pushed_in(a, &one);
  return tt_op_eq(next_at_work(a->pop), b->wait) && !tt_value_eq(a->cb, b->cb) &&
         !tt_value_eq(metalium_noc_async_write_tile_accessor(a->op),
                      metalium_noc_async_write_tile_accessor(b->op)) &&
         holds_blocks(a) && holds_blocks(b) && !mlirBlockIsNull(block) &&
         mlirBlockEqual(block, pushed_in(b, &other)) &&
         mlirBlockEqual(mlirOperationGetBlock(one), mlirOperationGetBlock(other));
}

/* Whether one loop can write both. */
static bool share_loop(const Write *a, const Write *b) {
  return a->tiles == b->tiles && !mlirOperationIsNull(a->loop) && !mlirOperationIsNull(b->loop) &&
         mlirBlockEqual(mlirOperationGetBlock(a->op), tt_for_body(a->loop)) &&
         mlirBlockEqual(mlirOperationGetBlock(b->op), tt_for_body(b->loop));
}

/*===- Writing --------------------------------------------------------------------------------===*/

static void wait_for_tiles(Write *w) {
  MlirLocation loc = mlirOperationGetLocation(w->wait);
  TtBuilder b = tt_builder_before(w->op);
  metalium_cb_wait_front_create(&b, loc, w->cb, tt_add(&b, loc, w->tile, tt_index(&b, loc, 1)));
  mlirOperationDestroy(w->wait);
  tt_remark(w->op, TT_REMARK_PASSED, pass, "each of %jd tiles is written when it is there",
            (intmax_t)w->tiles);
}

/* The ops from `first` on, to `end` or the end of their block, go before `to`. */
static void move_before(MlirOperation first, MlirOperation end, MlirOperation to) {
  for (MlirOperation op = first, next; !tt_is_terminator(op) && !tt_op_eq(op, end); op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, to);
  }
}

/* What stands between the pop of `a` and the end of `b` comes before the barrier of `a`. */
static void join(Write *a, Write *b) {
  tt_remark(b->op, TT_REMARK_PASSED, pass, "results are written side by side");
  mlirOperationDestroy(a->barrier);
  a->barrier = b->barrier;
  mlirOperationMoveAfter(a->pop, b->barrier);
  if (!share_loop(a, b)) return;
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(a->loop));
  move_before(tt_next(a->loop), b->loop, a->loop); /* what the loop of `b` needs */
  mlirValueReplaceAllUsesOfWith(tt_for_iv(b->loop), tt_for_iv(a->loop));
  move_before(mlirBlockGetFirstOperation(tt_for_body(b->loop)), (MlirOperation){NULL}, end);
  mlirOperationDestroy(b->loop);
}

static void write_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps waits = tt_collect(arena, kernel, "metalium.cb_wait_front");
  Write *all = tt_arena_alloc(arena, (size_t)(waits.n + 1) * sizeof *all);
  intptr_t n = 0;
  for (intptr_t i = 0; i < waits.n; ++i) {
    Write w = {.arena = arena, .program = program, .wait = waits.data[i]};
    if (read_write(&w)) all[n++] = w;
  }
  bool *joins = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *joins);
  for (intptr_t i = 0; i + 1 < n; ++i) joins[i] = can_join(&all[i], &all[i + 1]);
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirOperationIsNull(all[i].loop) && comes_in_parts(&all[i])) wait_for_tiles(&all[i]);
  for (intptr_t i = n - 1; i-- > 0;)
    if (joins[i]) join(&all[i], &all[i + 1]);
  tt_erase_dead(kernel);
}

static bool write_in_program(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (tt_role_of(kernels.data[i]) != TT_KERNEL_ROLE_COMPUTE)
      write_in_kernel(arena, program, kernels.data[i]);
  return true;
}

bool tt_run_write_as_pushed(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, write_in_program);
}
