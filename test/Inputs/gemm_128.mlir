// The level-1 twin of examples/gemm_monolithic.mlir: accumulation in bf16.
func.func @gemm(%A: memref<128x256xbf16> {tt.name = "A"}, %B: memref<256x128xbf16> {tt.name = "B"},
                %C: memref<128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : bf16
  %acc = memref.alloc() : memref<128x128xbf16, #gpu.address_space<private>>
  linalg.fill ins(%zero : bf16) outs(%acc : memref<128x128xbf16, #gpu.address_space<private>>)
  scf.for %k = %c0 to %c256 step %c32 {
    %a = memref.subview %A[0, %k] [128, 32] [1, 1] : memref<128x256xbf16> to memref<128x32xbf16, strided<[256, 1], offset: ?>>
    %b = memref.subview %B[%k, 0] [32, 128] [1, 1] : memref<256x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    linalg.matmul ins(%a, %b : memref<128x32xbf16, strided<[256, 1], offset: ?>>, memref<32x128xbf16, strided<[128, 1], offset: ?>>)
                  outs(%acc : memref<128x128xbf16, #gpu.address_space<private>>)
  }
  memref.copy %acc, %C : memref<128x128xbf16, #gpu.address_space<private>> to memref<128x128xbf16>
  return
}
