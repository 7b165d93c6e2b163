// RUN: tt-opt --tt-keep-arguments --verify-diagnostics %s
func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {tt.model} {
  %r = math.exp %x : tensor<4xf32>
  // expected-error @below {{results 0 and 1 are the same tensor; leave one out}}
  return %r, %r : tensor<4xf32>, tensor<4xf32>
}
