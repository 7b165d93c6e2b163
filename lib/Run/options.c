/*===- options.c - command line of tt-run ------------------------------------------------===*/

#include "Run/options.h"
#include "Target/chips.h"
#include "Target/eras.h"

#include <stdlib.h>
#include <string.h>

typedef enum Kind { FLAG, TEXT, PAIR, NUMBER } Kind;

static const struct {
  const char *name;
  Kind kind;
  const char *value, *help;
} table[] = {
    {"input", PAIR, "A=a.npy",
     "a tensor's values (float32, int32, int64 or uint8); random without it, and with ~0.05 of "
     "that "
     "deviation; A may be a pattern, as w_*"},
    {"output", PAIR, "C=c.npy", "where a result goes"},
    {"shape", PAIR, "C=100x70",
     "sizes of a tensor whose type leaves them open and no input has them"},
    {"seed", NUMBER, "N", "seed of random inputs and of the order of NoC transfers"},
    {"check", FLAG, "", "compare with MLIR's JIT of the same kernel (level 1)"},
    {"against", TEXT, "f64|bf16",
     "of a model: --check, and say how far results are from an evaluation in f64, or from "
     "one "
     "that rounds every op to bf16"},
    {"arch", TEXT, "NAME", tt_chip_help},
    {"grid", TEXT, "XxY", "worker grid to compile for"},
    {"optimize", TEXT, "LIST", "none, all, or names of optimizations with commas between"},
    {"schedule", TEXT, "FILE.mlir",
     "of a model: this schedule in place of the planner's (tt-opt --tt-plan-model writes one)"},
    {"tune", TEXT, "FILE.mlir",
     "of a model: try other plans on the emulated device, write the best schedule, and run it"},
    {"tune-seconds", NUMBER, "N", "how long to try; 60"},
    {"metalium-api", TEXT, "ERA", tt_era_help},
    {"math", TEXT, "MODE", "exact (default): round as the chip does; fast: f32 sums"},
    {"explain", FLAG, "", "say what the kernel asks of the chip, and what limits it"},
    {"strict", FLAG, "", "warnings of the emulated device are errors"},
    {"no-races", FLAG, "", "do not look for races on the emulated device; runs faster"},
    {"unverified", FLAG, "", "run programs that --tt-verify-ir rejects, too"},
    {"trace", TEXT, "FILE.json",
     "write what every processor did, for Perfetto or chrome://tracing"},
    {"report", TEXT, "FILE.html", "write a page with timeline, circular buffers and figures"},
    {"threads", NUMBER, "N", "host threads for the arithmetic; the results do not depend on it"},
    {"max-events", NUMBER, "N", "stop a run that goes on for longer than this"},
    {"keep", TEXT, "DIR", "keep the emitted files in this folder"},
    {"help", FLAG, "", "this text"},
    {"version", FLAG, "", "the version"},
};
enum { N = sizeof table / sizeof *table };

void tt_run_options_help(FILE *file) {
  fprintf(file,
          "tt-run: compiles a kernel, emits it as Metalium C++ and runs exactly those files on "
          "an emulated device;\nor compiles and runs a host program written by hand\n\n"
          "usage: tt-run kernel.mlir [options]\n"
          "       tt-run kernel.py [ENTRY] [NAME=VALUE...] [options]\n"
          "       tt-run [options] main.cpp [arguments of the program]\n\n");
  for (int i = 0; i < N; ++i) {
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", table[i].name, *table[i].value ? " " : "",
             table[i].value);
    fprintf(file, "  %-24s %s\n", left, table[i].help);
  }
}

static bool unknown(MlirStringRef name) {
  const char *names[N];
  for (int i = 0; i < N; ++i) names[i] = table[i].name;
  const char *near = tt_suggest(name, names, N);
  fprintf(stderr, "error: unknown option '--%.*s'%s%s%s (see tt-run --help)\n", (int)name.length,
          name.data, near ? "; did you mean '--" : "", near ? near : "", near ? "'?" : "");
  return false;
}

static bool add_pair(TtArena *arena, const char *option, const char *text, TtPair *pairs, int *n) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1]) {
    fprintf(stderr, "error: --%s takes NAME=%s, but this is '%s'\n", option,
            strcmp(option, "shape") == 0 ? "SIZES" : "FILE", text);
    return false;
  }
  pairs[(*n)++] =
      (TtPair){tt_arena_str(arena, (MlirStringRef){text, (size_t)(equals - text)}), equals + 1};
  return true;
}

static bool set(TtArena *arena, const char *name, Kind kind, const char *value, TtRunOptions *o) {
  char *end;
  if (strcmp(name, "input") == 0) return add_pair(arena, name, value, o->inputs, &o->num_inputs);
  if (strcmp(name, "output") == 0) return add_pair(arena, name, value, o->outputs, &o->num_outputs);
  if (strcmp(name, "shape") == 0) return add_pair(arena, name, value, o->shapes, &o->num_shapes);
  if (strcmp(name, "check") == 0) o->check = true;
  else if (strcmp(name, "explain") == 0) o->explain = true;
  else if (strcmp(name, "strict") == 0) o->strict = true;
  else if (strcmp(name, "no-races") == 0) o->no_races = true;
  else if (strcmp(name, "unverified") == 0) o->unverified = true;
  else if (strcmp(name, "help") == 0) o->help = true;
  else if (strcmp(name, "version") == 0) o->version = true;
  else if (strcmp(name, "arch") == 0) o->arch = value;
  else if (strcmp(name, "grid") == 0) o->grid = value;
  else if (strcmp(name, "optimize") == 0) o->optimize = value;
  else if (strcmp(name, "schedule") == 0) o->schedule = value;
  else if (strcmp(name, "tune") == 0) o->tune = value;
  else if (strcmp(name, "keep") == 0) o->keep = value;
  else if (strcmp(name, "trace") == 0) o->trace = value;
  else if (strcmp(name, "report") == 0) o->report = value;
  else if (kind == NUMBER) {
    uint64_t number = strtoull(value, &end, 10);
    if (*end || !*value || *value == '-') {
      fprintf(stderr, "error: --%s takes a number, but this is '%s'\n", name, value);
      return false;
    }
    if (strcmp(name, "seed") == 0) o->seed = number;
    else if (strcmp(name, "tune-seconds") == 0) o->tune_seconds = number;
    else if (strcmp(name, "threads") == 0) o->threads = number ? number : 1;
    else o->max_events = number;
  } else if (strcmp(name, "metalium-api") == 0) {
    if (tt_api_parse(value, &o->api)) return true;
    fprintf(stderr, "error: unknown API era '%s': --metalium-api takes %s\n", value,
            tt_era_names());
    return false;
  } else if (strcmp(name, "against") == 0) {
    bool wide = strcmp(value, "f64") == 0;
    o->check = true;
    o->against |= wide ? TT_PRECISION_F64 : TT_PRECISION_BF16;
    if (wide || strcmp(value, "bf16") == 0) return true;
    fprintf(stderr, "error: --against takes f64 or bf16, but this is '%s'\n", value);
    return false;
  } else if (strcmp(name, "math") == 0) {
    o->fast = strcmp(value, "fast") == 0;
    if (o->fast || strcmp(value, "exact") == 0) return true;
    fprintf(stderr, "error: --math takes exact or fast, but this is '%s'\n", value);
    return false;
  }
  return true;
}

int tt_run_option_values(const char *word) {
  if (strchr(word, '=')) return 0;
  for (int t = 0; t < N; ++t)
    if (strcmp(word + 2, table[t].name) == 0) return table[t].kind != FLAG;
  return 0;
}

static bool is_cpp(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".cpp") == 0 || strcmp(dot, ".cc") == 0 || strcmp(dot, ".cxx") == 0);
}

bool tt_run_options_parse(TtArena *arena, int argc, char **argv, TtRunOptions *o) {
  *o = (TtRunOptions){.seed = 1, .api = TT_API_NEWEST, .tune_seconds = 60};
  o->inputs = tt_arena_alloc(arena, (size_t)argc * sizeof *o->inputs);
  o->outputs = tt_arena_alloc(arena, (size_t)argc * sizeof *o->outputs);
  o->shapes = tt_arena_alloc(arena, (size_t)argc * sizeof *o->shapes);
  for (int i = 1; i < argc; ++i) {
    const char *arg = argv[i];
    if (strncmp(arg, "--", 2) != 0) {
      if (o->kernel) {
        fprintf(stderr, "error: one kernel at a time: '%s' and '%s'\n", o->kernel, arg);
        return false;
      }
      o->kernel = arg;
      o->is_host = is_cpp(arg);
      o->host_args = argv + i; /* its place is the program's */
      if (o->is_host) return true;
      continue;
    }
    const char *equals = strchr(arg, '=');
    MlirStringRef name = {arg + 2, equals ? (size_t)(equals - arg - 2) : strlen(arg + 2)};
    int t = 0;
    while (t < N && !tt_str_eq(name, table[t].name)) ++t;
    if (t == N) return unknown(name);
    const char *value = equals ? equals + 1 : NULL;
    if (table[t].kind == FLAG) value = "";
    else if (!value && i + 1 < argc) value = argv[++i];
    if (!value) {
      fprintf(stderr, "error: --%s needs a value: --%s %s\n", table[t].name, table[t].name,
              table[t].value);
      return false;
    }
    if (!set(arena, table[t].name, table[t].kind, value, o)) return false;
  }
  if (o->kernel || o->help || o->version) return true;
  fprintf(stderr, "error: no kernel; usage: tt-run kernel.mlir [options] (see tt-run --help)\n");
  return false;
}
