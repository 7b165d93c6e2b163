// What a norm works on and a sum adds later, too, is a second result of the norm's kernel, whose
// rows several cores share; it is a result of the model as well.

// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole | FileCheck %s %}
// CHECK: result0: {{.*}}: ok
// CHECK: result1: {{.*}}: ok
// CHECK: norm_0_mulf {{ *}}addf mulf divf rsqrt
// CHECK-NEXT: norm_1_contract
// CHECK-NEXT: 2 launches
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @norm(%x: tensor<70x256xf32>, %y: tensor<70x256xf32>, %w: tensor<256x256xbf16>) -> (tensor<70x256xf32>, tensor<70x256xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 256.0 : f32
  %e = tensor.empty() : tensor<70x256xf32>
  %eb = tensor.empty() : tensor<70x256xbf16>
  %er = tensor.empty() : tensor<70xf32>
  // Leaves the kernel: %t needs it, and the caller.
  %s = linalg.add ins(%x, %y : tensor<70x256xf32>, tensor<70x256xf32>) outs(%e : tensor<70x256xf32>) -> tensor<70x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<70xf32>) -> tensor<70xf32>
  %q = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<70x256xf32>) outs(%f : tensor<70xf32>) {
    ^bb0(%a: f32, %old: f32):
      %0 = arith.mulf %a, %a : f32
      %1 = arith.addf %0, %old : f32
      linalg.yield %1 : f32
  } -> tensor<70xf32>
  %m = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %q : tensor<70x256xf32>, tensor<70xf32>) outs(%e : tensor<70x256xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %0 = arith.divf %b, %n : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %a, %1 : f32
      linalg.yield %2 : f32
  } -> tensor<70x256xf32>
  %c = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<70x256xf32>) outs(%eb : tensor<70x256xbf16>) {
    ^bb0(%a: f32, %old: bf16):
      %0 = arith.truncf %a : f32 to bf16
      linalg.yield %0 : bf16
  } -> tensor<70x256xbf16>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<70x256xf32>) -> tensor<70x256xf32>
  %p = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%c, %w : tensor<70x256xbf16>, tensor<256x256xbf16>) outs(%g : tensor<70x256xf32>) -> tensor<70x256xf32>
  %t = linalg.add ins(%p, %s : tensor<70x256xf32>, tensor<70x256xf32>) outs(%e : tensor<70x256xf32>) -> tensor<70x256xf32>
  %u = linalg.mul ins(%t, %m : tensor<70x256xf32>, tensor<70x256xf32>) outs(%e : tensor<70x256xf32>) -> tensor<70x256xf32>
  return %u, %s : tensor<70x256xf32>, tensor<70x256xf32>
}
