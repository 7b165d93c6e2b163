// RUN: tt-opt --tt-free-outputs %s | FileCheck %s
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// What the output held before does not matter.
// CHECK-LABEL: func.func @map(
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x4xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]] :
func.func @map(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%y : tensor<?x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// A sum adds to what was there.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: tensor.empty
// CHECK: linalg.generic {{.*}} outs(%arg1 :
func.func @sum(%x: tensor<8x4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %e = arith.addf %a, %o : f32
      linalg.yield %e : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
