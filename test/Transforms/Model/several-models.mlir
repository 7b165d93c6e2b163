// Each model of a module becomes a host function of its name, with its kernels.
// RUN: tt-opt --tt-model %s | FileCheck %s
// RUN: tt-opt --tt-model --tt-pipeline %s -o /dev/null
// CHECK-DAG: func.func @first_0_tanh({{.*}} tt.kernel
// CHECK-DAG: func.func @first({{.*}} {tt.host}
// CHECK-DAG: func.func @second_0_exp({{.*}} tt.kernel
// CHECK-DAG: func.func @second({{.*}} {tt.host}
func.func @first(%x: tensor<40x64xf32>) -> tensor<40x64xf32> attributes {tt.model} {
  %r = math.tanh %x : tensor<40x64xf32>
  return %r : tensor<40x64xf32>
}
func.func @second(%x: tensor<40x64xf32>) -> tensor<40x64xf32> attributes {tt.model} {
  %r = math.exp %x : tensor<40x64xf32>
  return %r : tensor<40x64xf32>
}
