// RUN: tt-opt --tt-split-grids %s | FileCheck %s
// A constant of a kernel is a tensor that its host function loads, seen in the kernel's shape.
// CHECK: func.func @f_0(%arg0: memref<64x32xf32>, %arg1: memref<32xf32> {tt.name = "weight1"}) attributes {tt.kernel}
// CHECK-NOT: get_global
// CHECK: memref.subview %arg1
// CHECK: func.func @f(%arg0: memref<64x32xf32>) attributes {tt.host}
// CHECK: %[[G:.*]] = memref.get_global @w : memref<1x32xf32>
// CHECK: %[[V:.*]] = memref.collapse_shape %[[G]]
// CHECK: call @f_0(%arg0, %[[V]])
memref.global "private" constant @w : memref<1x32xf32> = dense<2.0>
func.func @f(%x: memref<64x32xf32>) attributes {tt.kernel} {
  %g = memref.get_global @w : memref<1x32xf32>
  %w = memref.collapse_shape %g [[0, 1]] : memref<1x32xf32> into memref<32xf32>
  scf.forall (%i) in (2) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %v = memref.subview %x[%r, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %u = memref.subview %w[0] [32] [1] : memref<32xf32> to memref<32xf32, strided<[1]>>
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%u : memref<32xf32, strided<[1]>>) outs(%v : memref<32x32xf32, strided<[32, 1], offset: ?>>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
    }
  }
  return
}
