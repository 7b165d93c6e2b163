// RUN: tt-opt --tt-decompose-ops %s | FileCheck %s

// CHECK-LABEL: func.func @softmax(
// The largest of a row starts from minus infinity.
// CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[LOW]] : f32)
// CHECK: linalg.generic {{.*}} outs(%[[FILL]] :
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%x: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @other(
// CHECK: linalg.softmax
func.func @other(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
