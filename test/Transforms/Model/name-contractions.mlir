// RUN: tt-opt --tt-name-contractions %s | FileCheck %s
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#none = affine_map<(i, j) -> ()>

// CHECK-LABEL: func.func @product
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: linalg.contract {{.*}} ins(%arg0, %arg1 : tensor<64x32xbf16>, tensor<96x32xbf16>) outs(%[[F]]
func.func @product(%x: tensor<64x32xbf16>, %w: tensor<96x32xbf16>) -> tensor<64x96xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %y = tensor.empty() : tensor<64x96xf32>
  %f = linalg.generic {indexing_maps = [#none, #ij], iterator_types = ["parallel", "parallel"]} ins(%zero : f32) outs(%y : tensor<64x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<64x96xf32>
  %p = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x32xbf16>, tensor<96x32xbf16>) outs(%f : tensor<64x96xf32>) {
    ^bb0(%u: bf16, %v: bf16, %out: f32):
      %0 = arith.extf %u : bf16 to f32
      %1 = arith.extf %v : bf16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %out, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<64x96xf32>
  return %p : tensor<64x96xf32>
}

// A sum of squares is no product of matrices: neither operand has a loop of its own.
// CHECK-LABEL: func.func @squares
// CHECK-NOT: linalg.contract
// CHECK: return
func.func @squares(%x: tensor<64x32xf32>, %s: tensor<64xf32>) -> tensor<64xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x, %x : tensor<64x32xf32>, tensor<64x32xf32>) outs(%s : tensor<64xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %0 = arith.mulf %u, %v : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// An outer product sums nothing, and is no contraction.
// CHECK-LABEL: func.func @outer
// CHECK-NOT: linalg.contract
// CHECK: return
func.func @outer(%x: tensor<8xf32>, %y: tensor<45xf32>, %s: tensor<8x45xf32>) -> tensor<8x45xf32>
    attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<45xf32>) outs(%s : tensor<8x45xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %0 = arith.mulf %u, %v : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
  } -> tensor<8x45xf32>
  return %r : tensor<8x45xf32>
}
