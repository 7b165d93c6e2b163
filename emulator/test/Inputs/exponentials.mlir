// Y = exp(X), a tile at a time.
#ij = affine_map<(i, j) -> (i, j)>
func.func @exponentials(%X: memref<64x64xbf16> {tt.name = "X"}, %Y: memref<64x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i) in (1) {
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%X : memref<64x64xbf16>) outs(%Y : memref<64x64xbf16>) {
    ^bb0(%a: bf16, %old: bf16):
      %e = math.exp %a : bf16
      linalg.yield %e : bf16
    }
  }
  return
}
