// Sums and extremes of integers: exact, in any size, of rows, columns and all.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}
// CHECK-COUNT-3: equal: ok
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @integer_reductions(%X: memref<50x70xi32> {tt.name = "X"}, %W: memref<50x70xi8> {tt.name = "W"},
    %S: memref<50xi32> {tt.name = "S"}, %T: memref<i32> {tt.name = "T"}, %M: memref<70xi32> {tt.name = "M"})
    attributes {tt.kernel} {
  %zero = arith.constant 0 : i32
  %least = arith.constant -2147483648 : i32
  linalg.fill ins(%zero : i32) outs(%S : memref<50xi32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<50x70xi32>) outs(%S : memref<50xi32>) {
    ^bb0(%x: i32, %o: i32):
      %r = arith.addi %x, %o : i32
      linalg.yield %r : i32
  }
  linalg.fill ins(%zero : i32) outs(%T : memref<i32>)
  linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%W : memref<50x70xi8>) outs(%T : memref<i32>) {
    ^bb0(%w: i8, %o: i32):
      %x = arith.extsi %w : i8 to i32
      %q = arith.muli %x, %x : i32
      %r = arith.addi %q, %o : i32
      linalg.yield %r : i32
  }
  linalg.fill ins(%least : i32) outs(%M : memref<70xi32>)
  linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%X : memref<50x70xi32>) outs(%M : memref<70xi32>) {
    ^bb0(%x: i32, %o: i32):
      %r = arith.maxsi %x, %o : i32
      linalg.yield %r : i32
  }
  return
}
