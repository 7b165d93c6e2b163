// Models in TOSA whose numbers of tokens are open: residuals, a norm with statistics a row, attention with open queries and keys,
// and a block whose heads are split and merged by reshapes of open rows.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/residual.mlir --check --strict --shape x=70x64
// RUN: tt-run %t/norm.mlir --check --strict --arch=blackhole --shape x=1x197x64
// RUN: tt-run %t/attention.mlir --check --strict --shape q=2x70x32 --shape k=2x100x32 --shape v=2x100x32 | FileCheck %s --check-prefix=ONE
// RUN: %if all %{ tt-run %t/attention.mlir --check --strict --arch=blackhole --shape q=2x33x32 --shape k=2x1x32 --shape v=2x1x32 %}
// RUN: tt-run %t/block.mlir --check --strict --shape x=1x70x64
// RUN: %if all %{ tt-run %t/block.mlir --check --strict --arch=blackhole --shape x=1x33x64 %}
// RUN: not tt-run %t/residual.mlir --check --shape x=70x64 --shape z=71x64 2>&1 | FileCheck %s
// ONE: attention_0_matmul  matmul reduce_max exp reduce_sum mul
// ONE-NEXT: 1 launches
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

//--- block.mlir
func.func @block(%x: tensor<1x?x64xf32> {tt.name = "x"}, %wq: tensor<1x64x64xf32> {tt.name = "wq"}, %wk: tensor<1x64x64xf32> {tt.name = "wk"}, %wv: tensor<1x64x64xf32> {tt.name = "wv"}, %wo: tensor<1x64x64xf32> {tt.name = "wo"}, %w1: tensor<1x64x128xf32> {tt.name = "w1"}, %w2: tensor<1x128x64xf32> {tt.name = "w2"}) -> tensor<1x?x64xf32> attributes {tt.model} {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %split = tosa.const_shape {values = dense<[1, -1, 2, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %flat = tosa.const_shape {values = dense<[2, -1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %four = tosa.const_shape {values = dense<[1, 2, -1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %merge = tosa.const_shape {values = dense<[1, -1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %partn = "tosa.const"() <{values = dense<0.015625> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %sqn = tosa.mul %x, %x, %shift : (tensor<1x?x64xf32>, tensor<1x?x64xf32>, tensor<1xi8>) -> tensor<1x?x64xf32>
  %sun = tosa.reduce_sum %sqn {axis = 2 : i32} : (tensor<1x?x64xf32>) -> tensor<1x?x1xf32>
  %men = tosa.mul %sun, %partn, %shift : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x?x1xf32>
  %rsn = tosa.rsqrt %men : (tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %n = tosa.mul %x, %rsn, %shift : (tensor<1x?x64xf32>, tensor<1x?x1xf32>, tensor<1xi8>) -> tensor<1x?x64xf32>
  %q0 = tosa.matmul %n, %wq, %zero, %zero : (tensor<1x?x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x64xf32>
  %q1 = tosa.reshape %q0, %split : (tensor<1x?x64xf32>, !tosa.shape<4>) -> tensor<1x?x2x32xf32>
  %q2 = tosa.transpose %q1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x?x2x32xf32>) -> tensor<1x2x?x32xf32>
  %q = tosa.reshape %q2, %flat : (tensor<1x2x?x32xf32>, !tosa.shape<3>) -> tensor<2x?x32xf32>
  %k0 = tosa.matmul %n, %wk, %zero, %zero : (tensor<1x?x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x64xf32>
  %k1 = tosa.reshape %k0, %split : (tensor<1x?x64xf32>, !tosa.shape<4>) -> tensor<1x?x2x32xf32>
  %k2 = tosa.transpose %k1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x?x2x32xf32>) -> tensor<1x2x?x32xf32>
  %k = tosa.reshape %k2, %flat : (tensor<1x2x?x32xf32>, !tosa.shape<3>) -> tensor<2x?x32xf32>
  %v0 = tosa.matmul %n, %wv, %zero, %zero : (tensor<1x?x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x64xf32>
  %v1 = tosa.reshape %v0, %split : (tensor<1x?x64xf32>, !tosa.shape<4>) -> tensor<1x?x2x32xf32>
  %v2 = tosa.transpose %v1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x?x2x32xf32>) -> tensor<1x2x?x32xf32>
  %v = tosa.reshape %v2, %flat : (tensor<1x2x?x32xf32>, !tosa.shape<3>) -> tensor<2x?x32xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<2x?x32xf32>) -> tensor<2x32x?xf32>
  %s = tosa.matmul %q, %kt, %zero, %zero : (tensor<2x?x32xf32>, tensor<2x32x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x?x?xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x?x?xf32>) -> tensor<2x?x1xf32>
  %d = tosa.sub %s, %m : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %e = tosa.exp %d : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x?x?xf32>) -> tensor<2x?x1xf32>
  %i = tosa.reciprocal %t : (tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %p = tosa.mul %e, %i, %shift : (tensor<2x?x?xf32>, tensor<2x?x1xf32>, tensor<1xi8>) -> tensor<2x?x?xf32>
  %o = tosa.matmul %p, %v, %zero, %zero : (tensor<2x?x?xf32>, tensor<2x?x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x?x32xf32>
  %o1 = tosa.reshape %o, %four : (tensor<2x?x32xf32>, !tosa.shape<4>) -> tensor<1x2x?x32xf32>
  %o2 = tosa.transpose %o1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x2x?x32xf32>) -> tensor<1x?x2x32xf32>
  %o3 = tosa.reshape %o2, %merge : (tensor<1x?x2x32xf32>, !tosa.shape<3>) -> tensor<1x?x64xf32>
  %a = tosa.matmul %o3, %wo, %zero, %zero : (tensor<1x?x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x64xf32>
  %h = tosa.add %x, %a : (tensor<1x?x64xf32>, tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  %partg = "tosa.const"() <{values = dense<0.015625> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %sqg = tosa.mul %h, %h, %shift : (tensor<1x?x64xf32>, tensor<1x?x64xf32>, tensor<1xi8>) -> tensor<1x?x64xf32>
  %sug = tosa.reduce_sum %sqg {axis = 2 : i32} : (tensor<1x?x64xf32>) -> tensor<1x?x1xf32>
  %meg = tosa.mul %sug, %partg, %shift : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x?x1xf32>
  %rsg = tosa.rsqrt %meg : (tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %g = tosa.mul %h, %rsg, %shift : (tensor<1x?x64xf32>, tensor<1x?x1xf32>, tensor<1xi8>) -> tensor<1x?x64xf32>
  %u = tosa.matmul %g, %w1, %zero, %zero : (tensor<1x?x64xf32>, tensor<1x64x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x128xf32>
  %c = tosa.tanh %u : (tensor<1x?x128xf32>) -> tensor<1x?x128xf32>
  %y = tosa.matmul %c, %w2, %zero, %zero : (tensor<1x?x128xf32>, tensor<1x128x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x64xf32>
  %r = tosa.add %h, %y : (tensor<1x?x64xf32>, tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  return %r : tensor<1x?x64xf32>
}
