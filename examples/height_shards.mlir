// C = A * B with A and C in the L1 of eight cores, 32 rows on each: mode local_shard gives each core
// the rows of its own shards. A block of C is as wide as a shard, so the compute kernel packs it where
// it belongs, and no writer moves it; blocks of A are a part of the shard's columns, and come from the
// core's own L1.
func.func @height_shards(%A: memref<256x256xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded",
                           nd_shard = {axes = ["M", "N"], grid = [8, 1], shard_shape_elems = [32, 256]}}},
                         %B: memref<256x256xbf16> {tt.name = "B"},
                         %C: memref<256x256xbf16> {tt.name = "C", tt.layout = {memory = "L1", layout = "sharded",
                           nd_shard = {axes = ["M", "N"], grid = [8, 1], shard_shape_elems = [32, 256]}}})
    attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by) in (8) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %acc = memref.alloc() : memref<32x256xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x256xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c256 step %c64 {
      %a = memref.subview %A[%m, %k] [32, 64] [1, 1] : memref<256x256xbf16> to memref<32x64xbf16, strided<[256, 1], offset: ?>>
      %b = memref.subview %B[%k, 0] [64, 256] [1, 1] : memref<256x256xbf16> to memref<64x256xbf16, strided<[256, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<32x64xbf16, strided<[256, 1], offset: ?>>, memref<64x256xbf16, strided<[256, 1], offset: ?>>)
                    outs(%acc : memref<32x256xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, 0] [32, 256] [1, 1] : memref<256x256xbf16> to memref<32x256xbf16, strided<[256, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%acc : memref<32x256xf32, #gpu.address_space<private>>) outs(%c : memref<32x256xbf16, strided<[256, 1], offset: ?>>) {
      ^bb0(%x: f32, %old: bf16):
        %y = arith.truncf %x : f32 to bf16
        linalg.yield %y : bf16
    }
  }
  return
}
