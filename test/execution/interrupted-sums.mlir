// Two products larger than DST, one the operand of the other: the sums of both wait in
// circular buffers, the outer one over the whole inner sum and what is computed of it.
// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: tt-run %s --check --arch=blackhole --metalium-api=2026-03 | FileCheck %s
// CHECK: D: max abs error {{.*}}: ok
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @interrupted(%A: memref<192x96xbf16> {tt.name = "A"}, %B: memref<192x96xbf16> {tt.name = "B"},
                   %C: memref<192x96xbf16> {tt.name = "C"}, %D: memref<192x96xf32> {tt.name = "D"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c192 = arith.constant 192 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    %m = arith.muli %i, %c96 : index
    %out = memref.alloc() : memref<96x96xf32>
    linalg.fill ins(%zero : f32) outs(%out : memref<96x96xf32>)
    scf.for %n = %c0 to %c192 step %c96 {
      %scores = memref.alloc() : memref<96x96xf32>
      %weights = memref.alloc() : memref<96x96xbf16>
      linalg.fill ins(%zero : f32) outs(%scores : memref<96x96xf32>)
      scf.for %k = %c0 to %c96 step %c32 {
        %a = memref.subview %A[%m, %k] [96, 32] [1, 1] : memref<192x96xbf16> to memref<96x32xbf16, strided<[96, 1], offset: ?>>
        %b = memref.subview %B[%n, %k] [96, 32] [1, 1] : memref<192x96xbf16> to memref<96x32xbf16, strided<[96, 1], offset: ?>>
        linalg.matmul indexing_maps = [#a, #b, #c]
          ins(%a, %b : memref<96x32xbf16, strided<[96, 1], offset: ?>>, memref<96x32xbf16, strided<[96, 1], offset: ?>>)
          outs(%scores : memref<96x96xf32>)
      }
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%scores : memref<96x96xf32>) outs(%weights : memref<96x96xbf16>) {
        ^bb0(%x: f32, %old: bf16):
          %t = math.tanh %x : f32
          %z = arith.truncf %t : f32 to bf16
          linalg.yield %z : bf16
      }
      %c = memref.subview %C[%n, 0] [96, 96] [1, 1] : memref<192x96xbf16> to memref<96x96xbf16, strided<[96, 1], offset: ?>>
      linalg.matmul ins(%weights, %c : memref<96x96xbf16>, memref<96x96xbf16, strided<[96, 1], offset: ?>>)
          outs(%out : memref<96x96xf32>)
    }
    %d = memref.subview %D[%m, 0] [96, 96] [1, 1] : memref<192x96xf32> to memref<96x96xf32, strided<[96, 1], offset: ?>>
    memref.copy %out, %d : memref<96x96xf32> to memref<96x96xf32, strided<[96, 1], offset: ?>>
  }
  return
}
