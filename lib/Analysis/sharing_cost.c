/*===- sharing_cost.c - what blocks cost that cores share ---------------------------------------===
 *
 *   8 cores read %A: 8 blocks from DRAM; or one, a multicast of it, and the signals for that
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Analysis/sharing.h"

enum { SHARING_CALLS = 10 }; /* of the kernel API, one after the other, more than for a read */

/* The most cores in a column, whose blocks come down the same links. */
static int64_t longest_column(const TtSharing *s) {
  int64_t rows[TT_MAX_SIDE] = {0}, most = 0;
  for (int64_t i = 0; i < s->n; ++i) {
    int64_t x = s->cores[i].x;
    if (x < TT_MAX_SIDE && ++rows[x] > most) most = rows[x];
  }
  return most;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* The time of the DRAM banks that have a part of the blocks which cores read at a time, some of
 * them a step ahead, or of the links down a column, and the latency of a read; where it is shared,
 * also a multicast, two signals, and the calls for them. */
TtSharingCost tt_sharing_cost(const TtChip *chip, const TtSharing *s, int64_t tiles,
                              int64_t page_bytes) {
  double readers = (double)tt_sharing_groups(s), group = (double)s->n / readers,
         blocks = readers * (double)(tiles * TT_DEFAULT_DEPTH),
         bytes = (double)(tiles * page_bytes), link = bytes / (double)chip->noc_bytes_per_clk,
         banks = blocks < chip->dram_banks ? blocks : chip->dram_banks,
         dram = readers * bytes / (banks * (double)chip->bank_bytes_per_clk),
         latency = (double)chip->read_latency[TT_READ_OTHER];
  int64_t hops = tt_sharing_hops(s);
  double signal = (double)chip->write_latency + (double)chip->write_hop * (double)hops;
  return (TtSharingCost){.plain = larger(dram * group, link * (double)longest_column(s)) + latency,
                         .shared = larger(dram, link) + latency + link + 2 * signal +
                                   (double)(SHARING_CALLS * chip->call)};
}

bool tt_sharing_pays(TtSharingCost cost) { return cost.shared < 0.9 * cost.plain; }
