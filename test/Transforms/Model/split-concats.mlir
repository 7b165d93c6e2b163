// RUN: tt-opt --tt-split-concats %s | FileCheck %s
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// Halves are exchanged and one is negated, as in a rotary embedding: no tensor holds the two
// together before the sum, and none holds the negated half's tensor.
// CHECK-LABEL: func.func @rotary
// CHECK-DAG: %[[X0:.*]] = tensor.extract_slice %arg0[0, 0] [64, 32] [1, 1]
// CHECK-DAG: %[[X1:.*]] = tensor.extract_slice %arg0[0, 32] [64, 32] [1, 1]
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%[[X1]] :
// CHECK: arith.negf
// CHECK-DAG: tensor.extract_slice %arg1[0] [32] [1]
// CHECK: linalg.generic {{.*}} ins(%[[N]], %{{.*}} : tensor<64x32xf32>, tensor<32xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X0]], %{{.*}} : tensor<64x32xf32>, tensor<32xf32>)
// CHECK: linalg.index 1
// CHECK: arith.addi %{{.*}}, %c32
// CHECK: tensor.insert_slice %{{.*}}[0, 32] [64, 32] [1, 1] : tensor<64x32xf32> into tensor<64x64xf32>
// CHECK-NEXT: return
func.func @rotary(%x: tensor<64x64xf32>, %s: tensor<64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %c40 = arith.constant 40 : index
  %h = tensor.empty() : tensor<64x32xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %a = tensor.extract_slice %x[0, 0] [64, 32] [1, 1] : tensor<64x64xf32> to tensor<64x32xf32>
  %b = tensor.extract_slice %x[0, 32] [64, 32] [1, 1] : tensor<64x64xf32> to tensor<64x32xf32>
  %n = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<64x32xf32>) outs(%h : tensor<64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
  } -> tensor<64x32xf32>
  %c0 = tensor.insert_slice %n into %e[0, 0] [64, 32] [1, 1] : tensor<64x32xf32> into tensor<64x64xf32>
  %c1 = tensor.insert_slice %a into %c0[0, 32] [64, 32] [1, 1] : tensor<64x32xf32> into tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%c1, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
    ^bb0(%in: f32, %t: f32, %out: f32):
      %j = linalg.index 1 : index
      %c = arith.cmpi ult, %j, %c40 : index
      %0 = arith.mulf %in, %t : f32
      %1 = arith.select %c, %0, %zero : f32
      linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// Parts that leave a gap are no whole.
// CHECK-LABEL: func.func @gap
// CHECK: tensor.insert_slice
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @gap(%a: tensor<64x16xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %c0 = tensor.insert_slice %a into %e[0, 0] [64, 16] [1, 1] : tensor<64x16xf32> into tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%c0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
