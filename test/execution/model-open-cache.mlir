// Decoding with caches of open length: keys and values go into them where a step says, in place, and attention goes over blocks of
// keys of what they have, in one kernel a step; where most cores would have no work, in kernels that divide the keys. A run says how
// long they are, and where it starts.
// RUN: tt-run %s --grid=2x2 --check --strict --shape keys=2x150x32 --shape values=2x150x32 --input start=77 | FileCheck %s
// RUN: %if all %{ tt-run %s --grid=2x2 --check --strict --arch=blackhole --shape keys=2x40x32 --shape values=2x40x32 --input start=37 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --grid=2x2 --check --strict --shape keys=2x129x32 --shape values=2x129x32 --input start=126 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --strict --shape keys=2x150x32 --shape values=2x150x32 --input start=77 | FileCheck %s --check-prefix=DIVIDED %}
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --shape keys=2x150x32 --shape values=2x150x32 --input start=77 | FileCheck %s --check-prefix=DIVIDED %}
// RUN: %if all %{ not tt-run %s --grid=2x2 --shape keys=2x150x32 --shape values=2x150x32 --input start=148 2>&1 | FileCheck %s --check-prefix=BEHIND %}
// BEHIND: goes from 150 to 151 along dimension 1, which has 150
// DIVIDED-COUNT-3: : ok
// DIVIDED: decode_5_softmax
// CHECK: result0: {{.*}}: ok
// CHECK: result1: {{.*}}: ok
// CHECK: result2: {{.*}}: ok
// CHECK: decode_0_truncf
// CHECK-NEXT: decode_1_mulf
// CHECK-NEXT: decode_2_mulf
// CHECK-NEXT: decode_3_contract {{ *}}contract addi cmpi mulf select softmax truncf divf
// CHECK-NEXT: decode_4
// CHECK-NEXT: 17 launches
func.func @decode(%x: tensor<3x64xf32> {tt.name = "x"}, %keys: tensor<2x?x32xbf16> {tt.name = "keys"}, %values: tensor<2x?x32xbf16> {tt.name = "values"}, %w_q: tensor<64x128xbf16> {tt.name = "w_q"}, %w_k: tensor<64x64xbf16> {tt.name = "w_k"}, %w_v: tensor<64x64xbf16> {tt.name = "w_v"}, %start: index {tt.name = "start"}) -> (tensor<3x4x32xbf16>, tensor<2x?x32xbf16>, tensor<2x?x32xbf16>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %hidden = arith.constant -1.0e9 : f32
  %scale = arith.constant 0.17677669 : f32
  %first = arith.constant 0 : index
  %next = arith.constant 1 : index
  %steps = arith.constant 3 : index
  %context = tensor.dim %keys, %next : tensor<2x?x32xbf16>
  %none = tensor.empty() : tensor<3x4x32xbf16>
  %all:3 = scf.for %i = %first to %steps step %next iter_args(%out = %none, %ks = %keys, %vs = %values) -> (tensor<3x4x32xbf16>, tensor<2x?x32xbf16>, tensor<2x?x32xbf16>) {
    %at = arith.addi %start, %i : index
    %x1 = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<3x64xf32> to tensor<1x64xf32>
    %xe = tensor.empty() : tensor<1x64xbf16>
    %xb = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%x1 : tensor<1x64xf32>) outs(%xe : tensor<1x64xbf16>) {
    ^bb0(%a: f32, %o: bf16):
      %r = arith.truncf %a : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x64xbf16>
    %e128 = tensor.empty() : tensor<1x128xf32>
    %f128 = linalg.fill ins(%zero : f32) outs(%e128 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %e64 = tensor.empty() : tensor<1x64xf32>
    %f64 = linalg.fill ins(%zero : f32) outs(%e64 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %q0 = linalg.matmul ins(%xb, %w_q : tensor<1x64xbf16>, tensor<64x128xbf16>) outs(%f128 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %k0 = linalg.matmul ins(%xb, %w_k : tensor<1x64xbf16>, tensor<64x64xbf16>) outs(%f64 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %v0 = linalg.matmul ins(%xb, %w_v : tensor<1x64xbf16>, tensor<64x64xbf16>) outs(%f64 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %qb = tensor.empty() : tensor<1x128xbf16>
    %q1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%q0 : tensor<1x128xf32>) outs(%qb : tensor<1x128xbf16>) {
    ^bb0(%a: f32, %o: bf16):
      %r = arith.truncf %a : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x128xbf16>
    %kb = tensor.empty() : tensor<1x64xbf16>
    %k1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%k0 : tensor<1x64xf32>) outs(%kb : tensor<1x64xbf16>) {
    ^bb0(%a: f32, %o: bf16):
      %r = arith.truncf %a : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x64xbf16>
    %v1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v0 : tensor<1x64xf32>) outs(%kb : tensor<1x64xbf16>) {
    ^bb0(%a: f32, %o: bf16):
      %r = arith.truncf %a : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x64xbf16>
    %q = tensor.expand_shape %q1 [[0], [1, 2, 3]] output_shape [1, 2, 2, 32] : tensor<1x128xbf16> into tensor<1x2x2x32xbf16>
    %k2 = tensor.expand_shape %k1 [[0], [1, 2]] output_shape [1, 2, 32] : tensor<1x64xbf16> into tensor<1x2x32xbf16>
    %v2 = tensor.expand_shape %v1 [[0], [1, 2]] output_shape [1, 2, 32] : tensor<1x64xbf16> into tensor<1x2x32xbf16>
    %kn = tensor.collapse_shape %k2 [[0, 1], [2]] : tensor<1x2x32xbf16> into tensor<2x32xbf16>
    %vn = tensor.collapse_shape %v2 [[0, 1], [2]] : tensor<1x2x32xbf16> into tensor<2x32xbf16>
    %ks2 = tensor.insert_slice %kn into %ks[0, %at, 0] [2, 1, 32] [1, 1, 1] : tensor<2x32xbf16> into tensor<2x?x32xbf16>
    %vs2 = tensor.insert_slice %vn into %vs[0, %at, 0] [2, 1, 32] [1, 1, 1] : tensor<2x32xbf16> into tensor<2x?x32xbf16>
    %se = tensor.empty(%context) : tensor<1x2x2x?xf32>
    %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<1x2x2x?xf32>) -> tensor<1x2x2x?xf32>
    %s = linalg.contract indexing_maps = [affine_map<(a, h, g, j, d) -> (a, h, g, d)>, affine_map<(a, h, g, j, d) -> (h, j, d)>, affine_map<(a, h, g, j, d) -> (a, h, g, j)>] ins(%q, %ks2 : tensor<1x2x2x32xbf16>, tensor<2x?x32xbf16>) outs(%sf : tensor<1x2x2x?xf32>) -> tensor<1x2x2x?xf32>
    %t = linalg.generic {indexing_maps = [affine_map<(a, h, g, j) -> (a, h, g, j)>, affine_map<(a, h, g, j) -> (a, h, g, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x2x2x?xf32>) outs(%se : tensor<1x2x2x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %j = linalg.index 3 : index
      %seen = arith.cmpi ule, %j, %at : index
      %y = arith.mulf %a, %scale : f32
      %r = arith.select %seen, %y, %hidden : f32
      linalg.yield %r : f32
    } -> tensor<1x2x2x?xf32>
    %pe = tensor.empty(%context) : tensor<1x2x2x?xf32>
    %p = linalg.softmax dimension(3) ins(%t : tensor<1x2x2x?xf32>) outs(%pe : tensor<1x2x2x?xf32>) -> tensor<1x2x2x?xf32>
    %we = tensor.empty(%context) : tensor<1x2x2x?xbf16>
    %w = linalg.generic {indexing_maps = [affine_map<(a, h, g, j) -> (a, h, g, j)>, affine_map<(a, h, g, j) -> (a, h, g, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x2x2x?xf32>) outs(%we : tensor<1x2x2x?xbf16>) {
    ^bb0(%a: f32, %o: bf16):
      %r = arith.truncf %a : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x2x2x?xbf16>
    %oe = tensor.empty() : tensor<1x2x2x32xf32>
    %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %o = linalg.contract indexing_maps = [affine_map<(a, h, g, d, j) -> (a, h, g, j)>, affine_map<(a, h, g, d, j) -> (h, j, d)>, affine_map<(a, h, g, d, j) -> (a, h, g, d)>] ins(%w, %vs2 : tensor<1x2x2x?xbf16>, tensor<2x?x32xbf16>) outs(%of : tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %ob = tensor.empty() : tensor<1x2x2x32xbf16>
    %oc = linalg.generic {indexing_maps = [affine_map<(a, h, g, d) -> (a, h, g, d)>, affine_map<(a, h, g, d) -> (a, h, g, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%o : tensor<1x2x2x32xf32>) outs(%ob : tensor<1x2x2x32xbf16>) {
    ^bb0(%a: f32, %old: bf16):
      %r = arith.truncf %a : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<1x2x2x32xbf16>
    %o4 = tensor.collapse_shape %oc [[0], [1, 2], [3]] : tensor<1x2x2x32xbf16> into tensor<1x4x32xbf16>
    %out2 = tensor.insert_slice %o4 into %out[%i, 0, 0] [1, 4, 32] [1, 1, 1] : tensor<1x4x32xbf16> into tensor<3x4x32xbf16>
    scf.yield %out2, %ks2, %vs2 : tensor<3x4x32xbf16>, tensor<2x?x32xbf16>, tensor<2x?x32xbf16>
  }
  return %all#0, %all#1, %all#2 : tensor<3x4x32xbf16>, tensor<2x?x32xbf16>, tensor<2x?x32xbf16>
}
