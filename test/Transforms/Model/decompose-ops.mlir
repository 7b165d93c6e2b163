// RUN: tt-opt --tt-decompose-ops %s | FileCheck %s

// CHECK-LABEL: func.func @softmax(
// The largest of a row starts from minus infinity.
// CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[LOW]] : f32)
// CHECK: linalg.generic {{.*}} outs(%[[FILL]] :
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%x: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @packed(
// CHECK: tensor.pad %arg0 low[0, 0] high[0, 16]
// CHECK: tensor.expand_shape {{.*}} output_shape [3, 32, 3, 32]
// CHECK: linalg.transpose {{.*}} permutation = [2, 0, 1, 3]
// CHECK: linalg.transpose {{.*}} permutation = [1, 2, 0, 3]
// CHECK: tensor.collapse_shape
// CHECK: tensor.extract_slice {{.*}}[0, 0] [96, 80] [1, 1]
func.func @packed(%w: tensor<96x80xf32>) -> tensor<96x80xf32> attributes {tt.model} {
  %z = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<3x3x32x32xf32>
  %q = linalg.pack %w padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %f
      : tensor<96x80xf32> -> tensor<3x3x32x32xf32>
  %h = tensor.empty() : tensor<96x80xf32>
  %u = linalg.unpack %q outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %h
      : tensor<3x3x32x32xf32> -> tensor<96x80xf32>
  return %u : tensor<96x80xf32>
}

// CHECK-LABEL: func.func @other(
// CHECK: linalg.softmax
func.func @other(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// Each pixel of the result is the nearest one: three times as many rows, twice as many columns.
// CHECK-LABEL: func.func @repeated
// CHECK-NOT: tosa.resize
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<2x3x5x40xf32>) outs(%{{.*}} : tensor<2x3x3x5x2x40xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4], [5]] : tensor<2x3x3x5x2x40xf32> into tensor<2x9x10x40xf32>
func.func @repeated(%x: tensor<2x3x5x40xf32>) -> tensor<2x9x10x40xf32> attributes {tt.model} {
  %s = tosa.const_shape {values = dense<[6, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %m = tosa.const_shape {values = dense<[-2, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %o = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.resize %x, %s, %m, %o {mode = NEAREST_NEIGHBOR} : (tensor<2x3x5x40xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x9x10x40xf32>
  return %1 : tensor<2x9x10x40xf32>
}

// New pixels lie between those that there are, a quarter away from one: products with constants.
// CHECK-LABEL: func.func @blended
// CHECK: %[[R:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00], [7.500000e-01, 2.500000e-01], [2.500000e-01, 7.500000e-01], [0.000000e+00, 1.000000e+00]]> : tensor<4x2xf32>
// CHECK: linalg.generic {{.*}} ["parallel", "parallel", "parallel", "reduction"]} ins(%[[R]], %{{.*}} : tensor<4x2xf32>, tensor<1x2x96xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x3xf32>, tensor<4x3x32xf32>)
// CHECK: tosa.cast %{{.*}} : (tensor<1x4x6x32xf32>) -> tensor<1x4x6x32xbf16>
func.func @blended(%x: tensor<1x2x3x32xbf16>) -> tensor<1x4x6x32xbf16> attributes {tt.model} {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %m = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %o = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.resize %x, %s, %m, %o {mode = BILINEAR} : (tensor<1x2x3x32xbf16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x6x32xbf16>
  return %1 : tensor<1x4x6x32xbf16>
}

// Parts are put into an empty tensor, and reshapes go over one dimension.
// CHECK-LABEL: func.func @parts
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8x64xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %arg0 into %[[E]][0, 0] [8, 24] [1, 1]
// CHECK: %[[B:.*]] = tensor.insert_slice %arg1 into %[[A]][0, 24] [8, 40] [1, 1]
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1]] : tensor<8x64xf32> into tensor<512xf32>
// CHECK: tensor.expand_shape %[[F]] {{\[}}[0, 1]] output_shape [16, 32]
func.func @parts(%x: tensor<8x24xf32>, %y: tensor<8x40xf32>) -> tensor<16x32xf32> attributes {tt.model} {
  %s = arith.constant dense<[16, 32]> : tensor<2xi64>
  %c = tensor.concat dim(1) %x, %y : (tensor<8x24xf32>, tensor<8x40xf32>) -> tensor<8x64xf32>
  %r = tensor.reshape %c(%s) : (tensor<8x64xf32>, tensor<2xi64>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// One number everywhere is a fill; flags that stand beside the IR are written into it.
// CHECK-LABEL: func.func @splat(
// CHECK-SAME: tensor<4xf32>, %[[S:.*]]: f32
// CHECK: arith.constant dense<[true, false, true, true]>
// CHECK: linalg.fill ins(%[[S]] : f32) outs(%{{.*}} : tensor<4xf32>)
func.func @splat(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> attributes {tt.model} {
  %m = arith.constant dense_resource<m> : tensor<4xi1>
  %v = tensor.splat %s : tensor<4xf32>
  %r = arith.select %m, %v, %x : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
{-#
  dialect_resources: { builtin: { m: "0x0100000001000101" } }
#-}
