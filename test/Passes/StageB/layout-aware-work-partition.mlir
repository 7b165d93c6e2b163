// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-layout-aware-work-partition | FileCheck %s
// RUN: tt-opt %examples/gemm.mlir --tt-stage-a="grid=5x3" --tt-layout-aware-work-partition | FileCheck %s --check-prefix=UNEVEN
// RUN: tt-opt %inputs/gemm.mlir --tt-stage-a="grid=3x3" --tt-layout-aware-work-partition | FileCheck %s --check-prefix=FEW
// RUN: not tt-opt %examples/gemm.mlir --tt-layout-aware-work-partition 2>&1 | FileCheck %s --check-prefix=MISSING

// As many cells as cores: one each. Kt comes from the contraction.
// CHECK: tt.core_grid = array<i64: 8, 8>
// CHECK-SAME: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [7, 7]>]
// CHECK-SAME: tt.grid = array<i64: 8, 8, 1>, tt.grid_tiles = array<i64: 32, 32>
// CHECK-SAME: tt.kt = 8 : i64
// CHECK-SAME: tt.partition_mode = "global", tt.runtime_args = ["start_id", "count", "Mt", "Kt", "Nt"]
// CHECK-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>
// CHECK: scf.forall

// 64 cells on 15 cores: the first four get five, the others four.
// UNEVEN: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 5>
// UNEVEN-SAME: #tt.work<core = [3, 0], start_id = 15, count = 5>, #tt.work<core = [4, 0], start_id = 20, count = 4>
// UNEVEN-SAME: #tt.work<core = [4, 2], start_id = 60, count = 4>]

// 4 cells on 9 cores: cores without work are left out, in two rectangles.
// FEW: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [2, 0]>, #tt.core_range<start = [0, 1], end = [0, 1]>]

// MISSING: error: tensor 'A' has no tt.buffer.A: run --tt-infer-layout first
