// RUN: tt-opt %s --tt-part-joined | FileCheck %s

// Quotient and rest by one factor of the extent: two dimensions.
// CHECK-LABEL: func.func @elements
// CHECK: %[[ROWS:.*]] = memref.dim %arg0, %c0
// CHECK: %[[COLS:.*]] = memref.dim %arg0, %c1
// CHECK: scf.parallel (%[[R:.*]], %[[C:.*]]) = (%c0, %c0) to (%[[ROWS]], %[[COLS]])
// CHECK: memref.store %{{.*}}, %arg1[%[[R]], %[[C]]]
func.func @elements(%X: memref<?x?xf32>, %Y: memref<?x?xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %X, %c0 : memref<?x?xf32>
  %cols = memref.dim %X, %c1 : memref<?x?xf32>
  %n = arith.muli %rows, %cols : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = arith.divui %i, %cols : index
    %c = arith.remui %i, %cols : index
    %x = memref.load %X[%r, %c] : memref<?x?xf32>
    memref.store %x, %Y[%r, %c] : memref<?x?xf32>
  }
  return
}

// The other factor, and affine maps; the first one goes round first.
// CHECK-LABEL: func.func @turned
// CHECK: %[[ROWS:.*]] = memref.dim %arg0, %c0
// CHECK: %[[COLS:.*]] = memref.dim %arg0, %c1
// CHECK: scf.parallel (%[[C:.*]], %[[R:.*]]) = (%{{.*}}, %{{.*}}) to (%[[COLS]], %[[ROWS]])
// CHECK: memref.store %{{.*}}, %arg1[%[[R]], %[[C]]]
func.func @turned(%X: memref<?x?xf32>, %Y: memref<?x?xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %X, %c0 : memref<?x?xf32>
  %cols = memref.dim %X, %c1 : memref<?x?xf32>
  %n = affine.apply affine_map<()[a, b] -> (a * b)>()[%rows, %cols]
  scf.forall (%i) in (%n) {
    %c = affine.apply affine_map<(i)[a] -> (i floordiv a)>(%i)[%rows]
    %r = affine.apply affine_map<(i)[a] -> (i mod a)>(%i)[%rows]
    %x = memref.load %X[%r, %c] : memref<?x?xf32>
    memref.store %x, %Y[%r, %c] : memref<?x?xf32>
  }
  return
}

// Three sizes.
// CHECK-LABEL: func.func @three
// CHECK: scf.parallel (%[[A:.*]], %[[B:.*]], %[[C:.*]]) =
// CHECK-NOT: arith.divui
// CHECK: memref.store %{{.*}}, %arg1[%[[A]], %[[B]], %[[C]]]
func.func @three(%X: memref<?x?x?xf32>, %Y: memref<?x?x?xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.dim %X, %c0 : memref<?x?x?xf32>
  %b = memref.dim %X, %c1 : memref<?x?x?xf32>
  %c = memref.dim %X, %c2 : memref<?x?x?xf32>
  %ab = arith.muli %a, %b : index
  %n = arith.muli %ab, %c : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %ij = arith.divui %i, %c : index
    %z = arith.remui %i, %c : index
    %x = arith.divui %ij, %b : index
    %y = arith.remui %ij, %b : index
    %v = memref.load %X[%x, %y, %z] : memref<?x?x?xf32>
    memref.store %v, %Y[%x, %y, %z] : memref<?x?x?xf32>
  }
  return
}

// The variable itself, another divisor, a multiple of one: nothing is known of these.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: scf.parallel (%{{[a-z0-9]*}}) =
func.func @others(%X: memref<?x?xf32>, %L: memref<?xf32>, %Y: memref<?x?xf32>)
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %X, %c0 : memref<?x?xf32>
  %cols = memref.dim %X, %c1 : memref<?x?xf32>
  %length = memref.dim %L, %c0 : memref<?xf32>
  %n = arith.muli %rows, %cols : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = arith.divui %i, %cols : index
    %c = arith.remui %i, %cols : index
    %x = memref.load %L[%i] : memref<?xf32>
    memref.store %x, %Y[%r, %c] : memref<?x?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = arith.divui %i, %length : index
    %c = arith.remui %i, %length : index
    %x = memref.load %X[%r, %c] : memref<?x?xf32>
    memref.store %x, %Y[%r, %c] : memref<?x?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = affine.apply affine_map<(i)[a] -> (i floordiv (a * 2))>(%i)[%cols]
    %x = memref.load %X[%r, %c0] : memref<?x?xf32>
    memref.store %x, %Y[%r, %c0] : memref<?x?xf32>
  }
  return
}
