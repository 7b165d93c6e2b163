// RUN: tt-opt --tt-fill-pads %s | FileCheck %s
// CHECK-LABEL: func.func @padded
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%cst : f32) outs(%{{.*}} : tensor<18x34x64xf32>)
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<16x32x64xf32>)
// CHECK: tensor.insert_slice %[[C]] into %[[F]][1, 1, 0] [16, 32, 64] [1, 1, 1]
// CHECK-NOT: tensor.pad
func.func @padded(%x: tensor<16x32x64xf32>) -> tensor<18x34x64xf32> attributes {tt.model} {
  %cst = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %cst : f32
  } : tensor<16x32x64xf32> to tensor<18x34x64xf32>
  return %p : tensor<18x34x64xf32>
}

// What depends on the place is no fill.
// CHECK-LABEL: func.func @ramp
// CHECK: tensor.pad
func.func @ramp(%x: tensor<16xf32>) -> tensor<18xf32> attributes {tt.model} {
  %p = tensor.pad %x low[1] high[1] {
    ^bb0(%i: index):
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      tensor.yield %f : f32
  } : tensor<16xf32> to tensor<18xf32>
  return %p : tensor<18xf32>
}

// A part that is put somewhere, or is a result, is copied by an op.
// CHECK-LABEL: func.func @parts
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf32>)
// CHECK: tensor.insert_slice %[[P]] into
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<4x8xf32>)
// CHECK: return %{{.*}}, %[[R]]
func.func @parts(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) attributes {tt.model} {
  %i = tensor.insert_slice %x into %y[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %s = tensor.extract_slice %y[4, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  return %i, %s : tensor<8x8xf32>, tensor<4x8xf32>
}

// What is computed before the tensor into which it goes is copied behind that; what is computed behind it can be written there.
// CHECK-LABEL: func.func @behind
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<4x8xf32>)
// CHECK: %[[FIRST:.*]] = tensor.insert_slice
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<4x8xf32>)
// CHECK: %[[BOTH:.*]] = tensor.insert_slice %[[COPY]] into %[[FIRST]][1, 0]
// CHECK: %[[LAST:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<4x8xf32>)
// CHECK: tensor.insert_slice %[[LAST]] into %[[BOTH]][5, 0]
#row = affine_map<(i, j) -> (i, j)>
func.func @behind(%class: tensor<1x8xf32>, %x: tensor<4x8xf32>) -> tensor<9x8xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<4x8xf32>
  %all = tensor.empty() : tensor<9x8xf32>
  %rows = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %old: f32):
      %r = arith.negf %a : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %first = tensor.insert_slice %class into %all[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<9x8xf32>
  %both = tensor.insert_slice %rows into %first[1, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<9x8xf32>
  %more = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %old: f32):
      %r = math.absf %a : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %last = tensor.insert_slice %more into %both[5, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<9x8xf32>
  return %last : tensor<9x8xf32>
}

// What is before the tensor may be a constant value, as upstream makes it of tosa.pad.
// CHECK-LABEL: func.func @constants
// CHECK-NOT: tensor.pad
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [32, 64] [1, 1]
func.func @constants(%x: tensor<32x64xf32>) -> tensor<34x64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %p = tensor.pad %x low[%one, %none] high[%one, %none] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<32x64xf32> to tensor<34x64xf32>
  return %p : tensor<34x64xf32>
}

// A size that is not padded may be open.
// CHECK-LABEL: func.func @batches
// CHECK-DAG: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?x32x64xf32>
// CHECK: tensor.empty(%{{.*}}) : tensor<?x34x64xf32>
// CHECK-NOT: tensor.pad
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1, 0] [%{{.*}}, 32, 64] [1, 1, 1]
func.func @batches(%x: tensor<?x32x64xf32>) -> tensor<?x34x64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%h: index, %i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x32x64xf32> to tensor<?x34x64xf32>
  return %p : tensor<?x34x64xf32>
}

// One that is, is left to the op that refuses it.
// CHECK-LABEL: func.func @longer
// CHECK: tensor.pad
func.func @longer(%x: tensor<?x64xf32>) -> tensor<?x64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x64xf32> to tensor<?x64xf32>
  return %p : tensor<?x64xf32>
}
