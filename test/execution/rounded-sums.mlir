// A sum that a loop goes on with in bf16 is rounded at each step, on the device otherwise than in the reference: where that is more
// than is allowed, `--check` says where it comes from.
// RUN: %if all %{ not tt-run %s --check | FileCheck %s %}
// CHECK: Y: {{.*}}: OUT OF TOLERANCE
// CHECK: Y: what one op computes and another goes on with is rounded to 16 bits, {{.*}} which adds up where steps of a loop do so
func.func @sum(%X: memref<256x32xbf16> {tt.name = "X"}, %Y: memref<1x32xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  affine.for %i = 0 to 32 {
    %sum = affine.for %k = 0 to 256 iter_args(%s = %zero) -> bf16 {
      %x = affine.load %X[%k, %i] : memref<256x32xbf16>
      %y = arith.extf %x : bf16 to f32
      %z = arith.extf %s : bf16 to f32
      %t = arith.addf %y, %z : f32
      %r = arith.truncf %t : f32 to bf16
      affine.yield %r : bf16
    }
    affine.store %sum, %Y[0, %i] : memref<1x32xbf16>
  }
  return
}
