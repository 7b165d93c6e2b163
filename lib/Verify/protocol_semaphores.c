/*===- protocol_semaphores.c - semaphores in the abstract run ---------------------------------===
 *
 * A semaphore is used in one of two ways. Others add to it, and its one waiter waits for as much as
 * they add, then resets it before any of them can add again; or it is never reset, and the sums
 * that are waited for grow. Or somebody sets it, and its waiter resets it before it can be set
 * again. What is neither cannot be proven.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

enum { UNUSED, COUNTER, FLAG };

/* Whether the value of a semaphore still has to be read for a signal of this core. */
static bool waits_to_depart(TtProtocolRun *r, TtCoreState *core, int semaphore) {
  for (int mover = TT_READER; mover <= TT_WRITER; ++mover) {
    TtProcess *p = &core->processes[mover];
    if (tt_port_of(p)->steps->n > 0 && tt_order(r, &tt_port_of(p)->semaphores[semaphore].sends,
                                                &p->semaphores[semaphore].sends) < 0)
      return true;
  }
  return false;
}

static bool check_in_flight(TtProtocolRun *r, TtCoreState *core, const TtStep *s, int semaphore,
                            TtGrowing value) {
  if (!waits_to_depart(r, core, semaphore) ||
      tt_sign(r, tt_grows_sub(r, value, core->values[semaphore])) == 0)
    return true;
  return tt_error(
      s->op,
      "[rule 18] @%s%s becomes %jd while its value %jd may still be on its way to other "
      "cores; put a noc_async_writes_flushed before it",
      tt_semaphore_name(r, semaphore), tt_of_core(r, core), (intmax_t)value.at,
      (intmax_t)core->values[semaphore].at);
}

static bool take_kind(TtProtocolRun *r, const TtStep *s, TtCoreState *core, int kind) {
  TtSemaphoreMarks *m = &core->signals[s->semaphore];
  if (m->kind == UNUSED) m->kind = kind;
  return m->kind == kind ||
         tt_error(
             s->op,
             "cannot prove the protocol: semaphore @%s%s is both set and added to by others; use "
             "two",
             tt_semaphore_name(r, s->semaphore), tt_of_core(r, core));
}

bool tt_semaphore_add(TtProtocolRun *r, const TtStep *s, TtCoreState *to, TtGrowing by) {
  TtSemaphoreMarks *m = &to->signals[s->semaphore];
  TtGrowing *value = &to->values[s->semaphore], sum = tt_grows_add(r, *value, by);
  if (!take_kind(r, s, to, COUNTER)) return false;
  if (m->waited && to->facts->sets[s->semaphore])
    return tt_error(s->op,
                    "[rule 18] a signal is lost: this may add to @%s%s after it was waited for and "
                    "before it is reset; let it wait until the reset is done",
                    tt_semaphore_name(r, s->semaphore), tt_of_core(r, to));
  if (!check_in_flight(r, to, s, s->semaphore, sum)) return false;
  *value = sum;
  m->arrived = 1;
  return true;
}

bool tt_semaphore_set_there(TtProtocolRun *r, const TtStep *s, TtCoreState *to, TtGrowing value,
                            int n) {
  TtSemaphoreMarks *m = &to->signals[s->semaphore];
  TtGrowing *old = &to->values[s->semaphore];
  const char *name = tt_semaphore_name(r, s->semaphore);
  if (!take_kind(r, s, to, FLAG)) return false;
  if (n > 1)
    return tt_error(s->op, "cannot prove the protocol: %d cores set semaphore @%s%s; let one do it",
                    n, name, tt_of_core(r, to));
  int more = tt_sign(r, tt_grows_sub(r, value, *old));
  bool grows = more > 0 && !to->facts->waits[s->semaphore];
  if ((m->arrived && !grows) || (m->waited && more == 0))
    return tt_error(
        s->op,
        "[rule 18] a signal is lost: this may set @%s%s to %jd %s; let it wait until the "
        "reset is done",
        name, tt_of_core(r, to), (intmax_t)value.at,
        m->arrived ? "before anybody has waited for the last one" : "before it is reset");
  if (!check_in_flight(r, to, s, s->semaphore, value)) return false;
  *old = value;
  m->arrived = 1, m->waited = 0;
  return true;
}

static bool check_waiter(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  TtSemaphoreMarks *m = &p->core->signals[s->semaphore];
  if (!m->waiter) m->waiter = p->kind + 1;
  return m->waiter == p->kind + 1 ||
         tt_error(
             s->op,
             "cannot prove the protocol: %s and %s both use semaphore @%s, which others signal; "
             "a semaphore has one waiter, who resets it",
             tt_kind_name(m->waiter - 1), tt_process_name(r, p),
             tt_semaphore_name(r, s->semaphore));
}

TtOutcome tt_semaphore_set(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing value) {
  TtCoreState *core = p->core;
  TtSemaphoreMarks *m = &core->signals[s->semaphore];
  if (!check_in_flight(r, core, s, s->semaphore, value)) return TT_FAILED;
  if (core->signalled[s->semaphore]) {
    if (!check_waiter(r, p, s)) return TT_FAILED;
    if (m->arrived)
      return tt_error(
                 s->op,
                 "[rule 18] a signal is lost: @%s%s may be %jd here, and nobody has waited for "
                 "that before it is reset",
                 tt_semaphore_name(r, s->semaphore), tt_of_core(r, core),
                 (intmax_t)core->values[s->semaphore].at),
             TT_FAILED;
  }
  m->waited = 0;
  core->values[s->semaphore] = value;
  return TT_GO_ON;
}

TtOutcome tt_semaphore_wait(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n) {
  TtCoreState *core = p->core;
  TtSemaphoreMarks *m = &core->signals[s->semaphore];
  if (core->signalled[s->semaphore] && !check_waiter(r, p, s)) return TT_FAILED;
  int more = tt_sign(r, tt_grows_sub(r, core->values[s->semaphore], n));
  if (more < 0) return tt_awaits(p, &core->values[s->semaphore]);
  if (more > 0 && s->kind == TT_STEP_SEM_WAIT) {
    if (m->kind != COUNTER) return TT_BLOCKED;
    return tt_error(s->op, "[rule 18] waits until @%s is exactly %jd, but it may be %jd by then%s",
                    tt_semaphore_name(r, s->semaphore), (intmax_t)n.at,
                    (intmax_t)core->values[s->semaphore].at,
                    tt_sign(r, n) == 0 ? "" : "; wait for all who signal it"),
           TT_FAILED;
  }
  if (more > 0 && m->kind == COUNTER && tt_count_sources(core, TT_STEP_INC, s->semaphore, -1) > 1)
    return tt_error(
               s->op,
               "cannot prove the protocol: waits until @%s is %jd or more, and it may be %jd, so "
               "that some who signal it may not have done so; wait for all of them",
               tt_semaphore_name(r, s->semaphore), (intmax_t)n.at,
               (intmax_t)core->values[s->semaphore].at),
           TT_FAILED;
  if (m->arrived) m->waited = 1;
  m->arrived = 0;
  return TT_GO_ON;
}
