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

// What is there already stays, and must fit the tensor.
// RUN: sed 's/{tt.kernel}/{tt.kernel, tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 5, data_format = float16>}/' %examples/elem_add.mlir | tt-opt --tt-infer-layout --tt-propagate-layout | FileCheck %s --check-prefix=STAYS
// RUN: sed 's/{tt.kernel}/{tt.kernel, tt.cb.A = #tt.cb<cb_id = 0, page_size = 4096, depth = 5, data_format = float32>}/' %examples/elem_add.mlir | not tt-opt --tt-infer-layout --tt-propagate-layout 2>&1 | FileCheck %s --check-prefix=FORMAT
// STAYS: tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 5, data_format = float16>
// FORMAT: error: tt.cb.A has data_format = float32, but the tensor is stored as float16; remove tt.cb.A, or let them agree

// On level 2 the circular buffer says its depth.
// RUN: tt-opt %inputs/wide.mlir --tt-infer-layout --tt-propagate-layout | FileCheck %s --check-prefix=DEPTH
// DEPTH: tt.cb.A = #tt.cb<cb_id = 0, page_size = 4096, depth = 3, data_format = float32>
// DEPTH-SAME: tt.cb.C = #tt.cb<cb_id = 16, page_size = 4096, depth = 2,

// RUN: sed 's/{tt.kernel}/{tt.kernel, tt.cb.A = #tt.cb<cb_id = 0, page_size = 4096, depth = 4, data_format = float32>}/' %inputs/wide.mlir | not tt-opt --tt-infer-layout --tt-propagate-layout 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: holds 3 blocks of 'A', but tt.cb.A has depth = 4; remove tt.cb.A, or let them agree

// MISSING: gemm.mlir:6:1: error: tensor 'A' has no tt.buffer.A: run --tt-infer-layout first
