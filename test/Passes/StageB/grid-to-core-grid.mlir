// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --canonicalize | FileCheck %s
// RUN: tt-opt %s --tt-stage-a --tt-stage-b --canonicalize --allow-unregistered-dialect --split-input-file | FileCheck %s --check-prefix=GRIDS
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-grid-to-core-grid 2>&1 | FileCheck %s --check-prefix=MISSING

// by = tid / 8, bx = tid % 8, over the units of this core.
// CHECK-NOT: scf.forall
// CHECK: %[[START:.*]] = tt.runtime_arg "start_id"
// CHECK: %[[COUNT:.*]] = tt.runtime_arg "count"
// CHECK: scf.for %[[UNIT:.*]] = %{{.*}} to %[[COUNT]]
// CHECK: %[[TID:.*]] = arith.addi %[[START]], %[[UNIT]]
// CHECK: %[[BY:.*]] = arith.divui %[[TID]], %c8
// CHECK: %[[BX:.*]] = arith.remui %[[TID]], %c8
// CHECK: %[[M:.*]] = arith.muli %[[BY]], %c128
// CHECK: %[[N:.*]] = arith.muli %[[BX]], %c128
// CHECK: memref.subview %{{.*}}[%[[M]], %{{.*}}] [128, 32]
// CHECK-NOT: scf.forall

// MISSING: error: the kernel has no tt.work_partition: run --tt-layout-aware-work-partition first

// Three dimensions: bz = tid / (gx * gy), by = tid / gx % gy, bx = tid % gx.
// GRIDS-LABEL: func.func @three
// GRIDS: %[[TID:.*]] = arith.addi
// GRIDS: %[[BZ:.*]] = arith.divui %[[TID]], %c15
// GRIDS: %[[ROW:.*]] = arith.divui %[[TID]], %c5
// GRIDS: %[[BY:.*]] = arith.remui %[[ROW]], %c3
// GRIDS: %[[BX:.*]] = arith.remui %[[TID]], %c5
// GRIDS: "test.use"(%[[BZ]], %[[BY]], %[[BX]])
func.func @three(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  scf.forall (%z, %y, %x) in (2, 3, 5) {
    "test.use"(%z, %y, %x) : (index, index, index) -> ()
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}

// -----
// One dimension with a start and a step.
// GRIDS-LABEL: func.func @strided
// GRIDS: tt.grid = array<i64: 4, 1, 1>
// GRIDS: %[[TID:.*]] = arith.addi
// GRIDS: %[[SCALED:.*]] = arith.muli %[[TID]], %c32
// GRIDS: %[[X:.*]] = arith.addi %[[SCALED]], %c64
// GRIDS: "test.use"(%[[X]])
func.func @strided(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  scf.forall (%x) = (64) to (192) step (32) {
    "test.use"(%x) : (index) -> ()
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}

// -----
// No grid: one unit of work, no loop.
// GRIDS-LABEL: func.func @none
// GRIDS: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>]
// GRIDS-NOT: scf.for
// GRIDS: return
func.func @none(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
