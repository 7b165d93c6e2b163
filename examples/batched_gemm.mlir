// A batch of products with an epilogue: gelu(A x B + bias) + residual, where the bias is a
// vector over columns. The grid has three dimensions: matrix, block of rows, block of columns.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @batched_gemm(%A: memref<2x128x64xbf16> {tt.name = "A"}, %B: memref<2x64x128xbf16> {tt.name = "B"},
                        %bias: memref<128xbf16> {tt.name = "bias"}, %R: memref<2x128x128xbf16> {tt.name = "residual"},
                        %C: memref<2x128x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.70710678 : f32  // 1 / sqrt(2)
  scf.forall (%batch, %by, %bx) in (2, 2, 2) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c64 : index
    %acc = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c64 step %c32 {
      %a = memref.subview %A[%batch, %m, %k] [1, 64, 32] [1, 1, 1]
          : memref<2x128x64xbf16> to memref<64x32xbf16, strided<[64, 1], offset: ?>>
      %b = memref.subview %B[%batch, %k, %n] [1, 32, 64] [1, 1, 1]
          : memref<2x64x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<64x32xbf16, strided<[64, 1], offset: ?>>, memref<32x64xbf16, strided<[128, 1], offset: ?>>)
          outs(%acc : memref<64x64xf32, #gpu.address_space<private>>)
    }
    %v = memref.subview %bias[%n] [64] [1] : memref<128xbf16> to memref<64xbf16, strided<[1], offset: ?>>
    %r = memref.subview %R[%batch, %m, %n] [1, 64, 64] [1, 1, 1]
        : memref<2x128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[%batch, %m, %n] [1, 64, 64] [1, 1, 1]
        : memref<2x128x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #j, #ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%acc, %v, %r : memref<64x64xf32, #gpu.address_space<private>>, memref<64xbf16, strided<[1], offset: ?>>, memref<64x64xbf16, strided<[128, 1], offset: ?>>)
        outs(%c : memref<64x64xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%s: f32, %b: bf16, %q: bf16, %old: bf16):
        %wide_b = arith.extf %b : bf16 to f32
        %wide_q = arith.extf %q : bf16 to f32
        %x = arith.addf %s, %wide_b : f32
        %scaled = arith.mulf %x, %root : f32
        %e = math.erf %scaled : f32
        %f = arith.addf %e, %one : f32
        %h = arith.mulf %x, %half : f32
        %g = arith.mulf %h, %f : f32
        %t = arith.addf %g, %wide_q : f32
        %o = arith.truncf %t : f32 to bf16
        linalg.yield %o : bf16
    }
  }
  return
}
