// Causal flash attention on sequences of 100, in blocks of 64: the last block of queries and of keys is
// partial. Queries and results are in the L1 of the core that computes a head (mode local_shard), keys and
// values in DRAM. Otherwise as causal_attention.mlir.
#qk = affine_map<(m, n, k) -> (m, k)>
#kq = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#v = affine_map<(i) -> (i)>
func.func @ragged_attention(%Q: memref<4x100x64xbf16> {tt.name = "Q", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["H", "M", "N"], grid = [4, 1, 1], shard_shape_elems = [1, 128, 64]}}}, %K: memref<2x100x64xbf16> {tt.name = "K"},
                           %V: memref<2x100x64xbf16> {tt.name = "V"}, %O: memref<4x100x64xbf16> {tt.name = "O", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["H", "M", "N"], grid = [4, 1, 1], shard_shape_elems = [1, 128, 64]}}})
    attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -1.0e30 : f32
  %scale = arith.constant 0.125 : f32  // 1 / sqrt(64)
  scf.forall (%head, %block) in (4, 2) {
    %shared = arith.divui %head, %c2 : index
    %row = arith.muli %block, %c64 : index
    %rows = affine.min affine_map<(d0) -> (-d0 + 100, 64)>(%row)
    %q = memref.subview %Q[%head, %row, 0] [1, %rows, 64] [1, 1, 1]
        : memref<4x100x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    %o = memref.subview %O[%head, %row, 0] [1, %rows, 64] [1, 1, 1]
        : memref<4x100x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
    %queries = memref.alloc(%rows) : memref<?x64xbf16, #gpu.address_space<workgroup>>
    memref.copy %q, %queries
        : memref<?x64xbf16, strided<[64, 1], offset: ?>> to memref<?x64xbf16, #gpu.address_space<workgroup>>
    %max = memref.alloc(%rows) : memref<?xf32, #gpu.address_space<private>>
    %new_max = memref.alloc(%rows) : memref<?xf32, #gpu.address_space<private>>
    %factor = memref.alloc(%rows) : memref<?xf32, #gpu.address_space<private>>
    %sum = memref.alloc(%rows) : memref<?xf32, #gpu.address_space<private>>
    %acc = memref.alloc(%rows) : memref<?x64xf32, #gpu.address_space<private>>
    linalg.fill ins(%lowest : f32) outs(%max : memref<?xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%sum : memref<?xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%acc : memref<?x64xf32, #gpu.address_space<private>>)
    %end = arith.addi %row, %rows : index
    scf.for %key = %c0 to %end step %c64 {
      %keys = affine.min affine_map<(d0) -> (-d0 + 100, 64)>(%key)
      %scores = memref.alloc(%rows, %keys) : memref<?x?xf32, #gpu.address_space<private>>
      %scaled = memref.alloc(%rows, %keys) : memref<?x?xf32, #gpu.address_space<private>>
      %weights = memref.alloc(%rows, %keys) : memref<?x?xbf16, #gpu.address_space<private>>
      %k = memref.subview %K[%shared, %key, 0] [1, %keys, 64] [1, 1, 1]
          : memref<2x100x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
      %v = memref.subview %V[%shared, %key, 0] [1, %keys, 64] [1, 1, 1]
          : memref<2x100x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
      // scaled = queries x keys^T * scale, where the query sees the key
      linalg.fill ins(%zero : f32) outs(%scores : memref<?x?xf32, #gpu.address_space<private>>)
      linalg.matmul indexing_maps = [#qk, #kq, #mn]
          ins(%queries, %k : memref<?x64xbf16, #gpu.address_space<workgroup>>, memref<?x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%scores : memref<?x?xf32, #gpu.address_space<private>>)
      linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%scores : memref<?x?xf32, #gpu.address_space<private>>)
          outs(%scaled : memref<?x?xf32, #gpu.address_space<private>>) {
        ^bb0(%s: f32, %old: f32):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %query = arith.addi %row, %i : index
          %this_key = arith.addi %key, %j : index
          %seen = arith.cmpi sge, %query, %this_key : index
          %in_scale = arith.mulf %s, %scale : f32
          %r = arith.select %seen, %in_scale, %lowest : f32
          linalg.yield %r : f32
      }
      // new_max = max(max, scaled), factor = exp(max - new_max)
      memref.copy %max, %new_max
          : memref<?xf32, #gpu.address_space<private>> to memref<?xf32, #gpu.address_space<private>>
      linalg.reduce { arith.maximumf } ins(%scaled : memref<?x?xf32, #gpu.address_space<private>>)
          outs(%new_max : memref<?xf32, #gpu.address_space<private>>) dimensions = [1]
      linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
          ins(%max, %new_max : memref<?xf32, #gpu.address_space<private>>, memref<?xf32, #gpu.address_space<private>>)
          outs(%factor : memref<?xf32, #gpu.address_space<private>>) {
        ^bb0(%a: f32, %b: f32, %old: f32):
          %d = arith.subf %a, %b : f32
          %r = math.exp %d : f32
          linalg.yield %r : f32
      }
      memref.copy %new_max, %max
          : memref<?xf32, #gpu.address_space<private>> to memref<?xf32, #gpu.address_space<private>>
      // weights = exp(scaled - max)
      linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%scaled, %max : memref<?x?xf32, #gpu.address_space<private>>, memref<?xf32, #gpu.address_space<private>>)
          outs(%weights : memref<?x?xbf16, #gpu.address_space<private>>) {
        ^bb0(%s: f32, %m: f32, %old: bf16):
          %d = arith.subf %s, %m : f32
          %e = math.exp %d : f32
          %r = arith.truncf %e : f32 to bf16
          linalg.yield %r : bf16
      }
      // sum = sum * factor + weights, acc = acc * factor + weights x values
      linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
          ins(%factor : memref<?xf32, #gpu.address_space<private>>)
          outs(%sum : memref<?xf32, #gpu.address_space<private>>) {
        ^bb0(%f: f32, %old: f32):
          %r = arith.mulf %old, %f : f32
          linalg.yield %r : f32
      }
      linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
          ins(%weights : memref<?x?xbf16, #gpu.address_space<private>>)
          outs(%sum : memref<?xf32, #gpu.address_space<private>>) {
        ^bb0(%w: bf16, %old: f32):
          %e = arith.extf %w : bf16 to f32
          %r = arith.addf %old, %e : f32
          linalg.yield %r : f32
      }
      linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
          ins(%factor : memref<?xf32, #gpu.address_space<private>>)
          outs(%acc : memref<?x64xf32, #gpu.address_space<private>>) {
        ^bb0(%f: f32, %old: f32):
          %r = arith.mulf %old, %f : f32
          linalg.yield %r : f32
      }
      linalg.matmul
          ins(%weights, %v : memref<?x?xbf16, #gpu.address_space<private>>, memref<?x64xbf16, strided<[64, 1], offset: ?>>)
          outs(%acc : memref<?x64xf32, #gpu.address_space<private>>)
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%acc, %sum : memref<?x64xf32, #gpu.address_space<private>>, memref<?xf32, #gpu.address_space<private>>)
        outs(%o : memref<?x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: f32, %s: f32, %old: bf16):
        %d = arith.divf %a, %s : f32
        %r = arith.truncf %d : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
