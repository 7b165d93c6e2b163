/*===- max_indices.c - the largest of columns, with indices -------------------------------------===
 *
 * The vector unit takes rows of DST four at a time, their even or odd columns to a register: values
 * to registers 0 to 3, what goes with them to 4 to 7, which move as the values do. Where values are
 * equal, nothing moves. As on the chip, the function runs once for each face from where it starts,
 * so that it changes rows past those that it is asked for, in the next tile as well.
 *
 *   tiles   the largest of nine rows of each face, to its row 0
 *   rows    sticks of 32 columns, each two rows of DST one after the other: of 9 or 32, to the
 * first
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

enum { REGISTERS = 8, LANES = 32, ROWS_OF_TILE = 64, ROWS_OF_FACE = 16, TILES = 2 };

typedef struct Unit {
  uint32_t reg[REGISTERS][LANES];
  uint32_t *values[TILES], *indices[TILES]; /* a tile, and the next one */
  uint32_t face;                            /* in rows, added to all */
  uint64_t clks;
} Unit;

/* Four rows of DST from `row` on, and one of two columns by its second bit. */
static uint32_t *element(uint32_t *const tiles[TILES], uint32_t row, int lane) {
  uint32_t r = (row & ~3u) + (uint32_t)lane / 8, column = (uint32_t)lane % 8 * 2 + (row >> 1 & 1);
  uint32_t in_tile = r % ROWS_OF_TILE, face = in_tile / 16;
  uint32_t *tile = tiles[r / ROWS_OF_TILE % TILES];
  return &tile[(face / 2 * 16 + in_tile % 16) * 32 + face % 2 * 16 + column];
}

static void load(Unit *u, int reg, uint32_t row) {
  for (int l = 0; l < LANES; ++l) {
    u->reg[reg][l] = *element(u->values, u->face + row, l);
    u->reg[reg + 4][l] = *element(u->indices, u->face + row, l);
  }
  u->clks += 2;
}

static void store(Unit *u, int reg, uint32_t row) {
  for (int l = 0; l < LANES; ++l) {
    *element(u->values, u->face + row, l) = u->reg[reg][l];
    *element(u->indices, u->face + row, l) = u->reg[reg + 4][l];
  }
  u->clks += 2;
}

static int32_t key(uint32_t bits) {
  return bits >> 31 ? (int32_t)~(bits & 0x7fffffffu) : (int32_t)bits;
}

/* The larger of each lane to register a. */
static void larger_to(Unit *u, int a, int b) {
  for (int l = 0; l < LANES; ++l) {
    if (key(u->reg[a][l]) >= key(u->reg[b][l])) continue;
    for (int part = 0; part < REGISTERS; part += 4) {
      uint32_t old = u->reg[a + part][l];
      u->reg[a + part][l] = u->reg[b + part][l], u->reg[b + part][l] = old;
    }
  }
  u->clks += 2;
}

/* Rows of a register change places with registers. */
static void transpose(Unit *u) {
  for (int part = 0; part < REGISTERS; part += 4)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j)
        for (int c = 0; c < 8; ++c) {
          uint32_t *x = &u->reg[part + i][j * 8 + c], *y = &u->reg[part + j][i * 8 + c], old = *x;
          *x = *y, *y = old;
        }
  ++u->clks;
}

/* Nine rows of the face at `row`. */
static void nine_of_face(Unit *u, uint32_t row) {
  load(u, 0, row), load(u, 1, row + 4), load(u, 2, row + 2), load(u, 3, row + 6);
  transpose(u);
  larger_to(u, 0, 1), larger_to(u, 2, 3), larger_to(u, 0, 2);
  transpose(u);
  larger_to(u, 0, 1), larger_to(u, 2, 3);
  load(u, 1, row + 8), load(u, 3, row + 10);
  larger_to(u, 0, 1), larger_to(u, 2, 3);
  store(u, 0, row), store(u, 2, row + 2);
}

/* Eight sticks from `row` on, to register 0. */
static void eight_sticks(Unit *u, uint32_t row) {
  for (int i = 0; i < 4; ++i) load(u, i, row + 4 * (uint32_t)i);
  larger_to(u, 0, 1), larger_to(u, 2, 3), larger_to(u, 0, 2);
  transpose(u);
  larger_to(u, 0, 2), larger_to(u, 1, 3);
  transpose(u);
}

static void nine_sticks(Unit *u, uint32_t column) {
  eight_sticks(u, column);
  load(u, 1, 16 + column);
  larger_to(u, 0, 1);
  store(u, 0, column);
}

static void sixteen_sticks(Unit *u, uint32_t row) {
  eight_sticks(u, row);
  store(u, 0, row);
  eight_sticks(u, row + 16);
  load(u, 1, row);
  larger_to(u, 0, 1);
}

/* A chunk after the first one also takes what the last one left in the next tile. */
static void all_sticks(Unit *u, uint32_t column, bool accumulates, uint32_t chunk) {
  sixteen_sticks(u, column);
  store(u, 0, column);
  sixteen_sticks(u, 32 + column);
  load(u, 1, column);
  larger_to(u, 0, 1);
  if (accumulates && chunk > 0) {
    load(u, 1, ROWS_OF_TILE + column);
    larger_to(u, 0, 1);
  }
  if (accumulates) store(u, 0, ROWS_OF_TILE + column);
  store(u, 0, column);
}

void ttemu_max_indices(uint32_t dst, uint32_t index, ttemu_max_form form, bool accumulates,
                       uint32_t chunk, uint32_t line) {
  static Unit u;
  Risc *risc = emu_enter(line);
  if (risc->role != MATH) return;
  bool rows = form != TTEMU_MAX_NINE_OF_FACES;
  if (risc->sfpu != TTEMU_NUM_SFPU + (int)(rows ? TTEMU_MAX_ROWS : TTEMU_MAX_TILES))
    emu_error(risc, 11,
              "max_reduce_with_indices runs without max_reduce_with_indices_init of its layout");
  u.values[0] = emu_math_tile(risc, dst, NULL), u.indices[0] = emu_math_tile(risc, index, NULL);
  u.values[1] = emu_dst_tile(risc, risc->core->committed, dst + 1);
  u.indices[1] = emu_dst_tile(risc, risc->core->committed, index + 1);
  if (accumulates) emu_math_tile(risc, dst + 1, NULL), emu_math_tile(risc, index + 1, NULL);
  emu_flush(risc->core);
  u.clks = 0;
  for (u.face = 0; u.face < ROWS_OF_TILE; u.face += ROWS_OF_FACE) {
    if (form == TTEMU_MAX_NINE_OF_FACES) nine_of_face(&u, 0), nine_of_face(&u, ROWS_OF_FACE);
    for (uint32_t column = 0; rows && column <= 2; column += 2) {
      if (form == TTEMU_MAX_NINE_STICKS) nine_sticks(&u, column);
      else all_sticks(&u, column, accumulates, chunk);
    }
  }
  risc->time += u.clks;
  risc->core->math_busy += u.clks;
}
