/*===- report.c - what went wrong, where --------------------------------------------===*/

#include "emu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *emu_role_name(int role) {
  static const char *const names[] = {"data movement 0", "data movement 1", "unpack", "math",
                                      "pack"};
  return names[role];
}

const char *emu_role_short(int role) {
  static const char *const names[] = {"BR", "NC", "TR0", "TR1", "TR2"};
  return names[role];
}

/* What a kernel has said of itself, the newest word first. */
static void last_words(const Risc *risc) {
  if (*risc->waypoint) fprintf(stderr, ", at waypoint %s", risc->waypoint);
  for (uint32_t i = 0; i < risc->num_words && i < LAST_WORDS; ++i)
    fprintf(stderr, "%s0x%x", i ? " " : ", last words ",
            risc->words[(risc->num_words - 1 - i) % LAST_WORDS]);
  fputc('\n', stderr);
}

static void where(const Risc *risc) {
  fprintf(stderr, "  on core (%u, %u), %s, after %llu clk", risc->core->x, risc->core->y,
          emu_role_name(risc->role), (unsigned long long)risc->time);
  last_words(risc);
}

static _Noreturn void fail(Risc *risc, uint32_t line, int rule, const char *format, va_list args) {
  fprintf(stderr, "%s:%u: error: [rule %d] ", risc->kernel->path, line, rule);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  where(risc);
  fflush(NULL);
  _Exit(1);
}

void emu_error(Risc *risc, int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(risc, risc->line, rule, format, args);
}

void emu_error_at(Risc *risc, uint32_t line, int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(risc, line, rule, format, args);
}

/* Warnings that were given; each place gives one, and the others are counted. */
enum { MAX_WARNINGS = 256 };
static struct {
  const Kernel *kernel;
  uint32_t line;
  int rule;
  uint64_t count;
} warnings[MAX_WARNINGS];
static size_t num_warnings;

/* Whether this is the first one of its place. */
static bool is_new(const Risc *risc, uint32_t line, int rule) {
  for (size_t i = 0; i < num_warnings; ++i)
    if (warnings[i].kernel == risc->kernel && warnings[i].line == line && warnings[i].rule == rule)
      return ++warnings[i].count, false;
  if (num_warnings == MAX_WARNINGS) return false;
  warnings[num_warnings].kernel = risc->kernel, warnings[num_warnings].line = line;
  warnings[num_warnings].rule = rule, warnings[num_warnings++].count = 1;
  return true;
}

static void warn(Risc *risc, uint32_t line, int rule, const char *format, va_list args) {
  bool strict = getenv("TTEMU_STRICT") != NULL;
  if (!is_new(risc, line, rule)) return;
  fprintf(stderr, "%s:%u: %s: [rule %d] ", risc->kernel->path, line,
          strict ? "error (strict)" : "warning", rule);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  where(risc);
  if (!strict) return;
  fflush(NULL);
  _Exit(1);
}

void emu_warning(Risc *risc, int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  warn(risc, risc->line, rule, format, args);
  va_end(args);
}

void emu_host_warning(int rule, const char *format, ...) {
  const bool strict = getenv("TTEMU_STRICT") != NULL;
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: [rule %d] ", strict ? "error (strict)" : "warning", rule);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  if (!strict) return;
  fflush(NULL);
  _Exit(1);
}

void emu_host_error(int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "error: [rule %d] ", rule);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  fflush(NULL);
  _Exit(1);
}

static void forgive(Risc *risc, uint32_t line, int rule, const char *format, va_list args) {
  if (getenv("TTEMU_STRICT") || getenv("TTEMU_EMITTED")) fail(risc, line, rule, format, args);
  warn(risc, line, rule, format, args);
}

void emu_forgiven(Risc *risc, int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  forgive(risc, risc->line, rule, format, args);
  va_end(args);
}

void emu_forgiven_at(Risc *risc, uint32_t line, int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  forgive(risc, line, rule, format, args);
  va_end(args);
}

void emu_warning_at(Risc *risc, uint32_t line, int rule, const char *format, ...) {
  va_list args;
  va_start(args, format);
  warn(risc, line, rule, format, args);
  va_end(args);
}

void emu_end_warnings(void) {
  uint64_t all = 0;
  for (size_t i = 0; i < num_warnings; ++i) all += warnings[i].count;
  if (all > num_warnings)
    fprintf(stderr, "  %llu warnings at %zu places\n", (unsigned long long)all, num_warnings);
  num_warnings = 0;
}

static void (*raise_failure)(const char *text);

void ttemu_on_host_failure(void (*raise)(const char *text)) { raise_failure = raise; }

void emu_fatal(const char *format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (raise_failure && !emu.launched) raise_failure(text);
  fprintf(stderr, "error: %s\n", text);
  fflush(NULL);
  _Exit(1);
}

const char *emu_wait_name(WaitKind wait) {
  static const char *const names[NUM_WAITS] = {"working",
                                               "space in a circular buffer",
                                               "data in a circular buffer",
                                               "math",
                                               "operands",
                                               "a half of DST",
                                               "a commit",
                                               "reads",
                                               "writes",
                                               "writes to leave",
                                               "increments",
                                               "a semaphore",
                                               "a word in a mailbox",
                                               "space in a mailbox",
                                               "a semaphore of the engine",
                                               "room in a semaphore of the engine"};
  return names[wait];
}

static void waits_for_word(const Core *core, uint32_t offset, uint32_t expected) {
  uint32_t value, first = emu_semaphore_offset(0);
  memcpy(&value, core->l1 + offset, sizeof value);
  if (offset >= first && offset < first + SEMAPHORE_BYTES)
    fprintf(stderr, "waits for semaphore %u, which is %u, to be %u", (offset - first) / 16, value,
            expected);
  else
    fprintf(stderr, "waits for the word at L1 address %u, which is %u, to be %u", offset, value,
            expected);
}

/* Who could end a wait: the processors that have the matching call, and are not done. */
static void waits_for(const Core *core, const Risc *risc) {
  const CB *cb = &core->cbs[risc->wait <= WAIT_CB_DATA ? risc->wait_cb : 0];
  uint32_t held = emu_pages_held(cb);
  switch (risc->wait) {
  case WAIT_CB_SPACE:
    fprintf(stderr,
            "waits for %u free pages of circular buffer %u, which has %u of %u: for a "
            "cb_pop_front",
            risc->wait_n, risc->wait_cb, cb->pages - held, cb->pages);
    break;
  case WAIT_CB_DATA:
    fprintf(stderr, "waits for %u pages in circular buffer %u, which has %u: for a cb_push_back",
            risc->wait_n, risc->wait_cb, held);
    break;
  case WAIT_SOURCE_FREE: fprintf(stderr, "waits for math to take its operands"); break;
  case WAIT_SOURCE_FULL: fprintf(stderr, "waits for operands from unpack"); break;
  case WAIT_DST_FREE:
    fprintf(stderr, "waits for a free half of DST: for a tile_regs_release");
    break;
  case WAIT_DST_COMMIT: fprintf(stderr, "waits for a tile_regs_commit"); break;
  case WAIT_READS: fprintf(stderr, "waits for its reads"); break;
  case WAIT_WRITES: fprintf(stderr, "waits for its writes"); break;
  case WAIT_FLUSH: fprintf(stderr, "waits for its writes to leave"); break;
  case WAIT_ATOMICS: fprintf(stderr, "waits for its increments"); break;
  case NUM_WAITS:
  case WAIT_SEMAPHORE: waits_for_word(core, risc->wait_cb, risc->wait_n); break;
  case WAIT_MAILBOX:
    fprintf(stderr, "waits for a word from %s: for a mailbox_write",
            emu_role_name((int)risc->wait_cb));
    break;
  case WAIT_MAILBOX_SPACE:
    fprintf(stderr, "waits to send a word to %s, after %d that nobody has read",
            emu_role_name((int)risc->wait_cb), MAILBOX_WORDS);
    break;
  case WAIT_TOKEN:
    fprintf(stderr, "waits for semaphore %u of the engine, which is zero: for a t6_semaphore_post",
            risc->wait_cb);
    break;
  case WAIT_TOKEN_SPACE:
    fprintf(stderr,
            "waits for semaphore %u of the engine, which is at its most: for a "
            "t6_semaphore_get",
            risc->wait_cb);
    break;
  case NOT_WAITING: fprintf(stderr, "is ready"); break;
  }
}

/* Who fills or empties a circular buffer: has done so, or has reserved or waited for pages. */
static int user_of(const Core *core, uint32_t cb, bool empties) {
  int role = empties ? core->cbs[cb].popper : core->cbs[cb].pusher;
  for (int r = 0; role < 0 && r < NUM_RISCS; ++r) {
    const Risc *risc = &core->riscs[r];
    if (risc->kernel && (empties ? risc->waited[cb] : risc->reserved[cb]) > 0) role = r;
  }
  return role;
}

/* The processor of this core that could end a wait, or -1. */
static int waits_for_role(const Core *core, const Risc *risc) {
  switch (risc->wait) {
  case WAIT_CB_SPACE: return user_of(core, risc->wait_cb, true);
  case WAIT_CB_DATA: return user_of(core, risc->wait_cb, false);
  case WAIT_SOURCE_FREE:
  case WAIT_DST_COMMIT: return MATH;
  case WAIT_SOURCE_FULL: return UNPACK;
  case WAIT_DST_FREE: return PACK;
  case WAIT_MAILBOX:
  case WAIT_MAILBOX_SPACE: return (int)risc->wait_cb;
  default: return -1;
  }
}

/* From processor to processor, until one comes again, has ended, or waits for another core. */
static void print_chain(const Core *core) {
  bool seen[NUM_RISCS] = {false};
  int role = 0;
  while (role < NUM_RISCS && (!core->riscs[role].kernel || core->riscs[role].done)) ++role;
  fprintf(stderr, "  chain: ");
  for (const char *arrow = ""; role >= 0 && role < NUM_RISCS; arrow = " -> ") {
    const Risc *risc = &core->riscs[role];
    fprintf(stderr, "%s%s", arrow, emu_role_name(role));
    if (seen[role]) {
      fprintf(stderr, ", which closes it\n");
      return;
    }
    seen[role] = true;
    if (!risc->kernel || risc->done) {
      fprintf(stderr, ", which %s\n", risc->done ? "has ended" : "has no kernel");
      return;
    }
    int next = waits_for_role(core, risc);
    if (next < 0) {
      bool buffer = risc->wait == WAIT_CB_SPACE || risc->wait == WAIT_CB_DATA;
      fprintf(stderr,
              buffer ? " -> a circular buffer that nobody has %s so far\n"
                     : " -> something that another core must do\n",
              risc->wait == WAIT_CB_SPACE ? "emptied" : "filled");
    }
    role = next;
  }
}

void emu_deadlock(ttemu_program *program) {
  uint32_t cores = emu.chip->grid_x * emu.chip->grid_y, stuck = 0;
  const Core *first = NULL;
  for (uint32_t i = 0; i < cores; ++i) {
    bool any = false;
    for (int r = 0; program->cores[i] && r < NUM_RISCS; ++r)
      any |= program->cores[i]->riscs[r].kernel && !program->cores[i]->riscs[r].done;
    if (any && !first) first = program->cores[i];
    stuck += any;
  }
  fprintf(stderr,
          "error: deadlock: no processor can go on. %u core(s) are stuck; on core (%u, %u):\n",
          stuck, first->x, first->y);
  for (int r = 0; r < NUM_RISCS; ++r) {
    const Risc *risc = &first->riscs[r];
    if (!risc->kernel) continue;
    fprintf(stderr, "  %-15s ", emu_role_name(r));
    if (risc->done) {
      fprintf(stderr, "has ended\n");
      continue;
    }
    waits_for(first, risc);
    fprintf(stderr, ", at %s:%u, since %llu clk", risc->kernel->path, risc->line,
            (unsigned long long)risc->time);
    last_words(risc);
  }
  print_chain(first);
  fflush(NULL);
  _Exit(1);
}
