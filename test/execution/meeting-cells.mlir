// Cells that write where a list says: nothing is known of it before it runs, which a warning says; where two cells meet, the
// device finds it.
// REQUIRES: all
// RUN: not tt-run %s --check 2>&1 | FileCheck %s
// RUN: not tt-run %s --check --arch=blackhole 2>&1 | FileCheck %s
// CHECK: warning: cannot tell whether two cells of the grid meet here in tensor 'C'
// CHECK: writer.cpp:{{.*}} error: [rule 23] race on DRAM bank {{.*}}: nothing orders a write to it over the NoC here after a write to it
func.func @scatter(%A: memref<64x32xf32> {tt.name = "A"}, %I: memref<2xi32> {tt.name = "I", tt.range = [2, 2]},
                   %C: memref<128x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %v = memref.load %I[%b] : memref<2xi32>
    %t = arith.index_cast %v : i32 to index
    %m = arith.muli %b, %c32 : index
    %n = arith.muli %t, %c32 : index
    %a = memref.subview %A[%m, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %c = memref.subview %C[%n, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%c : memref<32x32xf32, strided<[32, 1], offset: ?>>)
  }
  return
}
