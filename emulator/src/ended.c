/*===- ended.c - how long launches took, for host programs that ask ---------------------------===
 *
 * A program takes from its launch to the end of its last processor. What the host reads with
 * the profiler's calls is what had ended by then.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>

static struct {
  ttemu_ended *data;
  size_t n, before, read; /* what the reads before the last one had, and the last one */
  uint64_t clock;         /* of the launches before those that run now */
} ended;

void ttemu_program_number(ttemu_program *program, uint64_t number) { program->number = number; }

void emu_note_end(const ttemu_program *program, uint32_t device) {
  uint32_t cores = 0;
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i)
    cores += program->cores[i] != NULL;
  ended.data = realloc(ended.data, (ended.n + 1) * sizeof *ended.data);
  if (!ended.data) emu_fatal("out of memory");
  ended.data[ended.n++] = (ttemu_ended){.number = program->number,
                                        .start = ended.clock + program->began,
                                        .clk = emu.clock - program->began,
                                        .device = device,
                                        .cores = cores};
}

void emu_note_all_ended(void) { ended.clock += emu.clock; }

void ttemu_profile_read(void) {
  ended.before = ended.read;
  ended.read = ended.n;
}

size_t ttemu_profile(bool latest, const ttemu_ended **launches) {
  const size_t from = latest ? ended.before : 0;
  *launches = ended.data ? ended.data + from : NULL;
  return ended.read - from;
}
