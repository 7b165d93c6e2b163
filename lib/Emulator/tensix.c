/*===- tensix.c - unpack, math and pack -----------------------------------------------===
 *
 * Every function of the compute API runs on all three processors; each does its
 * own part. Unpack runs ahead of math by two banks of source registers, math
 * ahead of pack by the halves of DST.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <string.h>

static Risc *enter(uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  return risc;
}

static uint32_t halves(const Risc *risc) { return risc->kernel->full_sync ? 1 : 2; }

static uint32_t capacity(const Risc *risc) {
  return (risc->kernel->fp32_dest ? 4u : 8u) * (risc->kernel->full_sync ? 2u : 1u);
}

static DstMode mode_of(const Risc *risc) {
  return (DstMode){.wide = risc->kernel->fp32_dest,
                   .half = !risc->kernel->fp32_dest && risc->srca == TTEMU_FLOAT16,
                   .wormhole = emu.chip == &emu_chips[0],
                   .fast = emu.fast};
}

/*===- DST --------------------------------------------------------------------------------===*/

static uint32_t *dst_tile(Risc *risc, uint32_t half, uint32_t index) {
  if (index >= capacity(risc))
    emu_error(risc, 9, "DST tile %u: DST has %u tiles in this mode", index, capacity(risc));
  return risc->core->dst[half % halves(risc) * capacity(risc) + index];
}

/* The tile that math works on; whether it was computed on before, in `written`. */
static uint32_t *math_tile(Risc *risc, uint32_t index, bool *written) {
  if (!risc->core->math_holds)
    emu_error(risc, 10, "math writes DST outside of tile_regs_acquire and tile_regs_commit");
  uint32_t *tile = dst_tile(risc, risc->core->committed, index);
  if (written) *written = risc->core->written[index];
  risc->core->written[index] = true;
  return tile;
}

void ttemu_dst_acquire(uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role != MATH) return;
  Core *core = risc->core;
  if (core->math_holds) emu_error(risc, 10, "tile_regs_acquire twice without tile_regs_commit");
  emu_sync(risc);
  while (core->committed - core->released >= halves(risc)) emu_block(risc, WAIT_DST_FREE, 0, 0);
  core->math_holds = true;
  memset(core->written, 0, sizeof core->written);
}

void ttemu_dst_commit(uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role != MATH) return;
  if (!risc->core->math_holds) emu_error(risc, 10, "tile_regs_commit without tile_regs_acquire");
  emu_sync(risc);
  risc->core->math_holds = false;
  ++risc->core->committed;
  emu_wake(risc->core, WAIT_DST_COMMIT, 0, risc->time);
}

void ttemu_dst_wait(uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role != PACK) return;
  Core *core = risc->core;
  if (core->pack_holds) emu_error(risc, 10, "tile_regs_wait twice without tile_regs_release");
  emu_sync(risc);
  while (core->committed == core->released) emu_block(risc, WAIT_DST_COMMIT, 0, 0);
  core->pack_holds = true;
}

void ttemu_dst_release(uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role != PACK) return;
  Core *core = risc->core;
  if (!core->pack_holds) emu_error(risc, 10, "tile_regs_release without tile_regs_wait");
  emu_sync(risc);
  for (uint32_t i = 0; i < capacity(risc); ++i)
    memset(dst_tile(risc, core->released, i), 0, sizeof(uint32_t[TILE]));
  core->pack_holds = false;
  ++core->released;
  emu_wake(core, WAIT_DST_FREE, 0, risc->time);
}

/*===- Settings ---------------------------------------------------------------------------===*/

static const CB *cb_of(Risc *risc, uint32_t index) {
  if (index >= emu.chip->cbs || !risc->core->cbs[index].used)
    emu_error(risc, 8, "circular buffer %u is not configured on this core", index);
  return &risc->core->cbs[index];
}

void ttemu_startup(uint32_t a, uint32_t b, uint32_t out, bool reverse, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->started_up)
    emu_error(risc, 11, "the engine is started up a second time; startup goes once, at the top");
  risc->started_up = true;
  risc->srca = cb_of(risc, reverse ? b : a)->format;
  risc->srcb = cb_of(risc, reverse ? a : b)->format;
  risc->pack = cb_of(risc, out)->format;
}

static void set_fpu(Risc *risc, int fpu, int shape) {
  if (!risc->started_up)
    emu_error(risc, 11, "an op is initialized before the startup of the engine");
  if (risc->reduced != NOT_REDUCED && fpu != FPU_REDUCE)
    emu_error(risc, 14, "another op is initialized after a reduction; call reduce_uninit before it");
  risc->fpu = fpu;
  risc->shape = shape;
}

void ttemu_binary_init(ttemu_binary op, int shape, uint32_t a, uint32_t b, uint32_t line) {
  Risc *risc = enter(line);
  cb_of(risc, a), cb_of(risc, b);
  set_fpu(risc, (int)op, shape);
}

void ttemu_copy_init(uint32_t cb, uint32_t line) {
  Risc *risc = enter(line);
  cb_of(risc, cb);
  set_fpu(risc, FPU_COPY, 0);
}

void ttemu_transpose_init(uint32_t cb, uint32_t line) {
  Risc *risc = enter(line);
  cb_of(risc, cb);
  set_fpu(risc, FPU_TRANSPOSE, 0);
}

static int reduce_shape(ttemu_pool pool, ttemu_reduce_dim dim) { return 4 * (int)pool + (int)dim; }

void ttemu_reduce_init(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb, uint32_t scaler,
                       uint32_t line) {
  Risc *risc = enter(line);
  cb_of(risc, cb), cb_of(risc, scaler);
  set_fpu(risc, FPU_REDUCE, reduce_shape(pool, dim));
  risc->reduced = (int)dim;
}

void ttemu_reduce_uninit(uint32_t line) { enter(line)->reduced = NOT_REDUCED; }

void ttemu_sfpu_init(ttemu_sfpu op, uint32_t line) { enter(line)->sfpu = (int)op; }

void ttemu_reconfig_srca(uint32_t cb, uint32_t line) {
  Risc *risc = enter(line);
  risc->srca = cb_of(risc, cb)->format;
}
void ttemu_reconfig_srcb(uint32_t cb, uint32_t line) {
  Risc *risc = enter(line);
  risc->srcb = cb_of(risc, cb)->format;
}
void ttemu_reconfig_pack(uint32_t cb, uint32_t line) {
  Risc *risc = enter(line);
  risc->pack = cb_of(risc, cb)->format;
}

static const char *fpu_name(int fpu) {
  static const char *const names[] = {"add",  "sub",       "mul",   "matmul",
                                      "copy", "transpose", "reduce"};
  return fpu < 0 ? "nothing" : names[fpu];
}

static void check_settings(Risc *risc, int fpu, int shape) {
  if (!risc->started_up) emu_error(risc, 11, "a tile op runs before the startup of the engine");
  if (risc->fpu != fpu)
    emu_error(risc, 11, "%s runs, but the engine is initialized for %s", fpu_name(fpu),
              fpu_name(risc->fpu));
  if (risc->shape != shape)
    emu_error(risc, 11, "%s runs, but its init was for another broadcast, transposition or "
                        "reduction", fpu_name(fpu));
}

static void check_format(Risc *risc, uint32_t cb, ttemu_format set, const char *source) {
  if (cb_of(risc, cb)->format == set) return;
  emu_error(risc, 12, "source %s is set to another data format than that of circular buffer %u; "
                      "reconfigure it", source, cb);
}

/*===- Tile ops -------------------------------------------------------------------------------===*/

static const uint8_t *front_tile(Risc *risc, uint32_t index, uint32_t tile) {
  const CB *cb = cb_of(risc, index);
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
  emu_unpack(ta, cb_of(risc, a)->format, mode_of(risc), &o->a);
  emu_unpack(tb, cb_of(risc, b)->format, mode_of(risc), &o->b);
  return o;
}

static void two_filled(Risc *risc, Operands *o, uint32_t a, uint32_t b) { /* two unpackers */
  uint32_t bytes_a = cb_of(risc, a)->page_bytes, bytes_b = cb_of(risc, b)->page_bytes;
  bank_filled(risc, o, bytes_a > bytes_b ? bytes_a : bytes_b);
}

static void matmul_tiles(Risc *risc, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                         uint32_t dst) {
  check_format(risc, b, risc->srca, "A");
  check_format(risc, a, risc->srcb, "B");
  if (risc->role == UNPACK) {
    Operands *o = unpack_two(risc, a, b, ia, ib);
    if (risc->shape) emu_transpose(&o->b);
    two_filled(risc, o, a, b);
    return;
  }
  uint32_t *tile = math_tile(risc, dst, NULL);
  Operands *o = take_bank(risc);
  int phases = risc->kernel->phases;
  emu_matmul(&o->a, &o->b, phases, mode_of(risc), tile);
  bank_taken(risc, emu.chip->matmul_phase * (uint64_t)phases);
}

void ttemu_binary_tiles(ttemu_binary op, int shape, uint32_t a, uint32_t b, uint32_t ia,
                        uint32_t ib, uint32_t dst, uint32_t row, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role == PACK) return;
  bool matmul = op == TTEMU_MATMUL; /* its init alone says whether it transposes */
  check_settings(risc, (int)op, matmul ? risc->shape : shape);
  if (matmul) {
    matmul_tiles(risc, a, b, ia, ib, dst);
    return;
  }
  check_format(risc, a, risc->srca, "A");
  check_format(risc, b, risc->srcb, "B");
  if (risc->role == UNPACK) {
    Operands *o = unpack_two(risc, a, b, ia, ib);
    emu_broadcast((ttemu_bcast)shape, row % 32, &o->b);
    two_filled(risc, o, a, b);
    return;
  }
  uint32_t *tile = math_tile(risc, dst, NULL);
  Operands *o = take_bank(risc);
  emu_binary(op, &o->a, &o->b, risc->kernel->phases, mode_of(risc), tile);
  bank_taken(risc, op == TTEMU_MUL ? emu.chip->mul_phase * (uint64_t)risc->kernel->phases
                                   : emu.chip->add);
}

void ttemu_matmul_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                        bool transpose, uint32_t ct, uint32_t rt, uint32_t kt, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role == PACK) return;
  check_settings(risc, TTEMU_MATMUL, transpose);
  for (uint32_t r = 0; r < rt; ++r)
    for (uint32_t c = 0; c < ct; ++c)
      matmul_tiles(risc, a, b, ia + r * kt, ib + c, dst + r * ct + c);
}

static void move_tile(Risc *risc, uint32_t cb, uint32_t index, uint32_t dst, bool transpose) {
  check_format(risc, cb, risc->srca, "A");
  DstMode mode = mode_of(risc);
  if (risc->role == UNPACK) {
    const uint8_t *tile = front_tile(risc, cb, index);
    const CB *buffer = cb_of(risc, cb);
    Operands *o = fill_bank(risc);
    bool raw = mode.wide && risc->kernel->unpack_to_dest[cb];
    if (raw) emu_unpack_raw(tile, buffer->format, o->raw);
    else emu_copy(tile, buffer->format, mode, o->raw);
    if (transpose) emu_transpose_bits(o->raw);
    bank_filled(risc, o, buffer->page_bytes);
    return;
  }
  uint32_t *tile = math_tile(risc, dst, NULL);
  Operands *o = take_bank(risc);
  memcpy(tile, o->raw, sizeof o->raw);
  bank_taken(risc, emu.chip->copy);
}

void ttemu_copy_tile(uint32_t cb, uint32_t index, uint32_t dst, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role == PACK) return;
  check_settings(risc, FPU_COPY, 0);
  move_tile(risc, cb, index, dst, false);
}

void ttemu_transpose_tile(uint32_t cb, uint32_t index, uint32_t dst, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role == PACK) return;
  check_settings(risc, FPU_TRANSPOSE, 0);
  move_tile(risc, cb, index, dst, true);
}

void ttemu_reduce_tile(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb, uint32_t scaler,
                       uint32_t index, uint32_t scaler_index, uint32_t dst, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role == PACK) return;
  check_settings(risc, FPU_REDUCE, reduce_shape(pool, dim));
  /* Sums of rows: the scaler goes to source A, though they round as if it did not. */
  bool swapped = dim == TTEMU_REDUCE_ROW && pool != TTEMU_POOL_MAX;
  check_format(risc, swapped ? scaler : cb, risc->srca, "A");
  check_format(risc, swapped ? cb : scaler, risc->srcb, "B");
  if (risc->role == UNPACK) {
    Operands *o = unpack_two(risc, cb, scaler, index, scaler_index);
    two_filled(risc, o, cb, scaler);
    return;
  }
  bool written;
  uint32_t *tile = math_tile(risc, dst, &written);
  Operands *o = take_bank(risc);
  bool tf32 = cb_of(risc, cb)->format == TTEMU_FLOAT32;
  emu_reduce(pool, dim, &o->a, &o->b, risc->kernel->phases, mode_of(risc), tf32, !written, tile);
  bank_taken(risc, emu.chip->matmul_phase * (uint64_t)risc->kernel->phases);
}

void ttemu_sfpu_tile(ttemu_sfpu op, uint32_t dst, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role != MATH) return;
  if (risc->sfpu != (int)op) emu_error(risc, 11, "an SFPU function runs without its own init");
  emu_sfpu(op, mode_of(risc), math_tile(risc, dst, NULL));
  risc->time += emu.chip->sfpu;
  risc->core->math_busy += emu.chip->sfpu;
}

void ttemu_pack_tile(uint32_t dst, uint32_t index, uint32_t line) {
  Risc *risc = enter(line);
  if (risc->role != PACK) return;
  Core *core = risc->core;
  const CB *cb = cb_of(risc, index);
  if (!risc->started_up) emu_error(risc, 11, "pack_tile runs before the startup of the engine");
  if (!core->pack_holds)
    emu_error(risc, 10, "pack_tile outside of tile_regs_wait and tile_regs_release");
  if (risc->pack != cb->format)
    emu_error(risc, 12, "the packer is set to another data format than that of circular buffer %u; "
                        "call pack_reconfig_data_format", index);
  if (risc->packed[index] >= risc->reserved[index])
    emu_error(risc, 21, "pack_tile writes page %u of circular buffer %u, of which %u are reserved",
              risc->packed[index] + 1, index, risc->reserved[index]);
  emu_sync(risc);
  uint32_t page = (risc->write_page[index] + risc->packed[index]++) % cb->pages;
  const uint32_t *tile = dst_tile(risc, core->released, dst);
  uint32_t masked[TILE];
  if (risc->reduced != NOT_REDUCED) {
    memcpy(masked, tile, sizeof masked);
    emu_mask_reduced((ttemu_reduce_dim)risc->reduced, masked);
    tile = masked;
  }
  emu_pack(tile, mode_of(risc), cb->format, core->l1 + cb->address + page * cb->page_bytes);
  risc->time += (cb->page_bytes + emu.chip->pack_bytes_per_clk - 1) / emu.chip->pack_bytes_per_clk;
}
