// RUN: tt-opt --tt-fold-moves %s | FileCheck %s
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#j = affine_map<(i, j) -> (j)>

// A weight that is turned before it is used, and one row for all: both are how others read.
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[J:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @folded
// CHECK-NOT: linalg.yield %in : bf16
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[NK]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 :
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[J]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %arg2 :
func.func @folded(%x: tensor<64x32xbf16>, %w: tensor<96x32xbf16>, %b: tensor<96xf32>) -> tensor<64x96xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x96xbf16>
  %t = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<96x32xbf16>) outs(%e : tensor<32x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
  } -> tensor<32x96xbf16>
  %y = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %t : tensor<64x32xbf16>, tensor<32x96xbf16>) outs(%f : tensor<64x96xf32>) {
    ^bb0(%u: bf16, %v: bf16, %out: f32):
      %0 = arith.extf %u : bf16 to f32
      %1 = arith.extf %v : bf16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %out, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<64x96xf32>
  %rows = linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<64x96xf32>
  %s = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%p, %rows : tensor<64x96xf32>, tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %0 = arith.addf %u, %v : f32
      linalg.yield %0 : f32
  } -> tensor<64x96xf32>
  return %s : tensor<64x96xf32>
}

// What the function returns is computed as it is, and what is no model is left alone.
// CHECK-LABEL: func.func @returned
// CHECK: linalg.generic
// CHECK-LABEL: func.func @other
// CHECK-COUNT-2: linalg.generic
func.func @returned(%w: tensor<96x32xbf16>) -> tensor<32x96xbf16> attributes {tt.model} {
  %e = tensor.empty() : tensor<32x96xbf16>
  %t = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<96x32xbf16>) outs(%e : tensor<32x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
  } -> tensor<32x96xbf16>
  return %t : tensor<32x96xbf16>
}
func.func @other(%w: tensor<96x32xbf16>) -> tensor<96x32xbf16> {
  %e = tensor.empty() : tensor<32x96xbf16>
  %t = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<96x32xbf16>) outs(%e : tensor<32x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
  } -> tensor<32x96xbf16>
  %g = tensor.empty() : tensor<96x32xbf16>
  %u = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<32x96xbf16>) outs(%g : tensor<96x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %0 = arith.negf %in : bf16
      linalg.yield %0 : bf16
  } -> tensor<96x32xbf16>
  return %u : tensor<96x32xbf16>
}

// Pixels of a row that are repeated stay a broadcast: a block of the sum has many of them.
// CHECK-LABEL: func.func @pixels
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8x16x64xf32>) outs(%{{.*}} : tensor<8x16x2x64xf32>)
// CHECK: tensor.collapse_shape
func.func @pixels(%x: tensor<8x16x64xf32>, %y: tensor<8x32x64xf32>) -> tensor<8x32x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<8x16x2x64xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(h, w, j, c) -> (h, w, c)>, affine_map<(h, w, j, c) -> (h, w, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<8x16x64xf32>) outs(%e : tensor<8x16x2x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<8x16x2x64xf32>
  %c = tensor.collapse_shape %t [[0], [1, 2], [3]] : tensor<8x16x2x64xf32> into tensor<8x32x64xf32>
  %z = tensor.empty() : tensor<8x32x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c, %y : tensor<8x32x64xf32>, tensor<8x32x64xf32>) outs(%z : tensor<8x32x64xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
  } -> tensor<8x32x64xf32>
  return %s : tensor<8x32x64xf32>
}

// Heads that are repeated and then turned: one op moved both, and the product reads them as they are.
// CHECK-LABEL: func.func @repeated_and_turned
// CHECK-NOT: tensor<8x64x32xbf16>
// CHECK: linalg.generic {indexing_maps = [#[[Q:.*]], #[[K:.*]], #{{.*}}], {{.*}} ins(%arg0, %arg1 : tensor<8x32x64xbf16>, tensor<2x32x64xbf16>)
func.func @repeated_and_turned(%q: tensor<8x32x64xbf16>, %k: tensor<2x32x64xbf16>) -> tensor<8x32x32xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<2x4x32x64xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(g, h, t, c) -> (g, t, c)>, affine_map<(g, h, t, c) -> (g, h, t, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<2x32x64xbf16>) outs(%e : tensor<2x4x32x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
  } -> tensor<2x4x32x64xbf16>
  %c = tensor.collapse_shape %r [[0, 1], [2], [3]] : tensor<2x4x32x64xbf16> into tensor<8x32x64xbf16>
  %f = tensor.empty() : tensor<8x64x32xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(h, c, t) -> (h, t, c)>, affine_map<(h, c, t) -> (h, c, t)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : tensor<8x32x64xbf16>) outs(%f : tensor<8x64x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
  } -> tensor<8x64x32xbf16>
  %s = tensor.empty() : tensor<8x32x32xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, k, n)>, affine_map<(h, m, n, k) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %t : tensor<8x32x64xbf16>, tensor<8x64x32xbf16>) outs(%s : tensor<8x32x32xf32>) {
    ^bb0(%a: bf16, %b: bf16, %out: f32):
      %0 = arith.extf %a : bf16 to f32
      %1 = arith.extf %b : bf16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %out, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<8x32x32xf32>
  return %p : tensor<8x32x32xf32>
}

// A diagonal is no move of whole dimensions.
// CHECK-LABEL: func.func @diagonal
// CHECK-COUNT-2: linalg.generic
func.func @diagonal(%x: tensor<32x32xf32>, %y: tensor<32xf32>) -> tensor<32xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<32x32xf32>) outs(%e : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%d, %y : tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<32xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
  } -> tensor<32xf32>
  return %s : tensor<32xf32>
}
