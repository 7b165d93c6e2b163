/*===- passes.c - all passes and pipelines, in the order in which they run -----===*/

#include "tilewright/passes.h"

#include "Passes/passes_decl.h"

#include <stdio.h>
#include <string.h>

#define NO_OPTIONS {{0}}
#define TARGET_OPTIONS                                                                             \
  {{"arch", "chip: wormhole_b0 or blackhole"}, {"grid", "worker grid, x by y: 8x8"}}
#define VERIFY_OPTIONS                                                                             \
  {{"strict", "errors for what the hardware forgives: true or false"},                             \
   {"exhaustive", "run every round of every loop: true or false"}}

#define ROW(flag, id, stage, summary, run, ...) {flag, id, stage, summary, run, __VA_ARGS__},
#define PASS(name, flag, id, stage, summary, options)                                              \
  ROW(flag, id, stage, summary, tt_run_##name, options)

const TtPass tt_passes[] = {
#include "Passes/passes.def"
};
const size_t tt_num_passes = sizeof tt_passes / sizeof *tt_passes;

const TtPipeline tt_pipelines[] = {
    {"tt-stage-a", "Stage A: metadata", "A", false},
    {"tt-stage-b", "Stage B: partitioning", "B", false},
    {"tt-stage-c", "Stage C: protocol-free lowering", "C", false},
    {"tt-stage-d", "Stage D: late split and protocol", "D", false},
    {"tt-stage-e", "Stage E: finalization", "E", false},
    {"tt-pipeline", "All stages, and --tt-verify-ir", "ABCDE", true},
};
const size_t tt_num_pipelines = sizeof tt_pipelines / sizeof *tt_pipelines;

int tt_pipeline_text(const TtPipeline *pipeline, const char *options, char *text, size_t size) {
  int n = 0;
  for (size_t i = 0; i < tt_num_passes; ++i) {
    const TtPass *pass = &tt_passes[i];
    if (pass->stage ? !strchr(pipeline->stages, pass->stage) : !pipeline->verify) continue;
    size_t room = (size_t)n < size ? size - (size_t)n : 0;
    const char *given = pass->stage ? options : "strict=true"; /* of what this compiler makes */
    bool takes = pass->options[0].name && *given;
    n += snprintf(room ? text + n : NULL, room, "%s%s%s%s%s", n ? "," : "", pass->flag,
                  takes ? "{" : "", takes ? given : "", takes ? "}" : "");
  }
  return n;
}
