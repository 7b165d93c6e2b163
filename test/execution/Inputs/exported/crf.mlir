// CRF forward algorithm: log-sum-exp over previous tags in a loop over time (StableHLO -> linalg)
#pt = affine_map<(b, t, p) -> (b, p)>
#tr = affine_map<(b, t, p) -> (p, t)>
#em = affine_map<(b, t, p) -> (b, t)>
#all = affine_map<(b, t, p) -> (b, t, p)>
func.func @crf(%em: tensor<5x40x9xf32>, %trans: tensor<9x9xf32>) -> tensor<40x9xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<40x9xf32>
  %e3 = tensor.empty() : tensor<40x9x9xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%e : tensor<40x9xf32>) -> tensor<40x9xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%e : tensor<40x9xf32>) -> tensor<40x9xf32>
  %a0 = tensor.extract_slice %em[0, 0, 0] [1, 40, 9] [1, 1, 1] : tensor<5x40x9xf32> to tensor<40x9xf32>
  %r = scf.for %t = %c1 to %c5 step %c1 iter_args(%al = %a0) -> (tensor<40x9xf32>) {
    %x = tensor.extract_slice %em[%t, 0, 0] [1, 40, 9] [1, 1, 1] : tensor<5x40x9xf32> to tensor<40x9xf32>
    %s = linalg.generic {indexing_maps = [#pt, #tr, #em, #all], iterator_types = ["parallel","parallel","parallel"]} ins(%al, %trans, %x : tensor<40x9xf32>, tensor<9x9xf32>, tensor<40x9xf32>) outs(%e3 : tensor<40x9x9xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
      %u = arith.addf %a, %b : f32
      %v = arith.addf %u, %c : f32
      linalg.yield %v : f32
    } -> tensor<40x9x9xf32>
    %mx = linalg.generic {indexing_maps = [#all, #em], iterator_types = ["parallel","parallel","reduction"]} ins(%s : tensor<40x9x9xf32>) outs(%fm : tensor<40x9xf32>) {
    ^bb0(%a: f32, %o: f32):
      %u = arith.maximumf %a, %o : f32
      linalg.yield %u : f32
    } -> tensor<40x9xf32>
    %sm = linalg.generic {indexing_maps = [#all, #em, #em], iterator_types = ["parallel","parallel","reduction"]} ins(%s, %mx : tensor<40x9x9xf32>, tensor<40x9xf32>) outs(%fz : tensor<40x9xf32>) {
    ^bb0(%a: f32, %m: f32, %o: f32):
      %d = arith.subf %a, %m : f32
      %x2 = math.exp %d : f32
      %u = arith.addf %x2, %o : f32
      linalg.yield %u : f32
    } -> tensor<40x9xf32>
    %lg = math.log %sm : tensor<40x9xf32>
    %n = arith.addf %lg, %mx : tensor<40x9xf32>
    scf.yield %n : tensor<40x9xf32>
  }
  return %r : tensor<40x9xf32>
}
