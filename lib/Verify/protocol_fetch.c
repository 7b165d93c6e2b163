/*===- protocol_fetch.c - reads of other cores' memory ---------------------------------------===
 *
 *   %there = metalium.get_noc_addr %right_x, %y, %from
 *   metalium.noc_async_read %there, %to, %bytes        FETCH  cb_a of the right core, to cb_b
 *
 * A page of a circular buffer holds what was last written to it, published, freed or neither. What
 * is read must be there, must be the same page however the timing is, and must stay until the read
 * has landed:
 *
 *   there    packed and published, or brought by reads that have landed: looked at where who fills
 * it is as late as it can be the same the n-th page that a link reads is always so many pages away
 * from page n, or from the page that the pointer is at on this core: in each run, those included
 * where the one who reads is as late as it can be, and the other core has gone on without it stays
 *   nobody writes to it before the barrier of the one who reads, who is late
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

/* How pages that a link reads follow each other; of each way to count, until it is not so. */
typedef struct TtFetchOrder {
  bool known, not_by_count, not_by_place;
  int64_t by_count, by_place;
} TtFetchOrder;

struct TtFetchOrder *tt_fetch_orders(const TtProtocol *p) {
  return tt_arena_alloc(p->arena, ((size_t)p->num_links + 1) * sizeof(TtFetchOrder));
}

/*===- The other core ---------------------------------------------------------------------===*/

static const TtCoreState *core_of(const TtProtocolRun *r, const TtProcess *p, const TtStep *s) {
  return &r->cores[tt_hits_of(r, p->core, s).data[0].to];
}

static bool fills(const TtStep *s) {
  return s->kind == TT_STEP_READ || s->kind == TT_STEP_FILL || s->kind == TT_STEP_FETCH ||
         s->kind == TT_STEP_PACK;
}

/* The first step of a core that fills pages of a circular buffer, or that publishes them. */
static const TtStep *step_on(const TtCoreState *core, bool publishes, int cb, TtProcess **who) {
  for (int i = 0; i < TT_READER_PORT; ++i)
    for (int j = 0; j < core->processes[i].steps->n; ++j) {
      const TtStep *s = &core->processes[i].steps->data[j];
      if (s->cb[0] != cb || !(publishes ? s->kind == TT_STEP_PUSH : fills(s))) continue;
      if (who) *who = (TtProcess *)&core->processes[i];
      return s;
    }
  return NULL;
}

/* An error at a read, with the places of the other core that it is in no order with. */
static bool report(TtProtocolRun *r, const TtStep *s, const TtCoreState *there, const char *text) {
  const char *notes[2];
  MlirLocation places[2];
  int n = 0;
  for (int publishes = 0; publishes < 2; ++publishes) {
    const TtStep *other = step_on(there, publishes, s->cb[1], NULL);
    if (!other) continue;
    places[n] = mlirOperationGetLocation(other->op);
    notes[n++] = tt_arena_printf(r->arena, "here core (%jd, %jd) %s it", (intmax_t)there->core->x,
                                 (intmax_t)there->core->y, publishes ? "publishes" : "writes");
  }
  return tt_error_with_notes(s->op, n, places, notes, "%s", text);
}

/* The pages of a circular buffer that are written, and those that have landed: up to these. */
static void find_filled(TtProtocolRun *r, const TtCoreState *core, int cb, TtGrowing *written,
                        TtGrowing *landed) {
  TtProcess *p = NULL;
  *written = *landed = tt_grows_const(0);
  if (!step_on(core, true, cb, &p) && !step_on(core, false, cb, &p)) return;
  const TtBufferView *view = tt_view(p, cb);
  bool packs = p->kind == TT_PACK;
  *written = tt_grows_add(r, view->pushed, packs ? view->packed : view->written);
  *landed = packs ? view->pushed : *written;
  if (!packs && tt_marks(p, cb)->reading && tt_is_less(r, view->reading_from, *landed))
    *landed = view->reading_from;
}

/* The last page that was written where page `at` lies, of `pages`. */
static TtGrowing page_at(TtProtocolRun *r, TtGrowing at, TtGrowing written, int64_t pages) {
  TtGrowing last = tt_grows_sub(r, written, tt_grows_const(1));
  return tt_grows_sub(r, last, tt_grows_mod(r, tt_grows_sub(r, last, at), pages));
}

/* Which pages a fetch reads of those that the other core has written. False after an error. */
static bool find_pages(TtProtocolRun *r, const TtStep *s, const TtCoreState *there, TtGrowing own,
                       int64_t count, TtGrowing *first) {
  const TtProtocolCB *cb = &r->p->cbs[s->cb[1]];
  TtGrowing written, landed, more = tt_grows_const(count - 1);
  find_filled(r, there, s->cb[1], &written, &landed);
  *first = page_at(r, own, written, cb->pages);
  TtGrowing last = page_at(r, tt_grows_add(r, own, more), written, cb->pages);
  if (cb->bound || (tt_sign(r, *first) >= 0 && tt_is_less(r, last, landed) &&
                    tt_sign(r, tt_grows_sub(r, last, tt_grows_add(r, *first, more))) == 0))
    return true;
  return report(r, s, there,
                tt_arena_printf(r->arena,
                                "[rule 23] reads page %jd (from 0) of %s%s, which may not be there "
                                "yet; wait for a signal that it sends when it is",
                                (intmax_t)tt_grows_mod(r, own, cb->pages).at, cb->name,
                                tt_of_core(r, there)));
}

/*===- Order ------------------------------------------------------------------------------===*/

static void look(TtProtocolRun *r, bool *broken, int64_t known, TtGrowing now) {
  if (!*broken) *broken = tt_sign(r, tt_grows_sub(r, now, tt_grows_const(known))) != 0;
}

static bool check_order(TtProtocolRun *r, TtProcess *p, const TtStep *s, const TtCoreState *there,
                        TtGrowing first, TtGrowing own) {
  TtFetchOrder *o = &r->network->orders[s->link];
  if (r->p->cbs[s->cb[1]].bound) return true;
  TtGrowing by_count = tt_grows_sub(r, first, p->fetches[s->link].done),
            by_place = tt_grows_sub(r, first, own);
  if (!o->known) o->known = true, o->by_count = by_count.at, o->by_place = by_place.at;
  look(r, &o->not_by_count, o->by_count, by_count);
  look(r, &o->not_by_place, o->by_place, by_place);
  if (!o->not_by_count || !o->not_by_place) return true;
  return report(r, s, there,
                tt_arena_printf(r->arena,
                                "[rule 23] reads page %jd (from 0) of %s%s, and another one when "
                                "it comes earlier or later; wait for a signal that the page is "
                                "there, and let that core wait for one that it was read",
                                (intmax_t)first.at, r->p->cbs[s->cb[1]].name,
                                tt_of_core(r, there)));
}

/*===- Steps ------------------------------------------------------------------------------===*/

static void note_flight(TtProtocolRun *r, TtProcess *p, int link, TtGrowing first, TtGrowing end,
                        int64_t count) {
  TtFetch *f = &p->fetches[link];
  if (!p->fetching[link] || tt_is_less(r, first, f->from)) f->from = first;
  if (!p->fetching[link] || tt_is_less(r, f->to, end)) f->to = end;
  p->fetching[link] = 1;
  f->done = tt_grows_add(r, f->done, tt_grows_const(count));
}

TtOutcome tt_run_fetch(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  TtStep source = tt_end_there(s);
  TtGrowing to, own;
  int64_t count;
  if (!tt_pages_of(r, p, s, &to, &count) || !tt_pages_of(r, p, &source, &own, &count))
    return TT_FAILED;
  TtGrowing pages = tt_grows_const(count), one = tt_grows_const(1),
            start = s->to_read ? tt_view(p, s->cb[0])->popped : tt_view(p, s->cb[0])->pushed,
            last = tt_grows_sub(r, tt_grows_add(r, tt_grows_sub(r, to, start), pages), one);
  if (tt_check_owned(r, p, s, last) == TT_FAILED) return TT_FAILED;
  const TtCoreState *there = core_of(r, p, s);
  TtGrowing first;
  if (!find_pages(r, s, there, own, count, &first) || !check_order(r, p, s, there, first, own))
    return TT_FAILED;
  note_flight(r, p, s->link, first, tt_grows_add(r, first, pages), count);
  return tt_write_pages(r, p, s, to, count);
}

void tt_end_fetches(const TtProtocolRun *r, TtProcess *p) {
  for (int l = 0; l < r->p->num_links; ++l) {
    if (!p->fetching[l]) continue;
    p->fetching[l] = 0;
    p->fetches[l].from = p->fetches[l].to = tt_grows_const(0);
  }
}

/* Whether somebody still reads pages [from, to) of a circular buffer. */
static bool is_in_use(TtProtocolRun *r, const TtIncoming *in, int cb, TtGrowing from,
                      TtGrowing to) {
  const TtStep *s = in->step;
  if (s->kind != TT_STEP_FETCH || s->cb[1] != cb || !in->from->fetching[s->link]) return false;
  const TtFetch *f = &in->from->fetches[s->link];
  return tt_is_less(r, f->from, to) && tt_is_less(r, from, f->to);
}

bool tt_check_unfetched(TtProtocolRun *r, const TtCoreState *core, const TtStep *s, TtGrowing page,
                        int64_t count) {
  TtGrowing from = tt_grows_sub(r, page, tt_grows_const(r->p->cbs[s->cb[0]].pages)),
            to = tt_grows_add(r, from, tt_grows_const(count));
  for (int i = 0; r->p->cbs[s->cb[0]].fetched && i < core->num_incoming; ++i) {
    const TtIncoming *in = &core->incoming[i];
    if (!is_in_use(r, in, s->cb[0], from, to)) continue;
    const char *note = "it is read here, and has landed after a noc_async_read_barrier";
    MlirLocation place = mlirOperationGetLocation(in->step->op);
    return tt_error_with_notes(
        s->op, 1, &place, &note,
        "[rule 23] overwrites a page of %s%s while %s may still read it; wait for a signal that it "
        "sends when it has",
        r->p->cbs[s->cb[0]].name, tt_of_core(r, core), tt_process_name(r, in->from));
  }
  return true;
}
