// REQUIRES: all
// RUN: tt-run %s --check | FileCheck %s
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 | FileCheck %s %}

// Largest elements and where they are: with 64 bits for places as one exporter writes it, of rows; and of columns.
// CHECK: result1: equal: ok
// CHECK: result2: equal: ok
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
func.func @places(%x: tensor<40x70xf32>, %y: tensor<2x40x33xbf16>) -> (tensor<40xf32>, tensor<40xi32>, tensor<2x33xi32>) attributes {tt.model} {
  %z = arith.constant 0 : i64
  %l = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<40xf32>
  %f = linalg.fill ins(%l : f32) outs(%e : tensor<40xf32>) -> tensor<40xf32>
  %e2 = tensor.empty() : tensor<40xi64>
  %f2 = linalg.fill ins(%z : i64) outs(%e2 : tensor<40xi64>) -> tensor<40xi64>
  %r:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<40x70xf32>) outs(%f, %f2 : tensor<40xf32>, tensor<40xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %out : f32
    %c = arith.cmpf ogt, %in, %out : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %m, %k : f32, i64
  } -> (tensor<40xf32>, tensor<40xi64>)
  %e3 = tensor.empty() : tensor<40xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%r#1 : tensor<40xi64>) outs(%e3 : tensor<40xi32>) {
  ^bb0(%a: i64, %o: i32):
    %b = arith.trunci %a : i64 to i32
    linalg.yield %b : i32
  } -> tensor<40xi32>
  %u = tosa.argmax %y {axis = 1 : i32} : (tensor<2x40x33xbf16>) -> tensor<2x33xi32>
  return %r#0, %t, %u : tensor<40xf32>, tensor<40xi32>, tensor<2x33xi32>
}
