/*===- protocol_signals.c - semaphores, and what arrives from other cores -----------------===
 *
 * A mover sends data and signals; its port has them depart, and its way has them arrive, each in
 * order. A flush waits for the port, a barrier for the way.
 *
 * A semaphore is used in one of two ways. Others add to it, and its one waiter waits for as much as
 * they add, then resets it before any of them can add again; or it is never reset, and the sums
 * that are waited for grow. Or somebody sets it, and its waiter resets it before it can be set
 * again. What is neither cannot be proven.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/target.h"
#include "Verify/protocol_state.h"

enum { UNUSED, COUNTER, FLAG };

static TtProcess *port_of(TtProcess *p) {
  return &p->core->processes[TT_READER_PORT + tt_mover_of(p->kind)];
}
static TtProcess *way_of(TtProcess *p) {
  return &p->core->processes[TT_READER_WAY + tt_mover_of(p->kind)];
}
static TtProcess *mover_of(TtProcess *p) { return &p->core->processes[tt_mover_of(p->kind)]; }

static const char *semaphore_name(const TtProtocolRun *r, int semaphore) {
  return r->p->semaphores[semaphore].name;
}

/*===- Who reaches whom ------------------------------------------------------------------===*/

TtHits tt_hits_of(const TtProtocolRun *r, const TtCoreState *from, const TtStep *s) {
  const TtPartition *p = r->partition;
  const int *first = &p->first[s->link * p->n + from->number];
  return (TtHits){p->hits + first[0], first[1] - first[0]};
}

/* How many processes send to a core by such steps, cores of one class counted one by one. */
static int count_sources(const TtCoreState *to, TtStepKind kind, int semaphore, int cb) {
  int sources = 0, most = 0;
  const TtProcess *last = NULL;
  for (int i = 0; i < to->num_incoming; ++i) {
    const TtIncoming *in = &to->incoming[i];
    if (in->step->kind != kind || in->step->semaphore != semaphore ||
        (cb >= 0 && in->step->cb[1] != cb))
      continue;
    if (in->from != last) sources += most, most = 0, last = in->from;
    if (in->n > most) most = in->n;
  }
  return sources + most;
}

static bool is_signalled(const TtCoreState *core, int semaphore) {
  return count_sources(core, TT_STEP_INC, semaphore, -1) > 0 ||
         count_sources(core, TT_STEP_SIGNAL, semaphore, -1) > 0;
}

bool tt_is_written_remotely(const TtCoreState *core, int cb) {
  return count_sources(core, TT_STEP_SEND, -1, cb) > 0;
}

static bool has_step(const TtCoreState *core, TtStepKind kind, int semaphore) {
  for (int mover = TT_READER; mover <= TT_WRITER; ++mover)
    for (int i = 0; i < core->processes[mover].steps->n; ++i) {
      const TtStep *s = &core->processes[mover].steps->data[i];
      if (s->kind == kind && s->semaphore == semaphore) return true;
    }
  return false;
}

int tt_producer_of(const TtCoreState *core, int cb) {
  static const int kinds[] = {TT_READER, TT_WRITER, TT_PACK};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < core->processes[kinds[k]].steps->n; ++i) {
      const TtStep *s = &core->processes[kinds[k]].steps->data[i];
      if (s->kind == TT_STEP_PUSH && s->cb[0] == cb) return kinds[k];
    }
  return -1;
}

/*===- What has departed ------------------------------------------------------------------===*/

bool tt_is_unsent(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing from, TtGrowing to) {
  const TtProcess *port = port_of(p);
  if (port->steps->n == 0) return false;
  TtGrowing first = tt_view(port, cb)->sent;
  const TtBufferView *view = tt_view(p, cb);
  if (!tt_is_less(r, first, view->sent)) return false;
  if (tt_is_less(r, first, view->sent_from)) first = view->sent_from;
  return tt_is_less(r, from, view->sent) && tt_is_less(r, first, to);
}

bool tt_has_left(TtProtocolRun *r, TtProcess *p, bool departed) {
  const TtProcess *other = departed ? port_of(p) : way_of(p);
  if (other->steps->n == 0 || tt_order(r, &other->traffic->n, &p->traffic->last_write) >= 0)
    return true;
  tt_awaits(p, &other->traffic->n);
  return false;
}

/* Whether the value of a semaphore still has to be read for a signal of this core. */
static bool waits_to_depart(TtProtocolRun *r, TtCoreState *core, int semaphore) {
  for (int mover = TT_READER; mover <= TT_WRITER; ++mover) {
    TtProcess *p = &core->processes[mover];
    if (port_of(p)->steps->n > 0 &&
        tt_order(r, &port_of(p)->semaphores[semaphore].sends, &p->semaphores[semaphore].sends) < 0)
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
      semaphore_name(r, semaphore), tt_of_core(r, core), (intmax_t)value.at,
      (intmax_t)core->values[semaphore].at);
}

/*===- Data -------------------------------------------------------------------------------===*/

TtStep tt_end_there(const TtStep *s) {
  TtStep t = *s;
  t.cb[0] = s->cb[1], t.slot = s->to_slot, t.index[0] = s->index[2], t.to_read = s->read_there;
  return t;
}

bool tt_pages_of(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing *first,
                 int64_t *count) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  int64_t bytes = tt_exact(r, tt_evaluate(r, p, s->index[1]));
  bool straddles = false;
  if (!tt_page_of(r, p, s, first, &straddles)) return false;
  *first = tt_grows_add(r, *first,
                        s->to_read ? tt_view(p, s->cb[0])->popped : tt_view(p, s->cb[0])->pushed);
  *count = bytes / cb->page_bytes;
  if (straddles || bytes <= 0 || bytes % cb->page_bytes != 0)
    return tt_error(s->op,
                    "cannot prove the protocol: %jd bytes are %s, and a page of %s has %jd; %s "
                    "whole pages",
                    (intmax_t)bytes, s->kind == TT_STEP_FETCH ? "read" : "sent", cb->name,
                    (intmax_t)cb->page_bytes, s->kind == TT_STEP_FETCH ? "read" : "send");
  return cb->pages % *count == 0 ||
         tt_exact(r, tt_grows_mod(r, *first, cb->pages)) + *count <= cb->pages ||
         tt_error(s->op, "[rule 2] this goes over the end of %s, which has %jd pages", cb->name,
                  (intmax_t)cb->pages);
}

static TtOutcome issue_data(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int c = s->cb[0];
  TtBufferView *view = tt_view(p, c);
  TtGrowing first, own = s->to_read ? view->popped : view->pushed;
  int64_t count;
  if (!tt_pages_of(r, p, s, &first, &count)) return TT_FAILED;
  TtGrowing end = tt_grows_add(r, first, tt_grows_const(count)), last = tt_grows_sub(r, end, own);
  if (tt_check_owned(r, p, s, tt_grows_sub(r, last, tt_grows_const(1))) == TT_FAILED)
    return TT_FAILED;
  if (p->buffer_marks[c].reading && !s->to_read && tt_is_less(r, view->reading_from, end))
    return tt_error(s->op,
                    "[rule 15] sends pages of %s before their reads have landed; put a "
                    "noc_async_read_barrier before it",
                    r->p->cbs[c].name),
           TT_FAILED;
  if (!s->to_read && !r->p->cbs[c].bound && tt_is_less(r, view->written, last))
    return tt_error(s->op,
                    "[rule 23] sends %jd pages of %s, of which %jd were written; write them "
                    "before",
                    (intmax_t)last.at, r->p->cbs[c].name, (intmax_t)view->written.at),
           TT_FAILED;
  if (!tt_is_less(r, tt_view(port_of(p), c)->sent, view->sent)) view->sent_from = first;
  view->sent = end;
  return TT_GO_ON;
}

/* Data arrives in the reserved pages of a core. */
static bool land(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtCoreState *to, int n) {
  TtStep there = tt_end_there(s);
  const TtProtocolCB *cb = &r->p->cbs[s->cb[1]];
  int producer = tt_producer_of(to, s->cb[1]);
  TtGrowing first;
  int64_t count;
  if (!tt_pages_of(r, p, &there, &first, &count)) return false;
  if (n > 1)
    return tt_error(s->op, "[rule 21] %d cores write the same page of %s%s", n, cb->name,
                    tt_of_core(r, to));
  if (producer != TT_READER && producer != TT_WRITER)
    return tt_error(s->op,
                    "cannot prove the protocol: data goes to pages of %s%s, which no data movement "
                    "kernel there reserves and publishes",
                    cb->name, tt_of_core(r, to));
  TtProcess *owner = &to->processes[producer];
  TtBufferView *view = tt_view(owner, s->cb[1]);
  TtGrowing page = tt_grows_mod(r, tt_grows_sub(r, first, view->pushed), cb->pages),
            end = tt_grows_add(r, page, tt_grows_const(count));
  if (tt_is_less(r, view->reserved, end))
    return tt_error(s->op,
                    "[rule 21] this may arrive in page %jd (from 0) of %s%s while %s has reserved "
                    "%jd, so that what is there may still be read; send after a signal that they "
                    "are reserved",
                    (intmax_t)end.at - 1, cb->name, tt_of_core(r, to), tt_process_name(r, owner),
                    (intmax_t)view->reserved.at);
  if (tt_is_less(r, view->written, page))
    return tt_error(s->op,
                    "cannot prove the protocol: page %jd (from 0) of %s%s arrives before those in "
                    "front of it; send them in order",
                    (intmax_t)page.at, cb->name, tt_of_core(r, to));
  if (tt_is_less(r, view->written, end)) view->written = end;
  return tt_check_unfetched(r, to, &there, tt_grows_add(r, view->pushed, page), count);
}

/*===- Signals ----------------------------------------------------------------------------===*/

static bool take_kind(TtProtocolRun *r, const TtStep *s, TtCoreState *core, int kind) {
  TtSemaphoreMarks *m = &core->signals[s->semaphore];
  if (m->kind == UNUSED) m->kind = kind;
  return m->kind == kind ||
         tt_error(
             s->op,
             "cannot prove the protocol: semaphore @%s%s is both set and added to by others; use "
             "two",
             semaphore_name(r, s->semaphore), tt_of_core(r, core));
}

static bool add_to(TtProtocolRun *r, const TtStep *s, TtCoreState *to, TtGrowing by) {
  TtSemaphoreMarks *m = &to->signals[s->semaphore];
  TtGrowing *value = &to->values[s->semaphore], sum = tt_grows_add(r, *value, by);
  if (!take_kind(r, s, to, COUNTER)) return false;
  if (m->waited && has_step(to, TT_STEP_SEM_SET, s->semaphore))
    return tt_error(s->op,
                    "[rule 18] a signal is lost: this may add to @%s%s after it was waited for and "
                    "before it is reset; let it wait until the reset is done",
                    semaphore_name(r, s->semaphore), tt_of_core(r, to));
  if (!check_in_flight(r, to, s, s->semaphore, sum)) return false;
  *value = sum;
  m->arrived = 1;
  return true;
}

static bool set_there(TtProtocolRun *r, const TtStep *s, TtCoreState *to, TtGrowing value, int n) {
  TtSemaphoreMarks *m = &to->signals[s->semaphore];
  TtGrowing *old = &to->values[s->semaphore];
  const char *name = semaphore_name(r, s->semaphore);
  if (!take_kind(r, s, to, FLAG)) return false;
  if (n > 1)
    return tt_error(s->op, "cannot prove the protocol: %d cores set semaphore @%s%s; let one do it",
                    n, name, tt_of_core(r, to));
  int more = tt_sign(r, tt_grows_sub(r, value, *old));
  bool grows = more > 0 && !has_step(to, TT_STEP_SEM_WAIT, s->semaphore);
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
             tt_kind_name(m->waiter - 1), tt_process_name(r, p), semaphore_name(r, s->semaphore));
}

static TtOutcome set_here(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing value) {
  TtCoreState *core = p->core;
  TtSemaphoreMarks *m = &core->signals[s->semaphore];
  if (!check_in_flight(r, core, s, s->semaphore, value)) return TT_FAILED;
  if (is_signalled(core, s->semaphore)) {
    if (!check_waiter(r, p, s)) return TT_FAILED;
    if (m->arrived)
      return tt_error(
                 s->op,
                 "[rule 18] a signal is lost: @%s%s may be %jd here, and nobody has waited for "
                 "that before it is reset",
                 semaphore_name(r, s->semaphore), tt_of_core(r, core),
                 (intmax_t)core->values[s->semaphore].at),
             TT_FAILED;
  }
  m->waited = 0;
  core->values[s->semaphore] = value;
  return TT_GO_ON;
}

static TtOutcome wait_here(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n) {
  TtCoreState *core = p->core;
  TtSemaphoreMarks *m = &core->signals[s->semaphore];
  if (is_signalled(core, s->semaphore) && !check_waiter(r, p, s)) return TT_FAILED;
  int more = tt_sign(r, tt_grows_sub(r, core->values[s->semaphore], n));
  if (more < 0) return tt_awaits(p, &core->values[s->semaphore]);
  if (more > 0 && s->kind == TT_STEP_SEM_WAIT) {
    if (m->kind != COUNTER) return TT_BLOCKED;
    return tt_error(s->op, "[rule 18] waits until @%s is exactly %jd, but it may be %jd by then%s",
                    semaphore_name(r, s->semaphore), (intmax_t)n.at,
                    (intmax_t)core->values[s->semaphore].at,
                    tt_sign(r, n) == 0 ? "" : "; wait for all who signal it"),
           TT_FAILED;
  }
  if (more > 0 && m->kind == COUNTER && count_sources(core, TT_STEP_INC, s->semaphore, -1) > 1)
    return tt_error(
               s->op,
               "cannot prove the protocol: waits until @%s is %jd or more, and it may be %jd, so "
               "that some who signal it may not have done so; wait for all of them",
               semaphore_name(r, s->semaphore), (intmax_t)n.at,
               (intmax_t)core->values[s->semaphore].at),
           TT_FAILED;
  if (m->arrived) m->waited = 1;
  m->arrived = 0;
  return TT_GO_ON;
}

/*===- Steps ------------------------------------------------------------------------------===*/

static bool check_dests(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (!s->multicast) return true;
  int64_t dests = tt_network_dests(r->network, s->link, p->core->place, s->loopback),
          named = tt_exact(r, tt_evaluate(r, p, s->dests));
  if (dests == 0)
    return tt_error(s->op, "[rule 18] a multicast to the sending core alone hangs; leave it out "
                           "where there is no other");
  return named == dests ||
         tt_error(s->op,
                  "[rule 18] a multicast names %jd cores, but its rectangle has %jd%s: its "
                  "acknowledgements never add up",
                  (intmax_t)named, (intmax_t)dests,
                  s->loopback ? ", the sender included" : " beside the sender");
}

/* Chips where a semaphore may overtake the data that was multicast before it. */
static bool check_overtaking(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  const TtProcess *port = port_of(p);
  if (!s->multicast || !r->p->chip->separate_buffers ||
      !tt_is_less(r, port->traffic->n, p->traffic->last_data))
    return true;
  return tt_untidy(r, s,
                   "[rule 18] a semaphore is multicast right after data, which may arrive later on "
                   "this chip; put a noc_async_writes_flushed between them") != TT_FAILED;
}

static TtOutcome issue(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (!check_dests(r, p, s)) return TT_FAILED;
  if (s->kind == TT_STEP_SEND && issue_data(r, p, s) == TT_FAILED) return TT_FAILED;
  if (s->kind == TT_STEP_SIGNAL) {
    TtSemaphoreView *source = &p->semaphores[s->source];
    if (tt_sign(r, tt_grows_sub(r, source->value, p->core->values[s->source])) != 0)
      return tt_error(s->op,
                      "cannot prove the protocol: the value of @%s that this sends is not one that "
                      "%s has set or waited for",
                      semaphore_name(r, s->source), tt_process_name(r, p)),
             TT_FAILED;
    if (!check_overtaking(r, p, s)) return TT_FAILED;
    tt_increment(r, &source->sends);
  }
  TtSent *t = p->traffic;
  tt_increment(r, &t->n);
  if (s->kind == TT_STEP_INC) return TT_GO_ON;
  t->last_write = t->n;
  if (s->kind == TT_STEP_SEND && s->multicast) t->last_data = t->n;
  p->marks->unacknowledged = 1;
  return TT_GO_ON;
}

static TtOutcome depart(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  const TtGrowing *issued = &mover_of(p)->traffic->n;
  if (tt_order(r, &p->traffic->n, issued) >= 0) return tt_awaits(p, issued);
  tt_increment(r, &p->traffic->n);
  if (s->kind == TT_STEP_SIGNAL) tt_increment(r, &p->semaphores[s->source].sends);
  if (s->kind != TT_STEP_SEND) return TT_GO_ON;
  TtGrowing first;
  int64_t count;
  if (!tt_pages_of(r, p, s, &first, &count)) return TT_FAILED;
  tt_view(p, s->cb[0])->sent = tt_grows_add(r, first, tt_grows_const(count));
  return TT_GO_ON;
}

static TtOutcome arrive(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  const TtGrowing *departed = &port_of(p)->traffic->n;
  if (tt_order(r, &p->traffic->n, departed) >= 0) return tt_awaits(p, departed);
  tt_increment(r, &p->traffic->n);
  TtGrowing value = s->kind == TT_STEP_INC      ? tt_evaluate(r, p, s->index[0])
                    : s->kind == TT_STEP_SIGNAL ? p->semaphores[s->source].value
                                                : tt_grows_const(0);
  TtHits hits = tt_hits_of(r, p->core, s);
  for (int i = 0; i < hits.n; ++i) {
    TtCoreState *to = &r->cores[hits.data[i].to];
    int n = hits.data[i].n;
    to->stirred = true;
    bool ok = s->kind == TT_STEP_INC      ? add_to(r, s, to, tt_grows_mul(r, value, n))
              : s->kind == TT_STEP_SIGNAL ? set_there(r, s, to, value, n)
                                          : land(r, p, s, to, n);
    if (!ok) return TT_FAILED;
  }
  return TT_GO_ON;
}

TtOutcome tt_run_signal_step(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (s->link >= 0) {
    if (tt_is_port(p->kind)) return depart(r, p, s);
    return tt_is_way(p->kind) ? arrive(r, p, s) : issue(r, p, s);
  }
  TtGrowing value = tt_evaluate(r, p, s->index[0]);
  TtOutcome outcome = TT_GO_ON;
  if (p->kind < TT_READER_PORT)
    outcome = s->kind == TT_STEP_SEM_SET ? set_here(r, p, s, value) : wait_here(r, p, s, value);
  if (outcome == TT_GO_ON) p->semaphores[s->semaphore].value = value;
  return outcome;
}
