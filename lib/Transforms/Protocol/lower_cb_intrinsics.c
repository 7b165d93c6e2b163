/*===- lower_cb_intrinsics.c - D3: --tt-lower-cb-intrinsics -------------------------------===
 *
 * Replaces abstract moves and block compute by the protocol of circular buffers
 * and the NoC, in all three kernels.
 *
 *   reader  tt.read_to_cb %A[%m, %k], %cb         (r x c tiles; neighbours share the barrier)
 *         = cb_reserve_back %cb, r*c
 *           %l1 = get_write_ptr %cb
 *           for i, j { noc_async_read_tile id(m + i, k + j), %A_accessor, %l1 + (i*c + j) * tile }
 *           noc_async_read_barrier
 *           cb_push_back %cb, r*c
 *
 *           where the block is partial: if id is in the tensor, read, else fill_zeros
 *
 *   writer  tt.write_from_cb %cb, %C[%m, %n]
 *         = cb_wait_front; get_read_ptr; for { noc_async_write_tile }; noc_async_write_barrier;
 *           cb_pop_front
 *
 *   both: see lower_gathers.c, lower_relays.c, lower_indices.c; compute: see lower_compute.c
 *
 * Requires bound accessors (D2). Leaves no protocol-free op but tt.pack_to_cb,
 * which stands between its reservation and its publication until D5.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/lower_compute.h"
#include "Transforms/Protocol/lower_gathers.h"
#include "Transforms/Protocol/lower_indices.h"
#include "Transforms/Protocol/lower_relays.h"
#include "Transforms/Protocol/move.h"

/* Accessors stand in the order of arguments, as their runtime arguments do. */
static void make_accessors(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor) tt_accessor_of(arena, func, args.data[i].value);
}

/*===- Reader and writer ----------------------------------------------------------===*/

static bool lower_reads(TtArena *arena, MlirOperation func, const MlirOperation *ops, intptr_t n) {
  TtBlockMove *moves = tt_arena_alloc(arena, (size_t)n * sizeof *moves);
  for (intptr_t i = 0; i < n; ++i)
    if (!tt_read_move(arena, func, ops[i], &moves[i])) return false;
  TtBuilder b = tt_builder_before(ops[n - 1]);
  if (!tt_read_blocks(&b, moves, n)) return false;
  for (intptr_t i = 0; i < n; ++i) mlirOperationDestroy(ops[i]);
  return true;
}

/* A block that is in place: only the counters move. */
static void lower_shard(MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue cb = mlirOperationGetOperand(op, 0);
  TtBuilder b = tt_builder_before(op);
  MlirValue n = tt_index(&b, loc, tt_cb_tiles(mlirValueGetType(cb)));
  if (tt_shard_to_cb_isa(op)) {
    metalium_cb_reserve_back_create(&b, loc, cb, n);
    metalium_cb_push_back_create(&b, loc, cb, n);
  } else {
    metalium_cb_wait_front_create(&b, loc, cb, n);
    metalium_cb_pop_front_create(&b, loc, cb, n);
  }
  mlirOperationDestroy(op);
}

static void lower_shards(TtArena *arena, MlirOperation func, const char *name) {
  TtOps ops = tt_collect(arena, func, name);
  for (intptr_t i = 0; i < ops.n; ++i) lower_shard(ops.data[i]);
}

/* One tile, which the reader's processor fills itself. */
static void lower_index(TtArena *arena, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue cb = tt_index_to_cb_cb(op);
  TtBuilder b = tt_builder_before(op);
  metalium_cb_reserve_back_create(&b, loc, cb, tt_index(&b, loc, 1));
  MlirOperation ptr = metalium_get_write_ptr_create(&b, loc, cb);
  tt_name_hint(ptr, tt_arena_printf(arena, "%s_write_ptr", tt_handle_name(arena, cb)));
  bool f16 = mlirTypeIsAF16(tt_cb_type_element_type(mlirValueGetType(cb)));
  metalium_fill_index_tile_create(&b, loc, mlirOperationGetResult(ptr, 0),
                                  tt_int(tt_index_to_cb_rows(op)), tt_int(tt_index_to_cb_cols(op)),
                                  f16 ? mlirUnitAttrGet(mlirOperationGetContext(op))
                                      : mlirAttributeGetNull());
  metalium_cb_push_back_create(&b, loc, cb, tt_index(&b, loc, 1));
  mlirOperationDestroy(op);
}

static bool lower_write(TtArena *arena, MlirOperation func, MlirOperation op) {
  TtBlockMove m;
  if (!tt_read_move(arena, func, op, &m)) return false;
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  metalium_cb_wait_front_create(&b, loc, m.cb, tt_move_pages(&b, &m));
  m.addr = tt_named_pointer(&m, metalium_get_read_ptr_create(&b, loc, m.cb), "read_ptr");
  if (!tt_transfer_tiles(b, &m)) return false;
  metalium_noc_async_write_barrier_create(&b, loc);
  metalium_cb_pop_front_create(&b, loc, m.cb, tt_move_pages(&b, &m));
  mlirOperationDestroy(op);
  return true;
}

/* Either kernel that moves data may read and write. */
static bool lower_mover(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  make_accessors(arena, kernel);
  TtOps ops = tt_collect(arena, kernel, "tt.read_to_cb");
  for (intptr_t i = 0, n; i < ops.n; i += n) {
    n = tt_neighbors(ops, i);
    if (!lower_reads(arena, kernel, ops.data + i, n)) return false;
  }
  ops = tt_collect(arena, kernel, "tt.index_to_cb");
  for (intptr_t i = 0; i < ops.n; ++i) lower_index(arena, ops.data[i]);
  ops = tt_collect(arena, kernel, "tt.write_from_cb");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!lower_write(arena, kernel, ops.data[i])) return false;
  lower_shards(arena, kernel, "tt.shard_to_cb");
  lower_shards(arena, kernel, "tt.shard_from_cb");
  if (!tt_lower_gathers(arena, program, kernel)) return false;
  tt_lower_relays(arena, program, kernel);
  tt_erase_dead(kernel);
  return true;
}

static bool stands_by_columns(MlirOperation program, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(program, cb);
  return !mlirOperationIsNull(decl) && !mlirAttributeIsNull(tt_circular_buffer_by_columns(decl));
}

/* Only products take tiles that stand by columns where they are, as second operands; and only whole
 * tiles are put there. */
static bool check_columns(TtArena *arena, MlirOperation program) {
  TtOps ops = tt_collect(arena, program, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    MlirValue fills = tt_op_fills(op);
    TtBox box;
    bool wrong = !tt_is_null_value(fills) && stands_by_columns(program, fills) &&
                 (!tt_read_to_cb_isa(op) || tt_box_of(op, &box));
    for (int j = 0; j < tt_op_info(op)->num_reads; ++j) {
      MlirValue cb = tt_op_reads(op, j);
      if (tt_is_null_value(cb) || !stands_by_columns(program, cb)) continue;
      wrong |= tt_mm_mma_isa(op) ? tt_value_eq(cb, tt_mm_mma_a(op)) : !tt_write_from_cb_isa(op);
    }
    MlirAttribute parts = tt_mm_mma_isa(op) ? tt_mm_mma_spill(op) : mlirAttributeGetNull();
    if (!mlirAttributeIsNull(parts)) {
      MlirOperation decl = tt_program_cb(program, tt_string(parts));
      wrong |=
          !mlirOperationIsNull(decl) && !mlirAttributeIsNull(tt_circular_buffer_by_columns(decl));
    }
    if (tt_relay_isa(op))
      wrong = stands_by_columns(program, tt_relay_from(op)) !=
              stands_by_columns(program, tt_relay_to(op));
    if (wrong)
      return tt_error(op, "takes or fills a circular buffer whose tiles stand by columns "
                          "(`by_columns`): only whole tiles are read to one, and only products "
                          "take them, as second operands");
  }
  return true;
}

static bool lower(TtArena *arena, MlirOperation program) {
  if (!check_columns(arena, program)) return false;
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    MlirOperation kernel = kernels.data[i];
    bool computes = tt_role_of(kernel) == TT_KERNEL_ROLE_COMPUTE;
    if (!tt_lower_indices(arena, kernel, computes)) return false;
    if (!(computes ? tt_lower_compute(arena, program, kernel)
                   : lower_mover(arena, program, kernel)))
      return false;
  }
  return true;
}

bool tt_run_lower_cb_intrinsics(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, lower);
}
