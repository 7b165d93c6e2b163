/*===- protocol_run.c - an abstract run of a program ----------------------------------===
 *
 * Each process runs until it must wait; when none can go on, either all have ended
 * or there is a deadlock. Rules are cited by their numbers in docs/rules.md.
 *
 *===----------------------------------------------------------------------===*/

#include "protocol.h"

#include <string.h>

enum { READER, WRITER, UNPACK, MATH, PACK, NUM_PROCESSES };
enum { HALVES = 2, MAX_SLOTS = 256 };

typedef struct Process {
  int kind;
  const TtSteps *steps;
  int pc;
  int64_t slots[MAX_SLOTS];
  int64_t write_page[TT_MAX_CBS], read_page[TT_MAX_CBS], reserved[TT_MAX_CBS], waited[TT_MAX_CBS],
      packed[TT_MAX_CBS];
  int64_t wait_step[TT_MAX_CBS];
  bool reading[TT_MAX_CBS], writing[TT_MAX_CBS];
  bool started_up, warned, reducing;
  const char *fpu, *sfpu;
  int srca, srcb, packer; /* data formats, -1 before startup */
} Process;

typedef struct Run {
  const TtProtocol *p;
  Process processes[NUM_PROCESSES];
  int64_t received[TT_MAX_CBS], acked[TT_MAX_CBS];
  bool pushed_by[TT_MAX_CBS][NUM_PROCESSES], popped_by[TT_MAX_CBS][NUM_PROCESSES];
  int64_t filled, taken;       /* source registers: unpack to math */
  int64_t committed, released; /* DST halves: math to pack */
  bool math_holds, pack_holds;
  int64_t capacity;
} Run;

typedef enum Outcome { GO_ON, BLOCKED, FAILED } Outcome;

static const char *process_name(int kind) {
  static const char *const names[] = {"the reader", "the writer", "unpack", "math", "pack"};
  return names[kind];
}

/*===- Values -------------------------------------------------------------------------------===*/

static int64_t evaluate(const Process *p, int at) {
  const TtIndexNode *n = &p->steps->nodes[at];
  if (n->kind == TT_IX_CONST) return n->value;
  if (n->kind == TT_IX_SLOT) return p->slots[n->value];
  int64_t a = evaluate(p, n->a), b = evaluate(p, n->b);
  switch (n->kind) {
  case TT_IX_ADD: return a + b;
  case TT_IX_SUB: return a - b;
  case TT_IX_MUL: return a * b;
  case TT_IX_DIV: return b ? a / b : 0;
  case TT_IX_REM: return b ? a % b : 0;
  case TT_IX_OR: return a || b;
  case TT_IX_AND: return a && b;
  case TT_IX_MIN: return a < b ? a : b;
  case TT_IX_CMP:
    switch (n->value) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: case 6: return a < b;
    case 3: case 7: return a <= b;
    case 4: case 8: return a > b;
    default: return a >= b;
    }
  default: return 0;
  }
}

/* Rule 4: notes who pushes or pops, and refuses a second one. */
static bool only_one(const TtStep *s, const char *cb, bool by[NUM_PROCESSES], int kind,
                     const char *what) {
  by[kind] = true;
  for (int other = 0; other < NUM_PROCESSES; ++other)
    if (other != kind && by[other])
      return tt_error(s->op, "[rule 4] %s %s %s, and so does %s; a circular buffer has one of each",
                      process_name(kind), what, cb, process_name(other));
  return true;
}

/*===- Circular buffers -----------------------------------------------------------------------===*/

static bool produces(int kind) { return kind <= WRITER || kind == PACK; }
static bool consumes(int kind) { return kind <= UNPACK; }

/* Rule 3: waits that grow between pops grow by one step. */
static void note_wait_step(Process *p, const TtStep *s, const char *cb, int64_t by) {
  int64_t *last = &p->wait_step[s->cb[0]];
  if (*last && *last != by && !p->warned)
    tt_warning(s->op,
               "[rule 3] waits for %jd more pages of %s, after steps of %jd; make the steps equal",
               (intmax_t)by, cb, (intmax_t)*last);
  if (*last && *last != by) p->warned = true;
  *last = by;
}

static Outcome run_cb(Run *r, Process *p, const TtStep *s) {
  int c = s->cb[0];
  if (c < 0) return GO_ON;
  const TtProtocolCB *cb = &r->p->cbs[c];
  int64_t n = evaluate(p, s->index[0]), held = r->received[c] - r->acked[c];
  bool producer = s->kind == TT_STEP_RESERVE || s->kind == TT_STEP_PUSH;
  if (producer ? !produces(p->kind) : !consumes(p->kind)) return GO_ON;
  if (n > cb->pages)
    return tt_error(s->op, "[rule 1] %jd pages of %s, which has %jd: this waits forever",
                    (intmax_t)n, cb->name, (intmax_t)cb->pages),
           FAILED;
  switch (s->kind) {
  case TT_STEP_RESERVE:
    if (cb->pages - held < n) return BLOCKED;
    p->reserved[c] = n;
    return GO_ON;
  case TT_STEP_WAIT:
    if (held < n) return BLOCKED;
    if (p->waited[c] > 0 && n > p->waited[c]) note_wait_step(p, s, cb->name, n - p->waited[c]);
    else p->wait_step[c] = 0;
    if (p->waited[c] < n) p->waited[c] = n;
    return GO_ON;
  case TT_STEP_PUSH:
    if (p->reading[c])
      return tt_error(s->op,
                      "[rule 15] publishes pages of %s before their reads have landed; put a "
                      "noc_async_read_barrier before it",
                      cb->name),
             FAILED;
    if (!only_one(s, cb->name, r->pushed_by[c], p->kind, "pushes to")) return FAILED;
    if (n > p->reserved[c])
      return tt_error(s->op, "[rule 21] publishes %jd pages of %s, of which %jd are reserved",
                      (intmax_t)n, cb->name, (intmax_t)p->reserved[c]),
             FAILED;
    if (p->kind == PACK && p->packed[c] != n)
      return tt_error(s->op, "[rule 21] publishes %jd pages of %s, but %jd were packed",
                      (intmax_t)n, cb->name, (intmax_t)p->packed[c]),
             FAILED;
    if (p->write_page[c] + n > cb->pages)
      return tt_error(s->op, "[rule 2] publishes %jd pages at page %jd of %s, over its end",
                      (intmax_t)n, (intmax_t)p->write_page[c], cb->name),
             FAILED;
    p->write_page[c] = (p->write_page[c] + n) % cb->pages;
    p->reserved[c] -= n, p->packed[c] = 0;
    r->received[c] += n;
    return GO_ON;
  default:
    if (p->writing[c])
      return tt_error(s->op,
                      "[rule 16] frees pages of %s while writes from them are in flight; put a "
                      "noc_async_write_barrier before it",
                      cb->name),
             FAILED;
    if (!only_one(s, cb->name, r->popped_by[c], p->kind, "pops from")) return FAILED;
    if (n > p->waited[c])
      return tt_error(s->op, "[rule 21] frees %jd pages of %s, of which %jd were waited for",
                      (intmax_t)n, cb->name, (intmax_t)p->waited[c]),
             FAILED;
    if (p->read_page[c] + n > cb->pages)
      return tt_error(s->op, "[rule 2] frees %jd pages at page %jd of %s, over its end",
                      (intmax_t)n, (intmax_t)p->read_page[c], cb->name),
             FAILED;
    p->read_page[c] = (p->read_page[c] + n) % cb->pages;
    p->waited[c] -= n;
    r->acked[c] += n;
    return GO_ON;
  }
}

/*===- Compute ----------------------------------------------------------------------===*/

static int format_of(Run *r, int cb) { return cb < 0 ? -1 : (int)r->p->cbs[cb].format; }

static bool check_settings(Run *r, Process *p, const TtStep *s) {
  bool matmul = metalium_matmul_tiles_isa(s->op), copy = s->cb[1] < 0;
  if (!p->started_up)
    return tt_error(s->op, "[rule 11] a tile op runs before the startup of the engine");
  if (!p->fpu || strcmp(p->fpu, s->unit) != 0)
    return tt_error(s->op, "[rule 11] %s runs, but the engine is initialized for %s", s->unit,
                    p->fpu ? p->fpu : "nothing");
  if (p->srca != format_of(r, s->cb[matmul]))
    return tt_error(s->op, "[rule 12] source A is set to another data format than that of %s; "
                           "reconfigure it", r->p->cbs[s->cb[matmul]].name);
  if (!copy && p->srcb != format_of(r, s->cb[!matmul]))
    return tt_error(s->op, "[rule 12] source B is set to another data format than that of %s; "
                           "reconfigure it", r->p->cbs[s->cb[!matmul]].name);
  return true;
}

static bool check_dst(Run *r, Process *p, const TtStep *s) {
  int64_t dst = evaluate(p, s->index[2]);
  if (dst >= 0 && dst < r->capacity) return true;
  return tt_error(s->op, "[rule 9] DST tile %jd, but DST has %jd in this mode", (intmax_t)dst,
                  (intmax_t)r->capacity);
}

static Outcome run_math(Run *r, Process *p, const TtStep *s) {
  if (p->kind == PACK) return GO_ON;
  if (!check_settings(r, p, s)) return FAILED;
  if (p->kind == MATH) {
    if (!r->math_holds)
      return tt_error(s->op, "[rule 10] math writes DST outside of acquire and commit"), FAILED;
    if (!check_dst(r, p, s)) return FAILED;
    if (r->filled == r->taken) return BLOCKED;
    ++r->taken;
    return GO_ON;
  }
  for (int i = 0; i < 2 && s->index[i] >= 0; ++i) {
    int64_t tile = evaluate(p, s->index[i]);
    if (tile >= p->waited[s->cb[i]])
      return tt_error(s->op, "[rule 21] reads tile %jd of %s, of which %jd were waited for",
                      (intmax_t)tile, r->p->cbs[s->cb[i]].name, (intmax_t)p->waited[s->cb[i]]),
             FAILED;
  }
  if (r->filled - r->taken >= 2) return BLOCKED;
  ++r->filled;
  return GO_ON;
}

static Outcome run_pack(Run *r, Process *p, const TtStep *s) {
  int c = s->cb[0];
  if (p->kind != PACK) return GO_ON;
  if (!p->started_up)
    return tt_error(s->op, "[rule 11] packs before the startup of the engine"), FAILED;
  if (!r->pack_holds) return tt_error(s->op, "[rule 10] packs outside of wait and release"), FAILED;
  if (!check_dst(r, p, s)) return FAILED;
  if (p->packer != format_of(r, c))
    return tt_error(s->op, "[rule 12] the packer is set to another data format than that of %s; "
                           "reconfigure it", r->p->cbs[c].name), FAILED;
  if (p->packed[c] >= p->reserved[c])
    return tt_error(s->op, "[rule 21] packs page %jd of %s, of which %jd are reserved",
                    (intmax_t)p->packed[c] + 1, r->p->cbs[c].name, (intmax_t)p->reserved[c]),
           FAILED;
  ++p->packed[c];
  return GO_ON;
}

static Outcome run_dst(Run *r, Process *p, const TtStep *s) {
  bool math = s->kind == TT_STEP_ACQUIRE || s->kind == TT_STEP_COMMIT;
  if (p->kind != (math ? MATH : PACK)) return GO_ON;
  switch (s->kind) {
  case TT_STEP_ACQUIRE:
    if (r->math_holds)
      return tt_error(s->op, "[rule 10] acquires DST twice without a commit"), FAILED;
    if (r->committed - r->released >= HALVES) return BLOCKED;
    r->math_holds = true;
    return GO_ON;
  case TT_STEP_COMMIT:
    if (!r->math_holds)
      return tt_error(s->op, "[rule 10] commits DST without acquiring it"), FAILED;
    r->math_holds = false;
    ++r->committed;
    return GO_ON;
  case TT_STEP_DST_WAIT:
    if (r->pack_holds)
      return tt_error(s->op, "[rule 10] waits for DST twice without a release"), FAILED;
    if (r->committed == r->released) return BLOCKED;
    r->pack_holds = true;
    return GO_ON;
  default:
    if (!r->pack_holds)
      return tt_error(s->op, "[rule 10] releases DST without waiting for it"), FAILED;
    r->pack_holds = false;
    ++r->released;
    return GO_ON;
  }
}

static Outcome run_setting(Run *r, Process *p, const TtStep *s) {
  switch (s->kind) {
  case TT_STEP_STARTUP:
    if (p->started_up)
      return tt_error(s->op, "[rule 11] a second startup; it goes once, at the top"), FAILED;
    p->started_up = true;
    p->srca = format_of(r, s->cb[0]), p->srcb = format_of(r, s->cb[1]),
    p->packer = format_of(r, s->cb[2]);
    return GO_ON;
  case TT_STEP_FPU_INIT:
    if (!p->started_up)
      return tt_error(s->op, "[rule 11] an op is initialized before the startup of the engine"),
             FAILED;
    p->fpu = s->unit;
    if (p->reducing && !tt_fpu_reduce_init_isa(s->op))
      return tt_error(s->op, "[rule 14] another op is initialized after a reduction; put a "
                             "metalium.reduce_uninit before it"), FAILED;
    p->reducing = tt_fpu_reduce_init_isa(s->op);
    return GO_ON;
  case TT_STEP_REDUCE_END: p->reducing = false, p->fpu = NULL; return GO_ON;
  case TT_STEP_SFPU_INIT: p->sfpu = s->unit; return GO_ON;
  case TT_STEP_SRCA: p->srca = format_of(r, s->cb[0]); return GO_ON;
  case TT_STEP_SRCB: p->srcb = format_of(r, s->cb[0]); return GO_ON;
  default: p->packer = format_of(r, s->cb[0]); return GO_ON;
  }
}

static Outcome run_sfpu(Run *r, Process *p, const TtStep *s) {
  if (p->kind != MATH) return GO_ON;
  if (!p->sfpu || strcmp(p->sfpu, s->unit) != 0)
    return tt_error(s->op, "[rule 11] %s runs, but the SFPU is initialized for %s", s->unit,
                    p->sfpu ? p->sfpu : "nothing"), FAILED;
  if (!r->math_holds)
    return tt_error(s->op, "[rule 10] the SFPU writes DST outside of acquire and commit"), FAILED;
  return check_dst(r, p, s) ? GO_ON : FAILED;
}

/*===- Steps ------------------------------------------------------------------------===*/

static Outcome run_step(Run *r, Process *p, const TtStep *s) {
  int next = p->pc + 1;
  Outcome outcome = GO_ON;
  switch (s->kind) {
  case TT_STEP_FOR:
    p->slots[s->slot] = evaluate(p, s->index[0]);
    if (p->slots[s->slot] >= evaluate(p, s->index[1])) next = s->target;
    break;
  case TT_STEP_END_FOR: {
    int64_t by = evaluate(p, s->index[2]);
    p->slots[s->slot] += by > 0 ? by : 1;
    if (p->slots[s->slot] < evaluate(p, s->index[1])) next = s->target + 1;
    break;
  }
  case TT_STEP_IF:
    if (!evaluate(p, s->index[0])) next = s->target;
    break;
  case TT_STEP_ELSE: next = s->target; break;
  case TT_STEP_RESERVE: case TT_STEP_PUSH: case TT_STEP_WAIT: case TT_STEP_POP:
    outcome = run_cb(r, p, s);
    break;
  case TT_STEP_READ:
    if (s->cb[0] >= 0) p->reading[s->cb[0]] = true;
    break;
  case TT_STEP_WRITE:
    if (s->cb[0] >= 0) p->writing[s->cb[0]] = true;
    break;
  case TT_STEP_READ_BARRIER: memset(p->reading, 0, sizeof p->reading); break;
  case TT_STEP_WRITE_BARRIER: memset(p->writing, 0, sizeof p->writing); break;
  case TT_STEP_MATH: outcome = run_math(r, p, s); break;
  case TT_STEP_SFPU: outcome = run_sfpu(r, p, s); break;
  case TT_STEP_PACK: outcome = run_pack(r, p, s); break;
  case TT_STEP_ACQUIRE: case TT_STEP_COMMIT: case TT_STEP_DST_WAIT: case TT_STEP_RELEASE:
    outcome = run_dst(r, p, s);
    break;
  default: outcome = run_setting(r, p, s); break;
  }
  if (outcome == GO_ON) p->pc = next;
  return outcome;
}

static bool ended(const Process *p) { return p->pc >= p->steps->n; }

static bool report_deadlock(Run *r) {
  char text[1024];
  size_t n = 0;
  MlirOperation op = r->p->program;
  for (int i = 0; i < NUM_PROCESSES; ++i) {
    const Process *p = &r->processes[i];
    if (!p->steps || ended(p)) continue;
    const TtStep *s = &p->steps->data[p->pc];
    MlirStringRef name = tt_op_name(s->op);
    if (n == 0) op = s->op;
    n += (size_t)snprintf(text + n, n < sizeof text ? sizeof text - n : 0, "%s%s waits in %.*s",
                          n ? "; " : "", process_name(i), (int)name.length, name.data);
    if (n < sizeof text && s->cb[0] >= 0 && s->kind != TT_STEP_MATH) {
      int64_t held = r->received[s->cb[0]] - r->acked[s->cb[0]];
      n += (size_t)snprintf(text + n, sizeof text - n,
                            " for %jd pages of %s, which holds %jd of %jd",
                            (intmax_t)evaluate(p, s->index[0]), r->p->cbs[s->cb[0]].name,
                            (intmax_t)held, (intmax_t)r->p->cbs[s->cb[0]].pages);
    }
    if (n >= sizeof text) break;
  }
  return tt_error(op, "[rule 6] deadlock: %s", text);
}

static bool check_end(Run *r) {
  for (int c = 0; c < r->p->num_cbs; ++c)
    if (r->received[c] != r->acked[c])
      return tt_error(r->p->program, "[rule 5] %jd pages are left in %s at the end",
                      (intmax_t)(r->received[c] - r->acked[c]), r->p->cbs[c].name);
  for (int i = 0; i < NUM_PROCESSES; ++i) {
    const Process *p = &r->processes[i];
    for (int c = 0; p->steps && c < r->p->num_cbs; ++c)
      if (p->reading[c] || p->writing[c])
        return tt_error(r->p->program,
                        "[rule %d] %s ends with transfers of %s in flight; put a barrier "
                        "after the last",
                        p->reading[c] ? 15 : 16, process_name(i), r->p->cbs[c].name);
  }
  if (r->math_holds || r->pack_holds || r->committed != r->released)
    return tt_error(r->p->program, "[rule 10] the compute kernel ends with DST not released");
  return true;
}

bool tt_protocol_run(const TtProtocol *protocol) {
  static const int roles[NUM_PROCESSES] = {TT_KERNEL_ROLE_READER, TT_KERNEL_ROLE_WRITER,
                                           TT_KERNEL_ROLE_COMPUTE, TT_KERNEL_ROLE_COMPUTE,
                                           TT_KERNEL_ROLE_COMPUTE};
  Run *r = tt_arena_alloc(protocol->arena, sizeof *r);
  *r = (Run){.p = protocol, .capacity = tt_dst_capacity(protocol->program)};
  for (int i = 0; i < NUM_PROCESSES; ++i) {
    Process *p = &r->processes[i];
    if (mlirOperationIsNull(protocol->funcs[roles[i]])) continue;
    p->kind = i, p->steps = &protocol->steps[roles[i]];
    p->srca = p->srcb = p->packer = -1;
    for (int slot = 0; slot < TT_NUM_ARG_SLOTS; ++slot) p->slots[slot] = protocol->args[slot];
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (int i = 0; i < NUM_PROCESSES; ++i) {
      Process *p = &r->processes[i];
      while (p->steps && !ended(p)) {
        Outcome outcome = run_step(r, p, &p->steps->data[p->pc]);
        if (outcome == FAILED) return false;
        if (outcome == BLOCKED) break;
        progress = true;
      }
    }
  }
  for (int i = 0; i < NUM_PROCESSES; ++i)
    if (r->processes[i].steps && !ended(&r->processes[i])) return report_deadlock(r);
  return check_end(r);
}
