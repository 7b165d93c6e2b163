// RUN: tt-opt --tt-model --split-input-file --verify-diagnostics %s
// A function that stays as it is cannot go on calling what takes memrefs then.
func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %r = tosa.tanh %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error @+1 {{calls the model @f, which becomes a host function that takes memrefs, from a function that stays as it is; give that one tt.host, or tt.model and call a plain function}}
  %r = call @f(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
