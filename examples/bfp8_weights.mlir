// A product with weights that are stored as bfp8_b, half as large as bf16: sixteen of them
// share an exponent. The elements of the argument are bf16; the host program packs them, and
// the engine takes the tiles as they are stored.
func.func @bfp8_weights(%X: memref<128x256xbf16> {tt.name = "X"},
                        %W: memref<256x128xbf16> {tt.name = "weights", tt.layout = {dtype = "bfp8_b"}},
                        %Y: memref<128x128xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c64 : index
    %acc = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c256 step %c64 {
      %x = memref.subview %X[%m, %k] [64, 64] [1, 1]
          : memref<128x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
      %w = memref.subview %W[%k, %n] [64, 64] [1, 1]
          : memref<256x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
      linalg.matmul ins(%x, %w : memref<64x64xbf16, strided<[256, 1], offset: ?>>, memref<64x64xbf16, strided<[128, 1], offset: ?>>)
          outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    }
    %y = memref.subview %Y[%m, %n] [64, 64] [1, 1]
        : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    linalg.copy ins(%acc : memref<64x64xf32, #gpu.address_space<private>>) outs(%y : memref<64x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
