// RUN: tt-opt --tt-infer-layout=arch=blackhole --tt-plan-model %s | FileCheck %s
// A product that sums over lines and columns of an image goes through its lines one by one: what is
// computed of the image is another kernel, since the product's buffer would have no such parts.
// CHECK: transform.named_sequence @tt_schedule
// CHECK: transform.structured.match attributes {tt.label = "product1"}
// CHECK: transform.structured.tile_using_forall
// CHECK: %[[P:.*]] = transform.structured.match attributes {tt.label = "product3"}
// CHECK: %[[TILED:.*]], %{{.*}} = transform.structured.tile_using_forall %[[P]]
// CHECK: transform.structured.tile_using_for %[[TILED]] tile_sizes [0, 0, 0, 1, 32]
func.func @values(%x: tensor<2x6x6x24xf32>, %w: tensor<24x24xf32>, %s: tensor<2x36x6x6xf32>)
    -> tensor<2x36x24xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6x24xf32>) -> tensor<2x6x6x24xf32>
  %v = linalg.contract indexing_maps = [affine_map<(b, y, x, n, k) -> (b, y, x, k)>,
      affine_map<(b, y, x, n, k) -> (n, k)>, affine_map<(b, y, x, n, k) -> (b, y, x, n)>]
      ins(%x, %w : tensor<2x6x6x24xf32>, tensor<24x24xf32>)
      outs(%i : tensor<2x6x6x24xf32>) -> tensor<2x6x6x24xf32>
  %r = tensor.empty() : tensor<2x36x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<2x36x24xf32>) -> tensor<2x36x24xf32>
  %p = linalg.contract indexing_maps = [affine_map<(b, m, n, y, x) -> (b, y, x, n)>,
      affine_map<(b, m, n, y, x) -> (b, m, y, x)>, affine_map<(b, m, n, y, x) -> (b, m, n)>]
      ins(%v, %s : tensor<2x6x6x24xf32>, tensor<2x36x6x6xf32>)
      outs(%f : tensor<2x36x24xf32>) -> tensor<2x36x24xf32>
  return %p : tensor<2x36x24xf32>
}
