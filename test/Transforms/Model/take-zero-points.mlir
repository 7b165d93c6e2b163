// RUN: tt-opt --tt-take-zero-points %s | FileCheck %s

// What is stored is multiplied, and the sums of the other operand are taken off, K times both are put back.
// CHECK-DAG: #[[COLS:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @product
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<8x16xi8>, tensor<16x4xi8>)
// CHECK-NOT: subi
// CHECK: arith.muli
// CHECK: %[[SX:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<8x16xi8>) outs({{.*}} : tensor<8xi32>)
// CHECK: %[[SW:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<16x4xi8>) outs({{.*}} : tensor<4xi32>)
// CHECK: arith.constant -336 : i32
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[ROWS]], #[[COLS]], {{.*}}]{{.*}} ins(%[[P]], %[[SX]], %[[SW]] :
#x = affine_map<(i, j, k) -> (i, k)>
#w = affine_map<(i, j, k) -> (k, j)>
#n = affine_map<(i, j, k) -> ()>
#y = affine_map<(i, j, k) -> (i, j)>
func.func @product(%x: tensor<8x16xi8>, %w: tensor<16x4xi8>, %o: tensor<8x4xi32>) -> tensor<8x4xi32> attributes {tt.model} {
  %a = arith.constant 3 : i32
  %b = arith.constant -7 : i32
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #n, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %a, %b : tensor<8x16xi8>, tensor<16x4xi8>, i32, i32) outs(%o : tensor<8x4xi32>) {
    ^bb0(%p: i8, %q: i8, %za: i32, %zb: i32, %c: i32):
      %pe = arith.extsi %p : i8 to i32
      %ps = arith.subi %pe, %za : i32
      %qe = arith.extsi %q : i8 to i32
      %qs = arith.subi %qe, %zb : i32
      %m = arith.muli %ps, %qs : i32
      %s = arith.addi %c, %m : i32
      linalg.yield %s : i32
  } -> tensor<8x4xi32>
  return %r : tensor<8x4xi32>
}

// Without one for x, of which sums of w would be multiplied, those are not taken.
// CHECK-LABEL: @one
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
func.func @one(%x: tensor<8x16xi8>, %w: tensor<16x4xi8>, %o: tensor<8x4xi32>) -> tensor<8x4xi32> attributes {tt.model} {
  %b = arith.constant 9 : i32
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x16xi8>, tensor<16x4xi8>) outs(%o : tensor<8x4xi32>) {
    ^bb0(%p: i8, %q: i8, %c: i32):
      %pe = arith.extsi %p : i8 to i32
      %qe = arith.extsi %q : i8 to i32
      %qs = arith.subi %qe, %b : i32
      %m = arith.muli %pe, %qs : i32
      %s = arith.addi %c, %m : i32
      linalg.yield %s : i32
  } -> tensor<8x4xi32>
  return %r : tensor<8x4xi32>
}
