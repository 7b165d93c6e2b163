// Softmax of each row, a block of 32 rows a unit of work: the largest element of each row,
// exponentials of what is below it, their sum, and the quotient. What is known for each row
// is a column of tiles, of which the first column counts.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @softmax(%X: memref<128x256xbf16> {tt.name = "X"}, %Y: memref<128x256xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %lowest = arith.constant 0xFF80 : bf16  // -inf
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (4) {
    %row = arith.muli %block, %c32 : index
    %from = memref.subview %X[%row, 0] [32, 256] [1, 1]
        : memref<128x256xbf16> to memref<32x256xbf16, strided<[256, 1], offset: ?>>
    %to = memref.subview %Y[%row, 0] [32, 256] [1, 1]
        : memref<128x256xbf16> to memref<32x256xbf16, strided<[256, 1], offset: ?>>
    %x = memref.alloc() : memref<32x256xbf16, #gpu.address_space<workgroup>>
    %e = memref.alloc() : memref<32x256xbf16, #gpu.address_space<private>>
    %max = memref.alloc() : memref<32xbf16, #gpu.address_space<private>>
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    memref.copy %from, %x
        : memref<32x256xbf16, strided<[256, 1], offset: ?>> to memref<32x256xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%lowest : bf16) outs(%max : memref<32xbf16, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf }
        ins(%x : memref<32x256xbf16, #gpu.address_space<workgroup>>)
        outs(%max : memref<32xbf16, #gpu.address_space<private>>) dimensions = [1]
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<32x256xbf16, #gpu.address_space<workgroup>>, memref<32xbf16, #gpu.address_space<private>>)
        outs(%e : memref<32x256xbf16, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %m: bf16, %old: bf16):
        %d = arith.subf %a, %m : bf16
        %r = math.exp %d : bf16
        linalg.yield %r : bf16
    }
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%e : memref<32x256xbf16, #gpu.address_space<private>>)
        outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %w : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%e, %sum : memref<32x256xbf16, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%to : memref<32x256xbf16, strided<[256, 1], offset: ?>>) {
      ^bb0(%a: bf16, %s: f32, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %q = arith.divf %w, %s : f32
        %r = arith.truncf %q : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
