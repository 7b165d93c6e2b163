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

// Floats become integers of 32 bits: sums of flags, and of what is multiplied with them.
// CHECK-LABEL: func.func @places
// CHECK: %[[N:.*]] = arith.fptosi %{{.*}} : f32 to i32
// CHECK-NEXT: arith.extsi %[[N]] : i32 to i64
func.func @places(%x: tensor<40x40xf32>) -> tensor<40xi64> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x40xf32>
  %flags = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x40xf32>) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.cmpf ogt, %a, %zero : f32
    %f = arith.uitofp %c : i1 to f32
    linalg.yield %f : f32
  } -> tensor<40x40xf32>
  %e1 = tensor.empty() : tensor<40xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<40xf32>) -> tensor<40xf32>
  %s = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]} ins(%flags, %flags : tensor<40x40xf32>, tensor<40x40xf32>) outs(%z : tensor<40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %d = arith.addf %o, %p : f32
    linalg.yield %d : f32
  } -> tensor<40xf32>
  %n = tensor.empty() : tensor<40xi64>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%s : tensor<40xf32>) outs(%n : tensor<40xi64>) {
  ^bb0(%a: f32, %o: i64):
    %l = arith.fptosi %a : f32 to i64
    linalg.yield %l : i64
  } -> tensor<40xi64>
  return %r : tensor<40xi64>
}

// A largest element, of a constant and of an argument of which a range is given.
// CHECK-LABEL: func.func @largest
// CHECK: arith.fptosi %{{.*}} : f32 to i32
func.func @largest(%x: tensor<2x4xf32> {tt.range = [-5, 5]}) -> tensor<2xi64> attributes {tt.model} {
  %c = arith.constant dense<[1.5, 2.5, 1.0e+06, -3.0]> : tensor<4xf32>
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2xf32>
  %z = linalg.fill ins(%least : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %s = linalg.generic {indexing_maps = [#all, #col, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %c : tensor<2x4xf32>, tensor<4xf32>) outs(%z : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %d = arith.maximumf %o, %p : f32
    linalg.yield %d : f32
  } -> tensor<2xf32>
  %n = tensor.empty() : tensor<2xi64>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%s : tensor<2xf32>) outs(%n : tensor<2xi64>) {
  ^bb0(%a: f32, %o: i64):
    %l = arith.fptosi %a : f32 to i64
    linalg.yield %l : i64
  } -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// A sum may be larger than what 32 bits hold, and so may a number that is not known, or that is rounded up: of f32, the
// largest i32 is one more.
// CHECK-LABEL: func.func @too_large
// CHECK-COUNT-3: arith.fptosi %{{.*}} : f32 to i64
func.func @too_large(%x: tensor<8x40xf32> {tt.range = [0, 60000000]}, %y: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x40xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.addf %o, %a : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %n = tensor.empty() : tensor<8xi64>
  %r:3 = linalg.generic {indexing_maps = [#one, #one, #one, #one, #one, #one], iterator_types = ["parallel"]} ins(%s, %y, %i : tensor<8xf32>, tensor<8xf32>, tensor<8xi32>) outs(%n, %n, %n : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: i64, %o1: i64, %o2: i64):
    %l = arith.fptosi %a : f32 to i64
    %m = arith.fptosi %b : f32 to i64
    %f = arith.sitofp %c : i32 to f32
    %k = arith.fptosi %f : f32 to i64
    linalg.yield %l, %m, %k : i64, i64, i64
  } -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
  return %r#0, %r#1, %r#2 : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}
