func.func @exchange(%x: tensor<64x64xf32> {tt.name = "x"}, %y: tensor<64x64xf32> {tt.name = "y"}) -> tensor<64x64xf32> attributes {tt.model} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %l:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    scf.yield %b, %a : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %v1 = tensor.empty() : tensor<64x64xf32>
    %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%l#1, %l#1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%v1 : tensor<64x64xf32>) {
    ^bb0(%i0_2: f32, %i1_2: f32, %o_2: f32):
      %r2 = arith.mulf %i0_2, %i1_2 : f32
      linalg.yield %r2 : f32
    } -> tensor<64x64xf32>
    %v3 = tensor.empty() : tensor<64x64xf32>
    %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%l#0, %v2 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%v3 : tensor<64x64xf32>) {
    ^bb0(%i0_4: f32, %i1_4: f32, %o_4: f32):
      %r4 = arith.subf %i0_4, %i1_4 : f32
      linalg.yield %r4 : f32
    } -> tensor<64x64xf32>
    return %v4 : tensor<64x64xf32>
}
