/* The state of an abstract run. */
#ifndef TILEWRIGHT_PROTOCOL_STATE_H
#define TILEWRIGHT_PROTOCOL_STATE_H

#include "Verify/protocol.h"

/* Repetitions that are looked at together, each inside of the other. */
enum { TT_MAX_PERIODS = 4 };

/* A number, and how much it grows with each repetition that is looked at. */
typedef struct TtGrowing {
  int64_t at, by[TT_MAX_PERIODS];
} TtGrowing;

/* What a process knows of a circular buffer. Pages are counted from the start of the kernel. */
typedef struct TtBufferView {
  TtGrowing reserved, waited, packed, pushed, popped, written;
  TtGrowing reading_from, writing_from; /* the first page with a transfer in flight */
} TtBufferView;
enum { TT_VIEW_VALUES = sizeof(TtBufferView) / sizeof(TtGrowing) };

/* What of it is yes or no, or a small number. */
typedef struct TtBufferMarks {
  int reading, writing, wait_step, write_page, read_page;
} TtBufferMarks;
enum { TT_BUFFER_MARKS = sizeof(TtBufferMarks) / sizeof(int) };

typedef struct TtProcessMarks {
  int pc, started_up, reducing, fpu, sfpu, srca, srcb, packer, unacknowledged; /* -1 for none */
} TtProcessMarks;
enum { TT_PROCESS_MARKS = sizeof(TtProcessMarks) / sizeof(int) };

typedef struct TtProcess {
  int kind;
  const TtSteps *steps;
  const TtExpressions *expressions;
  TtProcessMarks *marks;
  TtBufferMarks *buffer_marks; /* by circular buffer */
  TtGrowing *slots;
  TtBufferView *views; /* by circular buffer */
  TtGrowing *memo;     /* values of nodes, where their stamp is the run's */
  unsigned *stamps;
} TtProcess;

typedef struct TtSharedMarks {
  int filled;    /* source registers: unpack to math */
  int committed; /* DST halves: math to pack */
  int math_holds, pack_holds;
} TtSharedMarks;

/* A copy of the state, where a loop starts again. */
typedef struct TtSnapshot {
  TtGrowing *values;
  int *marks;
} TtSnapshot;

/* A loop that runs, and what is known of its repetitions. */
typedef struct TtAnchor {
  int loop; /* its step, -1 for none */
  int64_t round, retry, saved_round;
  TtSnapshot last, saved; /* a round ago; at a round that is a power of two */
  bool has_last, steady;  /* steady: only where buffers hold as much as before */
} TtAnchor;

/* Repetitions that are being looked at. */
typedef struct TtPeriod {
  int process, loop;
  int64_t left;    /* rounds of the loop until it is complete */
  int64_t repeats; /* so often would all go the same way */
  TtSnapshot start;
} TtPeriod;

enum { TT_MAX_LOOP_LEVELS = 32 };

typedef struct TtProtocolRun {
  const TtProtocol *p;
  const int64_t *args; /* values of p->args */
  TtProcess processes[TT_NUM_PROCESSES];
  TtGrowing *values; /* all of them, processes' and shared ones */
  int *marks;
  size_t num_values, num_marks;
  TtGrowing *held; /* pages, by circular buffer */
  TtSharedMarks *shared;
  bool (*pushed_by)[TT_NUM_PROCESSES], (*popped_by)[TT_NUM_PROCESSES];
  bool *has_phase;  /* pushes and pops that need not land on the end by themselves */
  int64_t capacity; /* of DST */
  unsigned stamp;
  int64_t steps; /* that were run */
  bool overflow;
  TtAnchor anchors[TT_NUM_PROCESSES][TT_MAX_LOOP_LEVELS];
  TtPeriod periods[TT_MAX_PERIODS];
  int depth; /* periods that are looked at */
} TtProtocolRun;

typedef enum TtOutcome { TT_GO_ON, TT_BLOCKED, TT_FAILED } TtOutcome;

/*===- Values (protocol_values.c)
 * ----------------------------------------------------------------===*/

TtGrowing tt_grows_const(int64_t value);
TtGrowing tt_grows_add(TtProtocolRun *r, TtGrowing a, TtGrowing b);
TtGrowing tt_grows_sub(TtProtocolRun *r, TtGrowing a, TtGrowing b);
/* -1, 0 or 1. A decision: notes for how many repetitions it stays so. */
int tt_sign(TtProtocolRun *r, TtGrowing value);
bool tt_is_less(TtProtocolRun *r, TtGrowing a, TtGrowing b);
/* The number itself, where all depends on it: no two repetitions are alike if it grows. */
int64_t tt_exact(TtProtocolRun *r, TtGrowing value);
TtGrowing tt_grows_mul(TtProtocolRun *r, TtGrowing a, int64_t by);
/* a / by, rounded down, for a >= 0 and by > 0. */
TtGrowing tt_grows_div(TtProtocolRun *r, TtGrowing a, int64_t by);
/* The value of a node. */
TtGrowing tt_evaluate(TtProtocolRun *r, TtProcess *p, int node);

/*===- Periods (protocol_periods.c)
 * --------------------------------------------------------------===*/

void tt_loop_entered(TtProtocolRun *r, TtProcess *p, int loop, int64_t rounds);
void tt_loop_repeats(TtProtocolRun *r, TtProcess *p, int loop);
void tt_loop_left(TtProtocolRun *r, TtProcess *p, int loop);

/*===- Steps
 * -------------------------------------------------------------------------------------===*/

TtOutcome tt_run_buffer_step(TtProtocolRun *r, TtProcess *p,
                             const TtStep *s); /* protocol_buffers.c */
TtOutcome tt_run_transfer_step(TtProtocolRun *r, TtProcess *p, const TtStep *s);
void tt_run_barrier(TtProtocolRun *r, TtProcess *p, TtStepKind kind);
bool tt_check_buffers_at_end(TtProtocolRun *r);
TtOutcome tt_run_engine_step(TtProtocolRun *r, TtProcess *p,
                             const TtStep *s); /* protocol_engine.c */
bool tt_check_engine_at_end(TtProtocolRun *r);

/*===- Reports (protocol_report.c)
 * ---------------------------------------------------------------===*/

const char *tt_process_name(int kind);
/* What the hardware forgives: an error in mode strict, else a warning, once at a step. */
TtOutcome tt_untidy(TtProtocolRun *r, const TtStep *s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool tt_report_deadlock(TtProtocolRun *r);

#endif
