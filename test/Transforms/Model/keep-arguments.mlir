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
