module {
  func.func @t5bias(%arg0: tensor<32x4xf32> {tt.name = "tab"}, %arg1: tensor<1x4x40x40xf32> {tt.name = "s"}) -> tensor<1x4x40x40xf32> attributes {tt.model} {
    %c0 = arith.constant 16 : i64
    %c1 = arith.constant 8 : i64
    %c2 = arith.constant 0 : i64
    %c3 = arith.constant 15 : i64
    %c4 = arith.constant 32 : i64
    %c5 = arith.constant 0xFF800000 : f32
    %c6 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<40x40xi64>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<40x40xi64>) {
    ^bb0(%out0: i64):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %a = arith.index_cast %i : index to i64
      %b = arith.index_cast %j : index to i64
      %d = arith.subi %b, %a : i64
      %p = arith.cmpi sgt, %d, %c2 : i64
      %n = arith.select %p, %c0, %c2 : i64
      %ab = math.absi %d : i64
      %cl = arith.minsi %ab, %c3 : i64
      %r = arith.addi %n, %cl : i64
      linalg.yield %r : i64
    } -> tensor<40x40xi64>
    %3 = tensor.empty() : tensor<40x40x4xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<40x40xi64>) outs(%3 : tensor<40x40x4xf32>) {
    ^bb0(%in0: i64, %out0: f32):
      %i = arith.index_cast %in0 : i64 to index
      %j = linalg.index 2 : index
      %r = tensor.extract %arg0[%i, %j] : tensor<32x4xf32>
      linalg.yield %r : f32
    } -> tensor<40x40x4xf32>
    %5 = tensor.empty() : tensor<4x40x40xf32>
    %6 = linalg.transpose ins(%4 : tensor<40x40x4xf32>) outs(%5 : tensor<4x40x40xf32>) permutation = [2, 0, 1]
    %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 4, 40, 40] : tensor<4x40x40xf32> into tensor<1x4x40x40xf32>
    %8 = tensor.empty() : tensor<1x4x40x40xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %7 : tensor<1x4x40x40xf32>, tensor<1x4x40x40xf32>) outs(%8 : tensor<1x4x40x40xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x40x40xf32>
    %10 = tensor.empty() : tensor<1x4x40x1xf32>
    %11 = linalg.fill ins(%c5 : f32) outs(%10 : tensor<1x4x40x1xf32>) -> tensor<1x4x40x1xf32>
    %12 = tensor.empty() : tensor<1x4x40x1xi64>
    %13 = linalg.fill ins(%c2 : i64) outs(%12 : tensor<1x4x40x1xi64>) -> tensor<1x4x40x1xi64>
    %14:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x4x40x40xf32>) outs(%13, %11 : tensor<1x4x40x1xi64>, tensor<1x4x40x1xf32>) {
    ^bb0(%in0: f32, %out0: i64, %out1: f32):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in0, %out1 : f32
      %c = arith.cmpf ogt, %in0, %out1 : f32
      %s = arith.select %c, %j, %out0 : i64
      linalg.yield %s, %m : i64, f32
    } -> (tensor<1x4x40x1xi64>, tensor<1x4x40x1xf32>)
    %15 = tensor.empty() : tensor<1x4x40x40xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %14#1 : tensor<1x4x40x40xf32>, tensor<1x4x40x1xf32>) outs(%15 : tensor<1x4x40x40xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x40x40xf32>
    %17 = tensor.empty() : tensor<1x4x40x40xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x4x40x40xf32>) outs(%17 : tensor<1x4x40x40xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x40x40xf32>
    %19 = tensor.empty() : tensor<1x4x40x1xf32>
    %20 = linalg.fill ins(%c6 : f32) outs(%19 : tensor<1x4x40x1xf32>) -> tensor<1x4x40x1xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x4x40x40xf32>) outs(%20 : tensor<1x4x40x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.addf %in0, %out0 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x40x1xf32>
    %22 = tensor.empty() : tensor<1x4x40x40xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<1x4x40x40xf32>, tensor<1x4x40x1xf32>) outs(%22 : tensor<1x4x40x40xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x40x40xf32>
    return %23 : tensor<1x4x40x40xf32>
  }
}
