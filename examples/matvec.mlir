// A matrix times a vector, and the vector's product with the result's: y = A x, s = y . y.
// The vector is a row of tiles, of which the first row counts; the engine takes it turned.
func.func @matvec(%A: memref<128x192xbf16> {tt.name = "A"}, %x: memref<192xbf16> {tt.name = "x"},
                  %y: memref<128xf32> {tt.name = "y"}, %s: memref<f32> {tt.name = "s"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<128xf32, #gpu.address_space<private>>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128xf32, #gpu.address_space<private>>)
  scf.for %k = %c0 to %c192 step %c64 {
    %a = memref.subview %A[0, %k] [128, 64] [1, 1]
        : memref<128x192xbf16> to memref<128x64xbf16, strided<[192, 1], offset: ?>>
    %v = memref.subview %x[%k] [64] [1] : memref<192xbf16> to memref<64xbf16, strided<[1], offset: ?>>
    linalg.matvec ins(%a, %v : memref<128x64xbf16, strided<[192, 1], offset: ?>>, memref<64xbf16, strided<[1], offset: ?>>)
        outs(%sum : memref<128xf32, #gpu.address_space<private>>)
  }
  memref.copy %sum, %y : memref<128xf32, #gpu.address_space<private>> to memref<128xf32>
  %dot = memref.alloc() : memref<f32, #gpu.address_space<private>>
  linalg.fill ins(%zero : f32) outs(%dot : memref<f32, #gpu.address_space<private>>)
  linalg.dot ins(%sum, %sum : memref<128xf32, #gpu.address_space<private>>, memref<128xf32, #gpu.address_space<private>>)
      outs(%dot : memref<f32, #gpu.address_space<private>>)
  memref.copy %dot, %s : memref<f32, #gpu.address_space<private>> to memref<f32>
  return
}
