// RUN: tt-opt --tt-keep-arguments %s | FileCheck %s
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {bufferization.writable = false, tt.name = "x"}, %{{.*}}: index)
func.func @f(%x: tensor<4xf32> {tt.name = "x"}, %n: index) -> tensor<4xf32> attributes {tt.model} {
  return %x : tensor<4xf32>
}
// CHECK-LABEL: func.func @other(
// CHECK-NOT: writable
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// What a loop carries goes where it was; an update of it is there already, and numbers are no tensors.
// CHECK-LABEL: func.func @carried(
// CHECK: iter_args(%[[H:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[U:.*]] = tensor.insert_slice %{{.*}} into %[[C]]
// CHECK: %[[P:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[H]]
// CHECK: scf.yield %[[P]], %[[U]], %
func.func @carried(%h: tensor<4xf32>, %c: tensor<8xf32>, %n: index) -> (tensor<4xf32>, tensor<8xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %h, %b = %c, %k = %c0) -> (tensor<4xf32>, tensor<8xf32>, index) {
    %x = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %u = tensor.insert_slice %x into %b[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %s = arith.addi %k, %i : index
    scf.yield %x, %u, %s : tensor<4xf32>, tensor<8xf32>, index
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<8xf32>
}
