// Two products of a unit, whose results are copied to their tensors only when both are complete: what
// DST would have of the first is packed before the second needs it.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --optimize=none --metalium-api=2025 | FileCheck %s
// CHECK: C: max abs error {{.*}}: ok
// CHECK: D: max abs error {{.*}}: ok
func.func @apart(%A: memref<64x64xbf16> {tt.name = "A"}, %B: memref<64x32xbf16> {tt.name = "B"},
                 %E: memref<64x32xbf16> {tt.name = "E"}, %C: memref<64x32xf32> {tt.name = "C"},
                 %D: memref<64x32xf32> {tt.name = "D"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%m) in (2) {
    %row = arith.muli %m, %c32 : index
    %x = memref.alloc() : memref<32x32xf32>
    %y = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%zero : f32) outs(%x : memref<32x32xf32>)
    scf.for %k = %c0 to %c64 step %c32 {
      %a = memref.subview %A[%row, %k] [32, 32] [1, 1] : memref<64x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %B[%k, 0] [32, 32] [1, 1] : memref<64x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[64, 1], offset: ?>>, memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%x : memref<32x32xf32>)
    }
    linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32>)
    scf.for %k = %c0 to %c64 step %c32 {
      %a = memref.subview %A[%row, %k] [32, 32] [1, 1] : memref<64x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %E[%k, 0] [32, 32] [1, 1] : memref<64x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[64, 1], offset: ?>>, memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%y : memref<32x32xf32>)
    }
    %d = memref.subview %D[%row, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %y, %d : memref<32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %c = memref.subview %C[%row, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %x, %c : memref<32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}
