// Quotients and rests of integers by constants, of 8, 16 and 32 bits, of i64 and of indices: all exact.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2025 --optimize=none | FileCheck %s
// CHECK-COUNT-4: equal: ok
// CHECK: G: max abs error 0,
// CHECK: P: equal: ok
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @integer_division(%A: memref<40x40xi32> {tt.name="A"}, %B: memref<40x40xi8> {tt.name="B"}, %H: memref<40x40xi16> {tt.name="H"}, %L: memref<40xi64> {tt.name="L", tt.range=[0, 90]}, %X: memref<40x40xbf16> {tt.name="X"},
  %C: memref<40x40xi32> {tt.name="C"}, %D: memref<40x40xi32> {tt.name="D"}, %E: memref<40x40xi8> {tt.name="E"}, %F: memref<40x40xi16> {tt.name="F"}, %G: memref<40x40xbf16> {tt.name="G"}, %P: memref<40xi64> {tt.name="P"}) attributes {tt.kernel} {
  %m = arith.constant 1000003 : i32
  %n = arith.constant -10 : i32
  %u = arith.constant 3 : i32
  %b = arith.constant 5 : i8
  %h = arith.constant 1000 : i16
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %l7 = arith.constant 7 : i64
  %z = arith.constant 0.0 : bf16
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<40x40xi32>) outs(%C, %D : memref<40x40xi32>, memref<40x40xi32>) {
    ^bb0(%a: i32, %o: i32, %o2: i32):
      %q = arith.divsi %a, %m : i32
      %r = arith.remsi %a, %n : i32
      %s = arith.subi %q, %r : i32
      %v = arith.divui %a, %u : i32
      %w = arith.floordivsi %a, %u : i32
      %t = arith.xori %v, %w : i32
      linalg.yield %s, %t : i32, i32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%B : memref<40x40xi8>) outs(%E : memref<40x40xi8>) {
    ^bb0(%a: i8, %o: i8):
      %q = arith.divsi %a, %b : i8
      %r = arith.remui %a, %b : i8
      %s = arith.subi %q, %r : i8
      linalg.yield %s : i8
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%H : memref<40x40xi16>) outs(%F : memref<40x40xi16>) {
    ^bb0(%a: i16, %o: i16):
      %q = arith.ceildivsi %a, %h : i16
      %r = arith.divui %a, %h : i16
      %s = arith.muli %q, %r : i16
      linalg.yield %s : i16
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %L : memref<40x40xbf16>, memref<40xi64>) outs(%G : memref<40x40xbf16>) {
    ^bb0(%a: bf16, %l: i64, %o: bf16):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %s = arith.addi %i, %j : index
      %q = arith.divui %s, %c3 : index
      %r = arith.remui %q, %c4 : index
      %p = arith.cmpi ule, %r, %c1 : index
      %ij = arith.index_cast %j : index to i64
      %d = arith.divsi %l, %l7 : i64
      %dd = arith.muli %d, %l7 : i64
      %p2 = arith.cmpi slt, %ij, %dd : i64
      %pp = arith.andi %p, %p2 : i1
      %y = arith.select %pp, %a, %z : bf16
      linalg.yield %y : bf16
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%L : memref<40xi64>) outs(%P : memref<40xi64>) {
    ^bb0(%l: i64, %o: i64):
      %d = arith.remsi %l, %l7 : i64
      %e = arith.subi %d, %l7 : i64
      linalg.yield %e : i64
  }
  return
}
