// A tensor updated in place, on a grid: each block is read and written once.
// RUN: tt-run %s --check
// RUN: %if all %{ tt-run %s --check --arch=blackhole --seed=9 %}

func.func @scale(%A: memref<128x192xbf16> {tt.name = "A"}, %B: memref<128x192xbf16> {tt.name = "B"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%by, %bx) in (4, 3) {
    %m = arith.muli %by, %c32 : index
    %n = arith.muli %bx, %c64 : index
    %a = memref.subview %A[%m, %n] [32, 64] [1, 1] : memref<128x192xbf16> to memref<32x64xbf16, strided<[192, 1], offset: ?>>
    %b = memref.subview %B[%m, %n] [32, 64] [1, 1] : memref<128x192xbf16> to memref<32x64xbf16, strided<[192, 1], offset: ?>>
    linalg.mul ins(%a, %b : memref<32x64xbf16, strided<[192, 1], offset: ?>>, memref<32x64xbf16, strided<[192, 1], offset: ?>>)
               outs(%a : memref<32x64xbf16, strided<[192, 1], offset: ?>>)
  }
  return
}
