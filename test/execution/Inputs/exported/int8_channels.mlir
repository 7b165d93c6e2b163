func.func @int8(%x: tensor<48x128xf32> {tt.name = "x"}, %w: tensor<96x128xi8> {tt.name = "w"}, %zp: tensor<96xi8> {tt.name = "zp"}, %sc: tensor<96xf32> {tt.name = "sc"}) -> tensor<48x96xf32> attributes {tt.model} {
    %v1 = tensor.empty() : tensor<96x128xf32>
    %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w, %zp, %sc : tensor<96x128xi8>, tensor<96xi8>, tensor<96xf32>) outs(%v1 : tensor<96x128xf32>) {
    ^bb0(%i0_2: i8, %i1_2: i8, %i2_2: f32, %o_2: f32):
      %a2 = arith.extsi %i0_2 : i8 to i32
      %b2 = arith.extsi %i1_2 : i8 to i32
      %c2 = arith.subi %a2, %b2 : i32
      %d2 = arith.sitofp %c2 : i32 to f32
      %r2 = arith.mulf %d2, %i2_2 : f32
      linalg.yield %r2 : f32
    } -> tensor<96x128xf32>
    %v3 = tensor.empty() : tensor<128x96xf32>
    %v4 = linalg.transpose ins(%v2 : tensor<96x128xf32>) outs(%v3 : tensor<128x96xf32>) permutation = [1, 0]
    %v5 = tensor.empty() : tensor<48x96xf32>
    %v6 = arith.constant 0.0 : f32
    %v7 = linalg.fill ins(%v6 : f32) outs(%v5 : tensor<48x96xf32>) -> tensor<48x96xf32>
    %v8 = linalg.matmul ins(%x, %v4 : tensor<48x128xf32>, tensor<128x96xf32>) outs(%v7 : tensor<48x96xf32>) -> tensor<48x96xf32>
    %v9 = arith.constant 0.5 : f32
    %v10 = tensor.empty() : tensor<48x96xf32>
    %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v8 : tensor<48x96xf32>) outs(%v10 : tensor<48x96xf32>) {
    ^bb0(%i0_11: f32, %o_11: f32):
      %r11 = arith.mulf %i0_11, %v9 : f32
      linalg.yield %r11 : f32
    } -> tensor<48x96xf32>
    %v12 = arith.constant 0.70710678 : f32
    %v13 = tensor.empty() : tensor<48x96xf32>
    %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v8 : tensor<48x96xf32>) outs(%v13 : tensor<48x96xf32>) {
    ^bb0(%i0_14: f32, %o_14: f32):
      %r14 = arith.mulf %i0_14, %v12 : f32
      linalg.yield %r14 : f32
    } -> tensor<48x96xf32>
    %v15 = tensor.empty() : tensor<48x96xf32>
    %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v14 : tensor<48x96xf32>) outs(%v15 : tensor<48x96xf32>) {
    ^bb0(%i0_16: f32, %o_16: f32):
      %r16 = math.erf %i0_16 : f32
      linalg.yield %r16 : f32
    } -> tensor<48x96xf32>
    %v17 = arith.constant 1.0 : f32
    %v18 = tensor.empty() : tensor<48x96xf32>
    %v19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v16 : tensor<48x96xf32>) outs(%v18 : tensor<48x96xf32>) {
    ^bb0(%i0_19: f32, %o_19: f32):
      %r19 = arith.addf %i0_19, %v17 : f32
      linalg.yield %r19 : f32
    } -> tensor<48x96xf32>
    %v20 = tensor.empty() : tensor<48x96xf32>
    %v21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v11, %v19 : tensor<48x96xf32>, tensor<48x96xf32>) outs(%v20 : tensor<48x96xf32>) {
    ^bb0(%i0_21: f32, %i1_21: f32, %o_21: f32):
      %r21 = arith.mulf %i0_21, %i1_21 : f32
      linalg.yield %r21 : f32
    } -> tensor<48x96xf32>
    return %v21 : tensor<48x96xf32>
}
