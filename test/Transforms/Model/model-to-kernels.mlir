// RUN: tt-opt --tt-model-to-kernels %s | FileCheck %s
// RUN: tt-opt --tt-model-to-kernels --tt-split-grids %s | FileCheck %s --check-prefix=SPLIT
// CHECK-LABEL: func.func @one_0(%arg0: memref<64x32xf32>) attributes {tt.kernel}
// CHECK-LABEL: func.func @one(%arg0: memref<64x32xf32>) attributes {tt.host}
// CHECK-NEXT: call @one_0(%arg0)
// CHECK-LABEL: func.func @two
// CHECK-SAME: attributes {tt.kernel}
// SPLIT: func.func @two_0
// SPLIT: func.func @two_1
// SPLIT: func.func @two(
// SPLIT-SAME: attributes {tt.host}
func.func @one(%x: memref<64x32xf32>) attributes {tt.model} {
  scf.forall (%i) in (2) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %v = memref.subview %x[%r, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.exp ins(%v : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%v : memref<32x32xf32, strided<[32, 1], offset: ?>>)
  }
  return
}
func.func @two(%x: memref<64x32xf32>) attributes {tt.model} {
  scf.forall (%i) in (1) {
    linalg.exp ins(%x : memref<64x32xf32>) outs(%x : memref<64x32xf32>)
  }
  scf.forall (%i) in (1) {
    linalg.exp ins(%x : memref<64x32xf32>) outs(%x : memref<64x32xf32>)
  }
  return
}
