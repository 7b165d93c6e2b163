// RUN: tt-opt --tt-copy-results %s | FileCheck %s
// Arguments, constants and what another result is are copied; what is computed, once, is not.

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xf32>
// CHECK: %[[Y:.*]] = math.exp
// CHECK: %[[C:.*]] = arith.constant dense
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<2xf32>)
// A second copy of a tensor is one of the first: two alike would be taken for one.
// CHECK: %[[D:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<4x8xf32>)
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[D]] : tensor<4x8xf32>)
// CHECK: return %[[A]], %[[B]], %[[Y]], %[[D]], %[[E]] :
func.func @f(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) attributes {tt.model} {
  %y = math.exp %x : tensor<4x8xf32>
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %x, %c, %y, %y, %y : tensor<4x8xf32>, tensor<2xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// Through reshapes, each of which is copied in its own shape; sizes may be open.
// CHECK-LABEL: func.func @g(
// CHECK: %[[F:.*]] = tensor.collapse_shape
// CHECK: %[[G:.*]] = linalg.generic {{.*}} ins(%[[F]] : tensor<32xf32>)
// CHECK: %[[H:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<?x8xf32>)
// CHECK: return %[[G]], %[[H]]
func.func @g(%x: tensor<4x8xf32>, %o: tensor<?x8xf32>) -> (tensor<32xf32>, tensor<?x8xf32>) attributes {tt.model} {
  %f = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %f, %o : tensor<32xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @other(
// CHECK-NOT: linalg.generic
func.func @other(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}
