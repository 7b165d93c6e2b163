// RUN: tt-opt --tt-fold-numbers %s | FileCheck %s
// RUN: tt-opt --tt-model %s -o %t.out
// RUN: not tt-opt --tt-model --split-input-file %S/Inputs/assertions.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: %if all %{ tt-run %s --check | FileCheck %s --check-prefix=RUNS %}
// RUNS: result: {{.*}}: ok

// Numbers of 64 bits in tensors, as exporters write a relu6 and a hard-swish, and an assertion about
// constants.
// CHECK-LABEL: func.func @numbers
// CHECK-NOT: cf.assert
// CHECK-NOT: tensor<i64>
// CHECK-NOT: tensor<f64>
// CHECK: %[[LOW:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK: %[[HIGH:.*]] = arith.sitofp %{{.*}} : i64 to f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<33x40xf32>)
// CHECK: arith.maximumf %{{.*}}, %[[LOW]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<33x40xf32>)
// CHECK: arith.minimumf %{{.*}}, %[[HIGH]]
#m = affine_map<(i, j) -> (i, j)>
#n = affine_map<(i, j) -> ()>
#o = affine_map<() -> ()>
func.func @numbers(%x: tensor<33x40xf32>) -> tensor<33x40xf32> attributes {tt.model} {
  %false = arith.constant false
  %zero = arith.constant 0.0 : f64
  %six = arith.constant 6 : i64
  %no = arith.cmpi eq, %false, %false : i1
  cf.assert %no, "only inference is exported"
  %e0 = tensor.empty() : tensor<f64>
  %f0 = linalg.fill ins(%zero : f64) outs(%e0 : tensor<f64>) -> tensor<f64>
  %e1 = tensor.empty() : tensor<i64>
  %f1 = linalg.fill ins(%six : i64) outs(%e1 : tensor<i64>) -> tensor<i64>
  %e2 = tensor.empty() : tensor<f32>
  %low = linalg.generic {indexing_maps = [#o, #o], iterator_types = []} ins(%f0 : tensor<f64>) outs(%e2 : tensor<f32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.truncf %in : f64 to f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %high = linalg.generic {indexing_maps = [#o, #o], iterator_types = []} ins(%f1 : tensor<i64>) outs(%e2 : tensor<f32>) {
  ^bb0(%in: i64, %out: f32):
    %0 = arith.sitofp %in : i64 to f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %e = tensor.empty() : tensor<33x40xf32>
  %a = linalg.generic {indexing_maps = [#m, #n, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %low : tensor<33x40xf32>, tensor<f32>) outs(%e : tensor<33x40xf32>) {
  ^bb0(%in: f32, %number: f32, %out: f32):
    %0 = arith.maximumf %in, %number : f32
    linalg.yield %0 : f32
  } -> tensor<33x40xf32>
  %b = linalg.generic {indexing_maps = [#n, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%high, %a : tensor<f32>, tensor<33x40xf32>) outs(%e : tensor<33x40xf32>) {
  ^bb0(%number: f32, %in: f32, %out: f32):
    %0 = arith.minimumf %in, %number : f32
    linalg.yield %0 : f32
  } -> tensor<33x40xf32>
  return %b : tensor<33x40xf32>
}

// OPEN: error: this assertion is about values that only a run has
