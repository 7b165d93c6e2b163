// RUN: tt-opt %s --tt-expand-named | FileCheck %s

// CHECK-LABEL: func.func @softmax
// CHECK-DAG: %[[E:.*]] = memref.alloc() : memref<4x8xf32, #gpu.address_space<private>>
// CHECK-DAG: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: linalg.fill ins(%[[LOW]] : f32) outs(%[[M:.*]] : memref<8xf32
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%arg0 {{.*}} outs(%[[M]]
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[M]] {{.*}} outs(%[[E]]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%[[E]] {{.*}} outs(%[[S:.*]] : memref<8xf32
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins(%[[E]], %[[S]] {{.*}} outs(%arg1
// CHECK: arith.divf
// CHECK: arith.truncf
func.func @softmax(%X: memref<4x8xbf16>, %Y: memref<4x8xbf16>) attributes {tt.kernel} {
  linalg.softmax dimension(0) ins(%X : memref<4x8xbf16>) outs(%Y : memref<4x8xbf16>)
  return
}

// CHECK-LABEL: func.func @left_alone
// CHECK: linalg.softmax
func.func @left_alone(%X: memref<4x8xbf16>, %Y: memref<4x8xbf16>) {
  linalg.softmax dimension(0) ins(%X : memref<4x8xbf16>) outs(%Y : memref<4x8xbf16>)
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK: linalg.softmax
func.func @dynamic(%X: memref<?x8xbf16>, %Y: memref<?x8xbf16>) attributes {tt.kernel} {
  linalg.softmax dimension(0) ins(%X : memref<?x8xbf16>) outs(%Y : memref<?x8xbf16>)
  return
}

// A largest element and where it is: a loop over elements carries both.
// CHECK-LABEL: func.func @joint
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c4
// CHECK: %[[A:.*]] = memref.load %arg1[%[[I]]]
// CHECK: %[[B:.*]] = memref.load %arg2[%[[I]]]
// CHECK: %[[R:.*]]:2 = scf.for %[[J:.*]] = %{{.*}} to %c8{{.*}} iter_args(%[[M:.*]] = %[[A]], %{{.*}} = %[[B]])
// CHECK: %[[X:.*]] = memref.load %arg0[%[[I]], %[[J]]]
// CHECK: arith.index_cast %[[J]]
// CHECK: arith.cmpf ogt, %[[X]], %[[M]]
// CHECK: memref.store %[[R]]#0, %arg1[%[[I]]]
// CHECK: memref.store %[[R]]#1, %arg2[%[[I]]]
func.func @joint(%X: memref<4x8xf32>, %W: memref<4xf32>, %P: memref<4xi32>) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<4x8xf32>) outs(%W, %P : memref<4xf32>, memref<4xi32>) {
  ^bb0(%x: f32, %m: f32, %at: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %g = arith.cmpf ogt, %x, %m : f32
    %nm = arith.select %g, %x, %m : f32
    %na = arith.select %g, %ji, %at : i32
    linalg.yield %nm, %na : f32, i32
  }
  return
}
