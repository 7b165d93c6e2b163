// RUN: tt-opt %s --tt-split-choices --split-input-file | FileCheck %s
// An extreme and where it is become the extreme, and the first place that has it.
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// As exporters of argmax write it: NaN is passed over in the comparison.
// CHECK-LABEL: func.func @most(
// CHECK-SAME: %[[X:.*]]: tensor<8x20xf32>, %[[LEAST:.*]]: tensor<8xf32>, %[[NONE:.*]]: tensor<8xi64>)
// CHECK-DAG: %[[NOWHERE:.*]] = arith.constant 2147483647 : i32
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<8x20xf32>) outs(%[[LEAST]] : tensor<8xf32>)
// CHECK: arith.maxnumf
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8xi32>
// CHECK: %[[F:.*]] = linalg.fill ins(%[[NOWHERE]] : i32) outs(%[[E]] : tensor<8xi32>)
// CHECK: %[[AT:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[M]] : tensor<8x20xf32>, tensor<8xf32>) outs(%[[F]] : tensor<8xi32>)
// CHECK: linalg.index 1
// CHECK: %[[HERE:.*]] = arith.cmpf oeq
// CHECK: arith.select %[[HERE]], %{{.*}}, %[[NOWHERE]] : i32
// CHECK: arith.minsi
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[AT]], %[[NONE]] : tensor<8xi32>, tensor<8xi64>)
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK: return %[[M]], %[[R]]
func.func @most(%x: tensor<8x20xf32>, %least: tensor<8xf32>, %none: tensor<8xi64>) -> (tensor<8xf32>, tensor<8xi64>) attributes {tt.model} {
  %r:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x20xf32>) outs(%least, %none : tensor<8xf32>, tensor<8xi64>) {
    ^bb0(%in: f32, %old: f32, %at: i64):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i64
      %g = arith.cmpf ogt, %in, %old : f32
      %m = arith.select %g, %in, %old : f32
      %k = arith.select %g, %j, %at : i64
      linalg.yield %m, %k : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi64>
}

// -----
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (j)>
// The last of equal ones, the least, of integers, the place first.
// CHECK-LABEL: func.func @least_last(
// CHECK: arith.constant -1 : i32
// CHECK: arith.minsi
// CHECK: linalg.index 0
// CHECK: arith.cmpi eq
// CHECK: arith.maxsi
func.func @least_last(%x: tensor<8x20xi32>, %least: tensor<20xi32>, %none: tensor<20xi32>) -> tensor<20xi32> attributes {tt.model} {
  %r:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<8x20xi32>) outs(%none, %least : tensor<20xi32>, tensor<20xi32>) {
    ^bb0(%in: i32, %at: i32, %old: i32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %g = arith.cmpi sle, %in, %old : i32
      %k = arith.select %g, %j, %at : i32
      %m = arith.select %g, %in, %old : i32
      linalg.yield %k, %m : i32, i32
  } -> (tensor<20xi32>, tensor<20xi32>)
  return %r#0 : tensor<20xi32>
}

// -----
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
// Integers, of which an op of its own takes the extreme.
// CHECK-LABEL: func.func @most_by_op(
// CHECK: arith.maxsi
// CHECK: arith.cmpi eq
// CHECK: arith.minsi
func.func @most_by_op(%x: tensor<8x20xi32>, %least: tensor<8xi32>, %none: tensor<8xi32>)
    -> tensor<8xi32> attributes {tt.model} {
  %r:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x20xi32>) outs(%least, %none : tensor<8xi32>, tensor<8xi32>) {
    ^bb0(%in: i32, %old: i32, %at: i32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %m = arith.maxsi %in, %old : i32
      %g = arith.cmpi sgt, %in, %old : i32
      %k = arith.select %g, %j, %at : i32
      linalg.yield %m, %k : i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}

// -----
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
// An extreme of the other sign's order is not what is compared.
// CHECK-LABEL: func.func @most_by_other_op(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @most_by_other_op(%x: tensor<8x20xi32>, %least: tensor<8xi32>, %none: tensor<8xi32>)
    -> tensor<8xi32> attributes {tt.model} {
  %r:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x20xi32>) outs(%least, %none : tensor<8xi32>, tensor<8xi32>) {
    ^bb0(%in: i32, %old: i32, %at: i32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %m = arith.maxui %in, %old : i32
      %g = arith.cmpi sgt, %in, %old : i32
      %k = arith.select %g, %j, %at : i32
      linalg.yield %m, %k : i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>)
  return %r#1 : tensor<8xi32>
}

// -----
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
// What is taken is not what is compared, and the place is another loop's: these stay.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @others(%x: tensor<8x20xf32>, %least: tensor<8xf32>, %none: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) attributes {tt.model} {
  %r:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x20xf32>) outs(%least, %none : tensor<8xf32>, tensor<8xi32>) {
    ^bb0(%in: f32, %old: f32, %at: i32):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i32
      %n = arith.negf %in : f32
      %g = arith.cmpf ogt, %in, %old : f32
      %m = arith.select %g, %n, %old : f32
      %k = arith.select %g, %j, %at : i32
      linalg.yield %m, %k : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  %s:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x20xf32>) outs(%least, %none : tensor<8xf32>, tensor<8xi32>) {
    ^bb0(%in: f32, %old: f32, %at: i32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %g = arith.cmpf ogt, %in, %old : f32
      %m = arith.select %g, %in, %old : f32
      %k = arith.select %g, %j, %at : i32
      linalg.yield %m, %k : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#1, %s#1 : tensor<8xi32>, tensor<8xi32>
}
