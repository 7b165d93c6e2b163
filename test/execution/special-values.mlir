// Infinities and NaN in comparisons, casts that round amid a body, integers without a sign.
// REQUIRES: all
// RUN: rm -rf %t && mkdir %t && python3 %S/Inputs/special_values.py %t
// RUN: tt-run %s --check --input S=%t/S.npy --input F=%t/F.npy --input I=%t/I.npy | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 --input S=%t/S.npy --input F=%t/F.npy --input I=%t/I.npy | FileCheck %s %}
// CHECK: GUARD: max abs error 0,
// CHECK: FINITE: max abs error 0,
// CHECK: HALF: max abs error 0,
// CHECK: BRAIN: max abs error 0,
// CHECK: WRAP: max abs error 0,
// CHECK: U: {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @special(%S: memref<64x64xf32> {tt.name = "S"}, %F: memref<64x64xf32> {tt.name = "F"}, %I: memref<64x64xi32> {tt.name = "I"},
                   %G: memref<64x64xf32> {tt.name = "GUARD"}, %N: memref<64x64xf32> {tt.name = "FINITE"},
                   %H: memref<64x64xf32> {tt.name = "HALF"}, %B: memref<64x64xf32> {tt.name = "BRAIN"},
                   %W: memref<64x64xf32> {tt.name = "WRAP"}, %U: memref<64x64xf32> {tt.name = "U"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  // The guard of a row that is masked as a whole: NaN counts as 2, then -inf as 0.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%S : memref<64x64xf32>) outs(%G : memref<64x64xf32>) {
  ^bb0(%s: f32, %o: f32):
    %number = arith.cmpf oeq, %s, %s : f32
    %t = arith.select %number, %s, %two : f32
    %masked = arith.cmpf oeq, %t, %low : f32
    %r = arith.select %masked, %zero, %t : f32
    %above = arith.cmpf ogt, %low, %r : f32
    %q = arith.select %above, %two, %r : f32
    %top = arith.cmpf oge, %q, %high : f32
    %v = arith.select %top, %one, %q : f32
    linalg.yield %v : f32
  }
  // 1 where a value is finite, 2 where it is none.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%S : memref<64x64xf32>) outs(%N : memref<64x64xf32>) {
  ^bb0(%s: f32, %o: f32):
    %none = arith.cmpf uno, %s, %one : f32
    %below = arith.cmpf olt, %s, %high : f32
    %over = arith.cmpf one, %s, %low : f32
    %both = arith.andi %below, %over : i1
    %f = arith.select %both, %one, %zero : f32
    %v = arith.select %none, %two, %f : f32
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%F : memref<64x64xf32>) outs(%H : memref<64x64xf32>) {
  ^bb0(%f: f32, %o: f32):
    %h = arith.truncf %f : f32 to f16
    %w = arith.extf %h : f16 to f32
    linalg.yield %w : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%F : memref<64x64xf32>) outs(%B : memref<64x64xf32>) {
  ^bb0(%f: f32, %o: f32):
    %b = arith.truncf %f : f32 to bf16
    %w = arith.extf %b : bf16 to f32
    %rest = arith.subf %f, %w : f32
    linalg.yield %rest : f32
  }
  // A window behind the diagonal: where the difference is below 0, it counts as a large number.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%F : memref<64x64xf32>) outs(%W : memref<64x64xf32>) {
  ^bb0(%f: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %behind = arith.subi %i, %j : index
    %c5 = arith.constant 5 : index
    %near = arith.cmpi ult, %behind, %c5 : index
    %far = arith.cmpi uge, %behind, %i : index
    %a = arith.select %near, %one, %zero : f32
    %b = arith.select %far, %two, %zero : f32
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%I : memref<64x64xi32>) outs(%U : memref<64x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %u = arith.uitofp %i : i32 to f32
    linalg.yield %u : f32
  }
  return
}
