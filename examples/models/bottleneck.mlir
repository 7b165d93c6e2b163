// A residual block of three convolutions, into which the batch norms are folded, with strides.
// Written by examples/models/make.py.
func.func @bottleneck(%x: tensor<1x8x32x128xbf16> {tt.name = "x"}, %b_in: tensor<64xf32> {tt.name = "b_in"}, %w_in: tensor<64x1x1x128xbf16> {tt.name = "w_in"}, %b_mid: tensor<64xf32> {tt.name = "b_mid"}, %w_mid: tensor<64x3x3x64xbf16> {tt.name = "w_mid"}, %b_skip: tensor<128xf32> {tt.name = "b_skip"}, %w_skip: tensor<128x1x1x128xbf16> {tt.name = "w_skip"}, %b_out: tensor<128xf32> {tt.name = "b_out"}, %w_out: tensor<128x1x1x64xbf16> {tt.name = "w_out"}) -> (tensor<1x4x16x128xf32>) attributes {tt.model} {
  %1 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %2 = tosa.conv2d %x, %w_in, %b_in, %1, %1 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x32x128xbf16>, tensor<64x1x1x128xbf16>, tensor<64xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x8x32x64xf32>
  %3 = tosa.clamp %2 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x8x32x64xf32>) -> tensor<1x8x32x64xf32>
  %4 = tosa.cast %3 : (tensor<1x8x32x64xf32>) -> tensor<1x8x32x64xbf16>
  %5 = tosa.conv2d %4, %w_mid, %b_mid, %1, %1 {acc_type = f32, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x8x32x64xbf16>, tensor<64x3x3x64xbf16>, tensor<64xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x16x64xf32>
  %6 = tosa.clamp %5 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x4x16x64xf32>) -> tensor<1x4x16x64xf32>
  %7 = tosa.cast %6 : (tensor<1x4x16x64xf32>) -> tensor<1x4x16x64xbf16>
  %8 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %9 = tosa.const_shape {values = dense<[1, 7, 32, 128]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %10 = tosa.slice %x, %8, %9 : (tensor<1x8x32x128xbf16>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x32x128xbf16>
  %11 = tosa.const_shape {values = dense<[1, 7, 31, 128]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %12 = tosa.slice %10, %8, %11 : (tensor<1x7x32x128xbf16>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x7x31x128xbf16>
  %13 = tosa.conv2d %12, %w_skip, %b_skip, %1, %1 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x7x31x128xbf16>, tensor<128x1x1x128xbf16>, tensor<128xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x16x128xf32>
  %14 = tosa.conv2d %7, %w_out, %b_out, %1, %1 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x16x64xbf16>, tensor<128x1x1x64xbf16>, tensor<128xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x16x128xf32>
  %15 = tosa.add %14, %13 : (tensor<1x4x16x128xf32>, tensor<1x4x16x128xf32>) -> tensor<1x4x16x128xf32>
  %16 = tosa.clamp %15 {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x4x16x128xf32>) -> tensor<1x4x16x128xf32>
  return %16 : tensor<1x4x16x128xf32>
}
