// Rows that go where a list says: that two may go to one place is said once, of the loops as they are written.
// RUN: tt-opt %s --tt-pipeline -o /dev/null 2>&1 | FileCheck %s
// CHECK: warning: cannot tell whether two cells of the grid meet here in Y: where they write is made of what is not known
// CHECK-NOT: cannot tell
func.func @scatter(%L: memref<32xi32> {tt.name = "L", tt.range = [0, 63]},
                   %X: memref<32x64xf32> {tt.name = "X"},
                   %Y: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (32, 64) {
    %l = memref.load %L[%i] : memref<32xi32>
    %p = arith.index_cast %l : i32 to index
    %x = memref.load %X[%i, %j] : memref<32x64xf32>
    memref.store %x, %Y[%p, %j] : memref<64x64xf32>
  }
  return
}
