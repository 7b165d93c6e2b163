// RUN: tt-opt %s --tt-raise-loops --tt-pad-guarded --split-input-file | FileCheck %s

// 29 elements more to the left would do, but whole tiles move as they are; the load goes on 32 - 3.
// CHECK-LABEL: func.func @before
// CHECK: %[[P:.*]] = memref.alloc() : memref<2x192xf32>
// CHECK: scf.forall
// CHECK: memref.store %{{.*}}, %[[P]]
// CHECK: scf.forall
// CHECK: %[[X:.*]] = memref.load %arg0
// CHECK: memref.store %[[X]], %[[P]]
// CHECK: scf.forall
// CHECK: %[[AT:.*]] = arith.subi
// CHECK: %[[TO:.*]] = arith.addi %[[AT]], %{{.*}}
// CHECK: scf.if
// CHECK: memref.load %[[P]][%{{.*}}, %[[TO]]]
func.func @before(%X: memref<2x160xf32>, %Y: memref<2x160xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  affine.parallel (%r, %t) = (0, 0) to (2, 160) {
    %at = arith.subi %t, %c3 : index
    %in = arith.cmpi sge, %at, %c0 : index
    %v = scf.if %in -> f32 {
      %x = memref.load %X[%r, %at] : memref<2x160xf32>
      scf.yield %x : f32
    } else {
      scf.yield %z : f32
    }
    affine.store %v, %Y[%r, %t] : memref<2x160xf32>
  }
  return
}

// -----

// A load that stays inside needs nothing, whatever branch it stands in; nor does one of a tensor
// that the kernel writes, which is refused as such.
// CHECK-LABEL: func.func @inside
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @inside(%X: memref<64xf32>, %Y: memref<64xf32>, %W: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %z = arith.constant 0.0 : f32
  affine.parallel (%t) = (0) to (64) {
    %in = arith.cmpi sge, %t, %c9 : index
    %v = scf.if %in -> f32 {
      %x = memref.load %X[%t] : memref<64xf32>
      scf.yield %x : f32
    } else {
      scf.yield %z : f32
    }
    %at = arith.subi %t, %c1 : index
    %w = scf.if %in -> f32 {
      %x = memref.load %W[%at] : memref<64xf32>
      scf.yield %x : f32
    } else {
      scf.yield %v : f32
    }
    affine.store %w, %W[%t] : memref<64xf32>
    affine.store %v, %Y[%t] : memref<64xf32>
  }
  return
}

// -----

// A loop of which a branch says where it ends, since what it would add after that is zero, ends
// there, and needs no padding.
// CHECK-LABEL: func.func @masked
// CHECK-NOT: memref.alloc
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: scf.for %{{.*}} to %[[SIZE]]
// CHECK-NOT: scf.if
func.func @masked(%A: memref<4x80xf32>, %S: memref<4xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c80 = arith.constant 80 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%u) in (1) {
    scf.for %k0 = %c0 to %c80 step %c32 {
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %k = %c0 to %c32 step %c1 {
          %at = arith.addi %k0, %k : index
          %in = arith.cmpi ult, %at, %c80 : index
          %a = scf.if %in -> f32 {
            %x = memref.load %A[%i, %at] : memref<4x80xf32>
            scf.yield %x : f32
          } else {
            scf.yield %z : f32
          }
          %s = memref.load %S[%i] : memref<4xf32>
          %n = arith.addf %s, %a : f32
          memref.store %n, %S[%i] : memref<4xf32>
        }
      }
    }
  }
  return
}

// -----

// Where something is added after the end, the loop stays as it is.
// CHECK-LABEL: func.func @counts
// CHECK: memref.alloc
// CHECK: scf.if
func.func @counts(%A: memref<4x80xf32>, %S: memref<4xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c80 = arith.constant 80 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%u) in (1) {
    scf.for %k0 = %c0 to %c80 step %c32 {
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %k = %c0 to %c32 step %c1 {
          %at = arith.addi %k0, %k : index
          %in = arith.cmpi ult, %at, %c80 : index
          %a = scf.if %in -> f32 {
            %x = memref.load %A[%i, %at] : memref<4x80xf32>
            scf.yield %x : f32
          } else {
            scf.yield %one : f32
          }
          %s = memref.load %S[%i] : memref<4xf32>
          %n = arith.addf %s, %a : f32
          memref.store %n, %S[%i] : memref<4xf32>
        }
      }
    }
  }
  return
}

// -----

// A loop that ends at the diagonal goes over all, and sums zeros behind it.
// CHECK-LABEL: func.func @triangle
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c64
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c63{{.*}} iter_args(%[[S:.*]] = %{{.*}})
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[K]], %[[I]]
// CHECK: %[[X:.*]] = memref.load
// CHECK: %[[T:.*]] = arith.select %[[IN]], %[[X]], %{{.*}}
// CHECK: arith.addf %[[S]], %[[T]]
func.func @triangle(%A: memref<64x64xf32>, %C: memref<64xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %s = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%t = %zero) -> (f32) {
      %x = affine.load %A[%i, %k] : memref<64x64xf32>
      %n = arith.addf %t, %x : f32
      affine.yield %n : f32
    }
    affine.store %s, %C[%i] : memref<64xf32>
  }
  return
}

// -----

// Of vectors, what stores is a branch.
// CHECK-LABEL: func.func @vectors
// CHECK: arith.cmpi slt
// CHECK: scf.if
func.func @vectors(%A: memref<64x64xvector<4xf32>>, %C: memref<64xvector<4xf32>>) attributes {tt.kernel} {
  affine.for %i = 0 to 64 {
    affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %A[%i, %k] : memref<64x64xvector<4xf32>>
      %o = affine.load %C[%i] : memref<64xvector<4xf32>>
      %n = arith.addf %o, %x : vector<4xf32>
      affine.store %n, %C[%i] : memref<64xvector<4xf32>>
    }
  }
  return
}

// -----

// What steers blocks is loaded by itself, where its branch is taken.
// CHECK-LABEL: func.func @table
// CHECK-NOT: memref.alloc() : memref<34xi32>
// CHECK: scf.if
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<2xi32>
func.func @table(%A: memref<64x64xf32>, %at: memref<2xi32>, %C: memref<64x64xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (3) {
    %inside = arith.cmpi sge, %b, %c1 : index
    scf.if %inside {
      %before = arith.subi %b, %c1 : index
      %t = memref.load %at[%before] : memref<2xi32>
      %i = arith.index_cast %t : i32 to index
      %from = arith.muli %i, %c32 : index
      %to = arith.muli %before, %c32 : index
      %x = memref.subview %A[%from, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      %y = memref.subview %C[%to, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      memref.copy %x, %y : memref<32x64xf32, strided<[64, 1], offset: ?>> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    }
  }
  return
}

// -----

// A loop over a window that ends where the tensor does goes over all of the window, with a branch; the outer one's branch
// goes into the inner loop, and what may be outside is read from a padded copy. Which batch a cell has is a quotient.
// CHECK-LABEL: func.func @window
// CHECK: memref.alloc() : memref<2x52x54xf32>
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[N:.*]] step %{{.*}} iter_args
// CHECK-NOT: scf.if
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK: scf.if
// CHECK: scf.if
// CHECK: memref.load %{{.*}} : memref<2x52x54xf32>
func.func @window(%X: memref<2x20x22xf32>, %Y: memref<2x10x11xf32>) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  affine.parallel (%n, %q, %oh, %p) = (0, 0, 0, 0) to (2, 1, 10, 1) {
    affine.for %ow = 0 to 11 {
      %res = affine.for %i = max affine_map<(d) -> (d * 2 - 1, 0)>(%oh) to min affine_map<(d) -> (d * 2 + 2, 20)>(%oh) iter_args(%a = %z) -> (f32) {
        %r = affine.for %j = max affine_map<(d) -> (d * 2 - 1, 0)>(%ow) to min affine_map<(d) -> (d * 2 + 2, 22)>(%ow) iter_args(%b = %a) -> (f32) {
          %x = memref.load %X[%n, %i, %j] : memref<2x20x22xf32>
          %s = arith.addf %b, %x : f32
          affine.yield %s : f32
        }
        affine.yield %r : f32
      }
      memref.store %res, %Y[%n, %oh, %ow] : memref<2x10x11xf32>
    }
  }
  return
}

// -----

// Bounds of which no two differ by a constant are no window.
// CHECK-LABEL: func.func @no_window
// CHECK: affine.max
// CHECK: affine.min
// CHECK-NOT: scf.if
// CHECK: return
func.func @no_window(%X: memref<32x64xf32>, %Y: memref<32xf32>, %l: index {tt.range = [0, 60]}, %h: index {tt.range = [0, 64]}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 32 {
    %s = affine.for %j = max affine_map<(d) -> (d, 2)>(%l) to min affine_map<(d) -> (d, 64)>(%h) iter_args(%a = %z) -> (f32) {
      %x = affine.load %X[%i, %j] : memref<32x64xf32>
      %t = arith.addf %a, %x : f32
      affine.yield %t : f32
    }
    affine.store %s, %Y[%i] : memref<32xf32>
  }
  return
}

// -----

// The last block of a flat tensor, in place, whose place is computed inside: it is shorter.
// CHECK-LABEL: func.func @blocks
// CHECK-NOT: memref.alloc
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: scf.for %{{.*}} to %[[SIZE]]
// CHECK-NOT: scf.if
// CHECK: memref.store
func.func @blocks(%X: memref<3000xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3000 : index
  %size = arith.constant 1024 : index
  scf.forall (%b) in (3) {
    scf.for %t = %c0 to %size step %c1 {
      %at = arith.muli %b, %size : index
      %o = arith.addi %at, %t : index
      %in = arith.cmpi slt, %o, %n : index
      scf.if %in {
        %x = memref.load %X[%o] : memref<3000xf32>
        %y = arith.mulf %x, %x : f32
        memref.store %y, %X[%o] : memref<3000xf32>
      }
    }
  }
  return
}
