/*===- protocol_buffers.c - circular buffers in the abstract run ----------------------------===
 *
 * Pages are counted from the start of the kernel: those pushed and those popped say where a pointer
 * is.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

const TtBufferView tt_no_view;
const TtBufferMarks tt_no_marks;

static bool is_mover(const TtProcess *p) { return p->kind == TT_READER || p->kind == TT_WRITER; }

/* Rule 4: notes who pushes or pops, and refuses a second one. */
static bool only_one(TtProtocolRun *r, const TtProcess *p, const TtStep *s, const char *cb,
                     bool by[TT_NUM_PROCESSES], const char *what) {
  int kind = p->kind;
  by[kind] = true;
  for (int other = 0; other < TT_NUM_PROCESSES; ++other)
    if (other != kind && by[other])
      return tt_error(s->op, "[rule 4] %s %s %s, and so does %s; a circular buffer has one of each",
                      tt_process_name(r, p), what, cb, tt_kind_name(other));
  return true;
}

/* Rule 2, for buffers where it is not plain. */
static bool lands(TtProtocolRun *r, const TtProcess *p, const TtStep *s, int *page, TtGrowing n,
                  const char *what) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  if (p->core->facts->push_block[s->cb[0]] && p->core->facts->pop_block[s->cb[0]]) return true;
  int64_t count = tt_exact(r, n);
  if (*page + count > cb->pages)
    return tt_error(s->op, "[rule 2] %s %jd pages at page %d of %s, over its end: it has %jd", what,
                    (intmax_t)count, *page, cb->name, (intmax_t)cb->pages);
  *page = (int)((*page + count) % cb->pages);
  return true;
}

/*===- Counters -------------------------------------------------------------------------------===*/

static TtOutcome run_reserve(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n) {
  int c = s->cb[0];
  TtGrowing free = tt_grows_const(r->p->cbs[c].pages);
  tt_decrease(r, &free, &p->core->held[c]);
  if (tt_order(r, &free, &n) < 0) return tt_awaits(p, &p->core->held[c]);
  tt_view(p, c)->reserved = n;
  return TT_GO_ON;
}

/* Rule 3: waits that grow between pops grow by one step. */
static void note_wait_step(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing more) {
  int *last = &tt_marks(p, s->cb[0])->wait_step, by = (int)tt_exact(r, more);
  if (*last && *last != by && !*s->warned) {
    tt_warning(s->op,
               "[rule 3] waits for %d more pages of %s, after steps of %d; make the steps equal",
               by, r->p->cbs[s->cb[0]].name, *last);
    if (!tt_is_silent()) *s->warned = true;
  }
  *last = by;
}

static TtOutcome run_wait(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n) {
  int c = s->cb[0];
  TtGrowing *waited = &tt_view(p, c)->waited;
  if (tt_order(r, &p->core->held[c], &n) < 0) return tt_awaits(p, &p->core->held[c]);
  bool more = tt_order(r, waited, &n) < 0;
  if (more && tt_sign(r, *waited) > 0) note_wait_step(r, p, s, tt_grows_sub(r, n, *waited));
  else tt_marks(p, c)->wait_step = 0;
  if (more) *waited = n;
  return TT_GO_ON;
}

/* Whether anybody on the core looks at what a circular buffer holds. */
static bool is_used(const TtProtocolRun *r, const TtCoreState *core, int cb) {
  if (r->p->cbs[cb].fetched) return true;
  for (int i = 0; i < TT_READER_PORT; ++i)
    for (int j = 0; j < core->processes[i].steps->n; ++j) {
      const TtStep *s = &core->processes[i].steps->data[j];
      bool takes = s->kind == TT_STEP_MATH || s->kind == TT_STEP_WRITE || s->kind == TT_STEP_SEND ||
                   s->kind == TT_STEP_LOAD || s->kind == TT_STEP_LEARN;
      if (takes && (s->cb[0] == cb || (s->kind == TT_STEP_MATH && s->cb[1] == cb))) return true;
    }
  return false;
}

/* What is published has been reserved and written. */
static TtOutcome check_published(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n) {
  int c = s->cb[0];
  TtBufferView *view = tt_view(p, c);
  const TtProtocolCB *cb = &r->p->cbs[c];
  if (tt_order(r, &view->reserved, &n) < 0) {
    /* Without a reserve nothing says that the consumer has freed a page: only the first round is
     * safe. */
    if (tt_is_less(r, tt_grows_const(cb->pages), tt_grows_add(r, view->pushed, n)))
      return tt_error(s->op,
                      "[rule 21] publishes %jd pages of %s, of which %jd are reserved: put a "
                      "cb_reserve_back of "
                      "as many before it",
                      (intmax_t)n.at, cb->name, (intmax_t)view->reserved.at),
             TT_FAILED;
    if (tt_untidy(r, s, "[rule 21] publishes %jd pages of %s, of which %jd are reserved",
                  (intmax_t)n.at, cb->name, (intmax_t)view->reserved.at) == TT_FAILED)
      return TT_FAILED;
  }
  if (p->kind == TT_PACK && !r->briefly && tt_sign(r, tt_grows_sub(r, view->packed, n)) != 0)
    return tt_error(s->op, "[rule 21] publishes %jd pages of %s, but %jd were packed",
                    (intmax_t)n.at, cb->name, (intmax_t)view->packed.at),
           TT_FAILED;
  if (is_mover(p) && !cb->bound && tt_is_less(r, view->written, n) && p->core->written_remotely[c])
    return tt_error(
               s->op,
               "[rule 15] %s publishes %jd pages of %s, but only %jd are sure to be there: what "
               "another core sends may arrive later; wait for a signal that it sends after the "
               "data, on the same NoC or after a noc_async_write_barrier",
               tt_process_name(r, p), (intmax_t)n.at, cb->name, (intmax_t)view->written.at),
           TT_FAILED;
  if (is_mover(p) && !cb->bound && (!r->briefly || cb->sent) && tt_is_less(r, view->written, n)) {
    if (!is_used(r, p->core, c))
      return tt_untidy(r, s, "[rule 22] publishes %jd pages of %s, of which %jd were written",
                       (intmax_t)n.at, cb->name, (intmax_t)view->written.at);
    return tt_error(s->op,
                    "[rule 23] publishes %jd pages of %s, of which %jd were written, and they are "
                    "used; write them before",
                    (intmax_t)n.at, cb->name, (intmax_t)view->written.at),
           TT_FAILED;
  }
  return TT_GO_ON;
}

static void take_off(TtProtocolRun *r, TtGrowing *from, const TtGrowing *n) {
  if (tt_order(r, from, n) < 0) *from = tt_grows_const(0);
  else tt_decrease(r, from, n);
}

static TtOutcome run_push(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n) {
  int c = s->cb[0];
  TtBufferView *view = tt_view(p, c);
  if (tt_marks(p, c)->reading &&
      tt_is_less(r, view->reading_from, tt_grows_add(r, view->pushed, n)))
    return tt_error(s->op,
                    "[rule 15] publishes pages of %s before their reads have landed; put a "
                    "noc_async_read_barrier before it",
                    r->p->cbs[c].name),
           TT_FAILED;
  if (!only_one(r, p, s, r->p->cbs[c].name, p->core->pushed_by[c], "pushes to")) return TT_FAILED;
  if (check_published(r, p, s, n) == TT_FAILED ||
      !lands(r, p, s, &tt_marks(p, c)->write_page, n, "publishes"))
    return TT_FAILED;
  take_off(r, &view->reserved, &n);
  take_off(r, &view->written, &n);
  if (tt_marks(p, c)->ahead) tt_drop_ahead(tt_marks(p, c), tt_exact(r, n));
  view->packed = tt_grows_const(0);
  tt_increase(r, &view->pushed, &n);
  tt_increase(r, &p->core->held[c], &n);
  return TT_GO_ON;
}

static TtOutcome run_pop(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n) {
  int c = s->cb[0];
  TtBufferView *view = tt_view(p, c);
  const char *name = r->p->cbs[c].name;
  if (tt_marks(p, c)->writing &&
      tt_is_less(r, view->writing_from, tt_grows_add(r, view->popped, n)))
    return tt_error(s->op,
                    "[rule 16] frees pages of %s while writes from them are in flight; put a "
                    "noc_async_write_barrier before it",
                    name),
           TT_FAILED;
  if (is_mover(p) && tt_is_unsent(r, p, c, view->popped, tt_grows_add(r, view->popped, n)))
    return tt_error(s->op,
                    "[rule 16] frees pages of %s before they have left for other cores; put a "
                    "noc_async_writes_flushed before it",
                    name),
           TT_FAILED;
  if (!only_one(r, p, s, name, p->core->popped_by[c], "pops from")) return TT_FAILED;
  if (tt_order(r, &view->waited, &n) < 0)
    return tt_error(s->op, "[rule 21] frees %jd pages of %s, of which %jd were waited for",
                    (intmax_t)n.at, name, (intmax_t)view->waited.at),
           TT_FAILED;
  if (!lands(r, p, s, &tt_marks(p, c)->read_page, n, "frees")) return TT_FAILED;
  take_off(r, &view->waited, &n);
  tt_increase(r, &view->popped, &n);
  tt_decrease(r, &p->core->held[c], &n);
  return TT_GO_ON;
}

TtOutcome tt_run_buffer_step(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (s->cb[0] < 0) return TT_GO_ON;
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  TtGrowing n = tt_evaluate(r, p, s->index[0]);
  if (p->kind >= TT_READER_PORT) { /* where pointers are */
    TtGrowing *done =
        s->kind == TT_STEP_PUSH ? &tt_view(p, s->cb[0])->pushed : &tt_view(p, s->cb[0])->popped;
    tt_increase(r, done, &n);
    return TT_GO_ON;
  }
  const TtGrowing all = tt_grows_const(cb->pages);
  if (tt_sign(r, n) < 0 || tt_order(r, &all, &n) < 0)
    return tt_error(s->op, "[rule 1] %jd pages of %s, which has %jd: this waits forever",
                    (intmax_t)n.at, cb->name, (intmax_t)cb->pages),
           TT_FAILED;
  switch (s->kind) {
  case TT_STEP_RESERVE: return run_reserve(r, p, s, n);
  case TT_STEP_WAIT: return run_wait(r, p, s, n);
  case TT_STEP_PUSH: return run_push(r, p, s, n);
  default: return run_pop(r, p, s, n);
  }
}

/*===- The end --------------------------------------------------------------------------------===*/

/* Where to point: the last step of this kind on a circular buffer, or any on it. */
static const TtStep *last_step(const TtProcess *p, TtStepKind kind, int cb) {
  const TtStep *found = NULL;
  for (int i = 0; i < p->steps->n; ++i)
    if (p->steps->data[i].kind == kind && (cb < 0 || p->steps->data[i].cb[0] == cb))
      found = &p->steps->data[i];
  return found;
}

static const TtStep *last_read(const TtProcess *p, int cb) {
  const TtStep *tile = last_step(p, TT_STEP_READ, cb), *fetch = last_step(p, TT_STEP_FETCH, cb);
  return tile > fetch ? tile : fetch;
}

static const TtStep *last_write(const TtProcess *p) {
  const TtStep *found = NULL;
  for (int i = 0; i < p->steps->n; ++i) {
    TtStepKind kind = p->steps->data[i].kind;
    if (kind == TT_STEP_WRITE || kind == TT_STEP_SEND || kind == TT_STEP_SIGNAL)
      found = &p->steps->data[i];
  }
  return found;
}

static bool check_transfers_at_end(TtProtocolRun *r, const TtProcess *p) {
  for (int c = 0; c < r->p->num_cbs; ++c)
    if (tt_marks(p, c)->reading)
      return tt_error(last_read(p, c)->op,
                      "[rule 15] %s ends with a read to %s in flight; put a "
                      "noc_async_read_barrier after the last one",
                      tt_process_name(r, p), r->p->cbs[c].name);
  if (p->marks->unacknowledged)
    return tt_error(last_write(p)->op,
                    "[rule 16] %s ends with a write in flight; put a "
                    "noc_async_write_barrier after the last one",
                    tt_process_name(r, p));
  return true;
}

/* Whether a circular buffer is one processor's own room: nobody publishes or waits for its pages.
 */
static bool is_private(const TtCoreState *core, int c) {
  for (int i = 0; i < TT_READER_PORT; ++i)
    if (last_step(&core->processes[i], TT_STEP_PUSH, c) ||
        last_step(&core->processes[i], TT_STEP_WAIT, c))
      return false;
  return true;
}

static bool check_counts_at_end(TtProtocolRun *r, const TtProcess *p, int c) {
  const TtProtocolCB *cb = &r->p->cbs[c];
  bool over = p->core->pushed_by[c][p->kind] && tt_sign(r, p->core->held[c]) != 0;
  if (!over && tt_sign(r, tt_view(p, c)->reserved) == 0 && tt_sign(r, tt_view(p, c)->waited) == 0)
    return true; /* as mostly */
  const TtStep *push = last_step(p, TT_STEP_PUSH, c), *reserve = last_step(p, TT_STEP_RESERVE, c),
               *wait = last_step(p, TT_STEP_WAIT, c);
  bool left = push && over;
  if (left && tt_untidy(r, push, "[rule 5] %jd pages are left in %s at the end",
                        (intmax_t)p->core->held[c].at, cb->name) == TT_FAILED)
    return false;
  if (reserve && tt_sign(r, tt_view(p, c)->reserved) != 0 && !is_private(p->core, c) &&
      tt_untidy(r, reserve,
                "[rule 5] %s ends with %jd pages of %s reserved that it does not publish",
                tt_process_name(r, p), (intmax_t)tt_view(p, c)->reserved.at, cb->name) == TT_FAILED)
    return false;
  return left || !wait || tt_sign(r, tt_view(p, c)->waited) == 0 ||
         tt_untidy(
             r, wait, "[rule 5] %s ends with %jd pages of %s waited for that it does not free",
             tt_process_name(r, p), (intmax_t)tt_view(p, c)->waited.at, cb->name) != TT_FAILED;
}

bool tt_check_buffers_at_end(TtProtocolRun *r, const TtCoreState *core) {
  for (int i = 0; i < TT_READER_PORT; ++i) {
    const TtProcess *p = &core->processes[i];
    if (p->steps->n == 0) continue; /* it has no state */
    if (is_mover(p) && !check_transfers_at_end(r, p)) return false;
    for (int c = 0; c < r->p->num_cbs; ++c)
      if (!check_counts_at_end(r, p, c)) return false;
  }
  return true;
}
