/*===- explain.c - what a run should take, and what limits it --------------------------------===
 *
 *   gemm: 342682 clk, 331480 predicted
 *     matrix engine  270336  79%  <- the most that anything needs
 *     vector unit         0   0%
 *     …
 *     DRAM            95325  28%  each tensor once
 *
 * The figures are those of Analysis/timing.c, for the core that has most to do.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/timing.h"
#include "Run/session.h"

#include <stdlib.h>
#include <unistd.h>

static bool predict(TtRun *r, TtTiming *timing) {
  TtSizes sizes = {r->dims.dims.names, r->sizes, r->dims.dims.n, 1, 0};
  return r->programs.n == 1 && tt_predict(r->arena, r->programs.data[0], &sizes, timing);
}

void tt_announce_prediction(TtRun *r) {
  TtTiming t;
  unsetenv("TTEMU_PREDICTED");
  setenv("TTEMU_CLOCK", "clk", 1);
  unlink(tt_arena_printf(r->arena, "%s/clk", r->folder)); /* of an earlier run with --keep */
  if (predict(r, &t)) setenv("TTEMU_PREDICTED", tt_arena_printf(r->arena, "%.0f", t.predicted), 1);
}

/* The clk of the run, which the device left in its folder; 0 where it did not. */
static double clk_of_run(const TtRun *r) {
  FILE *file = fopen(tt_arena_printf(r->arena, "%s/clk", r->folder), "r");
  double clk = 0;
  if (file && fscanf(file, "%lf", &clk) != 1) clk = 0;
  if (file) fclose(file);
  return clk;
}

typedef struct Row {
  const char *name;
  double clk;
  const char *what;
} Row;

void tt_explain(TtRun *r) {
  TtTiming t;
  double took = clk_of_run(r);
  if (!predict(r, &t) || took == 0) {
    printf("not explained: several kernels run, or their steps depend on what is known only when "
           "they run\n");
    return;
  }
  Row rows[] = {{"DRAM", t.dram, "each tensor once"},
                {"DRAM as moved", t.moved, "what the kernel reads and writes"},
                {"port of a core", t.noc, "on both NoCs"},
                {"unpack", t.unpack, "with its inits"},
                {"matrix engine", t.matrix, "sums, products and copies of tiles"},
                {"vector unit", t.vector, "functions of tiles"},
                {"math", t.matrix + t.vector, "both, which take turns"},
                {"pack", t.pack, "with its inits"}};
  enum { N = sizeof rows / sizeof *rows };
  int most = 0;
  for (int i = 1; i < N; ++i)
    if (rows[i].clk > rows[most].clk) most = i;
  MlirStringRef name = tt_symbol_name(r->programs.data[0]);
  printf("%.*s: %.0f clk, %.0f predicted; no part of the chip is busy for longer than:\n",
         (int)name.length, name.data, took, t.predicted);
  for (int i = 0; i < N; ++i)
    printf("  %-14s %9.0f %4.0f%%  %s%s\n", rows[i].name, rows[i].clk, 100 * rows[i].clk / took,
           rows[i].what, i == most ? "; this limits the kernel" : "");
}
