// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole | FileCheck %s %}

// Powers of numbers below zero, with an exponent that is a tensor, as TOSA has it, have results
// in the reference as well, and are judged.
// CHECK: result: max abs error {{.*}}: ok
// CHECK-NOT: NaN in the reference
func.func @powers(%x: tensor<8x45xf32>) -> tensor<8x45xf32> attributes {tt.model} {
  %c = "tosa.const"() <{values = dense<3.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %r = tosa.pow %x, %c : (tensor<8x45xf32>, tensor<1x1xf32>) -> tensor<8x45xf32>
  return %r : tensor<8x45xf32>
}
