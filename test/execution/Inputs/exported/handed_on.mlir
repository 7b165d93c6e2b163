func.func @swaploop4(%a: tensor<64x64xf32> {tt.name = "a"}, %b: tensor<64x64xf32> {tt.name = "b"}, %row: tensor<5x64xf32> {tt.name = "row"}) -> (tensor<64x64xf32>, tensor<64x64xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %s = tensor.extract_slice %row[%i, 0] [1, 64] [1, 1] : tensor<5x64xf32> to tensor<1x64xf32>
    %n = tensor.insert_slice %s into %x[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<64x64xf32>
    scf.yield %n, %x : tensor<64x64xf32>, tensor<64x64xf32>
  }
  return %r#0, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
