// Channels that are no whole number of tiles: blocks of the last of them are smaller, also where a core keeps blocks of more than two
// dimensions (a depthwise convolution with strides), and where rows of a patch embedding are joined.
// RUN: split-file %s %t
// RUN: tt-run %t/depthwise.mlir --strict --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/depthwise.mlir --strict --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: tt-run %t/patches.mlir --strict --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/patches.mlir --strict --check 2>&1 | FileCheck %s %}
// RUN: tt-opt --tt-step-outer-dims %t/collapsed.mlir | FileCheck %s --check-prefix=COLLAPSED
// CHECK: relative RMS {{.*}}: ok

//--- depthwise.mlir
#map6 = affine_map<(d0) -> (d0 * 32)>
#map7 = affine_map<(d0) -> (d0 * -32 + 72, 32)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map14 = affine_map<(d0, d1, d2) -> (d0)>
func.func @depthwise(%arg0: memref<72xf32>, %arg1: memref<5x5x7x7x72xf32> {tt.name = "between0"}, %arg2: memref<5x5x72xf32>, %arg3: memref<7x7x72xf32> {tt.name = "between1"}, %arg4: memref<72xf32> {tt.name = "between2"}) attributes {tt.kernel} {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  scf.forall (%arg5) in (3) {
    %0 = affine.apply #map6(%arg5)
    %1 = affine.min #map7(%arg5)
    %subview = memref.subview %arg0[%0] [%1] [1] : memref<72xf32> to memref<?xf32, strided<[1], offset: ?>>
    %alloc = memref.alloc(%1) {alignment = 64 : i64} : memref<7x7x?xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<7x7x?xf32>)
    scf.for %arg6 = %c0 to %c5 step %c1 {
      %subview_3 = memref.subview %arg1[%arg6, 0, 0, 0, %0] [1, 5, 7, 7, %1] [1, 1, 1, 1, 1] : memref<5x5x7x7x72xf32> to memref<5x7x7x?xf32, strided<[3528, 504, 72, 1], offset: ?>>
      %subview_4 = memref.subview %arg2[%arg6, 0, %0] [1, 5, %1] [1, 1, 1] : memref<5x5x72xf32> to memref<5x?xf32, strided<[72, 1], offset: ?>>
      linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%subview_3, %subview_4 : memref<5x7x7x?xf32, strided<[3528, 504, 72, 1], offset: ?>>, memref<5x?xf32, strided<[72, 1], offset: ?>>) outs(%alloc : memref<7x7x?xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %2 = arith.mulf %in, %in_5 : f32
        %3 = arith.addf %out, %2 : f32
        linalg.yield %3 : f32
      }
    }
    %subview_0 = memref.subview %arg3[0, 0, %0] [7, 7, %1] [1, 1, 1] : memref<7x7x72xf32> to memref<7x7x?xf32, strided<[504, 72, 1], offset: ?>>
    %alloc_1 = memref.alloc(%1) {alignment = 64 : i64} : memref<7x7x?xf32>
    linalg.generic {indexing_maps = [#map11, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%subview, %alloc : memref<?xf32, strided<[1], offset: ?>>, memref<7x7x?xf32>) outs(%alloc_1 : memref<7x7x?xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %2 = arith.addf %in, %in_3 : f32
      linalg.yield %2 : f32
    }
    linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_1 : memref<7x7x?xf32>) outs(%subview_0 : memref<7x7x?xf32, strided<[504, 72, 1], offset: ?>>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %subview_2 = memref.subview %arg4[%0] [%1] [1] : memref<72xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.fill ins(%cst : f32) outs(%subview_2 : memref<?xf32, strided<[1], offset: ?>>)
    linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_1 : memref<7x7x?xf32>) outs(%subview_2 : memref<?xf32, strided<[1], offset: ?>>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    }
  }
  return
}

//--- patches.mlir
func.func @p(%x: tensor<1x16x16x2xbf16>, %w: tensor<33x8x8x2xbf16>, %b: tensor<33xf32>, %c: tensor<1x2x33xf32>) -> (tensor<1x6x33xf32>, tensor<1x4x33xf32>) attributes {tt.model} {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 8, 8>, dilation = array<i64: 1, 1>} : (tensor<1x16x16x2xbf16>, tensor<33x8x8x2xbf16>, tensor<33xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x2x2x33xf32>
  %s = "tosa.const_shape"() <{values = dense<[1, 4, 33]> : tensor<3xindex>}> : () -> !tosa.shape<3>
  %f = tosa.reshape %r, %s : (tensor<1x2x2x33xf32>, !tosa.shape<3>) -> tensor<1x4x33xf32>
  %t = tosa.tanh %f : (tensor<1x4x33xf32>) -> tensor<1x4x33xf32>
  %k = tosa.concat %f, %c {axis = 1 : i32} : (tensor<1x4x33xf32>, tensor<1x2x33xf32>) -> tensor<1x6x33xf32>
  return %k, %t : tensor<1x6x33xf32>, tensor<1x4x33xf32>
}

// COLLAPSED: %[[B:.*]] = memref.subview %{{.*}}[0, 0, %{{.*}}] [2, 2, %{{.*}}] {{.*}} to memref<2x2x?xf32
// COLLAPSED: memref.collapse_shape %[[B]] {{\[\[}}0, 1], [2]]
//--- collapsed.mlir
#map8 = affine_map<(d0) -> (d0 * 32)>
#map9 = affine_map<(d0) -> (d0 * -32 + 33, 32)>
func.func @p_3(%arg0: memref<6x33xf32> {tt.name = "result0"}, %arg1: memref<2x2x33xf32> {tt.name = "between0"}) attributes {tt.kernel} {
  %collapse_shape = memref.collapse_shape %arg1 [[0, 1], [2]] : memref<2x2x33xf32> into memref<4x33xf32>
  scf.forall (%arg2) in (2) {
    %0 = affine.apply #map8(%arg2)
    %1 = affine.min #map9(%arg2)
    %subview = memref.subview %collapse_shape[0, %0] [4, %1] [1, 1] : memref<4x33xf32> to memref<4x?xf32, strided<[33, 1], offset: ?>>
    %subview_0 = memref.subview %arg0[0, %0] [4, %1] [1, 1] : memref<6x33xf32> to memref<4x?xf32, strided<[33, 1], offset: ?>>
    memref.copy %subview, %subview_0 : memref<4x?xf32, strided<[33, 1], offset: ?>> to memref<4x?xf32, strided<[33, 1], offset: ?>>
  }
  return
}
