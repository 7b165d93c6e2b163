// Y = silu(X x W1) * (X x W3): both products sum over one loop, side by side in DST, and
// each block of X is read once.
#id = affine_map<(m, n) -> (m, n)>
func.func @gated_mlp(%X: memref<128x256xbf16> {tt.name = "X"}, %W1: memref<256x192xbf16> {tt.name = "W1"},
                     %W3: memref<256x192xbf16> {tt.name = "W3"}, %Y: memref<128x192xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 6) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c32 : index
    %x_block = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
    %gate = memref.alloc() : memref<64x32xf32, #gpu.address_space<private>>
    %up = memref.alloc() : memref<64x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%gate : memref<64x32xf32, #gpu.address_space<private>>)
    linalg.fill ins(%zero : f32) outs(%up : memref<64x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c256 step %c64 {
      %x = memref.subview %X[%m, %k] [64, 64] [1, 1]
          : memref<128x256xbf16> to memref<64x64xbf16, strided<[256, 1], offset: ?>>
      memref.copy %x, %x_block : memref<64x64xbf16, strided<[256, 1], offset: ?>>
                              to memref<64x64xbf16, #gpu.address_space<workgroup>>
      %w1 = memref.subview %W1[%k, %n] [64, 32] [1, 1]
          : memref<256x192xbf16> to memref<64x32xbf16, strided<[192, 1], offset: ?>>
      %w3 = memref.subview %W3[%k, %n] [64, 32] [1, 1]
          : memref<256x192xbf16> to memref<64x32xbf16, strided<[192, 1], offset: ?>>
      linalg.matmul ins(%x_block, %w1 : memref<64x64xbf16, #gpu.address_space<workgroup>>,
                                        memref<64x32xbf16, strided<[192, 1], offset: ?>>)
                    outs(%gate : memref<64x32xf32, #gpu.address_space<private>>)
      linalg.matmul ins(%x_block, %w3 : memref<64x64xbf16, #gpu.address_space<workgroup>>,
                                        memref<64x32xbf16, strided<[192, 1], offset: ?>>)
                    outs(%up : memref<64x32xf32, #gpu.address_space<private>>)
    }
    %y = memref.subview %Y[%m, %n] [64, 32] [1, 1]
        : memref<128x192xbf16> to memref<64x32xbf16, strided<[192, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%gate, %up : memref<64x32xf32, #gpu.address_space<private>>,
                         memref<64x32xf32, #gpu.address_space<private>>)
        outs(%y : memref<64x32xbf16, strided<[192, 1], offset: ?>>) {
      ^bb0(%g: f32, %u: f32, %old: bf16):
        %one = arith.constant 1.0 : f32
        %minus = arith.negf %g : f32
        %e = math.exp %minus : f32
        %d = arith.addf %e, %one : f32
        %silu = arith.divf %g, %d : f32
        %r = arith.mulf %silu, %u : f32
        %t = arith.truncf %r : f32 to bf16
        linalg.yield %t : bf16
    }
  }
  return
}
