/*===- reduce_blocks.c - the largest elements of rows of several tiles --------------------------===
 *
 *   reduce_block_max_row_init<4>(out);
 *   reduce_block_max_row<4>(in, ones, 8, 0);      DST 0 has the largest of tiles 8 to 11, row by
 * row reduce_block_max_row_uninit(in);
 *
 * finds what as many calls of reduce_tile find, and is faster: the scaler is unpacked once, a tile
 * costs what pooling it along columns does, and the result is turned once, behind the last tile.
 * For Float16_b alone, by the library's own words.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

/* Blocks of so many tiles are a setting of their own. */
static int shape_of_block(uint32_t tiles) {
  return emu_reduce_shape(TTEMU_POOL_MAX, TTEMU_REDUCE_ROW) | (int)(tiles << 8);
}

void ttemu_reduce_block_init(uint32_t tiles, uint32_t line) {
  Risc *risc = emu_enter(line);
  risc->turns_faces = false;
  emu_set_fpu(risc, FPU_REDUCE, shape_of_block(tiles));
  risc->reduced = (int)TTEMU_REDUCE_ROW;
  risc->turns_faces = true;
}

void ttemu_reduce_block_uninit(uint32_t line) {
  Risc *risc = emu_enter(line);
  risc->reduced = NOT_REDUCED;
  risc->turns_faces = false;
}

static void check_format(Risc *risc, uint32_t cb) {
  if (emu_cb(risc, cb)->format != TTEMU_FLOAT16_B)
    emu_error(risc, 12,
              "reduce_block_max_row is for Float16_b alone, but circular buffer %u holds other "
              "elements; take reduce_tile",
              cb);
}

void ttemu_reduce_block(uint32_t tiles, uint32_t cb, uint32_t scaler, uint32_t first, uint32_t dst,
                        uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, FPU_REDUCE, shape_of_block(tiles));
  check_format(risc, cb), check_format(risc, scaler);
  if (risc->role == MATH && emu_mode(risc).wide)
    emu_forgiven(risc, 12,
                 "reduce_block_max_row in DST of 32 bits moves halves of words while DST is set to "
                 "16 bits, which is undefined; take reduce_tile, or fp32_dest_acc_en = false");
  for (uint32_t i = 0; i < tiles; ++i) {
    risc->in_block = risc->keeps_b = i > 0;
    emu_reduce_tile(risc, TTEMU_POOL_MAX, TTEMU_REDUCE_ROW, cb, scaler, (uint32_t[]){first + i, 0},
                    dst, tt_block_max_clk(emu.costs, i + 1 == tiles));
  }
  risc->in_block = risc->keeps_b = false;
}
