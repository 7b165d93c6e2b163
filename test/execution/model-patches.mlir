// A convolution whose windows lie side by side, as between the stages of a network, with channels that are no whole tiles: the rows of
// its weights, 48 for each place in a window, stay together, since the next ones begin inside of a tile.
// RUN: tt-run %s --check --math=fast 2>&1 | FileCheck %s
// RUN: tt-run %s --arch=blackhole --check --math=fast 2>&1 | FileCheck %s
// CHECK: result: {{.*}} ok
// RUN: tt-opt --tt-model %s | FileCheck %s --check-prefix=WHOLE
// WHOLE: memref.copy {{.*}} memref<48x32xf32, {{.*}} to memref<48x32xf32,
func.func @down(%x: tensor<1x48x6x6xf32> {tt.name = "x"}, %w: tensor<32x48x2x2xf32> {tt.name = "w"})
    -> (tensor<1x32x3x3xf32> {tt.name = "y"}) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x3x3xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x3x3xf32>) -> tensor<1x32x3x3xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<1x48x6x6xf32>, tensor<32x48x2x2xf32>) outs(%sums : tensor<1x32x3x3xf32>) -> tensor<1x32x3x3xf32>
  return %y : tensor<1x32x3x3xf32>
}
