// SFPU functions and chains, in 16-bit and in 32-bit DST.
// RUN: tt-run %s --check | FileCheck %s
// RUN: sed 's/bf16/f32/g' %s > %t.f32.mlir
// RUN: %if all %{ tt-run %t.f32.mlir --check | FileCheck %s %}
// CHECK: B: {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @unary(%A: memref<64x96xbf16> {tt.name = "A"}, %B: memref<64x96xbf16> {tt.name = "B"}) attributes {tt.kernel} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<64x96xbf16>) outs(%B : memref<64x96xbf16>) {
    ^bb0(%x: bf16, %old: bf16):
      %t = math.tanh %x : bf16
      %e = math.exp %t : bf16
      %s = arith.addf %e, %x : bf16
      %a = math.absf %s : bf16
      %r = math.sqrt %a : bf16
      linalg.yield %r : bf16
  }
  return
}
