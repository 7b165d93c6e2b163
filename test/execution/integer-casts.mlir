// Indices and scalars cut to 8 and 16 bits, flags made integers, sums of indices beyond 2^24, hashes of indices
// that wrap, and scalars of 32 bits in bodies: all exact.
// RUN: split-file %s %t
// RUN: tt-run %t/casts.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/casts.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 | FileCheck %s %}
// CHECK: F: max abs error 0,
// CHECK-COUNT-3: equal: ok
// CHECK: U: max abs error 0,
// RUN: %if all %{ tt-run %t/dropout.mlir --check --arch=blackhole --metalium-api=2026-03 | \
// RUN:   FileCheck %s --check-prefix=DROPOUT %}
// DROPOUT: Y: max abs error 0,
// RUN: %if all %{ not tt-run %t/narrow.mlir 2>&1 | FileCheck %s --check-prefix=NARROW %}
// NARROW: narrow.mlir:6:11: error: cannot prove the protocol: a count, a bound, a condition or a tile index depends on this value

//--- casts.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @casts(%X: memref<40x300xi8> {tt.name = "X"}, %s: i32 {tt.name = "s", tt.range = [200, 210]}, %n: i64 {tt.name = "n", tt.range = [0, 100]},
    %q: index {tt.name = "q", tt.range = [100000000, 100000003]}, %F: memref<40x300xf32> {tt.name = "F"}, %C: memref<40x300xi32> {tt.name = "C"},
    %D: memref<40x300xi8> {tt.name = "D"}, %H: memref<40x300xi32> {tt.name = "H"}, %U: memref<40x300xf32> {tt.name = "U"}) attributes {tt.kernel} {
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : i16
  %c2 = arith.constant 2 : i32
  %row = arith.constant 300 : i32
  %by = arith.constant 1103515245 : i32
  %more = arith.constant 12345 : i32
  %zero = arith.constant 0 : i8
  linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X : memref<40x300xi8>) outs(%F, %C, %D : memref<40x300xf32>, memref<40x300xi32>, memref<40x300xi8>) {
    ^bb0(%x: i8, %o: f32, %o1: i32, %o2: i8):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %j32 = arith.index_cast %j : index to i32
      %j8 = arith.trunci %j32 : i32 to i8                      // 128 to 255 are below zero
      %f = arith.sitofp %j8 : i8 to f32
      %below = arith.cmpi slt, %j8, %zero : i8
      %minus = arith.extsi %below : i1 to i32
      %i32 = arith.index_cast %i : index to i32
      %ij = arith.muli %i32, %j32 : i32
      %ij8 = arith.trunci %ij : i32 to i8
      %wide = arith.extui %ij8 : i8 to i32
      %c = arith.addi %wide, %minus : i32
      %s8 = arith.trunci %s : i32 to i8
      %a = arith.addi %x, %s8 : i8
      %r = arith.remui %j, %c7 : index
      %r8 = arith.index_cast %r : index to i8
      %b = arith.muli %a, %r8 : i8
      %j16 = arith.index_castui %j : index to i16
      %m = arith.muli %j16, %c3 : i16
      %mi = arith.index_castui %m : i16 to index
      %g = arith.cmpi ugt, %mi, %i : index
      %g8 = arith.extui %g : i1 to i8
      %d = arith.addi %b, %g8 : i8
      linalg.yield %f, %c, %d : f32, i32, i8
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} outs(%H, %U : memref<40x300xi32>, memref<40x300xf32>) {
    ^bb0(%o: i32, %o1: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %i32 = arith.index_cast %i : index to i32
      %j32 = arith.index_cast %j : index to i32
      %at = arith.muli %i32, %row : i32
      %t = arith.addi %at, %j32 : i32
      %h = arith.muli %t, %by : i32
      %g = arith.addi %h, %more : i32
      %jq = arith.addi %j, %q : index
      %jq32 = arith.index_cast %jq : index to i32
      %u = arith.shrui %jq32, %c2 : i32
      %v = arith.xori %g, %u : i32
      %j64 = arith.index_cast %j : index to i64
      %less = arith.cmpi slt, %j64, %n : i64
      %one = arith.uitofp %less : i1 to f32
      %large = arith.sitofp %jq32 : i32 to f32
      %sum = arith.addf %one, %large : f32
      linalg.yield %v, %sum : i32, f32
  }
  return
}

// A mask of random numbers, made of a seed and the place.
//--- dropout.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @dropout(%X: memref<64x64xbf16> {tt.name = "X"}, %Y: memref<64x64xbf16> {tt.name = "Y"}, %seed: i32 {tt.name = "seed", tt.range = [0, 100]}) attributes {tt.kernel} {
  %by = arith.constant 747796405 : i32
  %more = arith.constant -1403630843 : i32
  %c8 = arith.constant 8 : i32
  %row = arith.constant 64 : i32
  %scale = arith.constant 5.9604645e-08 : f32
  %rate = arith.constant 0.1 : f32
  %zero = arith.constant 0.0 : bf16
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%X : memref<64x64xbf16>) outs(%Y : memref<64x64xbf16>) {
    ^bb0(%x: bf16, %o: bf16):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %a = arith.index_cast %i : index to i32
      %b = arith.index_cast %j : index to i32
      %m = arith.muli %a, %row : i32
      %t = arith.addi %m, %b : i32
      %s = arith.addi %t, %seed : i32
      %h = arith.muli %s, %by : i32
      %g = arith.addi %h, %more : i32
      %r = arith.shrui %g, %c8 : i32
      %f = arith.uitofp %r : i32 to f32
      %u = arith.mulf %f, %scale : f32
      %keep = arith.cmpf oge, %u, %rate : f32
      %y = arith.select %keep, %x, %zero : bf16
      linalg.yield %y : bf16
  }
  return
}

// An offset of 8 bits would wrap at 128.
//--- narrow.mlir
func.func @narrow(%X: memref<8192x32xf32> {tt.name = "X"}, %Y: memref<32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    %c200 = arith.constant 200 : index
    %sum = arith.addi %b, %c200 : index
    %i32 = arith.index_cast %sum : index to i32
    %i8 = arith.trunci %i32 : i32 to i8
    %i = arith.index_castui %i8 : i8 to index
    %x = memref.subview %X[%i, 0] [32, 32] [1, 1] : memref<8192x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %x, %Y : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32>
  }
  return
}
