// RUN: tt-opt %s --tt-raise-gathers | FileCheck %s

// A row that starts behind the loop's; where the column depends on the list, elements; an op that computes stays.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: memref<100x64xf32>, %[[S:.*]]: memref<8xi32>, %{{.*}}, %[[O:.*]]: index
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8
// CHECK: memref.load %[[S]][%[[I]]]
// CHECK: memref.subview %[[A]][%{{.*}}, %[[O]]] [1, 16] [1, 1]
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c16
// CHECK: memref.subview %[[A]][%[[J]], %{{.*}}] [1, 1] [1, 1]
// CHECK: linalg.generic
// CHECK: memref.load
// CHECK: arith.addf
func.func @f(%A: memref<100x64xf32>, %S: memref<8xi32>, %C: memref<8x16xf32>, %o: index) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]} ins(%S : memref<8xi32>) outs(%C : memref<8x16xf32>) {
    ^bb0(%id: i32, %old: f32):
      %r = arith.index_cast %id : i32 to index
      %j = linalg.index 1 : index
      %k = arith.addi %j, %o : index
      %x = memref.load %A[%r, %k] : memref<100x64xf32>
      linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]} ins(%S : memref<8xi32>) outs(%C : memref<8x16xf32>) {
    ^bb0(%id: i32, %old: f32):
      %r = arith.index_cast %id : i32 to index
      %j = linalg.index 1 : index
      %x = memref.load %A[%j, %r] : memref<100x64xf32>
      linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]} ins(%S : memref<8xi32>) outs(%C : memref<8x16xf32>) {
    ^bb0(%id: i32, %old: f32):
      %r = arith.index_cast %id : i32 to index
      %j = linalg.index 1 : index
      %x = memref.load %A[%r, %j] : memref<100x64xf32>
      %y = arith.addf %x, %old : f32
      linalg.yield %y : f32
  }
  return
}

// As many rows as the view has.
// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[N]]
// CHECK: memref.copy
func.func @open(%A: memref<100x64xf32>, %S: memref<8xi32>, %C: memref<2x8x64xf32>, %n: index) attributes {tt.kernel} {
  %s = memref.subview %S[0] [%n] [1] : memref<8xi32> to memref<?xi32, strided<[1]>>
  %c = memref.subview %C[1, 0, 0] [1, %n, 64] [1, 1, 1] : memref<2x8x64xf32> to memref<?x64xf32, strided<[64, 1], offset: 512>>
  linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]} ins(%s : memref<?xi32, strided<[1]>>) outs(%c : memref<?x64xf32, strided<[64, 1], offset: 512>>) {
    ^bb0(%id: i32, %old: f32):
      %r = arith.index_cast %id : i32 to index
      %j = linalg.index 1 : index
      %x = memref.load %A[%r, %j] : memref<100x64xf32>
      linalg.yield %x : f32
  }
  return
}

// A sum by affine.apply or affine.linearize_index is a row that begins there.
// CHECK-LABEL: func.func @groups
// CHECK: scf.for %[[G:.*]] = %{{.*}} to %c8
// CHECK: scf.for
// CHECK: %[[AT:.*]] = affine.linearize_index disjoint [%[[G]], %c0{{.*}}] by (8, 4)
// CHECK: memref.subview %{{.*}}[%{{.*}}, %[[AT]]] [1, 4]
// CHECK: memref.subview %{{.*}} [1, 1, 4]
// CHECK: memref.copy
func.func @groups(%x: memref<64x32xf32>, %y: memref<8x64x4xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(g, r, c) -> (g, r, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%y : memref<8x64x4xf32>) {
  ^bb0(%old: f32):
    %g = linalg.index 0 : index
    %r = linalg.index 1 : index
    %c = linalg.index 2 : index
    %at = affine.linearize_index disjoint [%g, %c] by (8, 4) : index
    %v = memref.load %x[%r, %at] : memref<64x32xf32>
    linalg.yield %v : f32
  }
  return
}

// CHECK-LABEL: func.func @applied
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%c0{{.*}})[%{{.*}}]
// CHECK: memref.subview %{{.*}}[%{{.*}}, %[[AT]]] [1, 4]
func.func @applied(%x: memref<64x32xf32>, %y: memref<8x64x4xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(g, r, c) -> (g, r, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%y : memref<8x64x4xf32>) {
  ^bb0(%old: f32):
    %g = linalg.index 0 : index
    %r = linalg.index 1 : index
    %c = linalg.index 2 : index
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 4)>(%c)[%g]
    %v = memref.load %x[%r, %at] : memref<64x32xf32>
    linalg.yield %v : f32
  }
  return
}

// Steps of two, and a remainder, are no row: an element at a time.
// CHECK-LABEL: func.func @steps
// CHECK: memref.subview %{{.*}} [1, 1]
// CHECK: memref.subview %{{.*}} [1, 1]
// CHECK: memref.copy
// CHECK: memref.subview %{{.*}} [1, 1]
// CHECK: memref.subview %{{.*}} [1, 1]
// CHECK: memref.copy
func.func @steps(%x: memref<64x32xf32>, %y: memref<64x16xf32>, %z: memref<64x16xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]} outs(%y : memref<64x16xf32>) {
  ^bb0(%old: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%c)
    %v = memref.load %x[%r, %at] : memref<64x32xf32>
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]} outs(%z : memref<64x16xf32>) {
  ^bb0(%old: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%c)
    %v = memref.load %x[%r, %at] : memref<64x32xf32>
    linalg.yield %v : f32
  }
  return
}

// Windows of a row, side by side: where one starts is another loop.
// CHECK-LABEL: func.func @windows
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: memref.subview %arg0[%[[I]]] [5] [1]
// CHECK: memref.subview %arg1[%[[I]], %{{.*}}] [1, 5]
// CHECK: memref.copy
func.func @windows(%x: memref<36xf32>, %y: memref<32x5xf32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]} outs(%y : memref<32x5xf32>) {
  ^bb0(%old: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %at = arith.addi %c, %r : index
    %v = memref.load %x[%at] : memref<36xf32>
    linalg.yield %v : f32
  }
  return
}
