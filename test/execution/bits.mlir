// Masks of flags and numbers of 4 bits, read and written: a byte each in memory.
// RUN: split-file %s %t
// RUN: tt-run %t/mask.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: %if all %{ tt-run %t/both.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/mask.mlir --check --arch=blackhole 2>&1 | FileCheck %s --check-prefix=MASK %}
// RUN: %if all %{ tt-run %t/both.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s %}
// MASK: Y: max abs error 0,{{.*}}: ok
// CHECK: M: equal: ok
// CHECK: Q: equal: ok
// CHECK: Y: max abs error {{.*}}: ok

// The values themselves, not only the same as the reference.
// RUN: python3 %S/Inputs/bits.py %t > %t/printed
// RUN: FileCheck %s --check-prefix=VALUES --input-file %t/printed
// VALUES: 2560 of 2560 flags, 2560 of 2560 numbers

// A mask of flags chooses, in a body.
//--- mask.mlir
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @mask(%X: memref<40x96xf32> {tt.name = "X"}, %B: memref<40x96xi1> {tt.name = "B"}, %P: memref<96xi1> {tt.name = "P"}, %Y: memref<40x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant -1.0e9 : f32
  linalg.generic {indexing_maps = [#ij, #ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%X, %B, %P : memref<40x96xf32>, memref<40x96xi1>, memref<96xi1>) outs(%Y : memref<40x96xf32>) {
  ^bb0(%x: f32, %b: i1, %p: i1, %o: f32):
    %k = arith.andi %b, %p : i1
    %y = arith.select %k, %x, %low : f32
    linalg.yield %y : f32
  }
  return
}

// Flags of a comparison and of a mask, numbers cut to 4 bits, and numbers of 4 bits times a scale.
//--- both.mlir
func.func @q(%X: memref<40x64xf32> {tt.name = "X"}, %F: memref<40x64xi1> {tt.name = "F"}, %M: memref<40x64xi1> {tt.name = "M"}, %W: memref<40x64xi4> {tt.name = "W"}, %Q: memref<40x64xi4> {tt.name = "Q"}, %Y: memref<40x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %lo = arith.constant -8.0 : f32
  %hi = arith.constant 7.0 : f32
  %k = arith.constant 3.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (40, 64) {
    %x = affine.load %X[%i, %j] : memref<40x64xf32>
    %f = affine.load %F[%i, %j] : memref<40x64xi1>
    %g = arith.cmpf ogt, %x, %zero : f32
    %h = arith.andi %f, %g : i1
    affine.store %h, %M[%i, %j] : memref<40x64xi1>
    %s = arith.mulf %x, %k : f32
    %r = math.roundeven %s : f32
    %a = arith.maximumf %r, %lo : f32
    %b = arith.minimumf %a, %hi : f32
    %c = arith.fptosi %b : f32 to i32
    %q = arith.trunci %c : i32 to i4
    affine.store %q, %Q[%i, %j] : memref<40x64xi4>
    %w = affine.load %W[%i, %j] : memref<40x64xi4>
    %v = arith.sitofp %w : i4 to f32
    %y = arith.mulf %v, %x : f32
    affine.store %y, %Y[%i, %j] : memref<40x64xf32>
  }
  return
}
