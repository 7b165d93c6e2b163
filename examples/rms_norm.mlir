// RMS norm of each row: x / sqrt(mean of squares + epsilon) * weight, where epsilon is an
// argument of the kernel.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @rms_norm(%X: memref<64x128xbf16> {tt.name = "X"}, %W: memref<128xbf16> {tt.name = "weight"},
                    %epsilon: f32 {tt.name = "epsilon"}, %Y: memref<64x128xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %part = arith.constant 0.0078125 : f32  // 1 / 128
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (2) {
    %row = arith.muli %block, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 128] [1, 1]
        : memref<64x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %y = memref.subview %Y[%row, 0] [32, 128] [1, 1]
        : memref<64x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %mean = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%mean : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x128xbf16, strided<[128, 1], offset: ?>>)
        outs(%mean : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %s = arith.mulf %w, %w : f32
        %p = arith.mulf %s, %part : f32
        %r = arith.addf %old, %p : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #j, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %mean, %W : memref<32x128xbf16, strided<[128, 1], offset: ?>>, memref<32xf32, #gpu.address_space<private>>, memref<128xbf16>)
        outs(%y : memref<32x128xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%a: bf16, %m: f32, %weight: bf16, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %g = arith.extf %weight : bf16 to f32
        %e = arith.addf %m, %epsilon : f32
        %f = math.rsqrt %e : f32
        %n = arith.mulf %w, %f : f32
        %p = arith.mulf %n, %g : f32
        %r = arith.truncf %p : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
