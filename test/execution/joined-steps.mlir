// Two sums that read the same in steps are taken in one loop: the same bits as in two, on both chips.
// RUN: %if all %{ tt-run %s --optimize=none --output D=%t.none.npy %}
// RUN: tt-run %s --check --output D=%t.all.npy | FileCheck %s
// RUN: %if all %{ cmp %t.none.npy %t.all.npy %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole | FileCheck %s %}
// RUN: tt-opt --tt-pipeline --remarks-filter=tt-join-steps %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=JOINED
// In three steps, of which the last is shorter where two are merged.
// RUN: sed 's/512/384/g' %s > %t.three.mlir
// RUN: %if all %{ tt-run %t.three.mlir --check | FileCheck %s %}
// CHECK: D: {{.*}}: ok
// JOINED: the steps of two sums of products that read the same are taken in one loop
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
!a = memref<32x128xbf16, strided<[512, 1], offset: ?>>
!w = memref<64x128xbf16, strided<[512, 1], offset: ?>>
!d = memref<32x64xbf16, strided<[256, 1], offset: ?>>
func.func @gated(%A: memref<64x512xbf16> {tt.name = "A"}, %G: memref<256x512xbf16> {tt.name = "G"}, %U: memref<256x512xbf16> {tt.name = "U"}, %D: memref<64x256xbf16> {tt.name = "D"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 4) {
    %m = affine.apply affine_map<(i) -> (i * 32)>(%by)
    %n = affine.apply affine_map<(i) -> (i * 64)>(%bx)
    %gate = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%gate : memref<32x64xf32>)
    %up = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%up : memref<32x64xf32>)
    scf.for %k = %c0 to %c512 step %c128 {
      %a = memref.subview %A[%m, %k] [32, 128] [1, 1] : memref<64x512xbf16> to !a
      %w = memref.subview %G[%n, %k] [64, 128] [1, 1] : memref<256x512xbf16> to !w
      linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %w : !a, !w) outs(%gate : memref<32x64xf32>)
    }
    scf.for %k = %c0 to %c512 step %c128 {
      %a = memref.subview %A[%m, %k] [32, 128] [1, 1] : memref<64x512xbf16> to !a
      %w = memref.subview %U[%n, %k] [64, 128] [1, 1] : memref<256x512xbf16> to !w
      linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %w : !a, !w) outs(%up : memref<32x64xf32>)
    }
    %d = memref.subview %D[%m, %n] [32, 64] [1, 1] : memref<64x256xbf16> to !d
    linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%gate, %up : memref<32x64xf32>, memref<32x64xf32>) outs(%d : !d) {
    ^bb0(%g: f32, %u: f32, %old: bf16):
      %0 = math.tanh %g : f32
      %1 = arith.mulf %0, %u : f32
      %2 = arith.truncf %1 : f32 to bf16
      linalg.yield %2 : bf16
    }
  }
  return
}
