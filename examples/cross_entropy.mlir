// Cross entropy of each row of logits against the row of probabilities that was wanted:
// log(sum exp(x - max)) + max - sum(p * x), a number a row.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#v = affine_map<(i) -> (i)>
func.func @cross_entropy(%X: memref<64x128xbf16> {tt.name = "logits"}, %P: memref<64x128xbf16> {tt.name = "wanted"},
                         %L: memref<64xf32> {tt.name = "loss"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32  // -inf
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (2) {
    %row = arith.muli %block, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 128] [1, 1]
        : memref<64x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %p = memref.subview %P[%row, 0] [32, 128] [1, 1]
        : memref<64x128xbf16> to memref<32x128xbf16, strided<[128, 1], offset: ?>>
    %loss = memref.subview %L[%row] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    %max = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    %dot = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    linalg.fill ins(%lowest : f32) outs(%max : memref<32xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%dot : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x128xbf16, strided<[128, 1], offset: ?>>)
        outs(%max : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.maximumf %old, %w : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x, %max : memref<32x128xbf16, strided<[128, 1], offset: ?>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %m: f32, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %d = arith.subf %w, %m : f32
        %e = math.exp %d : f32
        %r = arith.addf %old, %e : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x, %p : memref<32x128xbf16, strided<[128, 1], offset: ?>>, memref<32x128xbf16, strided<[128, 1], offset: ?>>)
        outs(%dot : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %b: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %q = arith.extf %b : bf16 to f32
        %m = arith.mulf %w, %q : f32
        %r = arith.addf %old, %m : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
        ins(%max, %sum, %dot : memref<32xf32, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%loss : memref<32xf32, strided<[1], offset: ?>>) {
      ^bb0(%m: f32, %s: f32, %d: f32, %old: f32):
        %l = math.log %s : f32
        %e = arith.addf %l, %m : f32
        %r = arith.subf %e, %d : f32
        linalg.yield %r : f32
    }
  }
  return
}
