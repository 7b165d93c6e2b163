// RUN: tt-opt %s --tt-raise-elements --split-input-file --verify-diagnostics | FileCheck %s
// RUN: tt-opt %S/Inputs/points.mlir --tt-raise-loops | FileCheck %S/Inputs/points.mlir --check-prefix=POINTS

// Each store is an op over all loops around it; constants fill; what is only moved is copied.
// CHECK-LABEL: func.func @row_sums
// CHECK: %[[S:.*]] = memref.subview %{{.*}}[%[[M:.*]]] [32] [1]
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[S]]
// CHECK: %[[A:.*]] = memref.subview %{{.*}}[%[[M]], 3] [32, 61] [1, 1]
// CHECK: linalg.generic {indexing_maps = [#[[IJ:.*]], #[[I:.*]]], iterator_types = ["parallel", "reduction"]} ins(%[[A]] {{.*}} outs(%[[S]]
// CHECK: arith.addf
// CHECK: memref.copy
// CHECK-NOT: scf.for
func.func @row_sums(%A: memref<64x64xf32>, %S: memref<64xf32>, %C: memref<64xf32>, %m: index) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c32 step %c1 {
    %r = arith.addi %m, %i : index
    memref.store %zero, %S[%r] : memref<64xf32>
    scf.for %j = %c3 to %c64 step %c1 {
      %a = memref.load %A[%r, %j] : memref<64x64xf32>
      %s = memref.load %S[%r] : memref<64xf32>
      %t = arith.addf %s, %a : f32
      memref.store %t, %S[%r] : memref<64xf32>
    }
    %s = memref.load %S[%r] : memref<64xf32>
    memref.store %s, %C[%r] : memref<64xf32>
  }
  return
}

// What a loop carries lies in a buffer; a branch is a choice; a loop over blocks stays.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for %[[K:.*]] =
// CHECK: %[[T:.*]] = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
// CHECK: linalg.fill
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[T]]
// CHECK: linalg.index 0
// CHECK: arith.cmpi
// CHECK: arith.select
func.func @carried(%A: memref<128x64xf32>, %S: memref<128xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %k = %c0 to %c4 step %c1 {
    %m = arith.muli %k, %c32 : index
    scf.for %i = %c0 to %c32 step %c1 {
      %r = arith.addi %m, %i : index
      %sum = scf.for %j = %c0 to %c64 step %c1 iter_args(%s = %zero) -> f32 {
        %a = memref.load %A[%r, %j] : memref<128x64xf32>
        %t = arith.maximumf %s, %a : f32
        scf.yield %t : f32
      }
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        memref.store %sum, %S[%r] : memref<128xf32>
      }
    }
  }
  return
}

// -----

// What needs the step before is done step by step, in the order that is written.
// CHECK-LABEL: func.func @recurrence
// CHECK: scf.for
// CHECK-NEXT: arith.subi
// CHECK: memref.store
func.func @recurrence(%A: memref<64xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-warning @below {{goes on element by element, in the order that is written, which takes a core some thousand clk for each: a step reads elements that other steps write}}
  scf.for %i = %c1 to %c64 step %c1 {
    %before = arith.subi %i, %c1 : index
    %a = memref.load %A[%before] : memref<64xf32>
    memref.store %a, %A[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @last_value
// CHECK: scf.for
// CHECK: memref.store
func.func @last_value(%A: memref<64xf32>, %S: memref<1xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-warning @below {{goes on element by element, in the order that is written, which takes a core some thousand clk for each: steps of a loop write the same element, and not as a sum or an extreme of all}}
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %A[%i] : memref<64xf32>
    memref.store %a, %S[%c0] : memref<1xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @two_stores
// CHECK: scf.for
// CHECK: memref.store
// CHECK: memref.store
func.func @two_stores(%A: memref<65xf32>, %x: f32, %y: f32) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-warning @below {{goes on element by element, in the order that is written, which takes a core some thousand clk for each: steps of a loop}}
  scf.for %i = %c0 to %c64 step %c1 {
    %next = arith.addi %i, %c1 : index
    memref.store %x, %A[%next] : memref<65xf32>
    memref.store %y, %A[%c0] : memref<65xf32>
  }
  return
}

// -----

// What is overwritten before its last use waits in a buffer.
// CHECK-LABEL: func.func @exchange
// CHECK: memref.copy %arg0, %[[OLD:.*]] :
// CHECK: memref.copy %arg1, %arg0 :
// CHECK: memref.copy %[[OLD]], %arg1 :
func.func @exchange(%A: memref<64xf32>, %B: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %A[%i] : memref<64xf32>
    %b = memref.load %B[%i] : memref<64xf32>
    memref.store %b, %A[%i] : memref<64xf32>
    memref.store %a, %B[%i] : memref<64xf32>
  }
  return
}

// -----

// An index that goes on by 2 is a stride of the view; one of two loops is a sum of dimensions.
// CHECK: #[[SUM:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: func.func @strided
// CHECK: %[[B:.*]] = memref.subview %{{.*}}[%{{.*}}] [64] [2] : memref<130xf32> to memref<64xf32, strided<[2], offset: ?>>
// CHECK: memref.copy %[[B]]
// CHECK: %[[W:.*]] = memref.subview %arg1[0] [67] [1]
// CHECK: linalg.generic {indexing_maps = [#[[SUM]], {{.*}} ins(%[[W]]
func.func @strided(%A: memref<64xf32>, %B: memref<130xf32>, %K: memref<4xf32>, %C: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %twice = arith.muli %i, %c2 : index
    %at = arith.addi %twice, %c1 : index
    %b = memref.load %B[%at] : memref<130xf32>
    memref.store %b, %A[%i] : memref<64xf32>
    scf.for %k = %c0 to %c4 step %c1 {
      %w = arith.addi %i, %k : index
      %x = memref.load %B[%w] : memref<130xf32>
      %f = memref.load %K[%k] : memref<4xf32>
      %s = memref.load %C[%i] : memref<64xf32>
      %p = arith.mulf %x, %f : f32
      %n = arith.addf %s, %p : f32
      memref.store %n, %C[%i] : memref<64xf32>
    }
  }
  return
}

// -----

// What another step has written is not what was there before: the loop is no op.
// CHECK-LABEL: func.func @ahead
// CHECK: scf.for
// CHECK: memref.store
// CHECK: memref.store
func.func @ahead(%A: memref<96xf32>, %B: memref<64xf32>, %x: f32) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // expected-warning @below {{goes on element by element, in the order that is written, which takes a core some thousand clk for each: steps of a loop touch elements of one buffer that other steps write}}
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %x, %A[%i] : memref<96xf32>
    %next = arith.addi %i, %c32 : index
    %a = memref.load %A[%next] : memref<96xf32>
    memref.store %a, %B[%i] : memref<64xf32>
  }
  return
}

// -----

func.func @backwards(%A: memref<64xf32>, %B: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  // expected-warning @below {{goes on element by element, in the order that is written, which takes a core some thousand clk for each: an index goes backwards}}
  scf.for %i = %c0 to %c64 step %c1 {
    %back = arith.subi %c63, %i : index
    %b = memref.load %B[%back] : memref<64xf32>
    memref.store %b, %A[%i] : memref<64xf32>
  }
  return
}

// -----

// Of a row that is turned around, columns are copied, each by one op.
// CHECK-LABEL: func.func @turned
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.subview %arg0[0, %{{.*}}] [32, 1] [1, 1]
// CHECK: memref.copy
// CHECK-NOT: memref.load
func.func @turned(%A: memref<32x64xf32>, %B: memref<32x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %back = arith.subi %c63, %j : index
      %a = memref.load %A[%i, %back] : memref<32x64xf32>
      memref.store %a, %B[%i, %j] : memref<32x64xf32>
    }
  }
  return
}

// -----

// What is stored where a flag that goes on from step to step says is a choice, and so is what is stored behind the loop:
// the steps go outside of the rows.
// CHECK-LABEL: func.func @ended
// CHECK: scf.for
// CHECK: arith.select
// CHECK: arith.select
// CHECK-NOT: scf.if
// CHECK: return
func.func @ended(%A: memref<32x8xi32>, %B: memref<32x8xi32>, %C: memref<32xi32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %c0 to %c32 step %c1 {
    %f = scf.for %j = %c0 to %c8 step %c1 iter_args(%e = %z) -> (i32) {
      %has = arith.cmpi ne, %e, %z : i32
      %n = scf.if %has -> (i32) {
        scf.yield %e : i32
      } else {
        %a = memref.load %A[%i, %j] : memref<32x8xi32>
        memref.store %a, %B[%i, %j] : memref<32x8xi32>
        %q = arith.cmpi eq, %a, %z : i32
        %r = arith.extui %q : i1 to i32
        scf.yield %r : i32
      }
      scf.yield %n : i32
    }
    %has = arith.cmpi ne, %f, %z : i32
    scf.if %has {
      memref.store %o, %C[%i] : memref<32xi32>
    }
  }
  return
}

// -----

// Each step has a row of the buffer for itself: it is a buffer of the step, also where a loop in it has a bound of its own.
// CHECK-LABEL: func.func @own
// CHECK-NOT: memref<4x64xf32, #gpu
// CHECK: scf.for
// CHECK-NEXT: %[[ROW:.*]] = memref.alloc() : memref<64xf32, #gpu.address_space<private>>
// CHECK: linalg.fill {{.*}} outs(%[[ROW]] :
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[ROW]] :
// CHECK: memref.copy %[[ROW]]
func.func @own(%A: memref<40x64xf32>, %L: memref<4xi32>, %C: memref<4x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4x64xf32, #gpu.address_space<private>>
  scf.for %h = %c0 to %c4 step %c1 {
    %n = tt.load_index %L[%h] : memref<4xi32>
    scf.for %d = %c0 to %c64 step %c1 {
      memref.store %z, %m[%h, %d] : memref<4x64xf32, #gpu.address_space<private>>
    }
    scf.for %t = %c0 to %n step %c1 {
      %p = tt.load_index %L[%t] : memref<4xi32>
      scf.for %d = %c0 to %c64 step %c1 {
        %a = memref.load %A[%p, %d] : memref<40x64xf32>
        %o = memref.load %m[%h, %d] : memref<4x64xf32, #gpu.address_space<private>>
        %s = arith.addf %o, %a : f32
        memref.store %s, %m[%h, %d] : memref<4x64xf32, #gpu.address_space<private>>
      }
    }
    scf.for %d = %c0 to %c64 step %c1 {
      %o = memref.load %m[%h, %d] : memref<4x64xf32, #gpu.address_space<private>>
      memref.store %o, %C[%h, %d] : memref<4x64xf32>
    }
  }
  return
}

// -----

// What is used behind the loop stays a buffer of all steps.
// CHECK-LABEL: func.func @together
// CHECK: memref.alloc() : memref<4x64xf32, #gpu.address_space<private>>
// CHECK: scf.for
func.func @together(%A: memref<40x64xf32>, %L: memref<4xi32>, %C: memref<4x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %m = memref.alloc() : memref<4x64xf32, #gpu.address_space<private>>
  scf.for %h = %c0 to %c4 step %c1 {
    %p = tt.load_index %L[%h] : memref<4xi32>
    scf.for %d = %c0 to %c64 step %c1 {
      %a = memref.load %A[%p, %d] : memref<40x64xf32>
      memref.store %a, %m[%h, %d] : memref<4x64xf32, #gpu.address_space<private>>
    }
  }
  memref.copy %m, %C : memref<4x64xf32, #gpu.address_space<private>> to memref<4x64xf32>
  return
}

// -----

// A recurrence along rows is a step of all rows after the other.
// CHECK-LABEL: func.func @along
// CHECK: %[[S:.*]] = memref.alloc() : memref<32xf32
// CHECK: linalg.fill {{.*}} outs(%[[S]]
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.subview %arg0[0, %[[J]]] [32, 1] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[S]]
// CHECK: arith.mulf
// CHECK: memref.copy %[[S]], %arg1
func.func @along(%X: memref<32x8xf32>, %Y: memref<32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c32 step %c1 {
    %r = scf.for %j = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
      %x = memref.load %X[%i, %j] : memref<32x8xf32>
      %p = arith.mulf %s, %x : f32
      %n = arith.addf %p, %x : f32
      scf.yield %n : f32
    }
    memref.store %r, %Y[%i] : memref<32xf32>
  }
  return
}

// -----

// A scan from the end: its steps go outside, and so does the loop behind it, of which it is no part.
// CHECK-LABEL: func.func @reversed
// CHECK: scf.for
// CHECK: %[[V:.*]] = memref.subview %{{.*}}[0, %{{.*}}] [32, 1] [1, 1]
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: scf.for
func.func @reversed(%A: memref<32x16xf32>, %C: memref<32x16xf32>, %D: memref<32x16xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c32 step %c1 {
    %all = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (f32) {
      %k = arith.subi %c15, %j : index
      %a = memref.load %A[%i, %k] : memref<32x16xf32>
      %t = arith.addf %s, %a : f32
      memref.store %t, %C[%i, %k] : memref<32x16xf32>
      scf.yield %t : f32
    }
    scf.for %j = %c0 to %c16 step %c1 {
      %a = memref.load %A[%i, %j] : memref<32x16xf32>
      %q = arith.divf %a, %all : f32
      memref.store %q, %D[%i, %j] : memref<32x16xf32>
    }
  }
  return
}

// -----

// Loops in a branch that elements decide: what they store is a choice.
// CHECK-LABEL: func.func @branches
// CHECK: linalg.generic
// CHECK: %[[IS:.*]] = arith.cmpf olt
// CHECK: arith.select %[[IS]], %{{.*}}, %out
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: %[[NOT:.*]] = arith.cmpf olt
// CHECK: arith.select %[[NOT]], %out, %{{.*}}
func.func @branches(%L: memref<32xf32>, %A: memref<32x64xf32>, %C: memref<32x64xf32>, %D: memref<32xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %l = memref.load %L[%i] : memref<32xf32>
    %is = arith.cmpf olt, %l, %zero : f32
    scf.if %is {
      scf.for %j = %c0 to %c64 step %c1 {
        memref.store %zero, %C[%i, %j] : memref<32x64xf32>
      }
    } else {
      %s = scf.for %j = %c0 to %c64 step %c1 iter_args(%t = %zero) -> (f32) {
        %x = memref.load %A[%i, %j] : memref<32x64xf32>
        %y = arith.addf %t, %x : f32
        scf.yield %y : f32
      }
      memref.store %s, %D[%i] : memref<32xf32>
    }
  }
  return
}

// -----

// What a loop over a list carries, around ops, is a buffer.
// CHECK-LABEL: func.func @carried
// CHECK: %[[B:.*]] = memref.alloc() : memref<f32
// CHECK: memref.store %{{.*}}, %[[B]][]
// CHECK: scf.for %{{.*}} {
// CHECK: linalg.generic
// CHECK: memref.store %{{.*}}, %[[B]][]
// CHECK: }
// CHECK: %[[R:.*]] = memref.load %[[B]][]
// CHECK: memref.store %[[R]], %arg2
func.func @carried(%A: memref<12x64xf32>, %T: memref<4xi32> {tt.range = [0, 11]}, %C: memref<1xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %p = %c0 to %c4 step %c1 iter_args(%m = %zero) -> (f32) {
    %t = tt.load_index %T[%p] : memref<4xi32>
    %s = scf.for %j = %c0 to %c64 step %c1 iter_args(%a = %m) -> (f32) {
      %x = memref.load %A[%t, %j] : memref<12x64xf32>
      %y = arith.maximumf %a, %x : f32
      scf.yield %y : f32
    }
    scf.yield %s : f32
  }
  memref.store %r, %C[%c0] : memref<1xf32>
  return
}

// -----

// A factor that is made of a maximum, which is overwritten before a loop uses it.
// CHECK-LABEL: func.func @rescaled
// CHECK: memref.copy %arg1, %[[OLD:.*]] :
// CHECK: linalg.generic {{.*}} ins(%[[OLD]], %arg0 {{.*}} outs(%arg1
// CHECK: linalg.generic {{.*}} ins(%[[OLD]]{{.*}} outs(%arg2
func.func @rescaled(%X: memref<32xf32>, %M: memref<32xf32>, %A: memref<32x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %m = memref.load %M[%i] : memref<32xf32>
    %x = memref.load %X[%i] : memref<32xf32>
    %n = arith.maximumf %m, %x : f32
    memref.store %n, %M[%i] : memref<32xf32>
    %e = math.exp %m : f32
    scf.for %j = %c0 to %c64 step %c1 {
      %a = memref.load %A[%i, %j] : memref<32x64xf32>
      %b = arith.mulf %a, %e : f32
      memref.store %b, %A[%i, %j] : memref<32x64xf32>
    }
  }
  return
}

// An index of which each number takes the one before it twice goes before the nest once, not once for each way to it.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-40: arith.maxsi
// CHECK-NOT: arith.maxsi
// CHECK: memref.subview
func.func @twice(%A: memref<4096x64xf32>, %i: index, %C: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c1 {
    %r0 = arith.shrui %i, %c1 : index
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

// A loop from the largest number has no step, and one from the least more than a number can say.
func.func @no_step(%A: memref<64x64xf32>, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %far = arith.constant 9223372036854775807 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %far to %c64 step %c1 {
      %x = memref.load %A[%i, %j] : memref<64x64xf32>
      // expected-error @below {{a loop has no step}}
      memref.store %x, %C[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// -----

func.func @many_steps(%A: memref<64x64xf32>, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %far = arith.constant -9223372036854775807 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %far to %c64 step %c1 {
      %x = memref.load %A[%i, %j] : memref<64x64xf32>
      // expected-error @below {{a loop has more steps than a number can say}}
      memref.store %x, %C[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// -----

// A window without weights: its loops have an operand of their extents, which the body does not take.
// CHECK-LABEL: func.func @counted
// CHECK: %[[W:.*]] = memref.alloc() : memref<3x3xf32
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%{{.*}}, %[[W]]
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32, %[[O:.*]]: f32):
// CHECK-NEXT: arith.addf %[[O]], %[[X]]
func.func @counted(%A: memref<10x12xf32>, %C: memref<8x10xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      scf.for %a = %c0 to %c3 step %c1 {
        scf.for %b = %c0 to %c3 step %c1 {
          %y = arith.addi %i, %a : index
          %x = arith.addi %j, %b : index
          %v = memref.load %A[%y, %x] : memref<10x12xf32>
          %o = memref.load %C[%i, %j] : memref<8x10xf32>
          %s = arith.addf %o, %v : f32
          memref.store %s, %C[%i, %j] : memref<8x10xf32>
        }
      }
    }
  }
  return
}

// -----

// Scores that are made again for each column are summed before the loop over these: two products.
// CHECK-LABEL: func.func @again
// CHECK: %[[S:.*]] = memref.alloc() : memref<8x40xf32
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} {{.*}}%arg2
func.func @again(%Q: memref<8x16xf32>, %K: memref<40x16xf32>, %V: memref<40x32xf32>, %C: memref<8x32xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %d = %c0 to %c32 step %c1 {
      %r = scf.for %j = %c0 to %c40 step %c1 iter_args(%a = %zero) -> (f32) {
        %s = scf.for %e = %c0 to %c16 step %c1 iter_args(%b = %zero) -> (f32) {
          %q = memref.load %Q[%i, %e] : memref<8x16xf32>
          %k = memref.load %K[%j, %e] : memref<40x16xf32>
          %x = arith.mulf %q, %k : f32
          %y = arith.addf %b, %x : f32
          scf.yield %y : f32
        }
        %v = memref.load %V[%j, %d] : memref<40x32xf32>
        %x = arith.mulf %s, %v : f32
        %y = arith.addf %a, %x : f32
        scf.yield %y : f32
      }
      memref.store %r, %C[%i, %d] : memref<8x32xf32>
    }
  }
  return
}

// -----

// A loop that gives the number that it is given, as a branch may hold.
// CHECK-LABEL: func.func @nothing
func.func @nothing(%X: memref<8xf32>, %Y: memref<8xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c1 {
    %r = scf.for %j = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (f32) {
      scf.yield %s : f32
    }
    memref.store %r, %Y[%i] : memref<8xf32>
  }
  return
}
