// Layer norm of each row of a batch of matrices, with a weight and a bias a column; the
// reciprocal of the standard deviation goes out as well, a number a row. A unit of work is a
// block of 32 rows of one matrix, which stays on the core.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#v = affine_map<(i) -> (i)>
func.func @layer_norm(%X: memref<2x64x256xbf16> {tt.name = "X"}, %W: memref<256xbf16> {tt.name = "weight"},
                      %B: memref<256xbf16> {tt.name = "bias"}, %Y: memref<2x64x256xbf16> {tt.name = "Y"},
                      %R: memref<128xf32> {tt.name = "rstd"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %part = arith.constant 0.00390625 : f32  // 1 / 256
  %epsilon = arith.constant 1.0e-5 : f32
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%matrix, %block) in (2, 2) {
    %row = arith.muli %block, %c32 : index
    %first = arith.muli %matrix, %c64 : index
    %flat_row = arith.addi %first, %row : index
    %from = memref.subview %X[%matrix, %row, 0] [1, 32, 256] [1, 1, 1]
        : memref<2x64x256xbf16> to memref<32x256xbf16, strided<[256, 1], offset: ?>>
    %to = memref.subview %Y[%matrix, %row, 0] [1, 32, 256] [1, 1, 1]
        : memref<2x64x256xbf16> to memref<32x256xbf16, strided<[256, 1], offset: ?>>
    %to_rstd = memref.subview %R[%flat_row] [32] [1] : memref<128xf32> to memref<32xf32, strided<[1], offset: ?>>
    %x = memref.alloc() : memref<32x256xbf16, #gpu.address_space<workgroup>>
    %mean = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %variance = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %rstd = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    memref.copy %from, %x
        : memref<32x256xbf16, strided<[256, 1], offset: ?>> to memref<32x256xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : f32) outs(%mean : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x256xbf16, #gpu.address_space<workgroup>>)
        outs(%mean : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %w : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]}
        outs(%mean : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%sum: f32):
        %r = arith.mulf %sum, %part : f32
        linalg.yield %r : f32
    }
    linalg.fill ins(%zero : f32) outs(%variance : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x, %mean : memref<32x256xbf16, #gpu.address_space<workgroup>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%variance : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %m: f32, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %d = arith.subf %w, %m : f32
        %square = arith.mulf %d, %d : f32
        %r = arith.addf %old, %square : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
        ins(%variance : memref<32xf32, #gpu.address_space<private>>)
        outs(%rstd : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%sum: f32, %old: f32):
        %v = arith.mulf %sum, %part : f32
        %e = arith.addf %v, %epsilon : f32
        %r = math.rsqrt %e : f32
        linalg.yield %r : f32
    }
    memref.copy %rstd, %to_rstd
        : memref<32xf32, #gpu.address_space<private>> to memref<32xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #i, #i, #j, #j, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %mean, %rstd, %W, %B : memref<32x256xbf16, #gpu.address_space<workgroup>>,
            memref<32xf32, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>,
            memref<256xbf16>, memref<256xbf16>)
        outs(%to : memref<32x256xbf16, strided<[256, 1], offset: ?>>) {
      ^bb0(%a: bf16, %m: f32, %s: f32, %weight: bf16, %bias: bf16, %old: bf16):
        %wide = arith.extf %a : bf16 to f32
        %w = arith.extf %weight : bf16 to f32
        %b = arith.extf %bias : bf16 to f32
        %d = arith.subf %wide, %m : f32
        %n = arith.mulf %d, %s : f32
        %p = arith.mulf %n, %w : f32
        %q = arith.addf %p, %b : f32
        %r = arith.truncf %q : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
