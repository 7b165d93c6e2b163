/*===- allotted.c - L1 that somebody has asked for ----------------------------------------------===
 *
 *   l1_base | circular buffers of the program → …nobody's… ← buffers of the host | l1_size
 *
 * What lies between belongs to whoever comes next: another program's circular buffers, or a tensor
 * that is larger. The chip lets kernels work there, so it is a warning; a host that asks
 * where L1 begins, or goes by addresses itself, knows what lies where, and is believed.
 *
 *===----------------------------------------------------------------------===*/

#include "noc.h"

enum { CB_ALIGN = 32, MOST_TOLD = 16 };

static uint32_t told;

static bool in_cb(const CB *cb, uint32_t start, uint64_t end) {
  const uint64_t bytes = (uint64_t)cb->pages * cb->page_bytes + CB_ALIGN - 1;
  return cb->used && start >= cb->address && end <= cb->address + bytes / CB_ALIGN * CB_ALIGN;
}

static bool in_cbs(const Core *core, uint32_t start, uint64_t end) {
  for (uint32_t i = 0; core && i < MAX_CBS; ++i)
    if (in_cb(&core->cbs[i], start, end)) return true;
  return false;
}

/* Whether it is in one circular buffer, or in several that lie side by side. */
static bool in_row_of_cbs(const Core *core, uint32_t start, uint64_t end) {
  return core && start >= emu.chip->l1_base && end <= core->cb_end;
}

bool emu_allotted(const Core *core, uint32_t start, uint32_t bytes) {
  const uint64_t end = (uint64_t)start + bytes;
  if (start < emu.chip->l1_base || told >= MOST_TOLD) return true;
  if (emu_host_asks_l1() || emu_host_by_address(false) || emu_host_by_address(true)) return true;
  if (in_row_of_cbs(core, start, end) || emu_in_buffer(false, start, bytes)) return true;
  const uint32_t n = emu.chip->grid_x * emu.chip->grid_y;
  for (uint32_t i = 0; i < n; ++i) {
    const Core *other = emu.program->cores[i];
    if (in_row_of_cbs(other, start, end) || in_cbs(other, start, end)) return true;
  }
  ++told;
  return false;
}

static void check_end(Risc *risc, const Core *core, uint32_t address, uint32_t bytes,
                      const char *what) {
  if (emu_allotted(core, address, bytes)) return;
  emu_forgiven(risc, 17,
               "a transfer %s L1 address %u with %u bytes, which nobody has allotted: it is in no "
               "buffer and no circular buffer, and other programs may use it",
               what, address, bytes);
}

void emu_check_ends(Risc *risc, const Remote *r, uint32_t l1, uint32_t bytes, bool read) {
  check_end(risc, risc->core, l1, bytes, read ? "to" : "from");
  if (r->dram || r->stream) return;
  const Core *there = emu.program->cores[r->y0 * emu.chip->grid_x + r->x0];
  check_end(risc, there, r->address, bytes, read ? "from" : "to");
}
