// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}

// A norm over groups of 8 channels, and a bias of positions from a table: reshapes that move elements between tiles, which
// the host function does.
// CHECK: result0: max abs error {{.*}}: ok
// CHECK: result1: max abs error {{.*}}: ok
func.func @reshapes(%x: tensor<1x8x8x64xf32>, %g: tensor<1x1x8x8xf32>, %b: tensor<1x1x8x8xf32>,
    %t_q: tensor<4x64x32xf32>, %t_k: tensor<4x64x32xf32>, %t_table: tensor<1x32x4xf32>, %t_bucket: tensor<1x4096xi32> {tt.range = [0, 31]})
    -> (tensor<1x8x8x64xf32>, tensor<4x64x64xf32>) attributes {tt.model} {
  %s = tosa.const_shape {values = dense<[1, 64, 8, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s2 = tosa.const_shape {values = dense<[1, 8, 8, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %n = "tosa.const"() {values = dense<0.001953125> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %e = "tosa.const"() {values = dense<1.0e-5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %r = tosa.reshape %x, %s : (tensor<1x8x8x64xf32>, !tosa.shape<4>) -> tensor<1x64x8x8xf32>
  %a = tosa.reduce_sum %r {axis = 1 : i32} : (tensor<1x64x8x8xf32>) -> tensor<1x1x8x8xf32>
  %a2 = tosa.reduce_sum %a {axis = 3 : i32} : (tensor<1x1x8x8xf32>) -> tensor<1x1x8x1xf32>
  %m = tosa.mul %a2, %n, %z : (tensor<1x1x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x8x1xf32>
  %d = tosa.sub %r, %m : (tensor<1x64x8x8xf32>, tensor<1x1x8x1xf32>) -> tensor<1x64x8x8xf32>
  %q = tosa.mul %d, %d, %z : (tensor<1x64x8x8xf32>, tensor<1x64x8x8xf32>, tensor<1xi8>) -> tensor<1x64x8x8xf32>
  %v = tosa.reduce_sum %q {axis = 1 : i32} : (tensor<1x64x8x8xf32>) -> tensor<1x1x8x8xf32>
  %v2 = tosa.reduce_sum %v {axis = 3 : i32} : (tensor<1x1x8x8xf32>) -> tensor<1x1x8x1xf32>
  %vm = tosa.mul %v2, %n, %z : (tensor<1x1x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x8x1xf32>
  %ve = tosa.add %vm, %e : (tensor<1x1x8x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x8x1xf32>
  %rs = tosa.rsqrt %ve : (tensor<1x1x8x1xf32>) -> tensor<1x1x8x1xf32>
  %o = tosa.mul %d, %rs, %z : (tensor<1x64x8x8xf32>, tensor<1x1x8x1xf32>, tensor<1xi8>) -> tensor<1x64x8x8xf32>
  %og = tosa.mul %o, %g, %z : (tensor<1x64x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<1x64x8x8xf32>
  %ob = tosa.add %og, %b : (tensor<1x64x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x64x8x8xf32>
  %y = tosa.reshape %ob, %s2 : (tensor<1x64x8x8xf32>, !tosa.shape<4>) -> tensor<1x8x8x64xf32>
  %t_z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %t_zi = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %t_s = tosa.const_shape {values = dense<[64, 64, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t_g = tosa.gather %t_table, %t_bucket : (tensor<1x32x4xf32>, tensor<1x4096xi32>) -> tensor<1x4096x4xf32>
  %t_r = tosa.reshape %t_g, %t_s : (tensor<1x4096x4xf32>, !tosa.shape<3>) -> tensor<64x64x4xf32>
  %t_b = tosa.transpose %t_r {perms = array<i32: 2, 0, 1>} : (tensor<64x64x4xf32>) -> tensor<4x64x64xf32>
  %t_kt = tosa.transpose %t_k {perms = array<i32: 0, 2, 1>} : (tensor<4x64x32xf32>) -> tensor<4x32x64xf32>
  %t_p = tosa.matmul %t_q, %t_kt, %t_z, %t_z : (tensor<4x64x32xf32>, tensor<4x32x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x64x64xf32>
  %t_o = tosa.add %t_p, %t_b : (tensor<4x64x64xf32>, tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %t_m = tosa.reduce_max %t_o {axis = 2 : i32} : (tensor<4x64x64xf32>) -> tensor<4x64x1xf32>
  %t_d = tosa.sub %t_o, %t_m : (tensor<4x64x64xf32>, tensor<4x64x1xf32>) -> tensor<4x64x64xf32>
  %t_e = tosa.exp %t_d : (tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %t_t = tosa.reduce_sum %t_e {axis = 2 : i32} : (tensor<4x64x64xf32>) -> tensor<4x64x1xf32>
  %t_i = tosa.reciprocal %t_t : (tensor<4x64x1xf32>) -> tensor<4x64x1xf32>
  %t_y = tosa.mul %t_e, %t_i, %t_zi : (tensor<4x64x64xf32>, tensor<4x64x1xf32>, tensor<1xi8>) -> tensor<4x64x64xf32>
  return %y, %t_y : tensor<1x8x8x64xf32>, tensor<4x64x64xf32>
}
