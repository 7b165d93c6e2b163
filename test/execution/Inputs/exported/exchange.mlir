func.func @swaploop3(%a: tensor<64x64xf32> {tt.name = "a"}, %b: tensor<64x64xf32> {tt.name = "b"}, %c: tensor<64x64xf32> {tt.name = "c"}) -> (tensor<64x64xf32>, tensor<64x64xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:3 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b, %z = %c) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
    %e = tensor.empty() : tensor<64x64xf32>
    %s = linalg.sub ins(%x, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %y, %z, %x : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  %e2 = tensor.empty() : tensor<64x64xf32>
  %q = linalg.sub ins(%r#0, %r#2 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %q, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
