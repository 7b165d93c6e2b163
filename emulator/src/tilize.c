/*===- tilize.c - between rows and tiles, on the way through the engine -----------------------===
 *
 *   a circular buffer with 32 rows of a block of tiles  ->  tiles, and back
 *
 * Tiles pass through DST one at a time, or are there already; rows keep the width of
 * the whole block.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

enum { ROWS = 32, FACE = 16 };

static uint32_t element_bytes(Risc *risc, const CB *cb, uint32_t index) {
  if (risc->role == UNPACK) emu_check_whole(risc, index, false, "tilize or untilize");
  uint32_t bytes = emu_tile_bytes(cb->format) / TILE;
  if (bytes * TILE != emu_tile_bytes(cb->format))
    emu_error(risc, 12, "circular buffer %u has a block format, whose rows cannot be taken apart",
              index);
  return bytes;
}

/* Where element i of a row-major tile is among four faces. */
static uint32_t face_place(uint32_t row, uint32_t col) {
  return (row / FACE * 2 + col / FACE) * FACE * FACE + row % FACE * FACE + col % FACE;
}

static uint8_t *page(Risc *risc, const CB *cb, uint32_t at) {
  return risc->core->l1 + cb->address + at % cb->pages * cb->page_bytes;
}

/* Unpack's part of tile t of a block: rows of `width` tiles, from page `first` on. */
static void unpack_rows(Risc *risc, uint32_t index, uint32_t width, uint32_t first, uint32_t t) {
  const CB *cb = emu_cb(risc, index);
  uint32_t bytes = element_bytes(risc, cb, index), row_bytes = width * ROWS * bytes;
  uint8_t *tile = risc->core->gathered[risc->core->filled % SOURCE_BANKS];
  uint32_t needed = (first + width) * emu_tile_bytes(cb->format);
  if (needed > risc->waited[index] * cb->page_bytes)
    (cb->bound && needed <= cb->pages * cb->page_bytes ? emu_forgiven : emu_error)(
        risc, 21,
        "rows of %u tiles of circular buffer %u are read, but %u pages were waited "
        "for",
        first + width, index, risc->waited[index]);
  emu_flush(risc->core); /* the rows are gathered now */
  uint32_t start = first * emu_tile_bytes(cb->format) + t * ROWS * bytes;
  uint32_t size = cb->pages * cb->page_bytes, base = risc->read_page[index] * cb->page_bytes;
  for (uint32_t r = 0; r < ROWS; ++r)
    for (uint32_t half = 0; half < 2; ++half) {
      uint32_t at = (base + start + r * row_bytes + half * FACE * bytes) % size;
      emu_race_touch(risc, cb->address + at, FACE * bytes, false);
      memcpy(tile + face_place(r, half * FACE) * bytes, risc->core->l1 + cb->address + at,
             FACE * bytes);
    }
  emu_move_in(risc, index, tile);
}

/* Unpack's part of turning tiles into rows: as tiles what stands in L1 as rows once these are
 * packed. */
void ttemu_unpack_untilize(uint32_t in, uint32_t width, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != UNPACK) return;
  const CB *cb = emu_cb(risc, in);
  uint32_t bytes = element_bytes(risc, cb, in);
  emu_check_settings(risc, FPU_COPY, 0);
  for (uint32_t t = 0; t < width; ++t) {
    emu_flush(risc->core);
    uint8_t *rows = risc->core->gathered[risc->core->filled % SOURCE_BANKS];
    for (uint32_t i = 0; i < TILE; i += FACE) {
      uint32_t at = t * TILE + i, row = at / (width * ROWS), column = at % (width * ROWS);
      const uint8_t *tile = emu_front_tile(risc, in, column / ROWS);
      memcpy(rows + i * bytes, tile + face_place(row, column % ROWS) * bytes, FACE * bytes);
    }
    emu_move_in(risc, in, rows);
  }
}

/* Pack's part of a tile of DST: into rows of `width` tiles that start at byte `start`. Tiles are
 * two faces wide, or one; then rows may go on into the other faces. */
static void pack_rows(Risc *risc, const CB *cb, uint32_t index, const uint32_t *dst, uint32_t width,
                      uint32_t start, uint32_t rows, uint32_t wide) {
  uint8_t tile[TILE * 4];
  uint32_t bytes = element_bytes(risc, cb, index), row_bytes = width * wide * FACE * bytes;
  uint32_t size = cb->pages * cb->page_bytes, base = risc->write_page[index] * cb->page_bytes;
  uint32_t end = start + (rows - 1) * row_bytes + wide * FACE * bytes,
           space = cb->pages - emu_pages_held(cb);
  if (end > risc->reserved[index] * cb->page_bytes)
    (end <= space * cb->page_bytes ? emu_forgiven : emu_error)(
        risc, 21, "rows are packed past the %u reserved pages of circular buffer %u",
        risc->reserved[index], index);
  emu_flush(risc->core);
  for (uint32_t p = start / cb->page_bytes; p <= (end - 1) / cb->page_bytes; ++p)
    cb->written[(risc->write_page[index] + p) % cb->pages] = true;
  emu_pack(dst, emu_mode(risc), cb->format, tile);
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t half = 0; half < wide; ++half) {
      uint32_t at = (base + start + r * row_bytes + half * FACE * bytes) % size;
      uint32_t from = wide == 1 ? r * FACE : face_place(r, half * FACE);
      emu_race_touch(risc, cb->address + at, FACE * bytes, true);
      memcpy(risc->core->l1 + cb->address + at, tile + from * bytes, FACE * bytes);
    }
  emu_work(risc, emu.costs->pack[bytes > 2 ? TT_COST_pack_rows_4 : TT_COST_pack_rows_2]);
}

static const CB *packed_to(Risc *risc, uint32_t index) {
  const CB *cb = emu_cb(risc, index);
  if (risc->pack != cb->format)
    emu_error(risc, 12,
              "the packer is set to another data format than that of circular buffer %u; "
              "call pack_reconfig_data_format",
              index);
  return cb;
}

/*===- Through DST, a tile a section ------------------------------------------------------===*/

void ttemu_tilize_block(uint32_t in, uint32_t width, uint32_t out, uint32_t first_in,
                        uint32_t first_out, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) emu_check_settings(risc, FPU_TILIZE, 0);
  for (uint32_t t = 0; t < width; ++t) {
    if (risc->role == UNPACK) unpack_rows(risc, in, width, first_in, t);
    ttemu_dst_acquire(line);
    if (risc->role == MATH) emu_move_on(risc, 0, (TileShape){32, 32});
    ttemu_dst_commit(line);
    ttemu_dst_wait(line);
    ttemu_pack_tile(0, out, (int)(first_out + t), line);
    ttemu_dst_release(line);
  }
}

void ttemu_untilize_block(uint32_t in, uint32_t width, uint32_t out, uint32_t rows_of_tiles,
                          uint32_t full_width, uint32_t column, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) emu_check_settings(risc, FPU_UNTILIZE, 0);
  for (uint32_t t = 0; t < width * rows_of_tiles; ++t) {
    if (risc->role == UNPACK) emu_move_tile_in(risc, in, t);
    ttemu_dst_acquire(line);
    if (risc->role == MATH) emu_move_on(risc, 0, (TileShape){32, 32});
    ttemu_dst_commit(line);
    ttemu_dst_wait(line);
    if (risc->role == PACK) {
      const CB *cb = packed_to(risc, out);
      uint32_t bytes = element_bytes(risc, cb, out), row = t / width;
      pack_rows(risc, cb, out, emu_dst_tile(risc, risc->core->released, 0), full_width,
                row * full_width * TILE * bytes + (column * width + t % width) * ROWS * bytes, ROWS,
                2);
    }
    ttemu_dst_release(line);
  }
}

/*===- What is in DST already -----------------------------------------------------------------===*/

void ttemu_pack_untilize(uint32_t dst, uint32_t width, uint32_t out, uint32_t rows_of_tiles,
                         uint32_t full_width, uint32_t column, uint32_t face_rows, uint32_t faces,
                         uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) return;
  const CB *cb = packed_to(risc, out);
  if (!risc->core->pack_holds)
    emu_error(risc, 10, "pack_untilize_dest outside of tile_regs_wait and tile_regs_release");
  emu_check_packed(risc);
  if (!risc->untilizes)
    emu_error(risc, 11, "pack_untilize_dest runs without pack_untilize_dest_init");
  bool whole = faces == 4 && face_rows == FACE;
  if (!whole && (faces == 0 || faces > 2 || face_rows == 0 || face_rows > FACE))
    emu_error(risc, 11,
              "pack_untilize_dest of %u faces of %u rows: there are 4 of 16, or 1 or 2 of up to 16",
              faces, face_rows);
  emu_sync(risc);
  uint32_t bytes = element_bytes(risc, cb, out), wide = faces == 1 ? 1 : 2;
  uint32_t rows = whole ? ROWS : face_rows, row_bytes = full_width * wide * FACE * bytes;
  for (uint32_t t = 0; t < width * rows_of_tiles; ++t)
    pack_rows(risc, cb, out, emu_dst_tile(risc, risc->core->released, dst + t), full_width,
              t / width * rows * row_bytes + (column * width + t % width) * wide * FACE * bytes,
              rows, wide);
}

/* Rows of 16 elements, in the order of faces. */
void ttemu_pack_rows(uint32_t dst, uint32_t out, uint32_t place, uint32_t rows, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) return;
  const CB *cb = packed_to(risc, out);
  if (!risc->core->pack_holds)
    emu_error(risc, 10, "pack_rows outside of tile_regs_wait and tile_regs_release");
  emu_check_packed(risc);
  emu_sync(risc);
  pack_rows(risc, cb, out, emu_dst_tile(risc, risc->core->released, dst), 1, place * cb->page_bytes,
            rows, 1);
}

void ttemu_pack_untilize_init(bool on, uint32_t line) {
  Risc *risc = emu_enter(line);
  risc->untilizes = on;
}

void ttemu_tilize_init(bool untilize, uint32_t cb, uint32_t line) {
  Risc *risc = emu_enter(line);
  emu_cb(risc, cb);
  emu_set_fpu(risc, untilize ? FPU_UNTILIZE : FPU_TILIZE, 0);
}

void ttemu_tilize_uninit(uint32_t line) {
  Risc *risc = emu_enter(line);
  risc->fpu = -1;
}

void ttemu_untilize_uninit(uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->fpu == FPU_UNTILIZE) risc->fpu = -1;
}

uint32_t ttemu_tile_address(uint32_t index, uint32_t tile, uint32_t line) {
  Risc *risc = emu_enter(line);
  const CB *cb = emu_cb(risc, index);
  emu_flush(risc->core);
  return (uint32_t)(uintptr_t)page(risc, cb, risc->read_page[index] + tile);
}
