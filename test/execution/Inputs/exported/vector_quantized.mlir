// vector quantization: distances to codes, argmin (TOSA argmax of negated), gather the codes, straight-through sum
func.func @vq(%x: tensor<1x48x32xf32>, %codes: tensor<1x64x32xf32>) -> (tensor<1x48x32xf32>, tensor<1x48xi32>) attributes {tt.model} {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %sh = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %two = "tosa.const"() <{values = dense<2.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %ct = tosa.transpose %codes {perms = array<i32: 0, 2, 1>} : (tensor<1x64x32xf32>) -> tensor<1x32x64xf32>
  %d = tosa.matmul %x, %ct, %zp, %zp : (tensor<1x48x32xf32>, tensor<1x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x48x64xf32>
  %d2 = tosa.mul %d, %two, %sh : (tensor<1x48x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %sq = tosa.mul %ct, %ct, %sh : (tensor<1x32x64xf32>, tensor<1x32x64xf32>, tensor<1xi8>) -> tensor<1x32x64xf32>
  %n = tosa.reduce_sum %sq {axis = 1 : i32} : (tensor<1x32x64xf32>) -> tensor<1x1x64xf32>
  %s = tosa.sub %d2, %n : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %i = tosa.argmax %s {axis = 2 : i32} : (tensor<1x48x64xf32>) -> tensor<1x48xi32>
  %q = tosa.gather %codes, %i : (tensor<1x64x32xf32>, tensor<1x48xi32>) -> tensor<1x48x32xf32>
  %df = tosa.sub %q, %x : (tensor<1x48x32xf32>, tensor<1x48x32xf32>) -> tensor<1x48x32xf32>
  %r = tosa.add %x, %df : (tensor<1x48x32xf32>, tensor<1x48x32xf32>) -> tensor<1x48x32xf32>
  return %r, %i : tensor<1x48x32xf32>, tensor<1x48xi32>
}
