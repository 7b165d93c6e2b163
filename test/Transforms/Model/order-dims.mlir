// RUN: tt-opt --tt-order-dims --split-input-file %s | FileCheck %s
// Windows have their channels last, and weights are a matrix for each place of the window; what lies
// between arguments and results follows, and is moved at these alone.
#image = affine_map<(f, y, x, c, a, b) -> (c, y + a, x + b)>
#weights = affine_map<(f, y, x, c, a, b) -> (f, c, a, b)>
#out = affine_map<(f, y, x, c, a, b) -> (f, y, x)>
#id = affine_map<(c, y, x) -> (c, y, x)>
#c = affine_map<(c, y, x) -> (c)>
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d3, d1 + d4, d5)>
// CHECK-DAG: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: func.func @block
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %arg0 {{\[\[0\], \[1, 2\]\]}} : tensor<2x8x32xf32> into tensor<2x256xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[FLAT]] : tensor<2x256xf32>) outs(%{{.*}} : tensor<256x2xf32>)
// CHECK: %[[X:.*]] = tensor.expand_shape %[[T]] {{\[\[0, 1\], \[2\]\]}} output_shape [8, 32, 2]
// CHECK: arith.constant dense<{{\[\[\[\[}}0.000000e+00, 4.000000e+00], [2.000000e+00, 6.000000e+00]],
// CHECK: tensor.pad %[[X]] low[0, 0, 0] high[0, 1, 0]
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], #[[WEIGHTS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<8x33x2xf32>, tensor<1x2x2x2xf32>) outs(%{{.*}} : tensor<8x32x2xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[C]], #[[ID]], #[[ID]]]
// CHECK-NEXT: bb0
// CHECK-NEXT: linalg.index 2
// CHECK: %[[MOVED:.*]] = tensor.collapse_shape %{{.*}} {{\[\[0, 1\], \[2\]\]}} : tensor<8x32x2xf32> into tensor<256x2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[MOVED]] : tensor<256x2xf32>) outs(%{{.*}} : tensor<2x256xf32>)
// CHECK: %[[R:.*]] = tensor.expand_shape
// CHECK: return %[[R]] : tensor<2x8x32xf32>
func.func @block(%x: tensor<2x8x32xf32>, %b: tensor<2xf32>) -> tensor<2x8x32xf32> attributes {tt.model} {
  %z = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[[0.0, 1.0]], [[2.0, 3.0]]], [[[4.0, 5.0]], [[6.0, 7.0]]]]> : tensor<2x2x1x2xf32>
  %p = tensor.pad %x low[0, 0, 0] high[0, 0, 1] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %z : f32
  } : tensor<2x8x32xf32> to tensor<2x8x33xf32>
  %e = tensor.empty() : tensor<2x8x32xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(c, y, x) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z : f32) outs(%e : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<2x8x32xf32>
  %y = linalg.generic {indexing_maps = [#image, #weights, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%p, %w : tensor<2x8x33xf32>, tensor<2x2x1x2xf32>) outs(%f : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %v: f32, %out: f32):
      %0 = arith.mulf %in, %v : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
  } -> tensor<2x8x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #c, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %b, %x : tensor<2x8x32xf32>, tensor<2xf32>, tensor<2x8x32xf32>) outs(%e : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %v: f32, %u: f32, %out: f32):
      %k = linalg.index 0 : index
      %i = arith.index_cast %k : index to i32
      %g = arith.sitofp %i : i32 to f32
      %0 = arith.addf %in, %v : f32
      %1 = arith.addf %0, %u : f32
      %2 = arith.addf %1, %g : f32
      linalg.yield %2 : f32
  } -> tensor<2x8x32xf32>
  return %r : tensor<2x8x32xf32>
}

// -----

// Transpositions that are left between ops that agree go; rows that are no whole tiles of a matrix
// are gathered for the last move. Windows in steps with few channels ask for nothing.
#image = affine_map<(n, f, y, x, a, b) -> (n, f, y + a, x + b)>
#window = affine_map<(n, f, y, x, a, b) -> (a, b)>
#out = affine_map<(n, f, y, x, a, b) -> (n, f, y, x)>
#first = affine_map<(n, c, y, x) -> (n, c, y, x)>
#last = affine_map<(n, c, y, x) -> (n, y, x, c)>
// CHECK-DAG: #[[POOL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
// CHECK-LABEL: func.func @pool
// CHECK-NOT: linalg.generic
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<2x9x9x32xf32>)
// CHECK-NEXT: bb0
// CHECK-NEXT: math.exp
// CHECK: linalg.generic {indexing_maps = [#[[POOL]], {{.*}}} ins(%[[E]], %{{.*}} : tensor<2x9x9x32xf32>, tensor<2x2xf32>) outs(%{{.*}} : tensor<2x8x8x32xf32>)
// CHECK: linalg.generic
// CHECK: tensor.extract {{.*}} : tensor<2x8x8x32xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x64x32xf32>) outs(%{{.*}} : tensor<2x32x64xf32>)
func.func @pool(%x: tensor<2x9x9x32xf32>) -> tensor<2x32x8x8xf32> attributes {tt.model} {
  %z = arith.constant 0.0 : f32
  %b = tensor.empty() : tensor<2x9x9x32xf32>
  %e = tensor.empty() : tensor<2x32x9x9xf32>
  %d = tensor.empty() : tensor<2x32x8x8xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.generic {indexing_maps = [#first, #first], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x9x32xf32>) outs(%b : tensor<2x9x9x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = math.exp %in : f32
      linalg.yield %1 : f32
  } -> tensor<2x9x9x32xf32>
  %t = linalg.generic {indexing_maps = [#last, #first], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x9x9x32xf32>) outs(%e : tensor<2x32x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<2x32x9x9xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(n, c, y, x) -> ()>, #first], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%z : f32) outs(%d : tensor<2x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<2x32x8x8xf32>
  %r = linalg.generic {indexing_maps = [#image, #window, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%t, %w : tensor<2x32x9x9xf32>, tensor<2x2xf32>) outs(%f : tensor<2x32x8x8xf32>) {
    ^bb0(%in: f32, %v: f32, %out: f32):
      %1 = arith.addf %out, %in : f32
      linalg.yield %1 : f32
  } -> tensor<2x32x8x8xf32>
  return %r : tensor<2x32x8x8xf32>
}

// -----

#image = affine_map<(f, y, x, c, a, b) -> (c, y * 4 + a, x * 4 + b)>
#weights = affine_map<(f, y, x, c, a, b) -> (f, c, a, b)>
#out = affine_map<(f, y, x, c, a, b) -> (f, y, x)>
// CHECK-LABEL: func.func @patches
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<3x32x32xf32>, tensor<64x3x4x4xf32>) outs(%arg2
func.func @patches(%x: tensor<3x32x32xf32>, %w: tensor<64x3x4x4xf32>, %o: tensor<64x8x8xf32>) -> tensor<64x8x8xf32> attributes {tt.model} {
  %y = linalg.generic {indexing_maps = [#image, #weights, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<3x32x32xf32>, tensor<64x3x4x4xf32>) outs(%o : tensor<64x8x8xf32>) {
    ^bb0(%in: f32, %v: f32, %out: f32):
      %0 = arith.mulf %in, %v : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
  } -> tensor<64x8x8xf32>
  return %y : tensor<64x8x8xf32>
}

// -----

// What fills a tensor of one element moves nothing, as a sum of all that a convolution gives is begun with.
#image = affine_map<(f, y, x, c, a, b) -> (c, y + a, x + b)>
#weights = affine_map<(f, y, x, c, a, b) -> (f, c, a, b)>
#out = affine_map<(f, y, x, c, a, b) -> (f, y, x)>
// CHECK-LABEL: func.func @total
// CHECK: %[[ZERO:.*]] = linalg.generic {{.*}} ins(%{{.*}} : f32) outs(%{{.*}} : tensor<f32>)
// CHECK: linalg.generic {{.*}} outs(%[[ZERO]] : tensor<f32>)
func.func @total(%x: tensor<3x10x10xf32>, %w: tensor<8x3x3x3xf32>, %o: tensor<8x8x8xf32>) -> tensor<f32> attributes {tt.model} {
  %z = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#image, #weights, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<3x10x10xf32>, tensor<8x3x3x3xf32>) outs(%o : tensor<8x8x8xf32>) {
    ^bb0(%in: f32, %v: f32, %out: f32):
      %0 = arith.mulf %in, %v : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
  } -> tensor<8x8x8xf32>
  %e = tensor.empty() : tensor<f32>
  %f = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%z : f32) outs(%e : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]} ins(%y : tensor<8x8x8xf32>) outs(%f : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %out : f32
      linalg.yield %1 : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
