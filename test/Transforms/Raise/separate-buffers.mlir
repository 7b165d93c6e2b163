// RUN: tt-opt %s --tt-separate-buffers --verify-diagnostics | FileCheck %s
!T = memref<32x32xf32>
!s = memref<32x32xf32, #gpu.address_space<workgroup>>

// Loaded in two loops: two buffers.
// CHECK-LABEL: func.func @again
// CHECK: %[[S:.*]] = memref.alloc()
// CHECK: scf.for
// CHECK: memref.copy %{{.*}}, %[[S]]
// CHECK: linalg.exp ins(%[[S]]
// CHECK: %[[OWN:.*]] = memref.alloc()
// CHECK: scf.for
// CHECK: memref.copy %{{.*}}, %[[OWN]]
// CHECK: linalg.exp ins(%[[OWN]]
func.func @again(%A: !T, %C: !T, %D: !T) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : !s
  scf.for %i = %c0 to %c1 step %c1 {
    memref.copy %A, %s : !T to !s
    linalg.exp ins(%s : !s) outs(%C : !T)
  }
  scf.for %i = %c0 to %c1 step %c1 {
    memref.copy %A, %s : !T to !s
    linalg.exp ins(%s : !s) outs(%D : !T)
  }
  return
}

// A value that goes from one loop to the next stays in its buffer.
// CHECK-LABEL: func.func @goes_on
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @goes_on(%A: !T, %C: !T) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : !s
  memref.copy %A, %s : !T to !s
  scf.for %i = %c0 to %c1 step %c1 {
    linalg.exp ins(%s : !s) outs(%s : !s)
    memref.copy %A, %s : !T to !s
  }
  linalg.exp ins(%s : !s) outs(%C : !T)
  return
}

// Filled in branches: zeros before.
// CHECK-LABEL: func.func @branches
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[S:.*]] : memref
// CHECK-NEXT: scf.if
// CHECK: linalg.exp ins(%[[S]]
func.func @branches(%A: !T, %B: !T, %C: !T, %flag: i1) attributes {tt.kernel} {
  %s = memref.alloc() : !s
  scf.if %flag {
    memref.copy %A, %s : !T to !s
  } else {
    memref.copy %B, %s : !T to !s
  }
  linalg.exp ins(%s : !s) outs(%C : !T)
  return
}

// What is not read goes, with what it was computed of.
// CHECK-LABEL: func.func @unread
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @unread(%A: !T, %C: !T) attributes {tt.kernel} {
  // expected-warning @below {{this buffer is written, but never read; it is dropped, and what is computed for it}}
  %s = memref.alloc() : !s
  // expected-warning @below {{this buffer is written, but never read}}
  %t = memref.alloc() : !s
  memref.copy %A, %s : !T to !s
  linalg.exp ins(%s : !s) outs(%t : !s)
  linalg.exp ins(%A : !T) outs(%C : !T)
  return
}

// One that is read only to compute itself is not read either.
// CHECK-LABEL: func.func @of_itself
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp
// CHECK-NEXT: return
func.func @of_itself(%A: !T, %C: !T) attributes {tt.kernel} {
  // expected-warning @below {{this buffer is written, but never read}}
  %s = memref.alloc() : !s
  memref.copy %A, %s : !T to !s
  linalg.negf ins(%s : !s) outs(%s : !s)
  linalg.exp ins(%A : !T) outs(%C : !T)
  return
}

// A ragged block that is seen through one view holds what is loaded, and needs no zeros beside it.
// CHECK-LABEL: func.func @ragged
// CHECK-NOT: linalg.fill
// CHECK: memref.copy
func.func @ragged(%A: memref<?x32xf32>, %C: memref<?x32xf32>, %n: index) attributes {tt.kernel} {
  %s = memref.alloc() : memref<64x32xf32>
  %a = memref.subview %A[0, 0] [%n, 32] [1, 1] : memref<?x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  %c = memref.subview %C[0, 0] [%n, 32] [1, 1] : memref<?x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  %u = memref.subview %s[0, 0] [%n, 32] [1, 1] : memref<64x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  %v = memref.subview %s[0, 0] [%n, 32] [1, 1] : memref<64x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  memref.copy %a, %u : memref<?x32xf32, strided<[32, 1]>> to memref<?x32xf32, strided<[32, 1]>>
  linalg.exp ins(%v : memref<?x32xf32, strided<[32, 1]>>) outs(%c : memref<?x32xf32, strided<[32, 1]>>)
  return
}

// A loop that carries buffers, and gives one, is no view of it: what it begins with is read.
// CHECK-LABEL: func.func @carried
// CHECK: linalg.fill
// CHECK: scf.for
func.func @carried(%X: !T, %Y: !T) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.5 : f32
  %p = memref.alloc() : !T
  %v = memref.cast %p : !T to memref<?x32xf32>
  %q = memref.cast %v : memref<?x32xf32> to !T
  linalg.fill ins(%z : f32) outs(%p : !T)
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %q) -> (!T) {
    %n = memref.alloc() : !T
    linalg.add ins(%a, %X : !T, !T) outs(%n : !T)
    scf.yield %n : !T
  }
  memref.copy %r, %Y : !T to !T
  return
}

// Nor is a choice.
// CHECK-LABEL: func.func @chosen
// CHECK: linalg.fill
// CHECK: arith.select
func.func @chosen(%X: !T, %Y: !T, %f: i1) attributes {tt.kernel} {
  %z = arith.constant 0.5 : f32
  %p = memref.alloc() : !T
  linalg.fill ins(%z : f32) outs(%p : !T)
  %s = arith.select %f, %p, %X : !T
  memref.copy %s, %Y : !T to !T
  return
}

// One that is freed stays, and comes to an end.
// CHECK-LABEL: func.func @freed
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @freed(%X: !T, %Y: !T) attributes {tt.kernel} {
  %z = arith.constant 0.5 : f32
  // expected-warning @below {{this buffer is written, but never read}}
  %p = memref.alloc() : !T
  linalg.fill ins(%z : f32) outs(%p : !T)
  memref.copy %X, %Y : !T to !T
  memref.dealloc %p : !T
  return
}
