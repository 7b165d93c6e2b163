// Models in TOSA whose numbers of tokens are open: residuals, a norm with statistics a row, attention with open queries and keys.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/residual.mlir --check --strict --shape x=70x64
// RUN: tt-run %t/norm.mlir --check --strict --arch=blackhole --shape x=1x197x64
// RUN: tt-run %t/attention.mlir --check --strict --shape q=2x70x32 --shape k=2x100x32 --shape v=2x100x32
// RUN: %if all %{ tt-run %t/attention.mlir --check --strict --arch=blackhole --shape q=2x33x32 --shape k=2x1x32 --shape v=2x1x32 %}
// RUN: not tt-run %t/residual.mlir --check --shape x=70x64 --shape z=71x64 2>&1 | FileCheck %s
// CHECK: --shape z: dimension 0 of tensor 'z' is 71, but the kernel takes it to be equal to x_d0, which is 70

//--- residual.mlir
func.func @residual(%x: tensor<?x64xf32> {tt.name = "x"}, %b: tensor<1x64xf32> {tt.name = "b"}, %z: tensor<?x64xf32> {tt.name = "z"}) -> tensor<?x64xf32> attributes {tt.model} {
  %h = tosa.add %x, %b : (tensor<?x64xf32>, tensor<1x64xf32>) -> tensor<?x64xf32>
  %t = tosa.tanh %h : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = tosa.add %x, %t : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %s = tosa.add %r, %z : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %s : tensor<?x64xf32>
}

//--- norm.mlir
func.func @norm(%x: tensor<1x?x64xf32> {tt.name = "x"}, %g: tensor<1x1x64xf32> {tt.name = "g"}, %w: tensor<1x64x96xf32> {tt.name = "w"}) -> tensor<1x?x96xf32> attributes {tt.model} {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %part = "tosa.const"() <{values = dense<0.015625> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %squares = tosa.mul %x, %x, %shift : (tensor<1x?x64xf32>, tensor<1x?x64xf32>, tensor<1xi8>) -> tensor<1x?x64xf32>
  %sum = tosa.reduce_sum %squares {axis = 2 : i32} : (tensor<1x?x64xf32>) -> tensor<1x?x1xf32>
  %mean = tosa.mul %sum, %part, %shift : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x?x1xf32>
  %root = tosa.rsqrt %mean : (tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %n = tosa.mul %x, %root, %shift : (tensor<1x?x64xf32>, tensor<1x?x1xf32>, tensor<1xi8>) -> tensor<1x?x64xf32>
  %y = tosa.mul %n, %g, %shift : (tensor<1x?x64xf32>, tensor<1x1x64xf32>, tensor<1xi8>) -> tensor<1x?x64xf32>
  %o = tosa.matmul %y, %w, %zero, %zero : (tensor<1x?x64xf32>, tensor<1x64x96xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x96xf32>
  return %o : tensor<1x?x96xf32>
}

//--- attention.mlir
func.func @attention(%q: tensor<2x?x32xf32> {tt.name = "q"}, %k: tensor<2x?x32xf32> {tt.name = "k"}, %v: tensor<2x?x32xf32> {tt.name = "v"}) -> tensor<2x?x32xf32> attributes {tt.model} {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x?x32xf32>) -> tensor<2x32x?xf32>
  %s = tosa.matmul %q, %kt, %zero, %zero : (tensor<2x?x32xf32>, tensor<2x32x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x?x?xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x?x?xf32>) -> tensor<2x?x1xf32>
  %d = tosa.sub %s, %m : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %e = tosa.exp %d : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x?x?xf32>) -> tensor<2x?x1xf32>
  %i = tosa.reciprocal %t : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %p = tosa.mul %e, %i, %shift : (tensor<2x?x?xf32>, tensor<2x?x1xf32>, tensor<1xi8>) -> tensor<2x?x?xf32>
  %o = tosa.matmul %p, %v, %zero, %zero : (tensor<2x?x?xf32>, tensor<2x?x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x?x32xf32>
  return %o : tensor<2x?x32xf32>
}
