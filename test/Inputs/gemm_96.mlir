// The twin of examples/level3/multicast_gemm.mlir on level 1, which has a reference.
func.func @gemm_96(%A: memref<96x128xbf16> {tt.name = "A"}, %B: memref<128x96xbf16> {tt.name = "B"},
                   %C: memref<96x96xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.forall (%i, %j) in (3, 3) {
    %m = arith.muli %i, %c32 : index
    %n = arith.muli %j, %c32 : index
    %zero = arith.constant 0.0 : bf16
    %c = memref.alloc() : memref<32x32xbf16, #gpu.address_space<private>>
    linalg.fill ins(%zero : bf16) outs(%c : memref<32x32xbf16, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c128 step %c32 {
      %a = memref.alloc() : memref<32x32xbf16, #gpu.address_space<workgroup>>
      %b = memref.alloc() : memref<32x32xbf16, #gpu.address_space<workgroup>>
      %A_block = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<96x128xbf16> to memref<32x32xbf16, strided<[128, 1], offset: ?>>
      %B_block = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<128x96xbf16> to memref<32x32xbf16, strided<[96, 1], offset: ?>>
      memref.copy %A_block, %a : memref<32x32xbf16, strided<[128, 1], offset: ?>> to memref<32x32xbf16, #gpu.address_space<workgroup>>
      memref.copy %B_block, %b : memref<32x32xbf16, strided<[96, 1], offset: ?>> to memref<32x32xbf16, #gpu.address_space<workgroup>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, #gpu.address_space<workgroup>>, memref<32x32xbf16, #gpu.address_space<workgroup>>) outs(%c : memref<32x32xbf16, #gpu.address_space<private>>)
    }
    %C_block = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<96x96xbf16> to memref<32x32xbf16, strided<[96, 1], offset: ?>>
    memref.copy %c, %C_block : memref<32x32xbf16, #gpu.address_space<private>> to memref<32x32xbf16, strided<[96, 1], offset: ?>>
  }
  return
}
