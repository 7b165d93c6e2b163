/*===- table.c - what the kernels of a host function took ------------------------------------===
 *
 *   kernel        ops                     cores    clk  at least  DRAM MB
 *   mlp_0_matmul  matmul add clamp cast      32   9412   42%         0.85
 *   mlp_1_matmul  matmul add                  8   5943   38%         0.59
 *   2 launches                                   15355   40%         1.44
 *
 * A row a program, of all of its launches together. `at least` is the share of its time that it
 * could not do without: each tensor moved once at DRAM's rate, or the work of the busiest core's
 * math, whichever is longer (Analysis/timing.c).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/timing.h"
#include "Run/session.h"

#include <math.h>
#include <string.h>

typedef struct Row {
  MlirOperation program;
  char *name, *ops;
  int launches, cores;
  double clk, least, bytes; /* least: of one launch; -1 where it is not known */
} Row;

typedef struct Table {
  Row *rows;
  intptr_t n;
} Table;

static char *ops_of(TtArena *arena, MlirOperation program) {
  MlirAttribute fuses = tt_get_attr(program, "tt.fuses");
  char *text = tt_arena_printf(arena, "%s", "");
  for (intptr_t i = 0; !mlirAttributeIsNull(fuses) && i < mlirArrayAttrGetNumElements(fuses); ++i) {
    MlirStringRef word = tt_string(mlirArrayAttrGetElement(fuses, i));
    text = tt_arena_printf(arena, "%s%s%.*s", text, *text ? " " : "", (int)word.length, word.data);
  }
  return text;
}

static double least_of(TtRun *r, MlirOperation program) {
  TtSizes sizes = {r->dims.dims.names, r->sizes, r->dims.dims.n, 1, 0};
  TtTiming t;
  return tt_predict(r->arena, program, &sizes, &t) ? fmax(t.dram, t.matrix + t.vector) : -1;
}

static Table programs_of(TtRun *r) {
  Table t = {tt_arena_alloc(r->arena, (size_t)(r->programs.n + 1) * sizeof *t.rows), 0};
  for (intptr_t i = 0; i < r->programs.n; ++i) {
    MlirOperation program = r->programs.data[i];
    intptr_t at = 0;
    while (at < t.n && !tt_op_eq(t.rows[at].program, program)) ++at;
    if (at < t.n) continue;
    t.rows[t.n++] = (Row){.program = program,
                          .name = tt_arena_identifier(r->arena, tt_symbol_name(program)),
                          .ops = ops_of(r->arena, program),
                          .least = least_of(r, program)};
  }
  return t;
}

/* Adds what the device has left of each launch. */
static void read_launches(TtRun *r, Table *t) {
  FILE *file = fopen(tt_arena_printf(r->arena, "%s/clk", r->folder), "r");
  char line[512], name[256];
  double clk, bytes;
  int cores;
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lf %d %lf %255s", &clk, &cores, &bytes, name) != 4) continue;
    for (intptr_t i = 0; i < t->n; ++i) {
      Row *row = &t->rows[i];
      if (strcmp(row->name, name) != 0) continue;
      row->launches++, row->cores = cores, row->clk += clk, row->bytes += bytes;
    }
  }
  if (file) fclose(file);
}

static void print_row(const char *name, int width, const char *ops, int ops_width, int cores,
                      double clk, double least, double bytes) {
  char number[16] = "", share[16] = "-";
  if (cores) snprintf(number, sizeof number, "%d", cores);
  if (least >= 0 && clk > 0) snprintf(share, sizeof share, "%.0f%%", 100 * least / clk);
  printf("  %-*s  %-*s %5s %9.0f %9s %8.2f\n", width, name, ops_width, ops, number, clk, share,
         bytes * 1e-6);
}

/* A line a kernel: its clk and name. */
static void write_clks(const char *path, const Table *t) {
  FILE *file = fopen(path, "w");
  for (intptr_t i = 0; file && i < t->n; ++i)
    fprintf(file, "%.0f %s\n", t->rows[i].clk, t->rows[i].name);
  if (file) fclose(file);
}

void tt_print_launches(TtRun *r) {
  Table t = programs_of(r);
  read_launches(r, &t);
  if (r->options.clks) write_clks(r->options.clks, &t);
  int width = 6, ops_width = 3, launches = 0;
  double clk = 0, least = 0, bytes = 0;
  bool known = true;
  for (intptr_t i = 0; i < t.n; ++i) {
    const Row *row = &t.rows[i];
    if ((int)strlen(row->name) > width) width = (int)strlen(row->name);
    if ((int)strlen(row->ops) > ops_width) ops_width = (int)strlen(row->ops);
    launches += row->launches, clk += row->clk, bytes += row->bytes;
    least += row->launches * row->least;
    known = known && row->least >= 0;
  }
  char *sum = tt_arena_printf(r->arena, "%d launches", launches);
  if ((int)strlen(sum) > width) width = (int)strlen(sum);
  printf("  %-*s  %-*s cores       clk  at least  DRAM MB\n", width, "kernel", ops_width, "ops");
  for (intptr_t i = 0; i < t.n; ++i) {
    const Row *row = &t.rows[i];
    print_row(row->name, width, row->ops, ops_width, row->cores, row->clk,
              row->launches * row->least, row->bytes);
  }
  print_row(sum, width, "", ops_width, 0, clk, known ? least : -1, bytes);
}
