// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-layout-aware-work-partition | FileCheck %s
// RUN: tt-opt %examples/gemm.mlir --tt-stage-a="grid=5x3" --tt-layout-aware-work-partition | FileCheck %s --check-prefix=UNEVEN
// RUN: tt-opt %inputs/gemm.mlir --tt-stage-a="grid=3x3" --tt-layout-aware-work-partition | FileCheck %s --check-prefix=FEW
// RUN: not tt-opt %examples/gemm.mlir --tt-layout-aware-work-partition 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: tt-opt %s --tt-stage-a --tt-layout-aware-work-partition --split-input-file | FileCheck %s --check-prefix=SHARDS

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

// A core has the units of its own shards, of which the last row may have fewer.
// SHARDS-LABEL: func.func @local
// SHARDS-SAME: tt.core_grid = array<i64: 2, 2>, tt.core_ranges = [#tt.core_range<start = [0, 0], end = [1, 1]>]
// SHARDS-SAME: tt.local_shape_tiles = array<i64: 2, 2>, tt.partition_mode = "local_shard"
// SHARDS-SAME: tt.runtime_args = ["start_id", "count", "Mt", "Kt", "Nt", "Sm", "Sn", "Gy", "Gx", "sy", "sx"], tt.shard_grid = array<i64: 2, 2>
// SHARDS-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 2>, #tt.work<core = [1, 0], start_id = 0, count = 2>, #tt.work<core = [0, 1], start_id = 0, count = 1>, #tt.work<core = [1, 1], start_id = 0, count = 1>]
func.func @local(%A: memref<96x128xbf16> {tt.name = "A"}, %C: memref<96x128xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %rows = arith.constant 32 : index
  %cols = arith.constant 64 : index
  scf.forall (%by, %bx) in (3, 2) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<96x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<96x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xbf16, strided<[128, 1], offset: ?>>) outs(%c : memref<32x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
// -----
// A row of shards longer than the worker grid goes on in its next row of cores.
// SHARDS-LABEL: func.func @line
// SHARDS-SAME: tt.core_grid = array<i64: 8, 2>, tt.core_ranges = [#tt.core_range<start = [0, 0], end = [7, 0]>, #tt.core_range<start = [0, 1], end = [1, 1]>]
func.func @line(%A: memref<320x64xbf16> {tt.name = "A"}, %C: memref<320x64xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [10, 1], shard_shape_elems = [32, 64]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %rows = arith.constant 32 : index
  %cols = arith.constant 64 : index
  scf.forall (%by, %bx) in (10, 1) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<320x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<320x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xbf16, strided<[64, 1], offset: ?>>) outs(%c : memref<32x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}
// -----
// Order match_shard: the units of each core's own shards, one core after the other.
// SHARDS-LABEL: func.func @match
// SHARDS-SAME: tt.core_grid = array<i64: 1, 2>
// SHARDS-SAME: tt.partition_mode = "global"
// SHARDS-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 4>, #tt.work<core = [0, 1], start_id = 4, count = 4>]
func.func @match(%A: memref<128x128xbf16> {tt.name = "A"}, %C: memref<128x128xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 1], shard_shape_elems = [64, 128], order = "match_shard"}}}) attributes {tt.kernel} {
  %rows = arith.constant 32 : index
  %cols = arith.constant 64 : index
  scf.forall (%by, %bx) in (4, 2) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<128x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<128x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xbf16, strided<[128, 1], offset: ?>>) outs(%c : memref<32x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
// -----
// Extents that depend on sizes of tensors: the host program splits the work.
// SHARDS: #[[MAP:.*]] = affine_map<(d0) -> (d0 ceildiv 32, 1, 1)>
// SHARDS: func.func @dynamic
// SHARDS-SAME: tt.grid = array<i64: 0, 1, 1>, tt.grid_map = #[[MAP]], tt.grid_symbols = ["A_d0"]
// SHARDS-SAME: tt.work_partition = []
// SHARDS: tt.runtime_arg "A_d0"
func.func @dynamic(%A: memref<?x32xbf16> {tt.name = "A"}, %C: memref<?x32xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %rows = memref.dim %A, %c0 : memref<?x32xbf16>
  %n = arith.ceildivui %rows, %c32 : index
  scf.forall (%i) in (%n) {
    %m = arith.muli %i, %c32 : index
    %a = memref.subview %A[%m, 0] [32, 32] [1, 1] : memref<?x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    %c = memref.subview %C[%m, 0] [32, 32] [1, 1] : memref<?x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%c : memref<32x32xbf16, strided<[32, 1], offset: ?>>)
  }
  return
}
