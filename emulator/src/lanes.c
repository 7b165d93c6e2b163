/*===- lanes.c - DST as vectors of 32 lanes ---------------------------------------------------===
 *
 * For kernels that program the vector unit themselves. A vector is four rows of a face,
 * in its even or its odd columns; a tile has 32 of them. A store of floats cuts them to
 * what DST holds. A load or store takes a clk, beside those of the work between them.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

enum { LANES = 32, VECTORS = TILE / LANES, VECTORS_OF_FACE = 8 };

/* Where lane 0 is in its tile, whose rows are whole. */
static uint32_t place(uint32_t vector, uint32_t lane) {
  uint32_t face = vector / VECTORS_OF_FACE, in_face = vector % VECTORS_OF_FACE;
  uint32_t row = face / 2 * 16 + in_face / 2 * 4 + lane / 8,
           column = face % 2 * 16 + lane % 8 * 2 + in_face % 2;
  return row * 32 + column;
}

static uint32_t *tile_of(Risc *risc, uint32_t vector, uint32_t clks, uint32_t line) {
  if (line) risc->line = line;
  if (risc->role != MATH)
    emu_error(risc, 10, "the vector unit is programmed from math only; put the call in MATH(…)");
  uint32_t *tile = emu_math_tile(risc, vector / VECTORS, NULL);
  emu_flush(risc->core);
  risc->time += clks + 1;
  risc->core->math_busy += clks + 1;
  return tile;
}

void ttemu_lanes_load(uint32_t vector, uint32_t *bits, uint32_t clks, uint32_t line) {
  const uint32_t *tile = tile_of(emu.running, vector, clks, line);
  for (uint32_t i = 0; i < LANES; ++i) bits[i] = tile[place(vector % VECTORS, i)];
}

void ttemu_lanes_store(uint32_t vector, const uint32_t *bits, uint32_t lanes, bool is_float,
                       uint32_t clks, uint32_t line) {
  Risc *risc = emu.running;
  uint32_t *tile = tile_of(risc, vector, clks, line);
  DstMode mode = emu_mode(risc);
  for (uint32_t i = 0; i < LANES; ++i) {
    if (!(lanes >> i & 1)) continue;
    uint32_t value = bits[i];
    if (is_float && !mode.wide) {
      if (mode.five) value = emu_half_in_dst(value, false);
      else value = (value & 0x7f800000u) == 0 ? value & 0x80000000u : value & 0xffff0000u;
    }
    tile[place(vector % VECTORS, i)] = value;
  }
}

/* A linear feedback shift register, x^32 + x^22 + x^2 + x + 1, for each processor. The chip's
 * generator is another one, whose seed is not documented: runs repeat here. */
uint32_t ttemu_random(void) {
  Risc *risc = emu.running;
  if (!risc->random) risc->random = 0x2545f491u ^ (risc->core->y << 8 | risc->core->x);
  for (int i = 0; i < LANES; ++i)
    risc->random = risc->random >> 1 ^ (0x80200003u & (0u - (risc->random & 1)));
  return risc->random;
}

void ttemu_seed_random(uint32_t seed, uint32_t line) {
  Risc *risc = emu_enter(line);
  risc->random = seed ? seed : 1;
}
