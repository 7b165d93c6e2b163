// A tensor updated in place by loops of the kernel: four blocks a cell, each once.
// RUN: tt-run %s --check
// RUN: tt-run %s --check --seed=5 --metalium-api=2025

func.func @scale(%A: memref<128x512xbf16> {tt.name = "A"}, %B: memref<128x512xbf16> {tt.name = "B"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c64 : index
    %first = arith.muli %bx, %c256 : index
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c128 step %c64 {
        %at = arith.muli %i, %c128 : index
        %cell = arith.addi %first, %at : index
        %n = arith.addi %cell, %j : index
        %a = memref.subview %A[%m, %n] [64, 64] [1, 1] : memref<128x512xbf16> to memref<64x64xbf16, strided<[512, 1], offset: ?>>
        %b = memref.subview %B[%m, %n] [64, 64] [1, 1] : memref<128x512xbf16> to memref<64x64xbf16, strided<[512, 1], offset: ?>>
        linalg.mul ins(%a, %b : memref<64x64xbf16, strided<[512, 1], offset: ?>>, memref<64x64xbf16, strided<[512, 1], offset: ?>>)
                   outs(%a : memref<64x64xbf16, strided<[512, 1], offset: ?>>)
      }
    }
  }
  return
}
