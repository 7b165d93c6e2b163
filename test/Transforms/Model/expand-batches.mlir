// RUN: tt-opt --tt-expand-batches --canonicalize %s | FileCheck %s
#bij = affine_map<(b, i, j) -> (b, i, j)>
#ij = affine_map<(i, j) -> (i, j)>

// Heads of a batch stay dimensions of their own.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @heads
// CHECK-NOT: collapse_shape %arg0
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x4x64x32xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2], [3]]
func.func @heads(%q: tensor<2x4x64x32xf32>) -> tensor<8x64x32xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<8x64x32xf32>
  %c = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x4x64x32xf32> into tensor<8x64x32xf32>
  %y = linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : tensor<8x64x32xf32>) outs(%e : tensor<8x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
  } -> tensor<8x64x32xf32>
  return %y : tensor<8x64x32xf32>
}

// Rows of a batch that are whole tiles are rows of one matrix, and so are heads side by side.
// CHECK-LABEL: func.func @rows
// CHECK: collapse_shape %arg0
// CHECK: linalg.generic
// CHECK-LABEL: func.func @ragged
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<2x50x4x32xf32>)
func.func @rows(%q: tensor<2x64x4x32xf32>) -> tensor<128x128xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<128x128xf32>
  %c = tensor.collapse_shape %q [[0, 1], [2, 3]] : tensor<2x64x4x32xf32> into tensor<128x128xf32>
  %y = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
  } -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}
func.func @ragged(%q: tensor<2x50x4x32xf32>) -> tensor<100x4x32xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<100x4x32xf32>
  %c = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x50x4x32xf32> into tensor<100x4x32xf32>
  %y = linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : tensor<100x4x32xf32>) outs(%e : tensor<100x4x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
  } -> tensor<100x4x32xf32>
  return %y : tensor<100x4x32xf32>
}
