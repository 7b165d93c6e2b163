// A block of an MLP-Mixer: a perceptron over patches, between two transpositions, and one over channels.
func.func @mixer(%x: tensor<1x64x96xf32> {tt.name = "x"}, %w1: tensor<1x64x128xf32> {tt.name = "w_1"}, %w2: tensor<1x128x64xf32> {tt.name = "w_2"}, %w3: tensor<1x96x192xf32> {tt.name = "w_3"}, %w4: tensor<1x192x96xf32> {tt.name = "w_4"}) -> tensor<1x64x96xf32> attributes {tt.model} {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %t = tosa.transpose %x {perms = array<i32: 0, 2, 1>} : (tensor<1x64x96xf32>) -> tensor<1x96x64xf32>
  %a = tosa.matmul %t, %w1, %z, %z : (tensor<1x96x64xf32>, tensor<1x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x96x128xf32>
  %g = tosa.sigmoid %a : (tensor<1x96x128xf32>) -> tensor<1x96x128xf32>
  %b = tosa.matmul %g, %w2, %z, %z : (tensor<1x96x128xf32>, tensor<1x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x96x64xf32>
  %u = tosa.transpose %b {perms = array<i32: 0, 2, 1>} : (tensor<1x96x64xf32>) -> tensor<1x64x96xf32>
  %y = tosa.add %x, %u : (tensor<1x64x96xf32>, tensor<1x64x96xf32>) -> tensor<1x64x96xf32>
  %c = tosa.matmul %y, %w3, %z, %z : (tensor<1x64x96xf32>, tensor<1x96x192xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x64x192xf32>
  %h = tosa.tanh %c : (tensor<1x64x192xf32>) -> tensor<1x64x192xf32>
  %d = tosa.matmul %h, %w4, %z, %z : (tensor<1x64x192xf32>, tensor<1x192x96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x64x96xf32>
  %r = tosa.add %y, %d : (tensor<1x64x96xf32>, tensor<1x64x96xf32>) -> tensor<1x64x96xf32>
  return %r : tensor<1x64x96xf32>
}
