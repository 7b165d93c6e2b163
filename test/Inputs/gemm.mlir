// The GEMM of examples/gemm.mlir, small: 192x128x96 in blocks of 96x64, on 2x2 cores.
func.func @gemm(%A: memref<192x96xbf16> {tt.name = "A"},
                %B: memref<96x128xbf16> {tt.name = "B"},
                %C: memref<192x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c96 : index
    %n = arith.muli %bx, %c64 : index
    %A_sh = memref.alloc() : memref<96x32xbf16, #gpu.address_space<workgroup>>
    %B_sh = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    %C_frag = memref.alloc() : memref<96x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%C_frag : memref<96x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c96 step %c32 {
      %a = memref.subview %A[%m, %k] [96, 32] [1, 1]
          : memref<192x96xbf16> to memref<96x32xbf16, strided<[96, 1], offset: ?>>
      memref.copy %a, %A_sh : memref<96x32xbf16, strided<[96, 1], offset: ?>>
                           to memref<96x32xbf16, #gpu.address_space<workgroup>>
      %b = memref.subview %B[%k, %n] [32, 64] [1, 1]
          : memref<96x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
      memref.copy %b, %B_sh : memref<32x64xbf16, strided<[128, 1], offset: ?>>
                           to memref<32x64xbf16, #gpu.address_space<workgroup>>
      linalg.matmul ins(%A_sh, %B_sh : memref<96x32xbf16, #gpu.address_space<workgroup>>,
                                       memref<32x64xbf16, #gpu.address_space<workgroup>>)
                    outs(%C_frag : memref<96x64xf32, #gpu.address_space<private>>)
    } {tt.num_stages = 3 : i64}
    %c = memref.subview %C[%m, %n] [96, 64] [1, 1]
        : memref<192x128xbf16> to memref<96x64xbf16, strided<[128, 1], offset: ?>>
    linalg.copy ins(%C_frag : memref<96x64xf32, #gpu.address_space<private>>)
                outs(%c : memref<96x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
