// What is computed and then repeated, as a decoder's convolution before its upsampling: loops that copy tiles hold ops without operands.
// RUN: tt-run %s --check --strict 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole 2>&1 | FileCheck %s %}
// CHECK: result: max abs error {{.*}}: ok
func.func @upsampled(%x: tensor<1x6x6x20xf32>, %w2: tensor<36x3x3x20xf32>, %b2: tensor<36xf32>) -> (tensor<1x12x12x36xf32>) attributes {tt.model} {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v1 = tosa.conv2d %x, %w2, %b2, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x6x20xf32>, tensor<36x3x3x20xf32>, tensor<36xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x36xf32>
  %v2 = tosa.clamp %v1 {max_val = 3.4e38 : f32, min_val = 0.0 : f32} : (tensor<1x6x6x36xf32>) -> tensor<1x6x6x36xf32>
  %scale = "tosa.const_shape"() <{values = dense<[4, 2, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
  %offset = "tosa.const_shape"() <{values = dense<[-1, -1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
  %border = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
  %v3 = tosa.resize %v2, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x6x6x36xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x12x12x36xf32>
  return %v3 : tensor<1x12x12x36xf32>
}
