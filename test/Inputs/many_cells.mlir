// As many cells as can be numbered, each with a block of its own.
func.func @many(%A: memref<32x32xbf16>, %B: memref<137438953472x32xbf16>) attributes {tt.kernel} {
  scf.forall (%i) in (4294967295) {
    %row = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %b = memref.subview %B[%row, 0] [32, 32] [1, 1] : memref<137438953472x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
    memref.copy %A, %b : memref<32x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
  }
  return
}
