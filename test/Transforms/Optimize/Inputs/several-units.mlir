func.func @several_units(%A: memref<1024x512xbf16> {tt.name = "A"}, %B: memref<512x1024xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<1024x1024xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 256 : index
  %bn = arith.constant 128 : index
  %size = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (4, 8) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<256x128xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<256x128xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [256, 32] [1, 1] : memref<1024x512xbf16> to memref<256x32xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 128] [1, 1] : memref<512x1024xbf16> to memref<32x128xbf16, strided<[1024, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<256x32xbf16, strided<[512, 1], offset: ?>>, memref<32x128xbf16, strided<[1024, 1], offset: ?>>) outs(%sum : memref<256x128xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [256, 128] [1, 1] : memref<1024x1024xbf16> to memref<256x128xbf16, strided<[1024, 1], offset: ?>>
    linalg.copy ins(%sum : memref<256x128xf32, #gpu.address_space<private>>) outs(%c : memref<256x128xbf16, strided<[1024, 1], offset: ?>>)
  }
  return
}
