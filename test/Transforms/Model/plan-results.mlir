// RUN: tt-opt --tt-plan-model %s | FileCheck %s
// RUN: tt-opt --tt-plan-model %s | tt-opt --tt-schedule-model | FileCheck %s --check-prefix=APPLIED
// RUN: tt-opt --tt-plan-model=fuse=none %s | FileCheck %s --check-prefix=APART
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A sum goes with the norm of it, though it is added to later, and seen in another shape before:
// what sees it so comes after the norm, and reads what the grid leaves.
// CHECK-LABEL: func.func @residual
// CHECK: tt.label = "map0"
// CHECK: tt.label = "map3"
// CHECK: tensor.expand_shape
// CHECK: tt.label = "map4"
// CHECK-LABEL: @tt_schedule
// CHECK: %[[NORM:.*]] = transform.structured.match attributes {tt.label = "map3"}
// CHECK-NEXT: tile_using_forall %[[NORM]] tile_sizes [32, 0]
// CHECK: %[[SUM:.*]] = transform.structured.match attributes {tt.label = "map0"}
// What two ops of the kernel take is fused once.
// CHECK-NEXT: apply_cse to
// CHECK-NEXT: fuse_into_containing_op %[[SUM]] into
// APPLIED-LABEL: func.func @residual
// APPLIED: %[[BOTH:.*]]:2 = scf.forall
// APPLIED: tensor.expand_shape %[[BOTH]]#1
// APART-LABEL: @tt_schedule
// APART: %[[SUM:.*]] = transform.structured.match attributes {tt.label = "map0"}
// APART-NEXT: tile_using_forall %[[SUM]]
func.func @residual(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<2x32x128xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %e3 = tensor.empty() : tensor<2x32x128xf32>
  %er = tensor.empty() : tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<64x128xf32>, tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %3 = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 32, 128] : tensor<64x128xf32> into tensor<2x32x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %q = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%a: f32, %old: f32):
      %0 = arith.addf %a, %old : f32
      linalg.yield %0 : f32
  } -> tensor<64xf32>
  %n = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %q : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %0 = arith.divf %a, %b : f32
      linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x32x128xf32>) outs(%e3 : tensor<2x32x128xf32>) {
    ^bb0(%a: f32, %old: f32):
      %0 = math.exp %a : f32
      linalg.yield %0 : f32
  } -> tensor<2x32x128xf32>
  return %n, %t : tensor<64x128xf32>, tensor<2x32x128xf32>
}

// Products that take one tensor are joined; none of them takes in what the others wait for.
// CHECK: %[[CAST:.*]] = transform.structured.match attributes {tt.label = "map5"}
// CHECK-NEXT: tile_using_forall %[[CAST]]
// CHECK-COUNT-2: "tt.join"
func.func @products(%x: tensor<64x128xf32>, %w: tensor<128x128xbf16>, %v: tensor<128x128xbf16>) -> (tensor<64x128xf32>, tensor<64x128xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %eb = tensor.empty() : tensor<64x128xbf16>
  %c = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%eb : tensor<64x128xbf16>) {
    ^bb0(%a: f32, %old: bf16):
      %0 = arith.truncf %a : f32 to bf16
      linalg.yield %0 : bf16
  } -> tensor<64x128xbf16>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%c, %w : tensor<64x128xbf16>, tensor<128x128xbf16>) outs(%g : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%c, %v : tensor<64x128xbf16>, tensor<128x128xbf16>) outs(%g : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %p, %r : tensor<64x128xf32>, tensor<64x128xf32>
}
