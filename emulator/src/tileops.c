/*===- tileops.c - what works on a whole tile of DST ----------------------------------------===
 *
 * Running sums and products, sums of integers, transposes in place: functions whose
 * lanes depend on each other.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

static float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static uint32_t bits_of(float f, DstMode mode) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  if (mode.five && !mode.wide) return emu_half_in_dst(bits, false);
  return mode.wide ? bits : bits & 0xffff0000u;
}

/* Down each column; the last row of the tile before comes first. */
static void running_sum(float *carry, DstMode mode, bool go_on, uint32_t *tile) {
  for (int c = 0; c < 32; ++c) {
    float sum = go_on ? carry[c] : 0;
    for (int r = 0; r < 32; ++r) {
      sum += float_of(tile[r * 32 + c]);
      tile[r * 32 + c] = bits_of(sum, mode);
    }
    carry[c] = sum;
  }
}

static void running_product(DstMode mode, uint32_t *tile) {
  for (int r = 0; r < 32; ++r)
    for (int c = 1; c < 32; ++c)
      tile[r * 32 + c] = bits_of(float_of(tile[r * 32 + c - 1]) * float_of(tile[r * 32 + c]), mode);
}

static void rotate90(uint32_t *tile) {
  for (int i = 0; i < TILE; i += 2) {
    uint32_t re = tile[i];
    tile[i] = tile[i + 1] ^ 0x80000000u;
    tile[i + 1] = re;
  }
}

static void sum_integers(bool columns, uint32_t *tile) {
  for (int i = 0; i < 32; ++i) {
    uint32_t sum = 0;
    for (int j = 0; j < 32; ++j) sum += columns ? tile[j * 32 + i] : tile[i * 32 + j];
    tile[columns ? i : i * 32] = sum;
  }
}

/* Of each column, into row 0. */
static void reduce_columns(ttemu_tile_op op, DstMode mode, uint32_t *tile) {
  for (int c = 0; c < 32; ++c) {
    float sum = 0, most = float_of(tile[c]);
    uint32_t total = 0;
    int32_t largest = (int32_t)tile[c];
    for (int r = 0; r < 32; ++r) {
      uint32_t x = tile[r * 32 + c];
      sum += float_of(x), total += x;
      most = float_of(x) > most ? float_of(x) : most;
      largest = (int32_t)x > largest ? (int32_t)x : largest;
    }
    tile[c] = op == TTEMU_COLUMN_SUM       ? bits_of(sum, mode)
              : op == TTEMU_COLUMN_AVG     ? bits_of(sum / 32, mode)
              : op == TTEMU_COLUMN_MAX     ? bits_of(most, mode)
              : op == TTEMU_COLUMN_SUM_INT ? total
                                           : (uint32_t)largest;
  }
}

void ttemu_tile_init(ttemu_tile_op op, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (op == TTEMU_TRANSPOSE_DEST)
    risc->transposes = true; /* the matrix engine does, not the unit */
  else risc->sfpu = risc->sfpu_kept = TTEMU_NUM_SFPU + (int)op;
}

/* Sums of integers have one init, along rows and columns. */
static bool same_init(int set, ttemu_tile_op op) {
  if (op == TTEMU_SUM_INT_ROW || op == TTEMU_ADD_NEXT_INT) op = TTEMU_SUM_INT_COL;
  return set == TTEMU_NUM_SFPU + (int)op;
}

typedef struct TileOp {
  ttemu_tile_op op;
  DstMode mode;
  bool go_on;
  float *carry;
  uint32_t *tile, *next;
} TileOp;

static void do_tile_op(const void *args) {
  const TileOp *t = args;
  switch (t->op) {
  case TTEMU_CUMSUM: running_sum(t->carry, t->mode, t->go_on, t->tile); break;
  case TTEMU_TILED_PROD: running_product(t->mode, t->tile); break;
  case TTEMU_ROTATE90: rotate90(t->tile); break;
  case TTEMU_SUM_INT_COL: sum_integers(true, t->tile); break;
  case TTEMU_SUM_INT_ROW: sum_integers(false, t->tile); break;
  case TTEMU_ADD_NEXT_INT:
    for (int i = 0; i < TILE; ++i) t->tile[i] += t->next[i];
    break;
  case TTEMU_TRANSPOSE_DEST: emu_transpose_bits(t->tile); break;
  default: reduce_columns(t->op, t->mode, t->tile); break;
  }
}

static TtStep cost_of(ttemu_tile_op op) {
  switch (op) {
  case TTEMU_CUMSUM: return TT_COST_cumsum;
  case TTEMU_SUM_INT_ROW: return TT_COST_row_sum;
  case TTEMU_SUM_INT_COL:
  case TTEMU_COLUMN_SUM:
  case TTEMU_COLUMN_AVG:
  case TTEMU_COLUMN_SUM_INT: return TT_COST_column_sum;
  case TTEMU_COLUMN_MAX:
  case TTEMU_COLUMN_MAX_INT: return TT_COST_column_max;
  default: return TT_COST_vector_least;
  }
}

void ttemu_tile_run(ttemu_tile_op op, uint32_t dst, bool go_on, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != MATH) return;
  if (op == TTEMU_TRANSPOSE_DEST ? !risc->transposes : !same_init(risc->sfpu, op))
    emu_error(risc, 11, "a function on a whole tile runs without its own init");
  TileOp t = {.op = op,
              .mode = emu_mode(risc),
              .go_on = go_on,
              .carry = risc->core->running_sum,
              .tile = emu_math_tile(risc, dst, NULL)};
  if (op == TTEMU_ADD_NEXT_INT) t.next = emu_math_tile(risc, dst + 1, NULL);
  emu_later(risc->core, do_tile_op, &t, sizeof t);
  emu_vector_work(risc, emu.costs->step[cost_of(op)]);
}
