/*===- route.c - ways through the NoC ------------------------------------------------------===
 *
 * Two rings of rows and columns. NoC 0 goes right, then down; NoC 1 up, then left; both
 * wrap around.
 *
 *   transfers    share links: each carries what comes, in order; the busiest of a way decides
 *   writes       of several cores that meet on a link take longer: their packets wait for
 *                each other, channel by channel
 *   multicasts   need all links of their tree at once, for as long as their bytes take
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>
#include <string.h>

enum { NOCS = 2, AXES = 2 };

struct Link {
  uint64_t free;       /* when it is */
  uint64_t carried;    /* clk for which it was taken, in all launches */
  const Core *last[2]; /* whose writes it carried last */
};

static Link *links; /* [noc][axis][y][x] */

void emu_routes_open(void) {
  size_t n = (size_t)NOCS * AXES * emu.chip->noc_x * emu.chip->noc_y;
  links = emu_calloc(n, sizeof *links);
}

void emu_routes_close(void) {
  free(links);
  links = NULL;
}

void emu_routes_reset(void) {
  size_t n = (size_t)NOCS * AXES * emu.chip->noc_x * emu.chip->noc_y;
  for (size_t i = 0; i < n; ++i) links[i] = (Link){.carried = links[i].carried};
}

TtNocPoint emu_noc_of_core(uint32_t x, uint32_t y) {
  return (TtNocPoint){emu.chip->worker_x[x], emu.chip->worker_y[y]};
}

TtNocPoint emu_noc_of_bank(uint32_t bank) { return emu.chip->bank_at[bank]; }

uint32_t emu_hops(TtNocPoint from, TtNocPoint to, int noc) {
  uint32_t w = emu.chip->noc_x, h = emu.chip->noc_y;
  uint32_t dx = (to.x + w - from.x) % w, dy = (to.y + h - from.y) % h;
  return noc == 0 ? dx + dy : (w - dx) % w + (h - dy) % h;
}

/*===- Links of a way ---------------------------------------------------------------------===*/

static Link *link_of(int noc, int axis, uint32_t x, uint32_t y) {
  uint32_t w = emu.chip->noc_x, h = emu.chip->noc_y;
  return links + (((size_t)noc * AXES + (size_t)axis) * h + y) * w + x;
}

uint64_t emu_link_carried(int noc, int axis, uint32_t x, uint32_t y) {
  return link_of(noc, axis, x, y)->carried;
}

static uint8_t step(int noc, uint8_t at, uint32_t size) {
  return (uint8_t)((noc == 0 ? at + 1u : at + size - 1) % size);
}

/* From `at` to x along its row, or to y along its column. */
static void along_row(Way *way, int noc, TtNocPoint *at, uint8_t x) {
  for (; at->x != x; at->x = step(noc, at->x, emu.chip->noc_x))
    way->links[way->n++] = link_of(noc, 0, at->x, at->y);
}

static void along_column(Way *way, int noc, TtNocPoint *at, uint8_t y) {
  for (; at->y != y; at->y = step(noc, at->y, emu.chip->noc_y))
    way->links[way->n++] = link_of(noc, 1, at->x, at->y);
}

void emu_way(Way *way, TtNocPoint from, TtNocPoint to, int noc) {
  way->n = 0;
  if (noc == 0) along_row(way, noc, &from, to.x), along_column(way, noc, &from, to.y);
  else along_column(way, noc, &from, to.y), along_row(way, noc, &from, to.x);
}

/* Of n places on a ring, the one that is reached last. */
static uint8_t last_of(const uint8_t *places, uint32_t n, uint8_t from, int noc, uint32_t size) {
  uint8_t last = places[0];
  uint32_t most = 0;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t d = (noc == 0 ? places[i] + size - from : from + size - places[i]) % size;
    if (d >= most) most = d, last = places[i];
  }
  return last;
}

void emu_way_to_all(Way *way, TtNocPoint from, const ttemu_rect *cores, int noc) {
  const TtChip *chip = emu.chip;
  const uint8_t *xs = chip->worker_x + cores->x0, *ys = chip->worker_y + cores->y0;
  uint32_t w = cores->x1 - cores->x0 + 1, h = cores->y1 - cores->y0 + 1;
  uint8_t x = last_of(xs, w, from.x, noc, chip->noc_x),
          y = last_of(ys, h, from.y, noc, chip->noc_y);
  TtNocPoint trunk = from;
  way->n = 0;
  if (noc == 0) along_row(way, noc, &trunk, x);
  else along_column(way, noc, &trunk, y);
  for (uint32_t i = 0; i < (noc == 0 ? w : h); ++i) {
    TtNocPoint branch = noc == 0 ? (TtNocPoint){xs[i], from.y} : (TtNocPoint){from.x, ys[i]};
    if (noc == 0) along_column(way, noc, &branch, y);
    else along_row(way, noc, &branch, x);
  }
}

/*===- When they are free -----------------------------------------------------------------===*/

/* What a write takes longer where it comes after another core's, in percent: half where only two
 * take turns. */
static uint64_t surcharge(Link *link, const Mix *mix, uint64_t start) {
  const Core *last = link->last[0], *before = link->last[1];
  if (last == mix->source) return 0;
  link->last[0] = mix->source, link->last[1] = last;
  if (!last || link->free <= start) return 0;
  return before == mix->source ? mix->percent / 2 : mix->percent;
}

uint64_t emu_way_share(const Way *way, uint64_t start, uint64_t clk, const Mix *mix) {
  uint64_t end = start + clk;
  for (size_t i = 0; i < way->n; ++i) {
    Link *link = way->links[i];
    uint64_t more = mix ? clk * surcharge(link, mix, start) / 100 : 0;
    link->free = (link->free > start ? link->free : start) + clk + more;
    link->carried += clk + more;
    if (link->free > end) end = link->free;
  }
  return end;
}

uint64_t emu_way_hold(const Way *way, uint64_t start, uint64_t clk) {
  for (size_t i = 0; i < way->n; ++i)
    if (way->links[i]->free > start) start = way->links[i]->free;
  for (size_t i = 0; i < way->n; ++i)
    way->links[i]->free = start + clk, way->links[i]->carried += clk;
  return start + clk;
}

bool ttemu_core_near_bank(uint32_t bank, int noc, uint32_t nth, uint32_t *x, uint32_t *y) {
  const uint32_t n = emu.chip->grid_x * emu.chip->grid_y;
  if (bank >= emu.chip->dram_banks || nth >= n) return false;
  /* Selection by (hops, number) needs no memory, and is asked a few dozen times. */
  uint64_t last = 0, best = 0;
  for (uint32_t i = 0; i <= nth; ++i) {
    best = UINT64_MAX;
    for (uint32_t core = 0; core < n; ++core) {
      TtNocPoint at = emu_noc_of_core(core % emu.chip->grid_x, core / emu.chip->grid_x);
      uint64_t key = ((uint64_t)emu_hops(emu_noc_of_bank(bank), at, noc) << 32) + core + 1;
      if (key > last && key < best) best = key;
    }
    last = best;
  }
  const uint32_t core = (uint32_t)best - 1;
  *x = core % emu.chip->grid_x, *y = core / emu.chip->grid_x;
  return true;
}
