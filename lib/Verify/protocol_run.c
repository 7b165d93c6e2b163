/*===- protocol_run.c - an abstract run of a program ------------------------------------------===
 *
 * Each process runs until it must wait; when none can go on, either all have ended or there is a
 * deadlock. Rules are cited by their numbers in docs/rules.md.
 *
 * Cores that send to each other run together. What one run shows is then true of all, but for what
 * happens to be early enough. So each process that speaks to other cores is, in a run of its own,
 * as late as it can be: it steps only where nobody else can. What another process does then, it
 * does without what this one has not done yet; and what this one has done by then comes before it
 * in each run. Its core is alone in its class, so that it is not late together with others.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

#include <string.h>

/*===- Steps ----------------------------------------------------------------------------------===*/

static TtOutcome enter_loop(TtProtocolRun *r, TtProcess *p, const TtStep *s, int *next) {
  TtGrowing from = tt_evaluate(r, p, s->index[0]), to = tt_evaluate(r, p, s->index[1]),
            by = tt_evaluate(r, p, s->index[2]);
  if (tt_sign(r, by) <= 0)
    return tt_error(s->op,
                    "cannot prove the protocol: the loop's step is %jd, and must be positive",
                    (intmax_t)by.at),
           TT_FAILED;
  if (!tt_is_less(r, from, to) || (s->reads && tt_run_reads(r, p, s))) {
    *next = s->target;
    return TT_GO_ON;
  }
  int64_t rounds = (to.at - from.at) / by.at;
  if (s->waits) from.at += (to.at - from.at - 1) / by.at * by.at, rounds = 1;
  p->slots[s->slot] = from;
  tt_loop_entered(r, p, *next - 1, rounds);
  return TT_GO_ON;
}

/* The next round, or on behind the loop. */
static void end_round(TtProtocolRun *r, TtProcess *p, const TtStep *s, int *next) {
  TtGrowing *variable = &p->slots[s->slot];
  const TtGrowing by = tt_evaluate(r, p, s->index[2]), to = tt_evaluate(r, p, s->index[1]);
  tt_increase(r, variable, &by);
  if (tt_order(r, variable, &to) < 0) {
    *next = s->target + 1;
    return;
  }
  *variable = tt_grows_const(0);
  tt_loop_left(r, p, s->target);
}

/* The n-th integer of one load is the same in all kernels of a core. Which one it is, differs from
 * run to run. */
static void learn(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  TtGrowing *count = &p->slots[s->slot + 1], *value = &p->slots[s->slot];
  if (r->p->try < 2) *value = tt_grows_const(s->range[r->p->try]);
  else {
    uint64_t n = (uint64_t)tt_exact(r, *count);
    uint64_t some = (n * 2654435761u + (uint64_t)s->load * 40503u) >> 4,
             all = (uint64_t)s->range[1] - (uint64_t)s->range[0] + 1;
    *value = tt_grows_const(r->p->try == 2 ? s->range[n % 2]
                                           : s->range[0] + (int64_t)(all ? some % all : some));
  }
  tt_increment(r, count);
}

/* A core uses what it has; what others have, stands in the network. The first run shows it. */
static bool has_what_it_uses(const TtProtocolRun *r, const TtProcess *p, const TtStep *s) {
  const TtProtocolCore *core = p->core->core;
  bool waits =
      s->kind == TT_STEP_SEM_SET || s->kind == TT_STEP_SEM_WAIT || s->kind == TT_STEP_SEM_WAIT_MIN;
  int semaphore = waits ? s->semaphore : s->kind == TT_STEP_SIGNAL ? s->source : -1;
  if (semaphore >= 0 && !(core->semaphores >> semaphore & 1))
    return tt_error(s->op, "[rule 18] core (%jd, %jd) has no semaphore @%s", (intmax_t)core->x,
                    (intmax_t)core->y, r->p->semaphores[semaphore].name);
  for (int i = 0; i < (s->kind == TT_STEP_SEND ? 1 : 3); ++i)
    if (s->cb[i] >= 0 && !(core->cbs >> s->cb[i] & 1))
      return tt_error(s->op, "[rule 8] core (%jd, %jd) has no circular buffer @%s",
                      (intmax_t)core->x, (intmax_t)core->y, r->p->cbs[s->cb[i]].name);
  return true;
}

/* Where a process goes on: ends of branches, and branches that its core's arguments decide, are no
 * steps of their own. */
static inline int behind_branches(const TtProcess *p, int pc) {
  for (; pc < p->steps->n; ++pc) {
    const TtStep *s = &p->steps->data[pc];
    if (s->kind == TT_STEP_ELSE) pc = s->target - 1;
    else if (s->kind == TT_STEP_IF && p->known->known[s->index[0]])
      pc = p->known->values[s->index[0]] ? pc : s->target - 1;
    else if (s->kind != TT_STEP_END_IF) break;
  }
  return pc;
}

static TtOutcome run_step(TtProtocolRun *r, TtProcess *p, const TtStep *s) {
  int next = p->marks->pc + 1;
  TtOutcome outcome = TT_GO_ON;
  ++r->stamp;
  if (!r->late && !has_what_it_uses(r, p, s)) return TT_FAILED;
  switch (s->kind) {
  case TT_STEP_FOR: outcome = enter_loop(r, p, s, &next); break;
  case TT_STEP_END_FOR: end_round(r, p, s, &next); break;
  case TT_STEP_IF:
    if (!tt_exact(r, tt_evaluate(r, p, s->index[0]))) next = s->target;
    break;
  case TT_STEP_RESERVE:
  case TT_STEP_PUSH:
  case TT_STEP_WAIT:
  case TT_STEP_POP: outcome = tt_run_buffer_step(r, p, s); break;
  case TT_STEP_POINTER:
  case TT_STEP_READ:
  case TT_STEP_WRITE:
  case TT_STEP_FILL: outcome = tt_run_transfer_step(r, p, s); break;
  case TT_STEP_LOAD:
  case TT_STEP_STORE: outcome = tt_run_access(r, p, s); break;
  case TT_STEP_READ_BARRIER:
  case TT_STEP_WRITE_BARRIER:
  case TT_STEP_FLUSH: outcome = tt_run_barrier(r, p, s->kind); break;
  case TT_STEP_LEARN: learn(r, p, s); break;
  case TT_STEP_FETCH: outcome = tt_run_fetch(r, p, s); break;
  case TT_STEP_SEND:
  case TT_STEP_SIGNAL:
  case TT_STEP_INC:
  case TT_STEP_SEM_SET:
  case TT_STEP_SEM_WAIT:
  case TT_STEP_SEM_WAIT_MIN: outcome = tt_run_signal_step(r, p, s); break;
  default: outcome = tt_run_engine_step(r, p, s); break;
  }
  if (r->overflow && outcome != TT_FAILED) {
    tt_error(s->op, "cannot prove the protocol: a count or an index here does not fit 64 bits");
    outcome = TT_FAILED;
  }
  if (outcome == TT_GO_ON) p->marks->pc = behind_branches(p, next);
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

/*===- Processes ------------------------------------------------------------------------------===*/

/* Pages that pushes, or pops, of a circular buffer take each time, so that they always land on its
 * end: equal counts that divide it. 0 where that is not plain. */
static int64_t block_of(const TtProtocol *p, const TtCoreState *core, int cb, TtStepKind kind) {
  int64_t count = 0;
  for (int i = 0; i < TT_READER_PORT; ++i)
    for (int j = 0; j < core->processes[i].steps->n; ++j) {
      const TtStep *s = &core->processes[i].steps->data[j];
      if (s->kind != kind || s->cb[0] != cb) continue;
      const TtIndexNode *n = &core->processes[i].expressions->nodes[s->index[0]];
      if (n->kind != TT_IX_CONST || (count && count != n->value)) return 0;
      count = n->value;
    }
  if (count == 0) return p->cbs[cb].pages;
  return count > 0 && p->cbs[cb].pages % count == 0 ? count : 0;
}

/* The processes of a core, and what each runs: nothing, where it has no such kernel. */
static void find_steps(TtProtocolRun *r, TtCoreState *core) {
  static const TtSteps no_steps = {.n = 0};
  static const TtExpressions no_expressions = {NULL, 0, 0, 0};
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
    int kernel = core->core->kernels[tt_role_of_process(i)];
    TtProcess *p = &core->processes[i];
    *p = (TtProcess){.kind = i, .number = core->number * TT_NUM_PROCESSES + i, .core = core};
    p->steps = kernel < 0   ? &no_steps
               : r->briefly ? &r->p->kernels[kernel].briefly[i]
                            : &r->p->kernels[kernel].steps[i];
    p->known = tt_known_on(r->network, core->place, tt_role_of_process(i));
    p->expressions =
        kernel < 0 || p->steps->n == 0 ? &no_expressions : &r->p->kernels[kernel].expressions;
  }
}

/* Lays out the state of a core behind what was laid out before; only counts where there is no
 * memory yet. */
static void lay_out(TtProtocolRun *r, TtCoreState *core, size_t *num_values, size_t *num_marks) {
  size_t cbs = (size_t)r->p->num_cbs, semaphores = (size_t)r->p->num_semaphores;
  TtGrowing *value = r->values ? r->values + *num_values : NULL;
  int *mark = r->values ? r->marks + *num_marks : NULL;
  size_t n = 0, m = 0;
#define TAKE(field, type, base, used, size)                                                        \
  do {                                                                                             \
    if (r->values) (field) = (type *)(base + used);                                                \
    used += (size);                                                                                \
  } while (0)
  TAKE(core->held, TtGrowing, value, n, cbs);
  TAKE(core->values, TtGrowing, value, n, semaphores);
  TAKE(core->shared, TtSharedMarks, mark, m, sizeof(TtSharedMarks) / sizeof(int));
  TAKE(core->signals, TtSemaphoreMarks, mark, m, semaphores * TT_SEMAPHORE_MARKS);
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
    TtProcess *p = &core->processes[i];
    TAKE(p->marks, TtProcessMarks, mark, m, TT_PROCESS_MARKS);
    if (p->steps->n == 0) continue;
    TAKE(p->slots, TtGrowing, value, n, (size_t)p->expressions->slots);
    TAKE(p->views, TtBufferView, value, n, (size_t)p->steps->num_views * TT_VIEW_VALUES);
    TAKE(p->traffic, TtSent, value, n, TT_TRAFFIC_VALUES);
    TAKE(p->semaphores, TtSemaphoreView, value, n, semaphores * TT_SEMAPHORE_VALUES);
    TAKE(p->buffer_marks, TtBufferMarks, mark, m, cbs * TT_BUFFER_MARKS);
    if (i != TT_READER && i != TT_WRITER) continue;
    TAKE(p->fetches, TtFetch, value, n, (size_t)r->p->num_links * TT_FETCH_VALUES);
    TAKE(p->fetching, int, mark, m, (size_t)r->p->num_links);
  }
#undef TAKE
  *num_values += n, *num_marks += m;
}

static void start_process(TtProtocolRun *r, TtProcess *p) {
  p->marks->fpu = p->marks->sfpu = p->marks->srca = p->marks->srcb = p->marks->packer = -1;
  if (p->steps->n == 0) return;
  p->marks->pc = behind_branches(p, 0);
  int levels = 1;
  for (int i = 0; i < p->steps->n; ++i)
    if (p->steps->data[i].level >= levels) levels = p->steps->data[i].level + 1;
  p->anchors = tt_arena_alloc(r->arena, (size_t)levels * sizeof *p->anchors);
  for (int s = 0; s < r->p->num_semaphores; ++s)
    p->semaphores[s].value = tt_grows_const(r->p->semaphores[s].init);
}

static void start_core(TtProtocolRun *r, TtCoreState *core) {
  size_t cbs = (size_t)r->p->num_cbs + 1;
  core->pushed_by = tt_arena_alloc(r->arena, cbs * sizeof *core->pushed_by);
  core->popped_by = tt_arena_alloc(r->arena, cbs * sizeof *core->popped_by);
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) start_process(r, &core->processes[i]);
  for (int s = 0; s < r->p->num_semaphores; ++s)
    core->values[s] = tt_grows_const(r->p->semaphores[s].init);
  for (const TtCoreState *alike = r->cores; alike < core; ++alike)
    if (memcmp(alike->core->kernels, core->core->kernels, sizeof core->core->kernels) == 0) {
      core->push_block = alike->push_block, core->pop_block = alike->pop_block;
      return;
    }
  core->push_block = tt_arena_alloc(r->arena, cbs * sizeof *core->push_block);
  core->pop_block = tt_arena_alloc(r->arena, cbs * sizeof *core->pop_block);
  for (int c = 0; c < r->p->num_cbs; ++c) {
    core->push_block[c] = block_of(r->p, core, c, TT_STEP_PUSH);
    core->pop_block[c] = block_of(r->p, core, c, TT_STEP_POP);
  }
}

/* Who sends to which core. */
static void find_incoming(TtProtocolRun *r, bool fill) {
  for (int i = 0; i < r->num_cores * TT_NUM_PROCESSES; ++i) {
    TtProcess *p = &r->cores[i / TT_NUM_PROCESSES].processes[i % TT_NUM_PROCESSES];
    if (p->kind != TT_READER && p->kind != TT_WRITER) continue;
    for (int j = 0; j < p->steps->n; ++j) {
      const TtStep *s = &p->steps->data[j];
      TtHits hits = s->link < 0 ? (TtHits){NULL, 0} : tt_hits_of(r, p->core, s);
      for (int h = 0; h < hits.n; ++h) {
        TtCoreState *to = &r->cores[hits.data[h].to];
        if (fill) to->incoming[to->num_incoming] = (TtIncoming){p, s, hits.data[h].n};
        ++to->num_incoming;
      }
    }
  }
  for (int c = 0; c < r->num_cores && !fill; ++c) {
    TtCoreState *core = &r->cores[c];
    core->incoming =
        tt_arena_alloc(r->arena, ((size_t)core->num_incoming + 1) * sizeof *core->incoming);
    core->num_incoming = 0;
  }
}

static void find_islands(TtProtocolRun *r) {
  for (int c = 0; c < r->num_cores; ++c) r->cores[c].island = c;
  for (bool changed = true; changed;) {
    changed = false;
    for (int c = 0; c < r->num_cores; ++c)
      for (int i = 0; i < r->cores[c].num_incoming; ++i) {
        int *a = &r->cores[c].island, *b = &r->cores[c].incoming[i].from->core->island;
        if (*a == *b) continue;
        *a = *b = *a < *b ? *a : *b;
        changed = true;
      }
  }
}

static void start(TtProtocolRun *r) {
  const TtCoreArgs *cores = r->network->cores;
  r->cores = tt_arena_alloc(r->arena, ((size_t)r->num_cores + 1) * sizeof *r->cores);
  for (int i = 0; i < r->num_cores; ++i) {
    TtCoreState *core = &r->cores[i];
    core->number = i, core->place = r->partition->classes[i].core;
    core->core = &cores->cores[core->place];
    core->args = cores->values + core->place * r->p->num_args;
    find_steps(r, core);
    lay_out(r, core, &r->num_values, &r->num_marks);
  }
  r->values = tt_arena_alloc(r->arena, (r->num_values + 1) * sizeof *r->values);
  r->marks = tt_arena_alloc(r->arena, (r->num_marks + 1) * sizeof *r->marks);
  int nodes = 1;
  for (int k = 0; k < r->p->num_kernels; ++k)
    if (r->p->kernels[k].expressions.n > nodes) nodes = r->p->kernels[k].expressions.n;
  r->memo = tt_arena_alloc(r->arena, (size_t)nodes * sizeof *r->memo);
  r->stamps = tt_arena_alloc(r->arena, (size_t)nodes * sizeof *r->stamps);
  size_t values = 0, marks = 0;
  for (int i = 0; i < r->num_cores; ++i) {
    lay_out(r, &r->cores[i], &values, &marks);
    start_core(r, &r->cores[i]);
  }
  find_incoming(r, false), find_incoming(r, true);
  find_islands(r);
}

static bool ended(const TtProcess *p) { return p->marks->pc >= p->steps->n; }

static TtOutcome run_next(TtProtocolRun *r, TtProcess *p) {
  const TtStep *s = &p->steps->data[p->marks->pc];
  p->awaits = NULL;
  return is_too_long(r, s) ? TT_FAILED : run_step(r, p, s);
}

/* Each process of a core until it waits; false after an error. */
static bool run_core(TtProtocolRun *r, TtCoreState *core) {
  core->stirred = false;
  for (int i = 0; i < TT_NUM_PROCESSES; ++i) {
    TtProcess *p = &core->processes[i];
    while (p != r->late && !ended(p) && !(p->awaits && p->awaits->at == p->awaited)) {
      TtOutcome outcome = run_next(r, p);
      if (outcome == TT_FAILED) return false;
      if (outcome == TT_BLOCKED) break;
      core->stirred = true;
    }
  }
  return true;
}

/* Until nobody can go on. What a process waits for is of its own core, or arrives there. */
static bool run_all(TtProtocolRun *r) {
  for (int c = 0; c < r->num_cores; ++c) r->cores[c].stirred = true;
  for (bool progress = true; progress;) {
    progress = false;
    for (int c = 0; c < r->num_cores; ++c) {
      if (!r->cores[c].stirred) continue;
      if (!run_core(r, &r->cores[c])) return false;
      progress = true;
    }
    if (progress || !r->late || ended(r->late)) continue;
    TtOutcome outcome = run_next(r, r->late);
    if (outcome == TT_FAILED) return false;
    progress = outcome == TT_GO_ON;
    r->late->core->stirred = progress;
  }
  return true;
}

static bool check_end(TtProtocolRun *r) {
  for (int c = 0; c < r->num_cores; ++c)
    for (int i = 0; i < TT_NUM_PROCESSES; ++i)
      if (!ended(&r->cores[c].processes[i])) return tt_report_deadlock(r);
  for (int c = 0; c < r->num_cores; ++c)
    if ((!r->briefly && !tt_check_engine_at_end(r, &r->cores[c])) ||
        !tt_check_buffers_at_end(r, &r->cores[c]))
      return false;
  return true;
}

bool tt_protocol_run(const TtNetwork *network, const TtPartition *partition, TtLate late) {
  TtArena *arena = tt_arena_create();
  TtProtocolRun *r = tt_arena_alloc(arena, sizeof *r);
  *r = (TtProtocolRun){.p = network->p,
                       .arena = arena,
                       .network = network,
                       .partition = partition,
                       .num_cores = partition->n,
                       .briefly = late.briefly};
  start(r);
  if (late.process >= 0) r->late = &r->cores[late.class_of].processes[late.process];
  bool ok = run_all(r) && check_end(r);
  tt_arena_destroy(arena);
  return ok;
}
