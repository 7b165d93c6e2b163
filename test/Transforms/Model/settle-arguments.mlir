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

// Elements that a body loads are those of the shape in which others see the argument.
// CHECK-LABEL: func.func @loaded(%arg0: memref<40x32xf32>
// CHECK-NOT: collapse_shape
// CHECK: memref.load %arg0[%{{.*}}, %{{.*}}] : memref<40x32xf32>
func.func @loaded(%x: memref<1x40x32xf32>, %y: memref<40x32xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c39 = arith.constant 39 : index
  %0 = memref.collapse_shape %x [[0, 1], [2]] : memref<1x40x32xf32> into memref<40x32xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : memref<40x32xf32>) outs(%y : memref<40x32xf32>) {
    ^bb0(%a: f32, %old: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %r = arith.subi %c39, %i : index
      %b = memref.load %x[%c0, %r, %j] : memref<1x40x32xf32>
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
  }
  return
}
