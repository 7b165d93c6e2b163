/*===- tasks.c - arithmetic on the host's cores ---------------------------------------------===
 *
 * One thread runs the kernels and the clock. What unpack, math and pack do to data does
 * not change the order of events, so it is put off: each emulated core has a queue of
 * tasks, which the threads of a pool empty, one thread a core, in order. Whoever is about
 * to look at the core's memory first waits until its queue is empty. So results are the
 * same with any number of threads.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CAPACITY = 256, MAX_THREADS = 64 };

typedef struct Task {
  TaskFunction run;
  union {
    max_align_t align;
    uint8_t bytes[TASK_BYTES];
  } args;
} Task;

/* `head` is the producer's, `tail` that of the thread that owns the queue now. */
struct TaskQueue {
  Task tasks[CAPACITY];
  _Atomic uint32_t head, tail;
  _Atomic bool busy; /* a thread is emptying it */
  bool ready;        /* it stands in the pool's list; guarded by its lock */
  int users;         /* threads that have taken it from there; likewise */
  struct TaskQueue *next;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work;
  TaskQueue *first, *last;
  pthread_t threads[MAX_THREADS];
  int num_threads;
  bool stop;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

TaskQueue *emu_queue_create(void) { return emu_calloc(1, sizeof(TaskQueue)); }

static bool is_empty(TaskQueue *q) { return atomic_load(&q->head) == atomic_load(&q->tail); }

/* Runs what is in a queue, unless another thread does. */
static bool run_queue(TaskQueue *q) {
  bool free_one = false;
  if (!atomic_compare_exchange_strong(&q->busy, &free_one, true)) return false;
  while (!is_empty(q)) {
    uint32_t tail = atomic_load(&q->tail);
    Task *task = &q->tasks[tail % CAPACITY];
    task->run(&task->args);
    atomic_store(&q->tail, tail + 1);
  }
  atomic_store(&q->busy, false);
  return true;
}

static void append(TaskQueue *q) {
  pthread_mutex_lock(&pool.lock);
  if (!q->ready) {
    q->ready = true, q->next = NULL;
    if (pool.last) pool.last->next = q;
    else pool.first = q;
    pool.last = q;
    pthread_cond_signal(&pool.work);
  }
  pthread_mutex_unlock(&pool.lock);
}

/* The next queue with work, under the lock; or NULL. */
static TaskQueue *take(void) {
  TaskQueue *q = pool.first;
  if (!q) return NULL;
  pool.first = q->next;
  if (!pool.first) pool.last = NULL;
  q->ready = false;
  ++q->users;
  return q;
}

static void give_back(TaskQueue *q) {
  pthread_mutex_lock(&pool.lock);
  --q->users;
  pthread_mutex_unlock(&pool.lock);
}

void emu_queue_destroy(TaskQueue *queue) {
  bool used = true;
  while (used) { /* a thread may just find out that there is nothing left to do */
    pthread_mutex_lock(&pool.lock);
    TaskQueue **p = &pool.first, *before = NULL;
    for (; *p; before = *p, p = &(*p)->next)
      if (*p == queue) {
        if (pool.last == queue) pool.last = before;
        *p = queue->next;
        break;
      }
    used = queue->users > 0;
    pthread_mutex_unlock(&pool.lock);
  }
  free(queue);
}

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&pool.lock);
  while (!pool.stop) {
    TaskQueue *q = take();
    if (!q) {
      pthread_cond_wait(&pool.work, &pool.lock);
      continue;
    }
    pthread_mutex_unlock(&pool.lock);
    run_queue(q);
    give_back(q);
    pthread_mutex_lock(&pool.lock);
  }
  pthread_mutex_unlock(&pool.lock);
  return NULL;
}

void emu_later(Core *core, TaskFunction run, const void *args, size_t bytes) {
  TaskQueue *q = core->queue;
  if (pool.num_threads == 0) {
    run(args);
    return;
  }
  while (atomic_load(&q->head) - atomic_load(&q->tail) == CAPACITY) run_queue(q);
  uint32_t head = atomic_load(&q->head);
  Task *task = &q->tasks[head % CAPACITY];
  task->run = run;
  memcpy(&task->args, args, bytes);
  atomic_store(&q->head, head + 1);
  /* A handful at a time: signals cost more than small tasks. */
  if (head + 1 - atomic_load(&q->tail) == 4) append(q);
}

void emu_flush(Core *core) {
  TaskQueue *q = core->queue;
  while (!is_empty(q) || atomic_load(&q->busy)) {
    if (run_queue(q)) continue;
    pthread_mutex_lock(&pool.lock); /* another thread is at it: help elsewhere */
    TaskQueue *other = take();
    pthread_mutex_unlock(&pool.lock);
    if (!other) continue;
    run_queue(other);
    give_back(other);
  }
}

void emu_pool_open(int threads) {
  sigset_t all, before; /* signals are for the thread that runs the kernels */
  pool.stop = false;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV), sigdelset(&all, SIGBUS);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  for (int i = 0; i < threads && i < MAX_THREADS; ++i)
    if (pthread_create(&pool.threads[pool.num_threads], NULL, serve, NULL) == 0) ++pool.num_threads;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void emu_pool_close(void) {
  pthread_mutex_lock(&pool.lock);
  pool.stop = true;
  pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < pool.num_threads; ++i) pthread_join(pool.threads[i], NULL);
  pool.num_threads = 0;
  pool.first = pool.last = NULL;
}
