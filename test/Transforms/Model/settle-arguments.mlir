// RUN: tt-opt --tt-settle-arguments %s | FileCheck %s
// CHECK-LABEL: func.func @f(%arg0: memref<512xf32>, %arg1: memref<1x64x32xf32>)
// CHECK-NOT: collapse_shape %arg0
// What is seen in its own shape, too, keeps it.
// CHECK: memref.collapse_shape %arg1
func.func @f(%b: memref<1x1x512xf32>, %x: memref<1x64x32xf32>) attributes {tt.model} {
  %0 = memref.collapse_shape %b [[0, 1, 2]] : memref<1x1x512xf32> into memref<512xf32>
  %1 = memref.collapse_shape %x [[0, 1], [2]] : memref<1x64x32xf32> into memref<64x32xf32>
  linalg.exp ins(%0 : memref<512xf32>) outs(%0 : memref<512xf32>)
  linalg.exp ins(%1 : memref<64x32xf32>) outs(%1 : memref<64x32xf32>)
  linalg.exp ins(%x : memref<1x64x32xf32>) outs(%x : memref<1x64x32xf32>)
  return
}
