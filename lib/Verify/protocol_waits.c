/*===- protocol_waits.c - loops that only wait, at once -------------------------------------===
 *
 *   for step = 0 to 4
 *     wait %a, step * 32 + 32              as if step were 3 alone
 *
 * What has been waited for stays until it is popped, and a process that only waits and pops shows
 * others nothing before that. So of such a loop, whose waits are for more and more pages, the last
 * round is as good as all. The first run of a program goes through all of them.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol.h"

/* The end of a loop that begins at step `i`, of waits alone and loops of such; -1 where it has
 * other steps, or waits for fewer pages as it goes on. */
static int end_of_waits(const TtExpressions *e, const TtSteps *steps, int i) {
  int open = 0;
  for (; i < steps->n; ++i) {
    const TtStep *s = &steps->data[i];
    switch (s->kind) {
    case TT_STEP_FOR:
      if (!tt_has_constant_bounds(e, s)) return -1;
      ++open;
      break;
    case TT_STEP_END_FOR:
      if (--open == 0) return i;
      break;
    case TT_STEP_WAIT:
      if (tt_rises_by(e, s->index[0]) < 0) return -1;
      break;
    default: return -1;
    }
  }
  return -1;
}

void tt_mark_waits(const TtExpressions *e, TtSteps *steps) {
  for (int i = 0; i < steps->n; ++i) {
    if (steps->data[i].kind != TT_STEP_FOR) continue;
    int end = end_of_waits(e, steps, i);
    for (; i < end; ++i) steps->data[i].waits = steps->data[i].kind == TT_STEP_FOR;
  }
}
