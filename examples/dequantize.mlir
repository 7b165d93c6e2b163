// A product with weights of 8 bits: they are stored as bytes, with a zero at 128, and a scale
// a column; the core makes bf16 of a block before the engine takes it.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @dequantize(%X: memref<128x256xbf16> {tt.name = "X"}, %W: memref<256x128xi8> {tt.name = "weights"},
                      %S: memref<128xbf16> {tt.name = "scales"}, %Y: memref<128x128xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %middle = arith.constant 128.0 : f32
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c64 : index
    %scales = memref.subview %S[%n] [64] [1] : memref<128xbf16> to memref<64xbf16, strided<[1], offset: ?>>
    %acc = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c256 step %c64 {
      %x = memref.subview %X[%m, %k] [64, 64] [1, 1]
          : memref<128x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
      %bytes = memref.subview %W[%k, %n] [64, 64] [1, 1]
          : memref<256x128xi8> to memref<64x64xi8, strided<[128, 1], offset: ?>>
      %w = memref.alloc() : memref<64x64xbf16, #gpu.address_space<private>>
      linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%bytes, %scales : memref<64x64xi8, strided<[128, 1], offset: ?>>, memref<64xbf16, strided<[1], offset: ?>>)
          outs(%w : memref<64x64xbf16, #gpu.address_space<private>>) {
        ^bb0(%b: i8, %s: bf16, %old: bf16):
          %u = arith.uitofp %b : i8 to f32
          %c = arith.subf %u, %middle : f32
          %f = arith.extf %s : bf16 to f32
          %p = arith.mulf %c, %f : f32
          %r = arith.truncf %p : f32 to bf16
          linalg.yield %r : bf16
      }
      linalg.matmul ins(%x, %w : memref<64x64xbf16, strided<[256, 1], offset: ?>>, memref<64x64xbf16, #gpu.address_space<private>>)
          outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    }
    %y = memref.subview %Y[%m, %n] [64, 64] [1, 1]
        : memref<128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    linalg.copy ins(%acc : memref<64x64xf32, #gpu.address_space<private>>) outs(%y : memref<64x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
