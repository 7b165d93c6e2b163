/*===- passes.c - all passes and pipelines, in the order in which they run -----===*/

#include "tilewright/passes.h"

#include "Passes/passes_decl.h"
#include "tilewright/ir.h"

#include <stdio.h>
#include <string.h>

#define NO_OPTIONS {{0}}
#define TARGET_OPTIONS                                                                             \
  {{"arch", "chip: wormhole_b0 or blackhole"},                                                     \
   {"grid", "worker grid, x by y: 8x8"},                                                           \
   {"metalium-api", "era of the API, for what its headers limit: the newest"}}
#define VERIFY_OPTIONS                                                                             \
  {{"strict", "errors for what the hardware forgives: true or false"},                             \
   {"exhaustive", "run every round of every loop: true or false"}}

#define SCHEDULE_OPTIONS                                                                           \
  {{"schedule", "file of the schedule: that of the module"},                                       \
   {"fuse", "what the planner makes one kernel: all (what pays), none, or the clk of a launch"},   \
   {"pick", "which of its plans for each kernel, as 0,3,1: the best, 0"},                          \
   {"write", "file into which it writes the schedule, too"},                                       \
   {"optimize", "the optimizations that its kernels are compiled with: all"},                      \
   {"stream",                                                                                      \
    "attention in one kernel over blocks of keys: auto, where that is faster; all; none"}}

#define SHARE_OPTIONS {{"when", "needed, where they do not fit else; or always"}}

#define FOLLOWING_OPTIONS {{"optimize", "the optimizations that follow: all"}}

#define ROW(flag, id, stage, summary, run, optimizes, ...)                                         \
  {flag, id, stage, summary, run, __VA_ARGS__, optimizes},
#define PASS(name, flag, id, stage, summary, options)                                              \
  ROW(flag, id, stage, summary, tt_run_##name, false, options)
#define OPTIMIZATION(name, flag, stage, summary)                                                   \
  ROW(flag, "", stage, summary, tt_run_##name, true, NO_OPTIONS)

const TtPass tt_passes[] = {
#include "Passes/passes.def"
};
const size_t tt_num_passes = sizeof tt_passes / sizeof *tt_passes;

/* From tensors to kernels; where upstream has a pass that is right, it is taken. */
static const char model_text[] =
    "tt-inline-calls,tt-set-aside,tt-fold-numbers,tt-check-model,symbol-dce,tt-name-ops,tt-"
    "decompose-ops,"
    "func.func(tosa-optional-decompositions,tosa-to-linalg-named,tosa-to-linalg),tt-equal-dims,"
    "func.func(tosa-to-tensor,"
    "tosa-to-arith{include-apply-rescale=true "
    "use-32-bit=true},convert-elementwise-to-linalg,canonicalize,cse,"
    "linalg-generalize-named-ops),tt-resolve-sizes,tt-take-zero-points,tt-split-choices,tt-narrow-"
    "integers,tt-split-"
    "loads,tt-free-"
    "outputs,tt-drop-unit-"
    "dims,func.func("
    "canonicalize,cse),"
    "tt-order-dims,tt-fold-moves,tt-expand-batches,tt-resolve-sizes,func.func(canonicalize,cse),tt-"
    "split-concats,tt-"
    "fold-moves,"
    "tt-open-windows,tt-join-rows,tt-name-contractions,tt-fuse-maps,tt-store-flags,func.func("
    "canonicalize,cse),"
    "tt-part-products,tt-fill-pads,tt-copy-results,tt-drop-unit-dims,tt-name-contractions,tt-widen-"
    "numbers,"
    "tt-free-outputs,tt-stream-softmax{%s},"
    "tt-plan-model{%s},tt-schedule-model{%s},"
    "tt-"
    "slice-reshapes,tt-drop-unit-dims,"
    "func.func(canonicalize,cse),tt-copy-cut-parts,tt-free-outputs,tt-keep-arguments,tt-keep-"
    "blocks,eliminate-empty-tensors,"
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{hoist-static-allocs modify-public-functions "
    "add-result-attr},"
    "func.func(fold-memref-alias-ops,canonicalize,cse),"
    "tt-write-results,tt-write-parts,tt-settle-arguments,tt-sink-buffers,tt-join-grids,func.func("
    "cse),"
    "tt-check-grids,"
    "tt-name-kernels,tt-outline-grids,tt-model-to-kernels,tt-split-grids,tt-place-tensors,tt-put-"
    "back";

/* The stages are plain unless one asks for more. */
const TtPipeline tt_pipelines[] = {
    {"tt-stage-a", "Stage A: metadata", "A", false, "none", NULL},
    {"tt-stage-b", "Stage B: partitioning", "B", false, "none", NULL},
    {"tt-stage-c", "Stage C: protocol-free lowering", "C", false, "none", NULL},
    {"tt-stage-d", "Stage D: late split and protocol", "D", false, "none", NULL},
    {"tt-stage-e", "Stage E: finalization", "E", false, "none", NULL},
    {"tt-pipeline", "All stages, and --tt-verify-ir", "ABCDE", true, "all", NULL},
    {"tt-model", "Functions on tensors to kernels and host functions", "", false, "", model_text},
};
const size_t tt_num_pipelines = sizeof tt_pipelines / sizeof *tt_pipelines;

/*===- The option `optimize` ------------------------------------------------------------------===*/

static const char *const key = "optimize=", *const prefix = "tt-";

static MlirStringRef name_of(const TtPass *pass) { return tt_str(pass->flag + strlen(prefix)); }

/* The next name of a list; the rest goes to `*list`. */
static MlirStringRef next_name(const char **list) {
  size_t n = strcspn(*list, ", ");
  MlirStringRef name = {*list, n};
  *list += n;
  if (**list == ',') ++*list;
  return name;
}

/* Whether `list`, which ends with a space or at its end, names the optimization. */
static bool asks_for(const char *list, const TtPass *pass) {
  while (*list && *list != ' ') {
    MlirStringRef name = next_name(&list);
    if (tt_str_eq(name, "all") || mlirStringRefEqual(name, name_of(pass))) return true;
  }
  return false;
}

/* The first name in `list` that is no optimization; empty where all are. */
static MlirStringRef unknown_name(const char *list) {
  bool alone = true;
  for (const char *p = list; *p && *p != ' ';) {
    MlirStringRef name = next_name(&p);
    bool word =
        alone && (*p == '\0' || *p == ' ') && (tt_str_eq(name, "all") || tt_str_eq(name, "none"));
    for (size_t i = 0; !word && i < tt_num_passes; ++i)
      word = tt_passes[i].optimizes && mlirStringRefEqual(name, name_of(&tt_passes[i]));
    if (!word) return name;
    alone = false;
  }
  return tt_str("");
}

int tt_optimizes(const char *list, const char *flag) {
  if (!*list) return true;
  if (unknown_name(list).length > 0) return -1;
  for (size_t i = 0; i < tt_num_passes; ++i)
    if (strcmp(tt_passes[i].flag, flag) == 0) return asks_for(list, &tt_passes[i]);
  return false;
}

static int refuse(MlirStringRef name, char *text, size_t size) {
  const char *names[64] = {"all", "none"}, *near;
  size_t n = 2;
  for (size_t i = 0; i < tt_num_passes && n < sizeof names / sizeof *names; ++i)
    if (tt_passes[i].optimizes) names[n++] = name_of(&tt_passes[i]).data;
  near = tt_suggest(name, names, n);
  snprintf(text, size,
           "optimize=%.*s: expected none, all, or names of optimizations with commas "
           "between%s%s%s (--help lists them)",
           (int)name.length, name.data, near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "");
  return -1;
}

/* What else a pipeline is given goes to the passes that take a target. */
static bool names_target(const TtPass *pass) {
  return pass->options[0].name && strcmp(pass->options[0].name, "arch") == 0;
}

/* What follows a pass decides what it does. */
static bool takes_list(const TtPass *pass) {
  return pass->options[0].name && strcmp(pass->options[0].name, "optimize") == 0;
}

/*===- Pipelines ------------------------------------------------------------------------------===*/

int tt_pipeline_text(const TtPipeline *pipeline, const char *options, char *text, size_t size) {
  const char *list = pipeline->optimize, *given = strstr(options, key), *rest = "";
  int n = 0, before = (int)strlen(options);
  if (pipeline->text) {
    for (const char *from = pipeline->text, *at; from; from = at ? at + 2 : NULL) {
      at = strstr(from, "%s");
      size_t room = (size_t)n < size ? size - (size_t)n : 0;
      n += snprintf(room ? text + n : NULL, room, "%.*s%s",
                    at ? (int)(at - from) : (int)strlen(from), from, at ? options : "");
    }
    return n;
  }
  if (given) {
    list = given + strlen(key);
    before = (int)(given - options);
    rest = list + strcspn(list, " ");
    if (before == 0) rest += strspn(rest, " ");
    MlirStringRef unknown = unknown_name(list);
    if (unknown.length > 0 || !*list || *list == ' ') return refuse(unknown, text, size);
  }
  while (before > 0 && options[before - 1] == ' ' && !*rest) --before;
  for (size_t i = 0; i < tt_num_passes; ++i) {
    const TtPass *pass = &tt_passes[i];
    if (pass->stage ? !strchr(pipeline->stages, pass->stage) : !pipeline->verify) continue;
    if (pass->optimizes && !asks_for(list, pass)) continue;
    size_t room = (size_t)n < size ? size - (size_t)n : 0;
    char *at = room ? text + n : NULL;
    const char *comma = n ? "," : "";
    if (!pass->stage) /* strict with what this compiler makes */
      n += snprintf(at, room, "%s%s{strict=true}", comma, pass->flag);
    else if (names_target(pass) && (before > 0 || *rest))
      n += snprintf(at, room, "%s%s{%.*s%s}", comma, pass->flag, before, options, rest);
    else if (takes_list(pass))
      n += snprintf(at, room, "%s%s{optimize=%.*s}", comma, pass->flag, (int)strcspn(list, " "),
                    list);
    else n += snprintf(at, room, "%s%s", comma, pass->flag);
  }
  return n;
}
