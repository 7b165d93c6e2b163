// RUN: tt-opt --tt-decompose-ops -split-input-file -verify-diagnostics %s | FileCheck %s

// Every second element is one place of groups of two.
// CHECK-LABEL: func.func @odd
// CHECK: %[[V:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [8, 16, 2]
// CHECK: %[[S:.*]] = tensor.extract_slice %[[V]][0, 0, 1] [8, 16, 1] [1, 1, 1] : tensor<8x16x2xf32> to tensor<8x16xf32>
// CHECK: return %[[S]]
func.func @odd(%x: tensor<8x32xf32>) -> tensor<8x16xf32> attributes {tt.model} {
  %s = tensor.extract_slice %x[0, 1] [8, 16] [1, 2] : tensor<8x32xf32> to tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

// -----

// The last group ends behind the tensor; the slice begins in the second one.
// CHECK-LABEL: func.func @behind
// CHECK: %[[L:.*]] = tensor.insert_slice %arg0 into %{{.*}}[0, 0] [8, 31] [1, 1] : tensor<8x31xf32> into tensor<8x33xf32>
// CHECK: %[[V:.*]] = tensor.expand_shape %[[L]] {{\[\[}}0], [1, 2]] output_shape [8, 11, 3]
// CHECK: tensor.extract_slice %[[V]][0, 1, 0] [8, 10, 1] [1, 1, 1]
func.func @behind(%x: tensor<8x31xf32>) -> tensor<8x10xf32> attributes {tt.model} {
  %s = tensor.extract_slice %x[0, 3] [8, 10] [1, 3] : tensor<8x31xf32> to tensor<8x10xf32>
  return %s : tensor<8x10xf32>
}

// -----

// A dimension without steps may be open.
// CHECK-LABEL: func.func @open
// CHECK: tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 16, 2]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [%arg1, 16, 1] [1, 1, 1] : tensor<?x16x2xf32> to tensor<?x16xf32>
func.func @open(%x: tensor<?x32xf32>, %n: index) -> tensor<?x16xf32> attributes {tt.model} {
  %s = tensor.extract_slice %x[0, 0] [%n, 16] [1, 2] : tensor<?x32xf32> to tensor<?x16xf32>
  return %s : tensor<?x16xf32>
}

// -----

// Zeros around each element: of a transposed convolution.
// CHECK-LABEL: func.func @spread
// CHECK: %[[E:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [8, 6, 1]
// CHECK: %[[P:.*]] = tensor.pad %[[E]] low[0, 0, 0] high[0, 0, 1]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[P]] {{\[\[}}0], [1, 2]] : tensor<8x6x2xf32> into tensor<8x12xf32>
// CHECK: tensor.pad %[[C]] low[0, 2] high[0, 1]
// CHECK: tensor<8x12xf32> to tensor<8x15xf32>
func.func @spread(%x: tensor<8x6xf32>) -> tensor<8x15xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x15xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x15xf32>) -> tensor<8x15xf32>
  %s = tensor.insert_slice %x into %f[0, 2] [8, 6] [1, 2] : tensor<8x6xf32> into tensor<8x15xf32>
  return %s : tensor<8x15xf32>
}

// -----

// The zeros behind the last one are cut off.
// CHECK-LABEL: func.func @cut
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [8, 11] [1, 1] : tensor<8x12xf32> to tensor<8x11xf32>
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 0]
func.func @cut(%x: tensor<8x6xf32>) -> tensor<8x11xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x11xf32>) -> tensor<8x11xf32>
  %s = tensor.insert_slice %x into %f[0, 0] [8, 6] [1, 2] : tensor<8x6xf32> into tensor<8x11xf32>
  return %s : tensor<8x11xf32>
}

// -----

// Into what holds something: an element of the part where the place is one of the slice.
// CHECK-LABEL: func.func @into
// CHECK: %[[S:.*]] = tensor.pad %{{.*}} low[0, 2] high[0, 2]
// CHECK: linalg.generic {{.*}} ins(%[[S]], %arg1 : tensor<8x16xf32>, tensor<8x16xf32>)
// CHECK: %[[I:.*]] = linalg.index 1
// CHECK: %[[R:.*]] = arith.remui %[[I]], %c2
// CHECK: arith.cmpi eq, %[[R]], %c0
// CHECK: arith.cmpi uge, %[[I]], %c2
// CHECK: arith.cmpi ult, %[[I]], %c13
// CHECK: arith.select
func.func @into(%x: tensor<8x6xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {tt.model} {
  %s = tensor.insert_slice %x into %y[0, 2] [8, 6] [1, 2] : tensor<8x6xf32> into tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

// Into what is empty, zeros around it are as good as anything.
// CHECK-LABEL: func.func @into_empty
// CHECK: tensor.pad {{.*}} low[0, 0] high[0, 1]
// CHECK-NOT: arith.select
func.func @into_empty(%x: tensor<8x6xf32>) -> tensor<8x13xf32> attributes {tt.model} {
  %y = tensor.empty() : tensor<8x13xf32>
  %s = tensor.insert_slice %x into %y[0, 0] [8, 6] [1, 2] : tensor<8x6xf32> into tensor<8x13xf32>
  return %s : tensor<8x13xf32>
}

// What is put into every second row, at a place that a run gives, goes into groups.
// CHECK-LABEL: func.func @at
// CHECK: %[[V:.*]] = tensor.expand_shape %arg1
// CHECK: tensor.insert_slice %arg0 into %[[V]][0, 0, %arg2] [8, 1, 6]
// CHECK: tensor.collapse_shape
func.func @at(%x: tensor<8x6xf32>, %y: tensor<16x16xf32>, %at: index) -> tensor<16x16xf32> attributes {tt.model} {
  %s = tensor.insert_slice %x into %y[0, %at] [8, 6] [2, 1] : tensor<8x6xf32> into tensor<16x16xf32>
  return %s : tensor<16x16xf32>
}

// -----

func.func @computed(%x: tensor<8x32xf32>, %at: index) -> tensor<8x4xf32> attributes {tt.model} {
  // expected-error @+1 {{takes elements in steps, and a step is no constant, or what it is taken of has no constant size and place; give it these, or take the elements with a linalg.generic}}
  %s = tensor.extract_slice %x[0, %at] [8, 4] [1, 2] : tensor<8x32xf32> to tensor<8x4xf32>
  return %s : tensor<8x4xf32>
}
