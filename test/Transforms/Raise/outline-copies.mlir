// RUN: tt-opt %s --tt-outline-copies --split-input-file --verify-diagnostics | FileCheck %s

// One kernel for all copies of a type, by blocks; a fill takes its value as an argument.
// CHECK-LABEL: func.func @copy_1(
// CHECK-SAME: %[[FROM:.*]]: memref<2x64x300xf32> {tt.name = "from"}, %[[TO:.*]]: memref<2x64x300xf32> {tt.name = "to"}) attributes {tt.fuses = ["copy"], tt.kernel}
// CHECK: scf.forall (%[[I:.*]], %{{.*}}, %{{.*}}) in
// CHECK: memref.subview %[[FROM]][%[[I]], %{{.*}}, %{{.*}}] [1, 32, %{{.*}}] [1, 1, 1]
// CHECK: memref.copy
// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[V:.*]]: f32 {tt.name = "value"}
// CHECK: linalg.fill ins(%[[V]] : f32)
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: memref<2x64x300xf32>, %[[B:.*]]: memref<2x64x300xf32>
// CHECK: call @copy_1(%[[A]], %[[B]])
// CHECK: call @copy_1(%[[B]], %[[A]])
// CHECK: call @fill(%{{.*}}, %[[A]])
func.func private @copy()
func.func @f(%A: memref<2x64x300xf32>, %B: memref<2x64x300xf32>) attributes {tt.host} {
  %c = arith.constant 1.0 : f32
  memref.copy %A, %B : memref<2x64x300xf32> to memref<2x64x300xf32>
  memref.copy %B, %A : memref<2x64x300xf32> to memref<2x64x300xf32>
  memref.copy %A, %A : memref<2x64x300xf32> to memref<2x64x300xf32>
  linalg.fill ins(%c : f32) outs(%A : memref<2x64x300xf32>)
  return
}

// -----
func.func @f(%A: memref<64x64xf32>, %B: memref<32x64xf32>) attributes {tt.host} {
  %a = memref.subview %A[32, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: 2048>>
  // expected-error @below {{copies part of a tensor, or to another type; a host function copies and fills whole tensors, so write a kernel for this}}
  memref.copy %a, %B : memref<32x64xf32, strided<[64, 1], offset: 2048>> to memref<32x64xf32>
  return
}
