// Y = X * X in mode global, with order match_shard: the cores that hold the shards of Y visit the units of
// their own shards, one shard after the other. X is in L1, interleaved over the cores, so that most of it
// comes from other cores.
func.func @match_shard(%X: memref<256x128xbf16> {tt.name = "X", tt.layout = {memory = "L1"}},
    %Y: memref<256x128xbf16> {tt.name = "Y", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [4, 1], shard_shape_elems = [64, 128], order = "match_shard"}}}) attributes {tt.kernel} {
  scf.forall (%by, %bx) in (8, 2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %x = memref.subview %X[%m, %n] [32, 64] [1, 1] : memref<256x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    %y = memref.subview %Y[%m, %n] [32, 64] [1, 1] : memref<256x128xbf16> to memref<32x64xbf16, strided<[128, 1], offset: ?>>
    linalg.square ins(%x : memref<32x64xbf16, strided<[128, 1], offset: ?>>) outs(%y : memref<32x64xbf16, strided<[128, 1], offset: ?>>)
  }
  return
}
