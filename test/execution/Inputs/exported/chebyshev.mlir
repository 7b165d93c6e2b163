// Chebyshev KAN layer: tanh, cos(n acos x) as three-term recurrence stacked, einsum over input and degree (StableHLO -> linalg)
#in = affine_map<(m, o, i, d) -> (m, i, d)>
#w = affine_map<(m, o, i, d) -> (o, i, d)>
#out = affine_map<(m, o, i, d) -> (m, o)>
func.func @kan(%x: tensor<50x16xf32>, %c: tensor<24x16x4xf32>) -> tensor<50x24xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant dense<2.0> : tensor<50x16xf32>
  %one = arith.constant dense<1.0> : tensor<50x16xf32>
  %t = math.tanh %x : tensor<50x16xf32>
  %t2a = arith.mulf %t, %t : tensor<50x16xf32>
  %t2b = arith.mulf %t2a, %two : tensor<50x16xf32>
  %t2 = arith.subf %t2b, %one : tensor<50x16xf32>
  %t3a = arith.mulf %t, %two : tensor<50x16xf32>
  %t3b = arith.mulf %t3a, %t2 : tensor<50x16xf32>
  %t3 = arith.subf %t3b, %t : tensor<50x16xf32>
  %a0 = tensor.expand_shape %one [[0], [1, 2]] output_shape [50, 16, 1] : tensor<50x16xf32> into tensor<50x16x1xf32>
  %a1 = tensor.expand_shape %t [[0], [1, 2]] output_shape [50, 16, 1] : tensor<50x16xf32> into tensor<50x16x1xf32>
  %a2 = tensor.expand_shape %t2 [[0], [1, 2]] output_shape [50, 16, 1] : tensor<50x16xf32> into tensor<50x16x1xf32>
  %a3 = tensor.expand_shape %t3 [[0], [1, 2]] output_shape [50, 16, 1] : tensor<50x16xf32> into tensor<50x16x1xf32>
  %s = tensor.concat dim(2) %a0, %a1, %a2, %a3 : (tensor<50x16x1xf32>, tensor<50x16x1xf32>, tensor<50x16x1xf32>, tensor<50x16x1xf32>) -> tensor<50x16x4xf32>
  %e = tensor.empty() : tensor<50x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<50x24xf32>) -> tensor<50x24xf32>
  %r = linalg.generic {indexing_maps = [#in, #w, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%s, %c : tensor<50x16x4xf32>, tensor<24x16x4xf32>) outs(%f : tensor<50x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    %z = arith.addf %o, %q : f32
    linalg.yield %z : f32
  } -> tensor<50x24xf32>
  return %r : tensor<50x24xf32>
}
