// The level-1 twin of examples/eadd_tiles.mlir.
func.func @eadd(%A: memref<64x96xbf16> {tt.name = "A"}, %B: memref<64x96xbf16> {tt.name = "B"},
                %C: memref<64x96xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  linalg.add ins(%A, %B : memref<64x96xbf16>, memref<64x96xbf16>) outs(%C : memref<64x96xbf16>)
  return
}
