// RUN: tt-opt %s --tt-raise-loops | FileCheck %s

// What steps with one value of a variable store alone is a grid of its own.
// CHECK-LABEL: func.func @alone
// CHECK: scf.forall {{.*}} = (0, 0) to (64, 96) step (32, 32)
// CHECK: memref.store %{{.*}}, %arg2[
// CHECK-NOT: %arg1
// CHECK: scf.forall {{.*}} = (0, 3) to (64, 4)
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %arg1[
func.func @alone(%X: memref<64x96xf32>, %Y: memref<64xf32>, %Z: memref<64x96xf32>)
    attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c3 = arith.constant 3 : index
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    %w = math.exp %v : f32
    memref.store %w, %Z[%i, %j] : memref<64x96xf32>
    %b = arith.cmpi eq, %j, %c3 : index
    scf.if %b {
      memref.store %v, %Y[%i] : memref<64xf32>
    }
  }
  return
}

// It may load what the rest has stored: its grid is behind. It is before where the rest stores
// behind it, and stays where the rest does both.
// CHECK-LABEL: func.func @loads
// CHECK: scf.forall
// CHECK-NOT: scf.if
// CHECK: scf.forall {{.*}} = (0, 3) to (64, 4)
// CHECK: memref.load %arg2[
// CHECK: memref.store %{{.*}}, %arg1[
func.func @loads(%X: memref<64x96xf32>, %Y: memref<64xf32>, %Z: memref<64x96xf32>)
    attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c3 = arith.constant 3 : index
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    memref.store %v, %Z[%i, %j] : memref<64x96xf32>
    %b = arith.cmpi eq, %j, %c3 : index
    scf.if %b {
      %z = memref.load %Z[%i, %j] : memref<64x96xf32>
      memref.store %z, %Y[%i] : memref<64xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @ahead
// CHECK: scf.forall {{.*}} = (0, 3) to (64, 4)
// CHECK: memref.load %arg2[
// CHECK: memref.store %{{.*}}, %arg1[
// CHECK: scf.forall {{.*}} = (0, 0) to (64, 96)
// CHECK-NOT: scf.if
func.func @ahead(%X: memref<64x96xf32>, %Y: memref<64xf32>, %Z: memref<64x96xf32>)
    attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c3 = arith.constant 3 : index
    %b = arith.cmpi eq, %j, %c3 : index
    scf.if %b {
      %z = memref.load %Z[%i, %j] : memref<64x96xf32>
      memref.store %z, %Y[%i] : memref<64xf32>
    }
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    memref.store %v, %Z[%i, %j] : memref<64x96xf32>
  }
  return
}

// CHECK-LABEL: func.func @between
// CHECK: scf.forall
// CHECK: scf.if
// CHECK-NOT: scf.forall
func.func @between(%X: memref<64x96xf32>, %Y: memref<64xf32>, %Z: memref<64x96xf32>)
    attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c3 = arith.constant 3 : index
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    memref.store %v, %Z[%i, %j] : memref<64x96xf32>
    %b = arith.cmpi eq, %j, %c3 : index
    scf.if %b {
      %z = memref.load %Z[%i, %j] : memref<64x96xf32>
      memref.store %z, %Y[%i] : memref<64xf32>
    }
    %w = math.exp %v : f32
    memref.store %w, %Z[%i, %j] : memref<64x96xf32>
  }
  return
}

// Where the variable tells by itself where is stored to, nothing is to be gained.
// CHECK-LABEL: func.func @tells
// CHECK: scf.forall
// CHECK: scf.if
// CHECK-NOT: scf.forall
func.func @tells(%X: memref<64x96xf32>, %Y: memref<64x96xf32>) attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c3 = arith.constant 3 : index
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    %b = arith.cmpi eq, %j, %c3 : index
    scf.if %b {
      memref.store %v, %Y[%i, %j] : memref<64x96xf32>
    }
  }
  return
}

// A step that an open size may not have.
// CHECK-LABEL: func.func @open
// CHECK: scf.forall
// CHECK: scf.if
// CHECK-NOT: scf.forall
func.func @open(%X: memref<64x?xf32>, %Y: memref<64xf32>, %Z: memref<64x?xf32>)
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %X, %c1 : memref<64x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %n) step (%c1, %c1) {
    %v = memref.load %X[%i, %j] : memref<64x?xf32>
    memref.store %v, %Z[%i, %j] : memref<64x?xf32>
    %b = arith.cmpi eq, %j, %c3 : index
    scf.if %b {
      memref.store %v, %Y[%i] : memref<64xf32>
    }
  }
  return
}

// What moves a tensor's elements, and reads them then, is two grids.
// CHECK-LABEL: func.func @moves
// CHECK: scf.forall
// CHECK-NOT: %arg1[
// CHECK: scf.forall
// CHECK-NOT: memref.store %{{.*}}, %arg0[
// CHECK: memref.store %{{.*}}, %arg1[
func.func @moves(%S: memref<64x4xf32>, %Y: memref<64xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    affine.for %i = 0 to 3 {
      %v = affine.load %S[%d, %i + 1] : memref<64x4xf32>
      affine.store %v, %S[%d, %i] : memref<64x4xf32>
    }
    %x = affine.load %S[%d, 0] : memref<64x4xf32>
    affine.store %x, %Y[%d] : memref<64xf32>
  }
  return
}

// What it has read before goes on behind it: there is no order of two grids that does.
// CHECK-LABEL: func.func @keeps
// CHECK: scf.forall
// CHECK-NOT: scf.forall
func.func @keeps(%S: memref<64x4xf32>, %Y: memref<64xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    %first = affine.load %S[%d, 0] : memref<64x4xf32>
    affine.for %i = 0 to 3 {
      %v = affine.load %S[%d, %i + 1] : memref<64x4xf32>
      affine.store %v, %S[%d, %i] : memref<64x4xf32>
    }
    %x = affine.load %S[%d, 0] : memref<64x4xf32>
    %s = arith.subf %x, %first : f32
    affine.store %s, %Y[%d] : memref<64xf32>
  }
  return
}
