/*===- cb.c - circular buffers -----------------------------------------------------------------===
 *
 * Two counters are shared, the pointers are private to a processor. In a compute
 * kernel wait and pop run on unpack, reserve and push on pack.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

static CB *cb_of(Risc *risc, uint32_t index) {
  if (index >= emu.chip->cbs)
    emu_error(risc, 8, "circular buffer %u: the chip has %u", index, emu.chip->cbs);
  emu_check_stray(risc, index);
  CB *cb = &risc->core->cbs[index];
  if (!cb->used) emu_error(risc, 8, "circular buffer %u is not configured on this core", index);
  return cb;
}

/* Whoever asks how much it holds, after more was popped than there was, is told nonsense. */
static void check_counters(Risc *risc, uint32_t index) {
  const CB *cb = &risc->core->cbs[index];
  if (cb->overdrawn)
    emu_error(
        risc, 21,
        "circular buffer %u is used after %u pages more were popped than it held: its counters "
        "are wrong from then on",
        index, cb->acked - cb->received);
}

static bool produces(const Risc *risc) { return risc->role < UNPACK || risc->role == PACK; }
static bool consumes(const Risc *risc) { return risc->role <= UNPACK; }

static Risc *enter(uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  emu_charge(risc, emu.chip->call);
  return risc;
}

void ttemu_cb_reserve_back(uint32_t index, uint32_t n, uint32_t line) {
  if (!produces(emu.running)) return;
  Risc *risc = enter(line);
  CB *cb = cb_of(risc, index);
  if (n > cb->pages)
    emu_error(risc, 1,
              "cb_reserve_back of %u pages of circular buffer %u, which has %u: this waits "
              "forever",
              n, index, cb->pages);
  emu_sync(risc);
  check_counters(risc, index);
  while (cb->pages - (cb->received - cb->acked) < n) {
    emu_block(risc, WAIT_CB_SPACE, index, n);
    check_counters(risc, index);
  }
  if (risc->role < UNPACK) emu_flush(risc->core); /* it may write through a pointer */
  risc->reserved[index] = n;
  emu_race_pages(risc, index, n, true);
}

/* Pages [first, first + n) of a circular buffer, while a transfer uses them. */
static bool in_flight(const Risc *risc, const CB *cb, uint32_t first, uint32_t n, bool read) {
  uint32_t begin = cb->address + first * cb->page_bytes, end = begin + n * cb->page_bytes;
  for (const Transfer *t = risc->transfers; t; t = t->next)
    if ((t->kind == READ) == read && !t->sent && t->l1 < end && begin < t->l1 + t->bytes &&
        !(t->has_value))
      return true;
  return false;
}

/*===- Transfers to and from pages ----------------------------------------------------------*/

/* Which circular buffer of a core has this address; -1 for none that is filled and emptied. */
static int cb_at(const Core *core, uint32_t l1) {
  for (uint32_t i = 0; i < emu.chip->cbs; ++i) {
    const CB *cb = &core->cbs[i];
    if (cb->used && !cb->bound && cb->pusher >= 0 && l1 >= cb->address &&
        l1 - cb->address < cb->pages * cb->page_bytes)
      return (int)i;
  }
  return -1;
}

/* Whether page is one of n from first on, around the end. */
static bool is_among(const CB *cb, uint32_t page, uint32_t first, uint32_t n) {
  return (page + cb->pages - first % cb->pages) % cb->pages < n;
}

/* Rule 21: nobody reads to pages that are published, or sends from pages that hold nothing. A
 * processor's own pages, reserved or waited for, are its own business. Who sends what another one
 * left on a page that is free is right if something else orders the two, which is rule 23. */
void emu_check_page(Risc *risc, uint32_t l1, uint32_t bytes, bool read) {
  int index = cb_at(risc->core, l1);
  if (index < 0) return;
  const CB *cb = &risc->core->cbs[index];
  uint32_t page = (l1 - cb->address) / cb->page_bytes;
  bool published = is_among(cb, page, cb->acked, emu_pages_held(cb)),
       mine = is_among(cb, page, risc->write_page[index], risc->reserved[index]),
       waited = is_among(cb, page, risc->read_page[index], risc->waited[index]);
  if (read && published && !waited)
    emu_error(risc, 21, "a read to page %u of circular buffer %d, which is published and not freed",
              page, index);
  if (read || published || mine || risc->role == cb->pusher) return;
  uint32_t at;
  bool left = emu.races && !emu_find_unwritten(risc->core->l1, l1, bytes, &at);
  (left ? emu_forgiven : emu_error)(
      risc, 21, "a write from page %u of circular buffer %d, which is not published", page, index);
}

static void advance(Risc *risc, const CB *cb, uint32_t *page, uint32_t n, const char *what,
                    uint32_t index) {
  if (*page + n > cb->pages)
    emu_error(risc, 2,
              "%s of %u pages at page %u of circular buffer %u runs over its end (%u pages)", what,
              n, *page, index, cb->pages);
  *page = (*page + n) % cb->pages;
}

/* Pointers are private: a second processor's would start at the first page again. */
static void only_one(Risc *risc, int *role, uint32_t index, const char *what) {
  if (*role < 0) *role = risc->role;
  if (*role != risc->role)
    emu_error(risc, 4, "circular buffer %u is %s by %s and by %s; each has a pointer of its own",
              index, what, emu_role_name(*role), emu_role_name(risc->role));
}

/* The packer's pages are marked; others still hold what was there at the launch. */
static void check_written(Risc *risc, const CB *cb, uint32_t index, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t page = (risc->write_page[index] + i) % cb->pages;
    bool written = cb->written[page] || cb->bound;
    if (!written && risc->role < UNPACK) {
      emu_flush(risc->core);
      written =
          !emu_all_unwritten(risc->core->l1, cb->address + page * cb->page_bytes, cb->page_bytes);
    }
    if (!written)
      emu_warning(risc, 22,
                  "cb_push_back publishes page %u of circular buffer %u, which nobody has "
                  "written",
                  page, index);
    cb->written[page] = true;
  }
}

void ttemu_cb_push_back(uint32_t index, uint32_t n, uint32_t line) {
  if (!produces(emu.running)) return;
  Risc *risc = enter(line);
  CB *cb = cb_of(risc, index);
  emu_sync(risc);
  check_counters(risc, index);
  if (in_flight(risc, cb, risc->write_page[index], n, true))
    emu_error(risc, 15,
              "cb_push_back publishes pages of circular buffer %u before their reads have "
              "landed; put noc_async_read_barrier before it",
              index);
  if (cb->received - cb->acked + n > cb->pages)
    emu_error(risc, 21,
              "cb_push_back of %u pages of circular buffer %u, which has %u free; reserve "
              "them first",
              n, index, cb->pages - (cb->received - cb->acked));
  if (n > risc->reserved[index])
    emu_warning(risc, 21,
                "cb_push_back of %u pages of circular buffer %u, of which %u are reserved", n,
                index, risc->reserved[index]);
  if (cb->looked)
    emu_error(risc, 21,
              "pages of circular buffer %u are pushed, of which one was read before in line %u, "
              "without a wait",
              index, cb->looked);
  only_one(risc, &cb->pusher, index, "filled");
  check_written(risc, cb, index, n);
  emu_race_push(risc, index, n);
  advance(risc, cb, &risc->write_page[index], n, "cb_push_back", index);
  risc->reserved[index] -= n < risc->reserved[index] ? n : risc->reserved[index];
  risc->packed[index] = 0;
  cb->received += n;
  emu_trace(risc->core, risc->role, TRACE_FILL, index, emu_pages_held(cb), risc->time, risc->time);
  if (cb->received - cb->acked > cb->largest) cb->largest = cb->received - cb->acked;
  emu_wake(risc->core, WAIT_CB_DATA, index, risc->time);
}

void ttemu_cb_wait_front(uint32_t index, uint32_t n, uint32_t line) {
  if (!consumes(emu.running)) return;
  Risc *risc = enter(line);
  CB *cb = cb_of(risc, index);
  if (n > cb->pages)
    emu_error(risc, 1,
              "cb_wait_front of %u pages of circular buffer %u, which has %u: this waits "
              "forever",
              n, index, cb->pages);
  emu_sync(risc);
  check_counters(risc, index);
  while (emu_pages_held(cb) < n) {
    emu_block(risc, WAIT_CB_DATA, index, n);
    check_counters(risc, index);
  }
  if (risc->role < UNPACK) emu_flush(risc->core);
  if (n > risc->waited[index]) risc->waited[index] = n;
  emu_race_pages(risc, index, n, false);
}

void ttemu_cb_pop_front(uint32_t index, uint32_t n, uint32_t line) {
  if (!consumes(emu.running)) return;
  Risc *risc = enter(line);
  if (index < emu.chip->cbs && !risc->core->cbs[index].used) {
    emu_forgiven(risc, 8, "a pop of circular buffer %u, which is not configured on this core",
                 index);
    return;
  }
  CB *cb = cb_of(risc, index);
  emu_sync(risc);
  only_one(risc, &cb->popper, index, "emptied");
  if (in_flight(risc, cb, risc->read_page[index], n, false))
    emu_error(risc, 16,
              "cb_pop_front frees pages of circular buffer %u while writes from them are still to "
              "be sent; put noc_async_writes_flushed or noc_async_write_barrier before it",
              index);
  if (cb->overdrawn || n > emu_pages_held(cb)) {
    /* As long as nobody asks the counters, which start anew with the next launch. */
    emu_forgiven(risc, 21, "cb_pop_front of %u pages of circular buffer %u, which holds %u", n,
                 index, emu_pages_held(cb));
    cb->overdrawn = true;
  } else if (n > risc->waited[index])
    emu_warning(risc, 21,
                "cb_pop_front of %u pages of circular buffer %u, of which %u were waited for", n,
                index, risc->waited[index]);
  emu_race_pop(risc, index, n);
  if (cb->overdrawn) risc->read_page[index] = (risc->read_page[index] + n) % cb->pages;
  else advance(risc, cb, &risc->read_page[index], n, "cb_pop_front", index);
  risc->waited[index] -= n < risc->waited[index] ? n : risc->waited[index];
  cb->acked += n;
  emu_trace(risc->core, risc->role, TRACE_FILL, index, emu_pages_held(cb), risc->time, risc->time);
  emu_wake(risc->core, WAIT_CB_SPACE, index, risc->time);
}

uint32_t ttemu_cb_write_ptr(uint32_t index, uint32_t line) {
  Risc *risc = enter(line);
  CB *cb = cb_of(risc, index);
  emu_flush(risc->core);
  return emu_l1_pointer(risc->core, cb->address + risc->write_page[index] * cb->page_bytes +
                                        risc->write_shift[index]);
}

uint32_t ttemu_cb_read_ptr(uint32_t index, uint32_t line) {
  Risc *risc = enter(line);
  CB *cb = cb_of(risc, index);
  emu_flush(risc->core);
  return emu_l1_pointer(risc->core, cb->address + risc->read_page[index] * cb->page_bytes +
                                        risc->read_shift[index]);
}

bool ttemu_cb_has(uint32_t index, uint32_t n, bool space, uint32_t line) {
  Risc *risc = enter(line);
  CB *cb = cb_of(risc, index);
  emu_sync(risc);
  check_counters(risc, index);
  uint32_t held = cb->received - cb->acked;
  bool has = (space ? cb->pages - held : held) >= n;
  if (has && n <= cb->pages) emu_race_pages(risc, index, n, space);
  return has;
}

/*===- What a kernel is told of them ---------------------------------------------------------===*/

/* What a kernel's tables say of a circular buffer that none of its cores has. */
enum { UNKNOWN_TILE_BYTES = 1088, UNKNOWN_FORMAT = 255 };

/* A kernel is compiled once: its tables say what a circular buffer is on any of its cores. NULL if
 * none has it. To ask is harmless; to use it is not, and ends in cb_of. */
static const CB *find_described(const Risc *risc, uint32_t index) {
  if (index >= emu.chip->cbs) return NULL;
  if (risc->core->cbs[index].used) return &risc->core->cbs[index];
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i) {
    const Core *core = emu.program->cores[i];
    if (core && core->riscs[risc->role].kernel == risc->kernel && core->cbs[index].used)
      return &core->cbs[index];
  }
  return NULL;
}

static const CB *described(Risc *risc, uint32_t index, const char *what) {
  if (index >= emu.chip->cbs || risc->core->cbs[index].used) return cb_of(risc, index);
  const CB *cb = find_described(risc, index);
  if (cb) return cb;
  emu_warning(risc, 8, "%s of circular buffer %u, which is not configured on the kernel's cores",
              what, index);
  return NULL;
}

uint32_t ttemu_cb_tile_bytes(uint32_t index, uint32_t line) {
  Risc *risc = enter(line);
  const CB *cb = described(risc, index, "the size of a tile");
  return cb ? emu_shaped_tile_bytes(cb->format, cb->tile) : UNKNOWN_TILE_BYTES;
}

uint32_t ttemu_cb_known_format(uint32_t index) {
  const CB *cb = find_described(emu.running, index);
  return cb ? (uint32_t)cb->format : UNKNOWN_FORMAT;
}

uint32_t ttemu_cb_tile_shape(uint32_t index, uint32_t line) {
  const CB *cb = described(enter(line), index, "the shape of a tile");
  return cb ? cb->tile.rows * 256u + cb->tile.cols : 32 * 256 + 32;
}

uint32_t ttemu_cb_format(uint32_t index, uint32_t line) {
  const CB *cb = described(enter(line), index, "the data format");
  return cb ? (uint32_t)cb->format : UNKNOWN_FORMAT;
}
