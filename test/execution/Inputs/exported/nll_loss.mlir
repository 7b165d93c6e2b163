module {
  func.func @loss(%arg0: tensor<16x40xf32> {tt.name = "x"}, %arg1: tensor<16xi64> {tt.name = "y", tt.range = [0, 39]}) -> tensor<f32> attributes {tt.model} {
    %c0 = arith.constant 0xFF800000 : f32
    %c1 = arith.constant 0 : i64
    %c2 = arith.constant 0.000000e+00 : f32
    %c3 = arith.constant 1.600000e+01 : f32
    %1 = tensor.empty() : tensor<16x1xf32>
    %2 = linalg.fill ins(%c0 : f32) outs(%1 : tensor<16x1xf32>) -> tensor<16x1xf32>
    %3 = tensor.empty() : tensor<16x1xi64>
    %4 = linalg.fill ins(%c1 : i64) outs(%3 : tensor<16x1xi64>) -> tensor<16x1xi64>
    %5:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<16x40xf32>) outs(%4, %2 : tensor<16x1xi64>, tensor<16x1xf32>) {
    ^bb0(%in0: f32, %out0: i64, %out1: f32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in0, %out1 : f32
      %c = arith.cmpf ogt, %in0, %out1 : f32
      %s = arith.select %c, %j, %out0 : i64
      linalg.yield %s, %m : i64, f32
    } -> (tensor<16x1xi64>, tensor<16x1xf32>)
    %6 = tensor.empty() : tensor<16x40xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5#1 : tensor<16x40xf32>, tensor<16x1xf32>) outs(%6 : tensor<16x40xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<16x40xf32>
    %8 = tensor.empty() : tensor<16x40xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<16x40xf32>) outs(%8 : tensor<16x40xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<16x40xf32>
    %10 = tensor.empty() : tensor<16x1xf32>
    %11 = linalg.fill ins(%c2 : f32) outs(%10 : tensor<16x1xf32>) -> tensor<16x1xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<16x40xf32>) outs(%11 : tensor<16x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.addf %in0, %out0 : f32
      linalg.yield %r : f32
    } -> tensor<16x1xf32>
    %13 = tensor.empty() : tensor<16x1xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<16x1xf32>) outs(%13 : tensor<16x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.log %in0 : f32
      linalg.yield %r : f32
    } -> tensor<16x1xf32>
    %15 = tensor.empty() : tensor<16x40xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %14 : tensor<16x40xf32>, tensor<16x1xf32>) outs(%15 : tensor<16x40xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<16x40xf32>
    %17 = tensor.empty() : tensor<16xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<16xi64>) outs(%17 : tensor<16xf32>) {
    ^bb0(%in0: i64, %out0: f32):
      %i = arith.index_cast %in0 : i64 to index
      %j = linalg.index 0 : index
      %v = tensor.extract %16[%j, %i] : tensor<16x40xf32>
      %r = arith.negf %v : f32
      linalg.yield %r : f32
    } -> tensor<16xf32>
    %19 = tensor.empty() : tensor<f32>
    %20 = linalg.fill ins(%c2 : f32) outs(%19 : tensor<f32>) -> tensor<f32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%18 : tensor<16xf32>) outs(%20 : tensor<f32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.addf %in0, %out0 : f32
      linalg.yield %r : f32
    } -> tensor<f32>
    %22 = tensor.empty() : tensor<f32>
    %23 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%21 : tensor<f32>) outs(%22 : tensor<f32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.divf %in0, %c3 : f32
      linalg.yield %r : f32
    } -> tensor<f32>
    return %23 : tensor<f32>
  }
}
