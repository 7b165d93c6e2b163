// Steps of a product are up to eight tiles long; where the blocks of a unit are large, half of that is long enough, and
// the first block of each operand is there sooner.
// RUN: tt-opt --tt-plan-model %s | FileCheck %s
// RUN: sed 's/2816/1024/g' %s | tt-opt --tt-plan-model | FileCheck %s --check-prefix=SMALL
// Another plan of the tuner has steps twice as long.
// RUN: tt-opt --tt-plan-model=pick=1 %s | FileCheck %s --check-prefix=LONG
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 128]
// SMALL: tile_using_for %{{.*}} tile_sizes [0, 0, 256]
// LONG: tile_using_for %{{.*}} tile_sizes [0, 0, 512]
func.func @wide(%x: tensor<512x1024xbf16>, %w: tensor<2816x1024xbf16>) -> tensor<512x2816xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %y = tensor.empty() : tensor<512x2816xf32>
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<512x2816xf32>) -> tensor<512x2816xf32>
  %p = linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%x, %w : tensor<512x1024xbf16>, tensor<2816x1024xbf16>) outs(%f : tensor<512x2816xf32>) -> tensor<512x2816xf32>
  return %p : tensor<512x2816xf32>
}
