// RUN: tt-opt %s --tt-check-elements --split-input-file --verify-diagnostics -o /dev/null

// Steps of a parallel loop in a cell meet in buffers that have several names.

// In the first round %a is %x.
func.func @carried(%X: memref<64x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (1) {
    %x = memref.alloc() : memref<64x32xf32>
    %y = memref.alloc() : memref<64x32xf32>
    %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %x) -> (memref<64x32xf32>) {
      scf.parallel (%t) = (%c0) to (%c2) step (%c1) {
        %m = arith.muli %t, %c32 : index
        %from = memref.subview %X[%m, 0] [32, 32] [1, 1]
          : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
        %to = memref.subview %a[%m, 0] [32, 32] [1, 1]
          : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
        %own = memref.alloc() : memref<64x32xf32>
        // expected-error @below {{one step of this parallel loop writes a block that another one reads: (1) writes the buffer[32, 0], and (0) reads it}}
        memref.copy %from, %to : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
        // expected-note @below {{and it is read here}}
        memref.copy %x, %own : memref<64x32xf32> to memref<64x32xf32>
      }
      scf.yield %y : memref<64x32xf32>
    }
  }
  return
}

// -----

// A loop in a step carries what all steps write.
func.func @inside(%X: memref<32x32xf32>, %Y: memref<32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%b) in (1) {
    scf.parallel (%t) = (%c0) to (%c2) step (%c1) {
      %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %Y) -> (memref<32x32xf32>) {
        // expected-error @below {{two steps of this parallel loop write the same block: (0) and (1) both write the buffer[0, 0]}}
        linalg.add ins(%X, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
        scf.yield %a : memref<32x32xf32>
      }
    }
  }
  return
}

// -----

// Which one is chosen is not known: a warning.
func.func @chosen(%X: memref<32x32xf32>, %L: memref<2xi32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (1) {
    %x = memref.alloc() : memref<32x32xf32>
    %y = memref.alloc() : memref<32x32xf32>
    %z = memref.alloc() : memref<32x32xf32>
    scf.parallel (%t) = (%c0) to (%c2) step (%c1) {
      %l = memref.load %L[%t] : memref<2xi32>
      %c = arith.cmpi eq, %l, %zero : i32
      %s = arith.select %c, %x, %y : memref<32x32xf32>
      // expected-warning @below {{cannot tell whether two steps of this parallel loop meet here in the buffer}}
      memref.copy %X, %s : memref<32x32xf32> to memref<32x32xf32>
      %own = memref.alloc() : memref<32x32xf32>
      memref.copy %z, %own : memref<32x32xf32> to memref<32x32xf32>
    }
  }
  return
}

// -----

// A branch before the loop gives it, element by element.
func.func @branched(%X: memref<32xf32>, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  scf.forall (%b) in (1) {
    %x = memref.alloc() : memref<32xf32>
    %y = memref.alloc() : memref<32xf32>
    %s = scf.if %f -> (memref<32xf32>) {
      scf.yield %x : memref<32xf32>
    } else {
      scf.yield %y : memref<32xf32>
    }
    scf.parallel (%t) = (%c0) to (%c31) step (%c1) {
      %n = arith.addi %t, %c1 : index
      %v = memref.load %x[%n] : memref<32xf32>
      // expected-warning @below {{cannot tell whether steps of this parallel loop read what others write here in the buffer}}
      memref.store %v, %s[%t] : memref<32xf32>
    }
  }
  return
}

// -----

// Views that a step makes are views of one buffer.
func.func @views(%X: memref<33xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  scf.forall (%b) in (1) {
    %x = memref.alloc() : memref<33xf32>
    scf.parallel (%t) = (%c0) to (%c31) step (%c1) {
      %s = memref.subview %x[%t] [2] [1] : memref<33xf32> to memref<2xf32, strided<[1], offset: ?>>
      // expected-note @below {{and it is read here}}
      %v = memref.load %s[%c1] : memref<2xf32, strided<[1], offset: ?>>
      // expected-error @below {{one step of this parallel loop writes a block that another one reads: (30) writes the buffer[30], and (29) reads it}}
      memref.store %v, %s[%c0] : memref<2xf32, strided<[1], offset: ?>>
    }
  }
  return
}

// -----

// Two that change places are never one, and parts of what a loop carries lie apart.
func.func @apart(%X: memref<64x32xf32>, %Y: memref<64x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (1) {
    %x = memref.alloc() : memref<64x32xf32>
    %y = memref.alloc() : memref<64x32xf32>
    memref.copy %X, %x : memref<64x32xf32> to memref<64x32xf32>
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %x, %q = %y) -> (memref<64x32xf32>, memref<64x32xf32>) {
      scf.parallel (%t) = (%c0) to (%c2) step (%c1) {
        %m = arith.muli %t, %c32 : index
        %n = arith.subi %c32, %m : index
        %from = memref.subview %p[%n, 0] [32, 32] [1, 1]
          : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
        %to = memref.subview %q[%m, 0] [32, 32] [1, 1]
          : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
        linalg.exp ins(%from : memref<32x32xf32, strided<[32, 1], offset: ?>>)
          outs(%to : memref<32x32xf32, strided<[32, 1], offset: ?>>)
      }
      scf.yield %q, %p : memref<64x32xf32>, memref<64x32xf32>
    }
    scf.parallel (%t) = (%c0) to (%c2) step (%c1) {
      %own = memref.alloc() : memref<32x32xf32>
      %m = arith.muli %t, %c32 : index
      %last = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %own) -> (memref<32x32xf32>) {
        linalg.exp ins(%a : memref<32x32xf32>) outs(%own : memref<32x32xf32>)
        scf.yield %own : memref<32x32xf32>
      }
      %from = memref.subview %r#0[%m, 0] [32, 32] [1, 1]
        : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %to = memref.subview %Y[%m, 0] [32, 32] [1, 1]
        : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %from, %to : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    }
  }
  return
}
