func.func @t5(%q: tensor<4x64x32xf32> {tt.name = "q"}, %k: tensor<4x64x32xf32> {tt.name = "k"}, %v: tensor<4x64x32xf32> {tt.name = "v"}, %w_rel: tensor<32x4xf32> {tt.name = "w_rel"}) -> tensor<4x64x32xf32> attributes {tt.model} {
    %c16 = arith.constant 16 : i64
    %c8 = arith.constant 8 : i64
    %c0 = arith.constant 0 : i64
    %c15 = arith.constant 15 : i64
    %f8 = arith.constant 8.0 : f32
    %lg = arith.constant 2.77258872 : f32
    %v1 = tensor.empty() : tensor<64x64xi64>
    %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%v1 : tensor<64x64xi64>) {
    ^bb0(%o_2: i64):
      %i2 = linalg.index 0 : index
      %j2 = linalg.index 1 : index
      %a2 = arith.index_cast %i2 : index to i64
      %b2 = arith.index_cast %j2 : index to i64
      %d2 = arith.subi %b2, %a2 : i64
      %p2 = arith.cmpi sgt, %d2, %c0 : i64
      %s2 = arith.select %p2, %c16, %c0 : i64
      %ab2 = math.absi %d2 : i64
      %sm2 = arith.cmpi slt, %ab2, %c8 : i64
      %f2 = arith.sitofp %ab2 : i64 to f32
      %g2 = arith.divf %f2, %f8 : f32
      %l2 = math.log %g2 : f32
      %m2 = arith.divf %l2, %lg : f32
      %m82 = arith.mulf %m2, %f8 : f32
      %mi2 = arith.fptosi %m82 : f32 to i64
      %la2 = arith.addi %mi2, %c8 : i64
      %lb2 = arith.minsi %la2, %c15 : i64
      %r2 = arith.select %sm2, %ab2, %lb2 : i64
      %z2 = arith.addi %s2, %r2 : i64
      linalg.yield %z2 : i64
    } -> tensor<64x64xi64>
    %v3 = tensor.empty() : tensor<64x64x4xf32>
    %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v2 : tensor<64x64xi64>) outs(%v3 : tensor<64x64x4xf32>) {
    ^bb0(%i0_4: i64, %o_4: f32):
      %q4 = arith.index_cast %i0_4 : i64 to index
      %hh4 = linalg.index 2 : index
      %e4 = tensor.extract %w_rel[%q4, %hh4] : tensor<32x4xf32>
      linalg.yield %e4 : f32
    } -> tensor<64x64x4xf32>
    %v5 = tensor.empty() : tensor<4x32x64xf32>
    %v6 = linalg.transpose ins(%k : tensor<4x64x32xf32>) outs(%v5 : tensor<4x32x64xf32>) permutation = [0, 2, 1]
    %v7 = tensor.empty() : tensor<4x64x64xf32>
    %v8 = arith.constant 0.0 : f32
    %v9 = linalg.fill ins(%v8 : f32) outs(%v7 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %v10 = linalg.batch_matmul ins(%q, %v6 : tensor<4x64x32xf32>, tensor<4x32x64xf32>) outs(%v9 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %v11 = tensor.empty() : tensor<4x64x64xf32>
    %v12 = linalg.transpose ins(%v4 : tensor<64x64x4xf32>) outs(%v11 : tensor<4x64x64xf32>) permutation = [2, 0, 1]
    %v13 = tensor.empty() : tensor<4x64x64xf32>
    %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10, %v12 : tensor<4x64x64xf32>, tensor<4x64x64xf32>) outs(%v13 : tensor<4x64x64xf32>) {
    ^bb0(%i0_14: f32, %i1_14: f32, %o_14: f32):
      %r14 = arith.addf %i0_14, %i1_14 : f32
      linalg.yield %r14 : f32
    } -> tensor<4x64x64xf32>
    %v15 = tensor.empty() : tensor<4x64xf32>
    %v16 = arith.constant -3.40282347E+38 : f32
    %v17 = linalg.fill ins(%v16 : f32) outs(%v15 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v14 : tensor<4x64x64xf32>) outs(%v17 : tensor<4x64xf32>) {
    ^bb0(%i0_18: f32, %o_18: f32):
      %r18 = arith.maximumf %i0_18, %o_18 : f32
      linalg.yield %r18 : f32
    } -> tensor<4x64xf32>
    %v19 = tensor.expand_shape %v18 [[0], [1, 2]] output_shape [4, 64, 1] : tensor<4x64xf32> into tensor<4x64x1xf32>
    %v20 = tensor.empty() : tensor<4x64x64xf32>
    %v21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v14, %v19 : tensor<4x64x64xf32>, tensor<4x64x1xf32>) outs(%v20 : tensor<4x64x64xf32>) {
    ^bb0(%i0_21: f32, %i1_21: f32, %o_21: f32):
      %r21 = arith.subf %i0_21, %i1_21 : f32
      linalg.yield %r21 : f32
    } -> tensor<4x64x64xf32>
    %v22 = tensor.empty() : tensor<4x64x64xf32>
    %v23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v21 : tensor<4x64x64xf32>) outs(%v22 : tensor<4x64x64xf32>) {
    ^bb0(%i0_23: f32, %o_23: f32):
      %r23 = math.exp %i0_23 : f32
      linalg.yield %r23 : f32
    } -> tensor<4x64x64xf32>
    %v24 = tensor.empty() : tensor<4x64xf32>
    %v25 = arith.constant 0.0 : f32
    %v26 = linalg.fill ins(%v25 : f32) outs(%v24 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %v27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v23 : tensor<4x64x64xf32>) outs(%v26 : tensor<4x64xf32>) {
    ^bb0(%i0_27: f32, %o_27: f32):
      %r27 = arith.addf %i0_27, %o_27 : f32
      linalg.yield %r27 : f32
    } -> tensor<4x64xf32>
    %v28 = tensor.expand_shape %v27 [[0], [1, 2]] output_shape [4, 64, 1] : tensor<4x64xf32> into tensor<4x64x1xf32>
    %v29 = tensor.empty() : tensor<4x64x64xf32>
    %v30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v23, %v28 : tensor<4x64x64xf32>, tensor<4x64x1xf32>) outs(%v29 : tensor<4x64x64xf32>) {
    ^bb0(%i0_30: f32, %i1_30: f32, %o_30: f32):
      %r30 = arith.divf %i0_30, %i1_30 : f32
      linalg.yield %r30 : f32
    } -> tensor<4x64x64xf32>
    %v31 = tensor.empty() : tensor<4x64x32xf32>
    %v32 = arith.constant 0.0 : f32
    %v33 = linalg.fill ins(%v32 : f32) outs(%v31 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
    %v34 = linalg.batch_matmul ins(%v30, %v : tensor<4x64x64xf32>, tensor<4x64x32xf32>) outs(%v33 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
    return %v34 : tensor<4x64x32xf32>
}
