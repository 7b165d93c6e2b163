// Y = exp(X) on 100 x 150 elements in blocks of 64 x 64: the last row and column of blocks is partial, as
// tiling writes it. What a block has behind the end of X is zero, and not written to Y.
func.func @partial_blocks(%X: memref<100x150xbf16> {tt.name = "X"}, %Y: memref<100x150xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%m, %n) = (0, 0) to (100, 150) step (64, 64) {
    %rows = affine.min affine_map<(d0) -> (-d0 + 100, 64)>(%m)
    %cols = affine.min affine_map<(d0) -> (-d0 + 150, 64)>(%n)
    %x = memref.subview %X[%m, %n] [%rows, %cols] [1, 1] : memref<100x150xbf16> to memref<?x?xbf16, strided<[150, 1], offset: ?>>
    %y = memref.subview %Y[%m, %n] [%rows, %cols] [1, 1] : memref<100x150xbf16> to memref<?x?xbf16, strided<[150, 1], offset: ?>>
    linalg.exp ins(%x : memref<?x?xbf16, strided<[150, 1], offset: ?>>) outs(%y : memref<?x?xbf16, strided<[150, 1], offset: ?>>)
  }
  return
}
