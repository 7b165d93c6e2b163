// RUN: tt-opt --tt-plan-model %s | FileCheck %s
// RUN: tt-opt --tt-plan-model %s | tt-opt --tt-schedule-model | FileCheck %s --check-prefix=APPLIED
// RUN: tt-opt --tt-plan-model=fuse=none %s | FileCheck %s --check-prefix=APART
// RUN: tt-opt --tt-plan-model %s | FileCheck %s --check-prefix=JOIN
// RUN: not tt-opt --tt-plan-model=fuse=some %s 2>&1 | FileCheck %s --check-prefix=FUSE
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// A product takes what follows it. Sums over its columns would need all of them on one core, and
// are another kernel, with what follows them: more cores, each of which sums all of its rows, pay.
// CHECK: linalg.contract {{.*}}tt.label = "product1"
// CHECK: transform.named_sequence @tt_schedule
// CHECK: match attributes {tt.label = "map2"}
// CHECK: tile_using_forall %{{.*}} tile_sizes [32, 32]
// CHECK: match attributes {tt.label = "product1"}
// CHECK: fuse_into_containing_op
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 128]
// CHECK: match attributes {tt.label = "map5"}
// CHECK: tile_using_forall %{{.*}} tile_sizes [32, 32]
// CHECK: match attributes {tt.label = "reduction4"}
// CHECK: fuse_into_containing_op

// RUN: tt-opt --tt-plan-model --remarks-filter=tt-plan-model %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// WHY-DAG: linalg.contract is in the kernel of linalg.generic
// WHY-DAG: linalg.generic is not in the kernel of the linalg.generic that takes it: sums over the columns of a product need all of them on one core
// APART-COUNT-4: tile_using_forall
// FUSE: error: fuse=some: expected all (what pays is one kernel), none, or the clk that one more kernel is taken to cost

// APPLIED-NOT: tt.label
// APPLIED-NOT: transform
// APPLIED: scf.forall (%{{.*}}, %{{.*}}) in (8, 4)
// APPLIED: scf.for %{{.*}} step %c128
// APPLIED: linalg.contract {{.*}} tensor<32x128xbf16>
// APPLIED: scf.forall (%{{.*}}, %{{.*}}) in (8, 4)
func.func @f(%x: tensor<256x256xbf16>, %w: tensor<256x128xbf16>) -> tensor<256x128xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %y = tensor.empty() : tensor<256x128xf32>
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<256x128xf32>) -> tensor<256x128xf32>
  %p = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %w : tensor<256x256xbf16>, tensor<256x128xbf16>) outs(%f : tensor<256x128xf32>) -> tensor<256x128xf32>
  %q = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<256x128xf32>) outs(%y : tensor<256x128xf32>) {
    ^bb0(%u: f32, %out: f32):
      %0 = math.tanh %u : f32
      linalg.yield %0 : f32
  } -> tensor<256x128xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<256x128xf32>) outs(%g : tensor<256xf32>) {
    ^bb0(%u: f32, %out: f32):
      %0 = arith.addf %u, %out : f32
      linalg.yield %0 : f32
  } -> tensor<256xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<256x128xf32>, tensor<256xf32>) outs(%y : tensor<256x128xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %0 = arith.divf %u, %v : f32
      linalg.yield %0 : f32
  } -> tensor<256x128xf32>
  return %r : tensor<256x128xf32>
}

// What others see collapsed, tokens x [heads, features], has its rows and columns there: tokens, and
// the features of one head.
// APART: match attributes {tt.label = "map6"}
// APART-NEXT: tile_using_forall %{{.*}} tile_sizes [32, 1, {{32|64}}]
func.func @heads(%x: tensor<4x64x64xf32>) -> tensor<64x256xbf16> attributes {tt.model} {
  %e = tensor.empty() : tensor<64x4x64xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(t, h, d) -> (h, t, d)>, affine_map<(t, h, d) -> (t, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x64x64xf32>) outs(%e : tensor<64x4x64xbf16>) {
    ^bb0(%u: f32, %out: bf16):
      %0 = arith.truncf %u : f32 to bf16
      linalg.yield %0 : bf16
  } -> tensor<64x4x64xbf16>
  %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<64x4x64xbf16> into tensor<64x256xbf16>
  return %c : tensor<64x256xbf16>
}

// Two products of one tensor, neither of which needs the other: their grids are joined, and each is
// one step.
// APART-NOT: tt.join
// WHY-DAG: its kernel is joined with another that reads the same, unit by unit
// JOIN: transform.annotate %{{.*}} "tt.join" = %{{.*}} : !transform.any_op, !transform.param<i64>
// JOIN: transform.annotate %{{.*}} "tt.join" = %{{.*}} : !transform.any_op, !transform.param<i64>
func.func @shared(%x: tensor<64x128xbf16>, %w: tensor<128x64xbf16>, %v: tensor<128x64xbf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %w : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %v : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}
