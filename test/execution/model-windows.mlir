// A window slides over rows of which the last block would be a smaller one: blocks are alike.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole | FileCheck %s
// RUN: sed 's/60/37/g' %s | tt-run - --check | FileCheck %s
// CHECK: result: {{.*}}: ok
func.func @windows(%x: tensor<1x60x1x64xbf16>, %w: tensor<7x1x64x1xbf16>, %b: tensor<64xf32>) -> tensor<1x60x1x64xf32> attributes {tt.model} {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %y = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 3, 3, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x60x1x64xbf16>, tensor<7x1x64x1xbf16>, tensor<64xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x60x1x64xf32>
  return %y : tensor<1x60x1x64xf32>
}
