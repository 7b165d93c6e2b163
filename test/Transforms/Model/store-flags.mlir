// RUN: tt-opt --tt-store-flags %s | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK: %[[M:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]> : tensor<2x2xbf16>
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[M]] : tensor<2x2xf32>, tensor<2x2xbf16>)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: bf16, %{{.*}}: f32):
// CHECK: %[[W:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK: %[[C:.*]] = arith.cmpf une, %[[W]], %{{.*}} : f32
// CHECK: arith.select %[[C]], %[[A]]
#ij = affine_map<(i, j) -> (i, j)>
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {tt.model} {
  %m = arith.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<2x2xf32>, tensor<2x2xi1>) outs(%e : tensor<2x2xf32>) {
    ^bb0(%a: f32, %b: i1, %o: f32):
      %d = arith.select %b, %a, %z : f32
      linalg.yield %d : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// A flag that becomes a number; an integer stays one.
// CHECK-LABEL: func.func @number
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK: arith.uitofp %{{.*}} : i32 to f32
func.func @number(%x: tensor<2x2xf32>, %n: tensor<2x2xi32>) -> tensor<2x2xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %n : tensor<2x2xf32>, tensor<2x2xi32>) outs(%e : tensor<2x2xf32>) {
    ^bb0(%a: f32, %b: i32, %o: f32):
      %c = arith.cmpf ogt, %a, %o : f32
      %d = arith.uitofp %c : i1 to f32
      %f = arith.uitofp %b : i32 to f32
      %s = arith.addf %d, %f : f32
      linalg.yield %s : f32
  } -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
