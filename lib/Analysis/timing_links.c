/*===- timing_links.c - what links between cores and banks carry ------------------------------===
 *
 * Every core reads from every bank, or writes to it, as much as the others: the link that most of
 * these ways share decides.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/timing.h"

#include <string.h>

static double latest(double a, double b) { return a > b ? a : b; }

typedef struct Links {
  double rows[TT_MAX_SIDE + 1][TT_MAX_SIDE + 1], columns[TT_MAX_SIDE + 1][TT_MAX_SIDE + 1];
} Links;

/* NoC 0 goes right, then down; NoC 1 up, then left; both wrap around. */
static void load(Links *l, const TtChip *chip, TtNocPoint at, TtNocPoint to, int noc) {
  uint32_t w = chip->noc_x, h = chip->noc_y;
  if (noc == 0) {
    for (; at.x != to.x; at.x = (uint8_t)((at.x + 1) % w)) l->rows[at.y][at.x] += 1;
    for (; at.y != to.y; at.y = (uint8_t)((at.y + 1) % h)) l->columns[at.y][at.x] += 1;
  } else {
    for (; at.y != to.y; at.y = (uint8_t)((at.y + h - 1) % h)) l->columns[at.y][at.x] += 1;
    for (; at.x != to.x; at.x = (uint8_t)((at.x + w - 1) % w)) l->rows[at.y][at.x] += 1;
  }
}

/* Bytes a clk that the links between all banks and these cores carry, if all take as much. */
double tt_link_rate(const TtChip *chip, const TtCoreTable *table, int noc, bool write) {
  Links l;
  double most = 1, flows = (double)table->n * chip->dram_banks;
  memset(&l, 0, sizeof l);
  for (int64_t c = 0; c < table->n; ++c)
    for (uint32_t b = 0; b < chip->dram_banks; ++b) {
      TtNocPoint core = {chip->worker_x[table->cores[c].x], chip->worker_y[table->cores[c].y]},
                 bank = chip->bank_at[b];
      if (write) load(&l, chip, core, bank, noc);
      else load(&l, chip, bank, core, noc);
    }
  for (int y = 0; y <= TT_MAX_SIDE; ++y)
    for (int x = 0; x <= TT_MAX_SIDE; ++x)
      most = latest(most, latest(l.rows[y][x], l.columns[y][x]));
  double mixed = write && table->n > 2 ? 1 + (double)chip->mixed_static / 100 : 1;
  return (double)chip->noc_bytes_per_clk * flows / most / mixed;
}
