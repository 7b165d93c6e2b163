// RUN: tt-opt --tt-name-ops --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK: tosa.exp {{.*}} loc("tosa.exp"({{.*}}name-ops.mlir":7:
// The names of layers stay.
// CHECK: tosa.tanh {{.*}} loc("tosa.tanh"("layer.1"))
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> attributes {tt.model} {
  %r = tosa.exp %x : (tensor<64xf32>) -> tensor<64xf32>
  %s = tosa.tanh %r : (tensor<64xf32>) -> tensor<64xf32> loc("layer.1")
  return %s : tensor<64xf32>
}
// CHECK-LABEL: func.func @other
// CHECK-NOT: "tosa.exp"(
func.func @other(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = tosa.exp %x : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
