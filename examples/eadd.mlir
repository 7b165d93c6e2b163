// Elementwise addition: C = A + B, 1024x1024 in bf16, blocks of 128x128 in shared
// buffers, on an 8x8 grid of cores.
func.func @eadd(%A: memref<1024x1024xbf16> {tt.name = "A"},
                %B: memref<1024x1024xbf16> {tt.name = "B"},
                %C: memref<1024x1024xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c128 = arith.constant 128 : index
  scf.forall (%by, %bx) in (8, 8) {
    %m = arith.muli %by, %c128 : index
    %n = arith.muli %bx, %c128 : index
    %ShA = memref.alloc() : memref<128x128xbf16, #gpu.address_space<workgroup>>
    %ShB = memref.alloc() : memref<128x128xbf16, #gpu.address_space<workgroup>>
    %ShC = memref.alloc() : memref<128x128xbf16, #gpu.address_space<workgroup>>
    %a = memref.subview %A[%m, %n] [128, 128] [1, 1]
        : memref<1024x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    memref.copy %a, %ShA : memref<128x128xbf16, strided<[1024, 1], offset: ?>>
                        to memref<128x128xbf16, #gpu.address_space<workgroup>>
    %b = memref.subview %B[%m, %n] [128, 128] [1, 1]
        : memref<1024x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    memref.copy %b, %ShB : memref<128x128xbf16, strided<[1024, 1], offset: ?>>
                        to memref<128x128xbf16, #gpu.address_space<workgroup>>
    linalg.add ins(%ShA, %ShB : memref<128x128xbf16, #gpu.address_space<workgroup>>,
                                memref<128x128xbf16, #gpu.address_space<workgroup>>)
               outs(%ShC : memref<128x128xbf16, #gpu.address_space<workgroup>>)
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1]
        : memref<1024x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    memref.copy %ShC, %c : memref<128x128xbf16, #gpu.address_space<workgroup>>
                        to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
  }
  return
}
