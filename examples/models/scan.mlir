// A selective scan, as in a Mamba block: a state that each step of a loop decays, feeds and reads.
func.func @scan(%x: tensor<4x64xf32> {tt.name = "x"}, %dt: tensor<4x64xf32>, %a: tensor<64x32xf32>, %bs: tensor<4x32xf32>, %cs: tensor<4x32xf32>, %h0: tensor<64x32xf32>) -> tensor<4x64xf32> attributes {tt.model} {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<4x64xf32>
  %eh = tensor.empty() : tensor<64x32xf32>
  %ey = tensor.empty() : tensor<64xf32>
  %r:2 = scf.for %t = %i0 to %i4 step %i1 iter_args(%h = %h0, %out = %none) -> (tensor<64x32xf32>, tensor<4x64xf32>) {
    %xt = tensor.extract_slice %x[%t, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<64xf32>
    %d = tensor.extract_slice %dt[%t, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<64xf32>
    %b = tensor.extract_slice %bs[%t, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<32xf32>
    %c = tensor.extract_slice %cs[%t, 0] [1, 32] [1, 1] : tensor<4x32xf32> to tensor<32xf32>
    %h1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%h, %a, %d, %xt, %b : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32xf32>) outs(%eh : tensor<64x32xf32>) {
    ^bb0(%hv: f32, %av: f32, %dv: f32, %xv: f32, %bv: f32, %o: f32):
      %0 = arith.mulf %av, %dv : f32
      %1 = math.exp %0 : f32
      %2 = arith.mulf %1, %hv : f32
      %3 = arith.mulf %dv, %xv : f32
      %4 = arith.mulf %3, %bv : f32
      %5 = arith.addf %2, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<64x32xf32>
    %fy = linalg.fill ins(%zero : f32) outs(%ey : tensor<64xf32>) -> tensor<64xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%h1, %c : tensor<64x32xf32>, tensor<32xf32>) outs(%fy : tensor<64xf32>) {
    ^bb0(%hv: f32, %cv: f32, %o: f32):
      %0 = arith.mulf %hv, %cv : f32
      %1 = arith.addf %0, %o : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %o2 = tensor.insert_slice %y into %out[%t, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<4x64xf32>
    scf.yield %h1, %o2 : tensor<64x32xf32>, tensor<4x64xf32>
  }
  return %r#1 : tensor<4x64xf32>
}
