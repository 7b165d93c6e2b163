/*===- summary.c - where the time of a run went --------------------------------------------===
 *
 *   12557 clk on 64 cores (12.6 us at 1.00 GHz), math busy 5.2%
 *     DRAM  0.43 MB read, 0.43 MB written: 68.9 of 264 B/clk (26%)
 *     DST: 64 sections, 128 tiles packed, 32 copied in, 0 of them packed before
 *     reader.cpp on data movement 1: 4% working, 93% reads, 3% space in a circular buffer
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct Share {
  uint64_t all, waits[NUM_WAITS];
} Share;

/* A kernel's file and the folder that it is in, which has its program's name where we emit it. */
static const char *file_name(const char *path) {
  const char *name = path + strlen(path);
  int slashes = 0;
  while (name > path && (name[-1] != '/' || ++slashes < 2)) --name;
  return name;
}

const char *emu_program_folder(const ttemu_program *program, int *length) {
  const char *name = program->num_kernels ? file_name(program->kernels[0]->path) : "";
  *length = (int)strcspn(name, "/");
  return name;
}

static uint32_t num_cores(void) { return emu.chip->grid_x * emu.chip->grid_y; }

/* What the processors of a role that run this kernel waited for, all together. */
static Share share_of(const ttemu_program *program, const Kernel *kernel, int role) {
  Share share;
  memset(&share, 0, sizeof share);
  for (uint32_t i = 0; i < num_cores(); ++i) {
    const Risc *risc = program->cores[i] ? &program->cores[i]->riscs[role] : NULL;
    if (!risc || risc->kernel != kernel) continue;
    share.all += risc->time;
    for (int w = 1; w < NUM_WAITS; ++w) share.waits[w] += risc->waited_clk[w];
  }
  return share;
}

static void print_share(const Kernel *kernel, int role, const Share *share) {
  uint64_t waited = 0;
  if (share->all == 0) return;
  double all = (double)share->all;
  for (int w = 1; w < NUM_WAITS; ++w) waited += share->waits[w];
  fprintf(stderr, "    %s on %s: %.0f%% working", file_name(kernel->path), emu_role_name(role),
          100.0 * (all - (double)waited) / all);
  for (int w = 1; w < NUM_WAITS; ++w) {
    double percent = 100.0 * (double)share->waits[w] / all;
    if (percent >= 0.5)
      fprintf(stderr, ", %.0f%% waiting for %s", percent, emu_wait_name((WaitKind)w));
  }
  fputc('\n', stderr);
}

/* How often DST was filled and emptied, and how much of it went through L1 in between. */
static void print_dst(const ttemu_program *program) {
  unsigned long long sections = 0, packs = 0, copies = 0, back = 0;
  for (uint32_t i = 0; i < num_cores(); ++i) {
    const Core *core = program->cores[i];
    if (!core) continue;
    sections += core->sections, packs += core->packs;
    copies += core->copies, back += core->copies_back;
  }
  if (sections)
    fprintf(
        stderr,
        "    DST: %llu sections, %llu tiles packed, %llu copied in, %llu of them packed before\n",
        sections, packs, copies, back);
}

static void print_memory(double clk) {
  const TtChip *chip = emu.chip;
  double limit = (double)(chip->bank_bytes_per_clk * chip->dram_banks);
  double rate = (double)emu.dram_moved / clk;
  fprintf(
      stderr,
      "    NoC %.2f MB read, %.2f MB written; of these DRAM %.2f MB, %.1f of %.0f B/clk (%.0f%%)",
      (double)emu.bytes_read * 1e-6, (double)emu.bytes_written * 1e-6,
      (double)emu.dram_moved * 1e-6, rate, limit, 100.0 * rate / limit);
  if (emu.own_moved) fprintf(stderr, ", within a core %.2f MB", (double)emu.own_moved * 1e-6);
  fputc('\n', stderr);
}

/* Adds a line to the file that is asked for: clk, cores, bytes of DRAM, and the folder of the
 * kernels. */
static void leave_clk(const ttemu_program *program, uint64_t cores) {
  const char *path = getenv("TTEMU_CLOCK");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  int length;
  const char *name = emu_program_folder(program, &length);
  fprintf(file, "%llu %llu %llu %.*s\n", (unsigned long long)emu.clock, (unsigned long long)cores,
          (unsigned long long)emu.dram_moved, length, name);
  fclose(file);
}

/* What this program is expected to take: "gemm=1200,softmax=900," names each; empty where it is
 * not among them. */
static const char *predicted_for(const ttemu_program *program, int *length) {
  int name_length;
  const char *name = emu_program_folder(program, &name_length), *at = getenv("TTEMU_PREDICTED");
  *length = 0;
  while (at && *at) {
    size_t entry = strcspn(at, ",");
    if (strncmp(at, name, (size_t)name_length) == 0 && at[name_length] == '=') {
      *length = (int)entry - name_length - 1;
      return at + name_length + 1;
    }
    at += entry + (at[entry] == ',');
  }
  return "";
}

uint64_t emu_predicted_clk(const ttemu_program *program) {
  int length;
  const char *clk = predicted_for(program, &length);
  return length ? strtoull(clk, NULL, 10) : 0;
}

void emu_summarize(const ttemu_program *program, double seconds) {
  uint64_t busy = 0, cores = 0;
  for (uint32_t i = 0; i < num_cores(); ++i)
    if (program->cores[i]) busy += program->cores[i]->math_busy, ++cores;
  double clk = emu.clock ? (double)emu.clock : 1.0, ghz = emu.chip->clock_ghz;
  int length;
  const char *predicted = predicted_for(program, &length);
  leave_clk(program, cores);
  fprintf(stderr, "  %llu clk on %llu core(s) (%.1f us at %.2f GHz), math busy %.1f%%%s%.*s%s\n",
          (unsigned long long)emu.clock, (unsigned long long)cores, clk / ghz * 1e-3, ghz,
          100.0 * (double)busy / clk / (double)(cores ? cores : 1), length ? ", predicted " : "",
          length, predicted, emu.fast ? " (--math=fast: f32 sums, not the chip's)" : "");
  print_memory(clk);
  print_dst(program);
  for (uint32_t k = 0; k < program->num_kernels; ++k)
    for (int role = 0; role < NUM_RISCS; ++role) {
      Share share = share_of(program, program->kernels[k], role);
      print_share(program->kernels[k], role, &share);
    }
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  fprintf(stderr, "    emulated in %.2f s, %ld MB\n", seconds, used.ru_maxrss / 1024);
}
