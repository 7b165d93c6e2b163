// Y = tanh(X), both cut into eight strips of columns, one in the L1 of each core (of the first row of
// cores). Blocks are one tile high and as wide as a strip: they lie one after the other in the shard.
func.func @width_shards(%X: memref<128x512xbf16> {tt.name = "X", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [1, 8], shard_shape_elems = [128, 64]}}},
    %Y: memref<128x512xbf16> {tt.name = "Y", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [1, 8], shard_shape_elems = [128, 64]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  scf.forall (%by, %bx) in (4, 8) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %x = memref.subview %X[%m, %n] [32, 64] [1, 1] : memref<128x512xbf16> to memref<32x64xbf16, strided<[512, 1], offset: ?>>
    %y = memref.subview %Y[%m, %n] [32, 64] [1, 1] : memref<128x512xbf16> to memref<32x64xbf16, strided<[512, 1], offset: ?>>
    linalg.tanh ins(%x : memref<32x64xbf16, strided<[512, 1], offset: ?>>) outs(%y : memref<32x64xbf16, strided<[512, 1], offset: ?>>)
  }
  return
}
