func.func @asserts(%x: tensor<?x40xf32>, %y: tensor<?x40xf32>) -> tensor<?x40xf32> attributes {tt.model} {
  %zero = arith.constant 0 : index
  %a = tensor.dim %x, %zero : tensor<?x40xf32>
  %b = tensor.dim %y, %zero : tensor<?x40xf32>
  %same = arith.cmpi eq, %a, %b : index
  cf.assert %same, "sizes differ"
  %r = tosa.add %x, %y : (tensor<?x40xf32>, tensor<?x40xf32>) -> tensor<?x40xf32>
  return %r : tensor<?x40xf32>
}
