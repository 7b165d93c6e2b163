/*===- faults.c - kernels that leave the rails --------------------------------------------===
 *
 * A kernel that touches memory outside of L1, throws, aborts, exits, or runs on and on
 * without a call of the API ends the run with a report of where it was last seen.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* A kernel's stack grows down into what lies below it. */
static bool is_below_stack(const Risc *risc, uintptr_t at) {
  uintptr_t stack = (uintptr_t)risc->stack;
  return at < stack && stack - at < 16 * EMU_STACK_BYTES;
}

static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  Risc *risc = emu.running;
  if (!risc) {
    emu_check_late_read((uintptr_t)info->si_addr);
    signal(number, SIG_DFL); /* the host program's own fault */
    return;
  }
  if (emu_l1_fault((uintptr_t)info->si_addr)) return;
  if (is_below_stack(risc, (uintptr_t)info->si_addr))
    emu_error(risc, 17, "the kernel uses more than %d KiB of stack after this line",
              EMU_STACK_BYTES / 1024);
  emu_error(risc, 17, "the kernel uses address 0x%llx, which is outside of L1, after this line",
            (unsigned long long)(uintptr_t)info->si_addr);
}

static void on_abort(int number) {
  if (emu.running) emu_error(emu.running, 17, "the kernel throws or aborts after this line");
  signal(number, SIG_DFL);
}

static void on_exit_of_kernel(void) {
  if (emu.running) emu_error(emu.running, 17, "the kernel calls exit after this line");
}

static void on_tick(int number) {
  static uint64_t seen;
  (void)number;
  if (emu.running && emu.resumes == seen)
    emu_error(emu.running, 18,
              "the kernel runs for %llu s without a call of the API after this line (a loop that "
              "polls L1 calls invalidate_l1_cache; TTEMU_MAX_SECONDS raises the limit)",
              (unsigned long long)emu.max_seconds);
  seen = emu.resumes;
}

void emu_catch_faults(void) {
  static char stack[64 * 1024]; /* a kernel may have used up its own */
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaltstack(&other, NULL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);

  static bool registered;
  if (!registered) atexit(on_exit_of_kernel);
  registered = true;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_abort;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGABRT, &action, NULL);
  action.sa_handler = on_tick;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigaction(SIGVTALRM, &action, NULL);
  struct timeval seconds = {.tv_sec = (time_t)emu.max_seconds};
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){seconds, seconds}, NULL);
}
