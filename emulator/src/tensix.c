/*===- tensix.c - unpack and math -------------------------------------------------------===
 *
 * The tile ops. Math runs ahead of pack by the halves of DST.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

/*===- What is put off ------------------------------------------------------------------------===
 * The work on data, with all that it needs; it does not change the order of events. */

typedef struct Unpack {
  const uint8_t *tile;
  ttemu_format format;
  TileShape tile_shape;
  DstMode mode;
  ttemu_bcast shape;
  uint32_t row;
  bool transpose, swap;
  Source *out;
} Unpack;

static void do_unpack(const void *args) {
  const Unpack *u = args;
  uint8_t whole[TILE * 4];
  emu_unpack(emu_widen_tile(u->format, u->tile_shape, u->tile, whole), u->format, u->mode, u->out);
  if (u->swap) emu_swap_source_faces(u->out);
  if (u->transpose) emu_transpose(u->out);
  emu_broadcast(u->shape, u->row, u->out);
}

typedef struct MoveIn {
  const uint8_t *tile;
  ttemu_format format;
  TileShape tile_shape;
  DstMode mode;
  int shape;
  bool raw;
  uint32_t *out;
} MoveIn;

static void do_move_in(const void *args) {
  const MoveIn *m = args;
  uint8_t whole[TILE * 4];
  const uint8_t *tile = emu_widen_tile(m->format, m->tile_shape, m->tile, whole);
  if (m->raw) emu_unpack_raw(tile, m->format, m->out);
  else emu_copy(tile, m->format, m->mode, m->out);
  if (m->shape == COPY_TRANSPOSED) emu_transpose_bits(m->out);
  else emu_broadcast_bits((ttemu_bcast)m->shape, m->out);
}

typedef struct Math {
  Operands *o;
  uint32_t *dst;
  int op, phases, pool, dim, faces;
  DstMode mode;
  bool onto, reuse, source_a, tf32, fresh, bytes, narrow;
} Math;

static void do_matmul(const void *args) {
  const Math *m = args;
  if (m->narrow) emu_swap_faces(m->dst);
  if (m->bytes) emu_matmul_bytes(&m->o->a, &m->o->b, m->phases, m->dst);
  else emu_matmul(&m->o->a, &m->o->b, m->phases, m->mode, m->dst);
  if (m->narrow) emu_swap_faces(m->dst);
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
             m->tf32, m->fresh, m->faces, m->dst);
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

/* Whether the engine takes integers is the same for all that it does; that a circular buffer has
 * integers which it takes in no op is another error. */
static void check_mode(Risc *risc, uint32_t cb, bool bytes) {
  if (cb == TTEMU_ANY_CB || (!bytes && emu_is_integer(emu_cb(risc, cb)->format))) return;
  emu_check_integers(risc, bytes);
}

/* Bytes of operand b that come through: of a row or a column, two faces, of an element, or of the
 * scaler of a reduction, one. */
static uint64_t bytes_of_second(const Risc *risc, const CB *cb, ttemu_bcast shape) {
  uint64_t bytes = emu_shaped_tile_bytes(cb->format, cb->tile);
  if (risc->fpu == FPU_REDUCE || shape == TTEMU_BCAST_SCALAR)
    return bytes / (uint64_t)emu_faces(cb->tile);
  return shape == TTEMU_BCAST_NONE ? bytes : bytes / 2;
}

/* Unpack's part of an op on two tiles; the second one is broadcast or transposed. */
static void unpack_two(Risc *risc, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                       ttemu_bcast shape, uint32_t row, bool transpose) {
  const uint8_t *ta = emu_front_tile(risc, a, ia), *tb = emu_front_tile(risc, b, ib);
  emu_check_whole_written(risc, a, ta);
  if (shape == TTEMU_BCAST_NONE && risc->fpu != FPU_REDUCE) emu_check_whole_written(risc, b, tb);
  const CB *ca = emu_cb(risc, a), *cb = emu_cb(risc, b);
  Operands *o = emu_fill_bank(risc);
  DstMode mode = emu_mode(risc);
  LATER(risc, do_unpack,
        (Unpack){
            .tile = ta, .format = ca->format, .tile_shape = ca->tile, .mode = mode, .out = &o->a});
  LATER(risc, do_unpack,
        (Unpack){.tile = tb,
                 .format = cb->format,
                 .tile_shape = cb->tile,
                 .swap = risc->fpu == (int)TTEMU_MATMUL && cb->tile.cols < 32,
                 .mode = mode,
                 .shape = shape,
                 .row = row,
                 .transpose = transpose,
                 .out = &o->b});
  uint64_t bytes_a = emu_shaped_tile_bytes(ca->format, ca->tile),
           bytes_b = bytes_of_second(risc, cb, shape);
  if (risc->keeps_a) bytes_a = 0;
  if (risc->keeps_b) bytes_b = 0;
  emu_bank_filled(risc, o, bytes_a + bytes_b, risc->keeps_a || risc->keeps_b, 0);
}

static Math math_of(Risc *risc, int op) {
  return (Math){.op = op, .phases = risc->kernel->phases, .mode = emu_mode(risc)};
}

static void matmul_tiles(Risc *risc, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                         uint32_t dst) {
  emu_check_format(risc, b, risc->srca, "A");
  emu_check_format(risc, a, risc->srcb, "B");
  emu_check_product(risc, a, b, risc->shape);
  bool bytes = are_bytes(risc, a, b);
  check_mode(risc, a, bytes);
  if (risc->role == UNPACK) {
    if (!bytes) check_floats(risc, a), check_floats(risc, b);
    unpack_two(risc, a, b, ia, ib, TTEMU_BCAST_NONE, 0, risc->shape);
    return;
  }
  Math m = math_of(risc, TTEMU_MATMUL);
  TileShape made = {emu_cb(risc, a)->tile.rows, emu_cb(risc, b)->tile.cols};
  m.bytes = bytes;
  m.narrow = made.rows > made.cols;
  if (bytes) emu_check_wide_tile(risc, dst);
  m.dst = emu_math_faces(risc, dst, emu_faces(made), NULL);
  m.o = emu_take_bank(risc);
  LATER(risc, do_matmul, m);
  TtMath op = risc->by_blocks ? TT_MATH_matmul_block : TT_MATH_matmul;
  emu_bank_taken(risc, emu_of_faces(tt_math_clk(emu.costs, op, m.phases), made));
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
  emu_check_two_tiles(risc, a, b, (ttemu_bcast)shape);
  TileShape tile = emu_cb(risc, a)->tile;
  bool bytes = are_bytes(risc, a, b);
  check_mode(risc, a, bytes);
  if (risc->role == UNPACK) {
    if (!bytes) check_floats(risc, a), check_floats(risc, b);
    unpack_two(risc, a, b, ia, ib, (ttemu_bcast)shape, row % 32, false);
    return;
  }
  Math m = math_of(risc, (int)op);
  m.bytes = bytes;
  if (bytes) emu_check_wide_tile(risc, dst);
  m.dst = emu_math_faces(risc, dst, emu_faces(tile), NULL);
  m.o = emu_take_bank(risc);
  m.onto = risc->adds_onto;
  LATER(risc, do_binary, m);
  emu_bank_taken(risc, emu_of_faces(binary_clk(op, (ttemu_bcast)shape, m.phases), tile));
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
  emu_check_tile(risc, cb);
  check_mode(risc, cb, false);
  const CB *buffer = emu_cb(risc, cb);
  if (risc->role == UNPACK) {
    const uint8_t *tile = emu_front_tile(risc, cb, index);
    emu_check_whole_written(risc, cb, tile);
    check_floats(risc, cb);
    Operands *o = emu_fill_bank(risc);
    LATER(risc, do_unpack,
          (Unpack){.tile = tile,
                   .format = buffer->format,
                   .tile_shape = buffer->tile,
                   .mode = emu_mode(risc),
                   .out = source_a ? &o->b : &o->a});
    emu_bank_filled(risc, o, emu_shaped_tile_bytes(buffer->format, buffer->tile), true, 0);
    return;
  }
  Math m = math_of(risc, (int)op);
  m.dst = emu_math_faces(risc, dst, emu_faces(buffer->tile), NULL);
  m.o = emu_take_bank(risc);
  m.reuse = true, m.source_a = source_a;
  LATER(risc, do_binary, m);
  TtMath step = op == TTEMU_MUL ? TT_MATH_reuse_mul : TT_MATH_reuse_add;
  emu_bank_taken(risc, emu_of_faces(tt_math_clk(emu.costs, step, m.phases), buffer->tile));
}

/*===- Copies ---------------------------------------------------------------------------------===*/

void emu_move_in(Risc *risc, uint32_t cb, const uint8_t *tile) {
  emu_check_format(risc, cb, risc->srca, "A");
  const TtFormat *row =
      cb == TTEMU_ANY_CB ? NULL : tt_format_of_code((int)emu_cb(risc, cb)->format);
  bool is_byte = row && tt_format_is_byte(row);
  if (is_byte) emu_check_format(risc, cb, risc->srcb, "B");
  DstMode mode = emu_mode(risc);
  /* To DST of 16 bits floats are moved, not added to zeros. */
  bool added = is_byte || (row && row->is_float && mode.wide && !risc->kernel->unpack_to_dest[cb]);
  if (added) emu_check_integers(risc, is_byte);
  const CB *buffer = emu_cb(risc, cb);
  Operands *o = emu_fill_bank(risc);
  int shape = risc->fpu == FPU_TRANSPOSE ? COPY_TRANSPOSED
              : risc->fpu == FPU_COPY    ? risc->shape
                                         : 0;
  LATER(risc, do_move_in,
        (MoveIn){.tile = tile,
                 .format = buffer->format,
                 .tile_shape = buffer->tile,
                 .mode = mode,
                 .shape = shape,
                 .out = o->raw,
                 .raw = mode.wide && risc->kernel->unpack_to_dest[cb]});
  emu_bank_filled(risc, o, emu_shaped_tile_bytes(buffer->format, buffer->tile), true,
                  shape == COPY_TRANSPOSED ? emu.costs->step[TT_COST_unpack_transpose] : 0);
}

void emu_move_tile_in(Risc *risc, uint32_t cb, uint32_t index) {
  ++risc->core->copies;
  risc->core->copies_back += emu_cb(risc, cb)->pusher == PACK;
  const uint8_t *tile = emu_front_tile(risc, cb, index);
  emu_check_whole_written(risc, cb, tile);
  emu_move_in(risc, cb, tile);
}

void emu_move_on(Risc *risc, uint32_t dst, TileShape shape) {
  Math m = {.dst = emu_math_faces(risc, dst, emu_faces(shape), NULL)};
  m.o = emu_take_bank(risc);
  LATER(risc, do_move_on, m);
  TtMath op = risc->srca == FLOAT32_TO_DST ? TT_MATH_copy_to_dst
              : risc->fpu == FPU_TRANSPOSE ? TT_MATH_transpose
                                           : TT_MATH_copy;
  emu_bank_taken(risc, emu_of_faces(tt_math_clk(emu.costs, op, 1), shape));
}

static void move_tile(uint32_t cb, uint32_t index, uint32_t dst, int fpu, int shape,
                      uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, fpu, shape);
  emu_check_format(risc, cb, risc->srca, "A");
  emu_check_tile(risc, cb);
  bool transposes = fpu == FPU_TRANSPOSE || shape == COPY_TRANSPOSED;
  if (transposes || shape)
    emu_check_whole(risc, cb, transposes, transposes ? "a transposition" : "a broadcast alone");
  if (risc->role == UNPACK) emu_move_tile_in(risc, cb, index);
  else emu_move_on(risc, dst, emu_cb(risc, cb)->tile);
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

void emu_reduce_tile(Risc *risc, ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb,
                     uint32_t scaler, const uint32_t index[2], uint32_t dst, uint32_t clk) {
  /* Sums of rows: the scaler goes to source A, though they round as if it did not. */
  bool swapped = dim == TTEMU_REDUCE_ROW && pool != TTEMU_POOL_MAX;
  emu_check_format(risc, swapped ? scaler : cb, risc->srca, "A");
  emu_check_format(risc, swapped ? cb : scaler, risc->srcb, "B");
  TileShape tile = emu_cb(risc, cb)->tile;
  emu_check_reduction(risc, cb, dim == TTEMU_REDUCE_ROW);
  check_mode(risc, cb, false);
  if (risc->role == UNPACK) {
    check_floats(risc, cb), check_floats(risc, scaler);
    unpack_two(risc, cb, scaler, index[0], index[1], TTEMU_BCAST_NONE, 0, false);
    return;
  }
  bool written;
  Math m = math_of(risc, FPU_REDUCE);
  m.dst = emu_math_faces(risc, dst, emu_faces(tile), &written);
  m.o = emu_take_bank(risc);
  m.faces = emu_faces(tile);
  m.pool = (int)pool, m.dim = (int)dim, m.fresh = !written;
  m.tf32 = (cb == TTEMU_ANY_CB ? risc->srca : (int)emu_cb(risc, cb)->format) == TTEMU_FLOAT32;
  LATER(risc, do_reduce, m);
  emu_bank_taken(risc, emu_of_faces(clk, tile));
}

void ttemu_reduce_tile(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb, uint32_t scaler,
                       uint32_t index, uint32_t scaler_index, uint32_t dst, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, FPU_REDUCE, emu_reduce_shape(pool, dim));
  TtMath op = dim == TTEMU_REDUCE_ROW   ? TT_MATH_reduce_row
              : dim == TTEMU_REDUCE_COL ? TT_MATH_reduce_col
                                        : TT_MATH_reduce_scalar;
  int phases = pool == TTEMU_POOL_MAX ? 1 : risc->kernel->phases;
  emu_reduce_tile(risc, pool, dim, cb, scaler, (uint32_t[]){index, scaler_index}, dst,
                  tt_math_clk(emu.costs, op, phases));
}
