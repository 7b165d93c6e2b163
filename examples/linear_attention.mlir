// Linear attention, causal, a head a unit of work. Chunk by chunk of 64 rows: what the
// chunk's own rows give, O = ((Q x K^T) * mask) x V, and what all chunks before give, Q x S,
// where the state S sums K^T x V. Scores and state never leave the core.
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
func.func @linear_attention(%Q: memref<2x256x64xbf16> {tt.name = "Q"}, %K: memref<2x256x64xbf16> {tt.name = "K"},
                            %V: memref<2x256x64xbf16> {tt.name = "V"}, %O: memref<2x256x64xbf16> {tt.name = "O"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%head) in (2) {
    %state = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%state : memref<64x64xf32, #gpu.address_space<private>>)
    scf.for %row = %c0 to %c256 step %c64 {
      %q_view = memref.subview %Q[%head, %row, 0] [1, 64, 64] [1, 1, 1]
          : memref<2x256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      %k_view = memref.subview %K[%head, %row, 0] [1, 64, 64] [1, 1, 1]
          : memref<2x256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      %v_view = memref.subview %V[%head, %row, 0] [1, 64, 64] [1, 1, 1]
          : memref<2x256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      %o = memref.subview %O[%head, %row, 0] [1, 64, 64] [1, 1, 1]
          : memref<2x256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      %q = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
      %k = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
      %v = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
      memref.copy %q_view, %q : memref<64x64xbf16, strided<[64, 1], offset: ?>> to memref<64x64xbf16, #gpu.address_space<workgroup>>
      memref.copy %k_view, %k : memref<64x64xbf16, strided<[64, 1], offset: ?>> to memref<64x64xbf16, #gpu.address_space<workgroup>>
      memref.copy %v_view, %v : memref<64x64xbf16, strided<[64, 1], offset: ?>> to memref<64x64xbf16, #gpu.address_space<workgroup>>
      %scores = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
      %seen = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
      %out = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
      linalg.fill ins(%zero : f32) outs(%scores : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.matmul indexing_maps = [#mk, #nk, #mn]
          ins(%q, %k : memref<64x64xbf16, #gpu.address_space<workgroup>>, memref<64x64xbf16, #gpu.address_space<workgroup>>)
          outs(%scores : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%scores : memref<64x64xf32, #gpu.address_space<private>>)
          outs(%seen : memref<64x64xf32, #gpu.address_space<private>>) {
        ^bb0(%s: f32, %old: f32):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %before = arith.cmpi sle, %j, %i : index
          %r = arith.select %before, %s, %zero : f32
          linalg.yield %r : f32
      }
      linalg.fill ins(%zero : f32) outs(%out : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.matmul ins(%seen, %v : memref<64x64xf32, #gpu.address_space<private>>, memref<64x64xbf16, #gpu.address_space<workgroup>>)
          outs(%out : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.matmul ins(%q, %state : memref<64x64xbf16, #gpu.address_space<workgroup>>, memref<64x64xf32, #gpu.address_space<private>>)
          outs(%out : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.matmul indexing_maps = [#km, #kn, #mn]
          ins(%k, %v : memref<64x64xbf16, #gpu.address_space<workgroup>>, memref<64x64xbf16, #gpu.address_space<workgroup>>)
          outs(%state : memref<64x64xf32, #gpu.address_space<private>>)
      linalg.copy ins(%out : memref<64x64xf32, #gpu.address_space<private>>) outs(%o : memref<64x64xbf16, strided<[64, 1], offset: ?>>)
    }
  }
  return
}
