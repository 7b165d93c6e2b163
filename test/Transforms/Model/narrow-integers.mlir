// Integers of 64 bits are computed in 32, where what gives them, in the whole model, says that they fit.
// RUN: tt-opt --tt-narrow-integers %s | FileCheck %s

// Positions, which are counted, and how far they are from each other.
// CHECK-LABEL: func.func @positions
// CHECK: arith.index_cast %{{.*}} : index to i32
// CHECK-NEXT: arith.extsi %{{.*}} : i32 to i64
// CHECK: ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64, %{{.*}}: f32):
// CHECK-NEXT: %[[X:.*]] = arith.trunci %[[A]] : i64 to i32
// CHECK-NEXT: %[[Y:.*]] = arith.trunci %[[B]] : i64 to i32
// CHECK-NEXT: %[[D:.*]] = arith.subi %[[X]], %[[Y]] : i32
// CHECK-NEXT: arith.extsi %[[D]] : i32 to i64
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i) -> (i)>
func.func @positions(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<64xi64>
  %p = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%e : tensor<64xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    linalg.yield %c : i64
  } -> tensor<64xi64>
  %f = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#row, #col, #all], iterator_types = ["parallel", "parallel"]} ins(%p, %p : tensor<64xi64>, tensor<64xi64>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%a: i64, %b: i64, %o: f32):
    %d = arith.subi %a, %b : i64
    %g = arith.sitofp %d : i64 to f32
    linalg.yield %g : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// A sum of 40 flags, and of elements whose range is given, padded with a constant.
// CHECK-LABEL: func.func @counts
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
func.func @counts(%n: tensor<8x40xi64> {tt.range = [0, 1000]}) -> tensor<8xi64> attributes {tt.model} {
  %z = arith.constant 0 : i64
  %p = tensor.pad %n low[0, 3] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i64
  } : tensor<8x40xi64> to tensor<8x43xi64>
  %e = tensor.empty() : tensor<8xi64>
  %f = linalg.fill ins(%z : i64) outs(%e : tensor<8xi64>) -> tensor<8xi64>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x43xi64>) outs(%f : tensor<8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %d = arith.addi %o, %a : i64
    linalg.yield %d : i64
  } -> tensor<8xi64>
  return %s : tensor<8xi64>
}

// Those of an argument without a range may be too large: what they give stays as it is, to be refused.
// CHECK-LABEL: func.func @unknown
// CHECK: arith.addi %{{.*}}, %{{.*}} : i64
func.func @unknown(%n: tensor<64xi64>) -> tensor<64xi64> attributes {tt.model} {
  %e = tensor.empty() : tensor<64xi64>
  %s = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%n, %n : tensor<64xi64>, tensor<64xi64>) outs(%e : tensor<64xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    %d = arith.addi %a, %b : i64
    linalg.yield %d : i64
  } -> tensor<64xi64>
  return %s : tensor<64xi64>
}

// Constants of elements say what they hold.
// CHECK-LABEL: func.func @constants
// CHECK: arith.muli %{{.*}}, %{{.*}} : i32
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tt.model} {
  %n = arith.constant dense<[-3, 7, 100, 46340]> : tensor<4xi64>
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%n, %x : tensor<4xi64>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i64, %b: f32, %o: f32):
    %d = arith.muli %a, %a : i64
    %f = arith.sitofp %d : i64 to f32
    %g = arith.mulf %f, %b : f32
    linalg.yield %g : f32
  } -> tensor<4xf32>
  return %s : tensor<4xf32>
}
