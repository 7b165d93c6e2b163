// RUN: tt-opt %s --tt-expand-indices | FileCheck %s
// RUN: sed '/andi/s,c3_i32,q,' %s | not tt-opt --tt-expand-indices 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: sed '/shli/s,c5_i32,q,' %s | not tt-opt --tt-expand-indices 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: arith.shli of an index by a number of bits that changes, of which loops and ranges do not say that it is at most 16{{.*}}; let the loop go over the powers of two themselves
// BOTH: error: arith.andi of two indices that both change, of which loops and ranges do not say that they have at most 12 bits; one of them must be a constant

// CHECK-LABEL: func.func @groups
// CHECK: %[[A:.*]] = arith.remui %[[X:.*]], %c2
// CHECK: %[[Q:.*]] = arith.divui %[[X]], %c2
// CHECK: %[[B:.*]] = arith.remui %[[Q]], %c3
// CHECK: %[[C:.*]] = arith.divui %[[X]], %c6
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[C]], %[[B]], %[[A]]]
// CHECK: %[[S:.*]] = arith.muli %[[B]], %c2
// CHECK: %[[T:.*]] = arith.addi %[[S]], %[[A]]
// CHECK: %[[U:.*]] = arith.muli %[[C]], %c6
// CHECK: %[[V:.*]] = arith.addi %[[U]], %[[T]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[V]], %[[A]], %[[A]]]
func.func @groups(%M: memref<64x3x2xf32>, %x: index, %v: f32) attributes {tt.kernel} {
  %i:3 = affine.delinearize_index %x into (4, 3, 2) : index, index, index
  memref.store %v, %M[%i#0, %i#1, %i#2] : memref<64x3x2xf32>
  %j = affine.linearize_index [%i#0, %i#1, %i#2] by (4, 3, 2) : index
  memref.store %v, %M[%j, %i#2, %i#2] : memref<64x3x2xf32>
  return
}

// i32 arithmetic is of indices; bits are quotients, products and remainders.
// CHECK-LABEL: func.func @bits
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[LOW:.*]] = arith.remui %[[P:.*]], %c4
// CHECK: %[[R:.*]] = arith.divui %[[P]], %c4
// CHECK: %[[BIT:.*]] = arith.remui %[[R]], %c2
// CHECK: %[[TWICE:.*]] = arith.muli %[[BIT]], %c2
// CHECK: %[[MORE:.*]] = arith.addi %[[R]], %c1
// CHECK: %[[FLIP:.*]] = arith.subi %[[MORE]], %[[TWICE]]
// CHECK: %[[ROW:.*]] = arith.muli %[[FLIP]], %c32
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[LOW]], %[[N]] : index
// CHECK: %[[COL:.*]] = arith.select %[[LESS]], %[[LOW]], %[[ROW]] : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[COL]]]
func.func @bits(%M: memref<256x64xf32>, %pid: index, %n: i32, %v: f32) attributes {tt.kernel} {
  %c2_i32 = arith.constant 2 : i32
  %c3_i32 = arith.constant 3 : i32
  %c1_i32 = arith.constant 1 : i32
  %c5_i32 = arith.constant 5 : i32
  %p = arith.index_cast %pid : index to i32
  %q = arith.addi %p, %n : i32
  %low = arith.andi %p, %c3_i32 : i32
  %r = arith.shrui %p, %c2_i32 : i32
  %flip = arith.xori %r, %c1_i32 : i32
  %row = arith.shli %flip, %c5_i32 : i32
  %less = arith.cmpi slt, %low, %n : i32
  %col = arith.select %less, %low, %row : i32
  %i = arith.index_cast %row : i32 to index
  %j = arith.index_cast %col : i32 to index
  memref.store %v, %M[%i, %j] : memref<256x64xf32>
  return
}

// Nothing is below zero.
// CHECK-LABEL: func.func @signs
// CHECK: %[[MAX:.*]] = arith.maxui %[[Q:.*]], %c64
// CHECK: %[[START:.*]] = arith.subi %[[MAX]], %c64
// CHECK: %[[SUM:.*]] = arith.addi %[[K:.*]], %c64
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[Q]], %[[SUM]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[START]], %{{.*}}]
// CHECK: %[[MAX2:.*]] = arith.maxui %{{.*}}, %{{.*}}
// CHECK: %[[START2:.*]] = arith.subi %[[MAX2]], %c64
func.func @signs(%M: memref<256x64xf32>, %q: index, %k: index, %v: f32) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %d = arith.subi %q, %c64 : index
  %start = arith.maxsi %d, %c0 : index
  %less = arith.cmpi slt, %d, %k : index
  scf.if %less {
    memref.store %v, %M[%start, %c0] : memref<256x64xf32>
    %again = affine.max affine_map<(d0) -> (d0 - 64, 0)>(%q)
    memref.store %v, %M[%again, %c0] : memref<256x64xf32>
  }
  return
}

// CHECK-LABEL: func.func @index_dialect
// CHECK-NOT: index.
// CHECK: arith.addi
// CHECK: arith.cmpi sle
func.func @index_dialect(%M: memref<256x64xf32>, %q: index, %v: f32) attributes {tt.kernel} {
  %one = index.constant 1
  %n = index.add %q, %one
  %c = index.cmp sle(%n, %q)
  scf.if %c {
    memref.store %v, %M[%n, %one] : memref<256x64xf32>
  }
  return
}

// What a table may take below zero: a loop ends at zero then, and a quotient is one of what is not.
// CHECK-LABEL: func.func @below_zero
// CHECK: %[[A:.*]] = tt.load_index
// CHECK: %[[B:.*]] = tt.load_index
// CHECK: %[[M:.*]] = arith.maxui %[[B]], %[[A]]
// CHECK: %[[D:.*]] = arith.subi %[[M]], %[[A]]
// CHECK: %[[N:.*]] = arith.divui %[[D]], %{{.*}}
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]]
// CHECK-NOT: arith.floordivsi
// CHECK: return
func.func @below_zero(%M: memref<256x64xf32>, %T: memref<4xi32> {tt.range = [0, 256]}, %v: f32) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tt.load_index %T[%c0] : memref<4xi32>
  %b = tt.load_index %T[%c1] : memref<4xi32>
  %d = arith.subi %b, %a : index
  %n = arith.floordivsi %d, %c64 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %M[%i, %c0] : memref<256x64xf32>
  }
  %more = arith.addi %n, %c64 : index
  memref.store %v, %M[%more, %c0] : memref<256x64xf32>
  return
}

// Extremes of narrow integers cannot wrap, and are of indices, too.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[L:.*]] = tt.load_index
// CHECK: arith.maxui %[[L]], %c1{{.*}} : index
func.func @narrow(%T: memref<8xi16> {tt.range = [0, 7]}, %M: memref<8x4xf32>, %i: index, %v: f32) attributes {tt.kernel} {
  %one = arith.constant 1 : i16
  %p = tt.load_index %T[%i] : memref<8xi16>
  %n = arith.index_cast %p : index to i16
  %m = arith.maxsi %n, %one : i16
  %w = arith.extsi %m : i16 to i32
  %r = arith.index_cast %w : i32 to index
  memref.store %v, %M[%r, %i] : memref<8x4xf32>
  return
}
