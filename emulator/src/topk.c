/*===- topk.c - the largest elements of columns -----------------------------------------------===
 *
 * A column of two tiles, one below the other, is a sequence of 64 values; two more tiles hold
 * what goes with them, as a rule their indices. A bitonic network sorts, in place, as the chip
 * does, comparison by comparison: where values are equal, it decides which index comes first.
 *
 *   sort      phases 0, 1, …: sequences of 2, 4, … elements, in alternating order
 *   merge     of two sorted sequences, the larger half of all elements to the first
 *   rebuild   sequences that were merged are sorted again
 *
 * Values compare by sign and magnitude, so that -0 is below 0 and NaN has a place.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

enum { LENGTH = 64, GROUP = 16, SETS_OF_COLUMNS = 4, MOVES = 16 };

typedef struct Sequences {
  uint32_t *values[2], *indices[2]; /* tiles */
  bool stable;
  uint64_t clks;
} Sequences;

/* Which element comes first in the column. Where they are equal, MIN_FIRST swaps their indices,
 * unless the sort is stable; the others leave them. */
typedef enum Rule { MAX_FIRST, MIN_FIRST, MIN_FIRST_KEEPS } Rule;

static int32_t key(uint32_t bits) {
  return bits >> 31 ? (int32_t)~(bits & 0x7fffffffu) : (int32_t)bits;
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t old = *a;
  *a = *b, *b = old;
}

/* Elements a and b, a < b, of all columns. */
static void exchange(const Sequences *s, uint32_t a, uint32_t b, Rule rule) {
  uint32_t *x = s->values[a / 32] + a % 32 * 32, *y = s->values[b / 32] + b % 32 * 32;
  uint32_t *ix = s->indices[a / 32] + a % 32 * 32, *iy = s->indices[b / 32] + b % 32 * 32;
  for (int c = 0; c < 32; ++c) {
    int32_t p = key(x[c]), q = key(y[c]);
    bool swaps = rule == MAX_FIRST ? p < q : q < p || (p == q && rule == MIN_FIRST && !s->stable);
    if (swaps) swap(&x[c], &y[c]), swap(&ix[c], &iy[c]);
  }
}

static Rule other(Rule rule) { return rule == MAX_FIRST ? MIN_FIRST : MAX_FIRST; }

/* n elements from a on, with those at a distance. */
static void exchange_all(const Sequences *s, uint32_t a, uint32_t n, uint32_t distance, Rule rule) {
  for (uint32_t i = 0; i < n; ++i) exchange(s, a + i, a + i + distance, rule);
}

/* Sixteen elements are loaded, swapped so often, and stored. */
static void count(Sequences *s, uint32_t swaps) {
  s->clks += SETS_OF_COLUMNS * (MOVES + 2 * swaps * (s->stable ? 2 : 1));
}

/*===- Sorted sequences of 2, 4, 8 and 16 elements --------------------------------------------===*/

static void sort_2(Sequences *s, uint32_t at) {
  for (uint32_t i = at; i < at + GROUP; i += 4) {
    exchange(s, i, i + 1, MAX_FIRST);
    exchange(s, i + 2, i + 3, MIN_FIRST_KEEPS);
  }
  count(s, 3);
}

/* Steps of distance 2 and 1 in four elements. */
static void sort_4(const Sequences *s, uint32_t at, Rule rule) {
  exchange_all(s, at, 2, 2, rule);
  exchange(s, at, at + 1, rule), exchange(s, at + 2, at + 3, rule);
}

static void sort_8(const Sequences *s, uint32_t at, Rule rule) {
  exchange_all(s, at, 4, 4, rule);
  sort_4(s, at, rule), sort_4(s, at + 4, rule);
}

static void sort_16(Sequences *s, uint32_t at, Rule rule) {
  exchange_all(s, at, 8, 8, rule);
  sort_8(s, at, rule), sort_8(s, at + 8, rule);
  count(s, 10);
}

/* Two of 8 in opposite orders, or four of 4, at a distance from each other. */
static void sort_two_8(Sequences *s, uint32_t at, uint32_t distance) {
  sort_8(s, at, MAX_FIRST), sort_8(s, at + distance, MIN_FIRST);
  count(s, 8);
}

static void sort_fours(Sequences *s, uint32_t at, uint32_t distance, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) sort_4(s, at + i * distance, i % 2 ? MIN_FIRST : MAX_FIRST);
  count(s, 6);
}

/* Longer ones, from a step on to one before another; then groups of 16. */
static void sort_long(Sequences *s, bool up, uint32_t log_length, uint32_t first_step,
                      uint32_t last_step) {
  uint32_t length = 1u << log_length;
  for (uint32_t step = first_step; step > last_step; --step) {
    uint32_t distance = step == 5 ? 16 : 32, done = 0;
    bool upward = up;
    for (uint32_t at = 0; at < LENGTH; at += 2 * distance) {
      exchange_all(s, at, distance, distance, upward ? MIN_FIRST_KEEPS : MAX_FIRST);
      done += 2 * distance;
      if (done == length) upward = !upward;
    }
    for (int pass = 0; pass < LENGTH / GROUP; ++pass) count(s, 2);
  }
  bool upward = up;
  for (uint32_t at = 0; at < LENGTH; at += GROUP) {
    sort_16(s, at, upward ? MIN_FIRST : MAX_FIRST);
    if (at + GROUP == length) upward = !upward;
  }
}

static void sort_phase(Sequences *s, bool up, int phase) {
  Rule rule = up ? MIN_FIRST : MAX_FIRST;
  for (uint32_t at = 0; at < LENGTH; at += GROUP, rule = other(rule)) {
    if (phase == 0) sort_2(s, at);
    if (phase == 1) sort_fours(s, at, 4, 4);
    if (phase == 2) sort_two_8(s, at, 8);
    if (phase == 3) sort_16(s, at, rule);
  }
}

/*===- What kernels call ----------------------------------------------------------------------===*/

static bool enter(Sequences *s, uint32_t dst, bool stable, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != MATH) return false;
  if (risc->sfpu != TTEMU_NUM_SFPU + TTEMU_TOPK)
    emu_error(risc, 11, "a step of top-k runs without topk_tile_init");
  *s = (Sequences){.stable = stable};
  for (uint32_t i = 0; i < 2; ++i) {
    s->values[i] = emu_math_tile(risc, dst + i, NULL);
    s->indices[i] = emu_math_tile(risc, dst + 2 + i, NULL);
  }
  emu_flush(risc->core);
  return true;
}

static void leave(const Sequences *s) {
  emu.running->time += s->clks;
  emu.running->core->math_busy += s->clks;
}

void ttemu_topk_sort(uint32_t dst, bool up, ttemu_topk_phases p, bool stable, uint32_t line) {
  Sequences s;
  if (!enter(&s, dst, stable, line)) return;
  if (p.first < 0 || p.last > 5)
    emu_error(emu.running, 11, "top-k sorts in phases 0 to 5, not %d to %d", p.first, p.last);
  bool alone = p.first == p.last;
  for (int phase = p.first; phase <= p.last; ++phase) {
    uint32_t steps = (uint32_t)phase + 1;
    if (phase < 4) sort_phase(&s, up, phase);
    else
      sort_long(&s, up, steps, alone ? (uint32_t)p.first_step : steps,
                alone ? (uint32_t)p.last_step : 4);
  }
  leave(&s);
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
/* A shift that may go past the word. */
static uint32_t times_two_to(uint32_t n, uint32_t power) { return power > 5 ? 64 : n << power; }
static uint32_t by_two_to(uint32_t n, uint32_t power) { return power > 31 ? 0 : n >> power; }

void ttemu_topk_merge(uint32_t dst, uint32_t iteration, uint32_t k, bool smallest, bool stable,
                      uint32_t line) {
  Sequences s;
  if (!enter(&s, dst, stable, line)) return;
  k = smaller(k, 32);
  uint32_t distance = smaller(32, times_two_to(k, iteration));
  uint32_t all = larger(2 * k, by_two_to(LENGTH, iteration));
  for (uint32_t at = 0, done = 0; done < all; at += 2 * distance, done += 2 * k) {
    exchange_all(&s, at, k, distance, smallest ? MIN_FIRST_KEEPS : MAX_FIRST);
    for (uint32_t i = 0; i < k; i += 8) count(&s, 2);
  }
  leave(&s);
}

void ttemu_topk_rebuild(uint32_t dst, bool up, uint32_t iteration, uint32_t k, bool half,
                        bool stable, uint32_t line) {
  Sequences s;
  if (!enter(&s, dst, stable, line)) return;
  uint32_t distance = smaller(32, times_two_to(k, iteration + 1));
  uint32_t all = larger(2 * k, by_two_to(LENGTH, iteration + 1)) >> half;
  Rule rule = up ? MIN_FIRST : MAX_FIRST;
  if (k == 32 || k == 64) sort_long(&s, up, k == 32 ? 5 : 6, k == 32 ? 5 : 6, 4);
  else if (k != 4 && k != 8 && k != 16)
    emu_error(emu.running, 11, "top-k keeps 4, 8, 16, 32 or 64 elements, not %u", k);
  else
    for (uint32_t at = 0, done = 0; done < all; at += 32, done += GROUP, rule = other(rule)) {
      if (k == 4) sort_fours(&s, at, distance, iteration >= 2 ? 2 : 4);
      if (k == 8) sort_two_8(&s, at, distance);
      if (k == 16) sort_16(&s, at, rule);
    }
  leave(&s);
}
