/* The run function of each pass, as the table in passes.c names them. */
#ifndef TILEWRIGHT_PASSES_DECL_H
#define TILEWRIGHT_PASSES_DECL_H

#include "tilewright/passes.h"

#define TT_DECLARE_PASS(name) bool tt_run_##name(MlirOperation module, const TtPassOptions *options)

TT_DECLARE_PASS(infer_layout);
TT_DECLARE_PASS(propagate_layout);
TT_DECLARE_PASS(attach_tensor_accessor);
TT_DECLARE_PASS(layout_aware_work_partition);
TT_DECLARE_PASS(grid_to_core_grid);
TT_DECLARE_PASS(lower_shared_to_cb);
TT_DECLARE_PASS(lower_tile_intrinsics);
TT_DECLARE_PASS(build_tile_dfg);
TT_DECLARE_PASS(split_device_kernel);
TT_DECLARE_PASS(configure_tensor_accessor);
TT_DECLARE_PASS(lower_cb_intrinsics);
TT_DECLARE_PASS(insert_compute_init);
TT_DECLARE_PASS(insert_dst_management);
TT_DECLARE_PASS(finalize_persistent_signature);
TT_DECLARE_PASS(verify_ir);

#endif
