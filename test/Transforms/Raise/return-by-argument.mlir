// RUN: tt-opt %s --tt-return-by-argument --split-input-file --verify-diagnostics | FileCheck %s

// An allocation that is returned becomes an argument, with its layout; an argument that is returned was
// updated in place; anything else is copied.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: memref<64x?xf32>, %[[X:.*]]: memref<8x4xf32> {tt.name = "result"}, %[[T:.*]]: memref<64x?xf32> {tt.layout = {memory = "L1"}, tt.name = "result0"}, %[[V:.*]]: memref<32xf32> {tt.name = "result2"})
// CHECK-SAME: attributes {tt.equal_dims = ["arg0_d1=result0_d1"], tt.host}
// CHECK-NOT: memref.alloc
// CHECK: call @k(%[[A]], %[[T]])
// CHECK: %[[C:.*]] = memref.collapse_shape %[[X]]
// CHECK: memref.copy %[[C]], %[[V]]
// CHECK-NEXT: return{{$}}
func.func private @k(memref<64x?xf32>, memref<64x?xf32>)
func.func @f(%A: memref<64x?xf32>, %X: memref<8x4xf32> {tt.name = "result"}) -> (memref<64x?xf32> {tt.name = "gone"}, memref<8x4xf32>, memref<32xf32>) attributes {tt.host} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<64x?xf32>
  %t = memref.alloc(%n) {tt.layout = {memory = "L1"}} : memref<64x?xf32>
  call @k(%A, %t) : (memref<64x?xf32>, memref<64x?xf32>) -> ()
  %v = memref.collapse_shape %X [[0, 1]] : memref<8x4xf32> into memref<32xf32>
  return %t, %X, %v : memref<64x?xf32>, memref<8x4xf32>, memref<32xf32>
}

// -----
func.func @f(%n: index) -> memref<?xf32> attributes {tt.host} {
  %t = memref.alloc(%n) : memref<?xf32>
  // expected-error @below {{dimension 0 of what is returned is no dynamic size of an argument (memref.dim), so that nobody knows how large a file it needs; give its tensor as an argument that is written}}
  return %t : memref<?xf32>
}

// -----
func.func @f(%n: index) -> index attributes {tt.host} {
  // expected-error @below {{a host function returns a number, which no file holds; return a tensor of one element}}
  return %n : index
}
