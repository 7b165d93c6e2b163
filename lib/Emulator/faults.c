/*===- faults.c - kernels that leave the rails --------------------------------------------===
 *
 * A kernel that touches memory outside of L1, or that runs on and on without a call
 * of the API, ends the run with a report of where it was last seen.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>

static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  Risc *risc = emu.running;
  if (!risc) {
    signal(number, SIG_DFL); /* the host program's own fault */
    return;
  }
  if (emu_l1_fault((uintptr_t)info->si_addr)) return;
  emu_error(risc, 17, "the kernel uses address 0x%llx, which is outside of L1, after this line",
            (unsigned long long)(uintptr_t)info->si_addr);
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

  memset(&action, 0, sizeof action);
  action.sa_handler = on_tick;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigaction(SIGVTALRM, &action, NULL);
  struct timeval seconds = {.tv_sec = (time_t)emu.max_seconds};
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){seconds, seconds}, NULL);
}
