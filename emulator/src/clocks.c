/*===- clocks.c - vector clocks --------------------------------------------------------------===
 *
 * A processor knows its own core's lanes apart from those of the others: what passes
 * within a core changes a few numbers, and the large part, which only signals from
 * other cores change, is shared until it does.
 *
 *===----------------------------------------------------------------------===*/

#include "race.h"

#include <stdlib.h>
#include <string.h>

static uint32_t num_cores;

void race_clocks_open(uint32_t cores) { num_cores = cores; }

uint8_t race_lane(int role, Lane lane, bool other_noc) {
  int of_role = (int)lane + (other_noc && lane != LANE_MAIN ? LANES_OF_NOC - 1 : 0);
  return (uint8_t)(role < UNPACK ? role * MOVER_LANES + of_role : 2 * MOVER_LANES + role - UNPACK);
}

int race_role_of(uint8_t lane) {
  return lane < 2 * MOVER_LANES ? lane / MOVER_LANES : lane - 2 * MOVER_LANES + UNPACK;
}

bool race_is_other_noc(uint8_t lane) {
  return lane < 2 * MOVER_LANES && lane % MOVER_LANES >= LANES_OF_NOC;
}

Lane race_kind_of(uint8_t lane) {
  if (lane >= 2 * MOVER_LANES) return LANE_MAIN;
  return (Lane)(lane % MOVER_LANES - (race_is_other_noc(lane) ? LANES_OF_NOC - 1 : 0));
}

/*===- The shared part ----------------------------------------------------------------------===*/

static Others *keep(Others *others) {
  if (others) ++others->users;
  return others;
}

static void drop(Others *others) {
  if (others && --others->users == 0) free(others);
}

/* Makes the clock's own copy, to be changed. */
static Others *own_others(Clock *clock) {
  Others *old = clock->others;
  if (old && old->users == 1) return old;
  size_t bytes = sizeof *old + num_cores * sizeof *old->of;
  Others *copy = emu_calloc(1, bytes);
  if (old) memcpy(copy, old, bytes);
  drop(old);
  copy->users = 1;
  return clock->others = copy;
}

static void raise_lanes(Lanes *to, const Lanes *from) {
  for (int i = 0; i < CORE_LANES; ++i)
    to->at[i] = from->at[i] > to->at[i] ? from->at[i] : to->at[i];
}

static bool is_known(const Others *from, const Others *to) {
  for (uint32_t c = 0; c < num_cores; ++c) {
    uint32_t more = 0;
    for (int i = 0; i < CORE_LANES; ++i) more |= from->of[c].at[i] > to->of[c].at[i];
    if (more) return false;
  }
  return true;
}

static void learn_others(Clock *clock, Others *from) {
  Others *to = clock->others;
  if (!from || from == to) return;
  if (to && is_known(from, to)) return;
  if (!to || is_known(to, from)) {
    drop(to);
    clock->others = keep(from);
    return;
  }
  to = own_others(clock);
  for (uint32_t c = 0; c < num_cores; ++c) raise_lanes(&to->of[c], &from->of[c]);
}

/*===- Clocks ---------------------------------------------------------------------------------===*/

Clock race_clock_copy(const Clock *clock) {
  Clock copy = *clock;
  keep(copy.others);
  return copy;
}

void race_clock_drop(Clock *clock) {
  drop(clock->others);
  clock->others = NULL;
}

static const Lanes *lanes_of(const Clock *clock, uint32_t core) {
  static const Lanes nothing;
  if (core == clock->core) return &clock->own;
  return clock->others ? &clock->others->of[core] : &nothing;
}

void race_clock_learn(Clock *clock, const Clock *from) {
  if (clock->core == from->core) {
    raise_lanes(&clock->own, &from->own);
    learn_others(clock, from->others);
    return;
  }
  raise_lanes(&clock->own, lanes_of(from, clock->core));
  learn_others(clock, from->others);
  raise_lanes(&own_others(clock)->of[from->core], &from->own);
}

bool race_clock_knows(const Clock *clock, Stamp stamp) {
  return lanes_of(clock, stamp.core)->at[stamp.lane] >= stamp.at;
}

/*===- Some of many -----------------------------------------------------------------------===*/

typedef struct Weighted {
  uint32_t value, weight;
} Weighted;

static int by_value(const void *a, const void *b) {
  uint32_t x = ((const Weighted *)a)->value, y = ((const Weighted *)b)->value;
  return (x > y) - (x < y);
}

void race_clock_learn_some(Clock *clock, const Clock *const *from, const uint32_t *weights,
                           size_t n, uint64_t need) {
  Weighted *sorted = emu_calloc(n, sizeof *sorted);
  for (uint32_t c = 0; c < num_cores; ++c)
    for (int i = 0; i < CORE_LANES; ++i) {
      uint32_t known = lanes_of(clock, c)->at[i];
      bool news = false;
      for (size_t j = 0; j < n; ++j) {
        sorted[j] = (Weighted){lanes_of(from[j], c)->at[i], weights[j]};
        news |= sorted[j].value > known;
      }
      if (!news) continue;
      qsort(sorted, n, sizeof *sorted, by_value);
      uint64_t sum = 0;
      size_t last = 0;
      for (; last < n && (sum += sorted[last].weight) < need; ++last) {
      }
      if (last == n || sorted[last].value <= known) continue;
      Lanes *lanes = c == clock->core ? &clock->own : &own_others(clock)->of[c];
      lanes->at[i] = sorted[last].value;
    }
  free(sorted);
}
