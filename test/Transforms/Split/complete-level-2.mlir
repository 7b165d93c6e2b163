// RUN: tt-opt %examples/gemm_monolithic.mlir --tt-stage-a --tt-complete-level-2 | FileCheck %s
// RUN: tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c -o %t.c.mlir
// RUN: tt-opt %t.c.mlir --tt-complete-level-2 | diff %t.c.mlir -
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-complete-level-2 2>&1 | FileCheck %s --check-prefix=L1
// RUN: not tt-opt %examples/gemm_monolithic.mlir --tt-complete-level-2 2>&1 | FileCheck %s --check-prefix=NOA

// What stages B and C would have left; what stage C has left stays as it is.
// CHECK: tt.grid = array<i64: 1, 1, 1>
// CHECK-SAME: tt.tile_dfg = #tt.tile_dfg
// CHECK-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>]

// L1: error: scf.forall is not lowered to tile intrinsics: run --tt-stage-b and --tt-stage-c first
// NOA: error: tensor 'A' has no tt.tensor_accessor.A: run --tt-stage-a (--tt-attach-tensor-accessor) first
