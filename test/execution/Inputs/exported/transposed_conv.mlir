module {
  func.func @deconv2(%arg0: tensor<1x16x6x6xf32> {tt.name = "x"}, %arg1: tensor<16x16x3x3xf32> {tt.name = "w0"}, %arg2: tensor<8x16x4x4xf32> {tt.name = "w"}) -> tensor<1x8x12x12xf32> attributes {tt.model} {
    %c0 = arith.constant 0.000000e+00 : f32
    %1 = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%p0: index, %p1: index, %p2: index, %p3: index):
      tensor.yield %c0 : f32
    } : tensor<1x16x6x6xf32> to tensor<1x16x8x8xf32>
    %2 = tensor.empty() : tensor<1x16x6x6xf32>
    %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
    %4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%1, %arg1 : tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) outs(%3 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
    %5 = tensor.empty() : tensor<1x16x6x6xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x16x6x6xf32>) outs(%5 : tensor<1x16x6x6xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %c = arith.cmpf ugt, %in0, %c0 : f32
      %r = arith.select %c, %in0, %c0 : f32
      linalg.yield %r : f32
    } -> tensor<1x16x6x6xf32>
    %7 = tensor.empty() : tensor<1x16x15x15xf32>
    %8 = linalg.fill ins(%c0 : f32) outs(%7 : tensor<1x16x15x15xf32>) -> tensor<1x16x15x15xf32>
    %9 = tensor.insert_slice %6 into %8[0, 0, 2, 2] [1, 16, 6, 6] [1, 1, 2, 2] : tensor<1x16x6x6xf32> into tensor<1x16x15x15xf32>
    %10 = tensor.empty() : tensor<1x8x12x12xf32>
    %11 = linalg.fill ins(%c0 : f32) outs(%10 : tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %12 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%9, %arg2 : tensor<1x16x15x15xf32>, tensor<8x16x4x4xf32>) outs(%11 : tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %13 = tensor.empty() : tensor<1x8x12x12xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x8x12x12xf32>) outs(%13 : tensor<1x8x12x12xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.tanh %in0 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x12x12xf32>
    return %14 : tensor<1x8x12x12xf32>
  }
}
