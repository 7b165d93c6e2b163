// What a loop loads at places that do not change in it is loaded before it, also where the loop has no step: then the place may be
// outside of the tensor, as where an empty segment begins behind the last one.
// RUN: tt-run %s --check --strict 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole 2>&1 | FileCheck %s %}
// CHECK: C: max abs error 0,
func.func @segments(%start: memref<9xi32> {tt.name = "start", tt.range = [32, 32]}, %I: memref<32xi32> {tt.name = "I", tt.range = [0, 63]}, %W: memref<32xf32> {tt.name = "W"}, %A: memref<64x32xf32> {tt.name = "A"}, %C: memref<8x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %s0 = memref.load %start[%i] : memref<9xi32>
    %s = arith.index_cast %s0 : i32 to index
    %i1 = arith.addi %i, %c1 : index
    %e0 = memref.load %start[%i1] : memref<9xi32>
    %e = arith.index_cast %e0 : i32 to index
    scf.for %j = %c0 to %c32 step %c1 {
      %t = scf.for %k = %s to %e step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %I[%s] : memref<32xi32>
        %r = arith.index_cast %v : i32 to index
        %a = memref.load %A[%r, %j] : memref<64x32xf32>
        %w = memref.load %W[%k] : memref<32xf32>
        %p = arith.mulf %a, %w : f32
        %o = arith.addf %acc, %p : f32
        scf.yield %o : f32
      }
      memref.store %t, %C[%i, %j] : memref<8x32xf32>
    }
  }
  return
}
