/*===- transit.c - how long transfers take -------------------------------------------------===
 *
 * The port of a core, the links on the way and a DRAM bank each serve their requests in
 * order, at their rate.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <string.h>

static uint64_t latest(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* A small delay that depends on the seed, so that orders differ between seeds. */
static uint64_t jitter(uint64_t n) {
  if (emu.seed == 0) return 0;
  uint64_t x = (emu.seed + n) * UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 29;
  return x * UINT64_C(0xbf58476d1ce4e5b9) >> 58;
}

static TtNocPoint own_point(const Risc *risc) {
  return emu_noc_of_core(risc->core->x, risc->core->y);
}

static TtNocPoint far_point(const Transfer *t) {
  return t->dram ? emu_noc_of_bank(t->bank_id) : emu_noc_of_core(t->x0, t->y0);
}

static uint64_t write_latency(const Transfer *t) {
  const TtChip *chip = emu.chip;
  TtNocPoint from = own_point(t->risc);
  uint32_t hops = t->dram ? emu_hops(from, emu_noc_of_bank(t->bank_id), t->noc) : 0;
  for (int corner = 0; !t->dram && corner < 4; ++corner) {
    TtNocPoint to = emu_noc_of_core(corner & 1 ? t->x1 : t->x0, corner & 2 ? t->y1 : t->y0);
    uint32_t n = emu_hops(from, to, t->noc);
    if (n > hops) hops = n;
  }
  return chip->write_latency + chip->write_hop * hops;
}

static uint64_t read_latency(const Transfer *t) {
  const TtChip *chip = emu.chip;
  TtNocPoint a = own_point(t->risc), b = far_point(t);
  bool row = a.y == b.y, column = a.x == b.x;
  return chip->read_latency[row && column ? TT_READ_OWN
                            : column      ? TT_READ_COLUMN
                            : row         ? TT_READ_ROW
                                          : TT_READ_OTHER];
}

/* When the port of the core has taken it on; small transfers cost their issue. */
static uint64_t through_port(Risc *risc, int noc, uint64_t clk) {
  uint64_t *port = &risc->core->port_busy[noc];
  *port = latest(risc->time, *port) + latest(clk, emu.chip->noc_issue);
  return *port;
}

static uint64_t through_bank(uint32_t id, uint64_t time, uint32_t bytes, bool write) {
  uint64_t *bank = &emu.bank_busy[id], rate = emu.chip->bank_bytes_per_clk;
  uint64_t turn = emu.bank_writes[id] != write ? emu.chip->bank_turn : 0;
  emu.bank_writes[id] = write;
  *bank = latest(time, *bank) + turn + (bytes + rate - 1) / rate;
  return *bank;
}

static uint64_t link_clk(uint32_t bytes) {
  return (bytes + emu.chip->noc_bytes_per_clk - 1) / emu.chip->noc_bytes_per_clk;
}

/* When the last byte of a write has passed its way. */
static uint64_t through_links(const Transfer *t, uint64_t time, uint64_t clk) {
  Way way;
  Mix mix = {t->risc->core, t->dynamic ? emu.chip->mixed_dynamic : emu.chip->mixed_static};
  TtNocPoint from = own_point(t->risc);
  if (t->multicast) emu_way_to_all(&way, from, &(ttemu_rect){t->x0, t->y0, t->x1, t->y1}, t->noc);
  else emu_way(&way, from, far_point(t), t->noc);
  if (t->kind != WRITE) return emu_way_share(&way, time, clk, NULL);
  return t->multicast ? emu_way_hold(&way, time, clk) : emu_way_share(&way, time, clk, &mix);
}

uint64_t emu_issued(const Transfer *t) {
  Risc *risc = t->risc;
  uint64_t clk = link_clk(t->bytes), port = through_port(risc, t->noc, clk), now = risc->time;
  if (t->kind != READ) return port;
  Way way;
  emu_way(&way, far_point(t), own_point(risc), t->noc);
  uint64_t bank = t->dram ? through_bank(t->bank_id, now, t->bytes, false) : now;
  return latest(latest(port, bank), emu_way_share(&way, now, clk, NULL)) + read_latency(t) +
         jitter(now + t->bank_id + t->address);
}

uint64_t emu_arrival(const Transfer *t, uint64_t time) {
  Risc *risc = t->risc;
  uint64_t clk = link_clk(t->bytes);
  uint64_t way = through_links(t, time - clk, clk);
  uint64_t end = (t->dram ? through_bank(t->bank_id, way - clk, t->bytes, true) : way) +
                 write_latency(t) + jitter(time + t->bank_id + t->address);
  if (t->dram || t->noc != risc->kernel->noc) return end;
  return risc->last_arrival = latest(end, risc->last_arrival);
}
