// Indices of largest elements as integers: the comparison that finds them sees all bits of f32.
// RUN: python3 %S/Inputs/exact_choices.py %t.npy
// RUN: tt-run %s --check --input X=%t.npy | FileCheck %s
// RUN: %if all %{ tt-run %s --check --input X=%t.npy --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// CHECK: M: max abs error 0, {{.*}}: ok
// CHECK: I: equal: ok
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @argmax(%X: memref<64x96xf32> {tt.name = "X"}, %M: memref<64xf32> {tt.name = "M"}, %I: memref<64xi32> {tt.name = "I"}) attributes {tt.kernel} {
  %below = arith.constant 0xFF800000 : f32
  %big = arith.constant 1000 : i32
  %m = memref.alloc() : memref<64xf32>
  %idx = memref.alloc() : memref<64xi32>
  linalg.fill ins(%below : f32) outs(%m : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<64x96xf32>) outs(%m : memref<64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %r = arith.maximumf %x, %o : f32
      linalg.yield %r : f32
  }
  linalg.fill ins(%big : i32) outs(%idx : memref<64xi32>)
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X, %m : memref<64x96xf32>, memref<64xf32>) outs(%idx : memref<64xi32>) {
    ^bb0(%x: f32, %best: f32, %o: i32):
      %j = linalg.index 1 : index
      %ji = arith.index_cast %j : index to i32
      %is = arith.cmpf oeq, %x, %best : f32
      %c = arith.select %is, %ji, %big : i32
      %r = arith.minsi %c, %o : i32
      linalg.yield %r : i32
  }
  memref.copy %m, %M : memref<64xf32> to memref<64xf32>
  memref.copy %idx, %I : memref<64xi32> to memref<64xi32>
  return
}
