// Y = exp(X), both cut into 4 x 2 blocks that eight cores hold in L1. In mode local_shard each core takes
// the units of its own block: m = sy * Sm + unit / Sn, n = sx * Sn + unit % Sn. A unit is as wide as the
// shard, so that its tiles lie one after the other there: circular buffers lie on the shards, and nothing
// moves at all.
func.func @block_shards(%X: memref<256x256xbf16> {tt.name = "X", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [4, 2], shard_shape_elems = [64, 128]}}},
    %Y: memref<256x256xbf16> {tt.name = "Y", tt.layout = {memory = "L1", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [4, 2], shard_shape_elems = [64, 128]}}}) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  scf.forall (%by, %bx) in (8, 2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 128)>(%bx)
    %x = memref.subview %X[%m, %n] [32, 128] [1, 1] : memref<256x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
    %y = memref.subview %Y[%m, %n] [32, 128] [1, 1] : memref<256x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x128xbf16, strided<[256, 1], offset: ?>>) outs(%y : memref<32x128xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}
