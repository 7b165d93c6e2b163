// Integers of 8, 16 and 32 bits: bits and shifts, by constants and by tensors, comparisons and
// extremes without signs, casts of widths, operands that are broadcast or turned; all exact.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s %}
// CHECK-COUNT-5: equal: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @integer_rules(%X: memref<64x64xi32> {tt.name = "X"}, %Y: memref<64x64xi32> {tt.name = "Y"},
    %W: memref<64x64xi8> {tt.name = "W"}, %H: memref<64x64xi16> {tt.name = "H"},
    %S: memref<64x64xi32> {tt.name = "S", tt.range = [0, 31]}, %R: memref<64xi32> {tt.name = "R"},
    %A: memref<64x64xi32> {tt.name = "A"}, %B: memref<64x64xi32> {tt.name = "B"}, %C: memref<64x64xi8> {tt.name = "C"},
    %D: memref<64x64xi16> {tt.name = "D"}, %E: memref<64x64xi32> {tt.name = "E"}) attributes {tt.kernel} {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %c3 = arith.constant 3 : i16
  %mask = arith.constant 16711935 : i32
  linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %Y, %S : memref<64x64xi32>, memref<64x64xi32>, memref<64x64xi32>) outs(%A : memref<64x64xi32>) {
    ^bb0(%x: i32, %y: i32, %s: i32, %o: i32):
      %a = arith.andi %x, %mask : i32
      %b = arith.shli %y, %s : i32
      %c = arith.xori %a, %b : i32
      %d = arith.shrsi %x, %s : i32
      %e = arith.shrui %y, %s : i32
      %f = arith.ori %d, %e : i32
      %g = arith.addi %c, %f : i32
      linalg.yield %g : i32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %Y : memref<64x64xi32>, memref<64x64xi32>) outs(%B : memref<64x64xi32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
      %u = arith.cmpi ult, %x, %y : i32
      %m = arith.maxui %x, %y : i32
      %d = arith.subi %x, %y : i32
      %n = arith.minsi %d, %y : i32
      %r = arith.select %u, %m, %n : i32
      linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%W, %H : memref<64x64xi8>, memref<64x64xi16>) outs(%C : memref<64x64xi8>) {
    ^bb0(%w: i8, %h: i16, %o: i8):
      %high = arith.shrsi %w, %c4 : i8
      %low = arith.andi %w, %c15 : i8
      %t = arith.trunci %h : i16 to i8
      %p = arith.muli %high, %low : i8
      %q = arith.maxsi %p, %t : i8
      linalg.yield %q : i8
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%W, %H : memref<64x64xi8>, memref<64x64xi16>) outs(%D : memref<64x64xi16>) {
    ^bb0(%w: i8, %h: i16, %o: i16):
      %s = arith.extsi %w : i8 to i16
      %u = arith.shrui %h, %c3 : i16
      %p = arith.addi %s, %u : i16
      %c = arith.cmpi slt, %p, %h : i16
      %q = arith.select %c, %p, %h : i16
      linalg.yield %q : i16
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
                                   affine_map<(i, j) -> (j, i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %R, %R, %W : memref<64x64xi32>, memref<64xi32>, memref<64xi32>, memref<64x64xi8>) outs(%E : memref<64x64xi32>) {
    ^bb0(%x: i32, %r: i32, %c: i32, %w: i8, %o: i32):
      %a = arith.subi %x, %r : i32
      %v = arith.extsi %w : i8 to i32
      %b = arith.muli %a, %v : i32
      %d = arith.xori %b, %c : i32
      linalg.yield %d : i32
  }
  return
}
