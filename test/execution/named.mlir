// Named ops of linalg: several in one, and those with a dimension more than a block.
// RUN: tt-run %s --check 2>&1 | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2025 2>&1 | FileCheck %s
// CHECK: C: max abs error {{.*}}: ok
// CHECK: D: max abs error {{.*}}: ok
// CHECK: E: max abs error {{.*}}: ok
!p = memref<32x70xf32, #gpu.address_space<private>>
!v = memref<32xf32, #gpu.address_space<private>>
func.func @named(%A: memref<2x32x70xf32> {tt.name = "A"}, %B: memref<32x70xf32> {tt.name = "B"}, %C: memref<2x32x70xf32> {tt.name = "C"},
                 %D: memref<2x32x32xf32> {tt.name = "D"}, %E: memref<32x70xf32> {tt.name = "E"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.softmax dimension(2) ins(%A : memref<2x32x70xf32>) outs(%C : memref<2x32x70xf32>)
  linalg.fill ins(%zero : f32) outs(%D : memref<2x32x32xf32>)
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%A, %A : memref<2x32x70xf32>, memref<2x32x70xf32>) outs(%D : memref<2x32x32xf32>)
  %x = memref.alloc() : !p
  %s = memref.alloc() : !v
  %w = memref.alloc() : !p
  linalg.map { math.exp } ins(%B : memref<32x70xf32>) outs(%x : !p)
  linalg.fill ins(%zero : f32) outs(%s : !v)
  linalg.reduce { arith.addf } ins(%x : !p) outs(%s : !v) dimensions = [1]
  linalg.broadcast ins(%s : !v) outs(%w : !p) dimensions = [1]
  linalg.elementwise kind=#linalg.elementwise_kind<div> ins(%x, %w : !p, !p) outs(%E : memref<32x70xf32>)
  return
}
