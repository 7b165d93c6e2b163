// RUN: tt-opt %s --tt-infer-layout --tt-propagate-layout --tt-attach-tensor-accessor --tt-layout-aware-work-partition --split-input-file --verify-diagnostics

// expected-error @below {{the kernel writes no tensor, so it has no effect}}
func.func @f(%A: memref<64x64xbf16>) attributes {tt.kernel} { return }
// -----
// expected-error @below {{mode local_shard gives each core the work of its own shards, but no tensor is in L1 shards}}
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>, %n: index) attributes {tt.kernel} {
  // expected-error @below {{the extents of the grid are no affine expressions of sizes of tensors (memref.dim), which the host program can compute}}
  scf.forall (%i) in (%n) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  // expected-error @below {{a grid has at most 3 dimensions, but this has 4}}
  scf.forall (%i, %j, %k, %l) in (2, 2, 2, 2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  scf.forall (%i) in (2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  // expected-error @below {{a kernel has one grid, but this is its second scf.forall}}
  scf.forall (%i) in (2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  // expected-error @below {{this runs outside the grid, on no particular core; move it into the scf.forall}}
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  scf.forall (%i) in (2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
// -----
// expected-error @below {{in mode local_shard the tensors in L1 shards have the same shards, but 'C' has 2x2 of 2x2 tiles and 'A' 4x1 of 1x4; change one, or remove tt.partition_mode}}
func.func @f(%A: memref<128x128xbf16> {tt.name = "A",
        tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [4, 1], shard_shape_elems = [32, 128]}}},
    %C: memref<128x128xbf16> {tt.name = "C",
        tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [64, 64]}}})
    attributes {tt.kernel, tt.partition_mode = "local_shard"} {
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
// expected-error @below {{tensor 'C': blocks divide a shard, but one shard has 1 tiles along its columns and a block 2; change one of them}}
func.func @f(%A: memref<128x128xbf16> {tt.name = "A"}, %C: memref<128x128xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 4], shard_shape_elems = [128, 32]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
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
// expected-error @below {{tensor 'C': the grid has 2 units of work along its rows, which do not go into 4 shards of 1; make the grid cover the tensor}}
func.func @f(%A: memref<128x128xbf16> {tt.name = "A"}, %C: memref<128x128xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [4, 1], shard_shape_elems = [32, 128]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %rows = arith.constant 32 : index
  %cols = arith.constant 64 : index
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %rows : index
    %n = arith.muli %bx, %cols : index
    %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<128x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<128x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x64xbf16, strided<[128, 1], offset: ?>>) outs(%c : memref<32x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
// -----
// expected-error @below {{tensor 'C' is cut into 2 shards along its columns, but no dimension of the grid runs along them, so that each unit of work needs them all; cut it the other way}}
func.func @f(%A: memref<64x64xbf16>, %C: memref<64x64xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 2], shard_shape_elems = [64, 32]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  memref.copy %A, %C : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
// -----
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>) attributes {tt.kernel} {
  // expected-error @below {{linalg.softmax is several ops in one, without a body; write it as linalg.reduce, linalg.generic and the like}}
  linalg.softmax dimension(1) ins(%A : memref<64x64xf32>) outs(%B : memref<64x64xf32>)
  return
}
// -----
func.func private @part(%B: memref<64x64xf32>)
func.func @f(%B: memref<64x64xf32>) attributes {tt.kernel} {
  // expected-error @below {{a kernel calls @part, but no function is called on a core: run --tt-inline-calls first}}
  func.call @part(%B) : (memref<64x64xf32>) -> ()
  return
}
// -----
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %i: index) attributes {tt.kernel} {
  %x = memref.load %A[%i, %i] : memref<64x64xf32>
  // expected-error @below {{memref.atomic_rmw cannot stand in a kernel: sums and extremes whose old value nobody takes are done one after the other; an old value depends on the order of threads, which cells do not have: count first where each of them begins}}
  %old = memref.atomic_rmw addf %x, %B[%i, %i] : (f32, memref<64x64xf32>) -> f32
  return
}
