// Functions that are no models stay as they are, those that a model calls included: their bodies stand in the model as well.
// RUN: tt-opt --tt-model %s | FileCheck %s
// RUN: tt-opt --tt-inline-calls --tt-set-aside %s | FileCheck %s --check-prefix=ASIDE
// RUN: tt-opt --tt-model --tt-pipeline %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// CHECK: func.func private @half(%{{.*}}: tensor<64x64xf32>) -> tensor<64x64xf32> {
// CHECK: tosa.mul
// CHECK: func.func @other(%{{.*}}: tensor<8x?xf32>{{.*}}) -> tensor<8x?xf32> attributes {some.mark = 3 : i64} {
// CHECK: linalg.exp
// CHECK: call @half
// CHECK: func.func @f_0_tanh(%{{.*}}: i32)
// The name is taken.
// CHECK: func.func @f_0_tanh_1({{.*}} tt.kernel
// CHECK: func.func @f({{.*}} {tt.host}
// CHECK: call @f_0_tanh_1(

// ASIDE: module attributes {tt.aside = "
// ASIDE-NOT: func.func private @half
// ASIDE: func.func @f(

// FILES: //--- f/main.cpp
func.func private @half(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %h = "tosa.const"() <{values = dense<0.5> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %x, %h, %s : (tensor<64x64xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %h = call @half(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = tosa.tanh %h : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @other(%x: tensor<8x?xf32>, %y: tensor<64x64xf32>) -> tensor<8x?xf32> attributes {some.mark = 3 : i64} {
  %w = "tosa.const"() <{values = dense_resource<w> : tensor<1x8xf32>}> : () -> tensor<1x8xf32>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<8x?xf32>
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %r = linalg.exp ins(%x : tensor<8x?xf32>) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %h = call @half(%y) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<8x?xf32>
}
func.func @f_0_tanh(%x: i32) -> i32 {
  return %x : i32
}
{-#
  dialect_resources: { builtin: { w: "0x040000000000803F0000004000004040000080400000A0400000C0400000E04000000041" } }
#-}
