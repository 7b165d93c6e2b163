// Smallest bytes with a sign, and indices of the largest integers.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}
// CHECK-COUNT-2: equal: ok
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @integer_indices(%X: memref<50x70xi32> {tt.name = "X", tt.range = [-3, 3]}, %W: memref<50x70xi8> {tt.name = "W"},
    %N: memref<50xi8> {tt.name = "N"}, %I: memref<50xi32> {tt.name = "I"}) attributes {tt.kernel} {
  %least = arith.constant -2147483648 : i32
  %most = arith.constant 2147483647 : i32
  %most8 = arith.constant 127 : i8
  %best = memref.alloc() : memref<50xi32>
  linalg.fill ins(%most8 : i8) outs(%N : memref<50xi8>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%W : memref<50x70xi8>) outs(%N : memref<50xi8>) {
    ^bb0(%w: i8, %o: i8):
      %r = arith.minsi %w, %o : i8
      linalg.yield %r : i8
  }
  linalg.fill ins(%least : i32) outs(%best : memref<50xi32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<50x70xi32>) outs(%best : memref<50xi32>) {
    ^bb0(%x: i32, %o: i32):
      %r = arith.maxsi %x, %o : i32
      linalg.yield %r : i32
  }
  linalg.fill ins(%most : i32) outs(%I : memref<50xi32>)
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X, %best : memref<50x70xi32>, memref<50xi32>) outs(%I : memref<50xi32>) {
    ^bb0(%x: i32, %b: i32, %o: i32):
      %j = linalg.index 1 : index
      %ji = arith.index_cast %j : index to i32
      %is = arith.cmpi eq, %x, %b : i32
      %c = arith.select %is, %ji, %most : i32
      %r = arith.minsi %c, %o : i32
      linalg.yield %r : i32
  }
  return
}
