// Quotients by a number.
func.func @quotient(%A: memref<64x64xf32>, %s: f32 {tt.name = "s"}, %C: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<64x64xf32>) outs(%C : memref<64x64xf32>) {
    ^bb0(%x: f32, %old: f32):
      %y = arith.divf %x, %s : f32
      linalg.yield %y : f32
  }
  return
}
