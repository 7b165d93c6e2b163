/*===- noc.c - transfers between L1 and the banks of tensors ---------------------------------===
 *
 * The port of a core and a bank each serve their requests in order, at their rate;
 * a transfer is done when both have served it, and a latency later. Its data moves
 * only then.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>

enum { BANK_ALIGN = 64 };

static uint64_t latest(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* A small delay that depends on the seed, so that orders differ between seeds. */
static uint64_t jitter(uint64_t n) {
  if (emu.seed == 0) return 0;
  uint64_t x = (emu.seed + n) * UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 29;
  return x * UINT64_C(0xbf58476d1ce4e5b9) >> 58;
}

static void check_range(Risc *risc, uint32_t l1, uint32_t bytes) {
  if (l1 < emu.chip->l1_base || (uint64_t)l1 + bytes > emu.chip->l1_bytes)
    emu_error(risc, 17, "L1 address %u with %u bytes is outside the usable L1, %u to %u", l1, bytes,
              emu.chip->l1_base, emu.chip->l1_bytes);
}

static void transfer(ttemu_page page, uint32_t offset, uint32_t l1, uint32_t bytes, uint32_t line,
                     bool read) {
  Risc *risc = emu.running;
  const Chip *chip = emu.chip;
  risc->line = line;
  risc->time += chip->call;
  uint32_t banks = page.dram ? chip->dram_banks : chip->grid_x * chip->grid_y;
  uint32_t bank = page.id % banks,
           aligned = (page.page_bytes + BANK_ALIGN - 1) / BANK_ALIGN * BANK_ALIGN;
  uint64_t address = (uint64_t)page.base + (uint64_t)(page.id / banks) * aligned + offset;
  uint64_t limit = page.dram ? emu.dram_bytes : chip->l1_bytes;
  check_range(risc, l1, bytes);
  if (offset + bytes > page.page_bytes || address + bytes > limit)
    emu_error(risc, 17, "page %u of the tensor at address %u is outside of it", page.id, page.base);
  if ((address - l1) % (page.dram && !read ? 16 : page.dram ? 32 : 16) != 0)
    emu_error(risc, 17,
              "bank address %llu and L1 address %u differ modulo the alignment of the NoC",
              (unsigned long long)address, l1);
  emu_sync(risc);
  uint64_t *port = &emu.port_busy[risc->core->y * chip->grid_x + risc->core->x];
  uint64_t none = 0, *bank_busy = page.dram ? &emu.bank_busy[bank] : &none;
  uint64_t start = risc->time; /* port and bank serve requests in order, each on its own */
  *port = latest(start, *port) + (bytes + chip->noc_bytes_per_clk - 1) / chip->noc_bytes_per_clk;
  *bank_busy =
      latest(start, *bank_busy) + (bytes + chip->bank_bytes_per_clk - 1) / chip->bank_bytes_per_clk;
  uint64_t end = latest(*port, *bank_busy) + (read ? chip->read_latency : chip->write_latency);
  Transfer *t = emu_calloc(1, sizeof *t);
  *t = (Transfer){risc->transfers,
                  risc,
                  read,
                  (page.dram ? emu.dram[bank] : emu.l1[bank]) + address,
                  l1,
                  bytes};
  risc->transfers = t;
  *(read ? &risc->reads : &risc->writes) += 1;
  *(read ? &emu.bytes_read : &emu.bytes_written) += bytes;
  emu_transfer_at(t, end + jitter(start + bank));
}

void ttemu_noc_read_page(ttemu_page page, uint32_t offset, uint32_t l1, uint32_t bytes,
                         uint32_t line) {
  transfer(page, offset, l1, bytes, line, true);
}

void ttemu_noc_write_page(ttemu_page page, uint32_t offset, uint32_t l1, uint32_t bytes,
                          uint32_t line) {
  transfer(page, offset, l1, bytes, line, false);
}

static void barrier(uint32_t line, bool read) {
  Risc *risc = emu.running;
  risc->line = line;
  risc->time += emu.chip->call;
  emu_sync(risc);
  while (read ? risc->reads : risc->writes) emu_block(risc, read ? WAIT_READS : WAIT_WRITES, 0, 0);
}

void ttemu_noc_read_barrier(uint32_t line) { barrier(line, true); }
void ttemu_noc_write_barrier(uint32_t line) { barrier(line, false); }
void ttemu_noc_writes_flushed(uint32_t line) { barrier(line, false); }
