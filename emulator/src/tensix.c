/*===- tensix.c - unpack and math -------------------------------------------------------===
 *
 * The tile ops. Unpack runs ahead of math by two banks of source registers, math
 * ahead of pack by the halves of DST.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

/*===- Tile ops -------------------------------------------------------------------------------===*/

static const uint8_t *front_tile(Risc *risc, uint32_t index, uint32_t tile) {
  const CB *cb = emu_cb(risc, index);
  bool there = cb->bound ? tile < cb->pages : emu.races && tile < cb->received - cb->acked;
  if (tile >= risc->waited[index] && there) /* in which order it came there is rule 23 */
    emu_forgiven(risc, 21, "tile %u of circular buffer %u is read, but %u were waited for", tile,
                 index, risc->waited[index]);
  else if (tile >= risc->waited[index])
    emu_error(risc, 21, "tile %u of circular buffer %u is read, but %u were waited for", tile,
              index, risc->waited[index]);
  uint32_t page = (risc->read_page[index] + tile) % cb->pages;
  emu_race_unpack(risc, index, page);
  return risc->core->l1 + emu_tile_in_page(risc, index, page);
}

static Operands *fill_bank(Risc *risc) {
  Core *core = risc->core;
  if (!risc->in_block) emu_charge(risc, emu.costs->step[TT_COST_issue_unpack]);
  emu_sync(risc);
  while (core->filled - core->taken >= SOURCE_BANKS) emu_block(risc, WAIT_SOURCE_FREE, 0, 0);
  emu_race_bank(risc, true, false);
  return &core->operands[core->filled % SOURCE_BANKS];
}

/* Unpack has brought so many bytes, of one operand `alone` or of two, in `least` clk or more. */
static void bank_filled(Risc *risc, Operands *operands, uint64_t bytes, bool alone,
                        uint64_t least) {
  uint64_t clk = tt_moved_clk(emu.chip, emu.costs, bytes, alone);
  if (clk < least) clk = least;
  if (!risc->in_block) clk += emu.costs->step[TT_COST_unpack_start];
  emu_trace(risc->core, risc->role, TRACE_UNPACK, 0, 0, risc->time, risc->time + clk);
  emu_work(risc, clk);
  risc->busy_clk += clk;
  operands->ready = risc->time;
  emu_race_bank(risc, true, true);
  ++risc->core->filled;
  emu_wake(risc->core, WAIT_SOURCE_FULL, 0, risc->time);
}

static Operands *take_bank(Risc *risc) {
  Core *core = risc->core;
  emu_sync(risc);
  while (core->filled == core->taken) emu_block(risc, WAIT_SOURCE_FULL, 0, 0);
  emu_race_bank(risc, false, false);
  Operands *operands = &core->operands[core->taken % SOURCE_BANKS];
  if (risc->time < operands->ready) risc->time = operands->ready;
  return operands;
}

static void bank_taken(Risc *risc, uint64_t clk) {
  emu_trace(risc->core, risc->role, TRACE_OP, (uint32_t)risc->fpu, 0, risc->time, risc->time + clk);
  emu_work(risc, clk);
  risc->busy_clk += clk;
  risc->core->math_busy += clk;
  emu_race_bank(risc, false, true);
  ++risc->core->taken;
  emu_wake(risc->core, WAIT_SOURCE_FREE, 0, risc->time);
}

Operands *emu_fill_bank(Risc *risc) { return fill_bank(risc); }
void emu_bank_filled(Risc *risc, Operands *operands, uint64_t bytes) {
  bank_filled(risc, operands, bytes, false, 0);
}
const uint8_t *emu_front_tile(Risc *risc, uint32_t index, uint32_t tile) {
  return front_tile(risc, index, tile);
}

/*===- What is put off ------------------------------------------------------------------------===
 * The work on data, with all that it needs; it does not change the order of events. */

typedef struct Unpack {
  const uint8_t *tile;
  ttemu_format format;
  DstMode mode;
  ttemu_bcast shape;
  uint32_t row;
  bool transpose;
  Source *out;
} Unpack;

static void do_unpack(const void *args) {
  const Unpack *u = args;
  emu_unpack(u->tile, u->format, u->mode, u->out);
  if (u->transpose) emu_transpose(u->out);
  emu_broadcast(u->shape, u->row, u->out);
}

typedef struct MoveIn {
  const uint8_t *tile;
  ttemu_format format;
  DstMode mode;
  int shape;
  bool raw;
  uint32_t *out;
} MoveIn;

static void do_move_in(const void *args) {
  const MoveIn *m = args;
  if (m->raw) emu_unpack_raw(m->tile, m->format, m->out);
  else emu_copy(m->tile, m->format, m->mode, m->out);
  if (m->shape == COPY_TRANSPOSED) emu_transpose_bits(m->out);
  else emu_broadcast_bits((ttemu_bcast)m->shape, m->out);
}

typedef struct Math {
  Operands *o;
  uint32_t *dst;
  int op, phases, pool, dim;
  DstMode mode;
  bool onto, reuse, source_a, tf32, fresh, bytes;
} Math;

static void do_matmul(const void *args) {
  const Math *m = args;
  if (m->bytes) emu_matmul_bytes(&m->o->a, &m->o->b, m->phases, m->dst);
  else emu_matmul(&m->o->a, &m->o->b, m->phases, m->mode, m->dst);
}

static void do_binary(const void *args) {
  const Math *m = args;
  if (m->reuse) {
    emu_source_of_dst(m->dst, m->mode, m->source_a ? &m->o->a : &m->o->b);
    memset(m->dst, 0, sizeof(uint32_t[TILE]));
  }
  if (m->bytes)
    emu_binary_bytes((ttemu_binary)m->op, &m->o->a, &m->o->b, m->phases, m->onto, m->dst);
  else emu_binary((ttemu_binary)m->op, &m->o->a, &m->o->b, m->phases, m->mode, m->onto, m->dst);
}

static void do_reduce(const void *args) {
  const Math *m = args;
  emu_reduce((ttemu_pool)m->pool, (ttemu_reduce_dim)m->dim, &m->o->a, &m->o->b, m->phases, m->mode,
             m->tf32, m->fresh, m->dst);
}

static void do_move_on(const void *args) {
  const Math *m = args;
  memcpy(m->dst, m->o->raw, sizeof m->o->raw);
}

/*===- Products and sums --------------------------------------------------------------------===*/

static void check_floats(Risc *risc, uint32_t index) {
  if (emu_is_integer(emu_cb(risc, index)->format))
    emu_error(risc, 12,
              "the matrix engine takes no integers here, but circular buffer %u holds some; "
              "copy its tiles to DST and use the vector unit",
              index);
}

/* Integers of 8 bits: their sums and products take 32 bits of DST, however it is set. */
static bool are_bytes(Risc *risc, uint32_t a, uint32_t b) {
  ttemu_format fa = emu_cb(risc, a)->format, fb = emu_cb(risc, b)->format;
  return (fa == TTEMU_INT8 || fa == TTEMU_UINT8) && (fb == TTEMU_INT8 || fb == TTEMU_UINT8);
}

/* Bytes of operand b that come through: of a row or a column, two faces, of an element, or of the
 * scaler of a reduction, one. */
static uint64_t bytes_of_second(const Risc *risc, uint64_t bytes, ttemu_bcast shape) {
  if (risc->fpu == FPU_REDUCE || shape == TTEMU_BCAST_SCALAR) return bytes / 4;
  return shape == TTEMU_BCAST_NONE ? bytes : bytes / 2;
}

/* Unpack's part of an op on two tiles; the second one is broadcast or transposed. */
static void unpack_two(Risc *risc, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                       ttemu_bcast shape, uint32_t row, bool transpose) {
  const uint8_t *ta = front_tile(risc, a, ia), *tb = front_tile(risc, b, ib);
  const CB *ca = emu_cb(risc, a), *cb = emu_cb(risc, b);
  Operands *o = fill_bank(risc);
  DstMode mode = emu_mode(risc);
  LATER(risc, do_unpack, (Unpack){.tile = ta, .format = ca->format, .mode = mode, .out = &o->a});
  LATER(risc, do_unpack,
        (Unpack){.tile = tb,
                 .format = cb->format,
                 .mode = mode,
                 .shape = shape,
                 .row = row,
                 .transpose = transpose,
                 .out = &o->b});
  uint64_t bytes_a = emu_tile_bytes(ca->format),
           bytes_b = bytes_of_second(risc, emu_tile_bytes(cb->format), shape);
  if (risc->keeps_a) bytes_a = 0;
  if (risc->keeps_b) bytes_b = 0;
  bank_filled(risc, o, bytes_a + bytes_b, risc->keeps_a || risc->keeps_b, 0);
}

static Math math_of(Risc *risc, int op) {
  return (Math){.op = op, .phases = risc->kernel->phases, .mode = emu_mode(risc)};
}

static void matmul_tiles(Risc *risc, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                         uint32_t dst) {
  emu_check_format(risc, b, risc->srca, "A");
  emu_check_format(risc, a, risc->srcb, "B");
  bool bytes = are_bytes(risc, a, b);
  if (risc->role == UNPACK) {
    if (!bytes) check_floats(risc, a), check_floats(risc, b);
    unpack_two(risc, a, b, ia, ib, TTEMU_BCAST_NONE, 0, risc->shape);
    return;
  }
  Math m = math_of(risc, TTEMU_MATMUL);
  m.bytes = bytes;
  if (bytes) emu_check_wide_tile(risc, dst);
  m.dst = emu_math_tile(risc, dst, NULL);
  m.o = take_bank(risc);
  LATER(risc, do_matmul, m);
  TtMath op = risc->by_blocks ? TT_MATH_matmul_block : TT_MATH_matmul;
  bank_taken(risc, tt_math_clk(emu.costs, op, m.phases));
}

static uint64_t binary_clk(ttemu_binary op, ttemu_bcast shape, int phases) {
  bool col = shape == TTEMU_BCAST_COL, scalar = shape == TTEMU_BCAST_SCALAR;
  TtMath math = op == TTEMU_MUL ? col      ? TT_MATH_mul_bcast_col
                                  : scalar ? TT_MATH_mul_bcast_scalar
                                           : TT_MATH_mul
                : col           ? TT_MATH_add_bcast_col
                                : TT_MATH_add;
  return tt_math_clk(emu.costs, math, phases);
}

void ttemu_binary_tiles(ttemu_binary op, int shape, uint32_t a, uint32_t b, uint32_t ia,
                        uint32_t ib, uint32_t dst, uint32_t row, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  bool matmul = op == TTEMU_MATMUL; /* its init alone says whether it transposes */
  emu_check_settings(risc, (int)op, matmul ? risc->shape : shape);
  if (matmul) {
    matmul_tiles(risc, a, b, ia, ib, dst);
    return;
  }
  emu_check_format(risc, a, risc->srca, "A");
  emu_check_format(risc, b, risc->srcb, "B");
  bool bytes = are_bytes(risc, a, b);
  if (risc->role == UNPACK) {
    if (!bytes) check_floats(risc, a), check_floats(risc, b);
    unpack_two(risc, a, b, ia, ib, (ttemu_bcast)shape, row % 32, false);
    return;
  }
  Math m = math_of(risc, (int)op);
  m.bytes = bytes;
  if (bytes) emu_check_wide_tile(risc, dst);
  m.dst = emu_math_tile(risc, dst, NULL);
  m.o = take_bank(risc);
  m.onto = risc->adds_onto;
  LATER(risc, do_binary, m);
  bank_taken(risc, binary_clk(op, (ttemu_bcast)shape, m.phases));
}

void ttemu_unpack_two(ttemu_bcast shape, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                      uint32_t row, uint32_t line) {
  const Risc *risc = emu.running;
  if (risc->role != UNPACK) return;
  if (risc->fpu == FPU_REDUCE)
    ttemu_reduce_tile((ttemu_pool)(risc->shape / 4), (ttemu_reduce_dim)(risc->shape % 4), a, b, ia,
                      ib, 0, line);
  else ttemu_binary_tiles(TTEMU_ADD, (int)shape, a, b, ia, ib, 0, row, line);
}

void ttemu_matmul_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                        bool transpose, uint32_t ct, uint32_t rt, uint32_t kt, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, TTEMU_MATMUL, transpose);
  risc->by_blocks = true;
  for (uint32_t r = 0; r < rt; ++r)
    for (uint32_t c = 0; c < ct; ++c) {
      /* One operand stays in its register while the other changes. */
      risc->in_block = r + c > 0;
      risc->keeps_a = ct >= rt && c > 0, risc->keeps_b = ct < rt && r > 0;
      matmul_tiles(risc, a, b, ia + r * kt, ib + c, dst + r * ct + c);
    }
  risc->by_blocks = risc->in_block = risc->keeps_a = risc->keeps_b = false;
}

void ttemu_reuse_tiles(ttemu_binary op, bool source_a, uint32_t cb, uint32_t index, uint32_t dst,
                       uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, (int)op, emu_reuse_shape(source_a));
  emu_check_format(risc, cb, source_a ? risc->srcb : risc->srca, source_a ? "B" : "A");
  if (risc->role == UNPACK) {
    const uint8_t *tile = front_tile(risc, cb, index);
    check_floats(risc, cb);
    Operands *o = fill_bank(risc);
    LATER(risc, do_unpack,
          (Unpack){.tile = tile,
                   .format = emu_cb(risc, cb)->format,
                   .mode = emu_mode(risc),
                   .out = source_a ? &o->b : &o->a});
    bank_filled(risc, o, emu_tile_bytes(emu_cb(risc, cb)->format), true, 0);
    return;
  }
  Math m = math_of(risc, (int)op);
  m.dst = emu_math_tile(risc, dst, NULL);
  m.o = take_bank(risc);
  m.reuse = true, m.source_a = source_a;
  LATER(risc, do_binary, m);
  bank_taken(risc, tt_math_clk(emu.costs, op == TTEMU_MUL ? TT_MATH_reuse_mul : TT_MATH_reuse_add,
                               m.phases));
}

/*===- Copies ---------------------------------------------------------------------------------===*/

void emu_move_in(Risc *risc, uint32_t cb, const uint8_t *tile) {
  emu_check_format(risc, cb, risc->srca, "A");
  const TtFormat *row =
      cb == TTEMU_ANY_CB ? NULL : tt_format_of_code((int)emu_cb(risc, cb)->format);
  if (row && tt_format_is_byte(row)) emu_check_format(risc, cb, risc->srcb, "B");
  DstMode mode = emu_mode(risc);
  const CB *buffer = emu_cb(risc, cb);
  Operands *o = fill_bank(risc);
  int shape = risc->fpu == FPU_TRANSPOSE ? COPY_TRANSPOSED
              : risc->fpu == FPU_COPY    ? risc->shape
                                         : 0;
  LATER(risc, do_move_in,
        (MoveIn){.tile = tile,
                 .format = buffer->format,
                 .mode = mode,
                 .shape = shape,
                 .out = o->raw,
                 .raw = mode.wide && risc->kernel->unpack_to_dest[cb]});
  bank_filled(risc, o, emu_tile_bytes(buffer->format), true,
              shape == COPY_TRANSPOSED ? emu.costs->step[TT_COST_unpack_transpose] : 0);
}

void emu_move_tile_in(Risc *risc, uint32_t cb, uint32_t index) {
  ++risc->core->copies;
  risc->core->copies_back += emu_cb(risc, cb)->pusher == PACK;
  emu_move_in(risc, cb, front_tile(risc, cb, index));
}

void emu_move_on(Risc *risc, uint32_t dst) {
  Math m = {.dst = emu_math_tile(risc, dst, NULL)};
  m.o = take_bank(risc);
  LATER(risc, do_move_on, m);
  TtMath op = risc->srca == FLOAT32_TO_DST ? TT_MATH_copy_to_dst
              : risc->fpu == FPU_TRANSPOSE ? TT_MATH_transpose
                                           : TT_MATH_copy;
  bank_taken(risc, tt_math_clk(emu.costs, op, 1));
}

static void move_tile(uint32_t cb, uint32_t index, uint32_t dst, int fpu, int shape,
                      uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, fpu, shape);
  emu_check_format(risc, cb, risc->srca, "A");
  if (risc->role == UNPACK) emu_move_tile_in(risc, cb, index);
  else emu_move_on(risc, dst);
}

void ttemu_copy_tile(uint32_t cb, uint32_t index, uint32_t dst, uint32_t line) {
  bool transposed = emu.running->shape == COPY_TRANSPOSED; /* as its init said */
  move_tile(cb, index, dst, FPU_COPY, transposed ? COPY_TRANSPOSED : 0, line);
}

void ttemu_unary_bcast(ttemu_bcast shape, uint32_t cb, uint32_t index, uint32_t dst,
                       uint32_t line) {
  move_tile(cb, index, dst, FPU_COPY, (int)shape, line);
}

void ttemu_transpose_tile(uint32_t cb, uint32_t index, uint32_t dst, uint32_t line) {
  move_tile(cb, index, dst, FPU_TRANSPOSE, 0, line);
}

/*===- Reductions -----------------------------------------------------------------------------===*/

void ttemu_reduce_tile(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb, uint32_t scaler,
                       uint32_t index, uint32_t scaler_index, uint32_t dst, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, FPU_REDUCE, emu_reduce_shape(pool, dim));
  /* Sums of rows: the scaler goes to source A, though they round as if it did not. */
  bool swapped = dim == TTEMU_REDUCE_ROW && pool != TTEMU_POOL_MAX;
  emu_check_format(risc, swapped ? scaler : cb, risc->srca, "A");
  emu_check_format(risc, swapped ? cb : scaler, risc->srcb, "B");
  if (risc->role == UNPACK) {
    check_floats(risc, cb), check_floats(risc, scaler);
    unpack_two(risc, cb, scaler, index, scaler_index, TTEMU_BCAST_NONE, 0, false);
    return;
  }
  bool written;
  Math m = math_of(risc, FPU_REDUCE);
  m.dst = emu_math_tile(risc, dst, &written);
  m.o = take_bank(risc);
  m.pool = (int)pool, m.dim = (int)dim, m.fresh = !written;
  m.tf32 = (cb == TTEMU_ANY_CB ? risc->srca : (int)emu_cb(risc, cb)->format) == TTEMU_FLOAT32;
  LATER(risc, do_reduce, m);
  TtMath op = dim == TTEMU_REDUCE_ROW   ? TT_MATH_reduce_row
              : dim == TTEMU_REDUCE_COL ? TT_MATH_reduce_col
                                        : TT_MATH_reduce_scalar;
  bank_taken(risc, tt_math_clk(emu.costs, op, pool == TTEMU_POOL_MAX ? 1 : m.phases));
}
