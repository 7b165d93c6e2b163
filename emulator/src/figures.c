/*===- figures.c - what the clock of this run goes by -----------------------------------------===
 *
 * The tables of lib/Target. With TTEMU_COSTS=N, a number, each figure is another one, between
 * half and twice of what it is there: what a program computes must be the same for all N.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>

static TtChip chip;
static TtCosts costs;

/* The next of a sequence of random numbers. */
static uint64_t draw(uint64_t *state) {
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 31;
}

/* Times 1/2, 3/4 … 2, and at least 1. */
static uint64_t change(uint64_t figure, uint64_t *state) {
  figure = figure * (2 + draw(state) % 7) / 4;
  return figure ? figure : 1;
}

static void change_all(uint64_t *state) {
  uint64_t *const of_chip[] = {
      &chip.write_latency,        &chip.write_hop,     &chip.noc_bytes_per_clk,  &chip.noc_issue,
      &chip.mixed_static,         &chip.mixed_dynamic, &chip.bank_bytes_per_clk, &chip.bank_turn,
      &chip.unpack_bytes_per_clk, &chip.call};
  for (size_t i = 0; i < sizeof of_chip / sizeof *of_chip; ++i)
    *of_chip[i] = change(*of_chip[i], state);
  for (int i = 0; i < TT_NUM_READS; ++i) chip.read_latency[i] = change(chip.read_latency[i], state);
  uint32_t *figures = (uint32_t *)(void *)&costs; /* it holds nothing else */
  for (size_t i = 0; i < sizeof costs / sizeof *figures; ++i)
    figures[i] = (uint32_t)change(figures[i], state);
}

void emu_figures_open(void) {
  const char *text = getenv("TTEMU_COSTS");
  emu.costs = tt_costs(emu.chip);
  if (!text || !*text) return;
  char *end;
  uint64_t state = strtoull(text, &end, 10);
  if (*end) emu_fatal("TTEMU_COSTS is '%s'; it takes a number", text);
  chip = *emu.chip;
  costs = *emu.costs;
  change_all(&state);
  emu.chip = &chip;
  emu.costs = &costs;
}
