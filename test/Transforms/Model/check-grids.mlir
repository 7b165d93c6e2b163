// RUN: tt-opt --tt-model --split-input-file --verify-diagnostics %s
// What is in no grid at the end runs on no core; the error names the op of the model.

func.func @fft(%x: tensor<2x8x32xf32>) -> (tensor<2x8x17xf32>, tensor<2x8x17xf32>) attributes {tt.model} {
  // expected-error @below {{'tosa.rfft2d' has no form on the device: it became a linalg.generic for which no kernel was found}}
  %a, %b = tosa.rfft2d %x : (tensor<2x8x32xf32>) -> (tensor<2x8x17xf32>, tensor<2x8x17xf32>)
  return %a, %b : tensor<2x8x17xf32>, tensor<2x8x17xf32>
}

// -----
// Calls of plain functions are inlined, those of a model are not.
func.func @again(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  // expected-error @below {{a model calls @again, which is a model itself; call a plain function}}
  %r = func.call @again(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func private @layer(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = tosa.tanh %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @layers(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %r = func.call @layer(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = func.call @layer(%r) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
