// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}

// A mask that several ops take, whether any element of a column is above a number, and whether all of a row are: flags are
// stored as ones and zeros.
// CHECK: result0: max abs error {{.*}}: ok
// CHECK: result1: max abs error 0, {{.*}}PCC 1.0000000 {{.*}}: ok
// CHECK: result2: max abs error 0, {{.*}}PCC 1.0000000 {{.*}}: ok

func.func @f(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>, %w: tensor<96x64xf32>) -> (tensor<64x64xf32>, tensor<96xf32>, tensor<64x1xf32>) attributes {tt.model} {
  %z = arith.constant 0.0 : f32
  %c = "tosa.const"() {values = dense<2.25> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %o = "tosa.const"() {values = dense<1.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %n = "tosa.const"() {values = dense<0.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %s1 = tosa.const_shape {values = dense<[96]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %m = tosa.greater %x, %c : (tensor<64x96xf32>, tensor<1x1xf32>) -> tensor<64x96xi1>
  %any = tosa.reduce_any %m {axis = 0 : i32} : (tensor<64x96xi1>) -> tensor<1x96xi1>
  %s = tosa.select %m, %y, %x : (tensor<64x96xi1>, tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%s, %w : tensor<64x96xf32>, tensor<96x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = tosa.select %any, %o, %n : (tensor<1x96xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x96xf32>
  %r = tosa.reshape %a, %s1 : (tensor<1x96xf32>, !tosa.shape<1>) -> tensor<96xf32>
  %d = "tosa.const"() {values = dense<-2.25> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %g = tosa.greater %y, %d : (tensor<64x96xf32>, tensor<1x1xf32>) -> tensor<64x96xi1>
  %all = tosa.reduce_all %g {axis = 1 : i32} : (tensor<64x96xi1>) -> tensor<64x1xi1>
  %b = tosa.select %all, %o, %n : (tensor<64x1xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
  return %p, %r, %b : tensor<64x64xf32>, tensor<96xf32>, tensor<64x1xf32>
}
