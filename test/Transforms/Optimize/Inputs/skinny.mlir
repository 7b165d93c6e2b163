// A row of blocks: each core needs all of A, and columns of B of its own.
func.func @product(%A: memref<32x256xbf16> {tt.name = "A"}, %B: memref<256x2048xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<32x2048xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 32 : index
  %bn = arith.constant 32 : index
  %size = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (1, 64) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<32x256xbf16> to memref<32x32xbf16, strided<[256, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<256x2048xbf16> to memref<32x32xbf16, strided<[2048, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x32xbf16, strided<[256, 1], offset: ?>>, memref<32x32xbf16, strided<[2048, 1], offset: ?>>) outs(%sum : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<32x2048xbf16> to memref<32x32xbf16, strided<[2048, 1], offset: ?>>
    linalg.copy ins(%sum : memref<32x32xf32, #gpu.address_space<private>>) outs(%c : memref<32x32xbf16, strided<[2048, 1], offset: ?>>)
  }
  return
}
