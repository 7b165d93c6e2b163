// Loops over blocks that begin at a constant and end where a tensor of open size does: rows behind
// it, a sum of products behind the first steps, and one that has no step; from inside of a tile on,
// where the last step may go too far.
// RUN: split-file %s %t
// RUN: tt-run %t/rows.mlir --check --shape X=3x96x64 --shape Y=3x96x64 | FileCheck %s
// RUN: tt-run %t/rows.mlir --check --shape X=3x32x64 --shape Y=3x32x64 | FileCheck %s
// RUN: %if all %{ tt-run %t/rows.mlir --check --arch=blackhole --shape X=3x160x64 \
// RUN:   --shape Y=3x160x64 | FileCheck %s %}
// RUN: tt-run %t/sum.mlir --check --shape X=64x256 --shape W=256x32 | FileCheck %s
// RUN: tt-run %t/sum.mlir --check --shape X=64x64 --shape W=64x32 | FileCheck %s
// RUN: %if all %{ tt-run %t/sum.mlir --check --arch=blackhole --shape X=64x160 --shape W=160x32 \
// RUN:   | FileCheck %s %}
// RUN: tt-run %t/inside.mlir --check --shape X=84x64 --shape Y=84x64 | FileCheck %s
// RUN: not tt-run %t/inside.mlir --check --shape X=96x64 --shape Y=96x64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=INSIDE
// CHECK: Y: {{.*}}: ok
// INSIDE: error: [rule 17] tile 6 of a tensor that has 6

//--- rows.mlir
func.func @rows(%X: memref<3x?x64xf32> {tt.name = "X"}, %Y: memref<3x?x64xf32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %X, %c1 : memref<3x?x64xf32>
  scf.forall (%b) in (3) {
    scf.for %m = %c32 to %n step %c32 {
      %x = memref.subview %X[%b, %m, 0] [1, 32, 64] [1, 1, 1]
        : memref<3x?x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      %y = memref.subview %Y[%b, %m, 0] [1, 32, 64] [1, 1, 1]
        : memref<3x?x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      linalg.exp ins(%x : memref<32x64xf32, strided<[64, 1], offset: ?>>)
        outs(%y : memref<32x64xf32, strided<[64, 1], offset: ?>>)
    }
  }
  return
}

//--- sum.mlir
func.func @sum(%X: memref<64x?xf32> {tt.name = "X"}, %W: memref<?x32xf32> {tt.name = "W"},
    %Y: memref<64x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %X, %c1 : memref<64x?xf32>
  scf.forall (%b) in (2) {
    %m = arith.muli %b, %c32 : index
    %acc = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x32xf32>)
    scf.for %k = %c64 to %n step %c32 {
      %x = memref.subview %X[%m, %k] [32, 32] [1, 1]
        : memref<64x?xf32> to memref<32x32xf32, strided<[?, 1], offset: ?>>
      %w = memref.subview %W[%k, 0] [32, 32] [1, 1]
        : memref<?x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.matmul ins(%x, %w : memref<32x32xf32, strided<[?, 1], offset: ?>>,
                                 memref<32x32xf32, strided<[32, 1], offset: ?>>)
        outs(%acc : memref<32x32xf32>)
    }
    %y = memref.subview %Y[%m, 0] [32, 32] [1, 1]
      : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %acc, %y : memref<32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}

//--- inside.mlir
func.func @inside(%X: memref<?x64xf32> {tt.name = "X"}, %Y: memref<?x64xf32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %X, %c0 : memref<?x64xf32>
  scf.forall (%b) in (1) {
    scf.for %m = %c20 to %n step %c32 {
      %x = memref.subview %X[%m, 0] [32, 64] [1, 1]
        : memref<?x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      %y = memref.subview %Y[%m, 0] [32, 64] [1, 1]
        : memref<?x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      linalg.exp ins(%x : memref<32x64xf32, strided<[64, 1], offset: ?>>)
        outs(%y : memref<32x64xf32, strided<[64, 1], offset: ?>>)
    }
  }
  return
}
