/*===- noc.c - transfers between L1 and the banks of tensors ---------------------------------===
 *
 * The port of a core and a DRAM bank each serve their requests in order, at their
 * rate; a transfer is done when both have served it, and a latency later. Its data
 * moves only then. What one processor writes to cores arrives in the order in which
 * it was sent: one path, one virtual channel.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>
#include <string.h>

enum { BANK_ALIGN = 64, INCREMENT_BYTES = 4 };

/* The other end of a transfer: a place in a DRAM bank, or in the L1 of some cores. */
typedef struct Remote {
  bool dram;
  uint32_t bank, x0, y0, x1, y1;
  uint32_t address;
} Remote;

static uint64_t latest(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* A small delay that depends on the seed, so that orders differ between seeds. */
static uint64_t jitter(uint64_t n) {
  if (emu.seed == 0) return 0;
  uint64_t x = (emu.seed + n) * UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 29;
  return x * UINT64_C(0xbf58476d1ce4e5b9) >> 58;
}

/*===- Addresses ------------------------------------------------------------------------===*/

static uint32_t logical(Risc *risc, uint64_t coordinate, uint32_t size, char axis) {
  if (coordinate < TTEMU_NOC_ORIGIN || coordinate >= TTEMU_NOC_ORIGIN + size)
    emu_error(risc, 17,
              "NoC coordinate %c = %u is no worker core; they start at %d: the host converts with "
              "worker_core_from_logical_core",
              axis, (uint32_t)coordinate, TTEMU_NOC_ORIGIN);
  return (uint32_t)coordinate - TTEMU_NOC_ORIGIN;
}

/* Bits 0-31: address; DRAM: bit 63 and the bank; cores: x and y of two corners. */
static Remote resolve(Risc *risc, uint64_t noc, uint32_t bytes) {
  const Chip *chip = emu.chip;
  Remote r = {.dram = noc >> 63, .address = (uint32_t)noc};
  if (r.dram) {
    r.bank = noc >> 32 & 0xff;
    if (r.bank >= chip->dram_banks)
      emu_error(risc, 17, "DRAM bank %u: the chip has %u", r.bank, chip->dram_banks);
    if ((uint64_t)r.address + bytes > emu.dram_bytes)
      emu_error(risc, 17, "DRAM address %u with %u bytes is outside of all buffers", r.address,
                bytes);
    return r;
  }
  r.x0 = logical(risc, noc >> 32 & 0xff, chip->grid_x, 'x');
  r.y0 = logical(risc, noc >> 40 & 0xff, chip->grid_y, 'y');
  r.x1 = r.x0, r.y1 = r.y0;
  if (noc >> 62 & 1) {
    r.x1 = logical(risc, noc >> 48 & 0xff, chip->grid_x, 'x');
    r.y1 = logical(risc, noc >> 56 & 0x3f, chip->grid_y, 'y');
    if (r.x1 < r.x0 || r.y1 < r.y0) { /* NoC 1 runs the other way */
      uint32_t x = r.x0, y = r.y0;
      r.x0 = r.x1, r.y0 = r.y1, r.x1 = x, r.y1 = y;
    }
  }
  r.address %= L1_WINDOW;
  if (r.address < chip->l1_base - SEMAPHORE_BYTES || r.address + bytes > chip->l1_bytes)
    emu_error(risc, 17, "L1 address %u with %u bytes of another core is outside the usable L1",
              r.address, bytes);
  return r;
}

uint64_t ttemu_noc_address(ttemu_page page, uint32_t offset, uint32_t bytes, uint32_t line) {
  Risc *risc = emu.running;
  const Chip *chip = emu.chip;
  risc->line = line;
  uint32_t banks = page.dram ? chip->dram_banks : chip->grid_x * chip->grid_y;
  uint32_t bank = page.id % banks;
  uint32_t aligned = (page.page_bytes + BANK_ALIGN - 1) / BANK_ALIGN * BANK_ALIGN;
  uint64_t address = (uint64_t)page.base + (uint64_t)(page.id / banks) * aligned + offset;
  uint64_t limit = page.dram ? emu.dram_bytes : chip->l1_bytes;
  if ((uint64_t)offset + bytes > page.page_bytes || address + bytes > limit)
    emu_error(risc, 17, "page %u of the tensor at address %u is outside of it", page.id, page.base);
  if (page.dram) return UINT64_C(1) << 63 | (uint64_t)bank << 32 | address;
  uint64_t x = bank % chip->grid_x + TTEMU_NOC_ORIGIN, y = bank / chip->grid_x + TTEMU_NOC_ORIGIN;
  return y << 40 | x << 32 | address;
}

/*===- Transfers ------------------------------------------------------------------------===*/

static uint64_t arrival(Risc *risc, const Remote *r, uint32_t bytes, bool read) {
  const Chip *chip = emu.chip;
  uint64_t *port = &emu.port_busy[risc->core->y * chip->grid_x + risc->core->x];
  uint64_t none = 0, *bank = r->dram ? &emu.bank_busy[r->bank] : &none, start = risc->time;
  *port = latest(start, *port) + (bytes + chip->noc_bytes_per_clk - 1) / chip->noc_bytes_per_clk;
  *bank = latest(start, *bank) + (bytes + chip->bank_bytes_per_clk - 1) / chip->bank_bytes_per_clk;
  uint64_t end = latest(*port, *bank) + (read ? chip->read_latency : chip->write_latency) +
                 jitter(start + r->bank);
  if (read || r->dram) return end;
  return risc->last_arrival = latest(end, risc->last_arrival);
}

static Transfer *start_transfer(const Remote *r, uint32_t bytes, TransferKind kind) {
  Risc *risc = emu.running;
  Transfer *t = emu_calloc(1, sizeof *t);
  *t = (Transfer){.risc = risc, .kind = kind, .bytes = bytes, .address = r->address,
                  .x0 = r->x0, .y0 = r->y0, .x1 = r->x1, .y1 = r->y1,
                  .bank = r->dram ? emu.dram[r->bank] : NULL};
  emu_transfer_at(t, arrival(risc, r, bytes, kind == READ));
  return t;
}

static void track(Transfer *t, uint32_t l1) {
  Risc *risc = t->risc;
  t->l1 = l1;
  t->tracked = true;
  t->next = risc->transfers;
  risc->transfers = t;
  *(t->kind == READ ? &risc->reads : &risc->writes) += 1;
  *(t->kind == READ ? &emu.bytes_read : &emu.bytes_written) += t->bytes;
}

static Risc *enter(uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  risc->time += emu.chip->call;
  emu_sync(risc);
  return risc;
}

static void check_alignment(Risc *risc, const Remote *r, uint32_t l1, bool read) {
  if ((r->address - l1) % (r->dram && read ? 32 : 16) != 0)
    emu_error(risc, 17, "%s address %u and L1 address %u differ modulo the alignment of the NoC",
              r->dram ? "bank" : "remote L1", r->address, l1);
}

void ttemu_noc_read(uint64_t from, uint32_t l1, uint32_t bytes, uint32_t line) {
  Risc *risc = enter(line);
  Remote r = resolve(risc, from, bytes);
  l1 = emu_l1_offset(risc, l1, bytes);
  check_alignment(risc, &r, l1, true);
  track(start_transfer(&r, bytes, READ), l1);
}

static void check_targets(Risc *risc, const Remote *r, uint32_t targets, bool loopback) {
  uint32_t x = risc->core->x, y = risc->core->y;
  uint32_t inside = (r->x1 - r->x0 + 1) * (r->y1 - r->y0 + 1);
  bool self = x >= r->x0 && x <= r->x1 && y >= r->y0 && y <= r->y1;
  if (self && !loopback) --inside;
  if (inside == 0)
    emu_error(risc, 18, "a multicast to the sending core alone hangs; write to L1 instead");
  if (targets != inside)
    emu_error(risc, 18, "a multicast to %u cores names %u: its acknowledgements never add up",
              inside, targets);
}

void ttemu_noc_write(uint32_t l1, uint64_t to, uint32_t bytes, uint32_t targets, bool loopback,
                     uint32_t line) {
  Risc *risc = enter(line);
  Remote r = resolve(risc, to, bytes);
  l1 = emu_l1_offset(risc, l1, bytes);
  check_alignment(risc, &r, l1, false);
  if (to >> 62 == 1) check_targets(risc, &r, targets, loopback);
  Transfer *t = start_transfer(&r, bytes, WRITE);
  t->all = loopback || to >> 62 != 1;
  track(t, l1);
}

static void barrier(uint32_t line, bool read) {
  Risc *risc = enter(line);
  while (read ? risc->reads : risc->writes) emu_block(risc, read ? WAIT_READS : WAIT_WRITES, 0, 0);
}

void ttemu_noc_read_barrier(uint32_t line) { barrier(line, true); }
void ttemu_noc_write_barrier(uint32_t line) { barrier(line, false); }
void ttemu_noc_writes_flushed(uint32_t line) { barrier(line, false); }

/*===- Semaphores -----------------------------------------------------------------------===*/

uint32_t ttemu_semaphore(uint32_t id, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  if (id >= emu.program->num_semaphores)
    emu_error(risc, 18, "semaphore %u: the host created %u", id, emu.program->num_semaphores);
  return emu_l1_pointer(risc->core, emu_semaphore_offset(id));
}

void ttemu_semaphore_wait(const volatile uint32_t *word, uint32_t value, bool at_least,
                          uint32_t line) {
  Risc *risc = enter(line);
  uint32_t offset = emu_l1_offset(risc, (uint32_t)(uintptr_t)word, sizeof *word);
  while (at_least ? *word < value : *word != value)
    emu_block(risc, WAIT_SEMAPHORE, offset, value);
}

void ttemu_semaphore_set(volatile uint32_t *word, uint32_t value, uint32_t line) {
  Risc *risc = enter(line);
  *word = value;
  emu_wake(risc->core, WAIT_SEMAPHORE, 0, risc->time);
}

/* Its value leaves at once, so that the word may change before it arrives. */
void ttemu_semaphore_send(uint32_t l1, uint64_t to, uint32_t targets, bool loopback,
                          uint32_t line) {
  Risc *risc = enter(line);
  Remote r = resolve(risc, to, INCREMENT_BYTES);
  l1 = emu_l1_offset(risc, l1, INCREMENT_BYTES);
  if (to >> 62 == 1) check_targets(risc, &r, targets, loopback);
  Transfer *t = start_transfer(&r, INCREMENT_BYTES, SET_WORD);
  memcpy(&t->value, risc->core->l1 + l1, sizeof t->value);
  t->all = loopback || to >> 62 != 1;
}

void ttemu_semaphore_add(uint64_t at, uint32_t by, uint32_t line) {
  Risc *risc = enter(line);
  Remote r = resolve(risc, at, INCREMENT_BYTES);
  if (r.dram) emu_error(risc, 18, "a semaphore is in L1, but this address is in DRAM");
  Transfer *t = start_transfer(&r, INCREMENT_BYTES, ADD_WORD);
  t->value = by;
  t->all = true;
}

/* For loops that poll memory: lets the others go on. */
void ttemu_poll(uint32_t line) { enter(line); }

/*===- Arrival --------------------------------------------------------------------------===*/

static void arrive_at(const Transfer *t, uint32_t x, uint32_t y, uint64_t time) {
  const Core *self = t->risc->core;
  if (!t->all && self->x == x && self->y == y) return;
  uint32_t index = y * emu.chip->grid_x + x;
  uint8_t *to = emu.l1[index] + t->address;
  if (t->kind == WRITE) memmove(to, self->l1 + t->l1, t->bytes);
  else if (t->kind == SET_WORD) memcpy(to, &t->value, sizeof t->value);
  else *(uint32_t *)(void *)to += t->value;
  Core *core = emu.program->cores[index];
  if (core) emu_wake(core, WAIT_SEMAPHORE, 0, time);
}

void emu_arrive(const Transfer *t, uint64_t time) {
  uint8_t *l1 = t->risc->core->l1 + t->l1;
  if (t->kind == READ) {
    const uint8_t *from = t->bank ? t->bank : emu.l1[t->y0 * emu.chip->grid_x + t->x0];
    memmove(l1, from + t->address, t->bytes);
  } else if (t->bank) {
    memcpy(t->bank + t->address, l1, t->bytes);
  } else {
    for (uint32_t y = t->y0; y <= t->y1; ++y)
      for (uint32_t x = t->x0; x <= t->x1; ++x) arrive_at(t, x, y, time);
  }
}
