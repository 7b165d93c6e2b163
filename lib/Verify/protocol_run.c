/*===- protocol_run.c - an abstract run of a program on one core
 * ---------------------------------------===
 *
 * Each process runs until it must wait; when none can go on, either all have ended or there is a
 * deadlock. Rules are cited by their numbers in docs/rules.md.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

#include <string.h>

/*===- Steps
 * --------------------------------------------------------------------------------------===*/

static TtOutcome enter_loop(TtProtocolRun *r, TtProcess *p, const TtStep *s, int *next) {
  TtGrowing from = tt_evaluate(r, p, s->index[0]), to = tt_evaluate(r, p, s->index[1]),
            by = tt_evaluate(r, p, s->index[2]);
  if (tt_sign(r, by) <= 0)
    return tt_error(s->op,
                    "cannot prove the protocol: the loop's step is %jd, and must be positive",
                    (intmax_t)by.at),
           TT_FAILED;
  if (!tt_is_less(r, from, to)) {
    *next = s->target;
    return TT_GO_ON;
  }
  p->slots[s->slot] = from;
  tt_loop_entered(r, p, *next - 1, (to.at - from.at) / by.at);
  return TT_GO_ON;
}

/* The next round, or on behind the loop. */
static void end_round(TtProtocolRun *r, TtProcess *p, const TtStep *s, int *next) {
  TtGrowing *variable = &p->slots[s->slot];
  *variable = tt_grows_add(r, *variable, tt_evaluate(r, p, s->index[2]));
  if (tt_is_less(r, *variable, tt_evaluate(r, p, s->index[1]))) {
    *next = s->target + 1;
    return;
  }
  *variable = tt_grows_const(0);
  tt_loop_left(r, p, s->target);
}

static TtOutcome run_step(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int next = p->marks->pc + 1;
  TtOutcome outcome = TT_GO_ON;
  ++r->stamp;
  switch (s->kind) {
  case TT_STEP_FOR: outcome = enter_loop(r, p, s, &next); break;
  case TT_STEP_END_FOR: end_round(r, p, s, &next); break;
  case TT_STEP_IF:
    if (!tt_exact(r, tt_evaluate(r, p, s->index[0]))) next = s->target;
    break;
  case TT_STEP_ELSE: next = s->target; break;
  case TT_STEP_END_IF: break;
  case TT_STEP_RESERVE:
  case TT_STEP_PUSH:
  case TT_STEP_WAIT:
  case TT_STEP_POP: outcome = tt_run_buffer_step(r, p, s); break;
  case TT_STEP_POINTER:
  case TT_STEP_READ:
  case TT_STEP_WRITE:
  case TT_STEP_FILL: outcome = tt_run_transfer_step(r, p, s); break;
  case TT_STEP_READ_BARRIER:
  case TT_STEP_WRITE_BARRIER:
  case TT_STEP_FLUSH: tt_run_barrier(r, p, s->kind); break;
  default: outcome = tt_run_engine_step(r, p, s); break;
  }
  if (r->overflow && outcome != TT_FAILED) {
    tt_error(s->op, "cannot prove the protocol: a count or an index here does not fit 64 bits");
    outcome = TT_FAILED;
  }
  if (outcome == TT_GO_ON) p->marks->pc = next;
  if (s->kind == TT_STEP_END_FOR && next == s->target + 1) tt_loop_repeats(r, p, s->target);
  return outcome;
}

/* Loops whose rounds are not alike, many levels deep, might go on for ever. */
static bool is_too_long(TtProtocolRun *r, const TtStep *s) {
  enum { MOST_STEPS = 50000000 }; /* some seconds */
  if (r->p->options.exhaustive || ++r->steps <= MOST_STEPS) return false;
  return !tt_error(
      s->op,
      "cannot prove the protocol in %d steps: the loops around this have many rounds that are not "
      "alike; "
      "use fewer loops of more rounds, or --tt-verify-ir=exhaustive=true, which runs on",
      (int)MOST_STEPS);
}

/*===- Processes
 * ----------------------------------------------------------------------------------===*/

/* Whether pushes, or pops, of a circular buffer always land on its end: equal counts that divide
 * it. */
static bool lands_always(const TtProtocol *p, int cb, TtStepKind kind) {
  int64_t count = 0;
  for (int i = 0; i < TT_NUM_PROCESSES; ++i)
    for (int j = 0; j < p->steps[i].n; ++j) {
      const TtStep *s = &p->steps[i].data[j];
      if (s->kind != kind || s->cb[0] != cb) continue;
      const TtIndexNode *n = &p->expressions[tt_role_of_process(i)].nodes[s->index[0]];
      if (n->kind != TT_IX_CONST || (count && count != n->value)) return false;
      count = n->value;
    }
  return count == 0 || (count > 0 && p->cbs[cb].pages % count == 0);
}

static void lay_out(TtProtocolRun *r) {
  const TtProtocol *p = r->p;
  size_t cbs = (size_t)p->num_cbs, n = cbs, m = sizeof(TtSharedMarks) / sizeof(int);
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
    n += (size_t)p->expressions[tt_role_of_process(i)].slots + cbs * TT_VIEW_VALUES;
    m += TT_PROCESS_MARKS + cbs * TT_BUFFER_MARKS;
  }
  r->num_values = n, r->num_marks = m;
  r->values = tt_arena_alloc(p->arena, (n + 1) * sizeof *r->values);
  r->marks = tt_arena_alloc(p->arena, m * sizeof *r->marks);
  TtGrowing *value = r->values;
  int *mark = r->marks;
  r->held = value, value += cbs;
  r->shared = (TtSharedMarks *)mark, mark += sizeof(TtSharedMarks) / sizeof(int);
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
    TtProcess *process = &r->processes[i];
    const TtExpressions *e = &p->expressions[tt_role_of_process(i)];
    *process = (TtProcess){.kind = i, .steps = &p->steps[i], .expressions = e};
    process->slots = value, value += e->slots;
    process->views = (TtBufferView *)value, value += cbs * TT_VIEW_VALUES;
    process->marks = (TtProcessMarks *)mark, mark += TT_PROCESS_MARKS;
    process->buffer_marks = (TtBufferMarks *)mark, mark += cbs * TT_BUFFER_MARKS;
    process->memo = tt_arena_alloc(p->arena, (size_t)(e->n + 1) * sizeof *process->memo);
    process->stamps = tt_arena_alloc(p->arena, (size_t)(e->n + 1) * sizeof *process->stamps);
    TtProcessMarks *marks = process->marks;
    marks->fpu = marks->sfpu = marks->srca = marks->srcb = marks->packer = -1;
  }
}

static TtProtocolRun *start(const TtProtocol *p, const int64_t *args) {
  TtProtocolRun *r = tt_arena_alloc(p->arena, sizeof *r);
  size_t cbs = (size_t)p->num_cbs + 1;
  r->p = p, r->args = args, r->capacity = tt_dst_capacity(p->program);
  r->pushed_by = tt_arena_alloc(p->arena, cbs * sizeof *r->pushed_by);
  r->popped_by = tt_arena_alloc(p->arena, cbs * sizeof *r->popped_by);
  r->has_phase = tt_arena_alloc(p->arena, cbs * sizeof *r->has_phase);
  for (int c = 0; c < p->num_cbs; ++c)
    r->has_phase[c] = !lands_always(p, c, TT_STEP_PUSH) || !lands_always(p, c, TT_STEP_POP);
  lay_out(r);
  return r;
}

static bool ended(const TtProcess *p) { return p->marks->pc >= p->steps->n; }

bool tt_protocol_run(const TtProtocol *protocol, const int64_t *args) {
  TtProtocolRun *r = start(protocol, args);
  for (bool progress = true; progress;) {
    progress = false;
    for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
      TtProcess *p = &r->processes[i];
      while (!ended(p)) {
        const TtStep *s = &p->steps->data[p->marks->pc];
        TtOutcome outcome = is_too_long(r, s) ? TT_FAILED : run_step(r, p, s);
        if (outcome == TT_FAILED) return false;
        if (outcome == TT_BLOCKED) break;
        progress = true;
      }
    }
  }
  for (int i = 0; i < TT_NUM_PROCESSES; ++i)
    if (!ended(&r->processes[i])) return tt_report_deadlock(r);
  return tt_check_engine_at_end(r) && tt_check_buffers_at_end(r);
}

bool tt_protocol_check(TtArena *arena, MlirOperation program, TtCheckOptions options,
                       const TtSizes *sizes) {
  TtProtocol protocol;
  if (!tt_protocol_read(arena, program, options, &protocol)) return false;
  TtCoreArgs cores = tt_core_args(&protocol, sizes);
  tt_mark_transfers(&protocol, sizes, &cores);
  tt_unite_cores(&protocol, &cores);
  for (int64_t i = 0; i < cores.n; ++i)
    if (!tt_protocol_run(&protocol, cores.values + i * protocol.num_args)) return false;
  return true;
}
