/*===- protocol_start.c - the state of a run, laid out and set back ----------------------------===
 *
 * What a run needs to know of its cores is found once, for all runs over the same classes, in which
 * one process after the other is late. Between runs only what changes is set back:
 *
 *   values   loop variables, counters of pages and messages      all 0, semaphores as they begin
 *   marks    where a process is, what is yes or no               all 0, the engine set to nothing
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

#include <string.h>

/*===- What the kernels of a core say ---------------------------------------------------------===*/

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

/* Who pushes to circular buffers, the first of those who do, and what movers do to semaphores. */
static void find_roles(const TtProtocol *p, const TtCoreState *core, TtCoreFacts *facts) {
  static const int kinds[] = {TT_READER, TT_WRITER, TT_PACK};
  for (int c = 0; c < p->num_cbs; ++c) facts->producer[c] = -1;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < core->processes[kinds[k]].steps->n; ++i) {
      const TtStep *s = &core->processes[kinds[k]].steps->data[i];
      if (s->kind == TT_STEP_PUSH && s->cb[0] >= 0 && facts->producer[s->cb[0]] < 0)
        facts->producer[s->cb[0]] = kinds[k];
      if (s->kind == TT_STEP_SEM_SET) facts->sets[s->semaphore] = true;
      if (s->kind == TT_STEP_SEM_WAIT) facts->waits[s->semaphore] = true;
    }
}

/* The same for all cores that run the same kernels. */
static const TtCoreFacts *find_facts(TtProtocolRun *r, const TtCoreState *core) {
  for (const TtCoreState *alike = r->cores; alike < core; ++alike)
    if (memcmp(alike->core->kernels, core->core->kernels, sizeof core->core->kernels) == 0)
      return alike->facts;
  size_t cbs = (size_t)r->p->num_cbs + 1, semaphores = (size_t)r->p->num_semaphores + 1;
  TtCoreFacts *facts = tt_arena_alloc(r->arena, sizeof *facts);
  facts->push_block = tt_arena_alloc(r->arena, cbs * sizeof *facts->push_block);
  facts->pop_block = tt_arena_alloc(r->arena, cbs * sizeof *facts->pop_block);
  facts->producer = tt_arena_alloc(r->arena, cbs * sizeof *facts->producer);
  facts->sets = tt_arena_alloc(r->arena, semaphores * sizeof *facts->sets);
  facts->waits = tt_arena_alloc(r->arena, semaphores * sizeof *facts->waits);
  for (int c = 0; c < r->p->num_cbs; ++c) {
    facts->push_block[c] = block_of(r->p, core, c, TT_STEP_PUSH);
    facts->pop_block[c] = block_of(r->p, core, c, TT_STEP_POP);
  }
  find_roles(r->p, core, facts);
  return facts;
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

/*===- Who sends to whom ----------------------------------------------------------------------===*/

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

/* Which semaphores of a core others signal, and which circular buffers they write to. */
static void find_signalled(TtProtocolRun *r, TtCoreState *core) {
  core->signalled = tt_arena_alloc(r->arena, (size_t)r->p->num_semaphores + 1);
  core->written_remotely = tt_arena_alloc(r->arena, (size_t)r->p->num_cbs + 1);
  for (int i = 0; i < core->num_incoming; ++i) {
    const TtIncoming *in = &core->incoming[i];
    const TtStep *s = in->step;
    if (in->n <= 0) continue;
    if (s->kind == TT_STEP_INC || s->kind == TT_STEP_SIGNAL) core->signalled[s->semaphore] = true;
    if (s->kind == TT_STEP_SEND && s->cb[1] >= 0) core->written_remotely[s->cb[1]] = true;
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

/*===- Layout ---------------------------------------------------------------------------------===*/

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
    size_t views = (size_t)p->steps->num_views;
    TAKE(p->slots, TtGrowing, value, n, (size_t)p->expressions->slots);
    TAKE(p->views, TtBufferView, value, n, views * TT_VIEW_VALUES);
    TAKE(p->traffic, TtSent, value, n, TT_TRAFFIC_VALUES);
    TAKE(p->semaphores, TtSemaphoreView, value, n, semaphores * TT_SEMAPHORE_VALUES);
    TAKE(p->buffer_marks, TtBufferMarks, mark, m, views * TT_BUFFER_MARKS);
    if (i != TT_READER && i != TT_WRITER) continue;
    TAKE(p->fetches, TtFetch, value, n, (size_t)r->p->num_links * TT_FETCH_VALUES);
    TAKE(p->fetching, int, mark, m, (size_t)r->p->num_links);
  }
#undef TAKE
  *num_values += n, *num_marks += m;
}

static void find_levels(TtProtocolRun *r, TtProcess *p) {
  p->levels = 1;
  for (int i = 0; i < p->steps->n; ++i)
    if (p->steps->data[i].level >= p->levels) p->levels = p->steps->data[i].level + 1;
  if (p->steps->n) p->anchors = tt_arena_alloc(r->arena, (size_t)p->levels * sizeof *p->anchors);
}

static void lay_out_all(TtProtocolRun *r) {
  for (int i = 0; i < r->num_cores; ++i) lay_out(r, &r->cores[i], &r->num_values, &r->num_marks);
  r->values = tt_arena_alloc(r->arena, (r->num_values + 1) * sizeof *r->values);
  r->marks = tt_arena_alloc(r->arena, (r->num_marks + 1) * sizeof *r->marks);
  size_t values = 0, marks = 0, cbs = (size_t)r->p->num_cbs + 1;
  for (int i = 0; i < r->num_cores; ++i) {
    TtCoreState *core = &r->cores[i];
    lay_out(r, core, &values, &marks);
    core->pushed_by = tt_arena_alloc(r->arena, cbs * sizeof *core->pushed_by);
    core->popped_by = tt_arena_alloc(r->arena, cbs * sizeof *core->popped_by);
    for (int k = 0; k < TT_NUM_PROCESSES; ++k) find_levels(r, &core->processes[k]);
  }
  int nodes = 1;
  for (int k = 0; k < r->p->num_kernels; ++k)
    if (r->p->kernels[k].expressions.n > nodes) nodes = r->p->kernels[k].expressions.n;
  r->memo = tt_arena_alloc(r->arena, (size_t)nodes * sizeof *r->memo);
  r->stamps = tt_arena_alloc(r->arena, (size_t)nodes * sizeof *r->stamps);
}

TtProtocolRun *tt_prepare_runs(TtArena *arena, const TtNetwork *network,
                               const TtPartition *partition, bool briefly) {
  TtProtocolRun *r = tt_arena_alloc(arena, sizeof *r);
  *r = (TtProtocolRun){.p = network->p,
                       .arena = arena,
                       .network = network,
                       .partition = partition,
                       .num_cores = partition->n,
                       .briefly = briefly};
  const TtCoreArgs *cores = network->cores;
  r->cores = tt_arena_alloc(arena, ((size_t)r->num_cores + 1) * sizeof *r->cores);
  for (int i = 0; i < r->num_cores; ++i) {
    TtCoreState *core = &r->cores[i];
    core->number = i, core->place = partition->classes[i].core;
    core->core = &cores->cores[core->place];
    core->args = cores->values + core->place * r->p->num_args;
    find_steps(r, core);
    core->facts = find_facts(r, core);
  }
  lay_out_all(r);
  find_incoming(r, false), find_incoming(r, true);
  for (int i = 0; i < r->num_cores; ++i) find_signalled(r, &r->cores[i]);
  find_islands(r);
  return r;
}

/*===- Before each run ------------------------------------------------------------------------===*/

static void restart_process(TtProtocolRun *r, TtProcess *p) {
  p->marks->fpu = p->marks->sfpu = p->marks->srca = p->marks->srcb = p->marks->packer = -1;
  p->awaits = NULL;
  if (p->steps->n == 0) return;
  p->marks->pc = tt_behind_branches(p, 0);
  for (int i = 0; i < p->levels; ++i) {
    TtAnchor *a = &p->anchors[i];
    *a = (TtAnchor){.last = a->last, .saved = a->saved}; /* the room for copies stays */
  }
  for (int s = 0; s < r->p->num_semaphores; ++s)
    p->semaphores[s].value = tt_grows_const(r->p->semaphores[s].init);
}

void tt_restart(TtProtocolRun *r) {
  size_t cbs = (size_t)r->p->num_cbs + 1;
  memset(r->values, 0, r->num_values * sizeof *r->values);
  memset(r->marks, 0, r->num_marks * sizeof *r->marks);
  r->steps = 0, r->depth = 0, r->overflow = false;
  for (int i = 0; i < r->num_cores; ++i) {
    TtCoreState *core = &r->cores[i];
    memset(core->pushed_by, 0, cbs * sizeof *core->pushed_by);
    memset(core->popped_by, 0, cbs * sizeof *core->popped_by);
    for (int k = 0; k < TT_NUM_PROCESSES; ++k) restart_process(r, &core->processes[k]);
    for (int s = 0; s < r->p->num_semaphores; ++s)
      core->values[s] = tt_grows_const(r->p->semaphores[s].init);
  }
}
