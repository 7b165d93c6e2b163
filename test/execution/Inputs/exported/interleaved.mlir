func.func @inter(%x: tensor<64x32xf32> {tt.name = "x"}, %y: tensor<64x32xf32> {tt.name = "y"}) -> tensor<64x64xf32> attributes {tt.model} {
    %v1 = tensor.empty() : tensor<64x64xf32>
    %v2 = tensor.empty() : tensor<64x32xf32>
    %v3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%v2 : tensor<64x32xf32>) {
    ^bb0(%i0_3: f32, %o_3: f32):
      %r3 = math.tanh %i0_3 : f32
      linalg.yield %r3 : f32
    } -> tensor<64x32xf32>
    %v4 = tensor.insert_slice %v3 into %v1[0, 0] [64, 32] [1, 2] : tensor<64x32xf32> into tensor<64x64xf32>
    %v5 = tensor.empty() : tensor<64x32xf32>
    %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%v5 : tensor<64x32xf32>) {
    ^bb0(%i0_6: f32, %o_6: f32):
      %r6 = math.exp %i0_6 : f32
      linalg.yield %r6 : f32
    } -> tensor<64x32xf32>
    %v7 = tensor.insert_slice %v6 into %v4[0, 1] [64, 32] [1, 2] : tensor<64x32xf32> into tensor<64x64xf32>
    %v8 = arith.constant 2.0 : f32
    %v9 = tensor.empty() : tensor<64x64xf32>
    %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v7 : tensor<64x64xf32>) outs(%v9 : tensor<64x64xf32>) {
    ^bb0(%i0_10: f32, %o_10: f32):
      %r10 = arith.mulf %i0_10, %v8 : f32
      linalg.yield %r10 : f32
    } -> tensor<64x64xf32>
    return %v10 : tensor<64x64xf32>
}
