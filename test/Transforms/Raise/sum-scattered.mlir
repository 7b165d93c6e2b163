// RUN: tt-opt %s --tt-sum-scattered --split-input-file | FileCheck %s
// RUN: tt-opt %s --tt-raise-loops --tt-sum-scattered --split-input-file | FileCheck %s --check-prefix=ATOMIC

// A term goes to all indices, and is zero for all but one.
// CHECK-LABEL: func.func @histogram
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[L:.*]] = memref.load %arg0[%[[I]]]
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[N:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[N]], %[[L]] : i32
// CHECK: %[[T:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[OLD:.*]] = memref.load %arg1[%[[R]]]
// CHECK: %[[S:.*]] = arith.addi %[[OLD]], %[[T]] : i32
// CHECK: memref.store %[[S]], %arg1[%[[R]]]
func.func @histogram(%L: memref<70xi32>, %H: memref<16xi32>) attributes {tt.kernel} {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  scf.for %i = %c0 to %c70 step %c1 {
    %x = memref.load %L[%i] : memref<70xi32>
    %k = arith.index_cast %x : i32 to index
    %h = memref.load %H[%k] : memref<16xi32>
    %n = arith.addi %h, %one : i32
    memref.store %n, %H[%k] : memref<16xi32>
  }
  return
}

// -----

// What is no sum, of what the kernel reads as well, goes to all indices as a choice; a dimension of any size is left.
// CHECK-LABEL: func.func @scaled
// CHECK: scf.for %{{.*}} =
// CHECK: %[[L:.*]] = memref.load %arg0
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[N:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[N]], %[[L]] : i32
// CHECK: %[[OLD:.*]] = memref.load %arg1[%[[R]]]
// CHECK: %[[V:.*]] = arith.mulf %[[OLD]]
// CHECK: %[[C:.*]] = arith.select %[[IS]], %[[V]], %[[OLD]] : f32
// CHECK: memref.store %[[C]], %arg1[%[[R]]]
// CHECK-NOT: scf.for
// CHECK: memref.store %{{.*}}, %arg2
func.func @scaled(%L: memref<70xi32>, %H: memref<16xf32>, %D: memref<?xf32>) attributes {tt.kernel} {
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  scf.for %i = %c0 to %c70 step %c1 {
    %x = memref.load %L[%i] : memref<70xi32>
    %k = arith.index_cast %x : i32 to index
    %h = memref.load %H[%k] : memref<16xf32>
    %n = arith.mulf %h, %two : f32
    memref.store %n, %H[%k] : memref<16xf32>
    %d = memref.load %D[%k] : memref<?xf32>
    %e = arith.addf %d, %two : f32
    memref.store %e, %D[%k] : memref<?xf32>
  }
  return
}

// -----

// A rank that a loop counts is an index of the core's: the store goes to all, as a choice.
// CHECK-LABEL: func.func @ranked
// CHECK: %[[K:.*]] = scf.for {{.*}} -> (i32)
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[N:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK: arith.cmpi eq, %[[N]], %[[K]] : i32
// CHECK: arith.select
// CHECK: memref.store %{{.*}}, %arg1[%[[R]]]
func.func @ranked(%X: memref<16xf32>, %Y: memref<16xf32>) attributes {tt.kernel} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %X[%i] : memref<16xf32>
    %k = scf.for %j = %c0 to %c16 step %c1 iter_args(%n = %none) -> (i32) {
      %y = memref.load %X[%j] : memref<16xf32>
      %less = arith.cmpf olt, %y, %x : f32
      %m = arith.addi %n, %one : i32
      %s = arith.select %less, %m, %n : i32
      scf.yield %s : i32
    }
    %at = arith.index_cast %k : i32 to index
    memref.store %x, %Y[%at] : memref<16xf32>
  }
  return
}

// -----

// Atomic sums of many threads go on one after the other.
// ATOMIC-LABEL: func.func @atomic
// ATOMIC-NOT: scf.forall
// ATOMIC-NOT: memref.atomic_rmw
// ATOMIC-COUNT-3: scf.for
// ATOMIC: arith.maxsi
// ATOMIC: memref.store
func.func @atomic(%L: memref<3x40xi32>, %H: memref<16xi32>) attributes {tt.kernel} {
  affine.parallel (%b, %t) = (0, 0) to (3, 40) {
    %x = memref.load %L[%b, %t] : memref<3x40xi32>
    %k = arith.index_cast %x : i32 to index
    %o = memref.atomic_rmw maxs %x, %H[%k] : (i32, memref<16xi32>) -> i32
  }
  return
}

// -----

// What another tensor has at that index of a row is taken of all indices.
// CHECK-LABEL: func.func @penalty
// CHECK: %[[L:.*]] = memref.load %arg1[%[[I:.*]], %[[K:.*]]]
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[N:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[N]], %[[L]] : i32
// CHECK: %[[OLD:.*]] = memref.load %arg2[%[[I]], %[[R]]]
// CHECK: %[[X:.*]] = memref.load %arg0[%[[I]], %[[R]]]
// CHECK: %[[NEW:.*]] = arith.mulf %[[X]], %
// CHECK: %[[S:.*]] = arith.select %[[IS]], %[[NEW]], %[[OLD]]
// CHECK: memref.store %[[S]], %arg2[%[[I]], %[[R]]]
func.func @penalty(%X: memref<6x100xf32>, %L: memref<6x8xi32>, %Y: memref<6x100xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %l = memref.load %L[%i, %j] : memref<6x8xi32>
      %k = arith.index_cast %l : i32 to index
      %x = memref.load %X[%i, %k] : memref<6x100xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %Y[%i, %k] : memref<6x100xf32>
    }
  }
  return
}

// -----

// A tensor that has fewer of them is not read outside.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: arith.cmpi
func.func @narrow(%X: memref<6x90xf32>, %L: memref<6x8xi32>, %Y: memref<6x100xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %l = memref.load %L[%i, %j] : memref<6x8xi32>
      %k = arith.index_cast %l : i32 to index
      %x = memref.load %X[%i, %k] : memref<6x90xf32>
      memref.store %x, %Y[%i, %k] : memref<6x100xf32>
    }
  }
  return
}

// -----

// Nor is a row whose place a list says: that is an offset.
// CHECK-LABEL: func.func @page
// CHECK-NOT: arith.cmpi
func.func @page(%X: memref<100x40xf32>, %L: memref<8xi32>, %Y: memref<100x40xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %l = memref.load %L[%i] : memref<8xi32>
    %k = arith.index_cast %l : i32 to index
    scf.for %j = %c0 to %c40 step %c1 {
      %x = memref.load %X[%k, %j] : memref<100x40xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %Y[%k, %j] : memref<100x40xf32>
    }
  }
  return
}
