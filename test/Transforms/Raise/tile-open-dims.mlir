// RUN: tt-opt %s --tt-tile-open-dims --split-input-file | FileCheck %s
// RUN: tt-opt %s --tt-tile-open-dims --tt-tile-open-dims --split-input-file | FileCheck %s

// A sum over columns, the number of which a run knows, goes block by block; the last block has what is left.
// CHECK-LABEL: func.func @sum
// CHECK: %[[N:.*]] = memref.dim %[[A:.*]], %
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[N]] step %{{.*}} {
// CHECK: %[[REST:.*]] = arith.subi %[[N]], %[[J]]
// CHECK: %[[SIZE:.*]] = arith.minui %[[REST]], %c128
// CHECK: %[[PART:.*]] = memref.subview %[[A]][%{{.*}}, %[[J]]] [32, %[[SIZE]]] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[PART]] : {{.*}}) outs(%{{.*}} : memref<32xf32>) {
func.func @sum(%A: memref<64x?xf32>, %Y: memref<64xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<64x?xf32>
  scf.forall (%i) = (0) to (64) step (32) {
    %s = memref.alloc() : memref<32xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
    %a = memref.subview %A[%i, 0] [32, %n] [1, 1] : memref<64x?xf32> to memref<32x?xf32, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<32x?xf32, strided<[?, 1], offset: ?>>) outs(%s : memref<32xf32>) {
    ^bb0(%x: f32, %o: f32):
      %t = arith.addf %o, %x : f32
      linalg.yield %t : f32
    }
    %y = memref.subview %Y[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    memref.copy %s, %y : memref<32xf32> to memref<32xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// What a body takes for the index of the loop is the place in the row, not in the block.
// CHECK-LABEL: func.func @places
// CHECK: scf.for %[[J:.*]] =
// CHECK: linalg.generic
// CHECK: %[[IN:.*]] = linalg.index 1
// CHECK: %[[AT:.*]] = arith.addi %[[IN]], %[[J]]
// CHECK: arith.index_cast %[[AT]]
func.func @places(%Y: memref<64x?xi32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %Y, %c1 : memref<64x?xi32>
  scf.forall (%i) = (0) to (64) step (32) {
    %y = memref.subview %Y[%i, 0] [32, %n] [1, 1] : memref<64x?xi32> to memref<32x?xi32, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<32x?xi32, strided<[?, 1], offset: ?>>) {
    ^bb0(%o: i32):
      %j = linalg.index 1 : index
      %t = arith.index_cast %j : index to i32
      linalg.yield %t : i32
    }
  }
  return
}

// -----

// A size with a constant bound fits a buffer, and stays; so does one of a buffer of the core.
// CHECK-LABEL: func.func @bounded
// CHECK-NOT: scf.for %
// CHECK: return
func.func @bounded(%A: memref<64x?xf32>, %Y: memref<64x?xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<64x?xf32>
  scf.forall (%i, %j) = (0, 0) to (64, %n) step (32, 32) {
    %w = affine.min affine_map<(d0)[s0] -> (32, s0 - d0)>(%j)[%n]
    %a = memref.subview %A[%i, %j] [32, %w] [1, 1] : memref<64x?xf32> to memref<32x?xf32, strided<[?, 1], offset: ?>>
    %y = memref.subview %Y[%i, %j] [32, %w] [1, 1] : memref<64x?xf32> to memref<32x?xf32, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<32x?xf32, strided<[?, 1], offset: ?>>) outs(%y : memref<32x?xf32, strided<[?, 1], offset: ?>>) {
    ^bb0(%x: f32, %o: f32):
      %t = arith.addf %x, %x : f32
      linalg.yield %t : f32
    }
    %b = memref.alloc(%n) : memref<32x?xf32>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%b : memref<32x?xf32>) {
    ^bb0(%o: f32):
      linalg.yield %o : f32
    }
  }
  return
}

// -----

// Ops that go on with one block go along its open sizes together, and sum what is open within.
// CHECK-LABEL: func.func @together
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[SUM:.*]] = memref.alloc({{.*}}) : memref<?x?xf32, #gpu.address_space<private>>
// CHECK: linalg.fill {{.*}} outs(%[[SUM]] :
// CHECK: scf.for
// CHECK: linalg.matmul {{.*}} outs(%[[SUM]] :
// CHECK: }
// CHECK: linalg.tanh ins(%[[SUM]] : {{.*}}) outs(%[[SUM]] :
// CHECK-NEXT: %[[PART:.*]] = memref.subview
// CHECK-NEXT: memref.copy %[[SUM]], %[[PART]]
func.func @together(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %Y: memref<?x?xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<?x?xf32>)
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%Y : memref<?x?xf32>)
  linalg.tanh ins(%Y : memref<?x?xf32>) outs(%Y : memref<?x?xf32>)
  return
}

// -----

// Blocks of two tensors whose ops take each other's are gone along together, too.
// CHECK-LABEL: func.func @of_two
// CHECK: scf.for
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: linalg.exp {{.*}} outs(%[[Y]] :
// CHECK: linalg.exp ins(%[[Y]] : {{.*}} outs(%[[Z:[^ ]*]] :
// CHECK: linalg.add ins(%[[Y]], %[[Z]] : {{.*}} outs(%[[Y]] :
// CHECK: memref.copy %[[Z]]
// CHECK: memref.copy %[[Y]]
func.func @of_two(%A: memref<?x64xf32>, %Z: memref<?x64xf32>, %Y: memref<?x64xf32>) attributes {tt.kernel} {
  linalg.exp ins(%A : memref<?x64xf32>) outs(%Y : memref<?x64xf32>)
  linalg.exp ins(%Y : memref<?x64xf32>) outs(%Z : memref<?x64xf32>)
  linalg.add ins(%Y, %Z : memref<?x64xf32>, memref<?x64xf32>) outs(%Y : memref<?x64xf32>)
  return
}

// -----

// Not where one takes the other turned: an element needs others than those of its place.
// CHECK-LABEL: func.func @turned
// CHECK: linalg.exp
// CHECK: }
// CHECK: linalg.generic
// CHECK: }
// CHECK: linalg.add
func.func @turned(%A: memref<?x?xf32>, %Z: memref<?x?xf32>, %Y: memref<?x?xf32>) attributes {tt.kernel} {
  linalg.exp ins(%A : memref<?x?xf32>) outs(%Y : memref<?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%Y : memref<?x?xf32>) outs(%Z : memref<?x?xf32>) {
    ^bb0(%y: f32, %z: f32):
      linalg.yield %y : f32
  }
  linalg.add ins(%Y, %Z : memref<?x?xf32>, memref<?x?xf32>) outs(%Y : memref<?x?xf32>)
  return
}

// -----

// Sums of two tensors, which may be of other sizes, in turn and in one loop: each for itself; one in a branch.
// CHECK-LABEL: func.func @apart
// CHECK: scf.for {{.*}} step %c128
// CHECK: linalg.fill {{.*}} outs(%[[Y:.*]] : memref<?x
// CHECK-NEXT: scf.for
// CHECK-NOT: }
// CHECK: linalg.add ins(%{{.*}}, %[[Y]] :
// CHECK-NEXT: }
// CHECK: memref.copy %[[Y]],
// CHECK: scf.for {{.*}} step %c128
// CHECK: linalg.fill {{.*}} outs(%[[Z:.*]] : memref<?x
// CHECK-NEXT: scf.for
// CHECK: scf.if
// CHECK: linalg.add ins(%{{.*}}, %[[Z]] :
// CHECK: }
// CHECK: memref.copy %[[Z]],
func.func @apart(%R: memref<?x?x32xf32>, %S: memref<?x?x32xf32>, %Y: memref<?x32xf32>, %Z: memref<?x32xf32>, %c: i1) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %R, %c0 : memref<?x?x32xf32>
  %m = memref.dim %R, %c1 : memref<?x?x32xf32>
  %l = memref.dim %S, %c1 : memref<?x?x32xf32>
  linalg.fill ins(%zero : f32) outs(%Y : memref<?x32xf32>)
  linalg.fill ins(%zero : f32) outs(%Z : memref<?x32xf32>)
  scf.for %k = %c0 to %n step %c1 {
    %r = memref.subview %R[%k, 0, 0] [1, %m, 32] [1, 1, 1] : memref<?x?x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
    linalg.add ins(%r, %Y : memref<?x32xf32, strided<[32, 1], offset: ?>>, memref<?x32xf32>) outs(%Y : memref<?x32xf32>)
    scf.if %c {
      %s = memref.subview %S[%k, 0, 0] [1, %l, 32] [1, 1, 1] : memref<?x?x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%s, %Z : memref<?x32xf32, strided<[32, 1], offset: ?>>, memref<?x32xf32>) outs(%Z : memref<?x32xf32>)
    }
  }
  return
}
