/*===- explain.c - what a run should take, and what limits it --------------------------------===
 *
 *   gemm: 342682 clk, 331480 predicted
 *     matrix engine  270336  79%  <- the most that anything needs
 *     vector unit         0   0%
 *     …
 *     DRAM            95325  28%  each tensor once
 *
 * A section for each kernel; where it is launched several times, for a launch of average length.
 * The figures are those of Analysis/timing.c, for the core that has most to do.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/session.h"

typedef struct Row {
  const char *name;
  double clk;
  const char *what;
} Row;

static void explain_kernel(const TtKernelRun *k) {
  const TtTiming *t = &k->timing;
  if (!k->known || k->launches == 0) {
    printf("%s: not explained: %s\n", k->name,
           k->known ? "it did not run"
                    : "its steps depend on what is known only when it runs, or are too many");
    return;
  }
  double took = k->clk / k->launches;
  Row rows[] = {{"DRAM", t->dram, "each tensor once"},
                {"DRAM as moved", t->moved, "what the kernel reads and writes"},
                {"port of a core", t->noc, "on both NoCs"},
                {"unpack", t->unpack, "with its inits"},
                {"matrix engine", t->matrix, "sums, products and copies of tiles"},
                {"vector unit", t->vector, "functions of tiles"},
                {"math", t->matrix + t->vector, "both, which take turns"},
                {"pack", t->pack, "with its inits"}};
  enum { N = sizeof rows / sizeof *rows };
  int most = 0;
  for (int i = 1; i < N; ++i)
    if (rows[i].clk > rows[most].clk) most = i;
  printf("%s: %.0f clk%s, %.0f predicted; no part of the chip is busy for longer than:\n", k->name,
         took, k->launches > 1 ? " a launch" : "", t->predicted);
  for (int i = 0; i < N; ++i)
    printf("  %-14s %9.0f %4.0f%%  %s%s\n", rows[i].name, rows[i].clk, 100 * rows[i].clk / took,
           rows[i].what, i == most ? "; this limits the kernel" : "");
}

void tt_explain(TtRun *r) {
  TtKernelRuns runs = tt_kernel_runs(r);
  for (intptr_t i = 0; i < runs.n; ++i) explain_kernel(&runs.data[i]);
}
