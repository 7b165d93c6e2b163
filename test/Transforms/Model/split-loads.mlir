// RUN: tt-opt --tt-split-loads %s | FileCheck %s

// What is computed of a loaded element is an op of its own.
// CHECK-LABEL: func.func @scaled
// CHECK: %[[L:.*]] = linalg.generic {{.*}}["parallel", "parallel"]} ins(%arg0 : tensor<20xi64>) outs(%{{.*}} : tensor<20x64xf32>)
// CHECK: %[[V:.*]] = tensor.extract
// CHECK-NEXT: linalg.yield %[[V]]
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[L]] : tensor<20xi64>, tensor<20x64xf32>)
// CHECK-NOT: tensor.extract
// CHECK: arith.mulf
func.func @scaled(%ids: tensor<20xi64>, %table: tensor<100x64xf32>) -> tensor<20x64xf32> attributes {tt.model} {
  %scale = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<20x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<20xi64>) outs(%e : tensor<20x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %table[%i, %j] : tensor<100x64xf32>
      %s = arith.mulf %v, %scale : f32
      linalg.yield %s : f32
  } -> tensor<20x64xf32>
  return %r : tensor<20x64xf32>
}

// What a sum goes over comes first, so that rows are rows: the loop over columns is the last one.
// CHECK-LABEL: func.func @bag
// CHECK: %[[L:.*]] = linalg.generic {indexing_maps = [#[[IDS:.*]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x5xi64>) outs(%{{.*}} : tensor<5x8x64xf32>)
// CHECK: linalg.index 2
// CHECK: tensor.extract
// CHECK: linalg.generic {{.*}} ["parallel", "parallel", "reduction"]} ins(%arg0, %[[L]] :
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @bag(%ids: tensor<8x5xi64>, %table: tensor<100x64xf32>, %zeros: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {tt.model} {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ids : tensor<8x5xi64>) outs(%zeros : tensor<8x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %table[%i, %j] : tensor<100x64xf32>
      %s = arith.addf %v, %out : f32
      linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

// Two loads are two ops; an integer that is loaded is an index of the next load.
// CHECK-LABEL: func.func @two
// CHECK: linalg.generic
// CHECK: tensor.extract %arg1
// CHECK: tensor.extract %arg2
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK: tensor.extract %arg3
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK-NOT: tensor.extract
// CHECK: arith.addf
// CHECK: return
func.func @two(%ids: tensor<20xi64>, %places: tensor<50xi64>, %a: tensor<100x64xf32>, %b: tensor<100x64xf32>) -> tensor<20x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<20x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<20xi64>) outs(%e : tensor<20x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %j = linalg.index 1 : index
      %p = tensor.extract %places[%i] : tensor<50xi64>
      %k = arith.index_cast %p : i64 to index
      %v = tensor.extract %a[%k, %j] : tensor<100x64xf32>
      %w = tensor.extract %b[%i, %j] : tensor<100x64xf32>
      %s = arith.addf %v, %w : f32
      linalg.yield %s : f32
  } -> tensor<20x64xf32>
  return %r : tensor<20x64xf32>
}

// A body that loads and does nothing else stays as it is, and so does one of open size.
// CHECK-LABEL: func.func @plain
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @plain(%ids: tensor<20xi64>, %table: tensor<100x64xf32>) -> tensor<20x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<20x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<20xi64>) outs(%e : tensor<20x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %table[%i, %j] : tensor<100x64xf32>
      linalg.yield %v : f32
  } -> tensor<20x64xf32>
  return %r : tensor<20x64xf32>
}
