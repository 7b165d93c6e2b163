// RUN: tt-opt %s --tt-load-indices --split-input-file --verify-diagnostics | FileCheck %s

// An integer that is an offset, a bound or a condition in the end, also through a view (one that is compared with a
// constant, and may be below zero, with a number added); one whose value goes to
// a tensor stays a load of an element.
// CHECK-LABEL: func.func @steered(
// CHECK-SAME: %[[A:.*]]: memref<64x64xf32>, %[[S:.*]]: memref<4x8xi32>, %[[N:.*]]: memref<4xi8>, %[[C:.*]]: memref<4x8xi32>
// CHECK: %[[COL:.*]] = arith.constant 3 : index
// CHECK: %[[V:.*]] = tt.load_index %[[S]][%{{.*}}, %[[COL]]] : memref<4x8xi32>
// CHECK: %[[I:.*]] = arith.index_cast %[[V]] : index to i32
// CHECK: arith.muli %[[I]], %{{.*}} : i32
// CHECK: %[[B:.*]] = tt.load_index %[[N]][%{{.*}}] plus 128 : memref<4xi8>
// CHECK: scf.if
// CHECK: memref.load %[[S]]
func.func @steered(%A: memref<64x64xf32>, %S: memref<4x8xi32>, %N: memref<4xi8>, %C: memref<4x8xi32>, %i: index) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0 : i8
  %b = memref.alloc() : memref<32x64xf32>
  %s = memref.subview %S[%i, 2] [1, 4] [1, 1] : memref<4x8xi32> to memref<4xi32, strided<[1], offset: ?>>
  %v = memref.load %s[%c1] : memref<4xi32, strided<[1], offset: ?>>
  %r = arith.muli %v, %c32 : i32
  %row = arith.index_cast %r : i32 to index
  %a = memref.subview %A[%row, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  %n = memref.load %N[%i] : memref<4xi8>
  %on = arith.cmpi ne, %n, %zero : i8
  scf.if %on {
    memref.copy %a, %b : memref<32x64xf32, strided<[64, 1], offset: ?>> to memref<32x64xf32>
  }
  %e = memref.load %S[%i, %c1] : memref<4x8xi32>
  memref.store %e, %C[%i, %c1] : memref<4x8xi32>
  return
}

// -----
// A number that bodies compare with steers as well.
// CHECK-LABEL: func.func @masked(
// CHECK: %[[V:.*]] = tt.load_index %{{.*}} : memref<8xi32>
// CHECK: %[[I:.*]] = arith.index_cast %[[V]] : index to i32
// CHECK: %[[N:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK: arith.cmpi slt, %{{.*}}, %[[N]] : index
func.func @masked(%A: memref<32x32xf32>, %S: memref<8xi32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %v = memref.load %S[%c1] : memref<8xi32>
  %n = arith.index_cast %v : i32 to index
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%A : memref<32x32xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %zero = arith.constant 0.0 : f32
      %c = arith.cmpi slt, %i, %n : index
      %r = arith.select %c, %o, %zero : f32
      linalg.yield %r : f32
  }
  return
}

// -----
func.func @written(%A: memref<64x64xf32>, %S: memref<8xi32>, %c: i32) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{the kernel is steered by tensor 'arg1', which it writes as well; data movement runs ahead, and would not wait for the write, so make it two kernels}}
  %v = memref.load %S[%c1] : memref<8xi32>
  %row = arith.index_cast %v : i32 to index
  %a = memref.subview %A[%row, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  memref.copy %a, %a : memref<32x64xf32, strided<[64, 1], offset: ?>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  linalg.fill ins(%c : i32) outs(%S : memref<8xi32>)
  return
}

// -----

// What steers may lie in a buffer that the kernel makes; it is left as it is.
// CHECK-LABEL: func.func @made
// CHECK: memref.load
func.func @made(%A: memref<64x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %table = memref.alloc() : memref<4xi32>
  scf.forall (%b) in (2) {
    %t = memref.load %table[%b] : memref<4xi32>
    %i = arith.index_cast %t : i32 to index
    %x = memref.subview %A[%i, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// -----
// What may be below zero is loaded with a constant added, and leaves the loop with the branch that it decides.
// CHECK-LABEL: func.func @padded(
// CHECK: %[[P:.*]] = tt.load_index %{{.*}} plus 1 : memref<64xi32>
// CHECK: %[[R:.*]] = arith.subi %[[P]], %{{.*}} : index
// CHECK: %[[V:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK: %[[IN:.*]] = arith.cmpi sge, %[[V]]
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[X:.*]] = memref.load
// CHECK-NEXT: memref.store %[[X]]
// CHECK: } else {
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store %{{.*}}
func.func @padded(%A: memref<100x64xf32>, %I: memref<64xi32> {tt.range = [-1, 99]}, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %v = memref.load %I[%i] : memref<64xi32>
      %in = arith.cmpi sge, %v, %none : i32
      %y = scf.if %in -> (f32) {
        %r = arith.index_cast %v : i32 to index
        %x = memref.load %A[%r, %j] : memref<100x64xf32>
        scf.yield %x : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %y, %C[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// -----
// An integer that is compared with only, and decides about elements, is one of them; a condition that changes in
// the loop stays there.
// CHECK-LABEL: func.func @elements(
// CHECK-NOT: tt.load_index
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load %{{.*}} : memref<64xi32>
// CHECK: scf.if
func.func @elements(%A: memref<64x64xf32>, %I: memref<64xi32>, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %v = memref.load %I[%i] : memref<64xi32>
      %ji = arith.index_cast %j : index to i32
      %in = arith.cmpi sge, %v, %ji : i32
      %y = scf.if %in -> (f32) {
        %x = memref.load %A[%i, %j] : memref<64x64xf32>
        scf.yield %x : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %y, %C[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// -----

// What is clamped may be below zero, where nothing is said of it; with a range it is loaded plus a constant.
func.func @clamped(%A: memref<64x64xf32>, %I: memref<64xi32>, %C: memref<1x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  // expected-error @below {{the larger of this integer and another is taken, and nothing says whether it may be below zero; say what tensor 'arg1' holds by tt.range = [lo, hi], such as [-1, 64]}}
  %v = memref.load %I[%c0] : memref<64xi32>
  %w = arith.maxsi %v, %z : i32
  %r = arith.index_cast %w : i32 to index
  %a = memref.subview %A[%r, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
  memref.copy %a, %C : memref<1x64xf32, strided<[64, 1], offset: ?>> to memref<1x64xf32>
  return
}

// -----

// What a list's integer goes into may be used again and again: each value is looked at once, not once for
// each path to it.
// CHECK-LABEL: func.func @again(
// CHECK: tt.load_index %{{.*}}[%c0] : memref<64xi32>
// CHECK: arith.maxsi
// CHECK: scf.for
func.func @again(%A: memref<4096x64xf32>, %I: memref<64xi32> {tt.range = [0, 1]}, %C: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c1 {
    %v = memref.load %I[%c0] : memref<64xi32>
    %r0 = arith.index_cast %v : i32 to index
    %r1 = arith.maxsi %r0, %r0 : index
    %r2 = arith.maxsi %r1, %r1 : index
    %r3 = arith.maxsi %r2, %r2 : index
    %r4 = arith.maxsi %r3, %r3 : index
    %r5 = arith.maxsi %r4, %r4 : index
    %r6 = arith.maxsi %r5, %r5 : index
    %r7 = arith.maxsi %r6, %r6 : index
    %r8 = arith.maxsi %r7, %r7 : index
    %r9 = arith.maxsi %r8, %r8 : index
    %r10 = arith.maxsi %r9, %r9 : index
    %r11 = arith.maxsi %r10, %r10 : index
    %r12 = arith.maxsi %r11, %r11 : index
    %r13 = arith.maxsi %r12, %r12 : index
    %r14 = arith.maxsi %r13, %r13 : index
    %r15 = arith.maxsi %r14, %r14 : index
    %r16 = arith.maxsi %r15, %r15 : index
    %r17 = arith.maxsi %r16, %r16 : index
    %r18 = arith.maxsi %r17, %r17 : index
    %r19 = arith.maxsi %r18, %r18 : index
    %r20 = arith.maxsi %r19, %r19 : index
    %r21 = arith.maxsi %r20, %r20 : index
    %r22 = arith.maxsi %r21, %r21 : index
    %r23 = arith.maxsi %r22, %r22 : index
    %r24 = arith.maxsi %r23, %r23 : index
    %r25 = arith.maxsi %r24, %r24 : index
    %r26 = arith.maxsi %r25, %r25 : index
    %r27 = arith.maxsi %r26, %r26 : index
    %r28 = arith.maxsi %r27, %r27 : index
    %r29 = arith.maxsi %r28, %r28 : index
    %r30 = arith.maxsi %r29, %r29 : index
    %r31 = arith.maxsi %r30, %r30 : index
    %r32 = arith.maxsi %r31, %r31 : index
    %r33 = arith.maxsi %r32, %r32 : index
    %r34 = arith.maxsi %r33, %r33 : index
    %r35 = arith.maxsi %r34, %r34 : index
    %r36 = arith.maxsi %r35, %r35 : index
    %r37 = arith.maxsi %r36, %r36 : index
    %r38 = arith.maxsi %r37, %r37 : index
    %r39 = arith.maxsi %r38, %r38 : index
    %r40 = arith.maxsi %r39, %r39 : index
    %x = memref.load %A[%r40, %j] : memref<4096x64xf32>
    memref.store %x, %C[%j] : memref<64xf32>
  }
  return
}

// -----

// A branch in a loop that sums goes around it, and gives what the loop does.
// CHECK-LABEL: func.func @summed
// CHECK: %[[R:.*]] = tt.load_index %arg1
// CHECK: scf.if
// CHECK: %{{.*}} = scf.for {{.*}} iter_args
// CHECK: memref.load %arg0[%{{.*}}, %{{.*}}]
// CHECK: memref.store
// CHECK: else
// CHECK: %{{.*}} = scf.for {{.*}} iter_args
// CHECK-NOT: memref.load %arg0
// CHECK: memref.store
func.func @summed(%A: memref<40x64xf32>, %I: memref<2xi32> {tt.range = [-1, 39]}, %W: memref<64xf32>, %C: memref<2xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) in (2) {
    %v = memref.load %I[%b] : memref<2xi32>
    %r = arith.index_cast %v : i32 to index
    %in = arith.cmpi sge, %v, %none : i32
    scf.for %i = %c0 to %c1 step %c1 {
      %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%t = %zero) -> (f32) {
        %x = scf.if %in -> (f32) {
          %a = memref.load %A[%r, %k] : memref<40x64xf32>
          scf.yield %a : f32
        } else {
          scf.yield %zero : f32
        }
        %w = memref.load %W[%k] : memref<64xf32>
        %p = arith.mulf %x, %w : f32
        %n = arith.addf %t, %p : f32
        scf.yield %n : f32
      }
      memref.store %s, %C[%b] : memref<2xf32>
    }
  }
  return
}
