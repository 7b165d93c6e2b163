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

// Heads of an open batch, also where they were filled, and who expands what the op gives takes it as it is.
// CHECK-LABEL: func.func @open_batch
// CHECK: %[[N:.*]] = tensor.dim %arg0
// CHECK: tensor.empty(%[[N]]) : tensor<?x3x20x16xf32>
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<?x3x20x16xf32>, tensor<?x3x20x16xf32>)
// CHECK: return %[[Y]]
// Rows of a matrix stay one dimension, and so do two sizes that only a run knows.
// CHECK-LABEL: func.func @open_rows
// CHECK: tensor.collapse_shape %arg0
// CHECK-LABEL: func.func @open_heads
// CHECK: tensor.collapse_shape %arg0
func.func @open_batch(%q: tensor<?x3x20x16xf32>, %k: tensor<?x3x20x16xf32>) -> tensor<?x3x20x16xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %q, %c0 : tensor<?x3x20x16xf32>
  %m = arith.muli %n, %c3 : index
  %e = tensor.empty(%m) : tensor<?x20x16xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> ()>, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z : f32) outs(%e : tensor<?x20x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<?x20x16xf32>
  %c = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<?x3x20x16xf32> into tensor<?x20x16xf32>
  %d = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<?x3x20x16xf32> into tensor<?x20x16xf32>
  %y = linalg.generic {indexing_maps = [#bij, #bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c, %d : tensor<?x20x16xf32>, tensor<?x20x16xf32>) outs(%f : tensor<?x20x16xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
  } -> tensor<?x20x16xf32>
  %r = tensor.expand_shape %y [[0, 1], [2], [3]] output_shape [%n, 3, 20, 16] : tensor<?x20x16xf32> into tensor<?x3x20x16xf32>
  return %r : tensor<?x3x20x16xf32>
}
func.func @open_rows(%q: tensor<?x20x64xf32>) -> tensor<?x64xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c = tensor.collapse_shape %q [[0, 1], [2]] : tensor<?x20x64xf32> into tensor<?x64xf32>
  %n = tensor.dim %c, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
func.func @open_heads(%q: tensor<?x?x20x16xf32>) -> tensor<?x20x16xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<?x?x20x16xf32> into tensor<?x20x16xf32>
  %n = tensor.dim %c, %c0 : tensor<?x20x16xf32>
  %e = tensor.empty(%n) : tensor<?x20x16xf32>
  %y = linalg.generic {indexing_maps = [#bij, #bij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : tensor<?x20x16xf32>) outs(%e : tensor<?x20x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
  } -> tensor<?x20x16xf32>
  return %y : tensor<?x20x16xf32>
}
