// Largest elements of rows of f16 are elements: source registers keep all 11 bits of one, also where the result is turned there.
// RUN: tt-run %s --check --strict | FileCheck %s
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole | FileCheck %s %}
// CHECK: O: max abs error 0,
func.func @most(%X: memref<64x96xf16> {tt.name = "X"}, %O: memref<64x1xf16> {tt.name = "O"}) attributes {tt.kernel} {
  %lowest = arith.constant 0xFC00 : f16
  linalg.fill ins(%lowest : f16) outs(%O : memref<64x1xf16>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%X : memref<64x96xf16>) outs(%O : memref<64x1xf16>) {
    ^bb0(%x: f16, %most: f16):
      %r = arith.maximumf %x, %most : f16
      linalg.yield %r : f16
  }
  return
}
