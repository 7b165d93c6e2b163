// A tile of C = A x B a core, with a K loop of 8 steps, in f16: DST is held over
// the loop.
func.func @matmul(%A: memref<256x256xf16> {tt.name = "A"}, %B: memref<256x256xf16> {tt.name = "B"},
                  %C: memref<256x256xf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f16
  scf.forall (%by, %bx) in (8, 8) {
    %m = arith.muli %by, %c32 : index
    %n = arith.muli %bx, %c32 : index
    %C_acc = memref.alloc() : memref<32x32xf16, #gpu.address_space<private>>
    linalg.fill ins(%zero : f16) outs(%C_acc : memref<32x32xf16, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c256 step %c32 {
      %A_tile = memref.alloc() : memref<32x32xf16, #gpu.address_space<private>>
      %B_tile = memref.alloc() : memref<32x32xf16, #gpu.address_space<private>>
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1]
          : memref<256x256xf16> to memref<32x32xf16, strided<[256, 1], offset: ?>>
      memref.copy %a, %A_tile : memref<32x32xf16, strided<[256, 1], offset: ?>>
                             to memref<32x32xf16, #gpu.address_space<private>>
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1]
          : memref<256x256xf16> to memref<32x32xf16, strided<[256, 1], offset: ?>>
      memref.copy %b, %B_tile : memref<32x32xf16, strided<[256, 1], offset: ?>>
                             to memref<32x32xf16, #gpu.address_space<private>>
      linalg.matmul ins(%A_tile, %B_tile : memref<32x32xf16, #gpu.address_space<private>>,
                                           memref<32x32xf16, #gpu.address_space<private>>)
                    outs(%C_acc : memref<32x32xf16, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1]
        : memref<256x256xf16> to memref<32x32xf16, strided<[256, 1], offset: ?>>
    memref.copy %C_acc, %c : memref<32x32xf16, #gpu.address_space<private>>
                          to memref<32x32xf16, strided<[256, 1], offset: ?>>
  }
  return
}
