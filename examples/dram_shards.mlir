// Y = abs(X) with X in four shards, each in a DRAM bank of its own, and Y interleaved over all banks.
// The kernels do not see the difference: TensorAccessor finds the bank and the address of a page. Order
// block_linear visits the units of work in squares of 2 x 2.
func.func @dram_shards(%X: memref<256x256xbf16> {tt.name = "X", tt.layout = {memory = "DRAM", layout = "sharded",
      nd_shard = {axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [128, 128], order = "block_linear"}}},
    %Y: memref<256x256xbf16> {tt.name = "Y", tt.layout = {memory = "DRAM", layout = "interleaved"}}) attributes {tt.kernel} {
  scf.forall (%by, %bx) in (4, 4) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %x = memref.subview %X[%m, %n] [64, 64] [1, 1] : memref<256x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    %y = memref.subview %Y[%m, %n] [64, 64] [1, 1] : memref<256x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
    linalg.abs ins(%x : memref<64x64xbf16, strided<[256, 1], offset: ?>>) outs(%y : memref<64x64xbf16, strided<[256, 1], offset: ?>>)
  }
  return
}
