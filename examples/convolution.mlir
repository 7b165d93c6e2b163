// A 3x3 convolution of an image of 16x32 pixels with 64 channels into 96, through im2col
// blocks: for each of the nine taps, the shifted image is a matrix of pixels x channels, and
// the result is the sum of their products with the tap's weights. A unit of work is a row of
// the image, 32 pixels. With bias and relu.
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @convolution(%X: memref<9x512x64xbf16> {tt.name = "taps"}, %W: memref<9x64x96xbf16> {tt.name = "weights"},
                       %bias: memref<96xbf16> {tt.name = "bias"}, %Y: memref<512x96xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%row) in (16) {
    %pixel = arith.muli %row, %c32 : index
    %acc = memref.alloc() : memref<32x96xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x96xf32, #gpu.address_space<private>>)
    scf.for %tap = %c0 to %c9 step %c1 {
      %x = memref.subview %X[%tap, %pixel, 0] [1, 32, 64] [1, 1, 1]
          : memref<9x512x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      %w = memref.subview %W[%tap, 0, 0] [1, 64, 96] [1, 1, 1]
          : memref<9x64x96xbf16> to memref<64x96xbf16, strided<[96, 1], offset: ?>>
      linalg.matmul ins(%x, %w : memref<32x64xbf16, strided<[64, 1], offset: ?>>, memref<64x96xbf16, strided<[96, 1], offset: ?>>)
          outs(%acc : memref<32x96xf32, #gpu.address_space<private>>)
    } {tt.num_stages = 3 : i64}
    %y = memref.subview %Y[%pixel, 0] [32, 96] [1, 1]
        : memref<512x96xbf16> to memref<32x96xbf16, strided<[96, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%acc, %bias : memref<32x96xf32, #gpu.address_space<private>>, memref<96xbf16>)
        outs(%y : memref<32x96xbf16, strided<[96, 1], offset: ?>>) {
      ^bb0(%s: f32, %b: bf16, %old: bf16):
        %w = arith.extf %b : bf16 to f32
        %t = arith.addf %s, %w : f32
        %m = arith.maximumf %t, %zero : f32
        %r = arith.truncf %m : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}
