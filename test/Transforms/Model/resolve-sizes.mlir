// RUN: tt-opt %s --tt-resolve-sizes --canonicalize --cse | FileCheck %s

// Heads by a reshape to [-1, 2, 32]: the flat tensor's size by 64 is the argument's.
// CHECK-LABEL: func.func @heads
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK-NOT: arith.divsi
// CHECK: tensor.expand_shape {{.*}} output_shape [%[[N]], 2, 32]
// CHECK: tensor.empty(%[[N]]) : tensor<2x?x32xf32>
func.func @heads(%x: tensor<?x64xf32>) -> tensor<2x?x32xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %dim = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%dim) : tensor<?x64xf32>
  %y = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<?x64xf32> into tensor<?xf32>
  %all = tensor.dim %flat, %c0 : tensor<?xf32>
  %n = arith.divsi %all, %c64 : index
  %h = tensor.expand_shape %flat [[0, 1, 2]] output_shape [%n, 2, 32] : tensor<?xf32> into tensor<?x2x32xf32>
  %m = tensor.dim %h, %c0 : tensor<?x2x32xf32>
  %to = tensor.empty(%m) : tensor<2x?x32xf32>
  %t = linalg.transpose ins(%h : tensor<?x2x32xf32>) outs(%to : tensor<2x?x32xf32>) permutation = [1, 0, 2]
  return %t : tensor<2x?x32xf32>
}

// What may leave a remainder, and sizes of two arguments that are no quotient, stay.
// CHECK-LABEL: func.func @rest
// CHECK: arith.divsi
func.func @rest(%x: tensor<?xf32>) -> index attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %q = arith.divsi %n, %c64 : index
  return %q : index
}

// Batches and tokens in one: the quotient by one of them is the other.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[T:.*]] = tensor.dim %arg0, %c1
// CHECK-NOT: arith.div
// CHECK: return %[[T]]
func.func @tokens(%x: tensor<?x?x64xf32>) -> index attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x64xf32> into tensor<?x64xf32>
  %n = tensor.dim %rows, %c0 : tensor<?x64xf32>
  %t = arith.divui %n, %b : index
  return %t : index
}

// Sizes that an op takes as one, and those of what is expanded, are equal; those of a product with another number are not known.
// CHECK-LABEL: func.func @equal
// CHECK-SAME: tt.equal_dims = ["x_d0=y_d0", "z_d0=x_d0"]
func.func @equal(%x: tensor<?x20x64xf32> {tt.name = "x"}, %y: tensor<?x64xf32> {tt.name = "y"}, %z: tensor<?x64xf32> {tt.name = "z"}, %w: tensor<?xf32> {tt.name = "w"}) -> (tensor<?x20x64xf32>, tensor<?x1x64xf32>) attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x20x64xf32>
  %e = tensor.empty(%n) : tensor<?x20x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %y : tensor<?x20x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x20x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x20x64xf32>
  %1 = tensor.expand_shape %z [[0, 1], [2]] output_shape [%n, 1, 64] : tensor<?x64xf32> into tensor<?x1x64xf32>
  %2 = tensor.expand_shape %w [[0, 1]] output_shape [%n, 64] : tensor<?xf32> into tensor<?x64xf32>
  return %0, %1 : tensor<?x20x64xf32>, tensor<?x1x64xf32>
}
