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

// What adds to a block that a tensor holds, without a sum of its own, does so in a buffer; not
// where something else works on the tensor.
// CHECK-LABEL: func.func @onto
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<32x32xi32
// CHECK: memref.copy %arg1, %[[SUM]]
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[SUM]]
// CHECK: memref.copy %[[SUM]], %arg1
// CHECK-LABEL: func.func @beside
// CHECK-NOT: memref.alloc
func.func @onto(%X: memref<128x32xi32>, %Y: memref<32x32xi32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.for %k = %c0 to %c128 step %c32 {
    %x = memref.subview %X[%k, 0] [32, 32] [1, 1]
      : memref<128x32xi32> to memref<32x32xi32, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x32xi32, strided<[32, 1], offset: ?>>) outs(%Y : memref<32x32xi32>) {
    ^bb0(%a: i32, %o: i32):
      %s = arith.addi %a, %o : i32
      linalg.yield %s : i32
    }
  }
  return
}
func.func @beside(%X: memref<128x32xi32>, %Y: memref<32x32xi32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.for %k = %c0 to %c128 step %c32 {
    %x = memref.subview %X[%k, 0] [32, 32] [1, 1]
      : memref<128x32xi32> to memref<32x32xi32, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x32xi32, strided<[32, 1], offset: ?>>) outs(%Y : memref<32x32xi32>) {
    ^bb0(%a: i32, %o: i32):
      %s = arith.addi %a, %o : i32
      linalg.yield %s : i32
    }
    memref.copy %Y, %Y : memref<32x32xi32> to memref<32x32xi32>
  }
  return
}
