// A tile of C = A + B a core, through fragments, in f16: DST is acquired and
// released for the one tile.
func.func @elem_add(%A: memref<256x256xf16> {tt.name = "A"}, %B: memref<256x256xf16> {tt.name = "B"},
                    %C: memref<256x256xf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%by, %bx) in (8, 8) {
    %m = arith.muli %by, %c32 : index
    %n = arith.muli %bx, %c32 : index
    %A_tile = memref.alloc() : memref<32x32xf16, #gpu.address_space<private>>
    %B_tile = memref.alloc() : memref<32x32xf16, #gpu.address_space<private>>
    %C_tile = memref.alloc() : memref<32x32xf16, #gpu.address_space<private>>
    %a = memref.subview %A[%m, %n] [32, 32] [1, 1]
        : memref<256x256xf16> to memref<32x32xf16, strided<[256, 1], offset: ?>>
    memref.copy %a, %A_tile : memref<32x32xf16, strided<[256, 1], offset: ?>>
                           to memref<32x32xf16, #gpu.address_space<private>>
    %b = memref.subview %B[%m, %n] [32, 32] [1, 1]
        : memref<256x256xf16> to memref<32x32xf16, strided<[256, 1], offset: ?>>
    memref.copy %b, %B_tile : memref<32x32xf16, strided<[256, 1], offset: ?>>
                           to memref<32x32xf16, #gpu.address_space<private>>
    linalg.add ins(%A_tile, %B_tile : memref<32x32xf16, #gpu.address_space<private>>,
                                      memref<32x32xf16, #gpu.address_space<private>>)
               outs(%C_tile : memref<32x32xf16, #gpu.address_space<private>>)
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1]
        : memref<256x256xf16> to memref<32x32xf16, strided<[256, 1], offset: ?>>
    memref.copy %C_tile, %c : memref<32x32xf16, #gpu.address_space<private>>
                           to memref<32x32xf16, strided<[256, 1], offset: ?>>
  }
  return
}
