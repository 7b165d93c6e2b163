/* The state of an abstract run. */
#ifndef TILEWRIGHT_PROTOCOL_STATE_H
#define TILEWRIGHT_PROTOCOL_STATE_H

#include "Verify/protocol.h"

/* Repetitions that are looked at together, each inside of the other. */
enum { TT_MAX_PERIODS = 4 };
enum { TT_MAX_LOOP_LEVELS = 32 };

/* A number, and how much it grows with each repetition that is looked at. */
typedef struct TtGrowing {
  int64_t at, by[TT_MAX_PERIODS];
} TtGrowing;

/* What a process knows of a circular buffer. Pages are counted from the start of the kernel. */
typedef struct TtBufferView {
  TtGrowing reserved, waited, packed, pushed, popped, written;
  TtGrowing last_read;                  /* the page that the last read of a tile brings */
  TtGrowing reading_from, writing_from; /* the first page with a transfer in flight */
  TtGrowing sent_from, sent; /* the first page that has not left, perhaps, and behind the last page
                                that went to other cores */
} TtBufferView;
enum { TT_VIEW_VALUES = sizeof(TtBufferView) / sizeof(TtGrowing) };

/* What of it is yes or no, or a small number. */
typedef struct TtBufferMarks {
  int reading, writing, wait_step, write_page, read_page;
  int place; /* page of the pointer, where it matters how far that is from the end */
  int ahead; /* reserved pages that others sent before those in front of them arrived, a bit for */
  int ahead_pages; /* so many of them; 0 where there are none */
} TtBufferMarks;
enum { TT_BUFFER_MARKS = sizeof(TtBufferMarks) / sizeof(int) };

typedef struct TtProcessMarks {
  int pc, started_up, reducing, fpu, sfpu, srca, srcb, packer, unacknowledged; /* -1 for none */
  int onto_l1;
  int takes_integers; /* what the matrix engine takes the source registers for */
} TtProcessMarks;
enum { TT_PROCESS_MARKS = sizeof(TtProcessMarks) / sizeof(int) };

/* A copy of the state, where a loop starts again. */
typedef struct TtSnapshot {
  TtGrowing *values;
  int *marks;
} TtSnapshot;

/* A loop that runs, and what is known of its repetitions. */
typedef struct TtAnchor {
  int loop; /* its step, -1 for none */
  int64_t round, retry, saved_round;
  int64_t run;            /* rounds at this level that were run without a look at them */
  TtSnapshot last, saved; /* a round ago; at a round that is a power of two */
  bool has_last, steady;  /* steady: only where buffers hold as much as before */
} TtAnchor;

/* What a mover has sent to other cores, in what order; of its port and its way, what of it. */
typedef struct TtSent {
  TtGrowing n, last_write, last_data; /* up to the last that a barrier waits for, and of data */
} TtSent;
enum { TT_TRAFFIC_VALUES = sizeof(TtSent) / sizeof(TtGrowing) };

/* What a process knows of a semaphore: its value, and how often that was sent. */
typedef struct TtSemaphoreView {
  TtGrowing value, sends;
} TtSemaphoreView;
enum { TT_SEMAPHORE_VALUES = sizeof(TtSemaphoreView) / sizeof(TtGrowing) };

/* What a mover has read of another core's circular buffer by one link: how many pages in all, and
 * those that may not have landed. */
typedef struct TtFetch {
  TtGrowing done, from, to;
} TtFetch;
enum { TT_FETCH_VALUES = sizeof(TtFetch) / sizeof(TtGrowing) };

typedef struct TtCoreState TtCoreState;

typedef struct TtProcess {
  int kind, number;
  TtCoreState *core;
  const TtSteps *steps;
  const TtExpressions *expressions;
  const TtKnown *known; /* of their nodes, in all runs */
  TtProcessMarks *marks;
  TtBufferMarks *buffer_marks; /* like the views: see tt_marks() */
  TtGrowing *slots;
  TtBufferView *views; /* of those that its steps name: see tt_view() */
  TtSent *traffic;
  TtSemaphoreView *semaphores;
  TtFetch *fetches;  /* of a mover, by link */
  int *fetching;     /* whether some of them may not have landed */
  TtAnchor *anchors; /* by level of its loops */
  int levels;
  const TtGrowing *awaits; /* what it waits for is another value than `awaited`; NULL: unknown */
  int64_t awaited;
} TtProcess;

extern const TtBufferView tt_no_view;
extern const TtBufferMarks tt_no_marks;

/* What a process knows of a circular buffer: of one that no step of it names, nothing. */
static inline TtBufferView *tt_view(const TtProcess *p, int cb) {
  int at = p->steps->view_of[cb];
  return at < 0 ? (TtBufferView *)&tt_no_view : &p->views[at];
}
static inline TtBufferMarks *tt_marks(const TtProcess *p, int cb) {
  int at = p->steps->view_of[cb];
  return at < 0 ? (TtBufferMarks *)&tt_no_marks : &p->buffer_marks[at];
}

typedef struct TtSharedMarks {
  int filled;    /* source registers: unpack to math */
  int committed; /* DST halves: math to pack */
  int math_holds, pack_holds;
  int written;  /* tiles of DST that math has computed since it acquired, a bit each */
  int given[2]; /* the same of the committed halves, the older first */
} TtSharedMarks;

/* Repetitions that are being looked at. */
typedef struct TtPeriod {
  int process, loop, level;
  int64_t left;    /* rounds of the loop until it is complete */
  int64_t repeats; /* so often would all go the same way */
  TtSnapshot start;
} TtPeriod;

/* What is known of a semaphore of a core. */
typedef struct TtSemaphoreMarks {
  int kind;    /* 1: others add to it, 2: others set it */
  int waiter;  /* the process that waits for it, and 1; 0 for none yet */
  int arrived; /* a signal for which nobody has waited yet */
  int waited;  /* it was waited for, and not reset since */
} TtSemaphoreMarks;
enum { TT_SEMAPHORE_MARKS = sizeof(TtSemaphoreMarks) / sizeof(int) };

/* A step of a mover that reaches a core, and how many of that class do so. */
typedef struct TtIncoming {
  TtProcess *from;
  const TtStep *step;
  int n;
} TtIncoming;

/* What the steps of a core's kernels say, whatever runs. */
typedef struct TtCoreFacts {
  /* Pages of each push, and of each pop, by circular buffer: these divide it. 0 where they need not
   * land on its end by themselves. */
  int64_t *push_block, *pop_block;
  int *producer;      /* the process that pushes to it, -1 for none */
  bool *sets, *waits; /* by semaphore: whether a mover sets it, or waits for one value of it */
} TtCoreFacts;

/* A class of cores. */
struct TtCoreState {
  const TtProtocolCore *core;
  int number;          /* the class */
  int64_t place;       /* of the core in the lists */
  const int64_t *args; /* values of p->args */
  TtProcess processes[TT_NUM_PROCESSES];
  TtGrowing *held; /* pages, by circular buffer */
  TtSharedMarks *shared;
  TtGrowing *values; /* of semaphores */
  TtSemaphoreMarks *signals;
  TtIncoming *incoming; /* process by process */
  int num_incoming;
  int island;   /* the least of the cores that it has to do with, over others as well */
  bool stirred; /* one of its processes may go on */
  bool (*pushed_by)[TT_NUM_PROCESSES], (*popped_by)[TT_NUM_PROCESSES];
  const TtCoreFacts *facts;
  bool *signalled;        /* by semaphore: whether others signal it */
  bool *written_remotely; /* by circular buffer: whether others write to it */
};

struct TtProtocolRun {
  const TtProtocol *p;
  TtArena *arena; /* of this run */
  const TtNetwork *network;
  const TtPartition *partition;
  TtCoreState *cores;
  int num_cores;
  TtProcess *late;   /* steps where nobody else can; NULL for none */
  TtGrowing *values; /* all of them, processes' and shared ones */
  int *marks;
  size_t num_values, num_marks;
  TtGrowing *memo; /* values of nodes of the process that steps, where their stamp is the run's */
  unsigned *stamps, stamp; /* another one with each step */
  int64_t steps;           /* that were run */
  bool overflow, briefly;
  TtPeriod periods[TT_MAX_PERIODS];
  int depth; /* periods that are looked at */
};

static inline const char *tt_semaphore_name(const TtProtocolRun *r, int semaphore) {
  return r->p->semaphores[semaphore].name;
}

/* What carries what a mover sends, out of the core and into others. */
static inline TtProcess *tt_port_of(TtProcess *p) {
  return &p->core->processes[TT_READER_PORT + tt_mover_of(p->kind)];
}
static inline TtProcess *tt_way_of(TtProcess *p) {
  return &p->core->processes[TT_READER_WAY + tt_mover_of(p->kind)];
}

typedef enum TtOutcome { TT_GO_ON, TT_BLOCKED, TT_FAILED } TtOutcome;

/* Blocked, and need not be tried again before this value has changed. */
static inline TtOutcome tt_awaits(TtProcess *p, const TtGrowing *value) {
  p->awaits = value, p->awaited = value->at;
  return TT_BLOCKED;
}

/*===- Values (protocol_values.c) -------------------------------------------------------------===*/

/* Small, and the most of what a run does, so they stand here. */

static inline TtGrowing tt_grows_const(int64_t value) { return (TtGrowing){.at = value}; }

static inline TtGrowing tt_grows_add(TtProtocolRun *r, TtGrowing a, TtGrowing b) {
  if (__builtin_add_overflow(a.at, b.at, &a.at)) r->overflow = true, a.at = 0;
  for (int k = 0; k < r->depth; ++k)
    if (__builtin_add_overflow(a.by[k], b.by[k], &a.by[k])) r->overflow = true, a.by[k] = 0;
  return a;
}

static inline TtGrowing tt_grows_sub(TtProtocolRun *r, TtGrowing a, TtGrowing b) {
  if (__builtin_sub_overflow(a.at, b.at, &a.at)) r->overflow = true, a.at = 0;
  for (int k = 0; k < r->depth; ++k)
    if (__builtin_sub_overflow(a.by[k], b.by[k], &a.by[k])) r->overflow = true, a.by[k] = 0;
  return a;
}

/* The same where the sum stays: mostly nothing grows, and the rest need not be moved. */
static inline void tt_increase(TtProtocolRun *r, TtGrowing *value, const TtGrowing *by) {
  if (r->depth > 0) *value = tt_grows_add(r, *value, *by);
  else if (__builtin_add_overflow(value->at, by->at, &value->at)) r->overflow = true, value->at = 0;
}

static inline void tt_increment(TtProtocolRun *r, TtGrowing *value) {
  if (__builtin_add_overflow(value->at, 1, &value->at)) r->overflow = true, value->at = 0;
}

static inline void tt_decrease(TtProtocolRun *r, TtGrowing *value, const TtGrowing *by) {
  if (r->depth > 0) *value = tt_grows_sub(r, *value, *by);
  else if (__builtin_sub_overflow(value->at, by->at, &value->at)) r->overflow = true, value->at = 0;
}

/* Notes for how many repetitions a value that has this sign keeps it. */
int tt_note_sign(TtProtocolRun *r, const TtGrowing *value, int sign);

/* -1, 0 or 1. A decision: notes for how many repetitions it stays so. */
static inline int tt_sign(TtProtocolRun *r, TtGrowing value) {
  int sign = value.at > 0 ? 1 : value.at < 0 ? -1 : 0;
  return r->depth == 0 ? sign : tt_note_sign(r, &value, sign);
}

/* The sign of a - b, a decision as well. */
static inline int tt_order(TtProtocolRun *r, const TtGrowing *a, const TtGrowing *b) {
  if (r->depth == 0) return (a->at > b->at) - (a->at < b->at);
  return tt_sign(r, tt_grows_sub(r, *a, *b));
}

static inline bool tt_is_less(TtProtocolRun *r, TtGrowing a, TtGrowing b) {
  return tt_order(r, &a, &b) < 0;
}

/* The number itself, where all depends on it: no two repetitions are alike if it grows. */
int64_t tt_exact(TtProtocolRun *r, TtGrowing value);
TtGrowing tt_grows_mul(TtProtocolRun *r, TtGrowing a, int64_t by);
/* a / by, rounded down, for a >= 0 and by > 0. */
TtGrowing tt_grows_div(TtProtocolRun *r, TtGrowing a, int64_t by);
/* The value of a node that depends on loops. */
TtGrowing tt_evaluate_now(TtProtocolRun *r, TtProcess *p, int node);
/* The value of a node. */
static inline TtGrowing tt_evaluate(TtProtocolRun *r, TtProcess *p, int node) {
  if (p->known->known[node]) return tt_grows_const(p->known->values[node]);
  const TtIndexNode *n = &p->expressions->nodes[node];
  return n->kind == TT_IX_SLOT ? p->slots[n->value] : tt_evaluate_now(r, p, node);
}

/*===- The start (protocol_start.c) -----------------------------------------------------------===*/

/* Sets a run back to where nothing has happened yet. */
void tt_restart(TtProtocolRun *r);

/* Where a process goes on: ends of branches, and branches that its core's arguments decide, are no
 * steps of their own. */
static inline int tt_behind_branches(const TtProcess *p, int pc) {
  for (; pc < p->steps->n; ++pc) {
    const TtStep *s = &p->steps->data[pc];
    if (s->kind == TT_STEP_ELSE) pc = s->target - 1;
    else if (s->kind == TT_STEP_IF && p->known->known[s->index[0]])
      pc = p->known->values[s->index[0]] ? pc : s->target - 1;
    else if (s->kind != TT_STEP_END_IF) break;
  }
  return pc;
}

/*===- Periods (protocol_periods.c) -----------------------------------------------------------===*/

void tt_loop_entered(TtProtocolRun *r, TtProcess *p, int loop, int64_t rounds);
void tt_loop_repeats(TtProtocolRun *r, TtProcess *p, int loop);
void tt_loop_left(TtProtocolRun *r, TtProcess *p, int loop);

/*===- Steps ----------------------------------------------------------------------------------===*/

TtOutcome tt_run_buffer_step(TtProtocolRun *r, TtProcess *p,
                             const TtStep *s); /* protocol_buffers.c */
/* All reads of a loop `s` at once (protocol_reads.c). False where they are to be run one by one. */
bool tt_run_reads(TtProtocolRun *r, TtProcess *p, const TtStep *s);
TtOutcome tt_run_transfer_step(TtProtocolRun *r, TtProcess *p, const TtStep *s);
/* Loads and stores of data movement (protocol_accesses.c). */
TtOutcome tt_run_access(TtProtocolRun *r, TtProcess *p, const TtStep *s);
TtOutcome tt_run_barrier(TtProtocolRun *r, TtProcess *p, TtStepKind kind);
/* The pages of a transfer: the first, counted from the first that the process has, reserved or
 * waited for, and whether it reaches into the next one. False after an error. */
bool tt_page_of(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing *page, bool *straddles);
/* Notes that pages of a circular buffer, counted from the start of the kernel, are written. */
TtOutcome tt_write_pages(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing page,
                         int64_t count);
/* Notes that the next n reserved pages are written, */
void tt_note_written(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing n);
/* or that reserved pages from `page` to before `end` were sent and arrived; false where too many in
 * front of them are missing. */
bool tt_note_arrived(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing page, TtGrowing end);
/* Notes pages from one to another that arrive before those in front of them; false where that
 * cannot be kept (protocol_ahead.c). */
bool tt_add_ahead(TtBufferMarks *marks, int64_t from, int64_t to);
/* The page behind those that arrived ahead and follow `page`, where there are such. */
int64_t tt_behind_ahead(const TtBufferMarks *marks, int64_t page);
/* The first n pages are no longer reserved. */
void tt_drop_ahead(TtBufferMarks *marks, int64_t n);
/* Notes that pages from this one on are read to, and may not have landed. */
void tt_note_reading(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing page);
/* Whether page `last` is one of them. */
TtOutcome tt_check_owned(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing last);
TtOutcome tt_run_signal_step(TtProtocolRun *r, TtProcess *p,
                             const TtStep *s);                           /* protocol_signals.c */
TtOutcome tt_run_fetch(TtProtocolRun *r, TtProcess *p, const TtStep *s); /* protocol_fetch.c */
/* All that a mover fetches has landed. */
void tt_end_fetches(const TtProtocolRun *r, TtProcess *p);
/* False after an error: `count` pages from `page` on are written where another core may still read
 * what was there before. */
bool tt_check_unfetched(TtProtocolRun *r, const TtCoreState *core, const TtStep *s, TtGrowing page,
                        int64_t count);
/* The end of a transfer on another core, as a step of its own. */
TtStep tt_end_there(const TtStep *s);
/* The pages that one end of a transfer takes, counted from the start of the kernel. False after an
 * error. */
bool tt_pages_of(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing *first, int64_t *count);
typedef struct TtHits {
  const TtHit *data;
  int n;
} TtHits;
/* The classes that a step of one class reaches, its own among them where it does. */
TtHits tt_hits_of(const TtProtocolRun *r, const TtCoreState *from, const TtStep *s);
/* How many processes send to a core by such steps, cores of one class counted one by one; of data
 * to one circular buffer, unless it is -1. */
int tt_count_sources(const TtCoreState *to, TtStepKind kind, int semaphore, int cb);
/* Semaphores (protocol_semaphores.c). False after an error: others add to one of a core, or set it.
 */
bool tt_semaphore_add(TtProtocolRun *r, const TtStep *s, TtCoreState *to, TtGrowing by);
bool tt_semaphore_set_there(TtProtocolRun *r, const TtStep *s, TtCoreState *to, TtGrowing value,
                            int n);
/* A core sets its own, or waits for it. */
TtOutcome tt_semaphore_set(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing value);
TtOutcome tt_semaphore_wait(TtProtocolRun *r, TtProcess *p, const TtStep *s, TtGrowing n);
/* Whether pages [from, to) of a circular buffer wait to depart for other cores. */
bool tt_is_unsent(TtProtocolRun *r, TtProcess *p, int cb, TtGrowing from, TtGrowing to);
/* Whether all writes of a mover to other cores have departed, or have arrived. */
bool tt_has_left(TtProtocolRun *r, TtProcess *p, bool departed);
/* a modulo b, for any a. */
TtGrowing tt_grows_mod(TtProtocolRun *r, TtGrowing a, int64_t b);
bool tt_check_buffers_at_end(TtProtocolRun *r, const TtCoreState *core);
TtOutcome tt_run_engine_step(TtProtocolRun *r, TtProcess *p,
                             const TtStep *s); /* protocol_engine.c */
bool tt_check_engine_at_end(TtProtocolRun *r, const TtCoreState *core);

/*===- Reports (protocol_report.c) ------------------------------------------------------------===*/

/* "the reader", or "the reader of core (1, 0)" where several cores run. */
const char *tt_process_name(TtProtocolRun *r, const TtProcess *p);
const char *tt_kind_name(int kind);
/* " of core (1, 0)" where several cores run, else "". */
const char *tt_of_core(TtProtocolRun *r, const TtCoreState *core);
/* What the hardware forgives: an error in mode strict, else a warning, once at a step. */
TtOutcome tt_untidy(TtProtocolRun *r, const TtStep *s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool tt_report_deadlock(TtProtocolRun *r);

#endif
