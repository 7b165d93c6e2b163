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
 *   compute: see lower_compute.c
 *
 * Requires bound accessors (D2). Leaves no protocol-free op but tt.pack_to_cb,
 * which stands between its reservation and its publication until D5.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/lower_compute.h"

typedef struct Move {
  TtArena *arena;
  MlirOperation func;
  MlirOperation op;
  bool in; /* to the circular buffer, else from it */
  MlirValue cb, tensor, offsets[TT_MAX_RANK];
  intptr_t rank;
  MlirValue accessor, addr;
  int64_t rows, cols;
  bool partial; /* tiles of the block may lie behind the tensor */
} Move;

/* The accessor of a tensor that D2 has bound, made once, at the top of the function. */
static MlirValue accessor_of(TtArena *arena, MlirOperation func, MlirValue tensor) {
  TtOps made = tt_collect(arena, func, "metalium.tensor_accessor");
  for (intptr_t i = 0; i < made.n; ++i)
    if (tt_value_eq(metalium_tensor_accessor_tensor(made.data[i]), tensor))
      return metalium_tensor_accessor_accessor(made.data[i]);
  TtArg *arg = tt_arg_of(tt_kernel_args(arena, func), tensor);
  MlirAttribute attr =
      arg ? tt_named_attr(func, "tensor_accessor", arg->name) : mlirAttributeGetNull();
  if (!tt_tensor_accessor_attr_isa(attr) ||
      tt_tensor_accessor_attr_type(attr) != TT_ACCESSOR_KIND_BOUND)
    return (MlirValue){NULL};
  TtBuilder b =
      made.n ? tt_builder_after(made.data[made.n - 1]) : tt_builder_at_start(tt_body(func));
  return metalium_tensor_accessor_accessor(
      metalium_tensor_accessor_create(&b, mlirOperationGetLocation(func), arg->name, tensor));
}

static bool read_move(TtArena *arena, MlirOperation func, MlirOperation op, Move *m) {
  TtMove move;
  if (!tt_move_of(op, &move)) return tt_error(op, "moves no block between a tensor and L1");
  *m = (Move){.arena = arena, .func = func, .op = op, .in = move.in};
  m->cb = move.cb, m->tensor = move.tensor, m->rank = move.rank;
  for (intptr_t i = 0; i < m->rank; ++i) m->offsets[i] = tt_move_offset(&move, i);
  m->rows = tt_cb_rows(mlirValueGetType(m->cb));
  m->cols = tt_cb_cols(mlirValueGetType(m->cb));
  m->partial = !mlirAttributeIsNull(tt_op_attr(op, "partial"));
  m->accessor = accessor_of(arena, func, m->tensor);
  if (!tt_is_null_value(m->accessor)) return true;
  return tt_error(op, "the tensor has no bound accessor: run --tt-configure-tensor-accessor first");
}

static MlirValue pages(TtBuilder *b, const Move *m) {
  return tt_index(b, mlirOperationGetLocation(m->op), m->rows * m->cols);
}

/* Where tile (i, j) of a block is in the tensor. */
typedef struct Place {
  MlirValue id;     /* ((matrix * rows) + row0 + i) * columns + col0 + j, in tiles */
  MlirValue inside; /* of a partial block: whether it is in the tensor at all; else null */
} Place;

/* Whether `op` is (size + 31) / 32, whatever it is called. */
static bool is_tiles_of(MlirOperation op, MlirValue size) {
  int64_t tile, more;
  if (!tt_op_is(op, "arith.divui") || !tt_constant(mlirOperationGetOperand(op, 1), &tile))
    return false;
  MlirOperation up = tt_defining_op(mlirOperationGetOperand(op, 0));
  return tile == TT_TILE && tt_op_is(up, "arith.addi") &&
         tt_value_eq(mlirOperationGetOperand(up, 0), size) &&
         tt_constant(mlirOperationGetOperand(up, 1), &more) && more == TT_TILE - 1;
}

/* Tiles (or, of outer dimensions, steps) along dimension `d` of the tensor. */
static MlirValue tiles_along(TtBuilder *b, const Move *m, MlirType type, intptr_t d) {
  MlirLocation loc = mlirOperationGetLocation(m->op);
  bool outer = d < m->rank - 2;
  if (!mlirShapedTypeIsDynamicDim(type, d)) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    return tt_index(b, loc, outer ? size : tt_tiles(size));
  }
  const char *name = tt_arg_of(tt_kernel_args(m->arena, m->func), m->tensor)->name;
  MlirValue size = tt_dim_value(m->arena, m->func, b, name, type, d);
  if (outer) return size;
  MlirOperation arg = tt_defining_op(size), next = tt_next(arg);
  const char *tiles = tt_arena_printf(m->arena, "%s_t%jd", name, (intmax_t)d);
  for (; !mlirOperationIsNull(next) && mlirOperationGetNumRegions(next) == 0;
       next = tt_next(next)) {
    if (is_tiles_of(next, size)) return mlirOperationGetResult(next, 0);
  }
  TtBuilder after = tt_builder_after(arg);
  MlirValue up = tt_add(&after, loc, size, tt_index(&after, loc, TT_TILE - 1));
  MlirValue value = tt_div(&after, loc, up, tt_index(&after, loc, TT_TILE));
  tt_name_hint(tt_defining_op(value), tiles);
  return value;
}

/* `at` < `tiles`, and what `inside` says already. */
static MlirValue still_inside(TtBuilder *b, MlirLocation loc, MlirValue inside, MlirValue at,
                              MlirValue tiles) {
  MlirValue below = tt_less(b, loc, at, tiles);
  return tt_is_null_value(inside) ? below : tt_and(b, loc, inside, below);
}

static bool place_of(TtBuilder *b, const Move *m, MlirValue i, MlirValue j, Place *place) {
  MlirLocation loc = mlirOperationGetLocation(m->op);
  MlirType type = mlirValueGetType(m->tensor);
  *place = (Place){tt_index(b, loc, 0), {NULL}};
  for (intptr_t d = 0; d < m->rank; ++d) {
    intptr_t side = d - m->rank + 2; /* 0: rows, 1: columns, below: which matrix */
    MlirValue at = m->offsets[d], tiles = tiles_along(b, m, type, d);
    if (side >= 0) {
      at = tt_exact_quotient(m->arena, b, loc, at, TT_TILE);
      if (tt_is_null_value(at))
        return tt_error(m->op,
                        "the offset of dimension %jd is not provably a multiple of 32; make its "
                        "terms products with constants that are",
                        (intmax_t)d);
      at = tt_add(b, loc, at, side ? j : i);
      int64_t n;
      bool divides = tt_constant(tiles, &n) && n % (side ? m->cols : m->rows) == 0;
      if (m->partial && !divides) place->inside = still_inside(b, loc, place->inside, at, tiles);
    }
    if (d > 0) place->id = tt_mul(b, loc, place->id, tiles);
    place->id = tt_add(b, loc, place->id, at);
  }
  return true;
}

static char *cb_name(TtArena *arena, MlirValue cb) {
  return tt_arena_str(arena, tt_string(tt_get_cb_name(tt_defining_op(cb))));
}

/* The size of a tile of `cb`, asked for once, at the top of the function. */
static MlirValue tile_size(const Move *m) {
  MlirOperation get = tt_defining_op(m->cb), next = get;
  while (tt_get_cb_isa(next)) next = tt_next(next);
  for (MlirOperation op = next; metalium_get_tile_size_isa(op); op = next = tt_next(op))
    if (tt_value_eq(metalium_get_tile_size_cb(op), m->cb)) return metalium_get_tile_size_bytes(op);
  TtBuilder b = tt_builder_before(next);
  MlirOperation size = metalium_get_tile_size_create(&b, mlirOperationGetLocation(get), m->cb);
  tt_name_hint(size, tt_arena_printf(m->arena, "%s_tile_bytes", cb_name(m->arena, m->cb)));
  return metalium_get_tile_size_bytes(size);
}

static MlirValue named_ptr(const Move *m, MlirOperation op, const char *suffix) {
  tt_name_hint(op, tt_arena_printf(m->arena, "%s_%s", cb_name(m->arena, m->cb), suffix));
  return mlirOperationGetResult(op, 0);
}

/* The loops over the tiles of a block, with one transfer each. */
static bool transfer_tiles(TtBuilder b, const Move *m) {
  MlirLocation loc = mlirOperationGetLocation(m->op);
  MlirValue bytes = tile_size(m);
  MlirValue i = tt_counted_loop(&b, loc, m->rows, "i"), j = tt_counted_loop(&b, loc, m->cols, "j");
  MlirValue tile = tt_add(&b, loc, tt_mul(&b, loc, i, tt_index(&b, loc, m->cols)), j),
            addr = m->addr;
  Place place;
  if (!place_of(&b, m, i, j, &place)) return false;
  int64_t zero;
  if (!tt_constant(tile, &zero))
    addr = metalium_l1_offset_addr(
        metalium_l1_offset_create(&b, loc, addr, tt_mul(&b, loc, tile, bytes)));
  if (!tt_is_null_value(place.inside)) {
    MlirOperation choice = m->in ? tt_if_else(&b, loc, place.inside) : tt_if(&b, loc, place.inside);
    if (m->in) {
      TtBuilder outside =
          tt_builder_at_terminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, 1)));
      metalium_fill_zeros_create(&outside, loc, addr, bytes);
    }
    b = tt_builder_at_terminator(tt_body(choice));
  }
  if (m->in) metalium_noc_async_read_tile_create(&b, loc, place.id, m->accessor, addr);
  else metalium_noc_async_write_tile_create(&b, loc, place.id, m->accessor, addr);
  return true;
}

/* Accessors stand in the order of arguments, as their runtime arguments do. */
static void make_accessors(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < args.n; ++i)
    if (args.data[i].is_tensor) accessor_of(arena, func, args.data[i].value);
}

/*===- Reader and writer ----------------------------------------------------------===*/

/* Reads that follow each other, with nothing but index arithmetic between. */
static intptr_t group_size(TtOps ops, intptr_t first) {
  intptr_t n = 1;
  while (first + n < ops.n) {
    MlirOperation next = tt_next(ops.data[first + n - 1]);
    while (!mlirOperationIsNull(next) && !tt_op_eq(next, ops.data[first + n]) &&
           mlirOperationGetNumRegions(next) == 0 && mlirOperationGetNumResults(next) > 0)
      next = tt_next(next);
    if (mlirOperationIsNull(next) || !tt_op_eq(next, ops.data[first + n])) break;
    ++n;
  }
  return n;
}

static bool lower_reads(TtArena *arena, MlirOperation func, const MlirOperation *ops, intptr_t n) {
  Move *moves = tt_arena_alloc(arena, (size_t)n * sizeof *moves);
  for (intptr_t i = 0; i < n; ++i)
    if (!read_move(arena, func, ops[i], &moves[i])) return false;
  MlirLocation loc = mlirOperationGetLocation(ops[0]);
  TtBuilder b = tt_builder_before(ops[n - 1]);
  for (intptr_t i = 0; i < n; ++i)
    metalium_cb_reserve_back_create(&b, loc, moves[i].cb, pages(&b, &moves[i]));
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation ptr = metalium_get_write_ptr_create(&b, loc, moves[i].cb);
    moves[i].addr = named_ptr(&moves[i], ptr, "write_ptr");
    if (!transfer_tiles(b, &moves[i])) return false;
  }
  metalium_noc_async_read_barrier_create(&b, loc);
  for (intptr_t i = 0; i < n; ++i)
    metalium_cb_push_back_create(&b, loc, moves[i].cb, pages(&b, &moves[i]));
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
  tt_name_hint(ptr, tt_arena_printf(arena, "%s_write_ptr", cb_name(arena, cb)));
  metalium_fill_index_tile_create(&b, loc, mlirOperationGetResult(ptr, 0),
                                  tt_int(tt_index_to_cb_rows(op)), tt_int(tt_index_to_cb_cols(op)));
  metalium_cb_push_back_create(&b, loc, cb, tt_index(&b, loc, 1));
  mlirOperationDestroy(op);
}

static bool lower_write(TtArena *arena, MlirOperation func, MlirOperation op) {
  Move m;
  if (!read_move(arena, func, op, &m)) return false;
  MlirLocation loc = mlirOperationGetLocation(op);
  TtBuilder b = tt_builder_before(op);
  metalium_cb_wait_front_create(&b, loc, m.cb, pages(&b, &m));
  m.addr = named_ptr(&m, metalium_get_read_ptr_create(&b, loc, m.cb), "read_ptr");
  if (!transfer_tiles(b, &m)) return false;
  metalium_noc_async_write_barrier_create(&b, loc);
  metalium_cb_pop_front_create(&b, loc, m.cb, pages(&b, &m));
  mlirOperationDestroy(op);
  return true;
}

static bool lower_reader(TtArena *arena, MlirOperation reader) {
  make_accessors(arena, reader);
  TtOps ops = tt_collect(arena, reader, "tt.read_to_cb");
  for (intptr_t i = 0, n; i < ops.n; i += n) {
    n = group_size(ops, i);
    if (!lower_reads(arena, reader, ops.data + i, n)) return false;
  }
  ops = tt_collect(arena, reader, "tt.index_to_cb");
  for (intptr_t i = 0; i < ops.n; ++i) lower_index(arena, ops.data[i]);
  lower_shards(arena, reader, "tt.shard_to_cb");
  tt_erase_dead(reader);
  return true;
}

static bool lower_writer(TtArena *arena, MlirOperation writer) {
  make_accessors(arena, writer);
  TtOps ops = tt_collect(arena, writer, "tt.write_from_cb");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!lower_write(arena, writer, ops.data[i])) return false;
  lower_shards(arena, writer, "tt.shard_from_cb");
  tt_erase_dead(writer);
  return true;
}

static bool lower(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    MlirOperation kernel = kernels.data[i];
    TtKernelRole role = tt_role_of(kernel);
    if (!(role == TT_KERNEL_ROLE_READER   ? lower_reader(arena, kernel)
          : role == TT_KERNEL_ROLE_WRITER ? lower_writer(arena, kernel)
                                          : tt_lower_compute(arena, program, kernel)))
      return false;
  }
  return true;
}

bool tt_run_lower_cb_intrinsics(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, lower);
}
