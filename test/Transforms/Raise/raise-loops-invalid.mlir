// RUN: tt-opt %s --tt-raise-loops --split-input-file --verify-diagnostics

// Places of elements in a list that all fill: the old value is the order of threads.
func.func @places(%I: memref<64xi32> {tt.range = [0, 7]}, %H: memref<8xi32>, %P: memref<64xi32>) attributes {tt.kernel} {
  %one = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (64) {
    %e = affine.load %I[%i] : memref<64xi32>
    %k = arith.index_cast %e : i32 to index
    // expected-error @below {{memref.atomic_rmw cannot stand in a kernel: sums and extremes whose old value nobody takes are done one after the other; an old value depends on the order of threads}}
    %old = memref.atomic_rmw addi %one, %H[%k] : (i32, memref<8xi32>) -> i32
    affine.store %old, %P[%i] : memref<64xi32>
  }
  return
}

// -----

!T = memref<32x32xf32>
// A view of a carried buffer that is made before the loop, and read in it.
func.func @view(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    %v = memref.subview %p[0, 0] [32, 32] [1, 1] : !T to memref<32x32xf32, strided<[32, 1]>>
    // expected-error @below {{iter_arg #0 may be one with another one: what it begins with is a buffer that is used otherwise from the loop on; begin with a memref.alloc right before the loop}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      // expected-note @below {{it is used here, too}}
      memref.copy %v, %Z : memref<32x32xf32, strided<[32, 1]>> to !T
      scf.yield %d, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// A loop before gives a carried buffer another name.
func.func @name(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %q) -> (!T) {
      linalg.add ins(%a, %X : !T, !T) outs(%a : !T)
      scf.yield %a : !T
    }
    // expected-error @below {{iter_arg #1 may be one with another one: what it begins with is a buffer that is used otherwise from the loop on; begin with a memref.alloc right before the loop}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      scf.yield %d, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
    // expected-note @below {{it is used here, too}}
    memref.copy %s, %Z : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// So does a choice, and a branch.
func.func @choice(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    %s = arith.select %f, %p, %Z : !T
    // expected-error @below {{iter_arg #0 may be one with another one: what it begins with is a buffer that is used otherwise from the loop on; begin with a memref.alloc right before the loop}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      scf.yield %d, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
    // expected-note @below {{it is used here, too}}
    memref.copy %s, %Y : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// What a branch before the loop gives.
func.func @branch(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    %s = scf.if %f -> (!T) {
      scf.yield %q : !T
    } else {
      scf.yield %Z : !T
    }
    // expected-error @below {{iter_arg #1 may be one with another one: what it begins with is a buffer that is used otherwise from the loop on; begin with a memref.alloc right before the loop}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      scf.yield %d, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
    // expected-note @below {{it is used here, too}}
    memref.copy %s, %Y : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// One buffer under two names is carried twice, once as it is.
func.func @cast(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    %s = memref.cast %p : !T to memref<?x32xf32>
    %t = memref.cast %s : memref<?x32xf32> to !T
    // expected-error @below {{iter_arg #0 may be one with another one: what it begins with is a buffer that is used otherwise from the loop on; begin with a memref.alloc right before the loop}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %t) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      scf.yield %d, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// One buffer is yielded twice.
func.func @same(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    // expected-error @below {{iter_args #0 and #1 become one, which is yielded for both; yield it for one of them, and for the other a memref.alloc of the step that it is copied into by memref.copy}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      scf.yield %d, %d : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// A choice of two buffers is yielded.
func.func @next(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    // expected-error @below {{iter_arg #0 may become one with another one: what is yielded for it is neither an iter_arg of the loop nor a memref.alloc of the step; memref.copy it into such an alloc, and yield that}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      %s = arith.select %f, %a, %d : !T
      scf.yield %s, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// What the loop begins with is no buffer that is made beside it.
func.func @begin(%X: !T, %Y: !T, %Z: !T, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    %s = memref.cast %q : !T to memref<?x32xf32>
    %t = memref.cast %s : memref<?x32xf32> to !T
    // expected-error @below {{iter_arg #1 may be one with another one: what it begins with is no buffer that is made beside the loop}}
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %t) -> (!T, !T) {
      linalg.add ins(%a, %X : !T, !T) outs(%d : !T)
      scf.yield %d, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
  }
  return
}

// -----

!T = memref<32x32xf32>
// An inner loop lets buffers change places that an outer one carries, and reads one of them behind it.
func.func @inner(%X: !T, %Y: !T) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%b) in (1) {
    %p = memref.alloc() : !T
    %q = memref.alloc() : !T
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (!T, !T) {
      // expected-error @below {{iter_arg #0 may be one with another one}}
      %i:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%e = %a, %g = %d) -> (!T, !T) {
        linalg.add ins(%e, %X : !T, !T) outs(%g : !T)
        scf.yield %g, %e : !T, !T
      }
      // expected-note @below {{it is used here, too}}
      scf.yield %i#0, %a : !T, !T
    }
    memref.copy %r#0, %Y : !T to !T
  }
  return
}
