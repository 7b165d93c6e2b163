// What was set aside stands in the module again, before the models; what took one of its names has another one.
// RUN: tt-opt --tt-inline-calls --tt-set-aside --tt-put-back %s | FileCheck %s
// RUN: tt-opt --tt-model %s | FileCheck %s --check-prefix=NAMES
// CHECK-NOT: tt.aside
// CHECK: func.func private @half(%{{.*}}: tensor<64x64xf32>)
// CHECK: func.func @f_0_exp
// CHECK: func.func @f(
// CHECK-NOT: call
// NAMES: func.func @f_0_exp(%{{.*}}: i32) -> i32
// NAMES: func.func @f_0_exp_1({{.*}} tt.kernel
// NAMES: call @f_0_exp_1(
func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %r = call @half(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func private @half(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = math.exp %x : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @f_0_exp(%x: i32) -> i32 {
  return %x : i32
}
