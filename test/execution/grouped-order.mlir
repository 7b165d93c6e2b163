// Programs in groups of rows, as matrix products on GPUs order them: quotients with signs by what is no literal constant, of i32 and of indices.
// RUN: tt-run %s --check
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 %}
// RUN: tt-opt %s --tt-expand-indices | FileCheck %s

// Where nothing says that the divisor is above zero, it is refused.
// RUN: sed 's/func.func @k(/func.func @k(%many: i32 {tt.name = "many"}, /; s/minsi %left, %g/minsi %left, %many/' %s > %t.open.mlir
// RUN: not tt-run %t.open.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: arith.remsi has signs, and indices of a core have none: write it without (arith.divui, arith.remui), or let ranges say
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK: arith.divui
// CHECK: arith.remui
func.func @k(%A: memref<160x96xf32> {tt.name = "A"}, %C: memref<160x96xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %g = arith.constant 2 : i32
  %rows = arith.constant 5 : i32
  %cols = arith.constant 3 : i32
  %b32 = arith.constant 32 : i32
  scf.forall (%p) in (15) {
    %pid = arith.index_cast %p : index to i32
    %per = arith.muli %g, %cols : i32
    %group = arith.divsi %pid, %per : i32
    %first = arith.muli %group, %g : i32
    %left = arith.subi %rows, %first : i32
    %size = arith.minsi %left, %g : i32
    %in = arith.remsi %pid, %per : i32
    %r = arith.remsi %in, %size : i32
    %row = arith.addi %first, %r : i32
    %col = arith.divsi %in, %size : i32
    %m0 = arith.muli %row, %b32 : i32
    %n0 = arith.muli %col, %b32 : i32
    %m = arith.index_cast %m0 : i32 to index
    %n = arith.index_cast %n0 : i32 to index
    %a = memref.subview %A[%m, %n] [32, 32] [1, 1] : memref<160x96xf32> to memref<32x32xf32, strided<[96, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 32] [1, 1] : memref<160x96xf32> to memref<32x32xf32, strided<[96, 1], offset: ?>>
    linalg.exp ins(%a : memref<32x32xf32, strided<[96, 1], offset: ?>>) outs(%c : memref<32x32xf32, strided<[96, 1], offset: ?>>)
  }
  return
}
