/*===- route.c - ways through the NoC ------------------------------------------------------===
 *
 * Two rings of rows and columns. NoC 0 goes right, then down; NoC 1 up, then left; both
 * wrap around. A transfer holds each link of its way for as long as its bytes take, and
 * waits where another one is before it.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>
#include <string.h>

enum { NOCS = 2, AXES = 2 };

static uint64_t *links; /* when each is free: [noc][axis][y][x] */

void emu_routes_open(void) {
  size_t n = (size_t)NOCS * AXES * emu.chip->noc_x * emu.chip->noc_y;
  links = emu_calloc(n, sizeof *links);
}

void emu_routes_close(void) {
  free(links);
  links = NULL;
}

void emu_routes_reset(void) {
  memset(links, 0, (size_t)NOCS * AXES * emu.chip->noc_x * emu.chip->noc_y * sizeof *links);
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

static uint64_t pass(uint64_t *link, uint64_t time, uint64_t clk) {
  if (*link > time) time = *link;
  *link = time + clk;
  return time;
}

uint64_t emu_route(TtNocPoint from, TtNocPoint to, int noc, uint64_t start, uint64_t clk) {
  uint32_t w = emu.chip->noc_x, h = emu.chip->noc_y;
  uint64_t *rows = links + (size_t)noc * AXES * w * h, *columns = rows + (size_t)w * h;
  uint64_t time = start;
  TtNocPoint at = from;
  if (noc == 0) {
    for (; at.x != to.x; at.x = (uint8_t)((at.x + 1) % w))
      time = pass(&rows[at.y * w + at.x], time, clk);
    for (; at.y != to.y; at.y = (uint8_t)((at.y + 1) % h))
      time = pass(&columns[at.y * w + at.x], time, clk);
  } else {
    for (; at.y != to.y; at.y = (uint8_t)((at.y + h - 1) % h))
      time = pass(&columns[at.y * w + at.x], time, clk);
    for (; at.x != to.x; at.x = (uint8_t)((at.x + w - 1) % w))
      time = pass(&rows[at.y * w + at.x], time, clk);
  }
  return time + clk;
}
