/*===- source_banks.c - the two banks of source registers --------------------------------------===
 *
 *   unpack: fills a bank that is free, with tiles that it waited for   ->   math: takes it
 *
 * Unpack runs ahead of math by both.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

/* A circular buffer that kernels use as memory: nobody pushes, and there is something. */
static bool is_memory(Risc *risc, const CB *cb, uint32_t index, uint32_t tile) {
  return emu.races && cb->pusher < 0 && tile < cb->pages &&
         !emu_all_unwritten(risc->core->l1, emu_tile_in_page(risc, index, tile),
                            emu_tile_bytes(cb->format));
}

const uint8_t *emu_front_tile(Risc *risc, uint32_t index, uint32_t tile) {
  const CB *cb = emu_cb(risc, index);
  bool there = cb->bound ? tile < cb->pages : emu.races && tile < emu_pages_held(cb);
  if (tile >= risc->waited[index]) {
    const bool memory = !there && is_memory(risc, cb, index, tile);
    if (memory) risc->core->cbs[index].looked = risc->line; /* a push will show that it is none */
    /* In which order it came there is rule 23. */
    (there || memory ? emu_forgiven : emu_error)(
        risc, 21, "tile %u of circular buffer %u is read, but %u were waited for", tile, index,
        risc->waited[index]);
  }
  uint32_t page = (risc->read_page[index] + tile) % cb->pages;
  emu_race_unpack(risc, index, page);
  emu_format_unpacked(risc, index);
  return risc->core->l1 + emu_tile_in_page(risc, index, page);
}

Operands *emu_fill_bank(Risc *risc) {
  Core *core = risc->core;
  if (!risc->in_block) emu_charge(risc, emu.costs->step[TT_COST_issue_unpack]);
  emu_sync(risc);
  while (core->filled - core->taken >= SOURCE_BANKS) emu_block(risc, WAIT_SOURCE_FREE, 0, 0);
  emu_race_bank(risc, true, false);
  return &core->operands[core->filled % SOURCE_BANKS];
}

/* Unpack has brought so many bytes, of one operand `alone` or of two, in `least` clk or more. */
void emu_bank_filled(Risc *risc, Operands *operands, uint64_t bytes, bool alone, uint64_t least) {
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

Operands *emu_take_bank(Risc *risc) {
  Core *core = risc->core;
  emu_sync(risc);
  while (core->filled == core->taken) emu_block(risc, WAIT_SOURCE_FULL, 0, 0);
  emu_race_bank(risc, false, false);
  Operands *operands = &core->operands[core->taken % SOURCE_BANKS];
  if (risc->time < operands->ready) risc->time = operands->ready;
  return operands;
}

void emu_bank_taken(Risc *risc, uint64_t clk) {
  emu_trace(risc->core, risc->role, TRACE_OP, (uint32_t)risc->fpu, 0, risc->time, risc->time + clk);
  emu_work(risc, clk);
  risc->busy_clk += clk;
  risc->core->math_busy += clk;
  emu_race_bank(risc, false, true);
  ++risc->core->taken;
  emu_wake(risc->core, WAIT_SOURCE_FREE, 0, risc->time);
}
