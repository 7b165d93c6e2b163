// RUN: tt-opt %examples/gemm.mlir --tt-infer-layout --tt-propagate-layout | FileCheck %s
// RUN: tt-opt %examples/elem_add.mlir --tt-infer-layout --tt-propagate-layout | FileCheck %s --check-prefix=F16
// RUN: not tt-opt %examples/gemm.mlir --tt-propagate-layout 2>&1 | FileCheck %s --check-prefix=MISSING

// A page is a tile; inputs from 0, outputs from 16; the depth is tt.num_stages of
// the loop that reads the tensor, else 2.
// CHECK: tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 3, data_format = bfloat16>
// CHECK-SAME: tt.cb.B = #tt.cb<cb_id = 1, page_size = 2048, depth = 3, data_format = bfloat16>
// CHECK-SAME: tt.cb.C = #tt.cb<cb_id = 16, page_size = 2048, depth = 2, data_format = bfloat16>

// F16: tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = float16>
// F16-SAME: tt.cb.C = #tt.cb<cb_id = 16,

// MISSING: gemm.mlir:6:1: error: tensor 'A' has no tt.buffer.A: run --tt-infer-layout first
