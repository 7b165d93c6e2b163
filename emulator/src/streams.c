/*===- streams.c - functions of the vector unit that keep something, or draw lots ---------------===
 *
 * Means and variances in one pass, moving averages, sums into rows that a list names,
 * random numbers. All work in fp32, in the order of the rows, as the vendor's functions
 * do; a store to 16-bit DST truncates.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

typedef struct Tile {
  Risc *risc;
  uint32_t *data; /* NULL: not math */
  DstMode mode;
} Tile;

static Tile enter_for(uint32_t dst, uint32_t clk, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != MATH) return (Tile){.risc = risc};
  Tile t = {.risc = risc, .data = emu_math_tile(risc, dst, NULL), .mode = emu_mode(risc)};
  emu_flush(risc->core);
  emu_vector_work(risc, clk);
  return t;
}

static Tile enter(uint32_t dst, uint32_t line) {
  return enter_for(dst, emu.costs->step[TT_COST_vector_least], line);
}

static float get(const Tile *t, uint32_t row, uint32_t col) {
  float value;
  memcpy(&value, &t->data[row * 32 + col], sizeof value);
  return value;
}

static void put(const Tile *t, uint32_t row, uint32_t col, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (t->mode.five && !t->mode.wide) bits = emu_half_in_dst(bits, false);
  else if (!t->mode.wide) bits &= 0xffff0000u;
  t->data[row * 32 + col] = bits;
}

/*===- Welford's sums -------------------------------------------------------------------------===*/

void ttemu_welford_clear(uint32_t line) {
  Core *core = emu_enter(line)->core;
  if (emu.running->role != MATH) return;
  memset(core->mean, 0, sizeof core->mean), memset(core->m2, 0, sizeof core->m2);
}

void ttemu_welford_rows(uint32_t dst, uint32_t start, uint32_t row, uint32_t rows, uint32_t line) {
  Tile t = enter(dst, line);
  if (!t.data) return;
  if (row + rows > 32)
    emu_error(t.risc, 9, "rows %u to %u of a tile, which has 32", row, row + rows);
  Core *core = t.risc->core;
  for (uint32_t r = 0; r < rows; ++r) {
    float weight = 1 / (float)(start + r + 1);
    for (uint32_t c = 0; c < 32; ++c) {
      float x = get(&t, row + r, c), before = x - core->mean[c];
      core->mean[c] += before * weight;
      core->m2[c] += before * (x - core->mean[c]);
    }
  }
}

/* The column of a lane, as the unit holds rows: even and odd columns of the left faces, then of the
 * right ones. A group's lanes are in the even columns of four rows of face 0. */
static uint32_t column_of_lane(uint32_t lane) {
  return lane / 16 * 16 + lane % 8 * 2 + lane / 8 % 2;
}

static void put_lanes(const Tile *t, uint32_t group, const float *columns) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    put(t, group * 4 % 16 + group / 4 % 2 * 16 + lane / 8, lane % 8 * 2,
        columns[column_of_lane(lane)]);
}

static void get_lanes(const Tile *t, uint32_t group, float *columns) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    columns[column_of_lane(lane)] =
        get(t, group * 4 % 16 + group / 4 % 2 * 16 + lane / 8, lane % 8 * 2);
}

void ttemu_welford_save(uint32_t dst, uint32_t group, uint32_t line) {
  Tile mean = enter(dst, line), m2 = enter(dst + 1, line);
  if (!mean.data) return;
  put_lanes(&mean, group, mean.risc->core->mean), put_lanes(&m2, group, m2.risc->core->m2);
}

void ttemu_welford_restore(uint32_t dst, uint32_t group, uint32_t line) {
  Tile mean = enter(dst, line), m2 = enter(dst + 1, line);
  if (!mean.data) return;
  get_lanes(&mean, group, mean.risc->core->mean), get_lanes(&m2, group, m2.risc->core->m2);
}

void ttemu_welford_finish(uint32_t dst, uint32_t group, ttemu_welford_place place, float scale,
                          uint32_t line) {
  Tile mean = enter(dst, line), variance = enter(dst + 1, line);
  if (!mean.data) return;
  Core *core = mean.risc->core;
  float variances[32];
  for (uint32_t c = 0; c < 32; ++c) variances[c] = core->m2[c] * scale;
  if (place == TTEMU_WELFORD_LANES) {
    put_lanes(&mean, group, core->mean), put_lanes(&variance, group, variances);
    return;
  }
  for (uint32_t c = 0; c < 32; ++c)
    put(&mean, 0, c, core->mean[c]), put(&variance, 0, c, variances[c]);
}

/*===- Moving averages ------------------------------------------------------------------------===*/

void ttemu_ema_init(float alpha, float beta, uint32_t line) {
  Core *core = emu_enter(line)->core;
  if (emu.running->role == MATH) core->ema_alpha = alpha, core->ema_beta = beta;
}

void ttemu_ema_clear(uint32_t line) {
  Core *core = emu_enter(line)->core;
  if (emu.running->role == MATH) memset(core->average, 0, sizeof core->average);
}

void ttemu_ema_tile(uint32_t dst, uint32_t line) {
  Tile t = enter_for(dst, emu.costs->step[TT_COST_moving_average], line);
  Tile out = enter_for(dst + 1, 0, line);
  if (!t.data) return;
  Core *core = t.risc->core;
  for (uint32_t r = 0; r < 32; ++r)
    for (uint32_t c = 0; c < 32; ++c) {
      core->average[c] = core->ema_alpha * core->average[c] + core->ema_beta * get(&t, r, c);
      put(&out, r, c, core->average[c]);
    }
}

/*===- Rows -----------------------------------------------------------------------------------===*/

void ttemu_reshuffle_rows(uint32_t dst, uint32_t l1, uint32_t line) {
  enum { HEADER = 16, ROWS = 32 }; /* the list stands after the header of its page */
  Tile from = enter(dst, line), to = enter(dst + 1, line);
  if (!from.data) return;
  const uint8_t *rows = from.risc->core->l1 + emu_l1_offset(from.risc, l1 + HEADER, ROWS);
  for (uint32_t r = 0; r < ROWS; ++r)
    for (uint32_t c = 0; rows[r] < ROWS && c < 32; ++c)
      put(&to, rows[r], c, get(&to, rows[r], c) + get(&from, r, c));
}

/*===- Random numbers -------------------------------------------------------------------------===*/

void ttemu_rand_tile(uint32_t dst, float from, float scale, uint32_t line) {
  Tile t = enter(dst, line);
  for (uint32_t i = 0; t.data && i < TILE; ++i)
    put(&t, i / 32, i % 32, (float)(ttemu_random() & 0x7fffffu) * 0x1p-23f * scale + from);
}

void ttemu_dropout_tile(uint32_t dst, uint32_t p, float scale, uint32_t line) {
  Tile t = enter(dst, line);
  for (uint32_t i = 0; t.data && i < TILE; ++i) {
    bool drop = (ttemu_random() & 0x7fffffffu) < p;
    put(&t, i / 32, i % 32, drop ? 0 : get(&t, i / 32, i % 32) * scale);
  }
}

void ttemu_stochastic_round_tile(uint32_t dst, uint32_t line) {
  Tile t = enter(dst, line);
  for (uint32_t i = 0; t.data && i < TILE; ++i) {
    uint32_t bits = t.data[i];
    bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    t.data[i] = (finite ? bits + (ttemu_random() & 0xffffu) : bits) & 0xffff0000u;
  }
}
