// RUN: tt-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg),tt-equal-dims,canonicalize,cse)' | FileCheck %s

// Two open sizes that an op takes as one are equal: nothing asks whether one of them is 1.
// CHECK-LABEL: func.func @sum
// CHECK: %[[N:.*]] = tensor.dim %arg0
// CHECK-NOT: scf.if
// CHECK-NOT: arith.maxui
// CHECK: tensor.empty(%[[N]])
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<?x64xf32>, tensor<?x64xf32>)
func.func @sum(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> attributes {tt.model} {
  %0 = tosa.add %x, %y : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// Three of them.
// CHECK-LABEL: func.func @choice
// CHECK-NOT: scf.if
// CHECK-NOT: arith.maxui
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %arg2
func.func @choice(%c: tensor<?x64xi1>, %x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> attributes {tt.model} {
  %0 = tosa.select %c, %x, %y : (tensor<?x64xi1>, tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// A choice that the model makes itself stays.
// CHECK-LABEL: func.func @own
// CHECK: scf.if
func.func @own(%x: tensor<?x64xf32>) -> tensor<?x64xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %one = arith.cmpi eq, %n, %c1 : index
  %0 = scf.if %one -> tensor<?x64xf32> {
    %e = tensor.empty(%n) : tensor<?x64xf32>
    %1 = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %1 : tensor<?x64xf32>
  } else {
    scf.yield %x : tensor<?x64xf32>
  }
  return %0 : tensor<?x64xf32>
}
