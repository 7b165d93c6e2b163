// RUN: tt-opt --tt-fuse-maps %s | FileCheck %s
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#v = affine_map<(i) -> (i)>
#none = affine_map<(i, j) -> ()>

// A product's epilogue becomes one op; the constant stands in its body.
// CHECK-LABEL: func.func @chain
// CHECK: linalg.contract
// CHECK: linalg.generic {{.*}} ins(%arg2, %{{.*}} : tensor<64x96xf32>, tensor<64x96xf32>)
// CHECK: arith.mulf %{{.*}}, %cst
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<64x32xbf16>, %w: tensor<32x96xbf16>, %b: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> attributes {tt.model} {
  %half = arith.constant dense<0.5> : tensor<f32>
  %p = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %w : tensor<64x32xbf16>, tensor<32x96xbf16>) outs(%y : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.generic {indexing_maps = [#ij, #none, #ij], iterator_types = ["parallel", "parallel"]} ins(%p, %half : tensor<64x96xf32>, tensor<f32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%u: f32, %c: f32, %out: f32):
      %0 = arith.mulf %u, %c : f32
      linalg.yield %0 : f32
  } -> tensor<64x96xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%u: f32, %c: f32, %out: f32):
      %0 = arith.addf %u, %c : f32
      linalg.yield %0 : f32
  } -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

// A function of each row is not computed for each of the row's elements.
// CHECK-LABEL: func.func @rows
// CHECK: linalg.generic
// CHECK: math.rsqrt
// CHECK: linalg.generic
// CHECK: arith.mulf
func.func @rows(%x: tensor<64x32xf32>, %s: tensor<64xf32>) -> tensor<64x32xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<64xf32>
  %y = tensor.empty() : tensor<64x32xf32>
  %q = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%s : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%u: f32, %out: f32):
      %0 = math.rsqrt %u : f32
      linalg.yield %0 : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %q : tensor<64x32xf32>, tensor<64xf32>) outs(%y : tensor<64x32xf32>) {
    ^bb0(%u: f32, %c: f32, %out: f32):
      %0 = arith.mulf %u, %c : f32
      linalg.yield %0 : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// What is filled with a constant is that constant.
// CHECK-LABEL: func.func @filled
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<64xi32>)
// CHECK: arith.maxsi %{{.*}}, %c7
func.func @filled(%x: tensor<64xi32>) -> tensor<64xi32> attributes {tt.model} {
  %seven = arith.constant 7 : i32
  %e = tensor.empty() : tensor<64xi32>
  %f = linalg.fill ins(%seven : i32) outs(%e : tensor<64xi32>) -> tensor<64xi32>
  %r = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%x, %f : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>) {
    ^bb0(%u: i32, %c: i32, %out: i32):
      %0 = arith.maxsi %u, %c : i32
      linalg.yield %0 : i32
  } -> tensor<64xi32>
  return %r : tensor<64xi32>
}
