// Quotients and rests of integers by elements, with and without signs, rounded in every way, of any size: all exact. By 0 there is
// none, which --check says.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/all.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/all.mlir --check --arch=blackhole --metalium-api=2025 --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/sides.mlir --check | FileCheck %s --check-prefix=SIDES %}
// RUN: %if all %{ tt-run %t/sides.mlir --check --arch=blackhole --metalium-api=2026-03 --optimize=none | FileCheck %s --check-prefix=SIDES %}
// RUN: not tt-run %t/zero.mlir --check --input B=%S/Inputs/zeros.npy 2>&1 | FileCheck %s --check-prefix=ZERO
// CHECK-COUNT-4: equal: ok
// SIDES: C: equal: ok
// ZERO: error: the reference divides an integer by zero, or the smallest one by -1, which has no result; say by tt.range

//--- all.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @integer_quotients(%A: memref<32x40xi32> {tt.name = "A"}, %B: memref<32x40xi32> {tt.name = "B", tt.range = [1, 2147483647]},
    %D: memref<32x40xi16> {tt.name = "D"}, %E: memref<32x40xi16> {tt.name = "E", tt.range = [1, 9000]}, %F: memref<32x40xi64> {tt.name = "F", tt.range = [-100000, 100000]}, %G: memref<32x40xi64> {tt.name = "G", tt.range = [1, 50]},
    %Q: memref<32x40xi32> {tt.name = "Q"}, %R: memref<32x40xi32> {tt.name = "R"}, %S: memref<32x40xi16> {tt.name = "S"}, %T: memref<32x40xi64> {tt.name = "T"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : memref<32x40xi32>, memref<32x40xi32>) outs(%Q : memref<32x40xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %q = arith.divsi %a, %b : i32
      %r = arith.remui %a, %b : i32
      %s = arith.xori %q, %r : i32
      linalg.yield %s : i32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A, %B : memref<32x40xi32>, memref<32x40xi32>) outs(%R : memref<32x40xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %n = arith.constant -7 : i32
      %m = arith.constant -1000000000 : i32
      %q = arith.divsi %n, %b : i32
      %r = arith.floordivsi %a, %m : i32
      %s = arith.addi %q, %r : i32
      linalg.yield %s : i32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%D, %E : memref<32x40xi16>, memref<32x40xi16>) outs(%S : memref<32x40xi16>) {
    ^bb0(%a: i16, %b: i16, %o: i16):
      %q = arith.ceildivsi %a, %b : i16
      %r = arith.remsi %a, %b : i16
      %u = arith.divui %a, %b : i16
      %s = arith.addi %q, %r : i16
      %t = arith.subi %s, %u : i16
      linalg.yield %t : i16
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%F, %G : memref<32x40xi64>, memref<32x40xi64>) outs(%T : memref<32x40xi64>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %q = arith.floordivsi %a, %b : i64
      linalg.yield %q : i64
  }
  return
}

// Of a column and a row, three times: each goes through the FPU once, and quotients wait in buffers that take turns.
//--- sides.mlir
func.func @sides(%A: memref<40xi32>, %B: memref<33xi32> {tt.range = [1, 5000]}, %D: memref<40x33xi32> {tt.range = [-524288, -2]}, %C: memref<40x33xi32> {tt.name = "C"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (40, 33) {
    %a = affine.load %A[%i] : memref<40xi32>
    %b = affine.load %B[%j] : memref<33xi32>
    %d = affine.load %D[%i, %j] : memref<40x33xi32>
    %q = arith.floordivsi %a, %b : i32
    %r = arith.remsi %a, %d : i32
    %s = arith.divui %q, %b : i32
    %t = arith.xori %r, %s : i32
    affine.store %t, %C[%i, %j] : memref<40x33xi32>
  }
  return
}

//--- zero.mlir
func.func @zero(%A: memref<32xi32>, %B: memref<32xi32> {tt.name = "B"}, %C: memref<32xi32>) attributes {tt.kernel} {
  linalg.div ins(%A, %B : memref<32xi32>, memref<32xi32>) outs(%C : memref<32xi32>)
  return
}
