/*===- reduce_products.c - the sum of all elements of tiles of DST -----------------------------===
 *
 * Blackhole takes products back to source A, tile by tile, where they lose what bf16 does not have;
 * sums of their columns meet in the first row, which then becomes a column that is added up. Its
 * factor, from source B, counts at both.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

static void make_factor(uint32_t bits, DstMode mode, Source *s) {
  uint32_t tile[TILE] = {0};
  for (int k = 0; k < 16; ++k) tile[k] = bits;
  emu_source_of_dst(tile, mode, s);
}

void ttemu_reduce_products(uint32_t tiles, uint32_t factor, uint32_t line) {
  static Source data, scaler;
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) risc->reduced = TTEMU_REDUCE_SCALAR;
  if (risc->role != MATH) return;
  emu_check_settings(risc, TTEMU_MUL, TTEMU_BCAST_NONE);
  DstMode mode = emu_mode(risc);
  int phases = risc->kernel->phases;
  uint32_t sums[16] = {0};
  make_factor(factor, mode, &scaler);
  emu_flush(risc->core);
  for (uint32_t t = 0; t < tiles; ++t) {
    emu_source_of_dst(emu_math_tile(risc, t, NULL), mode, &data);
    emu_reduce_columns(&data, &scaler, phases, mode, sums);
  }
  uint32_t *out = emu_math_tile(risc, 0, NULL);
  memset(&data, 0, sizeof data);
  uint32_t row[TILE] = {0};
  memcpy(row, sums, sizeof sums);
  emu_source_of_dst(row, mode, &data);
  out[0] = emu_reduce_row(&data, &scaler, phases, mode);
  emu_work(risc, tiles * tt_math_clk(emu.costs, TT_MATH_reduce_col, phases) +
                     tt_math_clk(emu.costs, TT_MATH_reduce_scalar, phases));
}
