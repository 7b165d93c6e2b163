/*===- sched.c - one clock for all processors --------------------------------------------------===
 *
 * Events in a heap, ordered by time and, within a time, by when they were made. A
 * processor that has run ahead waits in the heap until everything before it is
 * done. A context is entered once; from then on jumps lead in and out of it, which
 * ask nothing of the kernel.
 *
 *===----------------------------------------------------------------------===*/

#undef _FORTIFY_SOURCE /* it takes a jump to another stack for an error */
#include "emu.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct Event {
  uint64_t time, order;
  Risc *risc;         /* to resume, or NULL */
  Transfer *transfer; /* to complete */
} Event;

typedef struct Heap {
  Event *data;
  size_t n, capacity;
  uint64_t order;
} Heap;

enum { GUARD_BYTES = 64 * 1024 };

static Heap heap;
static jmp_buf scheduler;
static uint64_t last; /* time that anything has come to */
static int total, done;

static bool earlier(const Event *a, const Event *b) {
  return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void heap_push(Event event) {
  event.order = heap.order++;
  if (heap.n == heap.capacity) {
    heap.capacity = heap.capacity ? heap.capacity * 2 : 1024;
    heap.data = realloc(heap.data, heap.capacity * sizeof *heap.data);
    if (!heap.data) emu_fatal("out of memory");
  }
  size_t i = heap.n++;
  for (; i > 0 && earlier(&event, &heap.data[(i - 1) / 2]); i = (i - 1) / 2)
    heap.data[i] = heap.data[(i - 1) / 2];
  heap.data[i] = event;
}

static Event heap_pop(void) {
  Event top = heap.data[0], moved = heap.data[--heap.n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < heap.n; i = child) {
    if (child + 1 < heap.n && earlier(&heap.data[child + 1], &heap.data[child])) ++child;
    if (!earlier(&heap.data[child], &moved)) break;
    heap.data[i] = heap.data[child];
  }
  if (heap.n) heap.data[i] = moved;
  return top;
}

/* From a processor to the scheduler, until it is resumed. */
static void leave(Risc *risc) {
  if (_setjmp(risc->jump) == 0) _longjmp(scheduler, 1);
}

static void resume(Risc *risc) {
  if (_setjmp(scheduler) != 0) return;
  if (risc->entered) _longjmp(risc->jump, 1);
  risc->entered = true;
  setcontext(&risc->context);
}

void emu_sync(Risc *risc) {
  while (heap.n && heap.data[0].time < risc->time) {
    heap_push((Event){risc->time, 0, risc, NULL});
    leave(risc);
  }
}

/* A processor has a few thousand bytes for variables and stack. Frames here are larger than there,
 * twice at most in kernels that move data; in those that compute, registers of lanes are arrays. */
static void check_stack(Risc *risc) {
  uintptr_t top = (uintptr_t)risc->stack + EMU_STACK_BYTES, room = emu.chip->mover_bytes;
  uintptr_t depth = top - (uintptr_t)__builtin_frame_address(0);
  if (risc->role < UNPACK && depth < EMU_STACK_BYTES && depth > 2 * room + 1024)
    emu_error(risc, 20,
              "the kernel's stack is %zu bytes deep, but a processor that moves data has %zu bytes "
              "for it and all variables; what is larger goes to a circular buffer",
              (size_t)depth, (size_t)room);
}

Risc *emu_call(uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  check_stack(risc);
  risc->spins = 0;
  emu_charge(risc, emu.chip->call);
  emu_sync(risc);
  return risc;
}

void emu_charge(Risc *risc, uint64_t clk) {
  uint64_t hidden = risc->ahead < clk ? risc->ahead : clk;
  risc->ahead -= hidden;
  risc->time += clk - hidden;
}

void emu_work(Risc *risc, uint64_t clk) {
  risc->time += clk;
  risc->ahead = clk; /* it prepares the next call, not those after it */
}

void emu_block(Risc *risc, WaitKind wait, uint32_t cb, uint32_t n) {
  uint64_t before = risc->time;
  risc->wait = wait;
  risc->wait_cb = cb;
  risc->wait_n = n;
  leave(risc);
  risc->waited_clk[wait] += risc->time - before;
  if (risc->time > before && wait <= WAIT_CB_DATA) risc->ahead = 0; /* it waits itself */
  if (risc->time > before)
    emu_trace(risc->core, risc->role, TRACE_WAIT, wait, 0, before, risc->time);
}

/* Looks in a row after which a processor counts as one that waits for what it looks at. */
enum { MANY_SPINS = 3000 };

void emu_spin(Risc *risc) {
  if (!emu.host_goes_on || risc->spins < MANY_SPINS) return;
  for (size_t i = 0; i < heap.n; ++i)
    if (heap.data[i].transfer || heap.data[i].risc->spins < MANY_SPINS) return;
  emu_block(risc, WAIT_SEMAPHORE, risc->spins_at, 0);
  risc->spins = 0;
}

void emu_wake(Core *core, WaitKind wait, uint32_t cb, uint64_t time) {
  for (int i = 0; i < NUM_RISCS; ++i) {
    Risc *risc = &core->riscs[i];
    if (risc->wait != wait || (wait <= WAIT_CB_DATA && risc->wait_cb != cb)) continue;
    risc->wait = NOT_WAITING;
    if (risc->time < time) risc->time = time;
    heap_push((Event){risc->time, 0, risc, NULL});
  }
}

void emu_transfer_at(Transfer *transfer, uint64_t time) {
  heap_push((Event){time, 0, NULL, transfer});
}

static void wake_if(Risc *risc, WaitKind wait, uint64_t time) {
  if (risc->wait != wait) return;
  risc->wait = NOT_WAITING;
  if (risc->time < time) risc->time = time;
  heap_push((Event){risc->time, 0, risc, NULL});
}

/* Barriers ask again when they wake: some wait for a part of the transfers. */
static void complete(Transfer *t, uint64_t time) {
  Risc *risc = t->risc;
  if (t->kind != READ && !t->sent) {
    emu_transfer_at(t, emu_depart(t, time));
    if (t->tracked) --risc->unsent[t->noc];
    wake_if(risc, WAIT_FLUSH, time);
    return;
  }
  emu_arrive(t, time);
  emu_trace(risc->core, risc->role, t->kind == READ ? TRACE_READ : TRACE_WRITE, 0, t->bytes,
            t->issued, time);
  free(t->data);
  emu_race_done(t);
  if (t->kind == ADD_WORD && !t->posted) {
    --risc->atomics[t->noc];
    wake_if(risc, WAIT_ATOMICS, time);
  }
  for (Transfer **p = &risc->transfers; t->tracked && *p; p = &(*p)->next)
    if (*p == t) {
      *p = t->next;
      break;
    }
  if (t->tracked) {
    --(t->kind == READ ? risc->reads : risc->writes)[t->noc];
    wake_if(risc, t->kind == READ ? WAIT_READS : WAIT_WRITES, time);
  }
  free(t);
}

/*===- Processors -------------------------------------------------------------------------===*/

static void check_exit(Risc *risc) {
  Core *core = risc->core;
  for (const Transfer *t = risc->transfers; t; t = t->next)
    if (t->kind == READ)
      emu_error(risc, 15,
                "the kernel ends with a read in flight; put a barrier after the last one");
  for (int noc = 0; noc < 2; ++noc)
    if (risc->linked[noc])
      emu_error(risc, 18,
                "the kernel ends after a linked multicast on NoC %d: its path stays taken, and the "
                "next multicast that meets it never starts; the last one is sent unlinked",
                noc);
  if (risc->transfers) /* they arrive all the same */
    emu_forgiven(risc, 16,
                 "the kernel ends with a write in flight; put a barrier after the last one");
  if (risc->atomics[0] || risc->atomics[1]) /* the next kernel would count their answers */
    emu_warning_at(risc, risc->last_atomic, 16,
                   "the kernel ends before this increment is answered; put "
                   "noc_async_atomic_barrier after the last one");
  if (risc->role == MATH && core->math_holds)
    emu_error(risc, 10, "the kernel ends between tile_regs_acquire and tile_regs_commit");
  if (risc->role == PACK && risc->onto_l1)
    emu_warning(risc, 13,
                "the kernel ends while the packer adds to L1; end with "
                "pack_reconfig_l1_acc(0)");
  if (risc->role == PACK && core->pack_holds)
    emu_error(risc, 10, "the kernel ends between tile_regs_wait and tile_regs_release");
}

static void run_kernel(void) {
  Risc *risc = emu.running;
  risc->kernel->entry();
  risc = emu.running;
  risc->done = true;
  emu_trace(risc->core, risc->role, TRACE_KERNEL, 0, 0, 0, risc->time);
  check_exit(risc);
  leave(risc);
}

static void start(Risc *risc, uint64_t time) {
  /* A page below the stack that faults, so that overflows are noticed. */
  uint8_t *stack = mmap(NULL, GUARD_BYTES + EMU_STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED || mprotect(stack, GUARD_BYTES, PROT_NONE) != 0)
    emu_fatal("no memory for the stack of a processor");
  risc->stack = stack + GUARD_BYTES;
  getcontext(&risc->context);
  risc->context.uc_stack.ss_sp = risc->stack;
  risc->context.uc_stack.ss_size = EMU_STACK_BYTES;
  risc->context.uc_link = NULL;
  makecontext(&risc->context, run_kernel, 0);
  risc->started = true, risc->entered = false;
  *risc->waypoint = 0, risc->num_words = 0;
  risc->time = time;
  heap_push((Event){time, 0, risc, NULL});
  ++total;
}

static void show_progress(bool is_last) {
  static struct timespec before;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double seconds =
      (double)(now.tv_sec - before.tv_sec) + (double)(now.tv_nsec - before.tv_nsec) * 1e-9;
  if (!is_last && seconds < 0.2) return;
  before = now;
  fprintf(stderr, "\r  emulating: %8llu clk, %d of %d processors done%s", (unsigned long long)last,
          done, total, is_last ? "\r\033[K" : "");
  fflush(stderr);
}

void emu_start(ttemu_program *program, bool alone) {
  if (alone) heap.n = 0, total = done = 0, last = 0;
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i)
    for (int r = 0; program->cores[i] && r < NUM_RISCS; ++r)
      if (program->cores[i]->riscs[r].kernel) start(&program->cores[i]->riscs[r], last);
}

void emu_schedule(void) {
  while (heap.n) {
    Event event = heap_pop();
    if (event.time > last) last = event.time;
    if (emu.max_events && ++emu.events > emu.max_events)
      emu_fatal(
          "stopped after %llu events (TTEMU_MAX_EVENTS): the kernels run forever, or the limit "
          "is too low",
          (unsigned long long)emu.max_events);
    if (event.transfer) {
      complete(event.transfer, event.time);
      continue;
    }
    emu.running = event.risc;
    ++emu.resumes;
    emu_l1_leave(event.risc->core);
    emu_swap_variables(event.risc);
    resume(event.risc);
    done += event.risc->done;
    if (event.risc->done && event.risc->time > last) last = event.risc->time;
    if (emu.progress) show_progress(false);
  }
  emu.running = NULL;
  emu_l1_leave(NULL);
  if (emu.progress) show_progress(true);
  emu.clock = last;
}

bool emu_ended(const ttemu_program *program) {
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i)
    for (int r = 0; program->cores[i] && r < NUM_RISCS; ++r)
      if (program->cores[i]->riscs[r].kernel && !program->cores[i]->riscs[r].done) return false;
  return true;
}

void emu_wake_all(ttemu_program *program) {
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i)
    if (program->cores[i]) emu_wake(program->cores[i], WAIT_SEMAPHORE, 0, last);
}

void emu_stop(ttemu_program *program) {
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i)
    for (int r = 0; program->cores[i] && r < NUM_RISCS; ++r) {
      Risc *risc = &program->cores[i]->riscs[r];
      if (risc->started)
        munmap((uint8_t *)risc->stack - GUARD_BYTES, GUARD_BYTES + EMU_STACK_BYTES);
      risc->started = false;
      emu_free_variables(risc);
    }
}
