/*===- protocol_run.c - an abstract run of a program ------------------------------------------===
 *
 * Each process runs until it must wait; when none can go on, either all have ended or there is a
 * deadlock. Rules are cited by their numbers in docs/rules.md.
 *
 * Cores that send to each other run together. What one run shows is then true of all, but for what
 * happens to be early enough. So each process that speaks to other cores is, in a run of its own,
 * as late as it can be: it steps only where nobody else can. What another process does then, it
 * does without what this one has not done yet; and what this one has done by then comes before it
 * in each run. Its core is alone in its class, so that it is not late together with others.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

/*===- Steps ----------------------------------------------------------------------------------===*/

static TtOutcome enter_loop(TtProtocolRun *r, TtProcess *p, const TtStep *s, int *next) {
  TtGrowing from = tt_evaluate(r, p, s->index[0]), to = tt_evaluate(r, p, s->index[1]),
            by = tt_evaluate(r, p, s->index[2]);
  if (tt_sign(r, by) <= 0)
    return tt_error(s->op,
                    "cannot prove the protocol: the loop's step is %jd, and must be positive",
                    (intmax_t)by.at),
           TT_FAILED;
  if (!tt_is_less(r, from, to) || (s->reads && tt_run_reads(r, p, s))) {
    *next = s->target;
    return TT_GO_ON;
  }
  int64_t rounds = (to.at - from.at) / by.at;
  if (s->waits) from.at += (to.at - from.at - 1) / by.at * by.at, rounds = 1;
  p->slots[s->slot] = from;
  tt_loop_entered(r, p, *next - 1, rounds);
  return TT_GO_ON;
}

/* The next round, or on behind the loop. */
static void end_round(TtProtocolRun *r, TtProcess *p, const TtStep *s, int *next) {
  TtGrowing *variable = &p->slots[s->slot];
  const TtGrowing by = tt_evaluate(r, p, s->index[2]), to = tt_evaluate(r, p, s->index[1]);
  tt_increase(r, variable, &by);
  if (tt_order(r, variable, &to) < 0) {
    *next = s->target + 1;
    return;
  }
  *variable = tt_grows_const(0);
  tt_loop_left(r, p, s->target);
}

/* The n-th integer of one load is the same in all kernels of a core. Which one it is, differs from
 * run to run. */
static void learn(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  TtGrowing *count = &p->slots[s->slot + 1], *value = &p->slots[s->slot];
  if (r->p->try < 2) *value = tt_grows_const(s->range[r->p->try]);
  else {
    uint64_t n = (uint64_t)tt_exact(r, *count);
    uint64_t some = (n * 2654435761u + (uint64_t)s->load * 40503u) >> 4,
             all = (uint64_t)s->range[1] - (uint64_t)s->range[0] + 1;
    *value = tt_grows_const(r->p->try == 2 ? s->range[n % 2]
                                           : s->range[0] + (int64_t)(all ? some % all : some));
  }
  tt_increment(r, count);
}

/* A core uses what it has; what others have, stands in the network. The first run shows it. */
static bool has_what_it_uses(const TtProtocolRun *r, const TtProcess *p, const TtStep *s) {
  const TtProtocolCore *core = p->core->core;
  bool waits =
      s->kind == TT_STEP_SEM_SET || s->kind == TT_STEP_SEM_WAIT || s->kind == TT_STEP_SEM_WAIT_MIN;
  int semaphore = waits ? s->semaphore : s->kind == TT_STEP_SIGNAL ? s->source : -1;
  if (semaphore >= 0 && !(core->semaphores >> semaphore & 1))
    return tt_error(s->op, "[rule 18] core (%jd, %jd) has no semaphore @%s", (intmax_t)core->x,
                    (intmax_t)core->y, r->p->semaphores[semaphore].name);
  for (int i = 0; i < (s->kind == TT_STEP_SEND ? 1 : 3); ++i)
    if (s->cb[i] >= 0 && !(core->cbs >> s->cb[i] & 1))
      return tt_error(s->op, "[rule 8] core (%jd, %jd) has no circular buffer @%s",
                      (intmax_t)core->x, (intmax_t)core->y, r->p->cbs[s->cb[i]].name);
  return true;
}

static TtOutcome run_step(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int next = p->marks->pc + 1;
  TtOutcome outcome = TT_GO_ON;
  ++r->stamp;
  if (!r->late && !has_what_it_uses(r, p, s)) return TT_FAILED;
  switch (s->kind) {
  case TT_STEP_FOR: outcome = enter_loop(r, p, s, &next); break;
  case TT_STEP_END_FOR: end_round(r, p, s, &next); break;
  case TT_STEP_IF:
    if (!tt_exact(r, tt_evaluate(r, p, s->index[0]))) next = s->target;
    break;
  case TT_STEP_RESERVE:
  case TT_STEP_PUSH:
  case TT_STEP_WAIT:
  case TT_STEP_POP: outcome = tt_run_buffer_step(r, p, s); break;
  case TT_STEP_POINTER:
  case TT_STEP_READ:
  case TT_STEP_WRITE:
  case TT_STEP_FILL: outcome = tt_run_transfer_step(r, p, s); break;
  case TT_STEP_LOAD:
  case TT_STEP_STORE: outcome = tt_run_access(r, p, s); break;
  case TT_STEP_READ_BARRIER:
  case TT_STEP_WRITE_BARRIER:
  case TT_STEP_FLUSH: outcome = tt_run_barrier(r, p, s->kind); break;
  case TT_STEP_LEARN: learn(r, p, s); break;
  case TT_STEP_FETCH: outcome = tt_run_fetch(r, p, s); break;
  case TT_STEP_SEND:
  case TT_STEP_SIGNAL:
  case TT_STEP_INC:
  case TT_STEP_SEM_SET:
  case TT_STEP_SEM_WAIT:
  case TT_STEP_SEM_WAIT_MIN: outcome = tt_run_signal_step(r, p, s); break;
  default: outcome = tt_run_engine_step(r, p, s); break;
  }
  if (r->overflow && outcome != TT_FAILED) {
    tt_error(s->op, "cannot prove the protocol: a count or an index here does not fit 64 bits");
    outcome = TT_FAILED;
  }
  if (outcome == TT_GO_ON) p->marks->pc = tt_behind_branches(p, next);
  if (s->kind == TT_STEP_END_FOR && next == s->target + 1) tt_loop_repeats(r, p, s->target);
  return outcome;
}

/* Loops whose rounds are not alike, many levels deep, might go on for ever. */
static bool is_too_long(TtProtocolRun *r, const TtStep *s) {
  enum { MOST_STEPS = 50000000 }; /* some seconds */
  if (r->p->options.exhaustive || ++r->steps <= MOST_STEPS) return false;
  return !tt_error(
      s->op,
      "cannot prove the protocol in %d steps: the loops around this have many rounds that are not "
      "alike; "
      "use fewer loops of more rounds, or --tt-verify-ir=exhaustive=true, which runs on",
      (int)MOST_STEPS);
}

/*===- Processes ------------------------------------------------------------------------------===*/

static bool ended(const TtProcess *p) { return p->marks->pc >= p->steps->n; }

static TtOutcome run_next(TtProtocolRun *r, TtProcess *p) {
  const TtStep *s = &p->steps->data[p->marks->pc];
  p->awaits = NULL;
  return is_too_long(r, s) ? TT_FAILED : run_step(r, p, s);
}

/* Each process of a core until it waits; false after an error. */
static bool run_core(TtProtocolRun *r, TtCoreState *core) {
  core->stirred = false;
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
    TtProcess *p = &core->processes[i];
    while (p != r->late && !ended(p) && !(p->awaits && p->awaits->at == p->awaited)) {
      TtOutcome outcome = run_next(r, p);
      if (outcome == TT_FAILED) return false;
      if (outcome == TT_BLOCKED) break;
      core->stirred = true;
    }
  }
  return true;
}

/* Until nobody can go on. What a process waits for is of its own core, or arrives there. */
static bool run_all(TtProtocolRun *r) {
  for (int c = 0; c < r->num_cores; ++c) r->cores[c].stirred = true;
  for (bool progress = true; progress;) {
    progress = false;
    for (int c = 0; c < r->num_cores; ++c) {
      if (!r->cores[c].stirred) continue;
      if (!run_core(r, &r->cores[c])) return false;
      progress = true;
    }
    if (progress || !r->late || ended(r->late)) continue;
    TtOutcome outcome = run_next(r, r->late);
    if (outcome == TT_FAILED) return false;
    progress = outcome == TT_GO_ON;
    r->late->core->stirred = progress;
  }
  return true;
}

static bool check_end(TtProtocolRun *r) {
  for (int c = 0; c < r->num_cores; ++c)
    for (int i = 0; i < TT_NUM_PROCESSES; ++i)
      if (!ended(&r->cores[c].processes[i])) return tt_report_deadlock(r);
  for (int c = 0; c < r->num_cores; ++c)
    if ((!r->briefly && !tt_check_engine_at_end(r, &r->cores[c])) ||
        !tt_check_buffers_at_end(r, &r->cores[c]))
      return false;
  return true;
}

bool tt_protocol_run(TtProtocolRun *r, TtLate late) {
  tt_restart(r);
  r->late = late.process >= 0 ? &r->cores[late.class_of].processes[late.process] : NULL;
  return run_all(r) && check_end(r);
}
