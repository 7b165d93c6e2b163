// A known number of keys: in blocks of these where that is faster than kernels whose scores go through DRAM; where all scores of a
// block of queries are on a core at once, as before.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/long.mlir --check --strict --math=fast | FileCheck %s --check-prefix=LONG
// RUN: tt-opt --tt-model %t/short.mlir | FileCheck %s --check-prefix=SHORT
// LONG: att_0_contract {{ *}}contract mulf maximumf subf exp addf truncf divf
// LONG-NEXT: 1 launches
// SHORT-NOT: scf.for {{.*}} step %c128

//--- long.mlir
func.func @att(%q: tensor<4x512x32xbf16> {tt.name = "q"}, %k: tensor<4x2048x32xbf16> {tt.name = "k"}, %v: tensor<4x2048x32xbf16> {tt.name = "v"}) -> tensor<4x512x32xbf16> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %neg = arith.constant -1.0e9 : f32
  %scale = arith.constant 0.17 : f32
  %c0 = arith.constant 0 : index
  %nb = tensor.dim %q, %c0 : tensor<4x512x32xbf16>
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<4x512x32xbf16>
  %nk = tensor.dim %k, %ck : tensor<4x2048x32xbf16>
  %se = tensor.empty() : tensor<4x512x2048xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<4x512x2048xf32>) -> tensor<4x512x2048xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<4x512x32xbf16>, tensor<4x2048x32xbf16>) outs(%sf : tensor<4x512x2048xf32>) -> tensor<4x512x2048xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x512x2048xf32>) outs(%se : tensor<4x512x2048xf32>) {
  ^bb0(%x: f32, %o: f32):
  %y0 = arith.mulf %x, %scale : f32
  linalg.yield %y0 : f32
  } -> tensor<4x512x2048xf32>
  %re = tensor.empty() : tensor<4x512xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<4x512xf32>) -> tensor<4x512xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<4x512xf32>) -> tensor<4x512xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<4x512x2048xf32>) outs(%rl : tensor<4x512xf32>) {
  ^bb0(%x: f32, %o: f32):
  %y = arith.maximumf %x, %o : f32
  linalg.yield %y : f32
  } -> tensor<4x512xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<4x512x2048xf32>, tensor<4x512xf32>) outs(%se : tensor<4x512x2048xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
  %d = arith.subf %x, %mx : f32
  %y = math.exp %d : f32
  linalg.yield %y : f32
  } -> tensor<4x512x2048xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<4x512x2048xf32>) outs(%rz : tensor<4x512xf32>) {
  ^bb0(%x: f32, %o: f32):
  %y = arith.addf %o, %x : f32
  linalg.yield %y : f32
  } -> tensor<4x512xf32>
  %we = tensor.empty() : tensor<4x512x2048xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<4x512x2048xf32>, tensor<4x512xf32>) outs(%we : tensor<4x512x2048xbf16>) {
  ^bb0(%x: f32, %lx: f32, %o: bf16):
  %y = arith.divf %x, %lx : f32
  %z = arith.truncf %y : f32 to bf16
  linalg.yield %z : bf16
  } -> tensor<4x512x2048xbf16>
  %oe = tensor.empty() : tensor<4x512x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x512x32xf32>) -> tensor<4x512x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<4x512x2048xbf16>, tensor<4x2048x32xbf16>) outs(%of : tensor<4x512x32xf32>) -> tensor<4x512x32xf32>
  %ce = tensor.empty() : tensor<4x512x32xbf16>
  %cc = linalg.generic {indexing_maps = [affine_map<(b0, i, x) -> (b0, i, x)> , affine_map<(b0, i, x) -> (b0, i, x)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<4x512x32xf32>) outs(%ce : tensor<4x512x32xbf16>) {
  ^bb0(%x: f32, %o: bf16):
  %y = arith.truncf %x : f32 to bf16
  linalg.yield %y : bf16
  } -> tensor<4x512x32xbf16>
  return %cc : tensor<4x512x32xbf16>
}

//--- short.mlir
func.func @att(%q: tensor<4x64x32xbf16> {tt.name = "q"}, %k: tensor<4x512x32xbf16> {tt.name = "k"}, %v: tensor<4x512x32xbf16> {tt.name = "v"}) -> tensor<4x64x32xbf16> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %neg = arith.constant -1.0e9 : f32
  %scale = arith.constant 0.17 : f32
  %c0 = arith.constant 0 : index
  %nb = tensor.dim %q, %c0 : tensor<4x64x32xbf16>
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<4x64x32xbf16>
  %nk = tensor.dim %k, %ck : tensor<4x512x32xbf16>
  %se = tensor.empty() : tensor<4x64x512xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<4x64x512xf32>) -> tensor<4x64x512xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<4x64x32xbf16>, tensor<4x512x32xbf16>) outs(%sf : tensor<4x64x512xf32>) -> tensor<4x64x512xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x64x512xf32>) outs(%se : tensor<4x64x512xf32>) {
  ^bb0(%x: f32, %o: f32):
  %y0 = arith.mulf %x, %scale : f32
  linalg.yield %y0 : f32
  } -> tensor<4x64x512xf32>
  %re = tensor.empty() : tensor<4x64xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<4x64xf32>) -> tensor<4x64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<4x64xf32>) -> tensor<4x64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<4x64x512xf32>) outs(%rl : tensor<4x64xf32>) {
  ^bb0(%x: f32, %o: f32):
  %y = arith.maximumf %x, %o : f32
  linalg.yield %y : f32
  } -> tensor<4x64xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<4x64x512xf32>, tensor<4x64xf32>) outs(%se : tensor<4x64x512xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
  %d = arith.subf %x, %mx : f32
  %y = math.exp %d : f32
  linalg.yield %y : f32
  } -> tensor<4x64x512xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<4x64x512xf32>) outs(%rz : tensor<4x64xf32>) {
  ^bb0(%x: f32, %o: f32):
  %y = arith.addf %o, %x : f32
  linalg.yield %y : f32
  } -> tensor<4x64xf32>
  %we = tensor.empty() : tensor<4x64x512xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<4x64x512xf32>, tensor<4x64xf32>) outs(%we : tensor<4x64x512xbf16>) {
  ^bb0(%x: f32, %lx: f32, %o: bf16):
  %y = arith.divf %x, %lx : f32
  %z = arith.truncf %y : f32 to bf16
  linalg.yield %z : bf16
  } -> tensor<4x64x512xbf16>
  %oe = tensor.empty() : tensor<4x64x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<4x64x512xbf16>, tensor<4x512x32xbf16>) outs(%of : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %ce = tensor.empty() : tensor<4x64x32xbf16>
  %cc = linalg.generic {indexing_maps = [affine_map<(b0, i, x) -> (b0, i, x)> , affine_map<(b0, i, x) -> (b0, i, x)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<4x64x32xf32>) outs(%ce : tensor<4x64x32xbf16>) {
  ^bb0(%x: f32, %o: bf16):
  %y = arith.truncf %x : f32 to bf16
  linalg.yield %y : bf16
  } -> tensor<4x64x32xbf16>
  return %cc : tensor<4x64x32xbf16>
}
