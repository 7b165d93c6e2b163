// RUN: tt-opt %s --tt-raise-loops --tt-copy-before --split-input-file | FileCheck %s

// What moves up by one reads a copy.
// CHECK-LABEL: func.func @up
// CHECK: %[[P:.*]] = memref.alloc() : memref<64x3xf32>
// CHECK: scf.forall
// CHECK: %[[X:.*]] = memref.load %arg0
// CHECK: memref.store %[[X]], %[[P]]
// CHECK: scf.forall
// CHECK: %[[Y:.*]] = memref.load %[[P]]
// CHECK: memref.store %[[Y]], %arg0
func.func @up(%S: memref<64x3xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    affine.for %i = 0 to 2 {
      %x = affine.load %S[%d, %i + 1] : memref<64x3xf32>
      affine.store %x, %S[%d, %i] : memref<64x3xf32>
    }
  }
  return
}

// -----

// What moves down sees what steps before have written: no copy.
// CHECK-LABEL: func.func @down
// CHECK-NOT: memref.alloc
func.func @down(%S: memref<64x3xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    affine.for %i = 0 to 2 {
      %x = affine.load %S[%d, %i] : memref<64x3xf32>
      affine.store %x, %S[%d, %i + 1] : memref<64x3xf32>
    }
  }
  return
}

// -----

// Cells would read what others write: that is a race, and stays one.
// CHECK-LABEL: func.func @race
// CHECK-NOT: memref.alloc
func.func @race(%S: memref<64x32xf32>) attributes {tt.kernel} {
  affine.parallel (%d, %j) = (0, 0) to (63, 32) {
    %x = affine.load %S[%d + 1, %j] : memref<64x32xf32>
    affine.store %x, %S[%d, %j] : memref<64x32xf32>
  }
  return
}

// -----

// Rows that each round reads again, which the round before has written: no copy.
// CHECK-LABEL: func.func @rounds
// CHECK-NOT: memref.alloc
func.func @rounds(%S: memref<64x3xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    affine.for %round = 0 to 2 {
      affine.for %i = 0 to 2 {
        %x = affine.load %S[%d, %i + 1] : memref<64x3xf32>
        affine.store %x, %S[%d, %i] : memref<64x3xf32>
      }
    }
  }
  return
}

// -----

// The first column is written, and read after that: no copy.
// CHECK-LABEL: func.func @after
// CHECK-NOT: memref.alloc
func.func @after(%S: memref<64x3xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    %x = affine.load %S[%d, 1] : memref<64x3xf32>
    affine.store %x, %S[%d, 0] : memref<64x3xf32>
    %y = affine.load %S[%d, 0] : memref<64x3xf32>
    affine.store %y, %S[%d, 2] : memref<64x3xf32>
  }
  return
}

// -----

// Halves that are exchanged lie side by side, in whole faces: data movement needs no copy.
// CHECK-LABEL: func.func @halves
// CHECK-NOT: memref.alloc
func.func @halves(%S: memref<64x64xf32>) attributes {tt.kernel} {
  affine.parallel (%d, %j) = (0, 0) to (64, 32) {
    %x = affine.load %S[%d, %j] : memref<64x64xf32>
    %y = affine.load %S[%d, %j + 32] : memref<64x64xf32>
    affine.store %y, %S[%d, %j] : memref<64x64xf32>
    affine.store %x, %S[%d, %j + 32] : memref<64x64xf32>
  }
  return
}

// -----

// Pairs side by side that turn each other, in place: a step writes between what others read, but never that.
// CHECK-LABEL: func.func @pairs
// CHECK: memref.alloc
func.func @pairs(%S: memref<64x32xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    affine.for %i = 0 to 16 {
      %x = affine.load %S[%d, %i * 2] : memref<64x32xf32>
      %y = affine.load %S[%d, %i * 2 + 1] : memref<64x32xf32>
      affine.store %y, %S[%d, %i * 2] : memref<64x32xf32>
      affine.store %x, %S[%d, %i * 2 + 1] : memref<64x32xf32>
    }
  }
  return
}

// -----

// Of three that follow each other two meet in another step: no copy.
// CHECK-LABEL: func.func @threes
// CHECK-NOT: memref.alloc
func.func @threes(%S: memref<64x65xf32>) attributes {tt.kernel} {
  affine.parallel (%d) = (0) to (64) {
    affine.for %i = 0 to 16 {
      %x = affine.load %S[%d, %i * 2] : memref<64x65xf32>
      affine.store %x, %S[%d, %i * 2 + 2] : memref<64x65xf32>
    }
  }
  return
}

// -----

// Eight columns a cell, column by column: a read takes those of two cells. Of sixteen it takes no
// others.
// CHECK-LABEL: func.func @eights
// CHECK: memref.alloc
func.func @eights(%S: memref<64x64xf32>, %V: memref<64xf32>) attributes {tt.kernel} {
  affine.parallel (%d, %b, %i) = (0, 0, 0) to (64, 8, 8) {
    %x = affine.load %S[%d, %b * 8 + %i] : memref<64x64xf32>
    %v = affine.load %V[%d] : memref<64xf32>
    %y = arith.mulf %x, %v : f32
    affine.store %y, %S[%d, %b * 8 + %i] : memref<64x64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @sixteens
// CHECK-NOT: memref.alloc
func.func @sixteens(%S: memref<64x64xf32>, %V: memref<64xf32>) attributes {tt.kernel} {
  affine.parallel (%d, %b, %i) = (0, 0, 0) to (64, 4, 16) {
    %x = affine.load %S[%d, %b * 16 + %i] : memref<64x64xf32>
    %v = affine.load %V[%d] : memref<64xf32>
    %y = arith.mulf %x, %v : f32
    affine.store %y, %S[%d, %b * 16 + %i] : memref<64x64xf32>
  }
  return
}
