// Of sixteen heads, each has a product of 512 rows, in blocks of 32, with one matrix.
func.func @heads(%A: memref<16x512x128xbf16> {tt.name = "A"}, %B: memref<16x128x64xbf16> {tt.name = "B"},
                 %C: memref<16x512x64xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%head, %block) in (16, 16) {
    %row = arith.muli %block, %c32 : index
    %sum = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c128 step %c64 {
      %a = memref.subview %A[%head, %row, %k] [1, 32, 64] [1, 1, 1]
          : memref<16x512x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
      %b = memref.subview %B[%head, %k, 0] [1, 64, 64] [1, 1, 1]
          : memref<16x128x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x64xbf16, strided<[128, 1], offset: ?>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%sum : memref<32x64xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%head, %row, 0] [1, 32, 64] [1, 1, 1]
        : memref<16x512x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    linalg.copy ins(%sum : memref<32x64xf32, #gpu.address_space<private>>) outs(%c : memref<32x64xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}
