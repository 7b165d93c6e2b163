/*===- pages.c - what pushes and pops of circular buffers tell --------------------------------===
 *
 *   a push tells who waits for its last page, a pop who reserves it; a page that is published,
 * though nothing was written to it since it was freed, is an error where it is used, and a
 * warning if compute publishes it
 *
 *===----------------------------------------------------------------------===*/

#include "race.h"

#include <stdlib.h>
#include <string.h>

/* What the last push or pop of a page told; shared by the pages of a call. */
typedef struct Release {
  uint32_t users;
  Clock clock;
} Release;

typedef struct Page {
  Release *pushed, *popped; /* by the counters, which pointers need not follow */
  uint64_t content;         /* a hash, as it was freed */
  uint32_t hollow_line;     /* of a push that publishes nothing new, or 0 */
} Page;

struct RacePages {
  Page *of[MAX_CBS];
};

RacePages *race_pages_create(const Core *core) {
  RacePages *pages = emu_calloc(1, sizeof *pages);
  for (int c = 0; c < MAX_CBS; ++c)
    if (core->cbs[c].used) pages->of[c] = emu_calloc(core->cbs[c].pages, sizeof *pages->of[c]);
  return pages;
}

static void drop_release(Release *r) {
  if (!r || --r->users > 0) return;
  race_clock_drop(&r->clock);
  free(r);
}

void race_pages_destroy(RacePages *pages, const Core *core) {
  for (int c = 0; c < MAX_CBS; ++c) {
    for (uint32_t p = 0; pages->of[c] && p < core->cbs[c].pages; ++p)
      drop_release(pages->of[c][p].pushed), drop_release(pages->of[c][p].popped);
    free(pages->of[c]);
  }
  free(pages);
}

static Page *pages_of(const Risc *risc, uint32_t index) { return race_pages_of(risc)->of[index]; }

static Release *release(const Risc *risc) {
  Release *r = emu_calloc(1, sizeof *r);
  r->clock = race_clock_copy(race_clock_of(risc));
  race_step(risc);
  return r;
}

static void put(Release **slot, Release *r) {
  drop_release(*slot);
  *slot = r;
  ++r->users;
}

static uint64_t hash(const uint8_t *data, uint32_t bytes) {
  uint64_t h = bytes, word;
  for (uint32_t i = 0; i + sizeof word <= bytes; i += sizeof word) {
    memcpy(&word, data + i, sizeof word);
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 32;
  }
  return h;
}

/* Page `page` has been pushed by a kernel that moves data. Did anybody write to it since
 * it was freed? Who stores through a pointer is not seen, but changes it. */
static bool is_hollow(const Risc *risc, const CB *cb, const Page *p, uint32_t page) {
  uint32_t address = cb->address + page * cb->page_bytes;
  const uint8_t *l1 = risc->core->l1;
  switch (race_freshness(race_clock_of(risc)->core, address, cb->page_bytes)) {
  case FRESH: return false;
  case STALE: return hash(l1 + address, cb->page_bytes) == p->content;
  default: return emu_all_unwritten(l1, address, cb->page_bytes);
  }
}

/* The same of a page that compute publishes, since it did so the last time. */
static bool is_unpacked(const Risc *risc, const CB *cb, uint32_t page) {
  uint32_t address = cb->address + page * cb->page_bytes, core = race_clock_of(risc)->core;
  bool stale = race_freshness(core, address, cb->page_bytes) == STALE;
  race_set_stale(core, address, cb->page_bytes, true);
  return stale;
}

void emu_race_push(const Risc *risc, uint32_t index, uint32_t n) {
  if (!emu.races) return;
  race_pointers_flush();
  const CB *cb = &risc->core->cbs[index];
  Release *r = release(risc);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t page = (risc->write_page[index] + i) % cb->pages;
    Page *p = &pages_of(risc, index)[page];
    put(&pages_of(risc, index)[(cb->received + i) % cb->pages].pushed, r);
    bool hollow = !cb->bound && (risc->role < UNPACK ? is_hollow(risc, cb, p, page)
                                                     : is_unpacked(risc, cb, page));
    p->hollow_line = hollow ? risc->line : 0;
  }
}

void emu_race_pop(const Risc *risc, uint32_t index, uint32_t n) {
  if (!emu.races) return;
  race_pointers_flush();
  const CB *cb = &risc->core->cbs[index];
  Release *r = release(risc);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t page = (risc->read_page[index] + i) % cb->pages;
    uint32_t address = cb->address + page * cb->page_bytes;
    Page *p = &pages_of(risc, index)[page];
    put(&pages_of(risc, index)[(cb->acked + i) % cb->pages].popped, r);
    if (cb->pusher >= UNPACK || cb->bound) continue;
    race_set_stale(race_clock_of(risc)->core, address, cb->page_bytes, true);
    p->content = hash(risc->core->l1 + address, cb->page_bytes);
  }
}

/* The last of the pages that it asks for, as their counters say. */
void emu_race_pages(const Risc *risc, uint32_t index, uint32_t n, bool space) {
  if (!emu.races || n == 0) return;
  race_pointers_flush();
  const CB *cb = &risc->core->cbs[index];
  uint32_t last = ((space ? cb->received : cb->acked) + n - 1) % cb->pages;
  const Page *p = &pages_of(risc, index)[last];
  const Release *r = space ? p->popped : p->pushed;
  if (r) race_clock_learn(race_clock_of(risc), &r->clock);
}

void race_check_page_filled(const Risc *risc, uint32_t index, uint32_t page) {
  const CB *cb = &risc->core->cbs[index];
  uint32_t line = pages_of(risc, index)[page].hollow_line;
  if (!line || cb->pusher < 0) return;
  const Risc *pusher = &risc->core->riscs[cb->pusher];
  if (pusher->role >= UNPACK) { /* stores of its kernel are not seen */
    emu_warning((Risc *)(uintptr_t)risc, 22,
                "page %u of circular buffer %u is used, but nobody has written to it since it was "
                "published before: nothing was packed to what was published at %s:%u",
                page, index, pusher->kernel->path, line);
    return;
  }
  emu_error((Risc *)(uintptr_t)risc, 23,
            "page %u of circular buffer %u is used, but nobody has written to it since it was "
            "reserved: no transfer has brought what was published at %s:%u on core (%u, %u), %s",
            page, index, pusher->kernel->path, line, risc->core->x, risc->core->y,
            emu_role_name(pusher->role));
}

void race_check_filled(const Risc *risc, uint32_t l1, uint32_t bytes) {
  for (uint32_t i = 0; i < emu.chip->cbs; ++i) {
    const CB *cb = &risc->core->cbs[i];
    if (!cb->used || cb->pusher < 0 || cb->pusher == risc->role) continue;
    if (l1 + bytes <= cb->address || l1 >= cb->address + cb->pages * cb->page_bytes) continue;
    uint32_t first = l1 > cb->address ? (l1 - cb->address) / cb->page_bytes : 0;
    uint32_t last = (l1 + bytes - 1 - cb->address) / cb->page_bytes;
    for (uint32_t p = first; p <= last && p < cb->pages; ++p) race_check_page_filled(risc, i, p);
  }
}
