// RUN: tt-opt %s --tt-stage-a --tt-layout-aware-work-partition --split-input-file --verify-diagnostics -o /dev/null
// Cells of a grid that meet in a tensor, and cells that do not.

// A sum split over a grid axis.
func.func @split_k(%A: memref<64x64xf32> {tt.name = "A"}, %C: memref<64x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%b, %s) in (2, 2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %k = affine.apply affine_map<(d0) -> (d0 * 32)>(%s)
    %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    %c = memref.subview %C[%m, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    // expected-error @below {{two cells of the grid write the same block: (bx = 0, by = 0) and (bx = 1, by = 0) both write from C[0, 0] on, in no order}}
    linalg.add ins(%a, %c : memref<32x32xf32, strided<[64, 1], offset: ?>>, memref<32x32xf32, strided<[32, 1], offset: ?>>)
               outs(%c : memref<32x32xf32, strided<[32, 1], offset: ?>>)
  }
  return
}
// -----
// Blocks that overlap by a tile, written at two places.
func.func @overlap(%A: memref<64x32xbf16>, %C: memref<288x32xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%b) in (4) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %c = memref.subview %C[%m, 0] [64, 32] [1, 1] : memref<288x32xbf16> to memref<64x32xbf16, strided<[32, 1], offset: ?>>
    %last = affine.apply affine_map<(d0) -> (d0 * 64 + 64)>(%b)
    %d = memref.subview %C[%last, 0] [32, 32] [1, 1] : memref<288x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    %a = memref.subview %A[0, 0] [32, 32] [1, 1] : memref<64x32xbf16> to memref<32x32xbf16, strided<[32, 1]>>
    // expected-error @below {{two cells of the grid write the same block}}
    memref.copy %A, %c : memref<64x32xbf16> to memref<64x32xbf16, strided<[32, 1], offset: ?>>
    // expected-note @below {{and it is written here}}
    memref.copy %a, %d : memref<32x32xbf16, strided<[32, 1]>> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
  }
  return
}
// -----
// In place, but one block further on.
func.func @shift(%C: memref<160x32xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%b) in (4) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %next = affine.apply affine_map<(d0) -> (d0 * 32 + 32)>(%b)
    %c = memref.subview %C[%m, 0] [32, 32] [1, 1] : memref<160x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    %d = memref.subview %C[%next, 0] [32, 32] [1, 1] : memref<160x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    // expected-error @below {{one cell of the grid writes what another one reads}}
    linalg.exp ins(%d : memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%c : memref<32x32xbf16, strided<[32, 1], offset: ?>>)
  }
  return
}
// -----
// Element by element, and under a condition that does not help.
func.func @elements(%A: memref<64xf32>, %C: memref<64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.forall (%b) in (8) {
    %late = arith.cmpi uge, %b, %c2 : index
    scf.if %late {
      scf.for %i = %c0 to %c8 step %c1 {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 7 + d1)>(%b, %i)
        %x = memref.load %A[%at] : memref<64xf32>
        // expected-error @below {{two cells of the grid write the same element}}
        memref.store %x, %C[%at] : memref<64xf32>
      }
    }
  }
  return
}
// -----
// Offsets that are no sums: nothing is decided.
func.func @unknown(%A: memref<32x32xbf16>, %C: memref<256x32xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%b) in (8) {
    %square = arith.muli %b, %b : index
    %seven = arith.constant 7 : index
    %low = arith.andi %square, %seven : index
    %c32 = arith.constant 32 : index
    %m = arith.muli %low, %c32 : index
    %c = memref.subview %C[%m, 0] [32, 32] [1, 1] : memref<256x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    // expected-warning @below {{cannot tell whether two cells of the grid meet here in tensor 'C': its offsets are no sums of grid, loops and sizes}}
    memref.copy %A, %c : memref<32x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
  }
  return
}
// -----
// None of these meet: a swizzled order, parts of a batch, one cell of many, interleaved steps,
// a dynamic number of ragged blocks.
func.func @apart(%A: memref<32x32xbf16>, %C: memref<256x32xbf16>, %D: memref<2x64x32xbf16>, %E: memref<32x32xbf16>,
                 %F: memref<256x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%by, %bx) in (2, 4) {
    %t = affine.apply affine_map<(d0, d1) -> ((d0 * 4 + d1) mod 2 * 128 + (d0 * 4 + d1) floordiv 2 * 32)>(%by, %bx)
    %c = memref.subview %C[%t, 0] [32, 32] [1, 1] : memref<256x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    memref.copy %A, %c : memref<32x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    %row = affine.apply affine_map<(d0) -> (d0 floordiv 2 * 32)>(%bx)
    %even = arith.remui %bx, %c2 : index
    %is_even = arith.cmpi eq, %even, %c0 : index
    scf.if %is_even {
      %d = memref.subview %D[%by, %row, 0] [1, 32, 32] [1, 1, 1] : memref<2x64x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
      memref.copy %A, %d : memref<32x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    }
    %first_y = arith.cmpi eq, %by, %c0 : index
    %first_x = arith.cmpi ult, %bx, %c1 : index
    %first = arith.andi %first_y, %first_x : i1
    scf.if %first { memref.copy %A, %E : memref<32x32xbf16> to memref<32x32xbf16> }
    scf.for %i = %c0 to %c1 step %c1 {
      %at = affine.apply affine_map<(d0, d1, d2) -> (d2 * 256 + d0 * 128 + d1 * 32)>(%by, %bx, %i)
      %f = memref.subview %F[%at, 0] [32, 32] [1, 1] : memref<256x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
      linalg.exp ins(%f : memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%f : memref<32x32xbf16, strided<[32, 1], offset: ?>>)
    }
  }
  return
}
// -----
func.func @ragged(%A: memref<?x32xbf16>, %C: memref<?x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x32xbf16>
  %cells = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%n]
  scf.forall (%b) in (%cells) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%b)
    %size = affine.min affine_map<(d0)[s0] -> (64, s0 - d0 * 64)>(%b)[%n]
    %a = memref.subview %A[%m, 0] [%size, 32] [1, 1] : memref<?x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: ?>>
    %c = memref.subview %C[%m, 0] [%size, 32] [1, 1] : memref<?x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: ?>>
    linalg.exp ins(%a : memref<?x32xbf16, strided<[32, 1], offset: ?>>) outs(%c : memref<?x32xbf16, strided<[32, 1], offset: ?>>)
  }
  return
}
// -----
// Four columns of bf16 are 8 bytes, less than the NoC writes.
func.func @parts_of_a_tile(%X: memref<8x8xbf16> {tt.name = "X"}, %Y: memref<8x8xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %x = memref.subview %X[0, %m] [8, 4] [1, 1] : memref<8x8xbf16> to memref<8x4xbf16, strided<[8, 1], offset: ?>>
    %y = memref.subview %Y[0, %m] [8, 4] [1, 1] : memref<8x8xbf16> to memref<8x4xbf16, strided<[8, 1], offset: ?>>
    // expected-error @below {{two cells of the grid write parts of one tile of 32x32: (bx = 0) and (bx = 1), the first from Y[0, 0] on. Elements are written alone only in runs of 16 bytes along the last dimension, at multiples of 16 bytes; let one cell write all of the tile, or make the parts such runs}}
    linalg.exp ins(%x : memref<8x4xbf16, strided<[8, 1], offset: ?>>) outs(%y : memref<8x4xbf16, strided<[8, 1], offset: ?>>)
  }
  return
}
// -----
// Eight columns are a run, and so are columns of tiles of their own.
func.func @runs_and_own_tiles(%X: memref<8x64xbf16> {tt.name = "X"}, %Y: memref<8x16xbf16> {tt.name = "Y"}, %Z: memref<8x64xbf16> {tt.name = "Z"}) attributes {tt.kernel} {
  scf.forall (%i) in (2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %x = memref.subview %X[0, %m] [8, 8] [1, 1] : memref<8x64xbf16> to memref<8x8xbf16, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[0, %m] [8, 8] [1, 1] : memref<8x16xbf16> to memref<8x8xbf16, strided<[16, 1], offset: ?>>
    linalg.exp ins(%x : memref<8x8xbf16, strided<[64, 1], offset: ?>>) outs(%y : memref<8x8xbf16, strided<[16, 1], offset: ?>>)
    %v = memref.subview %X[0, %n] [8, 3] [1, 1] : memref<8x64xbf16> to memref<8x3xbf16, strided<[64, 1], offset: ?>>
    %z = memref.subview %Z[0, %n] [8, 3] [1, 1] : memref<8x64xbf16> to memref<8x3xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%v : memref<8x3xbf16, strided<[64, 1], offset: ?>>) outs(%z : memref<8x3xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}
