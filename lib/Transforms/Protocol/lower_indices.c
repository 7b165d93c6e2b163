/*===- lower_indices.c - integers of a tensor that steer the kernels of a core ------------------===
 *
 *   %v = tt.fetch_index 0 %T[%base + %i], %cb to [@cb_to_compute]       (reader)
 * = cb_reserve_back %cb, 1;  noc_async_read_tile id, %T, …;  noc_async_read_barrier
 *   cb_push_back %cb, 1;  cb_wait_front %cb, 1
 *   %v = load_word …;  cb_pop_front %cb, 1;  store_word %v, @cb_to_compute …
 *
 *   %v = tt.take_index 0 %cb_to_compute                                 (compute, writer)
 * = cb_wait_front; load_word or read_tile_value; cb_pop_front
 *
 * Where a loop goes through one tile of the tensor, the tile comes before the loop and stays until
 * its end: for %i < 32 and a %base that is a multiple of 32.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/lower_indices.h"

#include "Analysis/dims.h"
#include "Analysis/index_expr.h"
#include "Analysis/program.h"
#include "Analysis/shards.h"
#include "Transforms/Protocol/move.h"

#include <string.h>

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

/*===- Loops through one tile ---------------------------------------------------------------===*/

/* The least divisor of a tile's side that a loop's counter stays below, so that what is added to a
 * multiple of it stays in one tile; 0 where there is none. */
static int64_t part_of_tile(MlirOperation loop) {
  int64_t from, to, part = 1;
  if (!tt_op_is(loop, "scf.for") || !tt_constant(mlirOperationGetOperand(loop, 0), &from)) return 0;
  if (!tt_constant(mlirOperationGetOperand(loop, 1), &to))
    to = tt_index_bound(mlirOperationGetOperand(loop, 1));
  if (from < 0 || from >= to || to > TT_TILE) return 0;
  while (part < to) part *= 2;
  return part;
}

static bool is_arith(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return name.length > 6 && strncmp(name.data, "arith.", 6) == 0;
}

/* Whether a loop may make no step at all. */
static bool may_be_skipped(MlirOperation loop) {
  int64_t to;
  return !tt_constant(mlirOperationGetOperand(loop, 1), &to);
}

/* `value` as it is before the loop: itself, or computed there again; null where it changes in it.
 */
static MlirValue before(TtBuilder *b, MlirValue value, MlirOperation loop, int depth) {
  enum { DEEPEST = 8 };
  if (!tt_is_defined_in(loop, value)) return value;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth > DEEPEST || !is_arith(op) ||
      mlirOperationGetNumResults(op) != 1)
    return (MlirValue){NULL};
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = before(b, mlirOperationGetOperand(op, i), loop, depth + 1);
    if (tt_is_null_value(operand)) {
      mlirOperationDestroy(copy);
      return operand;
    }
    mlirOperationSetOperand(copy, i, operand);
  }
  return mlirOperationGetResult(tt_builder_insert(b, copy), 0);
}

/* What of a place does not change in a loop and is in the same tile: all of it, or what the loop's
 * counter is added to. Null where it may leave the tile. */
static MlirValue base_in(TtArena *arena, MlirValue at, MlirOperation loop) {
  TtBuilder b = tt_builder_before(loop);
  MlirValue whole = before(&b, at, loop, 0), null = {NULL};
  if (!tt_is_null_value(whole)) return whole;
  if (tt_value_eq(at, tt_for_iv(loop))) return tt_index(&b, mlirOperationGetLocation(loop), 0);
  MlirOperation add = tt_defining_op(at);
  for (int i = 0; tt_op_is(add, "arith.addi") && i < 2; ++i) {
    if (!tt_value_eq(mlirOperationGetOperand(add, 1 - i), tt_for_iv(loop))) continue;
    MlirValue base = before(&b, mlirOperationGetOperand(add, i), loop, 0);
    bool stays = !tt_is_null_value(base) && tt_is_multiple(arena, &b, base, part_of_tile(loop));
    return stays ? base : null;
  }
  return null;
}

static bool is_alone(TtArena *arena, MlirOperation op, MlirOperation loop) {
  TtOps others = tt_collect(arena, loop, "tt.fetch_index");
  for (intptr_t i = 0; i < others.n; ++i)
    if (!tt_op_eq(others.data[i], op) &&
        tt_value_eq(tt_fetch_index_cb(others.data[i]), tt_fetch_index_cb(op)))
      return false;
  return true;
}

/* How many loops around `op` have no other op that fetches to its circular buffer: a page that
 * stays would be the one that the other takes back. To be asked before any of them is lowered. */
static int loops_alone(TtArena *arena, MlirOperation op) {
  int n = 0;
  for (MlirOperation loop = tt_parent(op); part_of_tile(loop) > 0 && is_alone(arena, op, loop);
       loop = tt_parent(loop))
    ++n;
  return n;
}

/* The outermost of the `loops` around `op` that goes through one tile of the tensor from which it
 * fetches; `op` itself where there is none. The place of the tile goes to `at`. A tensor that is
 * stored row by row comes by rows. */
static MlirOperation tile_scope(TtArena *arena, MlirOperation op, bool flat, int loops,
                                MlirValue *at) {
  MlirOperation scope = op;
  intptr_t rank = tt_fetch_index_num_at(op);
  bool open = !mlirShapedTypeHasStaticShape(mlirValueGetType(tt_fetch_index_tensor(op)));
  for (intptr_t d = 0; d < rank; ++d) at[d] = tt_fetch_index_at(op, d);
  for (MlirOperation loop = tt_parent(op); loops-- > 0; loop = tt_parent(loop)) {
    MlirValue base[TT_MAX_RANK];
    if (open && may_be_skipped(loop)) return scope;
    for (intptr_t d = 0; d < rank; ++d) {
      base[d] = base_in(arena, at[d], loop);
      bool whole = d + 2 < rank || (flat && d + 1 < rank);
      TtBuilder b = tt_builder_before(loop);
      if (tt_is_null_value(base[d]) || (whole && tt_is_null_value(before(&b, at[d], loop, 0))))
        return scope;
    }
    for (intptr_t d = 0; d < rank; ++d) at[d] = base[d];
    scope = loop;
  }
  return scope;
}

/*===- Fetching and taking ------------------------------------------------------------------===*/

/* Which tile of a tensor has the element at `at`, and how many there are across. */
static MlirValue tile_at(TtArena *arena, MlirOperation kernel, TtBuilder *b, MlirOperation op,
                         const MlirValue *at, MlirValue *across) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue tensor = tt_fetch_index_tensor(op), side = tt_index(b, loc, TT_TILE),
            tile = tt_index(b, loc, 0);
  MlirType type = mlirValueGetType(tensor);
  char *name = tt_arg_of(tt_kernel_args(arena, kernel), tensor)->name;
  intptr_t rank = tt_fetch_index_num_at(op);
  *across = tt_index(b, loc, 1);
  for (intptr_t d = 0; d < rank; ++d) {
    bool outer = d + 2 < rank;
    MlirValue step = outer ? at[d] : tt_div(b, loc, at[d], side),
              size = tt_dim_value(arena, kernel, b, name, type, d);
    if (!outer) {
      int64_t n;
      size = tt_constant(size, &n)
                 ? tt_index(b, loc, tt_tiles(n))
                 : tt_div(b, loc, tt_add(b, loc, size, tt_index(b, loc, TT_TILE - 1)), side);
    }
    if (d + 1 == rank) *across = size;
    if (d > 0) tile = tt_mul(b, loc, tile, size);
    tile = tt_add(b, loc, tile, step);
  }
  return tile;
}

/* The place of an element in its tile along dimension `d`, of the last two. */
static MlirValue in_tile(TtBuilder *b, MlirOperation op, intptr_t d) {
  MlirLocation loc = mlirOperationGetLocation(op);
  if (d < 0) return tt_index(b, loc, 0);
  return tt_rem(b, loc, tt_fetch_index_at(op, d), tt_index(b, loc, TT_TILE));
}

/* A tile of the tensor, whichever, where a loop makes no step: nobody looks at it then. */
static MlirValue inside(TtBuilder *b, MlirOperation op, MlirOperation scope, MlirValue tile) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(tt_fetch_index_tensor(op));
  int64_t tiles = 1, rank = mlirShapedTypeGetRank(type);
  bool skipped = false;
  for (MlirOperation at = op; !tt_op_eq(at, scope); at = tt_parent(at))
    skipped |= may_be_skipped(tt_parent(at));
  if (!skipped) return tile;
  for (intptr_t d = 0; d < rank; ++d) {
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    tiles *= d + 2 < rank ? size : tt_tiles(size);
  }
  return tt_min(b, loc, tile, tt_index(b, loc, tiles - 1));
}

/* Sends what was loaded to the kernels that need it. */
static void hand_on(TtArena *arena, MlirOperation kernel, TtBuilder *b, MlirOperation op,
                    MlirValue value) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirAttribute to = tt_fetch_index_to(op);
  for (intptr_t i = 0; !mlirAttributeIsNull(to) && i < mlirArrayAttrGetNumElements(to); ++i) {
    MlirValue cb = handle_of(arena, kernel, mlirArrayAttrGetElement(to, i));
    MlirValue there = page_of(arena, b, loc, cb, false);
    metalium_store_word_create(b, loc, there, value);
    metalium_cb_push_back_create(b, loc, cb, tt_index(b, loc, 1));
  }
}

/* An integer of a tensor: its tile is read, and it goes to the kernels that need it. In `loops`
 * loops around, no other is read to its circular buffer. */
static bool lower_fetch(TtArena *arena, MlirOperation kernel, MlirOperation op, int loops) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue tensor = tt_fetch_index_tensor(op), accessor = tt_accessor_of(arena, kernel, tensor),
            cb = tt_fetch_index_cb(op), at[TT_MAX_RANK], across;
  if (tt_is_null_value(accessor))
    return tt_error(op,
                    "the tensor has no bound accessor: run --tt-configure-tensor-accessor first");
  char *name = tt_arg_of(tt_kernel_args(arena, kernel), tensor)->name;
  TtDType dtype = tt_buffer_attr_dtype(tt_named_attr(tt_parent(kernel), "buffer", name));
  int64_t bytes = tt_format(dtype)->datum_bits / 8;
  bool flat = tt_lies_in_rows(arena, tensor);
  bool changes = tt_program_use(arena, tt_parent(kernel), name).written;
  MlirOperation scope = tile_scope(arena, op, flat, changes ? 0 : loops, at);
  TtBuilder front = tt_builder_before(scope), b = tt_builder_before(op);
  MlirValue r = in_tile(&b, op, tt_fetch_index_num_at(op) - 2),
            c = in_tile(&b, op, tt_fetch_index_num_at(op) - 1),
            tile = tile_at(arena, kernel, &front, op, at, &across),
            page = page_of(arena, &front, loc, cb, false);
  tile = inside(&front, op, scope, tile);
  if (flat) {
    MlirValue row = tt_fetch_index_num_at(op) < 2
                        ? tt_index(&front, loc, 0)
                        : tt_rem(&front, loc, at[tt_fetch_index_num_at(op) - 2],
                                 tt_index(&front, loc, TT_TILE));
    metalium_noc_async_read_rows_create(&front, loc, tile, accessor, page, across, row,
                                        tt_index(&front, loc, 1), bytes * TT_TILE);
  } else metalium_noc_async_read_tile_create(&front, loc, tile, accessor, page);
  metalium_noc_async_read_barrier_create(&front, loc);
  /* The reader takes the page back itself. */
  metalium_cb_push_back_create(&front, loc, cb, tt_index(&front, loc, 1));
  page = page_of(arena, &front, loc, cb, true);
  MlirValue place = flat ? tt_add(&b, loc, tt_mul(&b, loc, r, tt_index(&b, loc, TT_TILE)), c)
                         : place_in_tile(&b, loc, r, c);
  MlirValue offset = tt_mul(&b, loc, place, tt_index(&b, loc, bytes));
  int64_t zero;
  if (!tt_constant(offset, &zero) || zero != 0)
    page = metalium_l1_offset_addr(metalium_l1_offset_create(&b, loc, page, offset));
  MlirOperation word = metalium_load_word_create(
      &b, loc, page, bytes, tt_int(tt_fetch_index_id(op)), tt_int(tt_fetch_index_lo(op)),
      tt_int(tt_fetch_index_hi(op)), tt_fetch_index_ranged(op), tt_fetch_index_plus(op));
  tt_name_hint(word, tt_arena_printf(arena, "%s_value", name));
  TtBuilder after = tt_op_eq(scope, op) ? b : tt_builder_after(scope);
  metalium_cb_pop_front_create(&after, loc, cb, tt_index(&after, loc, 1));
  hand_on(arena, kernel, &b, op, metalium_load_word_value(word));
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
    word = metalium_load_word_create(&b, loc, page, 4, id, lo, hi, ranged, mlirAttributeGetNull());
  }
  tt_name_hint(word, "loaded");
  value = mlirOperationGetResult(word, 0);
  metalium_cb_pop_front_create(&b, loc, cb, tt_index(&b, loc, 1));
  tt_replace(op, value);
}

/* Integers that steer a kernel. */
bool tt_lower_indices(TtArena *arena, MlirOperation kernel, bool computes) {
  TtOps ops = tt_collect(arena, kernel, "tt.fetch_index");
  int *loops = tt_arena_alloc(arena, (size_t)(ops.n + 1) * sizeof *loops);
  for (intptr_t i = 0; i < ops.n; ++i) loops[i] = loops_alone(arena, ops.data[i]);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!lower_fetch(arena, kernel, ops.data[i], loops[i])) return false;
  ops = tt_collect(arena, kernel, "tt.take_index");
  for (intptr_t i = 0; i < ops.n; ++i) lower_take(arena, ops.data[i], computes);
  return true;
}
