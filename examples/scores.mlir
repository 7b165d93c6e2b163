// S = Q x Kᵀ, as in attention: the keys are stored a row each, (n, d), and the
// engine transposes their tiles on the way in.
#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
func.func @scores(%Q: memref<256x128xbf16> {tt.name = "Q"}, %K: memref<192x128xbf16> {tt.name = "K"},
                  %S: memref<256x192xf32> {tt.name = "S"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (4, 2) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c96 : index
    %q_block = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
    %k_block = memref.alloc() : memref<96x64xbf16, #gpu.address_space<workgroup>>
    %acc = memref.alloc() : memref<64x96xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<64x96xf32, #gpu.address_space<private>>)
    scf.for %d = %c0 to %c128 step %c64 {
      %q = memref.subview %Q[%m, %d] [64, 64] [1, 1]
          : memref<256x128xbf16> to memref<64x64xbf16, strided<[128, 1], offset: ?>>
      memref.copy %q, %q_block : memref<64x64xbf16, strided<[128, 1], offset: ?>>
                              to memref<64x64xbf16, #gpu.address_space<workgroup>>
      %k = memref.subview %K[%n, %d] [96, 64] [1, 1]
          : memref<192x128xbf16> to memref<96x64xbf16, strided<[128, 1], offset: ?>>
      memref.copy %k, %k_block : memref<96x64xbf16, strided<[128, 1], offset: ?>>
                              to memref<96x64xbf16, #gpu.address_space<workgroup>>
      linalg.matmul indexing_maps = [#q, #k, #s]
          ins(%q_block, %k_block : memref<64x64xbf16, #gpu.address_space<workgroup>>,
                                   memref<96x64xbf16, #gpu.address_space<workgroup>>)
          outs(%acc : memref<64x96xf32, #gpu.address_space<private>>)
    }
    %s = memref.subview %S[%m, %n] [64, 96] [1, 1]
        : memref<256x192xf32> to memref<64x96xf32, strided<[192, 1], offset: ?>>
    memref.copy %acc, %s : memref<64x96xf32, #gpu.address_space<private>>
                        to memref<64x96xf32, strided<[192, 1], offset: ?>>
  }
  return
}
