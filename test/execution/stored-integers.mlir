// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check --metalium-api=2026-03 | FileCheck %s %}

// i32 in bytes and i8 in words of memory: read, computed on, copied and written; all of it exact.
// CHECK-DAG: Z: equal: ok
// CHECK-DAG: N: equal: ok
// CHECK-DAG: C: equal: ok
// CHECK-DAG: D: equal: ok
// CHECK-DAG: U: equal: ok
// CHECK-DAG: F: max abs error 0, {{.*}}: ok
#id = affine_map<(i, j) -> (i, j)>
func.func @stored_integers(%X: memref<50x70xi32> {tt.name = "X", tt.layout = {dtype = "uint8"}},
    %W: memref<50x70xi8> {tt.name = "W", tt.layout = {dtype = "int32"}},
    %Z: memref<50x70xi32> {tt.name = "Z"}, %N: memref<50x70xi32> {tt.name = "N", tt.layout = {dtype = "uint8"}},
    %C: memref<50x70xi32> {tt.name = "C"}, %D: memref<50x70xi8> {tt.name = "D"},
    %U: memref<50x70xi8> {tt.name = "U", tt.layout = {dtype = "int32"}}, %F: memref<50x70xf32> {tt.name = "F"},
    %V: memref<50x70xf32> {tt.name = "V"}) attributes {tt.kernel} {
  %c3 = arith.constant 3 : i32
  %limit = arith.constant 255 : i32
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %W : memref<50x70xi32>, memref<50x70xi8>)
      outs(%Z, %N, %F : memref<50x70xi32>, memref<50x70xi32>, memref<50x70xf32>) {
    ^bb0(%x: i32, %w: i8, %o: i32, %p: i32, %q: f32):
      %wide = arith.extui %w : i8 to i32
      %three = arith.muli %x, %c3 : i32
      %z = arith.addi %three, %wide : i32
      %n = arith.minsi %z, %limit : i32
      %f = arith.sitofp %w : i8 to f32
      linalg.yield %z, %n, %f : i32, i32, f32
  }
  memref.copy %X, %C : memref<50x70xi32> to memref<50x70xi32>
  memref.copy %W, %D : memref<50x70xi8> to memref<50x70xi8>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%V : memref<50x70xf32>) outs(%U : memref<50x70xi8>) {
    ^bb0(%a: f32, %o: i8):
      %b = math.absf %a : f32
      %u = arith.fptoui %b : f32 to i8
      linalg.yield %u : i8
  }
  return
}
