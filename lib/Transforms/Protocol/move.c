/*===- move.c - the transfers of a block, tile by tile ----------------------------------------===
 *
 *   for i, j { noc_async_read_tile id(m + i, k + j), %A_accessor, %l1 + (i*c + j) * tile }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/move.h"

#include "Analysis/dims.h"
#include "Analysis/index_expr.h"
#include "Dialect/op_info.h"

/* The accessor of a tensor that D2 has bound, made once, at the top of the function. */
MlirValue tt_accessor_of(TtArena *arena, MlirOperation func, MlirValue tensor) {
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

/* The handle of circular buffer `name` of the program, made once, at the top of the kernel. */
static MlirValue handle_of(MlirOperation func, MlirAttribute name) {
  MlirOperation first = mlirBlockGetFirstOperation(tt_body(func)), last = {NULL};
  for (MlirOperation op = first; tt_get_cb_isa(op); op = tt_next(op)) {
    if (mlirAttributeEqual(tt_get_cb_name(op), name)) return tt_get_cb_cb(op);
    last = op;
  }
  MlirOperation decl = tt_program_cb(tt_parent(func), tt_string(name));
  TtBuilder b =
      mlirOperationIsNull(last) ? tt_builder_at_start(tt_body(func)) : tt_builder_after(last);
  return tt_get_cb_cb(tt_get_cb_create(&b, mlirOperationGetLocation(func),
                                       mlirTypeAttrGetValue(tt_circular_buffer_type(decl)), name));
}

bool tt_read_move(TtArena *arena, MlirOperation func, MlirOperation op, TtBlockMove *m) {
  TtMove move;
  if (!tt_move_of(op, &move)) return tt_error(op, "moves no block between a tensor and L1");
  *m = (TtBlockMove){.arena = arena, .func = func, .op = op, .in = move.in};
  m->cb = move.cb, m->tensor = move.tensor, m->rank = move.rank;
  for (intptr_t i = 0; i < m->rank; ++i) {
    m->offsets[i] = tt_move_offset(&move, i);
    m->sizes[i] = tt_move_size(&move, i);
  }
  m->rows = m->block_rows = tt_cb_rows(mlirValueGetType(m->cb));
  m->cols = m->block_cols = tt_cb_cols(mlirValueGetType(m->cb));
  m->partial = !mlirAttributeIsNull(tt_op_attr(op, "partial"));
  m->boxed = tt_box_of(op, &m->box);
  m->by_columns =
      !mlirAttributeIsNull(tt_circular_buffer_by_columns(tt_cb_decl(tt_parent(func), m->cb)));
  m->first_rows = !mlirAttributeIsNull(tt_op_attr(op, "first_rows"));
  MlirAttribute scratch = tt_op_attr(op, "scratch");
  if (!mlirAttributeIsNull(scratch)) m->scratch = handle_of(func, scratch);
  m->accessor = tt_accessor_of(arena, func, m->tensor);
  if (!tt_is_null_value(m->accessor)) return true;
  return tt_error(op, "the tensor has no bound accessor: run --tt-configure-tensor-accessor first");
}

MlirValue tt_move_pages(TtBuilder *b, const TtBlockMove *m) {
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

MlirValue tt_tiles_along(TtBuilder *b, const TtBlockMove *m, MlirType type, intptr_t d) {
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

/* Whether blocks lie side by side along `d` and fill the tensor, so that none has tiles behind it.
 * A window that begins at any tile does, where the number of tiles is a multiple of its own, too.
 */
static bool fills(TtBuilder *b, const TtBlockMove *m, intptr_t d, MlirValue tiles) {
  int64_t n, block = d == m->rank - 1 ? m->block_cols : m->block_rows;
  return tt_constant(tiles, &n) && n % block == 0 &&
         tt_is_multiple(m->arena, b, m->offsets[d], block * TT_TILE);
}

static bool place_of(TtBuilder *b, const TtBlockMove *m, MlirValue i, MlirValue j, Place *place) {
  MlirLocation loc = mlirOperationGetLocation(m->op);
  MlirType type = mlirValueGetType(m->tensor);
  *place = (Place){tt_index(b, loc, 0), {NULL}};
  for (intptr_t d = 0; d < m->rank; ++d) {
    intptr_t side = d - m->rank + 2; /* 0: rows, 1: columns, below: which matrix */
    MlirValue at = m->offsets[d], tiles = tt_tiles_along(b, m, type, d);
    if (side >= 0) {
      at = tt_exact_quotient(m->arena, b, loc, at, TT_TILE);
      if (tt_is_null_value(at))
        return tt_error(m->op,
                        "the offset of dimension %jd is not provably a multiple of 32; make its "
                        "terms products with constants that are",
                        (intmax_t)d);
      at = tt_add(b, loc, at, side ? j : i);
      if (m->partial && !fills(b, m, d, tiles))
        place->inside = still_inside(b, loc, place->inside, at, tiles);
    }
    if (d > 0) place->id = tt_mul(b, loc, place->id, tiles);
    place->id = tt_add(b, loc, place->id, at);
  }
  return true;
}

char *tt_handle_name(TtArena *arena, MlirValue cb) {
  return tt_arena_str(arena, tt_string(tt_get_cb_name(tt_defining_op(cb))));
}

/* The size of a tile of `cb`, asked for once, at the top of the function. */
MlirValue tt_move_tile_size(const TtBlockMove *m) {
  MlirOperation get = tt_defining_op(m->cb), next = get;
  while (tt_get_cb_isa(next)) next = tt_next(next);
  for (MlirOperation op = next; metalium_get_tile_size_isa(op); op = next = tt_next(op))
    if (tt_value_eq(metalium_get_tile_size_cb(op), m->cb)) return metalium_get_tile_size_bytes(op);
  TtBuilder b = tt_builder_before(next);
  MlirOperation size = metalium_get_tile_size_create(&b, mlirOperationGetLocation(get), m->cb);
  tt_name_hint(size, tt_arena_printf(m->arena, "%s_tile_bytes", tt_handle_name(m->arena, m->cb)));
  return metalium_get_tile_size_bytes(size);
}

MlirValue tt_named_pointer(const TtBlockMove *m, MlirOperation op, const char *suffix) {
  tt_name_hint(op, tt_arena_printf(m->arena, "%s_%s", tt_handle_name(m->arena, m->cb), suffix));
  return mlirOperationGetResult(op, 0);
}

/* The first row of a tile, to where it is in one. */
static void read_first_row(TtBuilder *b, const TtBlockMove *m, MlirValue id, MlirValue addr) {
  MlirLocation loc = mlirOperationGetLocation(m->op);
  MlirValue zero = tt_index(b, loc, 0);
  int64_t bytes = tt_int(tt_circular_buffer_page_bytes(tt_cb_decl(tt_parent(m->func), m->cb))) /
                  (TT_TILE * TT_TILE);
  metalium_noc_async_read_part_create(b, loc, id, m->accessor, addr, zero, zero,
                                      tt_index(b, loc, 1), tt_index(b, loc, TT_TILE), bytes,
                                      tt_target_of(m->func).chip->noc_read_align);
}

/* The loops over the tiles of a block, with one transfer each. */
bool tt_transfer_tiles(TtBuilder b, const TtBlockMove *m) {
  if (m->boxed) return (m->in ? tt_read_box(b, m) : tt_write_box(b, m)), true;
  MlirLocation loc = mlirOperationGetLocation(m->op);
  MlirValue bytes = tt_move_tile_size(m);
  MlirValue i = tt_counted_loop(&b, loc, m->rows, "i"), j = tt_counted_loop(&b, loc, m->cols, "j");
  MlirValue line = m->by_columns ? j : i, in_line = m->by_columns ? i : j, addr = m->addr,
            lines = tt_index(&b, loc, m->by_columns ? m->rows : m->cols),
            tile = tt_add(&b, loc, tt_mul(&b, loc, line, lines), in_line);
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
  if (m->first_rows) read_first_row(&b, m, place.id, addr);
  else if (m->in) metalium_noc_async_read_tile_create(&b, loc, place.id, m->accessor, addr);
  else metalium_noc_async_write_tile_create(&b, loc, place.id, m->accessor, addr);
  return true;
}

bool tt_read_blocks(TtBuilder *b, TtBlockMove *moves, intptr_t n) {
  MlirLocation loc = mlirOperationGetLocation(moves[0].op);
  for (intptr_t i = 0; i < n; ++i)
    metalium_cb_reserve_back_create(b, loc, moves[i].cb, tt_move_pages(b, &moves[i]));
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation ptr = metalium_get_write_ptr_create(b, loc, moves[i].cb);
    moves[i].addr = tt_named_pointer(&moves[i], ptr, "write_ptr");
    if (!tt_transfer_tiles(*b, &moves[i])) return false;
  }
  metalium_noc_async_read_barrier_create(b, loc);
  for (intptr_t i = 0; i < n; ++i)
    metalium_cb_push_back_create(b, loc, moves[i].cb, tt_move_pages(b, &moves[i]));
  return true;
}

/* `offset`, `n` tiles on for each step of `i`. */
static MlirValue shifted(TtBuilder *b, MlirLocation loc, MlirValue offset, MlirValue i, int64_t n) {
  return tt_add(b, loc, offset, tt_mul(b, loc, i, tt_index(b, loc, n * TT_TILE)));
}

/* `b` moves into the loops, and the moves are those of one part. */
static void loop_over_parts(TtBuilder *b, TtBlockMove *moves, intptr_t n, TtSubBlock part) {
  MlirLocation loc = mlirOperationGetLocation(moves[0].op);
  MlirValue i = tt_counted_loop(b, loc, moves[0].rows / part.rows, "block_row"),
            j = tt_counted_loop(b, loc, moves[0].cols / part.cols, "block_col");
  for (TtBlockMove *m = moves; m < moves + n; ++m) {
    MlirValue *rows = &m->offsets[m->rank - 2], *cols = &m->offsets[m->rank - 1];
    *rows = shifted(b, loc, *rows, i, part.rows);
    *cols = shifted(b, loc, *cols, j, part.cols);
    m->rows = part.rows, m->cols = part.cols;
  }
}

/* What is behind the parts: of a row, or the last rows. */
static void keep_rest(TtBuilder *b, TtBlockMove *m, TtSubBlock part) {
  int64_t cols = m->cols % part.cols, rows = m->rows % part.rows;
  MlirLocation loc = mlirOperationGetLocation(m->op);
  MlirValue *offset = &m->offsets[cols > 0 ? m->rank - 1 : m->rank - 2];
  int64_t first = cols > 0 ? m->cols - cols : m->rows - rows;
  *offset = tt_add(b, loc, *offset, tt_index(b, loc, first * TT_TILE));
  if (cols > 0) m->cols = cols;
  else m->rows = rows;
}

bool tt_move_in_parts(TtBuilder b, TtBlockMove *moves, intptr_t n, TtSubBlock part,
                      bool (*move)(TtBuilder *b, TtBlockMove *moves, intptr_t n)) {
  bool rows = moves[0].rows % part.rows != 0, cols = moves[0].cols % part.cols != 0;
  if (cols) loop_over_parts(&b, moves, n, (TtSubBlock){1, moves[0].cols});
  TtBlockMove *rest = tt_arena_alloc(moves[0].arena, (size_t)n * sizeof *rest);
  for (intptr_t i = 0; i < n; ++i) rest[i] = moves[i];
  TtBuilder behind = b;
  loop_over_parts(&b, moves, n, part);
  if (!move(&b, moves, n)) return false;
  if (!rows && !cols) return true;
  for (intptr_t i = 0; i < n; ++i) keep_rest(&behind, &rest[i], part);
  return move(&behind, rest, n);
}

/* A circular buffer has room for one block after the other. */
static bool fills_again(TtOps ops, intptr_t first, intptr_t at) {
  TtMove move, other;
  if (!tt_move_of(ops.data[at], &move)) return false;
  for (intptr_t i = first; i < at; ++i)
    if (tt_move_of(ops.data[i], &other) && tt_value_eq(move.cb, other.cb)) return true;
  return false;
}

intptr_t tt_neighbors(TtOps ops, intptr_t first) {
  intptr_t n = 1;
  while (first + n < ops.n) {
    MlirOperation next = tt_next(ops.data[first + n - 1]);
    while (!mlirOperationIsNull(next) && !tt_op_eq(next, ops.data[first + n]) &&
           mlirOperationGetNumRegions(next) == 0 && mlirOperationGetNumResults(next) > 0)
      next = tt_next(next);
    if (mlirOperationIsNull(next) || !tt_op_eq(next, ops.data[first + n]) ||
        fills_again(ops, first, first + n))
      break;
    ++n;
  }
  return n;
}

void tt_end_with_barrier(MlirOperation kernel) {
  MlirOperation end = mlirBlockGetTerminator(tt_body(kernel));
  TtBuilder b = tt_builder_before(end);
  MlirOperation last = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(kernel)); !tt_op_eq(op, end);
       op = tt_next(op))
    last = op;
  if (!mlirOperationIsNull(last) && metalium_noc_async_write_barrier_isa(last)) return;
  metalium_noc_async_write_barrier_create(&b, mlirOperationGetLocation(kernel));
}
