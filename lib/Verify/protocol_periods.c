/*===- protocol_periods.c - repetitions that are alike are left out ---------------------------===
 *
 * Where a loop of some process starts again, the state of all processes is compared with that of an
 * earlier round. If all that is yes or no is as it was, the numbers have grown, and may grow by as
 * much each time:
 *
 *   round 3    k = 3, pages pushed 12, in the buffer 2
 *   round 4    k = 4, pages pushed 16, in the buffer 2       k grows by 1, pushed by 4, the buffer
 * by 0
 *
 * So the rounds up to the next time are run with numbers that know how they grow
 * (protocol_values.c). If at their end all has grown as before, then every repetition goes the same
 * way, as often as each decision on the way says; all but the last of these are skipped. Nothing is
 * assumed: where no round is like another, all of them run.
 *
 * The last repetition is run: decisions that hold in the first and in the last one of an inner
 * period, for some repetitions of an outer one, hold in all between.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

#include <string.h>

/* Loops of no more rounds are run as they are; where a round has few steps, or the state is large,
 * more of them cost less than copies of the state. */
enum { FEW_ROUNDS = 16, FEW_BRIEF_ROUNDS = 128, VALUES_A_ROUND = 64 };

static void copy_state(const TtProtocolRun *r, TtSnapshot *to) {
  if (!to->values) {
    to->values = tt_arena_alloc(r->arena, r->num_values * sizeof *to->values);
    to->marks = tt_arena_alloc(r->arena, r->num_marks * sizeof *to->marks);
  }
  memcpy(to->values, r->values, r->num_values * sizeof *to->values);
  memcpy(to->marks, r->marks, r->num_marks * sizeof *to->marks);
}

static bool same_marks(const TtProtocolRun *r, const TtSnapshot *s) {
  return memcmp(s->marks, r->marks, r->num_marks * sizeof *s->marks) == 0;
}

/* Whether every buffer holds as much as it did. */
static bool same_held(const TtProtocolRun *r, const TtSnapshot *s) {
  for (int i = 0; i < r->num_cores; ++i)
    for (int c = 0; c < r->p->num_cbs; ++c) {
      const TtGrowing *held = &r->cores[i].held[c];
      if (s->values[held - r->values].at != held->at) return false;
    }
  return true;
}

/* Ends looking at period k and those inside of it. */
static void drop_periods(TtProtocolRun *r, int k) {
  if (k >= r->depth) return;
  for (size_t i = 0; i < r->num_values; ++i)
    for (int j = k; j < r->depth; ++j) r->values[i].by[j] = 0;
  r->depth = k;
}

static int period_of(const TtProtocolRun *r, const TtProcess *p, int loop) {
  for (int k = 0; k < r->depth; ++k)
    if (r->periods[k].process == p->number && r->periods[k].loop == loop) return k;
  return -1;
}

/* What processes wait for is looked at again: how it grows has changed. */
static void wake_all(TtProtocolRun *r) {
  for (int i = 0; i < r->num_cores; ++i)
    for (int k = 0; k < TT_NUM_PROCESSES; ++k) r->cores[i].processes[k].awaits = NULL;
}

/* Starts to look at the next `rounds` rounds, after as many that led here from `before`. */
static void start_period(TtProtocolRun *r, TtProcess *p, int loop, const TtSnapshot *before,
                         int64_t rounds) {
  int k = r->depth++;
  TtPeriod *period = &r->periods[k];
  for (size_t i = 0; i < r->num_values; ++i)
    if (__builtin_sub_overflow(r->values[i].at, before->values[i].at, &r->values[i].by[k]))
      r->values[i].by[k] = 0;
  wake_all(r);
  period->process = p->number, period->loop = loop, period->left = rounds;
  period->level = p->steps->data[loop].level, period->repeats = INT64_MAX;
  copy_state(r, &period->start);
}

/* Whether all has grown as at the start of period k, and grows on like that. */
static bool is_regular(const TtProtocolRun *r, int k) {
  const TtSnapshot *start = &r->periods[k].start;
  if (!same_marks(r, start)) return false;
  for (size_t i = 0; i < r->num_values; ++i) {
    const TtGrowing *now = &r->values[i], *then = &start->values[i];
    if ((uint64_t)now->at - (uint64_t)then->at != (uint64_t)then->by[k]) return false;
    if (memcmp(now->by, then->by, (size_t)(k + 1) * sizeof *now->by) != 0) return false;
  }
  return true;
}

/* From the end of the first repetition to the start of the last. */
static bool skip(TtProtocolRun *r, int k) {
  int64_t n = r->periods[k].repeats - 2, grown;
  if (n <= 0 || r->periods[k].repeats == INT64_MAX) return false;
  for (size_t i = 0; i < r->num_values; ++i) {
    TtGrowing *v = &r->values[i];
    if (__builtin_mul_overflow(v->by[k], n, &grown) || __builtin_add_overflow(v->at, grown, &grown))
      return false;
  }
  for (size_t i = 0; i < r->num_values; ++i) r->values[i].at += r->values[i].by[k] * n;
  return true;
}

static void end_period(TtProtocolRun *r, TtAnchor *anchor, int k) {
  wake_all(r);
  drop_periods(r, k + 1);
  bool skipped = is_regular(r, k) && skip(r, k);
  drop_periods(r, k);
  anchor->has_last = false;
  anchor->saved_round = -1;
  /* Where that did not help, it is tried again less and less often. */
  anchor->retry = skipped ? anchor->round : anchor->round * 2;
  /* Buffers that fill at first may breathe later on, in a rhythm of several rounds. */
  anchor->steady = !skipped;
}

void tt_loop_entered(TtProtocolRun *r, TtProcess *p, int loop, int64_t rounds) {
  int level = p->steps->data[loop].level;
  if (level >= TT_MAX_LOOP_LEVELS) return;
  TtAnchor *a = &p->anchors[level];
  int64_t few = r->briefly ? FEW_BRIEF_ROUNDS : FEW_ROUNDS,
          worth = few + (int64_t)(r->num_values / VALUES_A_ROUND);
  bool looks = rounds > worth || (rounds > few && a->run > worth);
  if (!looks && rounds <= worth) a->run += rounds;
  a->loop = looks && !r->p->options.exhaustive ? loop : -1;
  a->round = a->retry = 0;
  a->saved_round = -1;
  a->has_last = a->steady = false;
}

static bool is_candidate(const TtProtocolRun *r, const TtAnchor *a, const TtSnapshot *s) {
  return same_marks(r, s) && (!a->steady || same_held(r, s));
}

static bool is_running(const TtProcess *p) { return p->marks->pc < p->steps->n; }

/* Of cores that run together, the first that runs of those with the same kernels looks: what
 * repeats for it does so for all. Where these are very many, its first process does. */
static bool leads(const TtProtocolRun *r, const TtProcess *p) {
  enum { MANY_CORES = 16 };
  for (const TtCoreState *core = r->cores; core < p->core; ++core) {
    if (core->island != p->core->island ||
        memcmp(core->core->kernels, p->core->core->kernels, sizeof core->core->kernels) != 0)
      continue;
    for (int i = 0; i < TT_NUM_PROCESSES; ++i)
      if (is_running(&core->processes[i])) return false;
  }
  for (int i = 0; i < p->kind && r->num_cores > MANY_CORES; ++i) {
    const TtProcess *before = &p->core->processes[i];
    if (is_running(before) && before->anchors[0].loop >= 0 && before->anchors[0].round > 0)
      return false;
  }
  return true;
}

/* Several processes may look at loops side by side, but not so many that none is left to look at
 * the loops in these, whose rounds would all run. */
static bool has_room(const TtProtocolRun *r, int level) {
  enum { SIDE_BY_SIDE = 2 };
  for (int k = 0; k < r->depth && r->depth >= SIDE_BY_SIDE; ++k)
    if (r->periods[k].level >= level) return false;
  return r->depth < TT_MAX_PERIODS;
}

static void look_for_period(TtProtocolRun *r, TtProcess *p, TtAnchor *a) {
  if (a->round < a->retry || !leads(r, p)) return;
  if (a->has_last && is_candidate(r, a, &a->last)) {
    start_period(r, p, a->loop, &a->last, 1);
    return;
  }
  if (a->saved_round >= 0 && is_candidate(r, a, &a->saved)) {
    start_period(r, p, a->loop, &a->saved, a->round - a->saved_round);
    return;
  }
  copy_state(r, &a->last);
  a->has_last = true;
  if ((a->round & (a->round - 1)) == 0) { /* so that a longer period is found as well */
    copy_state(r, &a->saved);
    a->saved_round = a->round;
  }
}

void tt_loop_repeats(TtProtocolRun *r, TtProcess *p, int loop) {
  int level = p->steps->data[loop].level;
  if (level >= TT_MAX_LOOP_LEVELS || p->anchors[level].loop != loop) return;
  TtAnchor *a = &p->anchors[level];
  int k = period_of(r, p, loop);
  ++a->round;
  if (k >= 0 && --r->periods[k].left == 0) end_period(r, a, k);
  else if (k < 0 && has_room(r, level)) look_for_period(r, p, a);
}

void tt_loop_left(TtProtocolRun *r, TtProcess *p, int loop) {
  int k = period_of(r, p, loop);
  if (k >= 0) drop_periods(r, k);
}
