// RUN: split-file %s %t && tt-opt %t/call.mlir --tt-inline-calls | FileCheck %t/call.mlir
// RUN: tt-opt %t/host.mlir --tt-inline-calls | FileCheck %t/host.mlir
// RUN: not tt-opt %t/none.mlir --tt-inline-calls 2>&1 | FileCheck %t/none.mlir
// RUN: not tt-opt %t/blocks.mlir --tt-inline-calls 2>&1 | FileCheck %t/blocks.mlir
// RUN: not tt-opt %t/kernel.mlir --tt-inline-calls 2>&1 | FileCheck %t/kernel.mlir
// RUN: not tt-opt %t/endless.mlir --tt-inline-calls 2>&1 | FileCheck %t/endless.mlir

// A function that is called by one that is called; functions that are no kernels keep their calls.
//--- call.mlir
// CHECK-LABEL: func.func @kernel
// CHECK-NOT: call
// CHECK: %[[R:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[R]], %[[R]] : index
// CHECK-NEXT: memref.subview %{{.*}}[%[[S]], 0]
// CHECK-LABEL: func.func @other
// CHECK: call @twice
func.func private @times(%i: index) -> index {
  %c32 = arith.constant 32 : index
  %r = arith.muli %i, %c32 : index
  return %r : index
}
func.func private @twice(%i: index) -> index {
  %r = call @times(%i) : (index) -> index
  %s = arith.addi %r, %r : index
  return %s : index
}
func.func @kernel(%A: memref<64x32xf32>, %i: index) attributes {tt.kernel} {
  %r = call @twice(%i) : (index) -> index
  %v = memref.subview %A[%r, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  memref.copy %v, %v : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  return
}
func.func @other(%i: index) -> index {
  %r = call @twice(%i) : (index) -> index
  return %r : index
}

//--- host.mlir
// In a host function, all that are no kernels.
// CHECK-LABEL: func.func @host
// CHECK-NEXT: call @kernel
// CHECK-NEXT: call @kernel
// CHECK-NEXT: return
func.func @kernel(%A: memref<64x32xf32>) attributes {tt.kernel} { return }
func.func @layer(%A: memref<64x32xf32>) {
  call @kernel(%A) : (memref<64x32xf32>) -> ()
  return
}
func.func @host(%A: memref<64x32xf32>) attributes {tt.host} {
  call @layer(%A) : (memref<64x32xf32>) -> ()
  call @layer(%A) : (memref<64x32xf32>) -> ()
  return
}

//--- none.mlir
// CHECK: error: a kernel calls @outside, which has no body in this module; define it, so that it can be inlined: no function is called on a core
func.func private @outside(index) -> index
func.func @kernel(%i: index) attributes {tt.kernel} {
  %r = call @outside(%i) : (index) -> index
  return
}

//--- blocks.mlir
// CHECK: error: a kernel calls @jumps, which has branches between blocks (cf); write them as scf.if and scf.for
func.func private @jumps(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  return
}
func.func @kernel(%c: i1) attributes {tt.kernel} {
  call @jumps(%c) : (i1) -> ()
  return
}

//--- kernel.mlir
// CHECK: error: a kernel calls @one, which is a kernel itself; call a plain function, or let a host function (tt.host) call both
func.func @one() attributes {tt.kernel} { return }
func.func @two() attributes {tt.kernel} {
  call @one() : () -> ()
  return
}

//--- endless.mlir
// CHECK: error: the functions that this kernel calls call each other without an end; write the recursion as a loop
func.func private @again() {
  call @again() : () -> ()
  return
}
func.func @kernel() attributes {tt.kernel} {
  call @again() : () -> ()
  return
}
