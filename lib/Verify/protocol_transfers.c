/*===- protocol_transfers.c - transfers in the abstract run ---------------------------------===
 *
 * A transfer's page is its pointer's, plus the bytes after it. It is in flight until the barrier
 * that waits for it.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

static TtGrowing rest_of(TtProtocolRun *r, TtGrowing a, int64_t b) {
  if (r->depth == 0 && b > 0 && a.at >= 0) return tt_grows_const(a.at < b ? a.at : a.at % b);
  return tt_grows_sub(r, a, tt_grows_mul(r, tt_grows_div(r, a, b), b));
}

/* By the processor, not by the NoC. */
static bool is_access(const TtStep *s) {
  return s->kind == TT_STEP_FILL || s->kind == TT_STEP_LOAD || s->kind == TT_STEP_STORE;
}

/* NoC addresses on both sides are alike modulo this, if the bytes after a page are a multiple of
 * it. */
static int64_t alignment(const TtProtocolRun *r, const TtStep *s) {
  const TtChip *chip = r->p->chip;
  return is_access(s) ? 1 : s->kind == TT_STEP_READ ? chip->noc_read_align : chip->noc_write_align;
}

/* Whether a transfer stays in its circular buffer: addresses do not go round at its end. */
static bool is_inside(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing behind,
                      bool straddles) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  int64_t block = (s->to_read ? p->core->facts->pop_block : p->core->facts->push_block)[s->cb[0]];
  TtGrowing last = tt_grows_add(r, behind, tt_grows_const(straddles));
  if (tt_is_less(r, last, tt_grows_const(block))) return true;
  TtGrowing place = rest_of(r, p->slots[s->slot], cb->pages);
  tt_marks(p, s->cb[0])->place = (int)tt_exact(r, place);
  last = tt_grows_add(r, last, place);
  return tt_is_less(r, last, tt_grows_const(cb->pages)) ||
         tt_error(s->op,
                  "[rule 21] this is behind the end of %s: page %jd (from 0), counted from its "
                  "start, of %jd; addresses do not go round, only pointers do",
                  cb->name, (intmax_t)last.at, (intmax_t)cb->pages);
}

/* The page that a transfer starts in, counted from the first that the process has: reserved or
 * waited for. */
bool tt_page_of(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing *page, bool *straddles) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  const TtBufferView *view = tt_view(p, s->cb[0]);
  TtGrowing bytes = s->index[0] < 0 ? tt_grows_const(0) : tt_evaluate(r, p, s->index[0]);
  if (tt_sign(r, bytes) < 0)
    return tt_error(s->op, "[rule 21] %jd bytes before a pointer of %s", -(intmax_t)bytes.at,
                    cb->name);
  TtGrowing pages = tt_grows_div(r, bytes, cb->page_bytes);
  TtGrowing within = tt_grows_sub(r, bytes, tt_grows_mul(r, pages, cb->page_bytes));
  int64_t align = alignment(r, s);
  if (align > 1 && tt_exact(r, rest_of(r, within, align)) != 0)
    return tt_error(s->op,
                    "[rule 17] %jd bytes after a pointer of %s: the NoC needs a multiple of %jd",
                    (intmax_t)bytes.at, cb->name, (intmax_t)align);
  *straddles = !is_access(s) && tt_sign(r, within) > 0;
  if (!is_inside(r, p, s, pages, *straddles)) return false;
  /* The pointer may be an older one: pages come round again. */
  TtGrowing behind = tt_grows_sub(r, s->to_read ? view->popped : view->pushed, p->slots[s->slot]);
  *page = tt_grows_sub(r, pages, rest_of(r, behind, cb->pages));
  if (tt_sign(r, *page) < 0) *page = tt_grows_add(r, *page, tt_grows_const(cb->pages));
  return true;
}

TtOutcome tt_check_owned(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing last) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  const TtBufferView *view = tt_view(p, s->cb[0]);
  TtGrowing owned = s->to_read ? view->waited : view->reserved;
  if (tt_is_less(r, last, owned)) return TT_GO_ON;
  bool takes = s->kind == TT_STEP_WRITE || s->kind == TT_STEP_SEND || s->kind == TT_STEP_LOAD;
  const char *verb = takes ? "reads" : "writes", *how = s->to_read ? "waited for" : "reserved";
  TtGrowing after = tt_grows_add(r, view->pushed, last);
  if (s->to_read || !tt_is_less(r, after, tt_grows_const(cb->pages)))
    return tt_error(s->op, "[rule 21] %s page %jd (from 0) of %s, of which %jd are %s", verb,
                    (intmax_t)last.at, cb->name, (intmax_t)owned.at, how),
           TT_FAILED;
  return tt_untidy(r, s, "[rule 21] %s page %jd (from 0) of %s, of which %jd are %s", verb,
                   (intmax_t)last.at, cb->name, (intmax_t)owned.at, how);
}

static void note_in_flight(TtProtocolRun *r, int *flag, TtGrowing *from, TtGrowing page) {
  if (!*flag || tt_is_less(r, page, *from)) *from = page;
  *flag = 1;
}

void tt_note_reading(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing page) {
  note_in_flight(r, &tt_marks(p, cb)->reading, &tt_view(p, cb)->reading_from, page);
}

/* What arrived ahead is no longer so when those in front of it are there. */
static void close_up(TtProtocolRun *r, TtProcess *p, int cb) {
  TtBufferView *view = tt_view(p, cb);
  int64_t at = tt_exact(r, view->written);
  view->written = tt_grows_const(tt_behind_ahead(tt_marks(p, cb), at));
}

void tt_note_written(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing n) {
  TtBufferView *view = tt_view(p, cb);
  view->written = tt_grows_add(r, view->written, n);
  if (tt_marks(p, cb)->ahead) close_up(r, p, cb);
}

bool tt_note_arrived(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing page, TtGrowing end) {
  TtBufferView *view = tt_view(p, cb);
  if (!tt_is_less(r, view->written, page)) {
    if (tt_is_less(r, view->written, end)) view->written = end;
  } else if (!tt_add_ahead(tt_marks(p, cb), tt_exact(r, page), tt_exact(r, end))) {
    return false;
  }
  if (tt_marks(p, cb)->ahead) close_up(r, p, cb);
  return true;
}

static bool check_tile(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  if (!s->check_tile || r->late) return true; /* the first run has shown it */
  TtGrowing tile = tt_evaluate(r, p, s->index[1]);
  /* Two integers of a tensor may be in order, where any two of their range are not: whether their
   * difference is below zero shows when the kernel runs. */
  if (s->loaded_tile && tt_sign(r, tile) < 0) return true;
  return (tt_sign(r, tile) >= 0 && tt_is_less(r, tile, tt_grows_const(s->tiles))) ||
         tt_error(s->op, "[rule 17] tile %jd of a tensor that has %jd", (intmax_t)tile.at,
                  (intmax_t)s->tiles);
}

/* What other cores read is written once: they could not tell when. */
static bool check_written_once(TtProtocolRun *r, const TtProcess *p, const TtStep *s,
                               TtGrowing page) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[0]];
  const TtBufferView *view = tt_view(p, s->cb[0]);
  if (!cb->fetched || cb->bound) return true;
  return (!s->to_read && !tt_is_less(r, tt_grows_sub(r, page, view->pushed), view->written)) ||
         tt_error(s->op,
                  "cannot prove the protocol: this writes a page of %s%s again, which other cores "
                  "read; publish it first, and let its consumer free it",
                  cb->name, tt_of_core(r, p->core));
}

TtOutcome tt_write_pages(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing page,
                         int64_t count) {
  int c = s->cb[0];
  TtBufferView *view = tt_view(p, c);
  TtBufferMarks *marks = tt_marks(p, c);
  TtGrowing before = tt_grows_sub(r, page, tt_grows_const(r->p->cbs[c].pages)),
            n = tt_grows_const(count);
  if (tt_is_unsent(r, p, c, before, tt_grows_add(r, before, n)) ||
      tt_is_unsent(r, p, c, page, tt_grows_add(r, page, n)))
    return tt_error(s->op,
                    "[rule 16] overwrites a page of %s that may not have left for other cores yet; "
                    "put a noc_async_writes_flushed before it",
                    r->p->cbs[c].name),
           TT_FAILED;
  /* A second tile for the page whose first one may land later. */
  bool row = s->kind == TT_STEP_READ && s->index[2] >= 0,
       whole = s->kind == TT_STEP_FETCH || (s->kind == TT_STEP_READ && !row && s->index[1] >= 0);
  if (whole && marks->reading && tt_sign(r, tt_grows_sub(r, page, view->last_read)) == 0)
    return tt_error(s->op,
                    "[rule 23] reads to a page of %s to which the read before this one may still "
                    "be on its way; read each page once, or put a noc_async_read_barrier between",
                    r->p->cbs[c].name),
           TT_FAILED;
  if (!check_written_once(r, p, s, page) || !tt_check_unfetched(r, p->core, s, page, count))
    return TT_FAILED;
  if (whole) view->last_read = page;
  if (s->kind != TT_STEP_FILL) tt_note_reading(r, p, c, page);
  bool first = !row || tt_sign(r, tt_evaluate(r, p, s->index[2])) == 0;
  if (!s->uncounted && first) tt_note_written(r, p, c, n);
  return TT_GO_ON;
}

TtOutcome tt_run_transfer_step(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int c = s->cb[0];
  bool straddles = false;
  TtGrowing page;
  if (s->kind == TT_STEP_WRITE) p->marks->unacknowledged = 1;
  if (!check_tile(r, p, s)) return TT_FAILED;
  if (c < 0) return TT_GO_ON;
  TtBufferView *view = tt_view(p, c);
  if (s->kind == TT_STEP_POINTER) {
    p->slots[s->slot] = s->to_read ? view->popped : view->pushed;
    return TT_GO_ON;
  }
  if (!tt_page_of(r, p, s, &page, &straddles)) return TT_FAILED;
  TtGrowing last = straddles ? tt_grows_add(r, page, tt_grows_const(1)) : page;
  if (tt_check_owned(r, p, s, last) == TT_FAILED) return TT_FAILED;
  page = tt_grows_add(r, page, s->to_read ? view->popped : view->pushed);
  if (s->kind != TT_STEP_WRITE) return tt_write_pages(r, p, s, page, 1);
  note_in_flight(r, &tt_marks(p, c)->writing, &view->writing_from, page);
  return TT_GO_ON;
}

TtOutcome tt_run_barrier(TtProtocolRun *r, TtProcess *p, TtStepKind kind) {
  if (kind != TT_STEP_READ_BARRIER && !tt_has_left(r, p, kind == TT_STEP_FLUSH)) return TT_BLOCKED;
  bool reads = kind == TT_STEP_READ_BARRIER;
  for (int c = 0; c < r->p->num_cbs; ++c) {
    int *in_flight = reads ? &tt_marks(p, c)->reading : &tt_marks(p, c)->writing;
    if (!*in_flight) continue;
    *in_flight = 0;
    *(reads ? &tt_view(p, c)->reading_from : &tt_view(p, c)->writing_from) = tt_grows_const(0);
  }
  if (kind == TT_STEP_WRITE_BARRIER) p->marks->unacknowledged = 0;
  if (reads) tt_end_fetches(r, p);
  return TT_GO_ON;
}
