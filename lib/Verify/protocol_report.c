/*===- protocol_report.c - what an abstract run says
 * --------------------------------------------------===*/

#include "Verify/protocol_state.h"

const char *tt_process_name(int kind) {
  static const char *const names[] = {"the reader", "the writer", "unpack", "math", "pack"};
  return names[kind];
}

TtOutcome tt_untidy(TtProtocolRun *r, const TtStep *s, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (r->p->options.strict) return tt_error(s->op, "%s", text), TT_FAILED;
  if (!*s->warned) tt_warning(s->op, "%s", text);
  *s->warned = true;
  return TT_GO_ON;
}

/*===- Deadlock
 * -----------------------------------------------------------------------------------===*/

static bool ended(const TtProcess *p) { return p->marks->pc >= p->steps->n; }

/* Whose step a circular buffer waits for: the process that has such a step, or -1. */
static int process_with(const TtProtocolRun *r, TtStepKind kind, int cb) {
  for (int i = 0; i < TT_NUM_PROCESSES; ++i)
    for (int j = 0; j < r->processes[i].steps->n; ++j) {
      const TtStep *s = &r->processes[i].steps->data[j];
      if (s->kind == kind && s->cb[0] == cb) return i;
    }
  return -1;
}

/* Whom a process waits for; -1 where there is nobody. */
static int waits_for(const TtProtocolRun *r, int process) {
  const TtProcess *p = &r->processes[process];
  const TtStep *s = &p->steps->data[p->marks->pc];
  switch (s->kind) {
  case TT_STEP_RESERVE: return process_with(r, TT_STEP_POP, s->cb[0]);
  case TT_STEP_WAIT: return process_with(r, TT_STEP_PUSH, s->cb[0]);
  case TT_STEP_MATH: return process == TT_MATH ? TT_UNPACK : TT_MATH;
  case TT_STEP_ACQUIRE: return TT_PACK;
  default: return TT_MATH; /* a wait for DST */
  }
}

/* "waits here for 1 page of cb_in0, …" */
static const char *wait_text(TtProtocolRun *r, int process) {
  TtProcess *p = &r->processes[process];
  const TtStep *s = &p->steps->data[p->marks->pc];
  TtArena *arena = r->p->arena;
  int c = s->cb[0];
  ++r->stamp;
  switch (s->kind) {
  case TT_STEP_RESERVE:
  case TT_STEP_WAIT: {
    bool produces = s->kind == TT_STEP_RESERVE;
    int64_t held = r->held[c].at, pages = r->p->cbs[c].pages, n = tt_evaluate(r, p, s->index[0]).at,
            done = produces ? p->views[c].pushed.at : p->views[c].popped.at;
    return tt_arena_printf(
        arena, "waits in %s for %jd %spages of %s, which holds %jd of %jd, after it has %s %jd",
        produces ? "cb_reserve_back" : "cb_wait_front", (intmax_t)n, produces ? "free " : "",
        r->p->cbs[c].name, (intmax_t)held, (intmax_t)pages, produces ? "pushed" : "popped",
        (intmax_t)done);
  }
  case TT_STEP_MATH:
    return process == TT_MATH ? "waits for a tile in the source registers"
                              : "waits for free source registers";
  case TT_STEP_ACQUIRE: return "waits in tt.dst.acquire for a free half of DST";
  default: return "waits in tt.dst.wait for a committed half of DST";
  }
}

bool tt_report_deadlock(TtProtocolRun *r) {
  /* From anyone who is stuck one comes to the circle, or to somebody who has ended. */
  int first = 0;
  while (ended(&r->processes[first])) ++first;
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
    int next = waits_for(r, first);
    if (next < 0 || ended(&r->processes[next])) break;
    first = next;
  }
  const char *notes[TT_NUM_PROCESSES];
  MlirLocation places[TT_NUM_PROCESSES];
  int n = 0;
  bool seen[TT_NUM_PROCESSES] = {false};
  for (int i = first; n < TT_NUM_PROCESSES && !seen[i];) {
    const TtProcess *p = &r->processes[i];
    int next = waits_for(r, i);
    seen[i] = true;
    places[n] = mlirOperationGetLocation(p->steps->data[p->marks->pc].op);
    bool over = next >= 0 && ended(&r->processes[next]),
         reserves = p->steps->data[p->marks->pc].kind == TT_STEP_RESERVE;
    const char *whom = next < 0 ? reserves ? "no kernel pops any" : "no kernel pushes any"
                                : tt_arena_printf(r->p->arena, "for %s%s", tt_process_name(next),
                                                  over ? ", which has ended" : "");
    notes[n++] =
        tt_arena_printf(r->p->arena, "%s %s: %s", tt_process_name(i), wait_text(r, i), whom);
    if (next < 0 || over) break;
    i = next;
  }
  const TtProcess *p = &r->processes[first];
  return tt_error_with_notes(p->steps->data[p->marks->pc].op, n - 1, places + 1, notes + 1,
                             "[rule 6] deadlock: %s", notes[0]);
}
