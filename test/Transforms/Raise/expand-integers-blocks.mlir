// Places of elements are known by the blocks that they are in: numbers of blocks, and blocks that end with their tensor.
// RUN: tt-opt --tt-expand-integers -split-input-file -verify-diagnostics %s | FileCheck %s
#begin = affine_map<(d0) -> (d0 * 32)>
#size = affine_map<(d0) -> (d0 * -32 + 40, 32)>
#m = affine_map<(d0, d1) -> (d0, d1)>
#place = affine_map<(d0)[s0] -> (d0 * 32 + s0)>

// Distances of two places, of 40 each.
// CHECK-LABEL: func.func @distances
// CHECK: arith.subi %{{.*}} : i64
// CHECK: math.absi %{{.*}} : i32
// CHECK: arith.minsi %{{.*}} : i32
func.func @distances(%y: memref<40x40xi64> {tt.name = "y"}) attributes {tt.kernel} {
  %most = arith.constant 15 : i64
  scf.forall (%i, %j) in (2, 2) {
    %r = affine.apply #begin(%i)
    %c = affine.apply #begin(%j)
    %rows = affine.min #size(%i)
    %cols = affine.min #size(%j)
    %b = memref.subview %y[%r, %c] [%rows, %cols] [1, 1] : memref<40x40xi64> to memref<?x?xi64, strided<[40, 1], offset: ?>>
    linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%b : memref<?x?xi64, strided<[40, 1], offset: ?>>) {
    ^bb0(%o: i64):
      %0 = linalg.index 0 : index
      %1 = affine.apply #place(%i)[%0]
      %2 = linalg.index 1 : index
      %3 = affine.apply #place(%j)[%2]
      %4 = arith.index_cast %1 : index to i64
      %5 = arith.index_cast %3 : index to i64
      %6 = arith.subi %5, %4 : i64
      %7 = math.absi %6 : i64
      %8 = arith.minsi %7, %most : i64
      linalg.yield %8 : i64
    }
  }
  return
}

// -----

#begin = affine_map<(d0) -> (d0 * 32)>
#m = affine_map<(d0, d1) -> (d0, d1)>
#place = affine_map<(d0)[s0] -> (d0 * 32 + s0)>

// How many blocks there are is not known: a product of two places may be too large.
func.func @open(%y: memref<?x32xi64> {tt.name = "y"}, %n: index) attributes {tt.kernel} {
  scf.forall (%i) in (%n) {
    %r = affine.apply #begin(%i)
    %b = memref.subview %y[%r, 0] [32, 32] [1, 1] : memref<?x32xi64> to memref<32x32xi64, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%b : memref<32x32xi64, strided<[32, 1], offset: ?>>) {
    ^bb0(%o: i64):
      %0 = linalg.index 0 : index
      %1 = affine.apply #place(%i)[%0]
      %2 = arith.index_cast %1 : index to i64
      // expected-error @+1 {{what arith.muli of 64 bits gives may need more than 32, which the device has}}
      %3 = arith.muli %2, %2 : i64
      linalg.yield %3 : i64
    }
  }
  return
}
