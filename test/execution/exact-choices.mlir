// Extremes of f32, comparisons with them, and indices are exact: none of the low bits is lost in the
// sources of the FPU, whether numbers are equal but for the last bit, or infinite.
// REQUIRES: all
// RUN: python3 %S/Inputs/exact_choices.py %t.npy
// RUN: tt-run %s --check --input X=%t.npy | FileCheck %s
// RUN: %if all %{ tt-run %s --check --input X=%t.npy --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --input X=%t.npy --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}
// CHECK-COUNT-5: max abs error 0, {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @exact_choices(%X: memref<64x96xf32> {tt.name = "X"}, %M: memref<64xf32> {tt.name = "M"},
                         %L: memref<96xf32> {tt.name = "L"}, %I: memref<64xf32> {tt.name = "I"},
                         %A: memref<64x96xf32> {tt.name = "A"}, %B: memref<64x96xf32> {tt.name = "B"}) attributes {tt.kernel} {
  %below = arith.constant 0xFF800000 : f32
  %above = arith.constant 0x7F800000 : f32
  %none = arith.constant 1.0e9 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<64xf32>
  %l = memref.alloc() : memref<96xf32>
  %idx = memref.alloc() : memref<64xf32>
  linalg.fill ins(%below : f32) outs(%m : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<64x96xf32>) outs(%m : memref<64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %r = arith.maximumf %x, %o : f32
      linalg.yield %r : f32
  }
  linalg.fill ins(%above : f32) outs(%l : memref<96xf32>)
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%X : memref<64x96xf32>) outs(%l : memref<96xf32>) {
    ^bb0(%x: f32, %o: f32):
      %r = arith.minimumf %x, %o : f32
      linalg.yield %r : f32
  }
  linalg.fill ins(%above : f32) outs(%idx : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X, %m : memref<64x96xf32>, memref<64xf32>) outs(%idx : memref<64xf32>) {
    ^bb0(%x: f32, %best: f32, %o: f32):
      %j = linalg.index 1 : index
      %ji = arith.index_cast %j : index to i32
      %jf = arith.sitofp %ji : i32 to f32
      %is = arith.cmpf oeq, %x, %best : f32
      %c = arith.select %is, %jf, %none : f32
      %r = arith.minimumf %c, %o : f32
      linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %m, %l : memref<64x96xf32>, memref<64xf32>, memref<96xf32>)
      outs(%A, %B : memref<64x96xf32>, memref<64x96xf32>) {
    ^bb0(%x: f32, %best: f32, %least: f32, %o: f32, %p: f32):
      %below_best = arith.cmpf olt, %x, %best : f32
      %a = arith.select %below_best, %x, %least : f32
      %least_in_column = arith.cmpf ole, %x, %least : f32
      %b = arith.select %least_in_column, %one, %zero : f32
      linalg.yield %a, %b : f32, f32
  }
  memref.copy %m, %M : memref<64xf32> to memref<64xf32>
  memref.copy %l, %L : memref<96xf32> to memref<96xf32>
  memref.copy %idx, %I : memref<64xf32> to memref<64xf32>
  return
}
