module {
  func.func @greedy(%arg0: tensor<4x64xf32> {tt.name = "h"}, %arg1: tensor<90x64xf32> {tt.name = "w"}, %arg2: tensor<90x64xf32> {tt.name = "tab"}, %arg3: tensor<64x64xf32> {tt.name = "w1"}) -> tensor<4x64xf32> attributes {tt.model} {
    %c0 = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 0xFF800000 : f32
    %c2 = arith.constant 0 : i64
    %c3 = arith.constant 90 : i64
    %1 = tensor.empty() : tensor<64x90xf32>
    %2 = linalg.transpose ins(%arg1 : tensor<90x64xf32>) outs(%1 : tensor<64x90xf32>) permutation = [1, 0]
    %3 = tensor.empty() : tensor<4x90xf32>
    %4 = linalg.fill ins(%c0 : f32) outs(%3 : tensor<4x90xf32>) -> tensor<4x90xf32>
    %5 = linalg.matmul ins(%arg0, %2 : tensor<4x64xf32>, tensor<64x90xf32>) outs(%4 : tensor<4x90xf32>) -> tensor<4x90xf32>
    %6 = tensor.empty() : tensor<4xf32>
    %7 = linalg.fill ins(%c1 : f32) outs(%6 : tensor<4xf32>) -> tensor<4xf32>
    %8 = tensor.empty() : tensor<4xi64>
    %9 = linalg.fill ins(%c2 : i64) outs(%8 : tensor<4xi64>) -> tensor<4xi64>
    %10:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<4x90xf32>) outs(%9, %7 : tensor<4xi64>, tensor<4xf32>) {
    ^bb0(%in0: f32, %out0: i64, %out1: f32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in0, %out1 : f32
      %c = arith.cmpf ogt, %in0, %out1 : f32
      %s = arith.select %c, %j, %out0 : i64
      linalg.yield %s, %m : i64, f32
    } -> (tensor<4xi64>, tensor<4xf32>)
    %11 = tensor.empty() : tensor<4x64xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10#0 : tensor<4xi64>) outs(%11 : tensor<4x64xf32>) {
    ^bb0(%in0: i64, %out0: f32):
      %i = arith.index_cast %in0 : i64 to index
      %j = linalg.index 1 : index
      %r = tensor.extract %arg2[%i, %j] : tensor<90x64xf32>
      linalg.yield %r : f32
    } -> tensor<4x64xf32>
    %13 = tensor.empty() : tensor<64x64xf32>
    %14 = linalg.transpose ins(%arg3 : tensor<64x64xf32>) outs(%13 : tensor<64x64xf32>) permutation = [1, 0]
    %15 = tensor.empty() : tensor<4x64xf32>
    %16 = linalg.fill ins(%c0 : f32) outs(%15 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %17 = linalg.matmul ins(%arg0, %14 : tensor<4x64xf32>, tensor<64x64xf32>) outs(%16 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %18 = tensor.empty() : tensor<4x64xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17, %12 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%18 : tensor<4x64xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<4x64xf32>
    %20 = tensor.empty() : tensor<4x64xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<4x64xf32>) outs(%20 : tensor<4x64xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.tanh %in0 : f32
      linalg.yield %r : f32
    } -> tensor<4x64xf32>
    %22 = tensor.empty() : tensor<64x90xf32>
    %23 = linalg.transpose ins(%arg1 : tensor<90x64xf32>) outs(%22 : tensor<64x90xf32>) permutation = [1, 0]
    %24 = tensor.empty() : tensor<4x90xf32>
    %25 = linalg.fill ins(%c0 : f32) outs(%24 : tensor<4x90xf32>) -> tensor<4x90xf32>
    %26 = linalg.matmul ins(%21, %23 : tensor<4x64xf32>, tensor<64x90xf32>) outs(%25 : tensor<4x90xf32>) -> tensor<4x90xf32>
    %27 = tensor.empty() : tensor<4xf32>
    %28 = linalg.fill ins(%c1 : f32) outs(%27 : tensor<4xf32>) -> tensor<4xf32>
    %29 = tensor.empty() : tensor<4xi64>
    %30 = linalg.fill ins(%c2 : i64) outs(%29 : tensor<4xi64>) -> tensor<4xi64>
    %31:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%26 : tensor<4x90xf32>) outs(%30, %28 : tensor<4xi64>, tensor<4xf32>) {
    ^bb0(%in0: f32, %out0: i64, %out1: f32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in0, %out1 : f32
      %c = arith.cmpf ogt, %in0, %out1 : f32
      %s = arith.select %c, %j, %out0 : i64
      linalg.yield %s, %m : i64, f32
    } -> (tensor<4xi64>, tensor<4xf32>)
    %32 = tensor.empty() : tensor<4x64xf32>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%31#0 : tensor<4xi64>) outs(%32 : tensor<4x64xf32>) {
    ^bb0(%in0: i64, %out0: f32):
      %i = arith.index_cast %in0 : i64 to index
      %j = linalg.index 1 : index
      %r = tensor.extract %arg2[%i, %j] : tensor<90x64xf32>
      linalg.yield %r : f32
    } -> tensor<4x64xf32>
    %34 = tensor.empty() : tensor<64x64xf32>
    %35 = linalg.transpose ins(%arg3 : tensor<64x64xf32>) outs(%34 : tensor<64x64xf32>) permutation = [1, 0]
    %36 = tensor.empty() : tensor<4x64xf32>
    %37 = linalg.fill ins(%c0 : f32) outs(%36 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %38 = linalg.matmul ins(%21, %35 : tensor<4x64xf32>, tensor<64x64xf32>) outs(%37 : tensor<4x64xf32>) -> tensor<4x64xf32>
    %39 = tensor.empty() : tensor<4x64xf32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%38, %33 : tensor<4x64xf32>, tensor<4x64xf32>) outs(%39 : tensor<4x64xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<4x64xf32>
    %41 = tensor.empty() : tensor<4x64xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<4x64xf32>) outs(%41 : tensor<4x64xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.tanh %in0 : f32
      linalg.yield %r : f32
    } -> tensor<4x64xf32>
    return %42 : tensor<4x64xf32>
  }
}
