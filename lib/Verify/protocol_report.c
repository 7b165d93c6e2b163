/*===- protocol_report.c - what an abstract run says ------------------------------------------===*/

#include "Verify/protocol_state.h"

const char *tt_kind_name(int kind) {
  static const char *const names[] = {"the reader", "the writer", "unpack", "math", "pack"};
  return names[tt_mover_of(kind)];
}

const char *tt_of_core(TtProtocolRun *r, const TtCoreState *core) {
  if (r->num_cores == 1) return "";
  return tt_arena_printf(r->arena, " of core (%jd, %jd)", (intmax_t)core->core->x,
                         (intmax_t)core->core->y);
}

const char *tt_process_name(TtProtocolRun *r, const TtProcess *p) {
  return tt_arena_printf(r->arena, "%s%s", tt_kind_name(p->kind), tt_of_core(r, p->core));
}

TtOutcome tt_untidy(TtProtocolRun *r, const TtStep *s, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (r->p->options.strict) return tt_error(s->op, "%s", text), TT_FAILED;
  if (!*s->warned) tt_warning(s->op, "%s", text);
  if (!tt_is_silent()) *s->warned = true;
  return TT_GO_ON;
}

/*===- Deadlock -------------------------------------------------------------------------------===*/

static bool ended(const TtProcess *p) { return p->marks->pc >= p->steps->n; }
static const TtStep *step_of(const TtProcess *p) { return &p->steps->data[p->marks->pc]; }

/* Whose step a circular buffer waits for: the process that has such a step, or NULL. */
static TtProcess *process_with(TtCoreState *core, TtStepKind kind, int cb) {
  for (int i = 0; i < TT_READER_PORT; ++i)
    for (int j = 0; j < core->processes[i].steps->n; ++j) {
      const TtStep *s = &core->processes[i].steps->data[j];
      if (s->kind == kind && s->cb[0] == cb) return &core->processes[i];
    }
  return NULL;
}

/* Who signals a semaphore of a core: rather one that waits than one that has ended. */
static TtProcess *signaller_of(const TtCoreState *core, int semaphore) {
  TtProcess *found = NULL;
  for (int i = 0; i < core->num_incoming; ++i)
    if (core->incoming[i].step->semaphore == semaphore && (!found || ended(found)))
      found = core->incoming[i].from;
  return found;
}

/* Whom a process waits for; NULL where there is nobody. */
static TtProcess *waits_for(const TtProcess *p) {
  TtCoreState *core = p->core;
  const TtStep *s = step_of(p);
  switch (s->kind) {
  case TT_STEP_RESERVE: return process_with(core, TT_STEP_POP, s->cb[0]);
  case TT_STEP_WAIT: return process_with(core, TT_STEP_PUSH, s->cb[0]);
  case TT_STEP_SEM_WAIT:
  case TT_STEP_SEM_WAIT_MIN: return signaller_of(core, s->semaphore);
  case TT_STEP_MATH: return &core->processes[p->kind == TT_MATH ? TT_UNPACK : TT_MATH];
  case TT_STEP_ACQUIRE: return &core->processes[TT_PACK];
  default: return &core->processes[TT_MATH]; /* a wait for DST */
  }
}

/* "waits here for 1 page of cb_in0, …" */
static const char *wait_text(TtProtocolRun *r, TtProcess *p) {
  const TtStep *s = step_of(p);
  int c = s->cb[0];
  ++r->stamp;
  switch (s->kind) {
  case TT_STEP_RESERVE:
  case TT_STEP_WAIT: {
    bool produces = s->kind == TT_STEP_RESERVE;
    int64_t held = p->core->held[c].at, pages = r->p->cbs[c].pages,
            n = tt_evaluate(r, p, s->index[0]).at,
            done = produces ? tt_view(p, c)->pushed.at : tt_view(p, c)->popped.at;
    return tt_arena_printf(
        r->arena, "waits in %s for %jd %spages of %s, which holds %jd of %jd, after it has %s %jd",
        produces ? "cb_reserve_back" : "cb_wait_front", (intmax_t)n, produces ? "free " : "",
        r->p->cbs[c].name, (intmax_t)held, (intmax_t)pages, produces ? "pushed" : "popped",
        (intmax_t)done);
  }
  case TT_STEP_SEM_WAIT:
  case TT_STEP_SEM_WAIT_MIN:
    return tt_arena_printf(r->arena, "waits until semaphore @%s, which is %jd, is %jd%s",
                           r->p->semaphores[s->semaphore].name,
                           (intmax_t)p->core->values[s->semaphore].at,
                           (intmax_t)tt_evaluate(r, p, s->index[0]).at,
                           s->kind == TT_STEP_SEM_WAIT_MIN ? " or more" : "");
  case TT_STEP_MATH:
    return p->kind == TT_MATH ? "waits for a tile in the source registers"
                              : "waits for free source registers";
  case TT_STEP_ACQUIRE: return "waits in tt.dst.acquire for a free half of DST";
  default: return "waits in tt.dst.wait for a committed half of DST";
  }
}

static const char *nobody(const TtStep *s) {
  return s->kind == TT_STEP_RESERVE ? "no kernel pops any"
         : s->kind == TT_STEP_WAIT  ? "no kernel pushes any"
                                    : "no kernel signals it";
}

/* One who is stuck: from there one comes to the circle, or to somebody who has ended. */
static TtProcess *first_stuck(const TtProtocolRun *r) {
  TtProcess *first = NULL;
  for (int c = 0; c < r->num_cores && !first; ++c)
    for (int i = 0; i < TT_READER_PORT && !first; ++i)
      if (!ended(&r->cores[c].processes[i])) first = &r->cores[c].processes[i];
  for (int i = 0; i < r->num_cores * TT_NUM_PROCESSES; ++i) {
    TtProcess *next = waits_for(first);
    if (!next || ended(next)) break;
    first = next;
  }
  return first;
}

bool tt_report_deadlock(TtProtocolRun *r) {
  size_t most = (size_t)r->num_cores * TT_NUM_PROCESSES;
  const char **notes = tt_arena_alloc(r->arena, (most + 1) * sizeof *notes);
  MlirLocation *places = tt_arena_alloc(r->arena, (most + 1) * sizeof *places);
  bool *seen = tt_arena_alloc(r->arena, most + 1);
  TtProcess *first = first_stuck(r);
  size_t n = 0;
  for (TtProcess *p = first; n < most && !seen[p->number];) {
    TtProcess *next = waits_for(p);
    bool over = next && ended(next);
    seen[p->number] = true;
    places[n] = mlirOperationGetLocation(step_of(p)->op);
    const char *whom = !next ? nobody(step_of(p))
                             : tt_arena_printf(r->arena, "for %s%s", tt_process_name(r, next),
                                               over ? ", which has ended" : "");
    notes[n++] =
        tt_arena_printf(r->arena, "%s %s: %s", tt_process_name(r, p), wait_text(r, p), whom);
    if (!next || over) break;
    p = next;
  }
  return tt_error_with_notes(step_of(first)->op, (intptr_t)n - 1, places + 1, notes + 1,
                             "[rule 6] deadlock: %s", notes[0]);
}
