// A norm over groups of channels, and a convolution with a border: the host function has copies, and calls kernels; the
// reshapes that move elements between tiles are its own as well.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole | FileCheck %s %}
// CHECK: result: max abs error {{.*}}: ok
func.func @group_norm(%x: tensor<1x64x32xf32> {tt.name = "x"}, %b_c: tensor<32xf32> {tt.name = "b_c"}, %w_c: tensor<32x3x3x32xbf16> {tt.name = "w_c"}) -> (tensor<1x8x8x32xf32>) attributes {tt.model} {
  %1 = tosa.const_shape {values = dense<[1, 64, 8, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %2 = tosa.reshape %x, %1 : (tensor<1x64x32xf32>, !tosa.shape<4>) -> tensor<1x64x8x4xf32>
  %3 = tosa.transpose %2 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x64x8x4xf32>) -> tensor<1x8x64x4xf32>
  %4 = tosa.const_shape {values = dense<[1, 8, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %5 = tosa.reshape %3, %4 : (tensor<1x8x64x4xf32>, !tosa.shape<3>) -> tensor<1x8x256xf32>
  %6 = tosa.reduce_sum %5 {axis = 2 : i32} : (tensor<1x8x256xf32>) -> tensor<1x8x1xf32>
  %7 = "tosa.const"() <{values = dense<3.906250e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %9 = tosa.mul %6, %7, %8 : (tensor<1x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x8x1xf32>
  %10 = tosa.sub %5, %9 : (tensor<1x8x256xf32>, tensor<1x8x1xf32>) -> tensor<1x8x256xf32>
  %11 = tosa.mul %10, %10, %8 : (tensor<1x8x256xf32>, tensor<1x8x256xf32>, tensor<1xi8>) -> tensor<1x8x256xf32>
  %12 = tosa.reduce_sum %11 {axis = 2 : i32} : (tensor<1x8x256xf32>) -> tensor<1x8x1xf32>
  %13 = tosa.mul %12, %7, %8 : (tensor<1x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x8x1xf32>
  %14 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %15 = tosa.add %13, %14 : (tensor<1x8x1xf32>, tensor<1x1x1xf32>) -> tensor<1x8x1xf32>
  %16 = tosa.rsqrt %15 : (tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  %17 = tosa.mul %10, %16, %8 : (tensor<1x8x256xf32>, tensor<1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x256xf32>
  %18 = tosa.const_shape {values = dense<[1, 8, 64, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %19 = tosa.reshape %17, %18 : (tensor<1x8x256xf32>, !tosa.shape<4>) -> tensor<1x8x64x4xf32>
  %20 = tosa.transpose %19 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x8x64x4xf32>) -> tensor<1x64x8x4xf32>
  %21 = tosa.const_shape {values = dense<[1, 8, 8, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %22 = tosa.reshape %20, %21 : (tensor<1x64x8x4xf32>, !tosa.shape<4>) -> tensor<1x8x8x32xf32>
  %23 = tosa.cast %22 : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xbf16>
  %24 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %25 = tosa.conv2d %23, %w_c, %b_c, %24, %24 {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x32xbf16>, tensor<32x3x3x32xbf16>, tensor<32xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x8x8x32xf32>
  return %25 : tensor<1x8x8x32xf32>
}

