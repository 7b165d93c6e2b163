/* What schedules of kernels aim at. */
#ifndef TILEWRIGHT_SCHEDULE_H
#define TILEWRIGHT_SCHEDULE_H

/* Measured on the emulated device, which bench/gemm.py shows: with fewer steps the first block is
 * waited for, longer ones gain nothing more. */
enum {
  TT_LEAST_STEPS = 4,       /* of a loop that overlaps data movement and math */
  TT_WAIT_CLK = 1000,       /* for a short block, of cores that all read */
  TT_MOST_SUMMED_TILES = 8, /* along the summed dimension of a block */
  TT_WASTED_STEPS = 8,      /* of so many that are merged, one may multiply zeros */
  TT_LEAST_STEP_CLK =
      4000, /* of products: with shorter steps, signals between cores are waited for */
  TT_LEAST_SECTION_CLK = 500, /* of products in a section of DST, which takes some 50 itself */
  TT_MOST_STAGES = 4,         /* blocks of an operand, all of which the last step takes */
  TT_LEAST_BATCHES =
      4,             /* of a loop over tiles: with fewer, the engine's units wait for each other */
  TT_LEAST_TURN = 8, /* tiles of a block for which two loops take turns: some 2,000 clk, on which
                        the engine's settings come with a tenth */
  TT_LEAST_PART = 8, /* tiles of a block that is read in parts: with fewer, reads are waited for */
  TT_MOST_PART = 32, /* and with more, nothing overlaps */
  TT_CALLS_OF_TURN = 4 /* of the API, from one core that reads to the next */
};

#endif
