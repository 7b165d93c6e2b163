/*===- protocol_reads.c - loops that only read tiles, at once -------------------------------===
 *
 *   for i = 0 to 8
 *     for j = 0 to 4
 *       read tile … to page i * 4 + j         pages 0 to 31, in order, none twice
 *
 * In a run with somebody late, the first run has shown what a core does by itself: that tiles are
 * there, and pages reserved. What is left of such a loop is which pages it writes, and whether what
 * was there before has left for other cores.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

#include "Support/gcd.h"

/*===- Which loops ----------------------------------------------------------------------------===*/

enum { MAX_DEPTH = 24 }; /* nodes may be shared, and looked at twice */

static int64_t rises_by(const TtExpressions *e, int node, int depth) {
  const TtIndexNode *n = &e->nodes[node];
  if (depth > MAX_DEPTH) return -1;
  if (n->kind == TT_IX_CONST) return n->value < 0 ? -1 : n->value;
  if (n->kind == TT_IX_SLOT) return 1;
  if (n->kind != TT_IX_ADD && n->kind != TT_IX_MUL) return -1;
  int64_t a = rises_by(e, n->a, depth + 1), b = rises_by(e, n->b, depth + 1), product;
  if (a < 0 || b < 0) return -1;
  if (n->kind == TT_IX_ADD) return tt_gcd(a, b);
  bool by_constant = e->nodes[n->a].kind == TT_IX_CONST || e->nodes[n->b].kind == TT_IX_CONST;
  return by_constant && !__builtin_mul_overflow(a, b, &product) ? product : -1;
}

int64_t tt_rises_by(const TtExpressions *e, int node) { return rises_by(e, node, 0); }

static bool is_whole_tile(const TtProtocol *p, const TtExpressions *e, const TtStep *s) {
  if (s->kind != TT_STEP_READ || s->cb[0] < 0 || s->index[0] < 0 || s->index[1] < 0 ||
      s->index[2] >= 0)
    return false;
  int64_t by = tt_rises_by(e, s->index[0]), page = p->cbs[s->cb[0]].page_bytes;
  return by >= 0 && page > 0 && by % page == 0;
}

bool tt_has_constant_bounds(const TtExpressions *e, const TtStep *loop) {
  for (int i = 0; i < 3; ++i)
    if (e->nodes[loop->index[i]].kind != TT_IX_CONST) return false;
  return true;
}

void tt_mark_reads(const TtProtocol *p, const TtExpressions *e, TtSteps *steps) {
  for (int i = 0; i < steps->n; ++i) {
    int at = i;
    steps->data[i].reads = 0;
    if (steps->data[i].kind != TT_STEP_FOR) continue;
    do ++at;
    while (at < steps->n && steps->data[at].kind == TT_STEP_FOR &&
           tt_has_constant_bounds(e, &steps->data[at])); /* as many rounds each time */
    if (at >= steps->n || !is_whole_tile(p, e, &steps->data[at])) continue;
    /* The ends of all of them follow. */
    if (steps->data[i].target == at + 1 + (at - i)) steps->data[i].reads = at;
  }
}

/*===- The run --------------------------------------------------------------------------------===*/

/* Rounds of a loop from its bounds, and the variable in the last of them. */
static bool rounds_of(TtProtocolRun *r, TtProcess *p, const TtStep *loop, int64_t *rounds,
                      int64_t *last) {
  int64_t from = tt_evaluate(r, p, loop->index[0]).at, to = tt_evaluate(r, p, loop->index[1]).at,
          by = tt_evaluate(r, p, loop->index[2]).at, distance;
  if (from < 0 || by <= 0 || to <= from || __builtin_sub_overflow(to, from, &distance))
    return false;
  *rounds = (distance - 1) / by + 1;
  *last = from + (*rounds - 1) * by;
  p->slots[loop->slot] = tt_grows_const(from);
  return true;
}

/* The first and the last page of a nest, counted from the pointer of the one who writes, and how
 * many it reads. */
static bool find_pages(TtProtocolRun *r, TtProcess *p, const TtStep *loop, const TtStep *read,
                       TtGrowing *first, TtGrowing *last, int64_t *count) {
  int64_t lasts[TT_MAX_LOOP_LEVELS], rounds;
  bool straddles;
  *count = 1;
  for (const TtStep *l = loop; l < read; ++l)
    if (l - loop >= TT_MAX_LOOP_LEVELS || !rounds_of(r, p, l, &rounds, &lasts[l - loop]) ||
        __builtin_mul_overflow(*count, rounds, count))
      return false;
  ++r->stamp; /* slots have changed */
  if (!tt_page_of(r, p, read, first, &straddles)) return false;
  for (const TtStep *l = loop; l < read; ++l) p->slots[l->slot] = tt_grows_const(lasts[l - loop]);
  ++r->stamp;
  return tt_page_of(r, p, read, last, &straddles);
}

static bool read_all(TtProtocolRun *r, TtProcess *p, const TtStep *loop, const TtStep *read) {
  int c = read->cb[0];
  TtBufferView *view = tt_view(p, c);
  TtGrowing first, last, round = tt_grows_const(r->p->cbs[c].pages);
  int64_t count;
  if (read->to_read || p->slots[read->slot].at != view->pushed.at ||
      !find_pages(r, p, loop, read, &first, &last, &count) || last.at < first.at ||
      !tt_is_less(r, last, view->reserved))
    return false;
  first = tt_grows_add(r, first, view->pushed), last = tt_grows_add(r, last, view->pushed);
  TtGrowing end = tt_grows_add(r, last, tt_grows_const(1));
  if (tt_is_unsent(r, p, c, first, end) ||
      tt_is_unsent(r, p, c, tt_grows_sub(r, first, round), tt_grows_sub(r, end, round)))
    return false;
  tt_note_reading(r, p, c, first);
  view->last_read = last;
  if (!read->uncounted) tt_note_written(r, p, c, tt_grows_const(count));
  return true;
}

bool tt_run_reads(TtProtocolRun *r, TtProcess *p, const TtStep *loop) {
  const TtStep *read = &p->steps->data[loop->reads];
  if (!r->late || r->depth > 0) return false;
  bool before = tt_silence(true), ok = read_all(r, p, loop, read);
  tt_silence(before);
  for (const TtStep *l = loop; l < read; ++l) p->slots[l->slot] = tt_grows_const(0);
  ++r->stamp;
  return ok;
}
