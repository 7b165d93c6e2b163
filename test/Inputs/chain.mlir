// (A + B) * A - (A + B), an op each: two intermediate results, one used twice.
func.func @chain(%A: memref<128x128xbf16> {tt.name = "A"}, %B: memref<128x128xbf16> {tt.name = "B"},
                 %C: memref<128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c64 : index
    %a = memref.subview %A[%m, %n] [64, 64] [1, 1] : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    %b = memref.subview %B[%m, %n] [64, 64] [1, 1] : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [64, 64] [1, 1] : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    %as = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
    memref.copy %a, %as : memref<64x64xbf16, strided<[128, 1], offset: ?>> to memref<64x64xbf16, #gpu.address_space<workgroup>>
    %s = memref.alloc() : memref<64x64xbf16, #gpu.address_space<private>>
    %p = memref.alloc() : memref<64x64xbf16, #gpu.address_space<private>>
    linalg.add ins(%as, %b : memref<64x64xbf16, #gpu.address_space<workgroup>>, memref<64x64xbf16, strided<[128, 1], offset: ?>>) outs(%s : memref<64x64xbf16, #gpu.address_space<private>>)
    linalg.mul ins(%s, %as : memref<64x64xbf16, #gpu.address_space<private>>, memref<64x64xbf16, #gpu.address_space<workgroup>>) outs(%p : memref<64x64xbf16, #gpu.address_space<private>>)
    linalg.sub ins(%p, %s : memref<64x64xbf16, #gpu.address_space<private>>, memref<64x64xbf16, #gpu.address_space<private>>) outs(%c : memref<64x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
