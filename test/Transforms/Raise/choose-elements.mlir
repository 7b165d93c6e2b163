// RUN: tt-opt %s --tt-choose-elements --split-input-file | FileCheck %s

// Each row has an index of its own: the element is the largest of what the index leaves.
// CHECK-LABEL: func.func @labels
// CHECK: %[[L:.*]] = memref.load %arg1
// CHECK: %[[R:.*]] = scf.for %[[Q:.*]] = %{{.*}} iter_args(%[[M:.*]] = %{{.*}}) -> (f32) {
// CHECK: %[[V:.*]] = memref.load %arg0[%{{.*}}, %[[Q]]]
// CHECK: %[[N:.*]] = arith.index_cast %[[Q]] : index to i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[N]], %[[L]] : i32
// CHECK: arith.select %[[IS]], %[[V]]
// CHECK: arith.maximumf %[[M]]
// CHECK: memref.store %[[R]]
func.func @labels(%X: memref<64x96xf32>, %L: memref<64xi32>, %S: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %l = memref.load %L[%i] : memref<64xi32>
    %at = arith.index_cast %l : i32 to index
    %x = memref.load %X[%i, %at] : memref<64x96xf32>
    memref.store %x, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// One index for all rows is an offset; an index of rows is one, too.
// CHECK-LABEL: func.func @offsets
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @offsets(%X: memref<64x96xf32>, %L: memref<64xi32>, %S: memref<64xf32>, %T: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %one = memref.load %L[%c5] : memref<64xi32>
  %column = arith.index_cast %one : i32 to index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %X[%i, %column] : memref<64x96xf32>
    memref.store %x, %S[%i] : memref<64xf32>
    %l = memref.load %L[%i] : memref<64xi32>
    %row = arith.index_cast %l : i32 to index
    %y = memref.load %X[%row, %i] : memref<64x96xf32>
    memref.store %y, %T[%i] : memref<64xf32>
  }
  return
}

// -----

// An element of a diagonal is one of its row.
// CHECK-LABEL: func.func @diagonal
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: scf.for %[[Q:[a-z0-9]+]] =
// CHECK: memref.load %{{.*}}[%[[I]], %[[Q]]]
// CHECK: arith.cmpi eq, %[[Q]], %[[I]] : index
// CHECK: arith.maximumf
func.func @diagonal(%X: memref<64x96xf32>, %S: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %X[%i, %i] : memref<64x96xf32>
    memref.store %x, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// A branch that looks at the label alone is not needed for that.
// CHECK-LABEL: func.func @ignored
// CHECK: %[[L:.*]] = memref.load %{{.*}} : memref<64xi32>
// CHECK: %[[IN:.*]] = arith.cmpi ne, %[[L]]
// CHECK: %[[M:.*]] = scf.for
// CHECK: scf.if %[[IN]]
// CHECK-NEXT: arith.negf %[[M]]
func.func @ignored(%X: memref<64x96xf32>, %L: memref<64xi32>, %S: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant -100 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    %l = memref.load %L[%i] : memref<64xi32>
    %in = arith.cmpi ne, %l, %none : i32
    %s = scf.if %in -> (f32) {
      %at = arith.index_cast %l : i32 to index
      %x = memref.load %X[%i, %at] : memref<64x96xf32>
      %n = arith.negf %x : f32
      scf.yield %n : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %s, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// Bytes do not number all of a long row; an integer of more bits may stand between.
// CHECK-LABEL: func.func @bytes
// CHECK: %[[L:.*]] = memref.load %arg1
// CHECK: %[[W:.*]] = arith.extsi %[[L]] : i8 to i32
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: arith.cmpi eq, %[[N]], %[[W]] : i32
func.func @bytes(%X: memref<64x300xf32>, %L: memref<64xi8>, %S: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %l = memref.load %L[%i] : memref<64xi8>
    %wide = arith.extsi %l : i8 to i16
    %at = arith.index_cast %wide : i16 to index
    %x = memref.load %X[%i, %at] : memref<64x300xf32>
    memref.store %x, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// A short table, at an index that is computed; without a sign, where it is widened so.
// CHECK-LABEL: func.func @table
// CHECK: %[[Q:.*]] = memref.load %arg0
// CHECK: %[[H:.*]] = arith.shrui %[[Q]]
// CHECK: %[[END:.*]] = arith.constant 16 : index
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[END]]
// CHECK: memref.load %arg1[%[[J]]]
// CHECK: %[[N:.*]] = arith.index_cast %[[J]] : index to i8
// CHECK: arith.cmpi eq, %[[N]], %[[H]] : i8
func.func @table(%A: memref<64xi8>, %T: memref<16xf32>, %S: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c4 = arith.constant 4 : i8
  scf.for %i = %c0 to %c64 step %c1 {
    %q = memref.load %A[%i] : memref<64xi8>
    %h = arith.shrui %q, %c4 : i8
    %at = arith.index_castui %h : i8 to index
    %x = memref.load %T[%at] : memref<16xf32>
    memref.store %x, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @bytes_without_sign
// CHECK: arith.extui %{{.*}} : i8 to i32
func.func @bytes_without_sign(%X: memref<64x256xf32>, %L: memref<64xi8>, %S: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %l = memref.load %L[%i] : memref<64xi8>
    %at = arith.index_castui %l : i8 to index
    %x = memref.load %X[%i, %at] : memref<64x256xf32>
    memref.store %x, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// A long table is left, and so is an index that is a sum: that one is an offset.
// CHECK-LABEL: func.func @left
// CHECK-NOT: arith.cmpi
func.func @left(%A: memref<64xi32>, %T: memref<512xf32>, %U: memref<16xf32>, %S: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    %q = memref.load %A[%i] : memref<64xi32>
    %h = arith.shrui %q, %one : i32
    %at = arith.index_cast %h : i32 to index
    %x = memref.load %T[%at] : memref<512xf32>
    %g = arith.addi %q, %one : i32
    %in = arith.index_cast %g : i32 to index
    %y = memref.load %U[%in] : memref<16xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// Into what the kernel itself writes no reader follows a list, though its index is the same for all.
// CHECK-LABEL: func.func @written
// CHECK: scf.for
// CHECK: arith.cmpi eq
// CHECK: arith.maximumf
// CHECK: memref.store %{{.*}}, %arg2
func.func @written(%L: memref<64xi32>, %H: memref<8xf32>, %S: memref<64xf32>) attributes {tt.kernel} {
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  memref.store %two, %H[%c0] : memref<8xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %l = memref.load %L[%i] : memref<64xi32>
    %k = arith.index_cast %l : i32 to index
    %x = memref.load %H[%k] : memref<8xf32>
    memref.store %x, %S[%i] : memref<64xf32>
  }
  return
}

// -----

// A place that floats say, in both dimensions: the element is chosen among all of the matrix.
// CHECK-LABEL: func.func @sampled
// CHECK: scf.for %[[R:.*]] = %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32) {
// CHECK: %[[IN:.*]] = scf.for %[[Q:.*]] = %{{.*}} iter_args(%[[M:.*]] = %[[A]]) -> (f32) {
// CHECK: %[[V:.*]] = memref.load %arg0[%[[R]], %[[Q]]]
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: arith.select %[[BOTH]], %[[V]]
// CHECK: arith.maximumf %[[M]]
// CHECK: scf.yield %[[IN]]
func.func @sampled(%X: memref<16x20xf32>, %U: memref<8xf32>, %V: memref<8xf32>, %Y: memref<8xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %u = memref.load %U[%i] : memref<8xf32>
    %v = memref.load %V[%i] : memref<8xf32>
    %r = math.floor %u : f32
    %a = arith.fptosi %r : f32 to i32
    %b = arith.fptosi %v : f32 to i32
    %row = arith.index_cast %a : i32 to index
    %col = arith.index_cast %b : i32 to index
    %x = memref.load %X[%row, %col] : memref<16x20xf32>
    memref.store %x, %Y[%i] : memref<8xf32>
  }
  return
}

// -----

// A loop over channels goes around those over pixels, as the result has them, where floats say which element is taken.
// CHECK-LABEL: func.func @channels
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: scf.for %[[C:.*]] = %{{.*}} to %[[C4]]
// CHECK: scf.for %[[I:.*]] = %
// CHECK: scf.for %[[J:.*]] = %
// CHECK: memref.load %arg1[%[[I]], %[[J]]]
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.store %{{.*}}, %arg2[%[[C]], %[[I]], %[[J]]]
func.func @channels(%X: memref<4x6x8xf32>, %G: memref<5x7xf32>, %Y: memref<4x5x7xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %channels = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %last = arith.constant 5 : i32
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c7 step %c1 {
      %g = memref.load %G[%i, %j] : memref<5x7xf32>
      %n = arith.fptosi %g : f32 to i32
      %above = arith.maxsi %n, %zero : i32
      %inside = arith.minsi %above, %last : i32
      %k = arith.index_cast %inside : i32 to index
      scf.for %c = %c0 to %channels step %c1 {
        %x = memref.load %X[%c, %k, %k] : memref<4x6x8xf32>
        memref.store %x, %Y[%c, %i, %j] : memref<4x5x7xf32>
      }
    }
  }
  return
}

// -----

// Where each step says where the next one looks, the element is chosen as well.
// CHECK-LABEL: func.func @followed
// CHECK: scf.for %{{.*}} iter_args(%[[AT:.*]] = %{{.*}}) -> (i32)
// CHECK-NOT: memref.load %arg0[%{{.*}}, %[[AT]]]
// CHECK: scf.for %[[Q:.*]] = %{{.*}} iter_args
// CHECK: memref.load %arg0[%{{.*}}, %[[Q]]]
// CHECK: arith.cmpi eq, %{{.*}}, %[[AT]]
func.func @followed(%P: memref<12x4xi32>, %Y: memref<12x4xi32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.forall (%k) in (4) {
    %first = arith.index_cast %k : index to i32
    %last = scf.for %t = %c0 to %c12 step %c1 iter_args(%at = %first) -> (i32) {
      %i = arith.index_cast %at : i32 to index
      %next = memref.load %P[%t, %i] : memref<12x4xi32>
      memref.store %next, %Y[%t, %k] : memref<12x4xi32>
      scf.yield %next : i32
    }
  }
  return
}
