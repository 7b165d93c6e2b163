// Tensors stored row by row whose rows do not fill tiles: the host reads what pads them, too, which nobody warns of.
// REQUIRES: all
// RUN: split-file %s %t && cd %t
// RUN: tt-run rows.mlir --check --strict | FileCheck %s
// RUN: tt-run rows.mlir --check --strict --arch=blackhole | FileCheck %s
// RUN: tt-run parts.mlir --check --strict | FileCheck %s
// RUN: tt-run open.mlir --check --strict --shape A=3x45x64 --arch=blackhole | FileCheck %s
// CHECK: C: {{.*}}: ok

//--- rows.mlir
func.func @k(%A: memref<2x100x64xbf16> {tt.name = "A", tt.layout = {storage = "row_major"}},
             %C: memref<2x100x64xbf16> {tt.name = "C", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  linalg.exp ins(%A : memref<2x100x64xbf16>) outs(%C : memref<2x100x64xbf16>)
  return
}

//--- parts.mlir
func.func @k(%A: memref<3x20x64xf32> {tt.name = "A"},
             %C: memref<3x33x64xf32> {tt.name = "C", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  scf.forall (%b) in (3) {
    %a = memref.subview %A[%b, 0, 0] [1, 20, 64] [1, 1, 1] : memref<3x20x64xf32> to memref<20x64xf32, strided<[64, 1], offset: ?>>
    %c = memref.subview %C[%b, 0, 0] [1, 20, 64] [1, 1, 1] : memref<3x33x64xf32> to memref<20x64xf32, strided<[64, 1], offset: ?>>
    linalg.exp ins(%a : memref<20x64xf32, strided<[64, 1], offset: ?>>) outs(%c : memref<20x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

//--- open.mlir
func.func @k(%A: memref<3x?x64xf32> {tt.name = "A", tt.layout = {storage = "row_major"}},
             %C: memref<3x?x64xf32> {tt.name = "C", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} {
  linalg.exp ins(%A : memref<3x?x64xf32>) outs(%C : memref<3x?x64xf32>)
  return
}
