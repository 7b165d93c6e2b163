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
func.func @three(%A: memref<32x32xbf16>, %B: memref<2x96x160xbf16>) attributes {tt.kernel} {
  scf.forall (%z, %y, %x) in (2, 3, 5) {
    "test.use"(%z, %y, %x) : (index, index, index) -> ()
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%y)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%x)
    %b = memref.subview %B[%z, %m, %n] [1, 32, 32] [1, 1, 1] : memref<2x96x160xbf16> to memref<32x32xbf16, strided<[160, 1], offset: ?>>
    memref.copy %A, %b : memref<32x32xbf16> to memref<32x32xbf16, strided<[160, 1], offset: ?>>
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
func.func @strided(%A: memref<32x32xbf16>, %B: memref<192x32xbf16>) attributes {tt.kernel} {
  scf.forall (%x) = (64) to (192) step (32) {
    "test.use"(%x) : (index) -> ()
    %b = memref.subview %B[%x, 0] [32, 32] [1, 1] : memref<192x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    memref.copy %A, %b : memref<32x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
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

// -----
// Units of a core's shard: m = sy * Sm + unit / Sn, n = sx * Sn + unit % Sn; the shards divide the
// columns (2 units each), and leave a rest of the rows.
// GRIDS-LABEL: func.func @local
// GRIDS-DAG: %[[COUNT:.*]] = tt.runtime_arg "count"
// GRIDS-DAG: %[[SX:.*]] = tt.runtime_arg "sx"
// GRIDS-DAG: %[[SY:.*]] = tt.runtime_arg "sy"
// GRIDS: scf.for %[[UNIT:.*]] = %c0{{.*}} to %[[COUNT]]
// GRIDS-DAG: %[[TOP:.*]] = arith.muli %[[SY]], %c2
// GRIDS-DAG: %[[LEFT:.*]] = arith.muli %[[SX]], %c2
// GRIDS-DAG: %[[ROW:.*]] = arith.divui %[[UNIT]], %c2
// GRIDS-DAG: %[[COL:.*]] = arith.remui %[[UNIT]], %c2
// GRIDS-DAG: arith.addi %[[TOP]], %[[ROW]] {tt.var = "by"}
// GRIDS-DAG: arith.addi %[[LEFT]], %[[COL]] {tt.var = "bx"}
func.func @local(%A: memref<96x256xbf16> {tt.name = "A"}, %C: memref<96x256xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [64, 128]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %rows = arith.constant 32 : index
  %cols = arith.constant 64 : index
  scf.forall (%by, %bx) in (3, 4) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<96x256xbf16> to memref<32x64xbf16, strided<[256, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<96x256xbf16> to memref<32x64xbf16, strided<[256, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xbf16, strided<[256, 1], offset: ?>>) outs(%c : memref<32x64xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}

// -----
// Squares of two by two units, of which the last ones are narrower.
// GRIDS-LABEL: func.func @squares
// GRIDS: %[[TID:.*]] = arith.addi
// GRIDS: %[[BAND:.*]] = arith.divui %[[TID]], %c6
// GRIDS: %[[IN:.*]] = arith.remui %[[TID]], %c6
// GRIDS: %[[ACROSS:.*]] = arith.divui %[[IN]], %c4
// GRIDS: arith.minui
func.func @squares(%A: memref<128x192xbf16> {tt.name = "A"}, %C: memref<128x192xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 1], shard_shape_elems = [128, 192], order = "block_linear"}}}) attributes {tt.kernel} {
  %rows = arith.constant 32 : index
  %cols = arith.constant 64 : index
  scf.forall (%by, %bx) in (4, 3) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<128x192xbf16> to memref<32x64xbf16, strided<[192, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<128x192xbf16> to memref<32x64xbf16, strided<[192, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xbf16, strided<[192, 1], offset: ?>>) outs(%c : memref<32x64xbf16, strided<[192, 1], offset: ?>>)
  }
  return
}

// -----
// A grid that is known when the kernel runs: gx is an argument.
// GRIDS-LABEL: func.func @dynamic
// GRIDS: %[[GX:.*]] = tt.runtime_arg "gx"
// GRIDS: %[[TID:.*]] = arith.addi
// GRIDS-DAG: arith.divui %[[TID]], %[[GX]] {tt.var = "by"}
// GRIDS-DAG: arith.remui %[[TID]], %[[GX]] {tt.var = "bx"}
func.func @dynamic(%A: memref<?x?xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = memref.dim %A, %c0 : memref<?x?xbf16>
  %x = memref.dim %A, %c1 : memref<?x?xbf16>
  scf.forall (%i, %j) in (%y, %x) {
    "test.use"(%i, %j) : (index, index) -> ()
    memref.copy %B, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
