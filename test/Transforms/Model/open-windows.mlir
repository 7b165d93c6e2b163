// RUN: tt-opt --tt-open-windows %s | FileCheck %s
#image = affine_map<(y, x, f, a, b, c) -> (y * 2 + a, x * 2 + b, c)>
#weights = affine_map<(y, x, f, a, b, c) -> (f, a, b, c)>
#out = affine_map<(y, x, f, a, b, c) -> (y, x, f)>

// A convolution with steps is a product of the windows and the weights, side by side.
// CHECK-LABEL: func.func @conv(
// CHECK-SAME: %[[X:.*]]: tensor<9x9x32xf32>, %[[W:.*]]: tensor<16x3x3x32xf32>,
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4x3x3x32xf32>)
// CHECK: %[[Y:.*]] = affine.apply
// CHECK: %[[Z:.*]] = affine.apply
// CHECK: tensor.extract %[[X]][%[[Y]], %[[Z]], %{{.*}}]
// CHECK: %[[K:.*]] = tensor.collapse_shape %[[P]] {{\[\[}}0], [1], [2, 3, 4]]
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0], [1, 2, 3]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[K]], %[[V]] : tensor<4x4x288xf32>, tensor<16x288xf32>)
func.func @conv(%x: tensor<9x9x32xf32>, %w: tensor<16x3x3x32xf32>, %o: tensor<4x4x16xf32>) -> tensor<4x4x16xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [#image, #weights, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<9x9x32xf32>, tensor<16x3x3x32xf32>) outs(%o : tensor<4x4x16xf32>) {
    ^bb0(%a: f32, %b: f32, %s: f32):
      %p = arith.mulf %a, %b : f32
      %t = arith.addf %s, %p : f32
      linalg.yield %t : f32
  } -> tensor<4x4x16xf32>
  return %r : tensor<4x4x16xf32>
}

// Rows of 16 are half a tile: two of them are a dimension, so that a core may copy as many.
// CHECK-LABEL: func.func @patches(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<14x14x8x2x16xbf16>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3, 4]] : tensor<14x14x8x2x16xbf16> into tensor<14x14x256xbf16>
func.func @patches(%x: tensor<224x224xbf16>, %w: tensor<64x16x16xbf16>, %o: tensor<14x14x64xf32>) -> tensor<14x14x64xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [affine_map<(y, x, f, a, b) -> (y * 16 + a, x * 16 + b)>, affine_map<(y, x, f, a, b) -> (f, a, b)>, affine_map<(y, x, f, a, b) -> (y, x, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<224x224xbf16>, tensor<64x16x16xbf16>) outs(%o : tensor<14x14x64xf32>) {
    ^bb0(%a: bf16, %b: bf16, %s: f32):
      %f = arith.extf %a : bf16 to f32
      %g = arith.extf %b : bf16 to f32
      %p = arith.mulf %f, %g : f32
      %t = arith.addf %s, %p : f32
      linalg.yield %t : f32
  } -> tensor<14x14x64xf32>
  return %r : tensor<14x14x64xf32>
}

// Of a pooling the places of the window come first. The last index is a sum of what a row does not change and its own.
// CHECK-LABEL: func.func @pool(
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x16xf32>)
// CHECK: linalg.generic {{.*}}ins(%[[P]], %{{.*}} : tensor<2x4x16xf32>, tensor<2xf32>)
func.func @pool(%x: tensor<8x16xf32>, %window: tensor<2xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [affine_map<(y, c, a) -> (y * 2 + a, c)>, affine_map<(y, c, a) -> (a)>, affine_map<(y, c, a) -> (y, c)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : tensor<8x16xf32>, tensor<2xf32>) outs(%o : tensor<4x16xf32>) {
    ^bb0(%a: f32, %b: f32, %s: f32):
      %t = arith.maximumf %s, %a : f32
      linalg.yield %t : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// So are slices with steps, and patches made by a transposition; what goes by ones stays.
// CHECK-LABEL: func.func @slice(
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.extract
// CHECK: tensor.extract_slice %arg0[1, 0] [4, 16] [1, 1]
// CHECK: tensor.extract %arg1
func.func @slice(%x: tensor<8x16xf32>, %y: tensor<2x4x2x24xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x96xf32>) attributes {tt.model} {
  %a = tensor.extract_slice %x[0, 0] [4, 16] [2, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %b = tensor.extract_slice %x[1, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %e = tensor.empty() : tensor<2x2x4x24xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, a, b) -> (i, a, j, b)>, affine_map<(i, j, a, b) -> (i, j, a, b)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x4x2x24xf32>) outs(%e : tensor<2x2x4x24xf32>) {
    ^bb0(%in: f32, %old: f32):
      linalg.yield %in : f32
  } -> tensor<2x2x4x24xf32>
  %p = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<2x2x4x24xf32> into tensor<4x96xf32>
  return %a, %b, %p : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x96xf32>
}

// The batch may be open: what is gathered has its size.
// CHECK-LABEL: func.func @open_batch
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?x8x8x32xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<2x2x?x4x4x32xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]{{.*}}tensor<2x2x?x4x4x32xf32>
func.func @open_batch(%x: tensor<?x8x8x32xf32>, %w: tensor<2x2xf32>, %o: tensor<?x4x4x32xf32>) -> tensor<?x4x4x32xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [affine_map<(b, y, x, c, i, j) -> (b, y * 2 + i, x * 2 + j, c)>, affine_map<(b, y, x, c, i, j) -> (i, j)>, affine_map<(b, y, x, c, i, j) -> (b, y, x, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<?x8x8x32xf32>, tensor<2x2xf32>) outs(%o : tensor<?x4x4x32xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %m = arith.maximumf %a, %s : f32
    linalg.yield %m : f32
  } -> tensor<?x4x4x32xf32>
  return %r : tensor<?x4x4x32xf32>
}

// Pairs of which an op computes are moved as they are, also where they are a part of what it gives; those of an argument are
// gathered.
// CHECK-LABEL: func.func @pairs(
// CHECK: tensor.extract %
// CHECK-NOT: tensor.extract %
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<40x8x2xf32>) outs(%{{.*}} : tensor<40x2x8xf32>)
func.func @pairs(%x: tensor<40x48xf32>, %y: tensor<40x16xf32>) -> (tensor<40x16xf32>, tensor<40x16xf32>) attributes {tt.model} {
  %e = tensor.empty() : tensor<40x48xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
  } -> tensor<40x48xf32>
  %f = tensor.empty() : tensor<40x2x8xf32>
  %b = tensor.expand_shape %y [[0], [1, 2]] output_shape [40, 8, 2] : tensor<40x16xf32> into tensor<40x8x2xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b : tensor<40x8x2xf32>) outs(%f : tensor<40x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<40x2x8xf32>
  %p = tensor.extract_slice %n[0, 32] [40, 16] [1, 1] : tensor<40x48xf32> to tensor<40x16xf32>
  %a = tensor.expand_shape %p [[0], [1, 2]] output_shape [40, 8, 2] : tensor<40x16xf32> into tensor<40x8x2xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<40x8x2xf32>) outs(%f : tensor<40x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<40x2x8xf32>
  %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<40x2x8xf32> into tensor<40x16xf32>
  %d = tensor.collapse_shape %u [[0], [1, 2]] : tensor<40x2x8xf32> into tensor<40x16xf32>
  return %c, %d : tensor<40x16xf32>, tensor<40x16xf32>
}
