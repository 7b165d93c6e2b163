/*===- shadow.c - who touched which memory last ----------------------------------------------===
 *
 * Memory is remembered in pieces, as it was accessed: of each, the last write, and the
 * reads since that are in no order among themselves. Pieces stand in buckets of a fixed
 * size; most buckets have one or two.
 *
 *===----------------------------------------------------------------------===*/

#include "race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKET_BYTES = 2048 };

typedef struct Piece {
  uint16_t start, end; /* in the bucket */
  bool stale;          /* written before the page was given back */
  Stamp write;         /* its `at` is 0 for none */
  Stamp read, *more;   /* further reads */
  uint32_t num_more;
} Piece;

typedef struct Bucket {
  Piece *pieces; /* in order, apart */
  uint32_t n, capacity;
} Bucket;

static struct {
  Bucket **dram, **l1; /* of each bank and core */
  Bucket **touched;
  size_t num_touched, capacity;
} shadow;

/*===- Buckets --------------------------------------------------------------------------------===*/

static Bucket *buckets_of(bool dram, uint32_t bank) {
  Bucket ***banks = dram ? &shadow.dram : &shadow.l1;
  uint32_t n = dram ? emu.chip->dram_banks : emu.chip->grid_x * emu.chip->grid_y;
  uint32_t bytes = dram ? emu.chip->dram_bytes : emu.chip->l1_size;
  if (!*banks) *banks = emu_calloc(n, sizeof **banks);
  if (!(*banks)[bank])
    (*banks)[bank] = emu_calloc(bytes / BUCKET_BYTES + 1, sizeof(Bucket)); /* touched lazily */
  return (*banks)[bank];
}

static void touch(Bucket *b) {
  if (b->capacity) return;
  if (shadow.num_touched == shadow.capacity) {
    shadow.capacity = shadow.capacity ? 2 * shadow.capacity : 1024;
    shadow.touched = realloc(shadow.touched, shadow.capacity * sizeof *shadow.touched);
    if (!shadow.touched) emu_fatal("out of memory");
  }
  shadow.touched[shadow.num_touched++] = b;
}

static void drop_piece(Piece *p) {
  free(p->more);
  p->more = NULL, p->num_more = 0;
}

static Piece *insert(Bucket *b, uint32_t at, Piece piece) {
  if (b->n == b->capacity) {
    touch(b);
    b->capacity = b->capacity ? 2 * b->capacity : 2;
    b->pieces = realloc(b->pieces, b->capacity * sizeof *b->pieces);
    if (!b->pieces) emu_fatal("out of memory");
  }
  memmove(b->pieces + at + 1, b->pieces + at, (b->n - at) * sizeof *b->pieces);
  b->pieces[at] = piece;
  ++b->n;
  return &b->pieces[at];
}

static void erase(Bucket *b, uint32_t at) {
  drop_piece(&b->pieces[at]);
  memmove(b->pieces + at, b->pieces + at + 1, (b->n - at - 1) * sizeof *b->pieces);
  --b->n;
}

/* Lists of reads grow by powers of two. */
static uint32_t room_for(uint32_t n) {
  uint32_t room = 1;
  while (room < n) room *= 2;
  return room;
}

/* Cuts the piece that `place` is inside of. */
static void cut(Bucket *b, uint32_t place) {
  for (uint32_t i = 0; i < b->n; ++i) {
    Piece *p = &b->pieces[i];
    if (p->start >= place || p->end <= place) continue;
    Piece right = *p;
    right.start = (uint16_t)place;
    p->end = (uint16_t)place;
    if (right.num_more) {
      right.more = emu_calloc(room_for(right.num_more), sizeof *right.more);
      memcpy(right.more, p->more, right.num_more * sizeof *right.more);
    }
    insert(b, i + 1, right);
    return;
  }
}

void race_shadow_clear(void) {
  for (size_t i = 0; i < shadow.num_touched; ++i) {
    Bucket *b = shadow.touched[i];
    for (uint32_t p = 0; p < b->n; ++p) drop_piece(&b->pieces[p]);
    free(b->pieces);
    *b = (Bucket){NULL, 0, 0};
  }
  shadow.num_touched = 0;
}

void race_shadow_close(void) {
  race_shadow_clear();
  for (uint32_t i = 0; shadow.dram && i < emu.chip->dram_banks; ++i) free(shadow.dram[i]);
  for (uint32_t i = 0; shadow.l1 && i < emu.chip->grid_x * emu.chip->grid_y; ++i)
    free(shadow.l1[i]);
  free(shadow.dram), free(shadow.l1), free(shadow.touched);
  memset(&shadow, 0, sizeof shadow);
}

/*===- Reports --------------------------------------------------------------------------------===*/

static const char *what_is(Stamp stamp, bool write, char *text, size_t bytes) {
  switch (race_kind_of(stamp.lane)) {
  case LANE_READ: return write ? "what a read brings" : "a read from it over the NoC";
  case LANE_SENT: return "a write that takes its data from it";
  case LANE_ACKED:
  case LANE_UNICAST: return "a write to it over the NoC";
  case LANE_MULTICAST: return "a multicast to it";
  default:
    snprintf(text, bytes, "%s by %s",
             race_role_of(stamp.lane) >= UNPACK ? write ? "a write" : "a read"
             : write                            ? "a store"
                                                : "a load",
             emu_role_name(race_role_of(stamp.lane)));
    return text;
  }
}

/* "page 1 of circular buffer 0 of core (1, 0)", or an address. */
static void name_memory(const Access *a, char *text, size_t bytes) {
  if (a->dram) {
    snprintf(text, bytes, "DRAM bank %u, address %u", a->bank, a->address);
    return;
  }
  uint32_t x = a->bank % emu.chip->grid_x, y = a->bank / emu.chip->grid_x;
  const Core *core = emu.program->cores[a->bank];
  for (uint32_t i = 0; core && i < emu.chip->cbs; ++i) {
    const CB *cb = &core->cbs[i];
    if (!cb->used || a->address < cb->address ||
        a->address - cb->address >= cb->pages * cb->page_bytes)
      continue;
    snprintf(text, bytes, "page %u of circular buffer %u of core (%u, %u)",
             (a->address - cb->address) / cb->page_bytes, i, x, y);
    return;
  }
  snprintf(text, bytes, "L1 of core (%u, %u), address %u", x, y, a->address);
}

static void report(Access *a, uint32_t address, Stamp before, bool before_writes) {
  char place[128], here[64], there[64];
  Access at = *a;
  at.address = address;
  name_memory(&at, place, sizeof place);
  /* A transfer that takes its bytes there takes the same ones, whichever comes first. */
  bool taken = a->write && race_kind_of(before.lane) != LANE_MAIN;
  /* No program has anything in what both of them move: firmware.c. */
  bool firmware = a->stamp.firmware && before.firmware;
  bool harmless = firmware || ((before_writes || taken) && race_same_bytes(a));
  const char *advice = firmware   ? "the firmware may get other bytes back than it had"
                       : harmless ? "the bytes are the same this time"
                       : race_is_other_noc(before.lane)
                           ? "it went by the NoC that is not its kernel's, and only a barrier for "
                             "this one waits for it"
                           : "order them by a signal, a barrier or a circular buffer";
  race_report(a->stamp, place, what_is(a->stamp, a->write, here, sizeof here), before,
              what_is(before, before_writes, there, sizeof there), advice, harmless);
}

/*===- Accesses -------------------------------------------------------------------------------===*/

/* Whether an earlier access is known to be done, or passes through the same pipe. */
static bool is_ordered(const Access *a, Stamp before) {
  if (before.at == 0 || race_clock_knows(a->clock, before)) return true;
  if (before.core != a->stamp.core || race_role_of(before.lane) != race_role_of(a->stamp.lane))
    return false;
  Lane now = race_kind_of(a->stamp.lane), then = race_kind_of(before.lane);
  return now >= LANE_ACKED && a->write && (then == now || then == LANE_SENT) &&
         race_is_other_noc(a->stamp.lane) == race_is_other_noc(before.lane);
}

static void check_reads(Access *a, uint32_t address, const Piece *p) {
  if (!is_ordered(a, p->read)) report(a, address, p->read, false);
  for (uint32_t i = 0; i < p->num_more; ++i)
    if (!is_ordered(a, p->more[i])) report(a, address, p->more[i], false);
}

static bool replaces(const Access *a, Stamp old) {
  return old.at == 0 || (old.core == a->stamp.core && old.lane == a->stamp.lane) ||
         race_clock_knows(a->clock, old);
}

static void add_read(Piece *p, const Access *a) {
  if (replaces(a, p->read)) {
    p->read = a->stamp;
    return;
  }
  for (uint32_t i = 0; i < p->num_more; ++i)
    if (replaces(a, p->more[i])) {
      p->more[i] = a->stamp;
      return;
    }
  if (p->num_more == 0 || room_for(p->num_more) == p->num_more) {
    p->more = realloc(p->more, room_for(p->num_more + 1) * sizeof *p->more);
    if (!p->more) emu_fatal("out of memory");
  }
  p->more[p->num_more++] = a->stamp;
}

static void write_bucket(Bucket *b, Access *a, uint32_t base, uint32_t start, uint32_t end) {
  cut(b, start), cut(b, end);
  uint32_t first = 0;
  while (first < b->n && b->pieces[first].end <= start) ++first;
  uint32_t last = first;
  for (; last < b->n && b->pieces[last].start < end; ++last) {
    Piece *p = &b->pieces[last];
    if (!is_ordered(a, p->write)) report(a, base + p->start, p->write, true);
    check_reads(a, base + p->start, p);
  }
  while (last > first + 1) erase(b, --last);
  Piece whole = {.start = (uint16_t)start, .end = (uint16_t)end, .write = a->stamp};
  if (last == first) {
    insert(b, first, whole);
    return;
  }
  drop_piece(&b->pieces[first]);
  b->pieces[first] = whole;
}

static void read_bucket(Bucket *b, Access *a, uint32_t base, uint32_t start, uint32_t end) {
  cut(b, start), cut(b, end);
  uint32_t i = 0;
  while (i < b->n && b->pieces[i].end <= start) ++i;
  for (uint32_t at = start; at < end; ++i) {
    if (i == b->n || b->pieces[i].start > at) { /* nobody was here before */
      uint32_t stop = i < b->n && b->pieces[i].start < end ? b->pieces[i].start : end;
      insert(b, i, (Piece){.start = (uint16_t)at, .end = (uint16_t)stop, .read = a->stamp});
      at = stop;
      continue;
    }
    Piece *p = &b->pieces[i];
    if (!is_ordered(a, p->write)) report(a, base + p->start, p->write, true);
    add_read(p, a);
    at = p->end;
  }
}

void race_access(Access *a) {
  Bucket *buckets = buckets_of(a->dram, a->bank);
  for (uint32_t at = a->address, end = at + a->bytes; at < end;) {
    uint32_t base = at / BUCKET_BYTES * BUCKET_BYTES;
    uint32_t stop = end - base < BUCKET_BYTES ? end - base : BUCKET_BYTES;
    (a->write ? write_bucket : read_bucket)(&buckets[at / BUCKET_BYTES], a, base, at - base, stop);
    at = base + stop;
  }
}

/*===- Pages ----------------------------------------------------------------------------------===*/

void race_set_stale(uint32_t core, uint32_t address, uint32_t bytes, bool stale) {
  Bucket *buckets = buckets_of(false, core);
  for (uint32_t i = address / BUCKET_BYTES; i <= (address + bytes - 1) / BUCKET_BYTES; ++i) {
    Bucket *b = &buckets[i];
    uint32_t base = i * BUCKET_BYTES;
    if (address > base) cut(b, address - base);
    if (address + bytes - base < BUCKET_BYTES) cut(b, address + bytes - base);
    for (uint32_t p = 0; p < b->n; ++p)
      if (base + b->pieces[p].start >= address && base + b->pieces[p].end <= address + bytes)
        b->pieces[p].stale = stale;
  }
}

Freshness race_freshness(uint32_t core, uint32_t address, uint32_t bytes) {
  const Bucket *buckets = buckets_of(false, core);
  Freshness best = NEVER_WRITTEN;
  for (uint32_t i = address / BUCKET_BYTES; i <= (address + bytes - 1) / BUCKET_BYTES; ++i)
    for (uint32_t p = 0; p < buckets[i].n; ++p) {
      const Piece *piece = &buckets[i].pieces[p];
      uint32_t start = i * BUCKET_BYTES + piece->start, end = i * BUCKET_BYTES + piece->end;
      if (piece->write.at == 0 || end <= address || start >= address + bytes) continue;
      if (!piece->stale) return FRESH;
      best = STALE;
    }
  return best;
}
