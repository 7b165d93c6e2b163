// RUN: tt-opt %s --tt-step-outer-dims | FileCheck %s

// A sum in steps inside of loops that add to one block is one in a buffer around all of them: what
// fills the block fills that.
// CHECK-LABEL: func.func @window
// CHECK: %[[OUT:.*]] = memref.subview %arg2
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<32x32xi32
// CHECK: linalg.fill {{.*}} outs(%[[SUM]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[SUM]]
// CHECK: memref.copy %[[SUM]], %[[OUT]]
func.func @window(%X: memref<1x3x34x32xi32>, %W: memref<3x3x32x32xi32>, %Y: memref<1x1x32x32xi32>)
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  scf.forall (%b) in (1) {
    linalg.fill ins(%c0 : i32) outs(%Y : memref<1x1x32x32xi32>)
    linalg.conv_2d_nhwc_hwcf ins(%X, %W : memref<1x3x34x32xi32>, memref<3x3x32x32xi32>)
      outs(%Y : memref<1x1x32x32xi32>)
  }
  return
}

// What a step of the loop reads in between is there then.
// CHECK-LABEL: func.func @between
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<32x32xi32
// CHECK: memref.copy %arg2, %[[SUM]]
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[SUM]]
// CHECK: memref.copy %[[SUM]], %arg2
// CHECK: memref.copy %arg2, %arg3
func.func @between(%A: memref<32x32xi32>, %B: memref<32x32xi32>, %Y: memref<32x32xi32>,
    %Z: memref<32x32xi32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    scf.for %k = %c0 to %c4 step %c1 {
      linalg.matmul ins(%A, %B : memref<32x32xi32>, memref<32x32xi32>)
        outs(%Y : memref<32x32xi32>)
      memref.copy %Y, %Z : memref<32x32xi32> to memref<32x32xi32>
    }
  }
  return
}
