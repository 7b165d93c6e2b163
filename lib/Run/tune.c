/*===- tune.c - tt-run --tune ---------------------------------------------------------------===
 *
 * The planner of models estimates; the emulated device measures. Plans that differ in what is one
 * kernel, and then in each kernel's blocks and steps, run side by side, each in a process of its
 * own, until the time is over. A kernel takes what it takes whatever the others are, so one run
 * tries another plan for all of them at once, and the best of each together are the schedule.
 *
 *   12 plans in 41 s          planned     found
 *   mlp_0_matmul                 6102      5480
 *   mlp_1_matmul                 3681      3681
 *   total                        9783      9161
 *
 *===----------------------------------------------------------------------===*/

#include "Run/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What one more kernel is taken to cost, in clk: what the planner takes, less, and more. */
static const char *const fuses[] = {"all", "1000", "16000"};
/* Beside that, attention in one kernel over blocks of keys wherever it has that form, and nowhere.
 */
static const char *const streams[] = {"all", "none"};
enum {
  FUSES = sizeof fuses / sizeof *fuses,
  STREAMS = sizeof streams / sizeof *streams,
  FIRST = FUSES + STREAMS,
  PICKS = 24
};

typedef struct Kernel {
  char *name;
  double clk;
} Kernel;

typedef struct Kernels {
  Kernel *data;
  intptr_t n;
  double clk; /* of all */
} Kernels;

/* One plan: a process, and what came of it. */
typedef struct Try {
  const char *fuse, *stream;
  int pick;
  pid_t pid; /* 0: not running */
  char *clks;
  Kernels kernels; /* none where it failed, or was not done in time */
} Try;

typedef struct Tuner {
  TtArena *arena;
  const TtRunOptions *options;
  char *folder;
  time_t start;
  long jobs;
  int started, done;
  double best;
} Tuner;

static bool is_late(const Tuner *t) {
  return (uint64_t)(time(NULL) - t->start) >= t->options->tune_seconds;
}

static const char *plan_of(Tuner *t, const Try *a, const char *picks) {
  return tt_arena_printf(t->arena, "fuse=%s stream=%s pick=%s", a->fuse, a->stream, picks);
}

/* A run of its own, without a word, for the clk of its kernels. What it leaves when it is ended is
 * in the tuner's folder. */
static pid_t fork_run(const Tuner *t, const TtRunOptions *options) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid != 0) return pid;
  setpgid(0, 0);                    /* with the emulated device, which is another process */
  prctl(PR_SET_PDEATHSIG, SIGTERM); /* who ends the tuning ends its tries */
  setenv("TMPDIR", t->folder, 1);
  int null = open("/dev/null", O_RDWR);
  if (null >= 0) dup2(null, 1), dup2(null, 2);
  _exit(tt_session(options) ? 0 : 1);
}

static TtRunOptions quiet(const Tuner *t, const char *plan, const char *clks) {
  TtRunOptions o = *t->options;
  o.check = o.explain = false;
  o.keep = o.trace = o.report = o.tune = o.schedule = NULL;
  o.num_outputs = 0;
  if (t->jobs > 1) o.threads = 1;
  o.plan = plan, o.clks = clks;
  return o;
}

static Kernels read_clks(TtArena *arena, const char *path) {
  enum { MOST = 4096 };
  Kernels k = {NULL, 0, 0};
  FILE *file = fopen(path, "r");
  if (!file) return k;
  k.data = tt_arena_alloc(arena, MOST * sizeof *k.data);
  char name[256];
  for (double clk; k.n < MOST && fscanf(file, "%lf %255s", &clk, name) == 2; k.clk += clk)
    k.data[k.n++] = (Kernel){tt_arena_printf(arena, "%s", name), clk};
  fclose(file);
  return k;
}

static void begin(Tuner *t, Try *a) {
  a->clks = tt_arena_printf(t->arena, "%s/%d", t->folder, t->started++);
  char *picks = tt_arena_printf(t->arena, "%d", a->pick);
  TtRunOptions o = quiet(t, plan_of(t, a, picks), a->clks);
  a->pid = fork_run(t, &o);
}

static void end(Tuner *t, Try *a, int status) {
  a->pid = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return;
  a->kernels = read_clks(t->arena, a->clks);
  ++t->done;
  if (a->kernels.n && (t->best == 0 || a->kernels.clk < t->best)) t->best = a->kernels.clk;
  tt_progress(tt_arena_printf(t->arena, "%d plans, the best %.0f clk, %.0f s", t->done, t->best,
                              difftime(time(NULL), t->start)));
}

/* Runs `n` plans side by side. What is not done in time is ended, but the first of all. */
static void run_all(Tuner *t, Try *tries, int n) {
  int next = 0;
  long running = 0;
  for (;;) {
    while (next < n && running < t->jobs && (!is_late(t) || t->started == 0)) {
      begin(t, &tries[next++]);
      ++running;
    }
    if (running == 0) return;
    int status = 0;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    for (int i = 0; i < next; ++i) {
      Try *a = &tries[i];
      if (pid > 0 && a->pid == pid) end(t, a, status), --running;
      else if (a->pid > 0 && is_late(t) && t->done > 0) kill(-a->pid, SIGKILL);
    }
    if (pid == 0) nanosleep(&(struct timespec){0, 20000000}, NULL);
    if (pid < 0 && errno != EINTR) return;
  }
}

static const Try *best_of(const Try *tries, int n) {
  const Try *best = NULL;
  for (int i = 0; i < n; ++i)
    if (tries[i].kernels.n && (!best || tries[i].kernels.clk < best->kernels.clk)) best = &tries[i];
  return best;
}

static double clk_of(const Kernels *k, const char *name) {
  for (intptr_t i = 0; i < k->n; ++i)
    if (strcmp(k->data[i].name, name) == 0) return k->data[i].clk;
  return 0;
}

/* The number of a kernel in its model: gpt_3_matmul is the fourth. -1 where it is none. */
static long index_of(const char *name) {
  for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
    char *after;
    long index = strtol(at + 1, &after, 10);
    if (after > at + 1 && (*after == '_' || !*after) && index >= 0) return index;
  }
  return -1;
}

/* The best pick of each kernel: "0,3,0,7". */
static const char *best_picks(Tuner *t, const Kernels *base, const Try *tries, int n) {
  int *picks = tt_arena_alloc(t->arena, (size_t)(base->n + 1) * sizeof *picks);
  for (intptr_t i = 0; i < base->n; ++i) picks[i] = 0;
  for (intptr_t i = 0; i < base->n; ++i) {
    long index = index_of(base->data[i].name);
    double best = base->data[i].clk;
    if (index < 0 || index >= base->n) continue;
    for (int j = 0; j < n; ++j) {
      double clk = clk_of(&tries[j].kernels, base->data[i].name);
      if (clk > 0 && clk < best) best = clk, picks[index] = tries[j].pick;
    }
  }
  const char *text = "0";
  for (intptr_t i = 0; i < base->n; ++i)
    text = i ? tt_arena_printf(t->arena, "%s,%d", text, picks[i])
             : tt_arena_printf(t->arena, "%d", picks[i]);
  return text;
}

static bool run_plan(Tuner *t, const char *plan, Kernels *kernels) {
  char *clks = tt_arena_printf(t->arena, "%s/last", t->folder);
  TtRunOptions o = quiet(t, plan, clks);
  int status = 0;
  o.threads = t->options->threads;
  pid_t pid = fork_run(t, &o);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return false;
  *kernels = read_clks(t->arena, clks);
  return kernels->n > 0;
}

static void print_table(const Tuner *t, const Kernels *planned, const Kernels *found) {
  char head[64];
  int width =
      snprintf(head, sizeof head, "%d plans in %.0f s", t->done, difftime(time(NULL), t->start));
  for (intptr_t i = 0; i < found->n; ++i)
    if ((int)strlen(found->data[i].name) > width) width = (int)strlen(found->data[i].name);
  printf("  %-*s   planned     found\n", width, head);
  for (intptr_t i = 0; i < found->n; ++i) {
    double before = clk_of(planned, found->data[i].name);
    if (before > 0)
      printf("  %-*s %9.0f %9.0f\n", width, found->data[i].name, before, found->data[i].clk);
    else printf("  %-*s %9s %9.0f\n", width, found->data[i].name, "-", found->data[i].clk);
  }
  printf("  %-*s %9.0f %9.0f\n", width, "total", planned->clk, found->clk);
}

/* The plan of the best; what the planner would do where nothing better is found. */
static const char *search(Tuner *t, Kernels *planned, Kernels *found) {
  Try first[FIRST] = {{0}}, others[PICKS] = {{0}};
  for (int i = 0; i < FUSES; ++i) first[i] = (Try){.fuse = fuses[i], .stream = "auto"};
  for (int i = 0; i < STREAMS; ++i)
    first[FUSES + i] = (Try){.fuse = fuses[0], .stream = streams[i]};
  run_all(t, first, FIRST);
  const Try *best = best_of(first, FIRST);
  if (!best) return NULL;
  *found = best->kernels;
  *planned = first[0].kernels.n ? first[0].kernels : best->kernels;
  const char *plan = plan_of(t, best, "0");
  for (int i = 0; i < PICKS; ++i)
    others[i] = (Try){.fuse = best->fuse, .stream = best->stream, .pick = i + 1};
  run_all(t, others, PICKS);
  const char *picks = best_picks(t, found, others, PICKS), *joint = plan_of(t, best, picks);
  Kernels together;
  if (strspn(picks, "0,") < strlen(picks) && run_plan(t, joint, &together) &&
      together.clk < found->clk) {
    *found = together;
    plan = joint;
  }
  return plan;
}

/* Whether a schedule can be written there, before an hour is spent on it. */
static bool is_writable(const char *path) {
  bool exists = access(path, F_OK) == 0;
  FILE *file = fopen(path, "a");
  if (!file) return tt_message("--tune %s: %s", path, strerror(errno));
  fclose(file);
  if (!exists) unlink(path);
  return true;
}

bool tt_tune(TtArena *arena, const TtRunOptions *options) {
  Tuner t = {.arena = arena, .options = options, .start = time(NULL)};
  t.jobs = sysconf(_SC_NPROCESSORS_ONLN);
  if (t.jobs < 1) t.jobs = 1;
  if (options->schedule)
    return tt_message("--tune writes a schedule; leave out --schedule=%s", options->schedule);
  if (!is_writable(options->tune) || !(t.folder = tt_temporary_folder(arena))) return false;
  TtRunOptions last = *options;
  last.tune = NULL;
  last.plan = plan_of(&t, &(Try){.fuse = fuses[0], .stream = "auto"}, "0");
  Kernels planned, found;
  const char *plan = search(&t, &planned, &found);
  tt_progress("");
  tt_remove_folder(arena, t.folder);
  if (plan) {
    print_table(&t, &planned, &found);
    last.plan = tt_arena_printf(arena, "%s write=%s", plan, options->tune);
    printf("  %s: the schedule; tt-run %s --schedule=%s takes it\n", options->tune, options->kernel,
           options->tune);
  }
  return tt_session(&last) && plan; /* a first plan that failed says here why */
}
