// Blocks that are written with a stride: pairs side by side, every other row, tensors without tiles; and parts of a
// tensor that end before it does, which are read.
// REQUIRES: all
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/rope.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/rope.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/rows.mlir --check --arch=blackhole --metalium-api=2025 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/rows.mlir --check --metalium-api=2026-03 --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/halves.mlir --check --metalium-api=2026-03 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/halves.mlir --check --arch=blackhole | FileCheck %s %}
// CHECK-NOT: OUT OF TOLERANCE
// CHECK: Y: {{.*}}: ok

// Positions by rotation, of pairs that lie side by side: even columns and odd ones are written by themselves.
//--- rope.mlir
func.func @rope(%X: memref<2x20x3x40xf32>, %COS: memref<20x20xf32>, %SIN: memref<20x20xf32>, %Y: memref<2x20x3x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%b, %h) = (0, 0) to (2, 3) {
    affine.for %t = 0 to 20 {
      affine.for %i = 0 to 20 {
        %x0 = affine.load %X[%b, %t, %h, 2 * %i] : memref<2x20x3x40xf32>
        %x1 = affine.load %X[%b, %t, %h, 2 * %i + 1] : memref<2x20x3x40xf32>
        %c = affine.load %COS[%t, %i] : memref<20x20xf32>
        %s = affine.load %SIN[%t, %i] : memref<20x20xf32>
        %a0 = arith.mulf %x0, %c : f32
        %b0 = arith.mulf %x1, %s : f32
        %y0 = arith.subf %a0, %b0 : f32
        %a1 = arith.mulf %x0, %s : f32
        %b1 = arith.mulf %x1, %c : f32
        %y1 = arith.addf %a1, %b1 : f32
        affine.store %y0, %Y[%b, %t, %h, 2 * %i] : memref<2x20x3x40xf32>
        affine.store %y1, %Y[%b, %t, %h, 2 * %i + 1] : memref<2x20x3x40xf32>
      }
    }
  }
  return
}

// What no cell writes keeps its values: rows between, with and without tiles. Two cells have rows of the same tiles.
//--- rows.mlir
func.func @rows(%X: memref<40x64xbf16>, %Y: memref<80x64xbf16> {tt.name = "Y"},
                %Z: memref<80x64xbf16> {tt.layout = {storage = "row_major"}}, %W: memref<64x64xbf16>) attributes {tt.kernel} {
  scf.forall (%p) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%p)
    %x = memref.subview %X[0, %m] [40, 32] [1, 1] : memref<40x64xbf16> to memref<40x32xbf16, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[1, %m] [40, 32] [2, 1] : memref<80x64xbf16> to memref<40x32xbf16, strided<[128, 1], offset: ?>>
    linalg.exp ins(%x : memref<40x32xbf16, strided<[64, 1], offset: ?>>) outs(%y : memref<40x32xbf16, strided<[128, 1], offset: ?>>)
    %z = memref.subview %Z[1, %m] [40, 32] [2, 1] : memref<80x64xbf16> to memref<40x32xbf16, strided<[128, 1], offset: ?>>
    linalg.abs ins(%x : memref<40x32xbf16, strided<[64, 1], offset: ?>>) outs(%z : memref<40x32xbf16, strided<[128, 1], offset: ?>>)
    %v = memref.subview %X[%p, 0] [16, 64] [2, 1] : memref<40x64xbf16> to memref<16x64xbf16, strided<[128, 1], offset: ?>>
    %w = memref.subview %W[%p, 0] [16, 64] [4, 1] : memref<64x64xbf16> to memref<16x64xbf16, strided<[256, 1], offset: ?>>
    linalg.negf ins(%v : memref<16x64xbf16, strided<[128, 1], offset: ?>>) outs(%w : memref<16x64xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}

// The first half of each row by the second one, of 40 columns each, 32 columns a cell.
//--- halves.mlir
func.func @halves(%X: memref<40x80xf32>, %Y: memref<40x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (40, 40) {
    %a = affine.load %X[%i, %j] : memref<40x80xf32>
    %g = affine.load %X[%i, %j + 40] : memref<40x80xf32>
    %t = math.tanh %g : f32
    %y = arith.mulf %a, %t : f32
    affine.store %y, %Y[%i, %j] : memref<40x40xf32>
  }
  return
}
