// Sums whose steps several cores have, which add up what each of them has.
// RUN: tt-run %s --check --strict --seed=3 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %s --arch=blackhole --check --strict --math=fast --metalium-api=2025 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --grid=4x4 --check --strict --metalium-api=2026-08 %}
// CHECK-DAG: clk on {{12|24}} core(s)
// CHECK-DAG: C: {{.*}} ok

// A part is needed: without waiting for the others the check and the device find the same.
// RUN: tt-opt --tt-pipeline %s -o %t.e.mlir
// RUN: tt-opt --tt-verify-ir="strict=true exhaustive=true" %t.e.mlir -o /dev/null 2>&1 | count 0
// RUN: awk '/noc_semaphore_wait/ && !n++ {next} 1' %t.e.mlir | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: error: [rule {{18|21}}]
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
!a = memref<32x32xbf16, strided<[4096, 1], offset: ?>>
!b = memref<32x32xbf16, strided<[96, 1], offset: ?>>
func.func @skinny(%A: memref<32x4096xbf16> {tt.name = "A"}, %B: memref<4096x96xbf16> {tt.name = "B"}, %V: memref<96xbf16> {tt.name = "V"},
                  %C: memref<32x96xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%bm, %bn) in (1, 3) {
    %m = arith.muli %bm, %c32 : index
    %n = arith.muli %bn, %c32 : index
    %sum = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32x32xf32>)
    scf.for %k = %c0 to %c4096 step %c32 {
      %a = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<32x4096xbf16> to !a
      %b = memref.subview %B[%k, %n] [32, 32] [1, 1] : memref<4096x96xbf16> to !b
      linalg.matmul ins(%a, %b : !a, !b) outs(%sum : memref<32x32xf32>)
    }
    %v = memref.subview %V[%n] [32] [1] : memref<96xbf16> to memref<32xbf16, strided<[1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<32x96xbf16> to !b
    linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%sum, %v : memref<32x32xf32>, memref<32xbf16, strided<[1], offset: ?>>) outs(%c : !b) {
    ^bb0(%x: f32, %y: bf16, %old: bf16):
      %w = arith.extf %y : bf16 to f32
      %r = arith.addf %x, %w : f32
      %t = arith.truncf %r : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}
