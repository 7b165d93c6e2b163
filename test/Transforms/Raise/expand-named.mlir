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
