// Expressions that are one function of the vector unit are as accurate as what is written.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --optimize=none --metalium-api=2026-03 | FileCheck %s %}
// CHECK-COUNT-4: : ok
#id = affine_map<(i, j) -> (i, j)>
func.func @functions_fused(%X: memref<64x64xf32> {tt.name = "X"}, %S: memref<64x64xf32> {tt.name = "S"},
                           %U: memref<64x64xf32> {tt.name = "U"}, %T: memref<64x64xf32> {tt.name = "T"},
                           %R: memref<64x64xf32> {tt.name = "R"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<64x64xf32>) outs(%S, %U, %T, %R : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) {
    ^bb0(%x: f32, %o: f32, %p: f32, %q: f32, %r: f32):
      %n = arith.negf %x : f32
      %e = math.exp %n : f32
      %d = arith.addf %one, %e : f32
      %sigmoid = arith.divf %one, %d : f32
      %silu = arith.mulf %sigmoid, %x : f32
      %m = arith.mulf %x, %two : f32
      %te = math.exp %m : f32
      %up = arith.subf %te, %one : f32
      %down = arith.addf %te, %one : f32
      %tanh = arith.divf %up, %down : f32
      %square = arith.mulf %n, %n : f32
      %s = arith.addf %square, %one : f32
      %recip = arith.divf %one, %s : f32
      linalg.yield %sigmoid, %silu, %tanh, %recip : f32, f32, f32, f32
  }
  return
}
