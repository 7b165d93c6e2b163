/*===- passes.c - all passes and pipelines, in the order in which they run -----===*/

#include "tilewright/passes.h"

#include "passes_decl.h"

#include <stdio.h>
#include <string.h>

#define TARGET_OPTIONS                                                                       \
  {{"arch", "chip: wormhole_b0 or blackhole"}, {"grid", "worker grid, x by y: 8x8"}}

const TtPass tt_passes[] = {
    {"tt-infer-layout", "A1", 'A', "Infer and check the layout of every tensor argument",
     tt_run_infer_layout, TARGET_OPTIONS},
    {"tt-propagate-layout", "A2", 'A', "Derive circular buffer geometry from tensor layouts",
     tt_run_propagate_layout, {{0}}},
    {"tt-attach-tensor-accessor", "A3", 'A', "Attach an abstract accessor to every tensor",
     tt_run_attach_tensor_accessor, {{0}}},
    {"tt-layout-aware-work-partition", "B1", 'B', "Give every core its units of work",
     tt_run_layout_aware_work_partition, {{0}}},
    {"tt-grid-to-core-grid", "B2", 'B', "Turn the grid into a persistent loop of each core",
     tt_run_grid_to_core_grid, {{0}}},
    {"tt-lower-shared-to-cb", "C1", 'C', "Turn shared buffers into circular buffers",
     tt_run_lower_shared_to_cb, {{0}}},
    {"tt-lower-tile-intrinsics", "C2", 'C', "Turn structured ops into tile intrinsics",
     tt_run_lower_tile_intrinsics, {{0}}},
    {"tt-build-tile-dfg", "C3", 'C', "Build the tile dataflow graph", tt_run_build_tile_dfg, {{0}}},
    {"tt-split-device-kernel", "D1", 'D', "Split a kernel into reader, compute and writer",
     tt_run_split_device_kernel, {{0}}},
    {"tt-configure-tensor-accessor", "D2", 'D', "Bind tensor accessors to runtime arguments",
     tt_run_configure_tensor_accessor, {{0}}},
    {"tt-lower-cb-intrinsics", "D3", 'D', "Insert the NoC and circular buffer protocol",
     tt_run_lower_cb_intrinsics, {{0}}},
    {"tt-insert-compute-init", "D4", 'D', "Insert compute engine initialization",
     tt_run_insert_compute_init, {{0}}},
    {"tt-insert-dst-management", "D5", 'D', "Insert the lifecycle of the DST registers",
     tt_run_insert_dst_management, {{0}}},
    {"tt-finalize-persistent-signature", "E1", 'E', "Fix runtime arguments and check metadata",
     tt_run_finalize_persistent_signature, {{0}}},
    {"tt-verify-ir", "", 0, "Check metadata, limits and protocol of what the stages left",
     tt_run_verify_ir, {{"strict", "errors for what the hardware forgives: true or false"},
                        {"exhaustive", "run every round of every loop: true or false"}}},
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
