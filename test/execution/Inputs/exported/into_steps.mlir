func.func @steps(%x: tensor<64x64xf32> {tt.name = "x"}, %y: tensor<64x32xf32> {tt.name = "y"}) -> tensor<64x64xf32> attributes {tt.model} {
    %v1 = tensor.empty() : tensor<64x64xf32>
    %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%v1 : tensor<64x64xf32>) {
    ^bb0(%i0_2: f32, %o_2: f32):
      %r2 = math.exp %i0_2 : f32
      linalg.yield %r2 : f32
    } -> tensor<64x64xf32>
    %v3 = tensor.empty() : tensor<64x32xf32>
    %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%v3 : tensor<64x32xf32>) {
    ^bb0(%i0_4: f32, %o_4: f32):
      %r4 = math.tanh %i0_4 : f32
      linalg.yield %r4 : f32
    } -> tensor<64x32xf32>
    %v5 = tensor.insert_slice %v4 into %v2[0, 0] [64, 32] [1, 2] : tensor<64x32xf32> into tensor<64x64xf32>
    %v6 = arith.constant 2.0 : f32
    %v7 = tensor.empty() : tensor<64x64xf32>
    %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v5 : tensor<64x64xf32>) outs(%v7 : tensor<64x64xf32>) {
    ^bb0(%i0_8: f32, %o_8: f32):
      %r8 = arith.mulf %i0_8, %v6 : f32
      linalg.yield %r8 : f32
    } -> tensor<64x64xf32>
    return %v8 : tensor<64x64xf32>
}
