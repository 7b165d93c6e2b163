/*===- children.c - processes that try inputs -------------------------------------------------===
 *
 *   inputs 0 … 249    one child, and another one behind where it died
 *   inputs 250 … 499  the next
 *
 *===----------------------------------------------------------------------===*/

#include "fuzz.h"

#include "tilewright/tilewright.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of a build with LeakSanitizer; others have none. */
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

static void on_alarm(int signal) {
  (void)signal;
  _exit(HANGS);
}

static void open_context(Fuzz *f) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tt_register_all_dialects(registry);
  f->context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(f->context, on_diagnostic, f, NULL);
}

void run_chunk(Fuzz *f, uint64_t from, uint64_t to) {
  signal(SIGALRM, on_alarm);
  signal(SIGPROF, on_alarm);
  open_context(f);
  for (uint64_t i = from; i < to; ++i) {
    f->shared->at = i;
    run_input(f, i);
    if (__lsan_do_recoverable_leak_check && i % 50 == 49 && __lsan_do_recoverable_leak_check())
      _exit(LEAKS);
  }
  mlirContextDestroy(f->context);
  _exit(__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check() ? LEAKS : 0);
}

static const char *what_happened(int status, bool parsing) {
  if (parsing)
    return WIFEXITED(status) && WEXITSTATUS(status) == NO_ERROR ? "silence of the parser"
                                                                : "a crash of the parser";
  if (WIFSIGNALED(status)) return "a crash";
  switch (WEXITSTATUS(status)) {
  case NO_LOCATION: return "an error without a location";
  case NO_ERROR: return "a failure without an error";
  case LEAKS: return "a leak, of this input or one of the 50 before it";
  case HANGS: return "no end within 20 seconds of a processor";
  default: return "a report of a sanitizer";
  }
}

static void keep_input(Fuzz *f, uint64_t i) {
  Random r = random_of(f, i);
  Text t = make_input(f, &r);
  if (f->options.keep) write_input(f->options.keep, i, &t);
  free(t.data);
}

static pid_t start(Fuzz *f, Shared *shared, uint64_t from, uint64_t to) {
  fflush(NULL);
  pid_t child = fork();
  if (child != 0) return child;
  f->shared = shared;
  run_chunk(f, from, to);
  return 0;
}

/* Whether a child that tries these inputs, without those that the parser took not, dies. */
static bool dies(Fuzz *f, const Shared *found, uint64_t from, uint64_t to, bool all) {
  Shared *own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (own == MAP_FAILED) return true;
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    f->shared = own;
    signal(SIGALRM, on_alarm);
    signal(SIGPROF, on_alarm);
    open_context(f);
    for (uint64_t i = from; i < to; ++i)
      if (all || found->whole[i % CHUNK]) run_input(f, i);
    _exit(0);
  }
  bool ended = child > 0 && waitpid(child, &status, 0) == child;
  munmap(own, sizeof *own);
  return !ended || status != 0;
}

/* Whether upstream's parser, in a text that it rejects, broke memory that an input behind it died
 * of: that one runs alone, and behind all that the parser took. An operand that is named before an
 * argument of a region still refers to it when the region is gone. */
static bool died_of_parser(Fuzz *f, const Shared *found, int status) {
  uint64_t first = found->at / CHUNK * CHUNK;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0; /* 1 of a sanitizer */
  return (code < NO_LOCATION || code > HANGS) && !dies(f, found, found->at, found->at + 1, true) &&
         !dies(f, found, first, found->at + 1, false);
}

uint64_t run_all(Fuzz *f) {
  enum { MAX_JOBS = 64 };
  size_t bytes = MAX_JOBS * sizeof(Shared);
  Shared *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t children[MAX_JOBS] = {0};
  uint64_t ends[MAX_JOBS] = {0}, next = 0, faults = 0, running = 0,
           jobs = f->options.jobs < MAX_JOBS ? f->options.jobs : MAX_JOBS;
  if (all == MAP_FAILED) return fprintf(stderr, "error: no shared memory\n"), 1;
  for (;;) {
    for (uint64_t j = 0; j < jobs; ++j) {
      if (children[j] || next >= f->options.count) continue;
      ends[j] = next + CHUNK < f->options.count ? next + CHUNK : f->options.count;
      memset(all[j].whole, 0, sizeof all[j].whole);
      children[j] = start(f, &all[j], next, ends[j]);
      next = ends[j], ++running;
    }
    int status = 0;
    if (running == 0) break;
    pid_t child = wait(&status);
    for (uint64_t j = 0; j < jobs; ++j) {
      if (children[j] != child) continue;
      children[j] = 0, --running;
      if (status == 0) continue;
      uint64_t at = all[j].at;
      bool broken = died_of_parser(f, &all[j], status);
      printf("input %llu: %s\n", (unsigned long long)at,
             broken ? "memory broken by the parser" : what_happened(status, all[j].parsing));
      ++faults;
      keep_input(f, at);
      if (at + 1 < ends[j]) children[j] = start(f, &all[j], at + 1, ends[j]), ++running;
    }
  }
  Shared sum = {0};
  for (uint64_t j = 0; j < jobs; ++j)
    sum.parsed += all[j].parsed, sum.accepted += all[j].accepted, sum.rejected += all[j].rejected;
  printf("seed %llu: %llu inputs, of which %llu parsed, %llu were emitted and %llu rejected; %llu "
         "faults\n",
         (unsigned long long)f->options.seed, (unsigned long long)f->options.count,
         (unsigned long long)sum.parsed, (unsigned long long)sum.accepted,
         (unsigned long long)sum.rejected, (unsigned long long)faults);
  munmap(all, bytes);
  return faults;
}
