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
