// RUN: tt-opt %s --tt-check-elements --split-input-file --verify-diagnostics -o /dev/null

// All to one element.
func.func @one(%X: memref<64x96xf32>, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c96) step (%c1, %c1) {
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    // expected-error @below {{two cells of the grid write the same element: (62, 0) and (63, 0) both write Y[0, 0], in no order; let one cell do all of it}}
    memref.store %v, %Y[%c0, %c0] : memref<64x96xf32>
  }
  return
}

// -----

// A dimension of the grid that does not tell where.
func.func @missing(%X: memref<64x?xf32>, %Y: memref<64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %X, %c1 : memref<64x?xf32>
  scf.forall (%i, %j) in (64, %n) {
    %v = memref.load %X[%i, %j] : memref<64x?xf32>
    // expected-error @below {{two cells of the grid write the same element}}
    memref.store %v, %Y[%i] : memref<64xf32>
  }
  return
}

// -----

// Two steps to each.
func.func @half(%X: memref<64x96xf32>, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (64, 96) {
    %v = affine.load %X[%i, %j] : memref<64x96xf32>
    // expected-error @below {{(62, 0) and (63, 0) both write Y[31, 0]}}
    affine.store %v, %Y[%i floordiv 2, %j] : memref<64x96xf32>
  }
  return
}

// -----

// Around again.
func.func @rest(%X: memref<64x96xf32>, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c4 = arith.constant 4 : index
    %r = arith.remui %i, %c4 : index
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    // expected-error @below {{(0, 95) and (4, 95) both write Y[0, 95]}}
    memref.store %v, %Y[%r, %j] : memref<64x96xf32>
  }
  return
}

// -----

// A bit that is set in any case, an extreme: counted.
func.func @bits(%X: memref<64x96xf32>, %Y: memref<64x96xf32> {tt.name = "Y"}, %Z: memref<64x96xf32>) attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c4 = arith.constant 4 : index
    %r = arith.ori %i, %c4 : index
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    // expected-error @below {{(0, 0) and (4, 0) both write Y[4, 0]}}
    memref.store %v, %Y[%r, %j] : memref<64x96xf32>
  }
  return
}

// -----

func.func @extreme(%X: memref<64x96xf32>, %Y: memref<64x96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c31 = arith.constant 31 : index
    %r = arith.minui %i, %c31 : index
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    // expected-error @below {{(31, 0) and (32, 0) both write Y[31, 0]}}
    memref.store %v, %Y[%r, %j] : memref<64x96xf32>
  }
  return
}

// -----

// A sum over a dimension of the grid.
func.func @sum(%X: memref<64x96xf32>, %C: memref<64xf32> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %x = memref.load %X[%i, %j] : memref<64x96xf32>
    %c = memref.load %C[%i] : memref<64xf32>
    %s = arith.addf %c, %x : f32
    // expected-error @below {{both write C[63], in no order; let one cell do all of it (a sum over a dimension of the grid becomes an scf.for inside of the cell, or memref.atomic_rmw)}}
    memref.store %s, %C[%i] : memref<64xf32>
  }
  return
}

// -----

// What another step writes.
func.func @next(%A: memref<128xf32> {tt.name = "A"}) attributes {tt.kernel} {
  scf.forall (%i) in (127) {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    // expected-note @below {{and it is read here}}
    %x = memref.load %A[%n] : memref<128xf32>
    // expected-error @below {{one cell of the grid writes what another one reads: (126) writes A[126], and (125) reads it, in no order; write to another tensor, or make it two grids}}
    memref.store %x, %A[%i] : memref<128xf32>
  }
  return
}

// -----

// Two stores, side by side.
func.func @beside(%X: memref<128xf32>, %Y: memref<129xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i) in (128) {
    %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = memref.load %X[%i] : memref<128xf32>
    // expected-error @below {{(127) and (126) both write Y[127]}}
    memref.store %x, %Y[%i] : memref<129xf32>
    %y = arith.negf %x : f32
    // expected-note @below {{and it is written here}}
    memref.store %y, %Y[%n] : memref<129xf32>
  }
  return
}

// -----

// A branch that more than one step takes; loops in a step have an order, but steps have none.
func.func @guarded(%X: memref<64x96xf32>, %Y: memref<96xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c96 = arith.constant 96 : index
  scf.forall (%i) in (64) {
    %few = arith.cmpi ult, %i, %c2 : index
    scf.if %few {
      scf.for %j = %c0 to %c96 step %c1 {
        %v = memref.load %X[%i, %j] : memref<64x96xf32>
        // expected-error @below {{(0) and (1) both write Y[0]}}
        memref.store %v, %Y[%j] : memref<96xf32>
      }
    }
  }
  return
}

// -----

// Where a list says.
func.func @listed(%X: memref<64xf32>, %I: memref<64xi32>, %Y: memref<99xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%i) in (64) {
    %v = memref.load %X[%i] : memref<64xf32>
    %k = memref.load %I[%i] : memref<64xi32>
    %at = arith.index_cast %k : i32 to index
    // expected-warning @below {{cannot tell whether two cells of the grid meet here in Y}}
    memref.store %v, %Y[%at] : memref<99xf32>
  }
  return
}

// -----

// One step takes the branch; bits change places; a part of a wider row; what is the step's own.
func.func @right(%X: memref<64x96xf32>, %Y: memref<96xf32>, %Z: memref<64x96xf32>, %W: memref<64x200xf32>) attributes {tt.kernel} {
  scf.forall (%i, %j) in (64, 96) {
    %c4 = arith.constant 4 : index
    %own = memref.alloc() : memref<2xf32>
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    memref.store %v, %own[%c4] : memref<2xf32>
    %one = arith.cmpi eq, %i, %c4 : index
    scf.if %one {
      memref.store %v, %Y[%j] : memref<96xf32>
    }
    %r = arith.xori %i, %c4 : index
    memref.store %v, %Z[%r, %j] : memref<64x96xf32>
    %n = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%j)
    memref.store %v, %W[%i, %n] : memref<64x200xf32>
    %w = memref.load %W[%i, %n] : memref<64x200xf32>
  }
  return
}

// -----

// Atomic sums are what they are for.
func.func @atomic(%X: memref<64xi32>, %H: memref<8xi32>) attributes {tt.kernel} {
  affine.parallel (%i) = (0) to (64) {
    %c7 = arith.constant 7 : index
    %one = arith.constant 1 : i32
    %k = arith.andi %i, %c7 : index
    %old = memref.atomic_rmw addi %one, %H[%k] : (i32, memref<8xi32>) -> i32
  }
  return
}

// -----

// Threads of a cell that add to one element.
func.func @inner_sum(%X: memref<64x64xf32>, %Y: memref<64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
      %x = memref.load %X[%i, %t] : memref<64x64xf32>
      %y = memref.load %Y[%i] : memref<64xf32>
      %s = arith.addf %x, %y : f32
      // expected-error @below {{two steps of this parallel loop write the same element: (62) and (63) both write Y[0], in no order; make it an scf.for, which has one, or memref.atomic_rmw for a sum}}
      memref.store %s, %Y[%i] : memref<64xf32>
    }
  }
  return
}

// -----

// Threads of which each takes what the one before it writes.
func.func @inner_neighbors(%X: memref<64x64xf32>) attributes {tt.kernel} {
  scf.forall (%i) in (64) {
    %b = memref.alloc() : memref<65xf32>
    affine.parallel (%t) = (0) to (64) {
      // expected-note @below {{and it is read here}}
      %x = affine.load %b[%t] : memref<65xf32>
      // expected-error @below {{one step of this parallel loop writes what another one reads: (62) writes the buffer[63], and (63) reads it, in no order; make it an scf.for, which has one, or two loops with a buffer between them}}
      affine.store %x, %b[%t + 1] : memref<65xf32>
    }
  }
  return
}

// -----

// A place in a list: not known.
func.func @inner_list(%L: memref<64xi32>, %Y: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
      %l = memref.load %L[%t] : memref<64xi32>
      %p = arith.index_cast %l : i32 to index
      %f = arith.sitofp %l : i32 to f32
      // expected-warning @below {{cannot tell whether two steps of this parallel loop meet here in Y}}
      memref.store %f, %Y[%i, %p] : memref<64x64xf32>
    }
  }
  return
}

// -----

// One thread of several, buffers of their own, steps that have an order, and what all of them store alike.
func.func @inner_apart(%X: memref<64x64xf32>, %Y: memref<64xf32>, %Z: memref<64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %b = memref.alloc() : memref<64xf32>
    scf.parallel (%t) = (%c0) to (%c64) step (%c1) {
      %own = memref.alloc() : memref<1xf32>
      memref.store %zero, %own[%c0] : memref<1xf32>
      memref.store %zero, %Z[%i] : memref<64xf32>
      scf.for %k = %c0 to %c64 step %c1 {
        %x = memref.load %X[%i, %k] : memref<64x64xf32>
        %o = memref.load %own[%c0] : memref<1xf32>
        %s = arith.addf %x, %o : f32
        memref.store %s, %own[%c0] : memref<1xf32>
        memref.store %s, %b[%t] : memref<64xf32>
      }
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %x = memref.load %X[%i, %c0] : memref<64x64xf32>
        memref.store %x, %Y[%i] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// What all steps have loaded alike, and computed of that, is stored by all of them.
func.func @inner_alike(%X: memref<4xf32>, %Y: memref<4xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %own = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      %j = arith.subi %c4, %i : index
      %x = memref.load %X[%i] : memref<4xf32>
      %o = memref.load %own[%j] : memref<4xf32>
      %s = arith.mulf %x, %o : f32
      memref.store %s, %Y[%i] : memref<4xf32>
    }
  }
  return
}

// -----

// One step loads what another one has changed.
func.func @inner_changed(%X: memref<4xf32>, %Y: memref<4xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      %x = memref.load %Y[%i] : memref<4xf32>
      %s = arith.addf %x, %x : f32
      // expected-error @below {{two steps of this parallel loop write the same element}}
      memref.store %s, %Y[%i] : memref<4xf32>
    }
  }
  return
}

// -----

// A step changes what it loads from under another name.
func.func @inner_renamed(%X: memref<4x4xf32>, %Z: memref<4x4xf32>, %Y: memref<4xf32>, %f: i1) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = arith.select %f, %X, %Z : memref<4x4xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      %z = memref.load %Z[%i, %t] : memref<4x4xf32>
      memref.store %z, %m[%i, %t] : memref<4x4xf32>
      %x = memref.load %X[%i, %c0] : memref<4x4xf32>
      // expected-error @below {{two steps of this parallel loop write the same element}}
      memref.store %x, %Y[%i] : memref<4xf32>
    }
  }
  return
}

// -----

// What is loaded at a step's own index is not alike, nor what steps of a counted loop give.
func.func @inner_unlike(%X: memref<4xf32>, %Y: memref<4xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      %j = arith.subi %c4, %t : index
      %x = memref.load %X[%j] : memref<4xf32>
      // expected-error @below {{two steps of this parallel loop write the same element}}
      memref.store %x, %Y[%i] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @inner_counted(%X: memref<4xf32>, %Y: memref<4xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      scf.for %k = %c0 to %c4 step %c1 {
        %x = memref.load %X[%k] : memref<4xf32>
        // expected-error @below {{two steps of this parallel loop write the same element}}
        memref.store %x, %Y[%i] : memref<4xf32>
      }
    }
  }
  return
}
