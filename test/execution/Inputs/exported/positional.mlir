// JAX StableHLO->linalg: positional encoding of a NeRF (sin/cos of scaled coordinates), two dense layers, relu, sigmoid head
#ij = affine_map<(i, j) -> (i, j)>
#ik = affine_map<(i, j, k) -> (i, j)>
#k = affine_map<(i, j, k) -> (k)>
#ijk = affine_map<(i, j, k) -> (i, j, k)>
#b = affine_map<(i, j) -> (j)>
func.func @nerf(%x: tensor<96x3xf32>, %w1: tensor<36x64xf32>, %b1: tensor<64xf32>, %w2: tensor<64x4xf32>, %b2: tensor<4xf32>) -> tensor<96x4xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %fr = arith.constant dense<[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]> : tensor<6xf32>
  %e3 = tensor.empty() : tensor<96x3x6xf32>
  %ph = linalg.generic {indexing_maps = [#ik, #k, #ijk], iterator_types = ["parallel","parallel","parallel"]} ins(%x, %fr : tensor<96x3xf32>, tensor<6xf32>) outs(%e3 : tensor<96x3x6xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %m = arith.mulf %a, %f : f32
    linalg.yield %m : f32
  } -> tensor<96x3x6xf32>
  %s = math.sin %ph : tensor<96x3x6xf32>
  %c = math.cos %ph : tensor<96x3x6xf32>
  %cat = tensor.concat dim(2) %s, %c : (tensor<96x3x6xf32>, tensor<96x3x6xf32>) -> tensor<96x3x12xf32>
  %flat = tensor.collapse_shape %cat [[0], [1, 2]] : tensor<96x3x12xf32> into tensor<96x36xf32>
  %e1 = tensor.empty() : tensor<96x64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<96x64xf32>) -> tensor<96x64xf32>
  %h = linalg.matmul ins(%flat, %w1 : tensor<96x36xf32>, tensor<36x64xf32>) outs(%f1 : tensor<96x64xf32>) -> tensor<96x64xf32>
  %hr = linalg.generic {indexing_maps = [#ij, #b, #ij], iterator_types = ["parallel","parallel"]} ins(%h, %b1 : tensor<96x64xf32>, tensor<64xf32>) outs(%e1 : tensor<96x64xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %m = arith.addf %a, %f : f32
    %r = arith.maximumf %m, %zero : f32
    linalg.yield %r : f32
  } -> tensor<96x64xf32>
  %e2 = tensor.empty() : tensor<96x4xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<96x4xf32>) -> tensor<96x4xf32>
  %y = linalg.matmul ins(%hr, %w2 : tensor<96x64xf32>, tensor<64x4xf32>) outs(%f2 : tensor<96x4xf32>) -> tensor<96x4xf32>
  %r = linalg.generic {indexing_maps = [#ij, #b, #ij], iterator_types = ["parallel","parallel"]} ins(%y, %b2 : tensor<96x4xf32>, tensor<4xf32>) outs(%e2 : tensor<96x4xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %m = arith.addf %a, %f : f32
    %n = arith.negf %m : f32
    %ex = math.exp %n : f32
    %d = arith.addf %ex, %one : f32
    %q = arith.divf %one, %d : f32
    linalg.yield %q : f32
  } -> tensor<96x4xf32>
  return %r : tensor<96x4xf32>
}
