// Parallel loops over elements: a cell takes a block; of four dimensions the outer ones are one.
// POINTS: scf.forall (%[[X:.*]], %[[I:.*]], %[[J:.*]]) = (0, 0, 0) to (6, 64, 100) step (1, 32, 32)
// POINTS: %[[A:.*]] = arith.divui %[[X]], %c3
// POINTS: %[[B:.*]] = arith.remui %[[X]], %c3
// POINTS: %[[N:.*]] = affine.min #{{.*}}(%[[J]])
// POINTS: scf.for %[[K:.*]] = %c0{{.*}} to %c32
// POINTS: %[[ROW:.*]] = arith.addi %[[I]], %[[K]]
// POINTS: scf.for %[[L:.*]] = %c0{{.*}} to %[[N]]
// POINTS: %[[COL:.*]] = arith.addi %[[J]], %[[L]]
// POINTS: memref.store %{{.*}}, %{{.*}}[%[[A]], %[[B]], %[[ROW]], %[[COL]]]
func.func @points(%C: memref<2x3x64x100xf32>, %x: f32) attributes {tt.kernel} {
  scf.forall (%a, %b, %i, %j) in (2, 3, 64, 100) {
    memref.store %x, %C[%a, %b, %i, %j] : memref<2x3x64x100xf32>
  }
  return
}
