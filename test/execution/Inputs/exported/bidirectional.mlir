// TOSA: sequence reversed for the other direction, both projected, joined, tiled bias (TFLite bidirectional)
func.func @bidi(%x: tensor<1x40x32xf32>, %wf: tensor<1x32x24xf32>, %wb: tensor<1x32x24xf32>, %b: tensor<1x1x24xf32>) -> tensor<1x40x48xf32> attributes {tt.model} {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %t = tosa.const_shape {values = dense<[1, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r = tosa.reverse %x {axis = 1 : i32} : (tensor<1x40x32xf32>) -> tensor<1x40x32xf32>
  %f = tosa.matmul %x, %wf, %z, %z : (tensor<1x40x32xf32>, tensor<1x32x24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x40x24xf32>
  %g = tosa.matmul %r, %wb, %z, %z : (tensor<1x40x32xf32>, tensor<1x32x24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x40x24xf32>
  %gr = tosa.reverse %g {axis = 1 : i32} : (tensor<1x40x24xf32>) -> tensor<1x40x24xf32>
  %c = tosa.concat %f, %gr {axis = 2 : i32} : (tensor<1x40x24xf32>, tensor<1x40x24xf32>) -> tensor<1x40x48xf32>
  %bt = tosa.tile %b, %t : (tensor<1x1x24xf32>, !tosa.shape<3>) -> tensor<1x1x48xf32>
  %s = tosa.add %c, %bt : (tensor<1x40x48xf32>, tensor<1x1x48xf32>) -> tensor<1x40x48xf32>
  %o = tosa.tanh %s : (tensor<1x40x48xf32>) -> tensor<1x40x48xf32>
  return %o : tensor<1x40x48xf32>
}
