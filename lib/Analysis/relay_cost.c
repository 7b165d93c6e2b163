/*===- relay_cost.c - what it costs to fetch blocks on one NoC and send them on the other -----===
 *
 *   apart    each processor fetches some of the blocks, and sends each when it is there
 *
 *              NoC 0  fetch B0 | send B0 | fetch B1 | send B1
 *              NoC 1  fetch A0 | send A0 | fetch A1 | send A1
 *
 *   relayed  NoC 0  fetch A0, B0 | fetch A1, B1 | …
 *            NoC 1                 send A0, B0  | send A1, B1
 *
 * A fetch is as long as DRAM takes for all that is fetched at a time, or the port of a sender for
 * its block, and a read's latency. What goes along rows and what goes along columns shares no link.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Analysis/sharing.h"
#include "Analysis/timing.h"

enum {
  CALLS = 10,        /* of the kernel API, for a block that is sent */
  SIGNALS = 3,       /* one after the other: there is room, it is there, it has been written */
  MOST_STEPS = 4096, /* that are gone through one by one */
  LEAST_GAIN = 600,  /* clk */
};

static double larger(double a, double b) { return a > b ? a : b; }

static double bytes_of(const TtSharedBlock *b) { return (double)(b->tiles * b->page_bytes); }

static double readers_of(const TtSharedBlock *b) { return (double)tt_sharing_groups(&b->sharing); }

/* What a block takes longer where the senders read it on NoC 1, whose links to the banks carry
 * less. */
static double longer_on_noc_1(const TtChip *chip, const TtSharedBlock *b) {
  const TtSharing *s = &b->sharing;
  TtCoreTable cores = {.cores = s->cores, .n = s->n};
  double bytes = readers_of(b) * bytes_of(b),
         dram = (double)chip->dram_banks * (double)chip->bank_bytes_per_clk,
         slow = bytes / tt_link_rate(chip, &cores, 1, false),
         fast = larger(bytes / dram, bytes_of(b) / (double)chip->noc_bytes_per_clk);
  return slow > fast ? slow - fast : 0;
}

/* The blocks of one place, the longest first to the processor that has less to do. */
static double apart(const TtChip *chip, const TtSharedBlock *blocks, intptr_t n, bool two) {
  double busy[2] = {0, 0}, last = -1;
  for (intptr_t k = 0; k < n; ++k) {
    intptr_t most = -1;
    double most_clk = 0;
    for (intptr_t i = 0; i < n; ++i) {
      const TtSharedBlock *b = &blocks[i];
      double clk = tt_sharing_cost(chip, &b->sharing, b->tiles, b->page_bytes).shared +
                   1e-6 * (double)(n - i); /* all differ */
      if ((last < 0 || clk < last) && clk > most_clk) most = i, most_clk = clk;
    }
    if (most < 0) break;
    int mover = two && busy[1] < busy[0];
    busy[mover] += most_clk + (mover ? longer_on_noc_1(chip, &blocks[most]) : 0);
    last = most_clk;
  }
  return larger(busy[0], busy[1]) * (double)blocks[0].steps;
}

typedef struct Stage {
  double fetch, send;
  double alone;  /* of `fetch`, what the port or DRAM takes for one block after the other */
  double blocks; /* each is sent when it is there */
} Stage;

/* Blocks that are taken together. */
static Stage stage_of(const TtChip *chip, const TtSharedBlock *blocks, intptr_t n) {
  double dram = 0, port = 0, rows = 0, columns = 0, hops = 0;
  for (intptr_t i = 0; i < n; ++i) {
    const TtSharing *s = &blocks[i].sharing;
    double link = bytes_of(&blocks[i]) / (double)chip->noc_bytes_per_clk;
    dram += readers_of(&blocks[i]) * bytes_of(&blocks[i]) /
            (double)(chip->dram_banks * chip->bank_bytes_per_clk);
    port = larger(port, link);
    if (s->width > 1) rows += link;
    if (s->height > 1) columns += link;
    hops = larger(hops, (double)tt_sharing_hops(s));
  }
  double moves = larger(dram, port);
  double signal = (double)chip->write_latency + (double)chip->write_hop * hops;
  double alone = moves > SIGNALS * signal ? moves : 0; /* short ones all come at once */
  return (Stage){moves + (double)chip->read_latency[TT_READ_OTHER],
                 larger(rows, columns) + SIGNALS * signal + (double)(n * CALLS * chip->call), alone,
                 (double)n};
}

/* The processor that fetches is up to as many steps ahead as blocks have room. Senders do not wait
 * for each other, so that the first step's blocks are all there when most of these are. */
static void run(Stage stage, int64_t steps, double *fetched, double *sent) {
  double before[TT_DEFAULT_DEPTH] = {0};
  int64_t n = steps < MOST_STEPS ? steps : MOST_STEPS;
  double first = *sent;
  int64_t ahead = steps < TT_DEFAULT_DEPTH ? steps : TT_DEFAULT_DEPTH;
  double others = (stage.blocks - 1) / stage.blocks * stage.alone; /* than the first block */
  *fetched += (double)(ahead - 1) * stage.fetch;
  for (int64_t k = 0; k < n; ++k) {
    double *place = &before[k % TT_DEFAULT_DEPTH];
    if (k == 0 || k >= ahead) *fetched = larger(*fetched, *place) + stage.fetch;
    *sent = larger(*fetched - others, *sent) + stage.send;
    *sent = *place = larger(*sent, *fetched + stage.send / stage.blocks);
  }
  *sent = first + (*sent - first) * ((double)steps / (double)n);
  *fetched = larger(*fetched, *sent - TT_DEFAULT_DEPTH * (stage.fetch + stage.send));
}

TtRelayCost tt_relay_cost(const TtChip *chip, const TtSharedBlock *blocks, intptr_t n, bool two) {
  TtRelayCost cost = {0, 0};
  double fetched = 0;
  for (intptr_t i = 0, m; i < n; i += m) {
    for (m = 1; i + m < n && blocks[i + m].place == blocks[i].place;) ++m;
    cost.apart += apart(chip, blocks + i, m, two);
  }
  for (intptr_t i = 0, m; i < n; i += m) {
    for (m = 1; i + m < n && blocks[i + m].place == blocks[i].place &&
                blocks[i + m].step == blocks[i].step;)
      ++m;
    run(stage_of(chip, blocks + i, m), blocks[i].steps, &fetched, &cost.relayed);
  }
  return cost;
}

/* A twentieth, since both have most of their errors in common, and what the calls of a short kernel
 * may differ by. */
bool tt_relaying_pays(TtRelayCost cost) {
  return cost.relayed < 0.95 * cost.apart && cost.relayed + LEAST_GAIN < cost.apart;
}
