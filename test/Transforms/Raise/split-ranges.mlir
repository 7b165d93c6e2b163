// Loops are cut where their indices, or branches that store, change their form.
// RUN: tt-opt %s --tt-raise-loops --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @around
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c31
// CHECK: affine.apply {{.*}}(%[[I]])
// CHECK: scf.for %{{.*}} = %{{.*}} to %c9
func.func @around(%X: memref<40xf32>, %Y: memref<40xf32>) attributes {tt.kernel} {
  affine.for %i = 0 to 40 {
    %x = affine.load %X[(%i + 9) mod 40] : memref<40xf32>
    affine.store %x, %Y[%i] : memref<40xf32>
  }
  return
}

// -----

// Floats that say where an element is are gone.
// CHECK-LABEL: func.func @larger
// CHECK-NOT: sitofp
// CHECK: memref.load
// CHECK-NOT: sitofp
func.func @larger(%X: memref<16xf32>, %Y: memref<32xf32>) attributes {tt.kernel} {
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 32 {
    %v = arith.index_cast %i : index to i32
    %f = arith.sitofp %v : i32 to f32
    %h = arith.mulf %f, %half : f32
    %k = arith.fptosi %h : f32 to i32
    %r = arith.index_cast %k : i32 to index
    %x = memref.load %X[%r] : memref<16xf32>
    affine.store %x, %Y[%i] : memref<32xf32>
  }
  return
}

// -----

// The steps that store, and the last one, which goes on with what they carry.
// CHECK-LABEL: func.func @last
// CHECK: %[[S:.*]] = scf.for %{{.*}} = %{{.*}} to %c7
// CHECK: memref.store
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[S]])
// CHECK-NOT: memref.store %{{.*}}, %arg1
// CHECK: memref.store %{{.*}}, %arg2
func.func @last(%X: memref<8xf32>, %Y: memref<8xf32>, %F: memref<1xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %c = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (f32) {
    %n = memref.load %X[%c] : memref<8xf32>
    %q = arith.addf %s, %n : f32
    %next = arith.addi %c, %c1 : index
    %in = arith.cmpi slt, %next, %c8 : index
    scf.if %in {
      memref.store %q, %Y[%next] : memref<8xf32>
    }
    scf.yield %q : f32
  }
  memref.store %r, %F[%c0] : memref<1xf32>
  return
}

// -----

// Behind a cut the index is one of a sum, and is cut again; a clamped start goes before the period.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: mod
// CHECK: scf.forall {{.*}} to (48, 32)
// CHECK-NOT: mod
// CHECK: scf.forall {{.*}} to (48, 5)
// CHECK-NOT: mod
// CHECK: scf.forall {{.*}} to (48, 13)
// CHECK-NOT: mod
// CHECK: return
func.func @twice(%X: memref<48x50xf32>, %Y: memref<48x50xf32>) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (48, 50) {
    %x = affine.load %X[%i, (%j + 13) mod 50] : memref<48x50xf32>
    %w = affine.load %X[47 - %i, %j] : memref<48x50xf32>
    %s = arith.addf %x, %w : f32
    affine.store %s, %Y[%i, %j] : memref<48x50xf32>
  }
  return
}

// -----

// Quotients of products are those of steps of the period.
// CHECK-LABEL: func.func @product
// CHECK-NOT: arith.divsi
// CHECK: return
func.func @product(%X: memref<20x16xf32>, %Y: memref<30x24xf32>) attributes {tt.kernel} {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to 24 {
      %i2 = arith.muli %i, %c2 : index
      %p = arith.divsi %i2, %c3 : index
      %j2 = arith.muli %j, %c2 : index
      %q = arith.divsi %j2, %c3 : index
      %x = memref.load %X[%p, %q] : memref<20x16xf32>
      affine.store %x, %Y[%i, %j] : memref<30x24xf32>
    }
  }
  return
}

// -----

// Neighbors of what the kernel writes: each is moved by loops of its own, and what is made of them stands in loops that are not
// cut.
// CHECK-LABEL: func.func @neighbors
// CHECK: %[[N:.*]] = memref.alloc() : memref<24x40xf32>
// CHECK: %[[E:.*]] = memref.alloc() : memref<24x40xf32>
// CHECK-NOT: arith.mulf
// CHECK: %[[A:.*]] = memref.load %[[N]][%[[I:.*]], %[[J:.*]]]
// CHECK-NEXT: %[[B:.*]] = memref.load %[[E]][%[[I]], %[[J]]]
// CHECK-NEXT: arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: memref.store
// CHECK-NOT: arith.mulf
func.func @neighbors(%J: memref<24x40xf32>, %Y: memref<24x40xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c24 = arith.constant 24 : index
  %c39 = arith.constant 39 : index
  %c40 = arith.constant 40 : index
  scf.for %t = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c24 step %c1 {
      scf.for %j = %c0 to %c40 step %c1 {
        %im = arith.subi %i, %c1 : index
        %n = arith.maxsi %im, %c0 : index
        %jp = arith.addi %j, %c1 : index
        %e = arith.minsi %jp, %c39 : index
        %a = memref.load %J[%n, %j] : memref<24x40xf32>
        %b = memref.load %J[%i, %e] : memref<24x40xf32>
        %x = arith.mulf %a, %b : f32
        memref.store %x, %Y[%i, %j] : memref<24x40xf32>
      }
    }
    scf.for %i = %c0 to %c24 step %c1 {
      scf.for %j = %c0 to %c40 step %c1 {
        %y = memref.load %Y[%i, %j] : memref<24x40xf32>
        memref.store %y, %J[%i, %j] : memref<24x40xf32>
      }
    }
  }
  return
}
