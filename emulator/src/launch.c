/*===- launch.c - programs run, and may wait for the host --------------------------------------===
 *
 *   ttemu_run       a program, to its end
 *   ttemu_launch    until no processor can go on: it may wait for what the host writes next, or
 *                   for a program that the host launches on other cores, which runs beside it
 *   ttemu_wait      what was launched, to its end: nobody is left who could help
 *
 * Programs that run beside each other are one, of all their cores, to whoever looks for the
 * program of a core.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* So often the host looks at memory, and writes nothing, before a run counts as stuck. */
enum { MANY_LOOKS = 10000 };

static struct {
  ttemu_program **data; /* that have not ended */
  size_t n;
  ttemu_program *together; /* all that ran, where a second one came; emu.program then */
  ttemu_program **dead;    /* that the host has given up */
  size_t num_dead;
  uint32_t device, looks;
  double start;
} running;

static uint32_t num_cores(void) { return emu.chip->grid_x * emu.chip->grid_y; }

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *grown(void *data, size_t n, size_t size) {
  data = realloc(data, n * size);
  if (!data) emu_fatal("out of memory");
  return data;
}

/*===- Ends -----------------------------------------------------------------------------------===*/

static void check_dirty(const ttemu_program *program) {
  for (uint32_t i = 0; i < num_cores(); ++i) {
    const Core *core = program->cores[i];
    for (uint32_t c = 0; core && c < MAX_CBS; ++c) {
      uint32_t left = core->cbs[c].received - core->cbs[c].acked;
      if (core->cbs[c].used && left != 0 && !core->cbs[c].overdrawn) {
        fprintf(stderr,
                "warning: [rule 5] %u pages are left in circular buffer %u of core (%u, %u)\n",
                left, c, core->x, core->y);
        if (getenv("TTEMU_STRICT")) emu_fatal("[rule 5] a circular buffer is not empty at the end");
        return;
      }
    }
  }
}

/* Everything has ended. */
static void close_launch(void) {
  ttemu_program *all = emu.program;
  emu_race_end(all);
  emu_trace_launch(all, emu.clock);
  emu_end_warnings();
  emu_note_all_ended();
  if (getenv("TTEMU_SUMMARY")) emu_summarize(all, seconds_now() - running.start);
  for (size_t i = 0; i < running.num_dead; ++i) emu_program_free(running.dead[i]);
  running.num_dead = 0;
  if (running.together) free(running.together->cores), free(running.together->kernels);
  free(running.together);
  running.together = NULL;
}

/* Until no processor can go on. */
static void go_on(bool host_goes_on) {
  emu.launched = true, emu.host_goes_on = host_goes_on;
  emu_schedule();
  for (uint32_t i = 0; i < num_cores(); ++i)
    if (emu.program->cores[i]) emu_flush(emu.program->cores[i]);
  emu.launched = false;
  size_t left = 0;
  for (size_t i = 0; i < running.n; ++i) {
    ttemu_program *program = running.data[i];
    if (!emu_ended(program)) {
      running.data[left++] = program;
      continue;
    }
    emu_stop(program);
    check_dirty(program);
    emu_note_end(program, running.device);
  }
  running.n = left, running.looks = 0;
  if (left == 0) close_launch();
}

bool ttemu_program_runs(const ttemu_program *program) {
  for (size_t i = 0; i < running.n; ++i)
    if (running.data[i] == program) return true;
  return false;
}

bool emu_program_outlives(ttemu_program *program) {
  if (!running.n) return false;
  if (ttemu_program_runs(program)) ttemu_wait();
  if (!running.n) return false;
  running.dead = grown(running.dead, running.num_dead + 1, sizeof(ttemu_program *));
  running.dead[running.num_dead++] = program;
  return true;
}

/*===- Starts ---------------------------------------------------------------------------------===*/

static ttemu_program *copy_of(const ttemu_program *program) {
  ttemu_program *copy = emu_calloc(1, sizeof *copy);
  copy->cores = emu_calloc(num_cores(), sizeof(Core *));
  memcpy(copy->cores, program->cores, num_cores() * sizeof(Core *));
  copy->kernels = emu_calloc(program->num_kernels + 1, sizeof(Kernel *));
  memcpy(copy->kernels, program->kernels, program->num_kernels * sizeof(Kernel *));
  copy->num_kernels = program->num_kernels, copy->num_cbs = program->num_cbs;
  return copy;
}

static void join(const ttemu_program *program) {
  if (!running.together) running.together = emu.program = copy_of(emu.program);
  ttemu_program *all = running.together;
  emu_race_join(program, all);
  for (uint32_t i = 0; i < num_cores(); ++i)
    if (program->cores[i]) all->cores[i] = program->cores[i];
  const uint32_t n = all->num_kernels + program->num_kernels;
  all->kernels = grown(all->kernels, n + 1, sizeof(Kernel *));
  memcpy(all->kernels + all->num_kernels, program->kernels,
         program->num_kernels * sizeof(Kernel *));
  all->num_kernels = n;
}

static bool shares_cores(const ttemu_program *program) {
  for (size_t k = 0; k < running.n; ++k)
    for (uint32_t i = 0; i < num_cores(); ++i)
      if (program->cores[i] && running.data[k]->cores[i]) return true;
  return false;
}

static void begin(ttemu_program *program, bool beside) {
  if (!emu.open) emu_fatal("a program runs after the device was closed");
  if (running.n && (!beside || emu.device != running.device || shares_cores(program))) ttemu_wait();
  const bool alone = running.n == 0;
  ++emu.launches;
  emu_check_formats(program);
  if (alone) emu.program = program, running.device = emu.device;
  emu_program_reset(program, alone);
  if (alone) running.start = seconds_now(), emu_race_begin(program);
  else join(program);
  program->began = alone ? 0 : emu.clock;
  running.data = grown(running.data, running.n + 1, sizeof(ttemu_program *));
  running.data[running.n++] = program;
  emu_start(program, alone);
}

void ttemu_run(ttemu_program *program) {
  begin(program, true);
  go_on(running.n > 1);
  if (ttemu_program_runs(program)) ttemu_wait();
}

void ttemu_launch(ttemu_program *program, bool beside) {
  begin(program, beside);
  go_on(true);
}

/*===- What the host does meanwhile -----------------------------------------------------------===*/

void emu_host_wrote(void) {
  if (!running.n || emu.device != running.device) return;
  emu_wake_all(emu.program);
  go_on(true);
}

void emu_host_looked(void) {
  if (running.n && ++running.looks > MANY_LOOKS) ttemu_wait();
}

bool ttemu_core_runs(uint32_t x, uint32_t y) {
  for (size_t i = 0; i < running.n; ++i)
    if (running.data[i]->cores[y * emu.chip->grid_x + x]) return true;
  return false;
}

void ttemu_wait(void) {
  if (!emu.open || !running.n) return;
  emu_wake_all(emu.program);
  go_on(false);
  if (running.n) emu_deadlock(emu.program);
}
