/*===- tilize_two.c - rows of a matrix as an operand -------------------------------------------===
 *
 *   rows in L1, a tile's columns of them  ->  source A
 *   a tile in L1                          ->  source B
 *
 * for reductions that need no tile of their rows. Tiles have 1, 2 or 4 faces of up to 16 rows; what
 * is missing of them is zero, or lower than all numbers, so that no reduction sees it.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

enum { FACE = 16, FACES = 4 };

void ttemu_tilize_two_init(uint32_t line) { emu_enter(line)->tilizes_two = true; }

void ttemu_tilize_uninit_two(uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == UNPACK) risc->tilizes_two = false;
}

/* Of all faces, what stands in none. */
static void fill_missing(const ttemu_tilized *how, Source *s) {
  for (int i = 0; i < TILE; ++i) {
    uint32_t face = (uint32_t)(i / 32 / FACE * 2 + i % 32 / FACE), row = (uint32_t)(i / 32 % FACE);
    if (face < how->faces && row < how->rows) continue;
    s->sig[i] = how->lowest ? -1024 : 0, s->exp[i] = how->lowest ? 255 : 0;
  }
}

typedef struct Task {
  uint8_t tile[TILE * 4];
  ttemu_format format, scaler_format;
  const uint8_t *scaler;
  ttemu_tilized how;
  DstMode mode;
  Operands *out;
} Task;

static void fill_sources(const Task *t) {
  Source *a = &t->out->a, *b = &t->out->b;
  emu_unpack(t->tile, t->format, t->mode, a);
  fill_missing(&t->how, a);
  emu_unpack(t->scaler, t->scaler_format, t->mode, b);
  for (int i = 0; t->how.reload && i < TILE; ++i) {
    int first = i / 32 % FACE * 32 + i % FACE;
    b->sig[i] = b->sig[first], b->exp[i] = b->exp[first];
  }
}

/* The columns of tile t, of rows that are `width` tiles wide. */
static void gather(Risc *risc, const CB *cb, uint32_t index, uint32_t width, uint32_t t,
                   const ttemu_tilized *how, uint8_t *tile) {
  uint32_t bytes = emu_tile_bytes(cb->format) / TILE, wide = how->faces == 1 ? 1 : 2;
  uint32_t row_bytes = width * wide * FACE * bytes, size = cb->pages * cb->page_bytes;
  uint32_t start = risc->read_page[index] * cb->page_bytes + t * wide * FACE * bytes;
  for (uint32_t face = 0; face < how->faces; ++face)
    for (uint32_t r = 0; r < how->rows; ++r) {
      uint32_t row = face / 2 * how->rows + r;
      uint32_t at = (start + row * row_bytes + face % 2 * FACE * bytes) % size;
      emu_race_touch(risc, cb->address + at, FACE * bytes, false);
      memcpy(tile + (face * FACE * FACE + r * FACE) * bytes, risc->core->l1 + cb->address + at,
             FACE * bytes);
    }
}

void ttemu_unpack_tilize_two(uint32_t in, uint32_t scaler, uint32_t width, uint32_t tile,
                             ttemu_tilized how, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != UNPACK) return;
  const CB *cb = emu_cb(risc, in);
  if (!risc->tilizes_two)
    emu_error(risc, 11, "unpack_tilizeA_B_block runs without its init, tilizeA_B_reduce_init");
  emu_check_format(risc, in, risc->srca, "A");
  emu_check_format(risc, scaler, risc->srcb, "B");
  if (how.faces == 0 || how.faces == 3 || how.faces > FACES || how.rows == 0 || how.rows > FACE)
    emu_error(risc, 11, "tiles of %u faces of %u rows: there are 1, 2 or 4 of up to 16", how.faces,
              how.rows);
  uint32_t bytes = emu_tile_bytes(cb->format) / TILE;
  if (bytes * TILE != emu_tile_bytes(cb->format) || emu_is_integer(cb->format))
    emu_error(risc, 12, "circular buffer %u has no floats whose rows can be taken apart", in);
  uint32_t rows = how.faces == FACES ? 2 * how.rows : how.rows;
  uint32_t needed = rows * width * (how.faces == 1 ? 1 : 2) * FACE * bytes;
  if (needed > risc->waited[in] * cb->page_bytes)
    (cb->bound && needed <= cb->pages * cb->page_bytes ? emu_forgiven : emu_error)(
        risc, 21, "%u bytes of rows of circular buffer %u are read, but %u pages were waited for",
        needed, in, risc->waited[in]);
  for (uint32_t t = 0; t < width; ++t) {
    Task task = {.format = cb->format,
                 .scaler_format = emu_cb(risc, scaler)->format,
                 .scaler = emu_front_tile(risc, scaler, tile),
                 .how = how,
                 .mode = emu_mode(risc)};
    task.out = emu_fill_bank(risc);
    emu_flush(risc->core); /* the bank is filled now, not later */
    gather(risc, cb, in, width, t, &how, task.tile);
    fill_sources(&task);
    emu_bank_filled(risc, task.out, rows * 2 * FACE * bytes, false, 0);
  }
}
