/*===- noc.c - transfers between L1 and the banks of tensors ---------------------------------===
 *
 * A read moves its data when it is done. A write takes its data when it departs, after what
 * its processor sent before, and leaves it when it arrives; what one processor writes to
 * cores arrives in the order in which it was sent: one path, one virtual channel. How
 * long all that takes says transit.c.
 *
 *===----------------------------------------------------------------------===*/

#include "noc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4 };

/*===- Transfers ------------------------------------------------------------------------===*/

/* What the kernel has said of the next transfer or barrier, or its own NoC. */
int emu_chosen_noc(const Risc *risc) {
  return (risc->next_noc ? risc->next_noc - 1 : risc->kernel->noc) & 1;
}

static int take_noc(Risc *risc) {
  int noc = emu_chosen_noc(risc);
  risc->next_noc = 0;
  return noc;
}

/* The counters that barriers ask are a NoC's, not a processor's: one that waits for transfers of a
 * kind never sees them add up if the other processor of its core has issued some on this NoC. What
 * was sent before the launch is known for the kernel's own NoC alone. */
static void check_counters(Risc *risc, int noc, TransferKind kind, TransferKind or_kind) {
  if (risc->role >= UNPACK || risc->kernel->any_noc) return;
  const Risc *other = &risc->core->riscs[1 - risc->role];
  if (other->kernel && (other->used[noc][kind] || other->used[noc][or_kind]))
    emu_error(risc, 19,
              "a barrier on NoC %d, which %s uses for such transfers, too: what both have sent is "
              "counted together, and never adds up",
              noc, emu_role_name(other->role));
  if (noc != (risc->kernel->noc & 1))
    emu_forgiven(risc, 19,
                 "a barrier on NoC %d of a kernel on NoC %d, which starts with the counters of its "
                 "own NoC alone: it ends only if nobody else has used NoC %d for such transfers; "
                 "let the host create the kernel with DM_DYNAMIC_NOC",
                 noc, 1 - noc, noc);
  if (!other->kernel || other->kernel->noc != risc->kernel->noc) return;
  emu_forgiven(risc, 19,
               "both data movement kernels use NoC %d, if for transfers of other kinds, which are "
               "counted apart",
               risc->kernel->noc);
}

static Transfer *new_transfer(const Remote *r, uint32_t bytes, TransferKind kind) {
  Risc *risc = emu.running;
  Transfer *t = emu_calloc(1, sizeof *t);
  *t = (Transfer){.risc = risc,
                  .kind = kind,
                  .bytes = bytes,
                  .address = r->address,
                  .dram = r->dram,
                  .bank_id = r->bank,
                  .trid = risc->trids[kind != READ],
                  .x0 = r->x0,
                  .y0 = r->y0,
                  .x1 = r->x1,
                  .y1 = r->y1,
                  .bank = r->dram ? emu_bank(true, r->bank) : NULL,
                  .dynamic = risc->dynamic,
                  .noc = take_noc(risc),
                  .issued = risc->time,
                  .line = risc->line};
  risc->used[t->noc][kind] = true;
  uint64_t end = emu_issued(t);
  if (kind != READ) t->departs = end;
  emu_transfer_at(t, end);
  return t;
}

static void track(Transfer *t, uint32_t l1) {
  Risc *risc = t->risc;
  t->l1 = l1;
  t->tracked = true;
  t->next = risc->transfers;
  risc->transfers = t;
  ++(t->kind == READ ? risc->reads : risc->writes)[t->noc];
  risc->unsent[t->noc] += t->kind != READ;
  *(t->kind == READ ? &emu.bytes_read : &emu.bytes_written) += t->bytes;
  if (t->dram) emu.dram_moved += t->bytes;
  bool own = !t->dram && t->x0 == t->x1 && t->y0 == t->y1 && t->x0 == risc->core->x &&
             t->y0 == risc->core->y;
  if (own) emu.own_moved += t->bytes;
}

static void check_alignment(Risc *risc, const Remote *r, uint32_t l1, bool read) {
  if (r->stream) return;
  uint32_t align = r->dram && read ? emu.chip->noc_read_align : 16;
  if ((r->address - l1) % align != 0)
    emu_error(risc, 17,
              "%s address %u and L1 address %u differ modulo the alignment of the NoC, "
              "which is %u bytes",
              r->dram ? "bank" : "remote L1", r->address, l1, align);
}

void ttemu_noc_dynamic(bool on) { emu.running->dynamic = on; }

void ttemu_noc_choose(uint32_t noc) { emu.running->next_noc = (int)(noc & 1) + 1; }

/* A multicast goes from its first corner on in the NoC's direction, around the edge if the second
 * one lies behind: NoC 0 goes right and down, NoC 1 left and up. */
static Remote resolve(Risc *risc, uint64_t to, uint32_t bytes) {
  Remote r = emu_resolve(risc, to, bytes);
  if (to >> 62 != 1) return r;
  uint32_t x0 = to >> 32 & 0xff, y0 = to >> 40 & 0xff, x1 = to >> 48 & 0xff, y1 = to >> 56 & 0x3f;
  bool back = emu_chosen_noc(risc) == 1;
  if (back ? x0 < x1 || y0 < y1 : x0 > x1 || y0 > y1)
    emu_error(
        risc, 18,
        "a multicast from (%u, %u) to (%u, %u) on NoC %d goes around the edge of the chip, to "
        "all other nodes of these lines; on NoC 1 the corner at the right and below is first",
        x0, y0, x1, y1, back);
  return r;
}

/* The vendor's own watcher stops a kernel for it; what else the chip does is nothing. */
static bool is_empty(Risc *risc, uint32_t bytes) {
  if (bytes > 0) return false;
  emu_forgiven(risc, 17, "a transfer of no bytes");
  take_noc(risc);
  return true;
}

void ttemu_noc_large_packet(uint32_t bytes, uint32_t most, uint32_t line) {
  emu_error(emu_call(line), 17,
            "a packet of %u bytes: the NoC's have at most %u here; the calls without one_packet "
            "split a transfer",
            bytes, most);
}

void ttemu_noc_read(uint64_t from, uint32_t l1, uint32_t bytes, uint32_t line) {
  Risc *risc = emu_call(line);
  if (is_empty(risc, bytes)) return;
  if (emu_is_other_node(from)) {
    emu_forgiven(risc, 17,
                 "a read from node (%u, %u), which is no worker core: what it would read is not "
                 "emulated, and zeros are read",
                 (uint32_t)(from >> 32 & 0xff), (uint32_t)(from >> 40 & 0xff));
    memset(risc->core->l1 + emu_l1_offset(risc, l1, bytes), 0, bytes);
    take_noc(risc);
    return;
  }
  Remote r = emu_resolve(risc, from, bytes);
  l1 = emu_l1_offset(risc, l1, bytes);
  if (from >> 62 == 1) emu_error(risc, 17, "a read from a multicast address");
  emu_note_transfer(risc, READ_BUFFER, from, bytes);
  if (!emu_firmware_read(risc, &r, l1, bytes)) check_alignment(risc, &r, l1, true);
  emu_check_ends(risc, &r, l1, bytes, true);
  emu_check_page(risc, l1, bytes, true);
  emu_format_read(risc, &r, l1);
  Transfer *t = new_transfer(&r, bytes, READ);
  track(t, l1);
  emu_race_issue(t);
}

void ttemu_noc_link(bool linked) {
  Risc *risc = emu.running;
  risc->linked[emu_chosen_noc(risc)] = linked;
}

enum { BY_WRITES, BY_INCREMENTS };

static void check_targets(Risc *risc, const Remote *r, uint32_t targets, bool loopback, int by) {
  uint32_t x = risc->core->x, y = risc->core->y;
  uint32_t inside = (r->x1 - r->x0 + 1) * (r->y1 - r->y0 + 1);
  bool self = x >= r->x0 && x <= r->x1 && y >= r->y0 && y <= r->y1;
  if (self && !loopback) --inside;
  if (inside == 0)
    emu_error(risc, 18, "a multicast to the sending core alone hangs; write to L1 instead");
  if (targets == inside) return;
  emu_forgiven(risc, 18,
               "a multicast to %u cores names %u: its acknowledgements never add up, and a barrier "
               "for them would never end",
               inside, targets);
  risc->miscounted[emu_chosen_noc(risc)][by] = risc->line;
}

/* Acknowledgements are what it waits for; that writes have left is counted apart. */
static void check_acknowledged(Risc *risc, int noc, int by) {
  if (risc->miscounted[noc][by])
    emu_error(risc, 18,
              "the barrier never ends: the multicast in line %u names another number of cores than "
              "it goes to, so that its acknowledgements never add up",
              risc->miscounted[noc][by]);
}

void ttemu_noc_write(uint32_t l1, uint64_t to, uint32_t bytes, uint32_t targets, bool loopback,
                     uint32_t line) {
  Risc *risc = emu_call(line);
  if (is_empty(risc, bytes)) return;
  Remote r = resolve(risc, to, bytes);
  l1 = emu_l1_offset(risc, l1, bytes);
  emu_note_transfer(risc, WRITE_BUFFER, to, bytes);
  if (!emu_firmware_written(risc, &r, l1, bytes)) check_alignment(risc, &r, l1, false);
  if (r.stream)
    emu_error(risc, 17, "a register of a stream takes words; write it with noc_inline_dw_write");
  emu_check_ends(risc, &r, l1, bytes, false);
  emu_check_page(risc, l1, bytes, false);
  emu_format_written(risc, &r, l1);
  if (to >> 62 == 1) check_targets(risc, &r, targets, loopback, BY_WRITES);
  Transfer *t = new_transfer(&r, bytes, WRITE);
  t->all = loopback || to >> 62 != 1;
  t->multicast = to >> 62 == 1;
  track(t, l1);
  emu_race_issue(t);
}

static void check_word(Risc *risc, const Remote *r) {
  if (r->address % WORD_BYTES != 0)
    emu_error(risc, 17, "a word goes to address %u, which is not a multiple of 4", r->address);
  if (emu_is_firmware(r->dram, r->address)) emu_firmware_error(risc, r, WORD_BYTES);
}

/* Words that travel in the request itself. */
void ttemu_noc_write_word(uint64_t to, uint32_t value, uint32_t line) {
  Risc *risc = emu_call(line);
  Remote r = resolve(risc, to, WORD_BYTES);
  check_word(risc, &r);
  emu_note_transfer(risc, WORD_BUFFER, to, WORD_BYTES);
  bool counts = emu_stream_counts(&r.address, &value);
  Transfer *t = new_transfer(&r, WORD_BYTES, counts ? ADD_WORD : SET_WORD);
  t->value = value, t->all = true, t->has_value = true;
  t->posted = counts; /* a write, for barriers */
  t->multicast = to >> 62 == 1;
  track(t, 0);
  emu_race_issue(t);
}

/*===- Barriers ---------------------------------------------------------------------------===*/

static uint32_t with_trid(const Risc *risc, int noc, bool read, uint32_t trid, bool unsent) {
  uint32_t n = 0;
  for (const Transfer *t = risc->transfers; t; t = t->next)
    n += t->noc == noc && (t->kind == READ) == read && t->trid == trid && (!unsent || !t->sent);
  return n;
}

void ttemu_noc_read_barrier(uint32_t line) {
  Risc *risc = emu_call(line);
  int noc = take_noc(risc);
  check_counters(risc, noc, READ, READ);
  while (risc->reads[noc]) emu_block(risc, WAIT_READS, 0, 0);
  emu_race_barrier(risc, TTEMU_READS, noc, -1);
}

void ttemu_noc_write_barrier(uint32_t line) {
  Risc *risc = emu_call(line);
  int noc = take_noc(risc);
  check_counters(risc, noc, WRITE, SET_WORD);
  check_acknowledged(risc, noc, BY_WRITES);
  while (risc->writes[noc]) emu_block(risc, WAIT_WRITES, 0, 0);
  emu_race_barrier(risc, TTEMU_WRITES, noc, -1);
}

void ttemu_noc_writes_flushed(uint32_t line) {
  Risc *risc = emu_call(line);
  int noc = take_noc(risc);
  check_counters(risc, noc, WRITE, SET_WORD);
  while (risc->unsent[noc]) emu_block(risc, WAIT_FLUSH, 0, 0);
  emu_race_barrier(risc, TTEMU_WRITES_SENT, noc, -1);
}

void ttemu_noc_set_trid(bool writes, uint32_t trid, uint32_t line) {
  emu_call(line)->trids[writes] = trid;
}

void ttemu_noc_barrier_of(ttemu_barrier kind, uint32_t trid, uint32_t line) {
  Risc *risc = emu_call(line);
  bool read = kind == TTEMU_READS, unsent = kind == TTEMU_WRITES_SENT;
  int noc = take_noc(risc);
  if (kind == TTEMU_WRITES) check_acknowledged(risc, noc, BY_WRITES);
  while (with_trid(risc, noc, read, trid, unsent))
    emu_block(risc, read ? WAIT_READS : unsent ? WAIT_FLUSH : WAIT_WRITES, 0, 0);
  emu_race_barrier(risc, kind, noc, (int)(trid & 15));
}

bool ttemu_noc_reads_done(uint32_t trid, uint32_t line) {
  Risc *risc = emu_call(line);
  int noc = take_noc(risc);
  bool done = with_trid(risc, noc, true, trid, false) == 0;
  if (done) emu_race_barrier(risc, TTEMU_READS, noc, (int)(trid & 15));
  return done;
}

/*===- Semaphores -----------------------------------------------------------------------===*/

uint32_t ttemu_semaphore(uint32_t id, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  uint32_t first = emu_semaphore_offset(0); /* hosts of 2024 have its address */
  if (id >= first && id < first + SEMAPHORE_BYTES) id = (id - first) / 16;
  if (id >= SEMAPHORES || !(risc->core->has_semaphore >> id & 1))
    emu_error(risc, 18, "semaphore %u: the host created %u on this core", id,
              (uint32_t)__builtin_popcount(risc->core->has_semaphore));
  return emu_l1_pointer(risc->core, emu_semaphore_offset(id));
}

void ttemu_semaphore_wait(const volatile uint32_t *word, uint32_t value, bool at_least,
                          uint32_t line) {
  Risc *risc = emu_call(line);
  uint32_t offset = emu_l1_offset(risc, (uint32_t)(uintptr_t)word, sizeof *word);
  const volatile uint32_t *at = (const volatile uint32_t *)(const void *)(risc->core->l1 + offset);
  while (at_least ? *at < value : *at != value) emu_block(risc, WAIT_SEMAPHORE, offset, value);
  emu_race_wait(risc, offset, value, at_least);
  emu_flush(risc->core);
}

void ttemu_semaphore_set(volatile uint32_t *word, uint32_t value, uint32_t line) {
  Risc *risc = emu_call(line);
  uint32_t offset = emu_l1_offset(risc, (uint32_t)(uintptr_t)word, sizeof *word);
  for (const Transfer *t = risc->transfers; t; t = t->next)
    if (t->kind == SET_WORD && !t->has_value && !t->sent && t->l1 == offset && value != t->value)
      emu_error(risc, 18,
                "the semaphore is set to %u while its value %u is still to be sent; put "
                "noc_async_writes_flushed before it",
                value, t->value);
  emu_race_set(risc, offset, value);
  memcpy(risc->core->l1 + offset, &value, sizeof value);
  emu_wake(risc->core, WAIT_SEMAPHORE, 0, risc->time);
}

/* Whether data for other cores, for several or for one, has not left yet. */
static bool data_is_unsent(const Risc *risc, bool multicast) {
  for (const Transfer *t = risc->transfers; t; t = t->next)
    if (t->kind == WRITE && !t->dram && t->multicast == multicast && !t->sent) return true;
  return false;
}

/* The word is read when the request departs. */
void ttemu_semaphore_send(uint32_t l1, uint64_t to, uint32_t targets, bool loopback,
                          uint32_t line) {
  Risc *risc = emu_call(line);
  Remote r = resolve(risc, to, WORD_BYTES);
  check_word(risc, &r);
  l1 = emu_l1_offset(risc, l1, WORD_BYTES);
  if (to >> 62 == 1) check_targets(risc, &r, targets, loopback, BY_WRITES);
  if (emu.chip->separate_buffers && data_is_unsent(risc, to >> 62 == 1))
    emu_warning(risc, 18,
                "a semaphore is set right after data was sent that may arrive later on this "
                "chip; put noc_async_writes_flushed between them");
  Transfer *t = new_transfer(&r, WORD_BYTES, SET_WORD);
  t->all = loopback || to >> 62 != 1;
  t->multicast = to >> 62 == 1;
  memcpy(&t->value, risc->core->l1 + l1, sizeof t->value);
  track(t, l1);
  emu_race_issue(t);
}

void ttemu_semaphore_add(uint64_t at, uint32_t by, uint32_t targets, bool posted, uint32_t line) {
  Risc *risc = emu_call(line);
  Remote r = resolve(risc, at, WORD_BYTES);
  check_word(risc, &r);
  if (r.dram) emu_error(risc, 18, "a semaphore is in L1, but this address is in DRAM");
  emu_note_transfer(risc, WORD_BUFFER, at, WORD_BYTES);
  if (at >> 62 == 1 && !posted) check_targets(risc, &r, targets, false, BY_INCREMENTS);
  Transfer *t = new_transfer(&r, WORD_BYTES, ADD_WORD);
  t->value = by, t->has_value = true;
  t->all = at >> 62 != 1, t->multicast = !t->all;
  t->posted = posted;
  if (!posted) ++risc->atomics[t->noc], risc->last_atomic = line;
  emu_race_issue(t);
}

void ttemu_noc_atomic_barrier(uint32_t line) {
  Risc *risc = emu_call(line);
  int noc = take_noc(risc);
  check_counters(risc, noc, ADD_WORD, ADD_WORD);
  check_acknowledged(risc, noc, BY_INCREMENTS);
  while (risc->atomics[noc]) emu_block(risc, WAIT_ATOMICS, 0, 0);
  emu_race_atomics(risc, noc);
}

/* For loops that poll memory: lets the others go on. */
void ttemu_poll(uint32_t line) {
  const uint32_t spins = emu.running->spins;
  Risc *risc = emu_call(line);
  emu_flush(risc->core);
  emu_race_poll(risc);
  risc->spins = spins + 1;
  emu_spin(risc);
}

/*===- Departure and arrival --------------------------------------------------------------===*/

/* Pages of tiles may have padding that nobody has written, and reads take what lies beside a part
 * along: it is told where nothing of what moves was written. */
static void check_written(const Transfer *t, const uint8_t *base, uint32_t address, bool dram) {
  if (emu_all_unwritten(base, address, t->bytes))
    emu_warning_at(t->risc, t->line, 22, "%s address %u is read, but nobody has written it",
                   dram ? "DRAM" : "L1", address);
}

uint64_t emu_depart(Transfer *t, uint64_t time) {
  Core *core = t->risc->core;
  t->sent = true;
  if (t->kind == WRITE) {
    emu_flush(core);
    check_written(t, core->l1, t->l1, false);
    t->data = emu_calloc(1, t->bytes);
    memcpy(t->data, core->l1 + t->l1, t->bytes);
  } else if (t->kind == SET_WORD && !t->has_value) {
    memcpy(&t->value, core->l1 + t->l1, sizeof t->value);
  }
  return emu_arrival(t, time);
}

static void arrive_at(const Transfer *t, uint32_t x, uint32_t y, uint64_t time) {
  const Core *self = t->risc->core;
  if (!t->all && self->x == x && self->y == y) return;
  uint32_t index = y * emu.chip->grid_x + x;
  uint8_t *to = emu.l1[index] + t->address;
  Core *core = emu.program->cores[index];
  if (core) emu_flush(core);
  emu_race_arrive(t, index);
  if (t->kind == WRITE) memcpy(to, t->data, t->bytes);
  else if (t->kind == SET_WORD) memcpy(to, &t->value, sizeof t->value);
  else *(uint32_t *)(void *)to += t->value;
  const uint32_t also = t->kind == SET_WORD ? emu_stream_also(t->address) : 0;
  if (also) memcpy(emu.l1[index] + also, &t->value, sizeof t->value);
  if (core) emu_wake(core, WAIT_SEMAPHORE, 0, time);
}

static void read_arrives(const Transfer *t) {
  Core *self = t->risc->core;
  const uint8_t *from = t->bank;
  if (!from) {
    uint32_t index = t->y0 * emu.chip->grid_x + t->x0;
    Core *core = emu.program->cores[index];
    if (core) emu_flush(core);
    from = emu.l1[index];
  }
  check_written(t, from, t->address, t->dram);
  emu_flush(self);
  memmove(self->l1 + t->l1, from + t->address, t->bytes);
}

void emu_arrive(const Transfer *t, uint64_t time) {
  if (t->kind == READ) {
    read_arrives(t);
  } else if (t->bank) {
    memcpy(t->bank + t->address, t->kind == WRITE ? (const void *)t->data : &t->value, t->bytes);
  } else {
    for (uint32_t y = t->y0; y <= t->y1; ++y)
      for (uint32_t x = t->x0; x <= t->x1; ++x) arrive_at(t, x, y, time);
  }
}
