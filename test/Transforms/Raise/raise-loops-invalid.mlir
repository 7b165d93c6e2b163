// RUN: tt-opt %s --tt-raise-loops --split-input-file --verify-diagnostics

// Places of elements in a list that all fill: the old value is the order of threads.
func.func @places(%I: memref<64xi32> {tt.range = [0, 7]}, %H: memref<8xi32>, %P: memref<64xi32>) attributes {tt.kernel} {
  %one = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (64) {
    %e = affine.load %I[%i] : memref<64xi32>
    %k = arith.index_cast %e : i32 to index
    // expected-error @below {{memref.atomic_rmw cannot stand in a kernel: sums and extremes whose old value nobody takes are done one after the other; an old value depends on the order of threads}}
    %old = memref.atomic_rmw addi %one, %H[%k] : (i32, memref<8xi32>) -> i32
    affine.store %old, %P[%i] : memref<64xi32>
  }
  return
}
