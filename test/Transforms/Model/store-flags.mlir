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

// What an op computes, any of a row, is stored as a number.
// CHECK-LABEL: func.func @any
// CHECK: %[[Z:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : bf16
// CHECK: %[[F:.*]] = linalg.fill ins(%[[Z]] : bf16) outs(%{{.*}} : tensor<2xbf16>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} outs(%[[F]] : tensor<2xbf16>)
// CHECK: %[[C:.*]] = arith.cmpf ogt
// CHECK: %[[N:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : bf16
// CHECK: arith.maximumf %[[N]], %{{.*}} : bf16
// CHECK: linalg.generic {{.*}} ins(%[[R]] : tensor<2xbf16>)
// CHECK: arith.cmpf une
func.func @any(%x: tensor<2x2xf32>) -> tensor<2xf32> attributes {tt.model} {
  %false = arith.constant false
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2xi1>
  %f = linalg.fill ins(%false : i1) outs(%e : tensor<2xi1>) -> tensor<2xi1>
  %r = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x2xf32>) outs(%f : tensor<2xi1>) {
    ^bb0(%a: f32, %o: i1):
      %c = arith.cmpf ogt, %a, %z : f32
      %d = arith.ori %c, %o : i1
      linalg.yield %d : i1
  } -> tensor<2xi1>
  %e2 = tensor.empty() : tensor<2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%r : tensor<2xi1>) outs(%e2 : tensor<2xf32>) {
    ^bb0(%a: i1, %o: f32):
      %d = arith.select %a, %one, %z : f32
      linalg.yield %d : f32
  } -> tensor<2xf32>
  return %s : tensor<2xf32>
}
