// GEMM: C = A x B, 1024x1024x256 in bf16, on an 8x8 grid of cores.
//
// Each cell of the grid computes a block of 128x128 of C. The K loop moves 32
// columns of A and 32 rows of B a step into shared buffers, three steps in flight,
// and accumulates in f32.
func.func @gemm(%A: memref<1024x256xbf16> {tt.name = "A"},
                %B: memref<256x1024xbf16> {tt.name = "B"},
                %C: memref<1024x1024xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (8, 8) {
    %m = arith.muli %by, %c128 : index
    %n = arith.muli %bx, %c128 : index
    %A_sh = memref.alloc() : memref<128x32xbf16, #gpu.address_space<workgroup>>
    %B_sh = memref.alloc() : memref<32x128xbf16, #gpu.address_space<workgroup>>
    %C_frag = memref.alloc() : memref<128x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%C_frag : memref<128x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c256 step %c32 {
      %a = memref.subview %A[%m, %k] [128, 32] [1, 1]
          : memref<1024x256xbf16> to memref<128x32xbf16, strided<[256, 1], offset: ?>>
      memref.copy %a, %A_sh : memref<128x32xbf16, strided<[256, 1], offset: ?>>
                           to memref<128x32xbf16, #gpu.address_space<workgroup>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1]
          : memref<256x1024xbf16> to memref<32x128xbf16, strided<[1024, 1], offset: ?>>
      memref.copy %b, %B_sh : memref<32x128xbf16, strided<[1024, 1], offset: ?>>
                           to memref<32x128xbf16, #gpu.address_space<workgroup>>
      linalg.matmul ins(%A_sh, %B_sh : memref<128x32xbf16, #gpu.address_space<workgroup>>,
                                       memref<32x128xbf16, #gpu.address_space<workgroup>>)
                    outs(%C_frag : memref<128x128xf32, #gpu.address_space<private>>)
    } {tt.num_stages = 3 : i64}
    %c = memref.subview %C[%m, %n] [128, 128] [1, 1]
        : memref<1024x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    linalg.copy ins(%C_frag : memref<128x128xf32, #gpu.address_space<private>>)
                outs(%c : memref<128x128xbf16, strided<[1024, 1], offset: ?>>)
  }
  return
}
