// Rotary embedding: each pair of a vector's halves is turned by an angle that depends on the
// position, (a, b) -> (a cos - b sin, b cos + a sin). A unit of work is a block of positions
// of one head; the tables of cosines and sines are shared by all heads.
#ij = affine_map<(i, j) -> (i, j)>
func.func @rotary(%X: memref<4x128x64xbf16> {tt.name = "X"}, %cos: memref<128x32xbf16> {tt.name = "cos"},
                  %sin: memref<128x32xbf16> {tt.name = "sin"}, %Y: memref<4x128x64xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  scf.forall (%head, %block) in (4, 2) {
    %row = arith.muli %block, %c64 : index
    %a = memref.subview %X[%head, %row, 0] [1, 64, 32] [1, 1, 1]
        : memref<4x128x64xbf16> to memref<64x32xbf16, strided<[64, 1], offset: ?>>
    %b = memref.subview %X[%head, %row, 32] [1, 64, 32] [1, 1, 1]
        : memref<4x128x64xbf16> to memref<64x32xbf16, strided<[64, 1], offset: ?>>
    %c = memref.subview %cos[%row, 0] [64, 32] [1, 1]
        : memref<128x32xbf16> to memref<64x32xbf16, strided<[32, 1], offset: ?>>
    %s = memref.subview %sin[%row, 0] [64, 32] [1, 1]
        : memref<128x32xbf16> to memref<64x32xbf16, strided<[32, 1], offset: ?>>
    %first = memref.subview %Y[%head, %row, 0] [1, 64, 32] [1, 1, 1]
        : memref<4x128x64xbf16> to memref<64x32xbf16, strided<[64, 1], offset: ?>>
    %second = memref.subview %Y[%head, %row, 32] [1, 64, 32] [1, 1, 1]
        : memref<4x128x64xbf16> to memref<64x32xbf16, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij, #ij, #ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b, %c, %s : memref<64x32xbf16, strided<[64, 1], offset: ?>>, memref<64x32xbf16, strided<[64, 1], offset: ?>>,
            memref<64x32xbf16, strided<[32, 1], offset: ?>>, memref<64x32xbf16, strided<[32, 1], offset: ?>>)
        outs(%first, %second : memref<64x32xbf16, strided<[64, 1], offset: ?>>, memref<64x32xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%u: bf16, %v: bf16, %p: bf16, %q: bf16, %old0: bf16, %old1: bf16):
        %up = arith.mulf %u, %p : bf16
        %vq = arith.mulf %v, %q : bf16
        %vp = arith.mulf %v, %p : bf16
        %uq = arith.mulf %u, %q : bf16
        %r0 = arith.subf %up, %vq : bf16
        %r1 = arith.addf %vp, %uq : bf16
        linalg.yield %r0, %r1 : bf16, bf16
    }
  }
  return
}
