func.func @window16(%q: tensor<2x96x32xf16> {tt.name = "q"}, %k: tensor<2x96x32xf16> {tt.name = "k"}, %v: tensor<2x96x32xf16> {tt.name = "v"}) -> tensor<2x96x32xf16> attributes {tt.model} {
    %v1 = arith.constant -1.0e+30 : f32
    %v2 = tensor.empty() : tensor<2x32x96xf16>
    %v3 = linalg.transpose ins(%k : tensor<2x96x32xf16>) outs(%v2 : tensor<2x32x96xf16>) permutation = [0, 2, 1]
    %v4 = tensor.empty() : tensor<2x96x96xf32>
    %v5 = arith.constant 0.0 : f32
    %v6 = linalg.fill ins(%v5 : f32) outs(%v4 : tensor<2x96x96xf32>) -> tensor<2x96x96xf32>
    %v7 = linalg.batch_matmul ins(%q, %v3 : tensor<2x96x32xf16>, tensor<2x32x96xf16>) outs(%v6 : tensor<2x96x96xf32>) -> tensor<2x96x96xf32>
    %v8 = arith.constant 0.176777 : f32
    %v9 = tensor.empty() : tensor<2x96x96xf32>
    %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7 : tensor<2x96x96xf32>) outs(%v9 : tensor<2x96x96xf32>) {
    ^bb0(%i0_10: f32, %o_10: f32):
      %r10 = arith.mulf %i0_10, %v8 : f32
      linalg.yield %r10 : f32
    } -> tensor<2x96x96xf32>
    %v11 = arith.constant 16 : index
    %v12 = tensor.empty() : tensor<2x96x96xf32>
    %v13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10 : tensor<2x96x96xf32>) outs(%v12 : tensor<2x96x96xf32>) {
    ^bb0(%i0_13: f32, %o_13: f32):
      %i13 = linalg.index 1 : index
      %j13 = linalg.index 2 : index
      %d13 = arith.subi %i13, %j13 : index
      %a13 = arith.cmpi sgt, %j13, %i13 : index
      %b13 = arith.cmpi sge, %d13, %v11 : index
      %c13 = arith.ori %a13, %b13 : i1
      %r13 = arith.select %c13, %v1, %i0_13 : f32
      linalg.yield %r13 : f32
    } -> tensor<2x96x96xf32>
    %v14 = tensor.empty() : tensor<2x96xf32>
    %v15 = arith.constant -3.40282347E+38 : f32
    %v16 = linalg.fill ins(%v15 : f32) outs(%v14 : tensor<2x96xf32>) -> tensor<2x96xf32>
    %v17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v13 : tensor<2x96x96xf32>) outs(%v16 : tensor<2x96xf32>) {
    ^bb0(%i0_17: f32, %o_17: f32):
      %r17 = arith.maximumf %i0_17, %o_17 : f32
      linalg.yield %r17 : f32
    } -> tensor<2x96xf32>
    %v18 = tensor.expand_shape %v17 [[0], [1, 2]] output_shape [2, 96, 1] : tensor<2x96xf32> into tensor<2x96x1xf32>
    %v19 = tensor.empty() : tensor<2x96x96xf32>
    %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v13, %v18 : tensor<2x96x96xf32>, tensor<2x96x1xf32>) outs(%v19 : tensor<2x96x96xf32>) {
    ^bb0(%i0_20: f32, %i1_20: f32, %o_20: f32):
      %r20 = arith.subf %i0_20, %i1_20 : f32
      linalg.yield %r20 : f32
    } -> tensor<2x96x96xf32>
    %v21 = tensor.empty() : tensor<2x96x96xf32>
    %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v20 : tensor<2x96x96xf32>) outs(%v21 : tensor<2x96x96xf32>) {
    ^bb0(%i0_22: f32, %o_22: f32):
      %r22 = math.exp %i0_22 : f32
      linalg.yield %r22 : f32
    } -> tensor<2x96x96xf32>
    %v23 = tensor.empty() : tensor<2x96xf32>
    %v24 = arith.constant 0.0 : f32
    %v25 = linalg.fill ins(%v24 : f32) outs(%v23 : tensor<2x96xf32>) -> tensor<2x96xf32>
    %v26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v22 : tensor<2x96x96xf32>) outs(%v25 : tensor<2x96xf32>) {
    ^bb0(%i0_26: f32, %o_26: f32):
      %r26 = arith.addf %i0_26, %o_26 : f32
      linalg.yield %r26 : f32
    } -> tensor<2x96xf32>
    %v27 = tensor.expand_shape %v26 [[0], [1, 2]] output_shape [2, 96, 1] : tensor<2x96xf32> into tensor<2x96x1xf32>
    %v28 = tensor.empty() : tensor<2x96x96xf32>
    %v29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22, %v27 : tensor<2x96x96xf32>, tensor<2x96x1xf32>) outs(%v28 : tensor<2x96x96xf32>) {
    ^bb0(%i0_29: f32, %i1_29: f32, %o_29: f32):
      %r29 = arith.divf %i0_29, %i1_29 : f32
      linalg.yield %r29 : f32
    } -> tensor<2x96x96xf32>
    %v30 = tensor.empty() : tensor<2x96x96xf16>
    %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v29 : tensor<2x96x96xf32>) outs(%v30 : tensor<2x96x96xf16>) {
    ^bb0(%i0_31: f32, %o_31: f16):
      %r31 = arith.truncf %i0_31 : f32 to f16
      linalg.yield %r31 : f16
    } -> tensor<2x96x96xf16>
    %v32 = tensor.empty() : tensor<2x96x32xf32>
    %v33 = arith.constant 0.0 : f32
    %v34 = linalg.fill ins(%v33 : f32) outs(%v32 : tensor<2x96x32xf32>) -> tensor<2x96x32xf32>
    %v35 = linalg.batch_matmul ins(%v31, %v : tensor<2x96x96xf16>, tensor<2x96x32xf16>) outs(%v34 : tensor<2x96x32xf32>) -> tensor<2x96x32xf32>
    %v36 = tensor.empty() : tensor<2x96x32xf16>
    %v37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v35 : tensor<2x96x32xf32>) outs(%v36 : tensor<2x96x32xf16>) {
    ^bb0(%i0_37: f32, %o_37: f16):
      %r37 = arith.truncf %i0_37 : f32 to f16
      linalg.yield %r37 : f16
    } -> tensor<2x96x32xf16>
    return %v37 : tensor<2x96x32xf16>
}
