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

// Three that go around: the first is kept, the others follow, each before the next one gets what is new.
// CHECK-LABEL: func.func @around(
// CHECK: iter_args(%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1, %[[Z:.*]] = %arg2)
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[Y]])
// CHECK: %[[A:.*]] = bufferization.materialize_in_destination %[[Z]] in %[[Y]]
// CHECK: %[[B:.*]] = bufferization.materialize_in_destination %[[X]] in %[[Z]]
// CHECK: %[[D:.*]] = bufferization.materialize_in_destination %[[C]] in %[[X]]
// CHECK: scf.yield %[[D]], %[[A]], %[[B]]
func.func @around(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %z, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What a step hands on goes where it goes before the new one takes its place.
// CHECK-LABEL: func.func @handed_on(
// CHECK: iter_args(%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1)
// CHECK: %[[N:.*]] = linalg.exp
// CHECK: %[[A:.*]] = bufferization.materialize_in_destination %[[X]] in %[[Y]]
// CHECK: %[[B:.*]] = bufferization.materialize_in_destination %[[N]] in %[[X]]
// CHECK: scf.yield %[[B]], %[[A]]
func.func @handed_on(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = linalg.exp ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// It is copied before a step that updates it in its place.
// CHECK-LABEL: func.func @updated(
// CHECK: iter_args(%[[X:.*]] = %arg0, %[[Y:.*]] = %arg1)
// CHECK-NEXT: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK-NEXT: %[[U:.*]] = tensor.insert_slice %{{.*}} into %[[X]]
// CHECK: %[[A:.*]] = bufferization.materialize_in_destination %[[C]] in %[[Y]]
// CHECK: scf.yield %[[U]], %[[A]]
func.func @updated(%a: tensor<4xf32>, %b: tensor<4xf32>, %row: tensor<2xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %u = tensor.insert_slice %row into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    scf.yield %u, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
