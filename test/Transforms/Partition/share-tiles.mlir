// RUN: tt-opt %s --tt-stage-a --tt-share-tiles --split-input-file | FileCheck %s
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/columns.mlir --check | FileCheck %s --check-prefix=EXEC %}
// RUN: not tt-opt %t/open.mlir --tt-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPEN
// Cells that write parts of one tile are steps of one cell.

// A column of Y for each %h: of the tiles that %s names, only one cell writes.
// CHECK-LABEL: @columns
// CHECK: scf.forall (%[[S:.*]], %{{.*}}) in (2, 1) {
// CHECK:   scf.for %[[H:.*]] = %{{.*}} to %c3 step %c1 {
// CHECK:     memref.subview %{{.*}}[0, %{{.*}}, %[[H]]] [1, 32, 1]
// CHECK:     linalg.generic
// CHECK:   }
// CHECK: }
// EXEC: Y: {{.*}}: ok
//--- columns.mlir
func.func @columns(%X: memref<3x64x32xbf16> {tt.name = "X"}, %Y: memref<1x64x3xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%s, %h) in (2, 3) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%s)
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %x = memref.subview %X[%h, %m, 0] [1, 32, 32] [1, 1, 1] : memref<3x64x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    %y = memref.subview %Y[0, %m, %h] [1, 32, 1] [1, 1, 1] : memref<1x64x3xf32> to memref<32xf32, strided<[3], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
    ^bb0(%a: bf16, %old: f32):
      %w = arith.extf %a : bf16 to f32
      %new = arith.addf %old, %w : f32
      linalg.yield %new : f32
    }
    memref.copy %sum, %y : memref<32xf32, #gpu.address_space<private>> to memref<32xf32, strided<[3], offset: ?>>
  }
  return
}
// -----
// Runs of 16 bytes are written by themselves, and rows of tiles are not shared.
// CHECK-LABEL: @alone
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 2) {
// CHECK-NOT: scf.for
//--- alone.mlir
func.func @alone(%X: memref<64x16xbf16> {tt.name = "X"}, %Y: memref<64x16xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (2, 2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
    %x = memref.subview %X[%m, %n] [32, 8] [1, 1] : memref<64x16xbf16> to memref<32x8xbf16, strided<[16, 1], offset: ?>>
    %y = memref.subview %Y[%m, %n] [32, 8] [1, 1] : memref<64x16xbf16> to memref<32x8xbf16, strided<[16, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x8xbf16, strided<[16, 1], offset: ?>>) outs(%y : memref<32x8xbf16, strided<[16, 1], offset: ?>>)
  }
  return
}
// -----
// How many cells there are is open: nothing helps, and the next pass says so.
// CHECK-LABEL: @open
// CHECK: scf.forall (%{{.*}}) in (%{{.*}}) {
// CHECK-NOT: scf.for
// OPEN: two cells of the grid write parts of one tile
//--- open.mlir
func.func @open(%X: memref<8x?xbf16> {tt.name = "X"}, %Y: memref<8x?xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %X, %c1 : memref<8x?xbf16>
  %cells = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%n]
  scf.forall (%i) in (%cells) {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %size = affine.min affine_map<(d0)[s0] -> (4, s0 - d0 * 4)>(%i)[%n]
    %x = memref.subview %X[0, %m] [8, %size] [1, 1] : memref<8x?xbf16> to memref<8x?xbf16, strided<[?, 1], offset: ?>>
    %y = memref.subview %Y[0, %m] [8, %size] [1, 1] : memref<8x?xbf16> to memref<8x?xbf16, strided<[?, 1], offset: ?>>
    linalg.exp ins(%x : memref<8x?xbf16, strided<[?, 1], offset: ?>>) outs(%y : memref<8x?xbf16, strided<[?, 1], offset: ?>>)
  }
  return
}
// -----
// Whether a cell writes hangs on what is loaded: they share tiles all the same.
// CHECK-LABEL: @masked
// CHECK: scf.forall (%{{.*}}) in (1) {
// CHECK:   scf.for %{{.*}} = %{{.*}} to %c4 step %c1 {
// CHECK:     scf.if
//--- masked.mlir
func.func @masked(%X: memref<32xf32> {tt.name = "X"}, %M: memref<4xi32> {tt.range = [0, 1]}, %Y: memref<32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (4) {
    %m = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %on = tt.load_index %M[%i] : memref<4xi32>
    %c = arith.cmpi ne, %on, %c0 : index
    scf.if %c {
      %x = memref.subview %X[%m] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
      %y = memref.subview %Y[%m] [7] [1] : memref<32xf32> to memref<7xf32, strided<[1], offset: ?>>
      %z = memref.subview %x[0] [7] [1] : memref<8xf32, strided<[1], offset: ?>> to memref<7xf32, strided<[1], offset: ?>>
      linalg.exp ins(%z : memref<7xf32, strided<[1], offset: ?>>) outs(%y : memref<7xf32, strided<[1], offset: ?>>)
    }
  }
  return
}
