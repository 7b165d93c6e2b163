// RUN: tt-opt --tt-write-results --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: tt-opt --tt-write-results --tt-settle-arguments --split-input-file --verify-diagnostics %s | FileCheck %s --check-prefix=SETTLED

// CHECK-LABEL: func.func @f
// CHECK-SAME: %arg1: memref<1x64x32xf32> {tt.name = "result"}
// CHECK: %[[R:.*]] = memref.collapse_shape %arg1
// CHECK: linalg.exp ins(%arg0 : memref<64x32xf32>) outs(%[[R]] : memref<64x32xf32>)
// CHECK-NOT: memref.copy
// SETTLED-LABEL: func.func @f
// SETTLED-SAME: %arg1: memref<64x32xf32> {tt.name = "result"}
// SETTLED: linalg.exp ins(%arg0 : memref<64x32xf32>) outs(%arg1 : memref<64x32xf32>)
func.func @f(%x: memref<64x32xf32>, %result: memref<1x64x32xf32> {bufferize.result}) attributes {tt.model} {
  %0 = memref.alloc() : memref<64x32xf32>
  linalg.exp ins(%x : memref<64x32xf32>) outs(%0 : memref<64x32xf32>)
  memref.copy %0, %0 : memref<64x32xf32> to memref<64x32xf32>
  %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [1, 64, 32] : memref<64x32xf32> into memref<1x64x32xf32>
  memref.copy %1, %result : memref<1x64x32xf32> to memref<1x64x32xf32>
  return
}

// -----

// expected-error @below {{a result of this function is an argument or a constant of it, or another of its results; leave it out, since nothing computes it}}
func.func @g(%x: memref<64x32xf32>, %result: memref<64x32xf32> {bufferize.result}) attributes {tt.model} {
  memref.copy %x, %result : memref<64x32xf32> to memref<64x32xf32>
  return
}

// -----

// Open sizes of a result are those of the argument that its buffer has them from, also through a view of one; where the result loses
// a dimension of one element, they are called by their new place.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME: tt.equal_dims = ["x_d0=result_d1"]
// SETTLED-LABEL: func.func @sizes
// SETTLED-SAME: memref<?x64xf32>
// SETTLED-SAME: tt.equal_dims = ["x_d0=result_d0"]
func.func @sizes(%x: memref<?x64xf32> {tt.name = "x"}, %r: memref<1x?x64xf32> {bufferize.result}) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %v = memref.collapse_shape %x [[0], [1]] : memref<?x64xf32> into memref<?x64xf32>
  %n = memref.dim %v, %c0 : memref<?x64xf32>
  %t = memref.alloc(%n) : memref<?x64xf32>
  scf.forall (%i) in (%n) {
    %a = memref.subview %x[%i, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %b = memref.subview %t[%i, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %a, %b : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, strided<[1], offset: ?>>
  }
  %e = memref.expand_shape %t [[0, 1], [2]] output_shape [1, %n, 64] : memref<?x64xf32> into memref<1x?x64xf32>
  memref.copy %e, %r : memref<1x?x64xf32> to memref<1x?x64xf32>
  return
}
