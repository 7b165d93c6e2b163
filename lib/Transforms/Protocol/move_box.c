/*===- move_box.c - blocks that are assembled of elements -------------------------------------===
 *
 *   tt.read_to_cb %Q[%b, %m, %h, %c0], %q box = [1, 64, 1, 40] … through %parts
 *
 * = fill_zeros, a tile of the block at a time
 *   cb_reserve_back %parts, 16
 *   for step = 0 to 64 step 8 {                                 of rows, which are 8 x 40 matrices
 *     for row = step to step + 8, j < 2 {           (tiles, or few rows of them:)
 *       noc_async_read_part id(%b, %m + row, %h / 32, j) [%h % 32, …], %Q, %parts_write_ptr + … }
 *     noc_async_read_barrier
 *     for row = step to step + 8, j < 2 {
 *       copy_part %parts_write_ptr + … [%h % 32, …], 1 x …, %q_write_ptr [row, …] } }
 *
 * Nobody else looks at the tiles in %parts, so that they are never published.
 *
 *   tt.write_from_cb %o, %O[%b, %m, %h, %c0] box = …
 * = for row < 64, j < 2 { noc_async_write_part id(…) [%h % 32, …], 1 x …, %O, %o_read_ptr [row, …]
 * }
 *
 * and where elements cannot be written alone, the tile is read, changed and written.
 *
 * A tensor that is stored row by row has its elements where tiles would have them, 32 x 32 of which
 * come to L1 as rows: noc_async_read_rows and noc_async_write_rows, and copy_part flat.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/box.h"
#include "Analysis/dims.h"
#include "Analysis/index_expr.h"
#include "Analysis/shards.h"
#include "Dialect/target.h"
#include "Transforms/Protocol/move.h"

enum { FEW_ROWS = 4 };

/* A dimension of the box: its elements, and where it is one of the last two, the tiles that they
 * lie in. */
typedef struct Along {
  MlirValue first, count; /* elements */
  MlirValue tile, tiles;  /* the first one, and how many */
  int64_t most, row, col; /* elements, and how far down and right one goes */
  int64_t stride;         /* how far apart they are in the tensor */
  bool aligned;           /* it begins where a tile does */
} Along;

typedef struct Walk {
  const TtBlockMove *m;
  MlirLocation loc;
  MlirType type;
  intptr_t rows, cols; /* the dimensions of the matrix; -1 where the tensor has none */
  Along along[TT_MAX_RANK];
  MlirValue step[TT_MAX_RANK]; /* of outer dimensions, and tiles of the others: which one */
  MlirValue tile_bytes, scratch;
  bool flat; /* the tensor is stored row by row */
} Walk;

static MlirValue index_of(TtBuilder *b, const Walk *w, int64_t n) { return tt_index(b, w->loc, n); }

/*===- Extents --------------------------------------------------------------------------------===*/

/* Elements of the box along `d` that are there, and in the tensor. */
static MlirValue count_along(TtBuilder *b, const Walk *w, intptr_t d) {
  const TtBlockMove *m = w->m;
  int64_t most = m->box.size[d];
  MlirValue all = index_of(b, w, most);
  bool dynamic = mlirShapedTypeIsDynamicDim(w->type, d);
  int64_t size = dynamic ? 0 : mlirShapedTypeGetDimSize(w->type, d);
  int64_t given;
  if (!m->partial || most == 1) return all;
  if (!tt_is_null_value(m->sizes[d]) && !(tt_constant(m->sizes[d], &given) && given == most))
    return tt_min(b, w->loc, all, m->sizes[d]);
  if (!dynamic && size % most == 0 &&
      !tt_is_null_value(tt_exact_quotient(m->arena, b, w->loc, m->offsets[d], most)))
    return all;
  const char *name = tt_arg_of(tt_kernel_args(m->arena, m->func), m->tensor)->name;
  MlirValue end = tt_dim_value(m->arena, m->func, b, name, w->type, d);
  if (tt_is_loaded(m->offsets[d])) end = tt_max(b, w->loc, end, m->offsets[d]);
  int64_t stride = m->box.stride[d];
  MlirValue rest = tt_sub(b, w->loc, end, m->offsets[d]);
  if (stride != 1) {
    MlirValue up = tt_add(b, w->loc, rest, index_of(b, w, stride - 1));
    rest = tt_div(b, w->loc, up, index_of(b, w, stride));
  }
  return tt_min(b, w->loc, all, rest);
}

/* Whether there may be no element along `d`. */
static bool may_be_empty(const TtBlockMove *m, intptr_t d) {
  return m->partial && (!tt_is_null_value(m->sizes[d]) || tt_is_loaded(m->offsets[d]));
}

static Along along(TtBuilder *b, const Walk *w, intptr_t d) {
  const TtBlockMove *m = w->m;
  MlirLocation loc = w->loc;
  MlirValue tile = index_of(b, w, TT_TILE);
  Along a = {.first = m->offsets[d],
             .count = count_along(b, w, d),
             .most = m->box.size[d],
             .stride = m->box.stride[d],
             .row = m->box.rows[d],
             .col = m->box.cols[d]};
  if (d < m->rank - 2) return a;
  a.tile = tt_exact_quotient(m->arena, b, loc, a.first, TT_TILE);
  a.aligned = !tt_is_null_value(a.tile);
  if (!a.aligned) a.tile = tt_div(b, loc, a.first, tile);
  MlirValue end = tt_mul(b, loc, a.count, index_of(b, w, a.stride));
  if (a.stride != 1) /* the last one is followed by no others; there may be none */
    end = tt_sub(b, loc, end, tt_min(b, loc, end, index_of(b, w, a.stride - 1)));
  MlirValue up = index_of(b, w, TT_TILE - 1);
  if (!a.aligned) end = tt_add(b, loc, tt_rem(b, loc, a.first, tile), end);
  a.tiles = a.most == 1 ? index_of(b, w, 1) : tt_div(b, loc, tt_add(b, loc, end, up), tile);
  if (!a.aligned && may_be_empty(m, d)) a.tiles = tt_min(b, loc, a.tiles, a.count);
  return a;
}

static Walk walk_of(TtBuilder *b, const TtBlockMove *m) {
  Walk w = {.m = m, .loc = mlirOperationGetLocation(m->op), .type = mlirValueGetType(m->tensor)};
  w.rows = m->rank - 2, w.cols = m->rank - 1;
  w.tile_bytes = tt_move_tile_size(m);
  w.flat = tt_lies_in_rows(m->arena, m->tensor);
  for (intptr_t d = 0; d < m->rank; ++d) {
    w.along[d] = along(b, &w, d);
    w.step[d] = index_of(b, &w, 0);
  }
  return w;
}

static int64_t bytes_of(const TtBlockMove *m) {
  MlirOperation decl = tt_cb_decl(tt_parent(m->func), m->cb);
  return tt_int(tt_circular_buffer_page_bytes(decl)) / (TT_TILE * TT_TILE);
}

/*===- One tile -------------------------------------------------------------------------------===*/

/* The number of the tile of the tensor at the walk's place. */
static MlirValue id_of(TtBuilder *b, const Walk *w) {
  MlirValue id = index_of(b, w, 0);
  for (intptr_t d = 0; d < w->m->rank; ++d) {
    const Along *a = &w->along[d];
    MlirValue step = w->step[d];
    if (d < w->rows) step = tt_mul(b, w->loc, step, index_of(b, w, a->stride));
    MlirValue at = tt_add(b, w->loc, d < w->rows ? a->first : a->tile, step);
    if (d > 0) id = tt_mul(b, w->loc, id, tt_tiles_along(b, w->m, w->type, d));
    id = tt_add(b, w->loc, id, at);
  }
  return id;
}

/* The elements of a side of a tile that belong to the box: from `start` on, `count`, which are
 * `rest` elements further than its first. */
typedef struct Span {
  MlirValue start, count, rest;
} Span;

/* How many elements of the box come before element `end` of the tensor, which is behind its
 * first. */
static MlirValue elements_before(TtBuilder *b, const Walk *w, const Along *a, MlirValue end) {
  MlirValue far = tt_sub(b, w->loc, end, a->first), n;
  n = tt_div(b, w->loc, tt_add(b, w->loc, far, index_of(b, w, a->stride - 1)),
             index_of(b, w, a->stride));
  return tt_min(b, w->loc, n, a->count);
}

/* Of elements that are `stride` apart. */
static Span strided_span(TtBuilder *b, const Walk *w, const Along *a, MlirValue from) {
  MlirLocation loc = w->loc;
  MlirValue end = tt_add(b, loc, from, index_of(b, w, TT_TILE)),
            rest = elements_before(b, w, a, tt_max(b, w->loc, a->first, from)),
            until = elements_before(b, w, a, end);
  MlirValue start = tt_add(b, loc, a->first, tt_mul(b, loc, rest, index_of(b, w, a->stride)));
  return (Span){tt_sub(b, loc, start, from), tt_sub(b, loc, until, rest), rest};
}

static Span span_of(TtBuilder *b, const Walk *w, intptr_t d) {
  MlirLocation loc = w->loc;
  MlirValue zero = index_of(b, w, 0), size = index_of(b, w, TT_TILE);
  if (d < 0) return (Span){zero, index_of(b, w, 1), zero};
  const Along *a = &w->along[d];
  MlirValue tile = tt_add(b, loc, a->tile, w->step[d]), from = tt_mul(b, loc, tile, size);
  if (a->most == 1)
    return (Span){a->aligned ? zero : tt_rem(b, loc, a->first, size), index_of(b, w, 1), zero};
  if (a->stride != 1) return strided_span(b, w, a, from);
  if (a->aligned) {
    MlirValue rest = tt_mul(b, loc, w->step[d], size);
    return (Span){zero, tt_min(b, loc, size, tt_sub(b, loc, a->count, rest)), rest};
  }
  MlirValue start = tt_max(b, w->loc, a->first, from),
            end = tt_min(b, loc, tt_add(b, loc, a->first, a->count), tt_add(b, loc, from, size));
  return (Span){tt_sub(b, loc, start, from), tt_sub(b, loc, end, start),
                tt_sub(b, loc, start, a->first)};
}

/* Where the first element of the box in a tile is in the block: its row, or its column. */
static MlirValue place_of(TtBuilder *b, const Walk *w, const Span *row, const Span *col,
                          bool column) {
  MlirValue at = index_of(b, w, 0);
  for (intptr_t d = 0; d < w->m->rank; ++d) {
    const Along *a = &w->along[d];
    MlirValue by = d == w->rows ? row->rest : d == w->cols ? col->rest : w->step[d];
    int64_t factor = column ? a->col : a->row;
    at = tt_add(b, w->loc, at, tt_mul(b, w->loc, by, index_of(b, w, factor)));
  }
  return at;
}

static MlirAttribute steps_of(const Walk *w, bool runs) {
  static const Along none = {.row = 0};
  const Along *r = w->rows < 0 ? &none : &w->along[w->rows],
              *c = w->cols < 0 ? &none : &w->along[w->cols];
  int64_t down = w->rows < 0 ? 1 : r->stride, right = w->cols < 0 ? 1 : c->stride;
  int64_t steps[6] = {r->row, r->col, runs ? 0 : c->row, runs ? 1 : c->col, down, right};
  bool strided = !runs && (down != 1 || right != 1);
  return mlirDenseI64ArrayGet(mlirOperationGetContext(w->m->op), strided ? 6 : 4, steps);
}

static void copy_tile(TtBuilder *b, const Walk *w, MlirValue tile, bool back) {
  Span row = span_of(b, w, w->rows), col = span_of(b, w, w->cols);
  metalium_copy_part_create(b, w->loc, tile, w->m->addr, row.start, col.start, row.count, col.count,
                            place_of(b, w, &row, &col, false), place_of(b, w, &row, &col, true),
                            bytes_of(w->m), w->m->block_cols, steps_of(w, false),
                            back ? mlirUnitAttrGet(b->context) : mlirAttributeGetNull(),
                            w->flat ? mlirUnitAttrGet(b->context) : mlirAttributeGetNull());
}

/*===- Loops ----------------------------------------------------------------------------------===*/

/* A loop over `n` steps, or none where that is 1; `b` moves into it. */
static MlirValue loop_to(TtBuilder *b, const Walk *w, MlirValue from, MlirValue n, int64_t step,
                         const char *name) {
  int64_t start, end;
  if (tt_constant(from, &start) && tt_constant(n, &end) && end - start <= step) return from;
  MlirOperation loop = tt_for(b, w->loc, from, n, index_of(b, w, step), name);
  *b = tt_builder_at_terminator(tt_for_body(loop));
  return tt_for_iv(loop);
}

/* Outer dimensions but `except`; names of their loops. */
static void loop_over_outer(TtBuilder *b, Walk *w, intptr_t except) {
  for (intptr_t d = 0; d < w->rows; ++d)
    if (d != except)
      w->step[d] = loop_to(b, w, index_of(b, w, 0), w->along[d].count, 1,
                           tt_arena_printf(w->m->arena, "d%jd", (intmax_t)d));
}

/* Whether a tile has few rows of the box: rows of its faces come alone then. A transfer of a row
 * takes about as long as one of a tile where nothing else moves, but a bank serves more of them. */
static bool takes_few_rows(const Walk *w) {
  for (intptr_t d = w->rows < 0 ? 0 : w->rows; d < w->m->rank; ++d)
    if (w->along[d].stride != 1) return false;
  bool alone = !mlirAttributeIsNull(tt_get_attr(w->m->op, TT_ROWS_ALONE));
  return w->rows < 0 || alone || w->along[w->rows].most <= FEW_ROWS;
}

static void read_part(TtBuilder *b, const Walk *w, MlirValue at) {
  Span row = span_of(b, w, w->rows), col = span_of(b, w, w->cols);
  int64_t unit = tt_target_of(w->m->func).chip->noc_read_align;
  metalium_noc_async_read_part_create(b, w->loc, id_of(b, w), w->m->accessor, at, row.start,
                                      col.start, row.count, col.count, bytes_of(w->m), unit);
}

/* Tiles that the tensor has across. */
static MlirValue tiles_across(TtBuilder *b, const Walk *w) {
  return w->cols < 0 ? index_of(b, w, 1) : tt_tiles_along(b, w->m, w->type, w->cols);
}

/* The rows of the box in what would be a tile of a tensor that is stored row by row. */
static void move_rows(TtBuilder *b, const Walk *w, MlirValue at, bool in) {
  Span row = span_of(b, w, w->rows);
  int64_t bytes = bytes_of(w->m) * TT_TILE, stride = w->rows < 0 ? 1 : w->along[w->rows].stride;
  if (stride != 1) { /* what lies between comes along */
    MlirValue all = tt_mul(b, w->loc, row.count, index_of(b, w, stride));
    row.count = tt_min(b, w->loc, all, tt_sub(b, w->loc, index_of(b, w, TT_TILE), row.start));
  }
  MlirValue id = id_of(b, w), across = tiles_across(b, w);
  if (in)
    metalium_noc_async_read_rows_create(b, w->loc, id, w->m->accessor, at, across, row.start,
                                        row.count, bytes);
  else
    metalium_noc_async_write_rows_create(b, w->loc, id, w->m->accessor, at, across, row.start,
                                         row.count, bytes);
}

/* Whether the box has all elements of each row of a tile that it has any of, and no row between is
 * another's. */
static bool has_whole_rows(const Walk *w) {
  if (w->cols < 0 || (w->rows >= 0 && w->along[w->rows].stride != 1)) return false;
  const Along *a = &w->along[w->cols];
  int64_t count;
  return a->aligned && a->stride == 1 && a->most % TT_TILE == 0 && tt_constant(a->count, &count) &&
         count == a->most;
}

/* One loop over the tiles, or matrices, that come to L1 together, to read or to copy them. */
static void bring(TtBuilder b, Walk w, intptr_t chunk, MlirValue base, bool copies) {
  const TtBox *box = &w.m->box;
  MlirValue slot = index_of(&b, &w, 0);
  if (chunk >= 0) {
    MlirValue n = chunk == w.rows ? w.along[chunk].tiles : w.along[chunk].count;
    int64_t known;
    bool all = tt_constant(n, &known) && known <= box->together;
    if (!all) n = tt_min(&b, w.loc, n, tt_add(&b, w.loc, base, index_of(&b, &w, box->together)));
    w.step[chunk] = loop_to(&b, &w, base, n, 1, "part");
    slot = all ? w.step[chunk] : tt_sub(&b, w.loc, w.step[chunk], base);
  }
  if (w.cols >= 0) {
    w.step[w.cols] = loop_to(&b, &w, index_of(&b, &w, 0), w.along[w.cols].tiles, 1, "j");
    slot = tt_add(&b, w.loc, tt_mul(&b, w.loc, slot, index_of(&b, &w, box->col_tiles)),
                  w.step[w.cols]);
  }
  int64_t zero;
  MlirValue at = w.scratch;
  if (!tt_constant(slot, &zero) || zero != 0)
    at = metalium_l1_offset_addr(
        metalium_l1_offset_create(&b, w.loc, at, tt_mul(&b, w.loc, slot, w.tile_bytes)));
  if (copies) copy_tile(&b, &w, at, false);
  else if (w.flat) move_rows(&b, &w, at, true);
  else if (takes_few_rows(&w)) read_part(&b, &w, at);
  else metalium_noc_async_read_tile_create(&b, w.loc, id_of(&b, &w), w.m->accessor, at);
}

MlirValue tt_reserve_scratch(TtBuilder *b, const TtBlockMove *m, int64_t tiles) {
  MlirLocation loc = mlirOperationGetLocation(m->op);
  metalium_cb_reserve_back_create(b, loc, m->scratch, tt_index(b, loc, tiles));
  MlirOperation ptr = metalium_get_write_ptr_create(b, loc, m->scratch);
  tt_name_hint(ptr, tt_arena_printf(m->arena, "%s_ptr", tt_handle_name(m->arena, m->scratch)));
  return mlirOperationGetResult(ptr, 0);
}

/* The dimension of which tiles, or steps, come to L1 together. */
static intptr_t chunk_of(const Walk *w) {
  return w->m->box.row_tiles > 1 ? w->rows : w->m->box.outer;
}

static void fill_zeros(TtBuilder b, const Walk *w) {
  const TtBlockMove *m = w->m;
  MlirValue t = tt_counted_loop(&b, w->loc, m->rows * m->cols, "t"), at = m->addr;
  if (m->rows * m->cols > 1)
    at = metalium_l1_offset_addr(
        metalium_l1_offset_create(&b, w->loc, at, tt_mul(&b, w->loc, t, w->tile_bytes)));
  metalium_fill_zeros_create(&b, w->loc, at, w->tile_bytes);
}

void tt_read_box(TtBuilder b, const TtBlockMove *m) {
  Walk w = walk_of(&b, m);
  const TtBox *box = &m->box;
  w.scratch = tt_reserve_scratch(&b, m, tt_box_scratch(box));
  fill_zeros(b, &w);
  intptr_t chunk = chunk_of(&w);
  loop_over_outer(&b, &w, chunk);
  MlirValue base = index_of(&b, &w, 0);
  if (chunk >= 0) {
    MlirValue n = chunk == w.rows ? w.along[chunk].tiles : w.along[chunk].count;
    base = loop_to(&b, &w, base, n, box->together, "first");
  }
  bring(b, w, chunk, base, false);
  metalium_noc_async_read_barrier_create(&b, w.loc);
  bring(b, w, chunk, base, true);
}

void tt_read_box_at(TtBuilder b, const TtBlockMove *m, MlirValue scratch, bool copies) {
  Walk w = walk_of(&b, m);
  w.scratch = scratch;
  if (!copies) fill_zeros(b, &w);
  bring(b, w, chunk_of(&w), index_of(&b, &w, 0), copies);
}

void tt_write_box(TtBuilder b, const TtBlockMove *m) {
  Walk w = walk_of(&b, m);
  bool runs = tt_is_null_value(m->scratch);
  if (!runs) w.scratch = tt_reserve_scratch(&b, m, 1);
  loop_over_outer(&b, &w, -1);
  for (intptr_t d = w.rows < 0 ? 0 : w.rows; d < m->rank; ++d)
    w.step[d] = loop_to(&b, &w, index_of(&b, &w, 0), w.along[d].tiles, 1, d == w.cols ? "j" : "i");
  MlirValue id = id_of(&b, &w);
  if (w.flat) {
    if (!has_whole_rows(&w)) {
      move_rows(&b, &w, w.scratch, true);
      metalium_noc_async_read_barrier_create(&b, w.loc);
    }
    copy_tile(&b, &w, w.scratch, true);
    move_rows(&b, &w, w.scratch, false);
    metalium_noc_async_write_barrier_create(&b, w.loc);
    return;
  }
  if (!runs) {
    metalium_noc_async_read_tile_create(&b, w.loc, id, m->accessor, w.scratch);
    metalium_noc_async_read_barrier_create(&b, w.loc);
    copy_tile(&b, &w, w.scratch, true);
    metalium_noc_async_write_tile_create(&b, w.loc, id, m->accessor, w.scratch);
    metalium_noc_async_write_barrier_create(&b, w.loc);
    return;
  }
  Span row = span_of(&b, &w, w.rows), col = span_of(&b, &w, w.cols);
  int64_t unit = tt_box_unit(m->op, bytes_of(m));
  MlirValue n = col.count;
  if (m->box.size[w.cols] % unit != 0) /* up to the end: what pads the tensor may change */
    n = tt_mul(
        &b, w.loc,
        tt_div(&b, w.loc, tt_add(&b, w.loc, n, index_of(&b, &w, unit - 1)), index_of(&b, &w, unit)),
        index_of(&b, &w, unit));
  metalium_noc_async_write_part_create(&b, w.loc, id, m->accessor, m->addr, row.start, col.start,
                                       row.count, n, place_of(&b, &w, &row, &col, false),
                                       place_of(&b, &w, &row, &col, true), bytes_of(m),
                                       m->block_cols, steps_of(&w, true));
}
