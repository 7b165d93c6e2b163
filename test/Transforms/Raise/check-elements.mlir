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
