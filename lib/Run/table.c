/*===- table.c - what the kernels of a host function took ------------------------------------===
 *
 *   kernel        ops                     cores    clk  predicted  at least  DRAM MB
 *   mlp_0_matmul  matmul add clamp cast      32   9412       9120       42%     0.85
 *   mlp_1_matmul  matmul add                  8   5943       5800       38%     0.59
 *   2 launches                                   15355      14920       40%     1.44
 *
 * A row a program, of all of its launches together. `predicted` is what it was expected to take.
 * `at least` is the share of its time that it could not do without: each tensor moved once at
 * DRAM's rate, or the work of the busiest core's math, whichever is longer (Analysis/timing.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Run/session.h"

#include <math.h>
#include <string.h>

static char *ops_of(TtArena *arena, MlirOperation program) {
  MlirAttribute fuses = tt_get_attr(program, "tt.fuses");
  char *text = tt_arena_printf(arena, "%s", "");
  for (intptr_t i = 0; !mlirAttributeIsNull(fuses) && i < mlirArrayAttrGetNumElements(fuses); ++i) {
    MlirStringRef word = tt_string(mlirArrayAttrGetElement(fuses, i));
    text = tt_arena_printf(arena, "%s%s%.*s", text, *text ? " " : "", (int)word.length, word.data);
  }
  return text;
}

static TtKernelRuns programs_of(TtRun *r) {
  TtKernelRuns t = {tt_arena_alloc(r->arena, (size_t)(r->programs.n + 1) * sizeof *t.data), 0};
  for (intptr_t i = 0; i < r->programs.n; ++i) {
    MlirOperation program = r->programs.data[i];
    intptr_t at = 0;
    while (at < t.n && !tt_op_eq(t.data[at].program, program)) ++at;
    if (at < t.n) continue;
    TtKernelRun *k = &t.data[t.n++];
    *k = (TtKernelRun){.program = program,
                       .name = tt_arena_identifier(r->arena, tt_symbol_name(program)),
                       .ops = ops_of(r->arena, program)};
    k->known = tt_predict_kernel(r, program, &k->timing);
  }
  return t;
}

/* What a kernel's time is at least; -1 where that is not known. */
static double least_of(const TtKernelRun *k) {
  return k->known ? k->launches * fmax(k->timing.dram, k->timing.matrix + k->timing.vector) : -1;
}

static double predicted_of(const TtKernelRun *k) {
  return k->known ? k->launches * k->timing.predicted : -1;
}

/* Adds what the device has left of each launch. */
static void read_launches(TtRun *r, TtKernelRuns *t) {
  FILE *file = fopen(tt_arena_printf(r->arena, "%s/clk", r->folder), "r");
  char line[512], name[256];
  double clk, bytes;
  int cores;
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lf %d %lf %255s", &clk, &cores, &bytes, name) != 4) continue;
    for (intptr_t i = 0; i < t->n; ++i) {
      TtKernelRun *row = &t->data[i];
      if (strcmp(row->name, name) != 0) continue;
      row->launches++, row->cores = cores, row->clk += clk, row->bytes += bytes;
    }
  }
  if (file) fclose(file);
}

TtKernelRuns tt_kernel_runs(TtRun *r) {
  TtKernelRuns t = programs_of(r);
  read_launches(r, &t);
  return t;
}

typedef struct Figures {
  int cores;
  double clk, predicted, least, bytes; /* predicted, least: -1 where not known */
} Figures;

static void print_row(const char *name, int width, const char *ops, int ops_width, Figures f) {
  char cores[16] = "", predicted[16] = "-", share[16] = "-";
  if (f.cores) snprintf(cores, sizeof cores, "%d", f.cores);
  if (f.predicted >= 0) snprintf(predicted, sizeof predicted, "%.0f", f.predicted);
  if (f.least >= 0 && f.clk > 0) snprintf(share, sizeof share, "%.0f%%", 100 * f.least / f.clk);
  printf("  %-*s  %-*s %5s %9.0f %9s %9s %8.2f\n", width, name, ops_width, ops, cores, f.clk,
         predicted, share, f.bytes * 1e-6);
}

/* A line a kernel: its clk and name. */
static void write_clks(const char *path, const TtKernelRuns *t) {
  FILE *file = fopen(path, "w");
  for (intptr_t i = 0; file && i < t->n; ++i)
    fprintf(file, "%.0f %s\n", t->data[i].clk, t->data[i].name);
  if (file) fclose(file);
}

void tt_print_launches(TtRun *r) {
  TtKernelRuns t = tt_kernel_runs(r);
  if (r->options.clks) write_clks(r->options.clks, &t);
  int width = 6, ops_width = 3, launches = 0;
  Figures all = {.cores = 0};
  bool known = true;
  for (intptr_t i = 0; i < t.n; ++i) {
    const TtKernelRun *row = &t.data[i];
    if ((int)strlen(row->name) > width) width = (int)strlen(row->name);
    if ((int)strlen(row->ops) > ops_width) ops_width = (int)strlen(row->ops);
    launches += row->launches, all.clk += row->clk, all.bytes += row->bytes;
    all.least += least_of(row), all.predicted += predicted_of(row);
    known = known && row->known;
  }
  if (!known) all.least = all.predicted = -1;
  char *sum = tt_arena_printf(r->arena, "%d launches", launches);
  if ((int)strlen(sum) > width) width = (int)strlen(sum);
  printf("  %-*s  %-*s cores       clk predicted  at least  DRAM MB\n", width, "kernel", ops_width,
         "ops");
  for (intptr_t i = 0; i < t.n; ++i) {
    const TtKernelRun *row = &t.data[i];
    print_row(row->name, width, row->ops, ops_width,
              (Figures){row->cores, row->clk, predicted_of(row), least_of(row), row->bytes});
  }
  print_row(sum, width, "", ops_width, all);
}
