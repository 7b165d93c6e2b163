/*===- tiles.c - tiles that are smaller than 32x32 ---------------------------------------------===
 *
 *   16x32: faces 0 and 1        32x16: its two faces, which stand where 0 and 1 do
 *   16x16: face 0
 *
 * Source registers and DST have room for four faces; unpack, math and packer take as many as the
 * init's operand has, in their order, whatever shape they make. What goes by rows and columns of a
 * tile is defined where faces have the places that they have in a tile of 32x32, and in products,
 * for which the vendor's library has a way of its own. Faces of fewer than 16 rows are for hosts
 * and data movement, as the vendor's Tile says.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

enum { FACE = 16, FACE_ELEMENTS = 256, BLOCK_EXPONENTS = 64 };

bool emu_is_whole(TileShape shape) { return shape.rows == 32 && shape.cols == 32; }

bool emu_same_shape(TileShape a, TileShape b) { return a.rows == b.rows && a.cols == b.cols; }

int emu_faces(TileShape shape) { return (shape.rows > FACE ? 2 : 1) * (shape.cols > FACE ? 2 : 1); }

static uint32_t face_rows(TileShape shape) { return shape.rows < FACE ? shape.rows : FACE; }

/* Bits of an element, without the exponents of block formats. */
static uint32_t element_bits(ttemu_format format) { return emu_tile_bytes(format) / TILE * 8; }

static bool has_exponents(ttemu_format format) { return emu_tile_bytes(format) % TILE != 0; }

/* Block formats have half a byte or a whole one. */
static uint32_t bits_of(ttemu_format format) {
  return element_bits(format) ? element_bits(format) : 4;
}

/* The exponents of a tile, of which L1 takes 16 at a time. */
static uint32_t exponent_bytes(ttemu_format format, TileShape shape) {
  uint32_t rows = face_rows(shape) * (uint32_t)emu_faces(shape);
  return has_exponents(format) ? (rows + 15) / 16 * 16 : 0;
}

uint32_t emu_shaped_tile_bytes(ttemu_format format, TileShape shape) {
  if (emu_is_whole(shape)) return emu_tile_bytes(format);
  return (uint32_t)shape.rows * shape.cols * bits_of(format) / 8 + exponent_bytes(format, shape);
}

/* Between a tile and one of 32x32, face by face. */
static void move_faces(ttemu_format format, TileShape shape, uint8_t *tile, uint8_t *whole,
                       bool widen) {
  uint32_t rows = face_rows(shape), bytes = rows * FACE * bits_of(format) / 8;
  uint32_t small_at = exponent_bytes(format, shape),
           at = has_exponents(format) ? BLOCK_EXPONENTS : 0;
  for (uint32_t f = 0; f < (uint32_t)emu_faces(shape); ++f) {
    uint8_t *small = tile + small_at + f * bytes;
    uint8_t *large = whole + at + f * FACE_ELEMENTS * bits_of(format) / 8;
    memcpy(widen ? large : small, widen ? small : large, bytes);
    if (!has_exponents(format)) continue;
    small = tile + f * rows, large = whole + f * FACE;
    memcpy(widen ? large : small, widen ? small : large, rows);
  }
}

const uint8_t *emu_widen_tile(ttemu_format format, TileShape shape, const uint8_t *tile,
                              uint8_t *whole) {
  if (emu_is_whole(shape)) return tile;
  memset(whole, 0, emu_tile_bytes(format));
  move_faces(format, shape, (uint8_t *)(uintptr_t)tile, whole, true);
  return whole;
}

void emu_narrow_tile(ttemu_format format, TileShape shape, const uint8_t *whole, uint8_t *tile) {
  move_faces(format, shape, tile, (uint8_t *)(uintptr_t)whole, false);
}

void emu_swap_faces(uint32_t *tile) {
  for (int r = 0; r < FACE; ++r)
    for (int c = 0; c < FACE; ++c) {
      uint32_t *second = &tile[r * 32 + FACE + c], *third = &tile[(FACE + r) * 32 + c];
      uint32_t kept = *second;
      *second = *third, *third = kept;
    }
}

void emu_swap_source_faces(Source *s) {
  Source from = *s;
  for (int r = 0; r < FACE; ++r)
    for (int c = 0; c < FACE; ++c) {
      int second = r * 32 + FACE + c, third = (FACE + r) * 32 + c;
      s->sig[second] = from.sig[third], s->exp[second] = from.exp[third];
      s->sig[third] = from.sig[second], s->exp[third] = from.exp[second];
    }
}

uint64_t emu_of_faces(uint64_t clk, TileShape shape) {
  return (clk * (uint64_t)emu_faces(shape) + 3) / 4;
}

/*===- What ops take --------------------------------------------------------------------------===*/

void emu_set_tiles(Risc *risc, uint32_t a, uint32_t b) {
  if (a != TTEMU_ANY_CB) risc->set_a = emu_cb(risc, a)->tile;
  if (b != TTEMU_ANY_CB) risc->set_b = emu_cb(risc, b)->tile;
}

static void check_tile(Risc *risc, uint32_t cb, TileShape set) {
  if (cb == TTEMU_ANY_CB) return;
  TileShape tile = emu_cb(risc, cb)->tile;
  if (tile.rows < FACE)
    emu_error(risc, 8,
              "circular buffer %u has tiles of %ux%u, which the vendor's library only moves; an op "
              "takes tiles of 32x32, 16x32, 32x16 or 16x16",
              cb, tile.rows, tile.cols);
  if (set.rows && !emu_same_shape(set, tile))
    emu_error(
        risc, 11,
        "circular buffer %u has tiles of %ux%u, but the init was for tiles of %ux%u; call the "
        "init with it",
        cb, tile.rows, tile.cols, set.rows, set.cols);
}

void emu_check_tile(Risc *risc, uint32_t cb) { check_tile(risc, cb, risc->set_a); }

void emu_check_whole(Risc *risc, uint32_t cb, bool or_face, const char *what) {
  TileShape tile = emu_cb(risc, cb)->tile;
  if (emu_is_whole(tile) || (or_face && tile.rows == FACE && tile.cols == FACE)) return;
  emu_error(risc, 8, "circular buffer %u has tiles of %ux%u, but %s takes tiles of 32x32%s", cb,
            tile.rows, tile.cols, what, or_face ? " or 16x16" : "");
}

/* Whether tiles of B have what the faces of A are to meet. */
static bool meet(TileShape a, TileShape b, ttemu_bcast shape) {
  bool narrow = a.rows > a.cols;
  switch (shape) {
  case TTEMU_BCAST_SCALAR: return true;
  case TTEMU_BCAST_ROW: return !narrow && b.cols >= a.cols;
  case TTEMU_BCAST_COL: return !narrow && (a.rows == FACE || emu_is_whole(b));
  default: return emu_same_shape(a, b);
  }
}

void emu_check_two_tiles(Risc *risc, uint32_t a, uint32_t b, ttemu_bcast shape) {
  TileShape ta = emu_cb(risc, a)->tile, tb = emu_cb(risc, b)->tile;
  check_tile(risc, a, risc->set_a);
  check_tile(risc, b, risc->set_b);
  if (meet(ta, tb, shape)) return;
  emu_error(risc, 8,
            "circular buffers %u and %u have tiles of %ux%u and %ux%u, which %s does not take "
            "together",
            a, b, ta.rows, ta.cols, tb.rows, tb.cols,
            shape == TTEMU_BCAST_NONE  ? "an op"
            : shape == TTEMU_BCAST_ROW ? "a broadcast of rows"
                                       : "a broadcast of columns");
}

/* The vendor's library takes two faces for neighbours, and leaves a row of one face untransposed.
 */
void emu_check_reduction(Risc *risc, uint32_t cb, bool of_rows) {
  TileShape tile = emu_cb(risc, cb)->tile;
  check_tile(risc, cb, risc->set_a);
  if (tile.cols == 32 || (tile.rows == FACE && !of_rows)) return;
  emu_error(risc, 8,
            "circular buffer %u has tiles of %ux%u, but a reduction%s takes tiles of 32x32 or "
            "16x32%s",
            cb, tile.rows, tile.cols, of_rows ? " of rows" : "", of_rows ? "" : ", or of 16x16");
}

void emu_check_product(Risc *risc, uint32_t a, uint32_t b, bool transpose) {
  TileShape ta = emu_cb(risc, a)->tile, tb = emu_cb(risc, b)->tile;
  check_tile(risc, a, risc->set_a);
  check_tile(risc, b, risc->set_b);
  if (ta.cols == 32 && tb.rows == 32 && (tb.cols == 32 || !transpose)) return;
  emu_error(
      risc, 8,
      "matmul of tiles of %ux%u (circular buffer %u) and of %ux%u%s (circular buffer %u): the "
      "vendor's library multiplies 32x32 or 16x32 by 32x32, or by 32x16 that is not "
      "transposed",
      ta.rows, ta.cols, a, tb.rows, tb.cols, transpose ? ", transposed," : "", b);
}
