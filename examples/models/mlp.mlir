// A network of two layers, in TOSA as exporters write it: Y = relu(X W1 + b1) W2 + b2, products of bf16 summed in f32.
func.func @mlp(%x: tensor<1x128x256xbf16>, %w1: tensor<1x256x512xbf16>, %b1: tensor<1x1x512xf32>, %w2: tensor<1x512x64xbf16>, %b2: tensor<1x1x64xf32>) -> tensor<1x128x64xf32> attributes {tt.model} {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %h = tosa.matmul %x, %w1, %zp, %zp : (tensor<1x128x256xbf16>, tensor<1x256x512xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x512xf32>
  %hb = tosa.add %h, %b1 : (tensor<1x128x512xf32>, tensor<1x1x512xf32>) -> tensor<1x128x512xf32>
  %r = tosa.clamp %hb {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<1x128x512xf32>) -> tensor<1x128x512xf32>
  %c = tosa.cast %r : (tensor<1x128x512xf32>) -> tensor<1x128x512xbf16>
  %o = tosa.matmul %c, %w2, %zp, %zp : (tensor<1x128x512xbf16>, tensor<1x512x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x64xf32>
  %ob = tosa.add %o, %b2 : (tensor<1x128x64xf32>, tensor<1x1x64xf32>) -> tensor<1x128x64xf32>
  return %ob : tensor<1x128x64xf32>
}
