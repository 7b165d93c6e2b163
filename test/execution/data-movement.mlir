// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s

// Moving blocks: concatenation, a slice, padding, a gather of blocks by a computed index, a
// transposition of a whole tensor block by block, one tensor read at several offsets.
// CHECK-DAG: Cat: max abs error 0, {{.*}}: ok
// CHECK-DAG: Cut: max abs error 0, {{.*}}: ok
// CHECK-DAG: Pad: max abs error 0, {{.*}}: ok
// CHECK-DAG: Rows: max abs error 0, {{.*}}: ok
// CHECK-DAG: Turn: max abs error 0, {{.*}}: ok
// CHECK-DAG: Sum: {{.*}}: ok
#ij = affine_map<(i, j) -> (i, j)>
func.func @data_movement(%X: memref<128x64xbf16> {tt.name = "X"}, %Y: memref<128x96xbf16> {tt.name = "Y"},
                         %Cat: memref<128x160xbf16> {tt.name = "Cat"}, %Cut: memref<64x32xbf16> {tt.name = "Cut"},
                         %Pad: memref<192x128xbf16> {tt.name = "Pad"}, %Rows: memref<128x64xbf16> {tt.name = "Rows"},
                         %Turn: memref<64x128xbf16> {tt.name = "Turn"}, %Sum: memref<32x64xbf16> {tt.name = "Sum"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : bf16
  %left = memref.subview %Cat[0, 0] [128, 64] [1, 1] : memref<128x160xbf16> to memref<128x64xbf16, strided<[160, 1]>>
  %right = memref.subview %Cat[0, 64] [128, 96] [1, 1] : memref<128x160xbf16> to memref<128x96xbf16, strided<[160, 1], offset: 64>>
  memref.copy %X, %left : memref<128x64xbf16> to memref<128x64xbf16, strided<[160, 1]>>
  memref.copy %Y, %right : memref<128x96xbf16> to memref<128x96xbf16, strided<[160, 1], offset: 64>>
  %cut = memref.subview %Y[32, 64] [64, 32] [1, 1] : memref<128x96xbf16> to memref<64x32xbf16, strided<[96, 1], offset: 3136>>
  memref.copy %cut, %Cut : memref<64x32xbf16, strided<[96, 1], offset: 3136>> to memref<64x32xbf16>
  linalg.fill ins(%zero : bf16) outs(%Pad : memref<192x128xbf16>)
  %inside = memref.subview %Pad[32, 32] [128, 64] [1, 1] : memref<192x128xbf16> to memref<128x64xbf16, strided<[128, 1], offset: 4128>>
  memref.copy %X, %inside : memref<128x64xbf16> to memref<128x64xbf16, strided<[128, 1], offset: 4128>>
  scf.for %i = %c0 to %c4 step %c1 {
    // block i comes from block (3 i + 1) mod 4
    %three = arith.constant 3 : index
    %a = arith.muli %i, %three : index
    %b = arith.addi %a, %c1 : index
    %from = arith.remui %b, %c4 : index
    %source = arith.muli %from, %c32 : index
    %target = arith.muli %i, %c32 : index
    %block = memref.subview %X[%source, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %row = memref.subview %Rows[%target, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    memref.copy %block, %row : memref<32x64xbf16, strided<[64, 1], offset: ?>> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %tall = memref.subview %X[%target, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %wide = memref.subview %Turn[0, %target] [64, 32] [1, 1] : memref<64x128xbf16> to memref<64x32xbf16, strided<[128, 1], offset: ?>>
    linalg.transpose ins(%tall : memref<32x64xbf16, strided<[64, 1], offset: ?>>) outs(%wide : memref<64x32xbf16, strided<[128, 1], offset: ?>>) permutation = [1, 0]
  }
  %first = memref.subview %X[0, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  %third = memref.subview %X[64, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: 4096>>
  linalg.add ins(%first, %third : memref<32x64xbf16, strided<[64, 1]>>, memref<32x64xbf16, strided<[64, 1], offset: 4096>>) outs(%Sum : memref<32x64xbf16>)
  return
}
