// A table that says what it holds indexes a tensor of dynamic size: it is proven for sizes that hold all of it,
// and a smaller one is an error when it runs.
// REQUIRES: all
// RUN: tt-run %s --check --shape T=100x64 | FileCheck %s
// RUN: tt-run %s --check --shape T=131x64 --arch=blackhole | FileCheck %s
// RUN: not tt-run %s --shape T=30x64 2>&1 | FileCheck %s --check-prefix=SHORT
// CHECK: C: max abs error 0, {{.*}}: ok
// SHORT: error: [rule 17]
func.func @embed(%T: memref<?x64xf32> {tt.name = "T"}, %I: memref<64xi32> {tt.name = "I", tt.range = [0, 99]}, %C: memref<64x64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    scf.for %i = %c0 to %c32 step %c1 {
      %m = arith.muli %b, %c32 : index
      %r = arith.addi %m, %i : index
      %x = memref.load %I[%r] : memref<64xi32>
      %xi = arith.index_cast %x : i32 to index
      %a = memref.subview %T[%xi, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      %c = memref.subview %C[%r, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      memref.copy %a, %c : memref<1x64xf32, strided<[64, 1], offset: ?>> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    }
  }
  return
}
