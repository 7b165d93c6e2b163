// RUN: tt-opt %examples/gemm.mlir --tt-stage-a | FileCheck %s
// RUN: not tt-opt %examples/gemm.mlir --tt-infer-layout --tt-attach-tensor-accessor 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>
// CHECK-SAME: tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>
// CHECK-SAME: tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>

// MISSING: error: tensor 'A' has no tt.cb.A: run --tt-propagate-layout first
