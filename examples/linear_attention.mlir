// The output of linear attention, a chunk of 64 rows a unit of work: what the chunk's
// own rows give, O = ((Q x Kᵀ) * M) x V with the causal mask M, and what the state S of
// the chunks before gives, Q x S. The scores never leave the core.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @linear_attention(%Q: memref<256x64xbf16> {tt.name = "Q"}, %K: memref<256x64xbf16> {tt.name = "K"},
                            %V: memref<256x64xbf16> {tt.name = "V"}, %M: memref<64x64xbf16> {tt.name = "M"},
                            %S: memref<256x64xbf16> {tt.name = "S"}, %O: memref<256x64xbf16> {tt.name = "O"})
    attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%chunk) in (4) {
    %r = arith.muli %chunk, %c64 : index
    %q = memref.subview %Q[%r, 0] [64, 64] [1, 1]
        : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %k = memref.subview %K[%r, 0] [64, 64] [1, 1]
        : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %v = memref.subview %V[%r, 0] [64, 64] [1, 1]
        : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %s = memref.subview %S[%r, 0] [64, 64] [1, 1]
        : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %o = memref.subview %O[%r, 0] [64, 64] [1, 1]
        : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
    %scores = memref.alloc() : memref<64x64xf32>
    %masked = memref.alloc() : memref<64x64xbf16>
    %own = memref.alloc() : memref<64x64xf32>
    %before = memref.alloc() : memref<64x64xf32>
    linalg.fill ins(%zero : f32) outs(%scores : memref<64x64xf32>)
    linalg.matmul indexing_maps = [#a, #b, #c]
        ins(%q, %k : memref<64x64xbf16, strided<[64, 1], offset: ?>>,
                     memref<64x64xbf16, strided<[64, 1], offset: ?>>)
        outs(%scores : memref<64x64xf32>)
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%scores, %M : memref<64x64xf32>, memref<64x64xbf16>) outs(%masked : memref<64x64xbf16>) {
      ^bb0(%x: f32, %m: bf16, %old: bf16):
        %wide = arith.extf %m : bf16 to f32
        %y = arith.mulf %x, %wide : f32
        %z = arith.truncf %y : f32 to bf16
        linalg.yield %z : bf16
    }
    linalg.fill ins(%zero : f32) outs(%own : memref<64x64xf32>)
    linalg.matmul ins(%masked, %v : memref<64x64xbf16>, memref<64x64xbf16, strided<[64, 1], offset: ?>>)
                  outs(%own : memref<64x64xf32>)
    linalg.fill ins(%zero : f32) outs(%before : memref<64x64xf32>)
    linalg.matmul ins(%q, %s : memref<64x64xbf16, strided<[64, 1], offset: ?>>,
                               memref<64x64xbf16, strided<[64, 1], offset: ?>>)
                  outs(%before : memref<64x64xf32>)
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%own, %before : memref<64x64xf32>, memref<64x64xf32>)
        outs(%o : memref<64x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%x: f32, %y: f32, %old: bf16):
        %sum = arith.addf %x, %y : f32
        %z = arith.truncf %sum : f32 to bf16
        linalg.yield %z : bf16
    }
  }
  return
}
