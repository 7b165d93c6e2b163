/*===- tensix.c - unpack, math and pack -----------------------------------------------===
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
  if (tile >= risc->waited[index])
    emu_error(risc, 21, "tile %u of circular buffer %u is read, but %u were waited for", tile,
              index, risc->waited[index]);
  uint32_t bytes = emu_tile_bytes(cb->format);
  if (bytes != cb->page_bytes)
    emu_error(risc, 8, "circular buffer %u has pages of %u bytes, but a tile has %u", index,
              cb->page_bytes, bytes);
  return risc->core->l1 + cb->address + (risc->read_page[index] + tile) % cb->pages * bytes;
}

static Operands *fill_bank(Risc *risc) {
  Core *core = risc->core;
  emu_sync(risc);
  while (core->filled - core->taken >= SOURCE_BANKS) emu_block(risc, WAIT_SOURCE_FREE, 0, 0);
  return &core->operands[core->filled % SOURCE_BANKS];
}

static void bank_filled(Risc *risc, Operands *operands, uint64_t bytes) {
  risc->time += (bytes + emu.chip->unpack_bytes_per_clk - 1) / emu.chip->unpack_bytes_per_clk;
  operands->ready = risc->time;
  ++risc->core->filled;
  emu_wake(risc->core, WAIT_SOURCE_FULL, 0, risc->time);
}

static Operands *take_bank(Risc *risc) {
  Core *core = risc->core;
  emu_sync(risc);
  while (core->filled == core->taken) emu_block(risc, WAIT_SOURCE_FULL, 0, 0);
  Operands *operands = &core->operands[core->taken % SOURCE_BANKS];
  if (risc->time < operands->ready) risc->time = operands->ready;
  return operands;
}

static void bank_taken(Risc *risc, uint64_t clk) {
  risc->time += clk;
  risc->core->math_busy += clk;
  ++risc->core->taken;
  emu_wake(risc->core, WAIT_SOURCE_FREE, 0, risc->time);
}

/* Unpack's part of an op on two tiles. */
static Operands *unpack_two(Risc *risc, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib) {
  const uint8_t *ta = front_tile(risc, a, ia), *tb = front_tile(risc, b, ib);
  Operands *o = fill_bank(risc);
  emu_unpack(ta, emu_cb(risc, a)->format, emu_mode(risc), &o->a);
  emu_unpack(tb, emu_cb(risc, b)->format, emu_mode(risc), &o->b);
  return o;
}

static void two_filled(Risc *risc, Operands *o, uint32_t a, uint32_t b) { /* two unpackers */
  uint32_t bytes_a = emu_cb(risc, a)->page_bytes, bytes_b = emu_cb(risc, b)->page_bytes;
  bank_filled(risc, o, bytes_a > bytes_b ? bytes_a : bytes_b);
}

static void matmul_tiles(Risc *risc, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                         uint32_t dst) {
  emu_check_format(risc, b, risc->srca, "A");
  emu_check_format(risc, a, risc->srcb, "B");
  if (risc->role == UNPACK) {
    Operands *o = unpack_two(risc, a, b, ia, ib);
    if (risc->shape) emu_transpose(&o->b);
    two_filled(risc, o, a, b);
    return;
  }
  uint32_t *tile = emu_math_tile(risc, dst, NULL);
  Operands *o = take_bank(risc);
  int phases = risc->kernel->phases;
  emu_matmul(&o->a, &o->b, phases, emu_mode(risc), tile);
  bank_taken(risc, emu.chip->matmul_phase * (uint64_t)phases);
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
  if (risc->role == UNPACK) {
    Operands *o = unpack_two(risc, a, b, ia, ib);
    emu_broadcast((ttemu_bcast)shape, row % 32, &o->b);
    two_filled(risc, o, a, b);
    return;
  }
  uint32_t *tile = emu_math_tile(risc, dst, NULL);
  Operands *o = take_bank(risc);
  emu_binary(op, &o->a, &o->b, risc->kernel->phases, emu_mode(risc), risc->adds_onto, tile);
  bank_taken(risc, op == TTEMU_MUL ? emu.chip->mul_phase * (uint64_t)risc->kernel->phases
                                   : emu.chip->add);
}

void ttemu_matmul_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                        bool transpose, uint32_t ct, uint32_t rt, uint32_t kt, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, TTEMU_MATMUL, transpose);
  for (uint32_t r = 0; r < rt; ++r)
    for (uint32_t c = 0; c < ct; ++c)
      matmul_tiles(risc, a, b, ia + r * kt, ib + c, dst + r * ct + c);
}

void ttemu_reuse_tiles(ttemu_binary op, bool source_a, uint32_t cb, uint32_t index, uint32_t dst,
                       uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role == PACK) return;
  emu_check_settings(risc, (int)op, emu_reuse_shape(source_a));
  emu_check_format(risc, cb, source_a ? risc->srcb : risc->srca, source_a ? "B" : "A");
  if (risc->role == UNPACK) {
    const uint8_t *tile = front_tile(risc, cb, index);
    Operands *o = fill_bank(risc);
    emu_unpack(tile, emu_cb(risc, cb)->format, emu_mode(risc), source_a ? &o->b : &o->a);
    bank_filled(risc, o, emu_cb(risc, cb)->page_bytes);
    return;
  }
  uint32_t *tile = emu_math_tile(risc, dst, NULL);
  Operands *o = take_bank(risc);
  emu_source_of_dst(tile, source_a ? &o->a : &o->b);
  memset(tile, 0, sizeof(uint32_t[TILE]));
  emu_binary(op, &o->a, &o->b, risc->kernel->phases, emu_mode(risc), false, tile);
  bank_taken(risc, emu.chip->copy + (op == TTEMU_MUL
                                         ? emu.chip->mul_phase * (uint64_t)risc->kernel->phases
                                         : emu.chip->add));
}

void emu_move_in(Risc *risc, uint32_t cb, const uint8_t *tile) {
  emu_check_format(risc, cb, risc->srca, "A");
  DstMode mode = emu_mode(risc);
  const CB *buffer = emu_cb(risc, cb);
  Operands *o = fill_bank(risc);
  bool raw = mode.wide && risc->kernel->unpack_to_dest[cb];
  if (raw) emu_unpack_raw(tile, buffer->format, o->raw);
  else emu_copy(tile, buffer->format, mode, o->raw);
  bool transposed = risc->fpu == FPU_COPY && risc->shape == COPY_TRANSPOSED;
  if (risc->fpu == FPU_TRANSPOSE || transposed) emu_transpose_bits(o->raw);
  else if (risc->fpu == FPU_COPY) emu_broadcast_bits((ttemu_bcast)risc->shape, o->raw);
  bank_filled(risc, o, emu_tile_bytes(buffer->format));
}

void emu_move_tile_in(Risc *risc, uint32_t cb, uint32_t index) {
  emu_move_in(risc, cb, front_tile(risc, cb, index));
}

void emu_move_on(Risc *risc, uint32_t dst) {
  uint32_t *tile = emu_math_tile(risc, dst, NULL);
  Operands *o = take_bank(risc);
  memcpy(tile, o->raw, sizeof o->raw);
  bank_taken(risc, emu.chip->copy);
}

static void move_tile(uint32_t cb, uint32_t index, uint32_t dst, int fpu, int shape, uint32_t line) {
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
    Operands *o = unpack_two(risc, cb, scaler, index, scaler_index);
    two_filled(risc, o, cb, scaler);
    return;
  }
  bool written;
  uint32_t *tile = emu_math_tile(risc, dst, &written);
  Operands *o = take_bank(risc);
  bool tf32 = emu_cb(risc, cb)->format == TTEMU_FLOAT32;
  emu_reduce(pool, dim, &o->a, &o->b, risc->kernel->phases, emu_mode(risc), tf32, !written, tile);
  bank_taken(risc, emu.chip->matmul_phase * (uint64_t)risc->kernel->phases);
}

static void sfpu_done(Risc *risc) {
  risc->time += emu.chip->sfpu;
  risc->core->math_busy += emu.chip->sfpu;
}

void ttemu_sfpu_run(ttemu_sfpu_call call, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != MATH) return;
  emu_check_sfpu(risc, call.op);
  uint32_t *in[3] = {NULL, NULL, NULL};
  for (int i = 0; i < call.inputs; ++i) in[i] = emu_math_tile(risc, call.in[i], NULL);
  emu_sfpu(&call, emu_mode(risc), in, emu_math_tile(risc, call.out, NULL));
  sfpu_done(risc);
}

/*===- Pack -----------------------------------------------------------------------------===*/

/* The page that the next tile goes to. */
static uint32_t pack_page(Risc *risc, uint32_t index, int place) {
  const CB *cb = emu_cb(risc, index);
  uint32_t at = place == TTEMU_IN_ORDER ? risc->packed[index]++ : (uint32_t)place;
  if (at >= risc->reserved[index])
    emu_error(risc, 21, "pack_tile writes page %u of circular buffer %u, of which %u are reserved",
              at + 1, index, risc->reserved[index]);
  return (risc->write_page[index] + at) % cb->pages;
}

void ttemu_pack_tile(uint32_t dst, uint32_t index, int place, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) return;
  Core *core = risc->core;
  const CB *cb = emu_cb(risc, index);
  if (!risc->started_up) emu_error(risc, 11, "pack_tile runs before the startup of the engine");
  if (!core->pack_holds)
    emu_error(risc, 10, "pack_tile outside of tile_regs_wait and tile_regs_release");
  if (risc->pack != cb->format)
    emu_error(risc, 12, "the packer is set to another data format than that of circular buffer %u; "
                        "call pack_reconfig_data_format", index);
  emu_sync(risc);
  uint8_t *to = core->l1 + cb->address + pack_page(risc, index, place) * cb->page_bytes;
  const uint32_t *tile = emu_dst_tile(risc, core->released, dst);
  uint32_t masked[TILE];
  if (risc->reduced != NOT_REDUCED) {
    memcpy(masked, tile, sizeof masked);
    emu_mask_reduced((ttemu_reduce_dim)risc->reduced, masked);
    tile = masked;
  }
  if (risc->relu) {
    for (int i = 0; i < TILE; ++i) masked[i] = tile[i] >> 31 ? 0 : tile[i];
    tile = masked;
  }
  if (!risc->onto_l1) emu_pack(tile, emu_mode(risc), cb->format, to);
  else if (!emu_pack_onto(tile, emu_mode(risc), cb->format, to))
    emu_error(risc, 13, "the packer adds to L1 in Float32 and Float16_b only");
  risc->time += (cb->page_bytes + emu.chip->pack_bytes_per_clk - 1) / emu.chip->pack_bytes_per_clk;
}
