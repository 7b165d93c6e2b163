/*===- device.c - memory, programs, and the run -------------------------------------===*/

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Device emu;

void *emu_calloc(size_t n, size_t size) {
  void *memory = calloc(n, size);
  if (!memory) emu_fatal("out of memory (%zu bytes)", n * size);
  return memory;
}

int ttemu_role(void) { return emu.running->role; }
uintptr_t ttemu_arg_address(uint32_t index, bool common, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  return (uintptr_t)(common ? risc->kernel->common_args + index : risc->args + index);
}

uint32_t ttemu_relative_x(void) { return emu.running->core->x - emu.running->kernel->first_x; }
uint32_t ttemu_relative_y(void) { return emu.running->core->y - emu.running->kernel->first_y; }

void ttemu_kernel_failure(const char *condition, uint32_t line) {
  emu.running->line = line;
  emu_error(emu.running, 21, "an ASSERT of the kernel fails: %s", condition);
}

static ttemu_printer printer;

void ttemu_set_printer(ttemu_printer take) { printer = take; }

void ttemu_print(const char *text, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  if (printer && printer(emu.device, risc->core->x, risc->core->y, risc->role, text)) return;
  printf("(%u,%u):%s: %s", risc->core->x, risc->core->y, emu_role_short(risc->role), text);
  if (!*text || text[strlen(text) - 1] != '\n') putchar('\n');
}

void ttemu_waypoint(const char *name) {
  snprintf(emu.running->waypoint, WAYPOINT_BYTES, "%s", name);
}

void ttemu_leave_word(uint32_t value) {
  Risc *risc = emu.running;
  risc->words[risc->num_words++ % LAST_WORDS] = value;
}

uint32_t ttemu_core_x(void) { return emu.running->core->x; }
uint32_t ttemu_core_y(void) { return emu.running->core->y; }

uint32_t ttemu_arg(uint32_t index, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  if (index >= risc->num_args)
    emu_error(risc, 20, "runtime argument %u is read, but the host set %u", index, risc->num_args);
  return risc->args[index];
}

uint32_t ttemu_common_arg(uint32_t index, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  if (index >= risc->kernel->num_common_args)
    emu_error(risc, 20, "common runtime argument %u is read, but the host set %u", index,
              risc->kernel->num_common_args);
  return risc->kernel->common_args[index];
}

/*===- The device ---------------------------------------------------------------------------===*/

const TtChip *emu_chip_of_environment(void) {
  const char *name = getenv("TTEMU_ARCH");
  if (!name || !*name) return &tt_chips[0];
  const TtChip *chip = tt_chip_named(name);
  if (!chip) emu_fatal("TTEMU_ARCH is '%s'; there are %s", name, tt_chip_names());
  return chip;
}

static uint64_t number(const char *name, uint64_t fallback) {
  const char *text = getenv(name);
  char *end;
  if (!text || !*text) return fallback;
  uint64_t value = strtoull(text, &end, 10);
  if (*end) emu_fatal("%s is '%s'; it takes a number", name, text);
  return value;
}

static void end_at_exit(void) {
  ttemu_wait();
  emu_forget_reads();
}

void ttemu_open(void) {
  static bool waits_at_exit = false;
  if (emu.open) emu_fatal("the emulated device is open already");
  if (!waits_at_exit) atexit(end_at_exit);
  waits_at_exit = true;
  emu = (Device){.chip = emu_chip_of_environment(), .open = true};
  emu_figures_open();
  const char *math = getenv("TTEMU_MATH");
  emu.fast = math && strcmp(math, "fast") == 0;
  emu.seed = number("TTEMU_SEED", 0);
  emu.max_events = number("TTEMU_MAX_EVENTS", UINT64_C(2000000000));
  emu.max_seconds = number("TTEMU_MAX_SECONDS", 60);
  const char *races = getenv("TTEMU_RACES");
  emu.races = !races || strcmp(races, "0") != 0;
  emu.progress = getenv("TTEMU_PROGRESS") && isatty(2);
  emu_memory_open();
  emu_catch_faults();
  emu_routes_open();
  emu_trace_open();
  emu.bank_busy = emu_calloc(emu.chip->dram_banks, sizeof *emu.bank_busy);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  emu_pool_open((int)number("TTEMU_THREADS", processors > 1 ? (uint64_t)processors : 1) - 1);
}

void ttemu_host_failure(const char *file, int line, const char *condition, const char *text) {
  emu_fatal("%s:%d: %s%s(expected: %s)", file, line, text, *text ? " " : "", condition);
}

void ttemu_close(void) {
  if (!emu.open) return;
  ttemu_wait();
  emu_forget_reads();
  emu_trace_close();
  emu_race_close();
  emu_pool_close();
  emu_memory_close();
  emu_routes_close();
  free(emu.l1), free(emu.bank_busy);
  emu = (Device){.chip = NULL};
}

/* Programs may ask before they open a device. */
static const TtChip *chip(void) {
  if (!emu.chip) emu.chip = emu_chip_of_environment();
  return emu.chip;
}

uint32_t ttemu_grid_x(void) { return chip()->grid_x; }
uint32_t ttemu_grid_y(void) { return chip()->grid_y; }

uint32_t ttemu_dram_banks(void) { return chip()->dram_banks; }

bool ttemu_bank_node(bool dram, uint32_t bank, uint32_t *x, uint32_t *y) {
  const TtChip *c = chip();
  if (bank >= (dram ? c->dram_banks : c->grid_x * c->grid_y)) return false;
  *x = dram ? c->bank_at[bank].x : bank % c->grid_x + TTEMU_NOC_ORIGIN;
  *y = dram ? c->bank_at[bank].y : bank / c->grid_x + TTEMU_NOC_ORIGIN;
  return true;
}
uint32_t ttemu_num_cbs(void) {
  uint32_t named = (uint32_t)emu_era()->cbs, cbs = chip()->cbs;
  return named > 0 && named < cbs ? named : cbs;
}
uint64_t ttemu_dram_bytes(void) { return chip()->dram_bytes; }
static bool l1_asked;
bool emu_host_asks_l1(void) { return l1_asked; }
uint32_t ttemu_l1_base(void) { return chip()->l1_base; }
uint32_t ttemu_l1_base_asked(void) {
  l1_asked = true;
  return chip()->l1_base;
}
uint32_t ttemu_semaphore_address(uint32_t id) {
  return chip()->l1_base - SEMAPHORE_BYTES + 16 * id;
}
uint32_t ttemu_clock_mhz(void) { return (uint32_t)(chip()->clock_ghz * 1000); }
uint32_t ttemu_l1_bytes(void) { return chip()->l1_size - chip()->l1_base; }
const char *ttemu_arch(void) { return chip()->name; }
