// An LSTM over eight steps, in a loop of the host: its state goes from step to step in the same two tensors.
func.func @lstm(%x: tensor<8x32x64xf32> {tt.name = "x"}, %w: tensor<64x256xf32> {tt.name = "w_x"}, %u: tensor<64x256xf32> {tt.name = "w_h"}, %b: tensor<1x256xf32> {tt.name = "b"}, %h0: tensor<32x64xf32> {tt.name = "h"}, %c0: tensor<32x64xf32> {tt.name = "c"}) -> (tensor<32x64xf32>, tensor<32x64xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i8 = arith.constant 8 : index
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %e = tensor.empty() : tensor<32x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x256xf32>) -> tensor<32x256xf32>
  %r:2 = scf.for %t = %i0 to %i8 step %i1 iter_args(%h = %h0, %c = %c0) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
    %xt = tensor.extract_slice %x[%t, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<8x32x64xf32> to tensor<32x64xf32>
    %a = linalg.matmul ins(%xt, %w : tensor<32x64xf32>, tensor<64x256xf32>) outs(%z : tensor<32x256xf32>) -> tensor<32x256xf32>
    %g0 = linalg.matmul ins(%h, %u : tensor<32x64xf32>, tensor<64x256xf32>) outs(%a : tensor<32x256xf32>) -> tensor<32x256xf32>
    %g = tosa.add %g0, %b : (tensor<32x256xf32>, tensor<1x256xf32>) -> tensor<32x256xf32>
    %gi = tensor.extract_slice %g[0, 0] [32, 64] [1, 1] : tensor<32x256xf32> to tensor<32x64xf32>
    %gf = tensor.extract_slice %g[0, 64] [32, 64] [1, 1] : tensor<32x256xf32> to tensor<32x64xf32>
    %gg = tensor.extract_slice %g[0, 128] [32, 64] [1, 1] : tensor<32x256xf32> to tensor<32x64xf32>
    %go = tensor.extract_slice %g[0, 192] [32, 64] [1, 1] : tensor<32x256xf32> to tensor<32x64xf32>
    %si = tosa.sigmoid %gi : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %sf = tosa.sigmoid %gf : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %tg = tosa.tanh %gg : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %so = tosa.sigmoid %go : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %c1 = tosa.mul %sf, %c, %shift : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<1xi8>) -> tensor<32x64xf32>
    %c2 = tosa.mul %si, %tg, %shift : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<1xi8>) -> tensor<32x64xf32>
    %cn = tosa.add %c1, %c2 : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %tc = tosa.tanh %cn : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %hn = tosa.mul %so, %tc, %shift : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<1xi8>) -> tensor<32x64xf32>
    scf.yield %hn, %cn : tensor<32x64xf32>, tensor<32x64xf32>
  }
  return %r#0, %r#1 : tensor<32x64xf32>, tensor<32x64xf32>
}
