// RUN: tt-opt --tt-widen-numbers %s | FileCheck %s
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// CHECK: #[[IN:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK: #[[FIRST:.*]] = affine_map<(d0) -> (0)>
// CHECK-LABEL: func.func @number(
// CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<1xf32>
// CHECK: %[[N:.*]] = linalg.generic {indexing_maps = [#[[IN]], #[[OUT]]], iterator_types = ["reduction", "parallel"]} {{.*}} outs(%[[F]] : tensor<1xf32>)
// CHECK: tensor.collapse_shape %[[N]] [] : tensor<1xf32> into tensor<f32>
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[FIRST]], {{.*}}], {{.*}} ins(%arg0, %[[N]] : tensor<8xf32>, tensor<1xf32>)
func.func @number(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %n = linalg.generic {indexing_maps = [#i, #none], iterator_types = ["reduction"]} ins(%x : tensor<8xf32>) outs(%f : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
  } -> tensor<f32>
  %g = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#i, #none, #i], iterator_types = ["parallel"]} ins(%x, %n : tensor<8xf32>, tensor<f32>) outs(%g : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.mulf %a, %b : f32
      linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r, %n : tensor<8xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @rows(
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
func.func @rows(%x: tensor<8xf32>) -> tensor<8xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = math.exp %a : f32
      linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
