// What is below 2^-14 in a tensor of f16 is zero to the chip, and so to the reference: a sign of it is no sign.
//
// REQUIRES: all
// RUN: tt-run %s --check --input A=~0.0001 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --input A=~0.0001 --arch=blackhole --metalium-api=2025 | \
// RUN:   FileCheck %s %}
// CHECK: B: max abs error 0, {{.*}}: ok

func.func @signs(%A: memref<64x64xf16> {tt.name = "A"}, %B: memref<64x64xf16> {tt.name = "B"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f16
  %one = arith.constant 1.0 : f16
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<64x64xf16>) outs(%B : memref<64x64xf16>) {
  ^bb0(%a: f16, %b: f16):
    %positive = arith.cmpf ogt, %a, %zero : f16
    %sign = arith.select %positive, %one, %zero : f16
    linalg.yield %sign : f16
  }
  return
}
