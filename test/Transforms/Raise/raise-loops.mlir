// RUN: tt-opt %s --tt-raise-loops | FileCheck %s

// A parallel loop around all is the grid, one inside a loop of the core.
// CHECK-LABEL: func.func @affine
// CHECK: scf.forall (%[[M:.*]]) = (0) to (128) step (32)
// CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c128{{.*}} step %c64
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK: %[[ROOM:.*]] = affine.apply #{{.*}}(%[[M]], %[[N]])
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[ROOM]], %c0
// CHECK: %[[EVEN:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[BOTH:.*]] = arith.andi %[[FITS]], %[[EVEN]]
// CHECK: scf.if %[[BOTH]]
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[M]], %[[N]])
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[AT]], %[[N]]]
// CHECK: memref.store %[[X]], %{{.*}}[%[[M]], %[[I]]]
func.func @affine(%A: memref<256x128xf32>, %C: memref<256x128xf32>) attributes {tt.kernel} {
  affine.parallel (%m) = (0) to (128) step (32) {
    affine.for %n = 0 to 128 step 64 {
      affine.parallel (%i) = (0) to (2) {
        affine.if affine_set<(m, n) : (n - m + 5 >= 0, n mod 8 == 0)>(%m, %n) {
          %x = affine.load %A[%m + 3, %n] : memref<256x128xf32>
          affine.store %x, %C[%m, %i] : memref<256x128xf32>
        }
      }
    }
  }
  return
}

// A grid that starts at a value starts at 0; a forall inside of it is a loop.
// CHECK-LABEL: func.func @parallel
// CHECK: %[[CELLS:.*]] = arith.subi %{{.*}}, %[[FROM:.*]] : index
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%[[CELLS]], 4)
// CHECK: %[[AT:.*]] = arith.addi %[[I]], %[[FROM]]
// CHECK: scf.for %[[K:.*]] =
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[AT]], %[[K]]]
func.func @parallel(%C: memref<64x64xf32>, %from: index, %to: index, %x: f32) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j) = (%from, %c0) to (%to, %c4) step (%c1, %c1) {
    scf.forall (%k) in (7) {
      memref.store %x, %C[%i, %k] : memref<64x64xf32>
    }
  }
  return
}

// What a loop carries by sums, and what branches give.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for %[[K:.*]] = %c2{{.*}} to
// CHECK-NOT: iter_args
// CHECK: %[[SINCE:.*]] = arith.subi %[[K]], %c2
// CHECK: %[[COUNT:.*]] = arith.divui %[[SINCE]], %c3
// CHECK: %[[MOVED:.*]] = arith.muli %[[COUNT]], %c8
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[MOVED]]
// CHECK: %[[ROW:.*]] = arith.select %{{.*}}, %[[AT]], %[[K]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK: %[[STEPS:.*]] = arith.divui
// CHECK: %[[ALL:.*]] = arith.muli %[[STEPS]], %c8
// CHECK: %[[LAST:.*]] = arith.addi %{{.*}}, %[[ALL]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[LAST]], %{{.*}}]
func.func @carried(%C: memref<64x64xf32>, %from: index, %n: index, %x: f32, %flag: i1) attributes {tt.kernel} {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %end:2 = scf.for %k = %c2 to %n step %c3 iter_args(%i = %from, %same = %C) -> (index, memref<64x64xf32>) {
    %row = scf.if %flag -> (index) {
      scf.yield %i : index
    } else {
      scf.yield %k : index
    }
    memref.store %x, %same[%row, %c2] : memref<64x64xf32>
    %next = arith.addi %i, %c8 : index
    scf.yield %next, %same : index, memref<64x64xf32>
  }
  memref.store %x, %end#1[%end#0, %c3] : memref<64x64xf32>
  return
}

// Indices that steps choose, and flags, are carried as integers.
// CHECK-LABEL: func.func @chosen
// CHECK: %[[F:.*]] = arith.extui %{{.*}} : i1 to i32
// CHECK: %[[R:.*]]:2 = scf.for %[[K:.*]] = {{.*}} iter_args(%[[P:.*]] = %[[F]], %[[I:.*]] = %{{.*}}) -> (i32, i32) {
// CHECK: %[[ON:.*]] = arith.cmpi ne, %[[P]], %{{.*}} : i32
// CHECK: %[[OR:.*]] = arith.ori %[[ON]], %{{.*}} : i1
// CHECK: %[[Q:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK: %[[C:.*]] = arith.select %{{.*}}, %[[Q]], %[[I]] : i32
// CHECK: scf.yield %{{.*}}, %[[C]] : i32, i32
// CHECK: arith.index_cast %[[R]]#1 : i32 to index
func.func @chosen(%A: memref<64xf32>, %flag: i1, %x: f32) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %end:2 = scf.for %k = %c0 to %c64 step %c1 iter_args(%p = %flag, %i = %c0) -> (i1, index) {
    %a = memref.load %A[%k] : memref<64xf32>
    %more = arith.cmpf ogt, %a, %x : f32
    %some = arith.ori %p, %more : i1
    %at = arith.select %more, %k, %i : index
    scf.yield %some, %at : i1, index
  }
  scf.if %end#0 {
    memref.store %x, %A[%end#1] : memref<64xf32>
  }
  return
}

// Functions that are no kernels stay.
// CHECK-LABEL: func.func @left_alone
// CHECK: affine.for
func.func @left_alone() {
  affine.for %i = 0 to 4 {
  }
  return
}

// RUN: not tt-opt %S/Inputs/parallel_sum.mlir --tt-raise-loops 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: error: a parallel loop that reduces to values; write the sum to a buffer in an scf.for, or as linalg.reduce

// A variable that is divided becomes two: short rests are written out, blocks have a loop.
// CHECK-LABEL: func.func @quotients
// CHECK: scf.for %[[Q:.*]] = %{{.*}} to %c16{{.*}} step
// CHECK: %[[A:.*]] = affine.apply #{{.*}}(%[[Q]])
// CHECK: %[[E:.*]] = memref.load %{{.*}}[%[[A]]] : memref<16xf32>
// CHECK: memref.store %[[E]]
// CHECK: memref.load %{{.*}} : memref<16xf32>
// CHECK: memref.store
func.func @quotients(%X: memref<16xf32>, %Y: memref<32xf32>) attributes {tt.kernel} {
  affine.for %i = 0 to 32 {
    %x = affine.load %X[%i floordiv 2] : memref<16xf32>
    affine.store %x, %Y[%i] : memref<32xf32>
  }
  return
}

// CHECK-LABEL: func.func @counts
// CHECK: %[[N:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %[[N]] step %c2
// CHECK-NOT: scf.while
func.func @counts(%n: index, %X: memref<64xf32>, %Y: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %e = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi uge, %n, %i : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %x = memref.load %X[%i] : memref<64xf32>
    memref.store %x, %Y[%i] : memref<64xf32>
    %next = arith.addi %i, %c2 : index
    scf.yield %next : index
  }
  return
}

// A loop as long as a tensor is tiled as well.
// CHECK-LABEL: func.func @any
// CHECK: scf.forall (%[[B:.*]], %{{.*}}) = (0, 0) to (%{{.*}}, 64) step (32, 32)
// CHECK: %[[N:.*]] = affine.min #{{.*}}(%[[B]], %{{.*}})
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]]
func.func @any(%X: memref<?x64xf32>, %Y: memref<?x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %X, %c0 : memref<?x64xf32>
  affine.parallel (%i, %j) = (0, 0) to (symbol(%n), 64) {
    %x = affine.load %X[%i, %j] : memref<?x64xf32>
    affine.store %x, %Y[%i, %j] : memref<?x64xf32>
  }
  return
}

// Rows that hold sums over what is no row of theirs are cells of their own.
// CHECK-LABEL: func.func @middle
// CHECK: scf.forall {{.*}} step (1, 32)
// CHECK-LABEL: func.func @rows
// CHECK: scf.forall {{.*}} step (2, 32)
func.func @middle(%X: memref<2x40x64xf32>, %Y: memref<2x64xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%b, %j) = (0, 0) to (2, 64) {
    %s = affine.for %i = 0 to 40 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %X[%b, %i, %j] : memref<2x40x64xf32>
      %n = arith.addf %a, %x : f32
      affine.yield %n : f32
    }
    affine.store %s, %Y[%b, %j] : memref<2x64xf32>
  }
  return
}
func.func @rows(%X: memref<2x40xf32>, %W: memref<40x64xf32>, %Y: memref<2x64xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.parallel (%b, %j) = (0, 0) to (2, 64) {
    %s = affine.for %i = 0 to 40 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %X[%b, %i] : memref<2x40xf32>
      %w = affine.load %W[%i, %j] : memref<40x64xf32>
      %p = arith.mulf %x, %w : f32
      %n = arith.addf %a, %p : f32
      affine.yield %n : f32
    }
    affine.store %s, %Y[%b, %j] : memref<2x64xf32>
  }
  return
}

// Numbers that a thread keeps are a row of a buffer for all threads of a cell, as many as there are.
// CHECK-LABEL: func.func @threads
// CHECK: scf.forall (%[[M:.*]]) = (0) to (40) step (32)
// CHECK: %[[N:.*]] = affine.min
// CHECK: %[[B:.*]] = memref.alloc(%[[N]]) : memref<?x12xf32, #gpu.address_space<private>>
// CHECK: scf.for %[[I:.*]] =
// CHECK: memref.store %{{.*}}, %[[B]][%[[I]], %{{.*}}]
// CHECK: memref.load %[[B]][%[[I]], %{{.*}}]
// A buffer of two dimensions, and threads that do not move steadily, stay cells.
// CHECK-LABEL: func.func @cells
// CHECK: scf.forall (%{{.*}}) in (40)
// CHECK: memref.alloc() : memref<2x12xf32
func.func @threads(%A: memref<40x12xf32>, %C: memref<40x12xf32>) attributes {tt.kernel} {
  affine.parallel (%i) = (0) to (40) {
    %x = memref.alloc() : memref<12xf32, #gpu.address_space<private>>
    affine.for %j = 0 to 12 {
      %a = affine.load %A[%i, %j] : memref<40x12xf32>
      affine.store %a, %x[%j] : memref<12xf32, #gpu.address_space<private>>
    }
    affine.for %j = 0 to 12 {
      %a = affine.load %x[11 - %j] : memref<12xf32, #gpu.address_space<private>>
      affine.store %a, %C[%i, %j] : memref<40x12xf32>
    }
    memref.dealloc %x : memref<12xf32, #gpu.address_space<private>>
  }
  return
}
func.func @cells(%A: memref<40x12xf32>, %C: memref<40x12xf32>) attributes {tt.kernel} {
  affine.parallel (%i) = (0) to (40) {
    %x = memref.alloc() : memref<2x12xf32, #gpu.address_space<private>>
    affine.for %j = 0 to 12 {
      %a = affine.load %A[%i, %j] : memref<40x12xf32>
      affine.store %a, %x[0, %j] : memref<2x12xf32, #gpu.address_space<private>>
      affine.store %a, %C[%i, %j] : memref<40x12xf32>
    }
  }
  return
}

// A grid of five dimensions: the first three become one, in two turns.
// CHECK-LABEL: func.func @five
// CHECK: scf.forall (%[[G:.*]], %{{.*}}, %{{.*}}) = (0, 0, 0) to (30, 2, 128)
// CHECK: arith.divui %[[G]],
// CHECK: arith.remui %[[G]],
// CHECK: arith.divui %{{.*}}, %{{.*}}
func.func @five(%A: memref<3x5x2x2x128xf32>, %B: memref<3x5x2x2x128xf32>) attributes {tt.kernel} {
  scf.forall (%i, %j, %k, %l, %m) = (0, 0, 0, 0, 0) to (3, 5, 2, 2, 128) step (1, 1, 1, 1, 32) {
    %a = memref.subview %A[%i, %j, %k, %l, %m] [1, 1, 1, 1, 32] [1, 1, 1, 1, 1] : memref<3x5x2x2x128xf32> to memref<32xf32, strided<[1], offset: ?>>
    %b = memref.subview %B[%i, %j, %k, %l, %m] [1, 1, 1, 1, 32] [1, 1, 1, 1, 1] : memref<3x5x2x2x128xf32> to memref<32xf32, strided<[1], offset: ?>>
    linalg.exp ins(%a : memref<32xf32, strided<[1], offset: ?>>) outs(%b : memref<32xf32, strided<[1], offset: ?>>)
  }
  return
}

// Inner elements of longer rows and columns are those of all of it that branches leave: each tile is one cell's.
// CHECK-LABEL: func.func @inside
// CHECK: scf.forall (%{{.*}}, %[[X:.*]]) = (0, 0) to (8, 80) step (8, 32)
// CHECK: affine.min #{{.*}}(%[[X]])
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[AT:.*]] = arith.addi %[[X]], %[[J]]
// CHECK: %[[FROM:.*]] = arith.cmpi sge, %[[AT]], %c1
// CHECK: %[[TO:.*]] = arith.cmpi slt, %[[AT]], %c79
// CHECK: %[[BOTH:.*]] = arith.andi %[[FROM]], %[[TO]]
// CHECK: scf.if %[[BOTH]]
// CHECK: arith.cmpi sge, %{{.*}}, %c1
// CHECK: arith.cmpi slt, %{{.*}}, %c7
// CHECK: scf.if
// CHECK: memref.store
func.func @inside(%A: memref<8x80xf32>, %C: memref<8x80xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c79 = arith.constant 79 : index
  scf.parallel (%y, %x) = (%c1, %c1) to (%c7, %c79) step (%c1, %c1) {
    %before = arith.subi %x, %c1 : index
    %a = memref.load %A[%y, %before] : memref<8x80xf32>
    memref.store %a, %C[%y, %x] : memref<8x80xf32>
  }
  return
}

// Of two outer dimensions that become one, one may be of open size.
// CHECK-LABEL: func.func @open_batches
// CHECK: %[[B:.*]] = memref.dim
// CHECK: %[[BOTH:.*]] = arith.muli %[[B]], %{{.*}}
// CHECK: scf.forall (%[[G:.*]], %{{.*}}, %{{.*}}) = (0, 0, 0) to (%[[BOTH]], 64, 64) step (1, 32, 32)
// CHECK-DAG: arith.divui %[[G]], %
// CHECK-DAG: arith.remui %[[G]], %
func.func @open_batches(%a: memref<?x4x64x64xbf16>, %c: memref<?x4x64x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %b = memref.dim %a, %c0 : memref<?x4x64x64xbf16>
  scf.forall (%i, %h, %m, %n) = (0, 0, 0, 0) to (%b, 4, 64, 64) step (1, 1, 32, 32) {
    %s = memref.subview %a[%i, %h, %m, %n] [1, 1, 32, 32] [1, 1, 1, 1] : memref<?x4x64x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
    %t = memref.subview %c[%i, %h, %m, %n] [1, 1, 32, 32] [1, 1, 1, 1] : memref<?x4x64x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
    memref.copy %s, %t : memref<32x32xbf16, strided<[64, 1], offset: ?>> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
  }
  return
}

// Of (128 * b + t) / 32 only t is divided: words of 32, and the bits in them.
// CHECK-LABEL: func.func @bits_of_words
// CHECK: scf.for %
// CHECK: scf.for %[[W:.*]] = %{{.*}} {
// CHECK: scf.for %[[BIT:.*]] = %{{.*}} {
// CHECK-NOT: divui
// CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %c4
// CHECK: %[[OF:.*]] = affine.apply #{{.*}}(%[[W]])
// CHECK: %[[WORD:.*]] = arith.addi %[[AT]], %[[OF]]
// CHECK: memref.load %arg0[%{{.*}}, %[[WORD]]]
func.func @bits_of_words(%M: memref<64x16xi32>, %Y: memref<64x512xi32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%r, %b) = (%c0, %c0) to (%c64, %c4) step (%c1, %c1) {
    scf.parallel (%t) = (%c0) to (%c128) step (%c1) {
      %at = arith.muli %b, %c128 : index
      %v = arith.addi %at, %t : index
      %w = arith.divui %v, %c32 : index
      %bit = arith.remui %v, %c32 : index
      %word = memref.load %M[%r, %w] : memref<64x16xi32>
      %s = arith.index_cast %bit : index to i32
      %y = arith.shrui %word, %s : i32
      memref.store %y, %Y[%r, %v] : memref<64x512xi32>
    }
  }
  return
}
