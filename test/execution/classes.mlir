// Classes of floats, flags as numbers, and flags that differ: exact for infinities and NaN.
// RUN: rm -rf %t && mkdir %t && python3 %S/Inputs/comparisons.py %t
// RUN: tt-run %s --check --input X=%t/A.npy | FileCheck %s
// RUN: %if all %{ tt-run %s --check --input X=%t/A.npy --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// CHECK-COUNT-5: max abs error 0, {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @classes(%X: memref<64x64xf32> {tt.name = "X"}, %A: memref<64x64xf32> {tt.name = "A"}, %B: memref<64x64xf32> {tt.name = "B"}, %C: memref<64x64xf32> {tt.name = "C"}, %D: memref<64x64xf32> {tt.name = "D"}, %E: memref<64x64xf32> {tt.name = "E"}) attributes {tt.kernel} {
  %ninf = arith.constant 0xFF800000 : f32
  %pinf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<64x64xf32>) outs(%A, %B, %C, %D, %E : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) {
    ^bb0(%x: f32, %a: f32, %b: f32, %c: f32, %d: f32, %e: f32):
      %is_ninf = arith.cmpf oeq, %x, %ninf : f32
      %r1 = arith.select %is_ninf, %two, %zero : f32
      %num = arith.cmpf oeq, %x, %x : f32
      %r2 = arith.select %num, %one, %zero : f32
      %s1 = arith.addf %r1, %r2 : f32
      %abs = math.absf %x : f32
      %isinf = arith.cmpf oeq, %abs, %pinf : f32
      %r3 = arith.select %isinf, %one, %zero : f32
      %fin = math.isfinite %x : f32
      %r4 = arith.select %fin, %two, %zero : f32
      %s2 = arith.addf %r3, %r4 : f32
      %nan = math.isnan %x : f32
      %inf = arith.cmpf oeq, %abs, %pinf : f32
      %nan_or_inf = arith.ori %nan, %inf : i1
      %nrm = arith.xori %nan, %inf : i1
      %r5 = arith.select %nan_or_inf, %one, %two : f32
      %r6 = arith.select %nrm, %one, %two : f32
      %u = arith.cmpf ult, %x, %one : f32
      %r7 = arith.uitofp %u : i1 to f32
      linalg.yield %s1, %s2, %r5, %r6, %r7 : f32, f32, f32, f32, f32
  }
  return
}
