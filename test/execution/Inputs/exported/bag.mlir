module {
  func.func @bag(%arg0: tensor<8x5xi64> {tt.name = "ids", tt.range = [0, 99]}, %arg1: tensor<100x64xf32> {tt.name = "tab"}) -> tensor<8x64xf32> attributes {tt.model} {
    %c0 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<8x64xf32>
    %2 = linalg.fill ins(%c0 : f32) outs(%1 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<8x5xi64>) outs(%2 : tensor<8x64xf32>) {
    ^bb0(%in0: i64, %out0: f32):
      %i = arith.index_cast %in0 : i64 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %arg1[%i, %j] : tensor<100x64xf32>
      %r = arith.addf %v, %out0 : f32
      linalg.yield %r : f32
    } -> tensor<8x64xf32>
    return %3 : tensor<8x64xf32>
  }
}
