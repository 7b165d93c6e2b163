// Steps of a sum whose parts the packer adds: as many as it takes for that, where their number has no such factor, and so that the
// last one can be longer, in which the results leave.
// RUN: tt-opt --tt-pipeline %s --remarks-filter='tt-merge-steps|tt-lengthen-last-step|tt-sum-in-l1' -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}37 steps are made 8
// CHECK: remark: {{.*}}the last step is one of 4 blocks
// CHECK: remark: {{.*}}the packer adds the steps of the sum
// RUN: sed 's/1184/2080/g' %s > %t.65.mlir
// RUN: tt-opt --tt-pipeline=arch=blackhole %t.65.mlir --remarks-filter='tt-merge-steps|tt-lengthen-last-step' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: remark: {{.*}}65 steps are made 11
// LAST: remark: {{.*}}the last step is one of 3 blocks
// RUN: sed 's/2048/512/g; s/in (8, 8)/in (2, 2)/' %s > %t.four.mlir
// RUN: tt-opt --tt-pipeline=grid=2x2 %t.four.mlir --remarks-filter='tt-merge-steps' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR
// FOUR: remark: {{.*}}37 steps are made 8
// RUN: %if all %{ tt-run %t.four.mlir --check --grid=2x2 | FileCheck %s --check-prefix=RIGHT %}
// RIGHT: C: {{.*}} ok
func.func @sum(%A: memref<2048x1184xbf16> {tt.name = "A"}, %B: memref<1184x2048xbf16> {tt.name = "B", tt.layout = {dtype = "bf16"}},
                   %C: memref<2048x2048xbf16> {tt.name = "C"}) attributes {tt.kernel, tt.math_fidelity = "HiFi4"} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant 256 : index
  %bn = arith.constant 256 : index
  %size = arith.constant 1184 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (8, 8) {
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : memref<256x256xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<256x256xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %size step %step {
      %a = memref.subview %A[%m, %k] [256, 32] [1, 1] : memref<2048x1184xbf16> to memref<256x32xbf16, strided<[1184, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [32, 256] [1, 1] : memref<1184x2048xbf16> to memref<32x256xbf16, strided<[2048, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<256x32xbf16, strided<[1184, 1], offset: ?>>, memref<32x256xbf16, strided<[2048, 1], offset: ?>>) outs(%sum : memref<256x256xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [256, 256] [1, 1] : memref<2048x2048xbf16> to memref<256x256xbf16, strided<[2048, 1], offset: ?>>
    linalg.copy ins(%sum : memref<256x256xf32, #gpu.address_space<private>>) outs(%c : memref<256x256xbf16, strided<[2048, 1], offset: ?>>)
  }
  return
}
