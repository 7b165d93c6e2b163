// A depthwise convolution and one of single pixels, each with relu, and the mean of all pixels.
// Written by examples/models/make.py.
func.func @depthwise(%x: tensor<1x8x32x64xbf16> {tt.name = "x"}, %b_depth: tensor<64xf32> {tt.name = "b_depth"}, %w_depth: tensor<3x3x64x1xbf16> {tt.name = "w_depth"}, %b_point: tensor<96xf32> {tt.name = "b_point"}, %w_point: tensor<96x1x1x64xbf16> {tt.name = "w_point"}) -> (tensor<1x1x96xf32>) attributes {tt.model} {
  %1 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %2 = tosa.depthwise_conv2d %x, %w_depth, %b_depth, %1, %1 {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x32x64xbf16>, tensor<3x3x64x1xbf16>, tensor<64xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x8x32x64xf32>
  %3 = tosa.clamp %2 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x8x32x64xf32>) -> tensor<1x8x32x64xf32>
  %4 = tosa.cast %3 : (tensor<1x8x32x64xf32>) -> tensor<1x8x32x64xbf16>
  %5 = tosa.conv2d %4, %w_point, %b_point, %1, %1 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x32x64xbf16>, tensor<96x1x1x64xbf16>, tensor<96xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x8x32x96xf32>
  %6 = tosa.clamp %5 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x8x32x96xf32>) -> tensor<1x8x32x96xf32>
  %7 = tosa.const_shape {values = dense<[1, 256, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %8 = tosa.reshape %6, %7 : (tensor<1x8x32x96xf32>, !tosa.shape<3>) -> tensor<1x256x96xf32>
  %9 = tosa.reduce_sum %8 {axis = 1 : i32} : (tensor<1x256x96xf32>) -> tensor<1x1x96xf32>
  %10 = "tosa.const"() <{values = dense<3.906250e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %12 = tosa.mul %9, %10, %11 : (tensor<1x1x96xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x96xf32>
  return %12 : tensor<1x1x96xf32>
}
