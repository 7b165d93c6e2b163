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
 *   both: see lower_gathers.c; compute: see lower_compute.c
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

/* Where element (r, c) of a tile is among its elements: faces of 16 x 16, row by row. */
static MlirValue place_in_tile(TtBuilder *b, MlirLocation loc, MlirValue r, MlirValue c) {
  MlirValue face = tt_index(b, loc, 16), two = tt_index(b, loc, 2);
  MlirValue faces =
      tt_add(b, loc, tt_mul(b, loc, tt_div(b, loc, r, face), two), tt_div(b, loc, c, face));
  MlirValue inside =
      tt_add(b, loc, tt_mul(b, loc, tt_rem(b, loc, r, face), face), tt_rem(b, loc, c, face));
  return tt_add(b, loc, tt_mul(b, loc, faces, tt_index(b, loc, 256)), inside);
}

/* One page of a circular buffer: the processor's own, or one that it hands on. */
static MlirValue page_of(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue cb, bool read) {
  MlirValue one = tt_index(b, loc, 1);
  if (read) metalium_cb_wait_front_create(b, loc, cb, one);
  else metalium_cb_reserve_back_create(b, loc, cb, one);
  MlirOperation ptr =
      read ? metalium_get_read_ptr_create(b, loc, cb) : metalium_get_write_ptr_create(b, loc, cb);
  tt_name_hint(
      ptr, tt_arena_printf(arena, "%s_%s_ptr", tt_handle_name(arena, cb), read ? "read" : "write"));
  return mlirOperationGetResult(ptr, 0);
}

static MlirValue handle_of(TtArena *arena, MlirOperation kernel, MlirAttribute name) {
  TtOps gets = tt_collect(arena, kernel, "tt.get_cb");
  int64_t tiles[2] = {1, 1};
  for (intptr_t i = 0; i < gets.n; ++i)
    if (mlirStringRefEqual(tt_string(tt_get_cb_name(gets.data[i])), tt_string(name)))
      return tt_get_cb_cb(gets.data[i]);
  TtBuilder b = tt_builder_at_start(tt_body(kernel));
  MlirType type = tt_cb_type_get(b.context, 2, tiles, mlirIntegerTypeGet(b.context, 32));
  return tt_get_cb_cb(tt_get_cb_create(&b, mlirOperationGetLocation(kernel), type, name));
}

/* An integer of a tensor: its tile is read, and it goes to the kernels that need it. */
static bool lower_fetch(TtArena *arena, MlirOperation kernel, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue tensor = tt_fetch_index_tensor(op), accessor = tt_accessor_of(arena, kernel, tensor);
  if (tt_is_null_value(accessor))
    return tt_error(op,
                    "the tensor has no bound accessor: run --tt-configure-tensor-accessor first");
  MlirType type = mlirValueGetType(tensor);
  intptr_t rank = tt_fetch_index_num_at(op);
  char *name = tt_arg_of(tt_kernel_args(arena, kernel), tensor)->name;
  TtDType dtype = tt_buffer_attr_dtype(tt_named_attr(tt_parent(kernel), "buffer", name));
  int64_t bytes = tt_format(dtype)->datum_bits / 8;
  TtBuilder b = tt_builder_before(op);
  MlirValue side = tt_index(&b, loc, TT_TILE), r = tt_index(&b, loc, 0), c = r,
            tile = tt_index(&b, loc, 0), across = tt_index(&b, loc, 1);
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue at = tt_fetch_index_at(op, d);
    bool outer = d + 2 < rank;
    MlirValue step = outer ? at : tt_div(&b, loc, at, side);
    if (d + 1 == rank) c = tt_rem(&b, loc, at, side);
    else if (!outer) r = tt_rem(&b, loc, at, side);
    MlirValue size = tt_dim_value(arena, kernel, &b, name, type, d);
    if (!outer) {
      int64_t n;
      size = tt_constant(size, &n)
                 ? tt_index(&b, loc, tt_tiles(n))
                 : tt_div(&b, loc, tt_add(&b, loc, size, tt_index(&b, loc, TT_TILE - 1)), side);
    }
    if (d + 1 == rank) across = size;
    if (d > 0) tile = tt_mul(&b, loc, tile, size);
    tile = tt_add(&b, loc, tile, step);
  }
  MlirValue page = page_of(arena, &b, loc, tt_fetch_index_cb(op), false);
  bool flat = tt_lies_in_rows(arena, tensor);
  if (flat)
    metalium_noc_async_read_rows_create(&b, loc, tile, accessor, page, across, r,
                                        tt_index(&b, loc, 1), bytes * TT_TILE);
  else metalium_noc_async_read_tile_create(&b, loc, tile, accessor, page);
  metalium_noc_async_read_barrier_create(&b, loc);
  /* The reader takes the page back itself. */
  metalium_cb_push_back_create(&b, loc, tt_fetch_index_cb(op), tt_index(&b, loc, 1));
  page = page_of(arena, &b, loc, tt_fetch_index_cb(op), true);
  MlirValue place =
      flat ? tt_add(&b, loc, tt_mul(&b, loc, r, side), c) : place_in_tile(&b, loc, r, c);
  MlirValue offset = tt_mul(&b, loc, place, tt_index(&b, loc, bytes));
  int64_t zero;
  if (!tt_constant(offset, &zero) || zero != 0)
    page = metalium_l1_offset_addr(metalium_l1_offset_create(&b, loc, page, offset));
  MlirOperation word = metalium_load_word_create(
      &b, loc, page, bytes, tt_int(tt_fetch_index_id(op)), tt_int(tt_fetch_index_lo(op)),
      tt_int(tt_fetch_index_hi(op)), tt_fetch_index_ranged(op));
  tt_name_hint(word, tt_arena_printf(arena, "%s_value", name));
  metalium_cb_pop_front_create(&b, loc, tt_fetch_index_cb(op), tt_index(&b, loc, 1));
  MlirAttribute to = tt_fetch_index_to(op);
  for (intptr_t i = 0; !mlirAttributeIsNull(to) && i < mlirArrayAttrGetNumElements(to); ++i) {
    MlirValue cb = handle_of(arena, kernel, mlirArrayAttrGetElement(to, i));
    MlirValue there = page_of(arena, &b, loc, cb, false);
    metalium_store_word_create(&b, loc, there, metalium_load_word_value(word));
    metalium_cb_push_back_create(&b, loc, cb, tt_index(&b, loc, 1));
  }
  tt_replace(op, metalium_load_word_value(word));
  return true;
}

static void lower_take(TtArena *arena, MlirOperation op, bool computes) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue cb = tt_take_index_cb(op), value;
  TtBuilder b = tt_builder_before(op);
  int64_t id = tt_int(tt_take_index_id(op)), lo = tt_int(tt_take_index_lo(op)),
          hi = tt_int(tt_take_index_hi(op));
  MlirAttribute ranged = tt_take_index_ranged(op);
  MlirOperation word;
  if (computes) {
    metalium_cb_wait_front_create(&b, loc, cb, tt_index(&b, loc, 1));
    word = metalium_read_tile_value_create(&b, loc, cb, 4, id, lo, hi, ranged);
  } else {
    MlirValue page = page_of(arena, &b, loc, cb, true);
    word = metalium_load_word_create(&b, loc, page, 4, id, lo, hi, ranged);
  }
  tt_name_hint(word, "loaded");
  value = mlirOperationGetResult(word, 0);
  metalium_cb_pop_front_create(&b, loc, cb, tt_index(&b, loc, 1));
  tt_replace(op, value);
}

/* Integers that steer a kernel. */
static bool lower_learned(TtArena *arena, MlirOperation kernel, bool computes) {
  TtOps ops = tt_collect(arena, kernel, "tt.fetch_index");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!lower_fetch(arena, kernel, ops.data[i])) return false;
  ops = tt_collect(arena, kernel, "tt.take_index");
  for (intptr_t i = 0; i < ops.n; ++i) lower_take(arena, ops.data[i], computes);
  return true;
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
  tt_erase_dead(kernel);
  return true;
}

static bool lower(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    MlirOperation kernel = kernels.data[i];
    bool computes = tt_role_of(kernel) == TT_KERNEL_ROLE_COMPUTE;
    if (!lower_learned(arena, kernel, computes)) return false;
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
