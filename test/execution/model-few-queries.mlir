// Few queries and many keys, of which each core takes some: the scale is applied to scores where they are in DST, so that a core
// has as many of them as DST holds.
// RUN: tt-run %s --check --strict | FileCheck %s
// RUN: %if all %{ tt-run %s --arch=blackhole --check --strict | FileCheck %s %}
// CHECK: result: {{.*}}: ok
func.func @att(%q: tensor<2x64x64xbf16> {tt.name = "q"}, %k: tensor<2x1024x64xbf16> {tt.name = "k"}, %v: tensor<2x1024x64xbf16> {tt.name = "v"}) -> tensor<2x64x64xbf16> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %neg = arith.constant -1.0e9 : f32
  %scale = arith.constant 0.17 : f32
  %c0 = arith.constant 0 : index
  %nb = tensor.dim %q, %c0 : tensor<2x64x64xbf16>
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x64x64xbf16>
  %nk = tensor.dim %k, %ck : tensor<2x1024x64xbf16>
  %se = tensor.empty() : tensor<2x64x1024xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x64x1024xf32>) -> tensor<2x64x1024xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x64x64xbf16>, tensor<2x1024x64xbf16>) outs(%sf : tensor<2x64x1024xf32>) -> tensor<2x64x1024xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x64x1024xf32>) outs(%se : tensor<2x64x1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x64x1024xf32>
  %re = tensor.empty() : tensor<2x64xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x64xf32>) -> tensor<2x64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x64xf32>) -> tensor<2x64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x64x1024xf32>) outs(%rl : tensor<2x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x64xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x64x1024xf32>, tensor<2x64xf32>) outs(%se : tensor<2x64x1024xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x64x1024xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x64x1024xf32>) outs(%rz : tensor<2x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x64xf32>
  %we = tensor.empty() : tensor<2x64x1024xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x64x1024xf32>, tensor<2x64xf32>) outs(%we : tensor<2x64x1024xbf16>) {
  ^bb0(%x: f32, %lx: f32, %o: bf16):
    %i = arith.divf %one, %lx : f32
    %y = arith.mulf %x, %i : f32
    %z = arith.truncf %y : f32 to bf16
    linalg.yield %z : bf16
  } -> tensor<2x64x1024xbf16>
  %oe = tensor.empty() : tensor<2x64x64xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x64x1024xbf16>, tensor<2x1024x64xbf16>) outs(%of : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %ce = tensor.empty() : tensor<2x64x64xbf16>
  %cc = linalg.generic {indexing_maps = [affine_map<(b0, i, x) -> (b0, i, x)> , affine_map<(b0, i, x) -> (b0, i, x)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x64x64xf32>) outs(%ce : tensor<2x64x64xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<2x64x64xbf16>
  return %cc : tensor<2x64x64xbf16>
}
