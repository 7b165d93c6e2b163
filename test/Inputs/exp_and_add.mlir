// The level-1 twin of test/execution/side-by-side.mlir.
func.func @exp_and_add(%A: memref<64x64xbf16> {tt.name = "A"}, %B: memref<64x64xbf16> {tt.name = "B"},
                       %C: memref<64x64xbf16> {tt.name = "C"}, %D: memref<64x64xbf16> {tt.name = "D"}) attributes {tt.kernel} {
  linalg.exp ins(%A : memref<64x64xbf16>) outs(%C : memref<64x64xbf16>)
  linalg.add ins(%A, %B : memref<64x64xbf16>, memref<64x64xbf16>) outs(%D : memref<64x64xbf16>)
  return
}
