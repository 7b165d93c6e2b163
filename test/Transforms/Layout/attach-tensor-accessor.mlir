// RUN: tt-opt %examples/gemm.mlir --tt-stage-a | FileCheck %s
// RUN: tt-opt %examples/height_shards.mlir --tt-stage-a | FileCheck %s --check-prefix=SHARDED
// RUN: not tt-opt %examples/gemm.mlir --tt-infer-layout --tt-attach-tensor-accessor 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>
// CHECK-SAME: tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>
// CHECK-SAME: tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>

// MISSING: error: tensor 'A' has no tt.cb.A: run --tt-propagate-layout first

// That of a sharded tensor has the shards' geometry.
// SHARDED: tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = sharded, nd_shard = <axes = ["M", "N"], grid = [8, 1], shard_shape_elems = [32, 256], order = row_major, align_tiles = true, projected_grid = [8, 1], projected_shard_tiles = [1, 8]>>
// SHARDED-SAME: tt.tensor_accessor.B = {{.*}} stride_mode = tiled>
