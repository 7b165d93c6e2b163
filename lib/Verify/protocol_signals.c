/*===- protocol_signals.c - what goes to other cores, and arrives there -----------------===
 *
 * A mover sends data and signals; its port has them depart, and its way has them arrive, each in
 * order. A flush waits for the port, a barrier for the way.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/target.h"
#include "Verify/protocol_state.h"

static TtProcess *mover_of(TtProcess *p) { return &p->core->processes[tt_mover_of(p->kind)]; }

/*===- Who reaches whom ------------------------------------------------------------------===*/

TtHits tt_hits_of(const TtProtocolRun *r, const TtCoreState *from, const TtStep *s) {
  const TtPartition *p = r->partition;
  const int *first = &p->first[s->link * p->n + from->number];
  return (TtHits){p->hits + first[0], first[1] - first[0]};
}

/* How many processes send to a core by such steps, cores of one class counted one by one. */
int tt_count_sources(const TtCoreState *to, TtStepKind kind, int semaphore, int cb) {
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

/*===- What has departed ------------------------------------------------------------------===*/

bool tt_is_unsent(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing from, TtGrowing to) {
  const TtProcess *port = tt_port_of(p);
  if (port->steps->n == 0) return false;
  TtGrowing first = tt_view(port, cb)->sent;
  const TtBufferView *view = tt_view(p, cb);
  if (!tt_is_less(r, first, view->sent)) return false;
  if (tt_is_less(r, first, view->sent_from)) first = view->sent_from;
  return tt_is_less(r, from, view->sent) && tt_is_less(r, first, to);
}

bool tt_has_left(TtProtocolRun *r, TtProcess *p, bool departed) {
  const TtProcess *other = departed ? tt_port_of(p) : tt_way_of(p);
  if (other->steps->n == 0 || tt_order(r, &other->traffic->n, &p->traffic->last_write) >= 0)
    return true;
  tt_awaits(p, &other->traffic->n);
  return false;
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
  if (tt_marks(p, c)->reading && !s->to_read && tt_is_less(r, view->reading_from, end))
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
  if (!tt_is_less(r, tt_view(tt_port_of(p), c)->sent, view->sent)) view->sent_from = first;
  view->sent = end;
  return TT_GO_ON;
}

/* Data arrives in the reserved pages of a core. */
static bool land(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtCoreState *to, int n) {
  TtStep there = tt_end_there(s);
  const TtProtocolCB *cb = &r->p->cbs[s->cb[1]];
  int producer = to->facts->producer[s->cb[1]];
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
  if (!tt_note_arrived(r, owner, s->cb[1], page, end))
    return tt_error(s->op,
                    "cannot prove the protocol: page %jd (from 0) of %s%s arrives before those in "
                    "front of it; send them in order",
                    (intmax_t)page.at, cb->name, tt_of_core(r, to));
  return tt_check_unfetched(r, to, &there, tt_grows_add(r, view->pushed, page), count);
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

/* Chips where a semaphore may overtake the data that was sent before it. */
static bool check_overtaking(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  const TtProcess *port = tt_port_of(p);
  if (!r->p->chip->separate_buffers || !tt_is_less(r, port->traffic->n, p->traffic->last_data))
    return true;
  return tt_untidy(
             r, s,
             "[rule 18] a semaphore is set right after data was sent, which may arrive later on "
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
                      tt_semaphore_name(r, s->source), tt_process_name(r, p)),
             TT_FAILED;
    if (!check_overtaking(r, p, s)) return TT_FAILED;
    tt_increment(r, &source->sends);
  }
  TtSent *t = p->traffic;
  tt_increment(r, &t->n);
  if (s->kind == TT_STEP_INC) return TT_GO_ON;
  t->last_write = t->n;
  if (s->kind == TT_STEP_SEND) t->last_data = t->n;
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
  const TtGrowing *departed = &tt_port_of(p)->traffic->n;
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
    bool ok = s->kind == TT_STEP_INC      ? tt_semaphore_add(r, s, to, tt_grows_mul(r, value, n))
              : s->kind == TT_STEP_SIGNAL ? tt_semaphore_set_there(r, s, to, value, n)
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
    outcome = s->kind == TT_STEP_SEM_SET ? tt_semaphore_set(r, p, s, value)
                                         : tt_semaphore_wait(r, p, s, value);
  if (outcome == TT_GO_ON) p->semaphores[s->semaphore].value = value;
  return outcome;
}
