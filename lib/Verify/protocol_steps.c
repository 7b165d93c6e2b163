/*===- protocol_steps.c - the steps of each process -------------------------------------------===
 *
 *   of a compute kernel      unpack           math     pack
 *   for tile                 for              for      for
 *     cb_wait_front %a, 1      wait %a
 *     tt.dst.acquire                            acquire
 *     add_tiles                fill             take
 *     pack_tile %c                                       pack %c
 *     cb_push_back %c, 1                                 push %c
 *
 * What cores can notice of each other is less: signals, and the circular buffers of which pages are
 * sent.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol.h"

/* Which processes a step concerns. */
static bool concerns(TtStepKind kind, int process) {
  bool mover = process == TT_READER || process == TT_WRITER,
       carries = tt_is_port(process) || tt_is_way(process);
  switch (kind) {
  case TT_STEP_FOR:
  case TT_STEP_END_FOR:
  case TT_STEP_IF:
  case TT_STEP_ELSE:
  case TT_STEP_END_IF: return true;
  case TT_STEP_RESERVE: return mover || process == TT_PACK;
  case TT_STEP_PUSH: return mover || carries || process == TT_PACK;
  case TT_STEP_WAIT: return mover || process == TT_UNPACK;
  case TT_STEP_POP: return mover || carries || process == TT_UNPACK;
  case TT_STEP_LEARN: return !carries;
  case TT_STEP_FETCH: return mover;
  case TT_STEP_POINTER:
  case TT_STEP_SEND:
  case TT_STEP_SIGNAL:
  case TT_STEP_INC:
  case TT_STEP_SEM_SET:
  case TT_STEP_SEM_WAIT:
  case TT_STEP_SEM_WAIT_MIN: return mover || carries;
  case TT_STEP_STARTUP: return !mover && !carries;
  case TT_STEP_FPU_INIT:
  case TT_STEP_REDUCE_END:
  case TT_STEP_SRCA:
  case TT_STEP_SRCB:
  case TT_STEP_MATH: return process == TT_UNPACK || process == TT_MATH;
  case TT_STEP_SFPU_INIT:
  case TT_STEP_SFPU:
  case TT_STEP_ACQUIRE:
  case TT_STEP_COMMIT: return process == TT_MATH;
  case TT_STEP_PACKER:
  case TT_STEP_L1_ACC:
  case TT_STEP_PACK:
  case TT_STEP_DST_WAIT:
  case TT_STEP_RELEASE: return process == TT_PACK;
  default: return mover;
  }
}

typedef bool (*TtKeeps)(const TtProtocol *p, const TtStep *s, int process);

static bool is_of(const TtProtocol *p, const TtStep *s, int process) {
  (void)p;
  return concerns(s->kind, process);
}

/* Whether other cores can notice a step: of circular buffers, what is sent or arrives. Others hold
 * a process up on its core alone, and without them it only is earlier, as all but the late one may
 * be. */
static bool is_noticed(const TtProtocol *p, const TtStep *s, int process) {
  const TtProtocolCB *cb = s->cb[0] >= 0 ? &p->cbs[s->cb[0]] : NULL;
  bool computes = tt_role_of_process(process) == TT_KERNEL_ROLE_COMPUTE;
  switch (s->kind) {
  case TT_STEP_FOR:
  case TT_STEP_END_FOR:
  case TT_STEP_IF:
  case TT_STEP_ELSE:
  case TT_STEP_END_IF:
  case TT_STEP_LEARN: return process != TT_MATH;
  case TT_STEP_RESERVE:
  case TT_STEP_PUSH:
  case TT_STEP_WAIT:
  case TT_STEP_POP: return cb && cb->sent;
  case TT_STEP_POINTER:
  case TT_STEP_READ:
  case TT_STEP_WRITE:
  case TT_STEP_FILL:
  case TT_STEP_LOAD:
  case TT_STEP_STORE: return !computes && (!cb || cb->sent);
  default: return !computes;
  }
}

static void mark_buffers(TtProtocol *p) {
  for (int k = 0; k < p->num_kernels; ++k)
    for (int process = TT_READER; process <= TT_WRITER; ++process)
      for (int i = 0; i < p->kernels[k].steps[process].n; ++i) {
        const TtStep *s = &p->kernels[k].steps[process].data[i];
        bool sends = s->kind == TT_STEP_SEND || s->kind == TT_STEP_FETCH;
        for (int c = 0; c < 3; ++c)
          if (s->cb[c] >= 0) p->cbs[s->cb[c]].sent |= sends;
      }
}

/* The steps of one process, without loops and branches that are empty for it. */
static void keep_steps(const TtProtocol *p, const TtSteps *all, TtKeeps keeps, int process,
                       TtSteps *out) {
  out->data = tt_arena_alloc(p->arena, (size_t)(all->n + 1) * sizeof *out->data);
  for (int i = 0; i < all->n; ++i) {
    const TtStep *s = &all->data[i];
    TtStepKind last = out->n > 0 ? out->data[out->n - 1].kind : TT_STEP_END_FOR;
    if (!keeps(p, s, process)) continue;
    if (s->kind == TT_STEP_END_FOR && last == TT_STEP_FOR) --out->n;
    else if (s->kind == TT_STEP_END_IF && last == TT_STEP_ELSE &&
             out->data[out->n - 2].kind == TT_STEP_IF)
      out->n -= 2;
    else out->data[out->n++] = *s;
  }
}

/* Where loops and branches go on. */
static void link_steps(TtArena *arena, TtSteps *steps) {
  int *open = tt_arena_alloc(arena, (size_t)(steps->n + 1) * sizeof *open), n = 0;
  for (int i = 0; i < steps->n; ++i) {
    TtStep *s = &steps->data[i];
    if (s->kind == TT_STEP_FOR || s->kind == TT_STEP_IF) open[n++] = i;
    if (s->kind == TT_STEP_ELSE) steps->data[open[n - 1]].target = i + 1, open[n - 1] = i;
    if (s->kind == TT_STEP_END_IF) steps->data[open[--n]].target = i;
    if (s->kind == TT_STEP_END_FOR) s->target = open[--n], steps->data[s->target].target = i + 1;
  }
}

/* Which circular buffers they name. */
static void number_views(const TtProtocol *p, TtSteps *steps) {
  steps->view_of = tt_arena_alloc(p->arena, ((size_t)p->num_cbs + 1) * sizeof *steps->view_of);
  for (int c = 0; c < p->num_cbs; ++c) steps->view_of[c] = -1;
  for (int i = 0; i < steps->n; ++i)
    for (int k = 0; k < 3; ++k) {
      int cb = steps->data[i].cb[k];
      if (cb >= 0 && steps->view_of[cb] < 0) steps->view_of[cb] = steps->num_views++;
    }
}

TtKernelRole tt_role_of_process(int kind) {
  int mover = tt_mover_of(kind);
  return mover == TT_READER   ? TT_KERNEL_ROLE_READER
         : mover == TT_WRITER ? TT_KERNEL_ROLE_WRITER
                              : TT_KERNEL_ROLE_COMPUTE;
}

void tt_keep_steps(const TtProtocol *p, const TtSteps *all, int process, TtSteps *out) {
  keep_steps(p, all, is_of, process, out);
  link_steps(p->arena, out);
  number_views(p, out);
}

void tt_shorten_steps(TtProtocol *p) {
  mark_buffers(p);
  for (int k = 0; k < p->num_kernels; ++k)
    for (int process = 0; process < TT_NUM_PROCESSES; ++process) {
      TtProtocolKernel *kernel = &p->kernels[k];
      if (kernel->steps[process].n == 0) continue;
      keep_steps(p, &kernel->steps[process], is_noticed, process, &kernel->briefly[process]);
      link_steps(p->arena, &kernel->briefly[process]);
      number_views(p, &kernel->briefly[process]);
      tt_mark_reads(p, &kernel->expressions, &kernel->briefly[process]);
      if (process == TT_UNPACK) tt_mark_waits(&kernel->expressions, &kernel->briefly[process]);
    }
}
