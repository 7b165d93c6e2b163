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
