// RUN: tt-opt %s --tt-check-elements --split-input-file --verify-diagnostics -o /dev/null
// Parallel loops inside of a cell whose steps are ops on blocks.
// Threads of a cell that add products to one block.
func.func @inner_products(%A: memref<64x128xf32>, %B: memref<128x32xf32>, %C: memref<64x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %m = arith.muli %b, %c32 : index
    %c = memref.subview %C[%m, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      %k = arith.muli %t, %c32 : index
      %x = memref.subview %A[%m, %k] [32, 32] [1, 1] : memref<64x128xf32> to memref<32x32xf32, strided<[128, 1], offset: ?>>
      %y = memref.subview %B[%k, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      // expected-error @below {{two steps of this parallel loop write the same block: (2) and (3) both write [0, 0] of a view of C, in no order; make it an scf.for, which has one, or allocate the buffer inside of the loop where each step has its own}}
      linalg.matmul ins(%x, %y : memref<32x32xf32, strided<[128, 1], offset: ?>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%c : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}

// -----

// Blocks that overlap.
func.func @inner_overlap(%X: memref<128x32xf32>, %Y: memref<128x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    affine.parallel (%t) = (0) to (4) {
      %m = affine.apply affine_map<(d0) -> (d0 * 16)>(%t)
      %x = memref.subview %X[%m, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %y = memref.subview %Y[%m, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      // expected-error @below {{write the same block: (2) and (3) both write Y[}}
      memref.copy %x, %y : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    }
  }
  return
}

// -----

// One buffer for what each step has of its own.
func.func @inner_shared(%X: memref<128x32xf32>, %Y: memref<128x32xf32>) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    %own = memref.alloc() : memref<32x32xf32>
    scf.forall (%t) in (4) {
      %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%t)
      %x = memref.subview %X[%m, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %y = memref.subview %Y[%m, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      // expected-error @below {{both write the buffer[}}
      memref.copy %x, %own : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32>
      linalg.exp ins(%own : memref<32x32xf32>) outs(%y : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}

// -----

// What the step before writes.
func.func @inner_before(%Y: memref<160x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    scf.forall (%t) in (4) {
      %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%t)
      %n = affine.apply affine_map<(d0) -> (d0 * 32 + 32)>(%t)
      %x = memref.subview %Y[%m, 0] [32, 32] [1, 1] : memref<160x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %y = memref.subview %Y[%n, 0] [32, 32] [1, 1] : memref<160x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      // expected-error @below {{one step of this parallel loop writes a block that another one reads: (2) writes Y[}}
      linalg.exp ins(%x : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}

// -----

// An element of what another step fills.
func.func @inner_mixed(%Y: memref<128x32xf32>, %F: memref<1xf32> {tt.name = "F"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %v = memref.alloc() : memref<128x32xf32>
    scf.forall (%t) in (4) {
      %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%t)
      %y = memref.subview %v[%m, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      // expected-error @below {{(0) writes the buffer[0, 0], and (}}
      linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32, strided<[32, 1], offset: ?>>)
      // expected-note @below {{and it is read here}}
      %x = memref.load %v[%c0, %c0] : memref<128x32xf32>
      %own = memref.alloc() : memref<1xf32>
      memref.store %x, %own[%c0] : memref<1xf32>
    }
  }
  return
}

// -----

// A list says which block; how many rows, too.
func.func @inner_lists(%X: memref<128x32xf32>, %L: memref<4xi32>, %Y: memref<128x32xf32> {tt.name = "Y"}, %Z: memref<128x32xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    scf.forall (%t) in (4) {
      %l = memref.load %L[%t] : memref<4xi32>
      %p = arith.index_cast %l : i32 to index
      %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%t)
      %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%p)
      %x = memref.subview %X[%m, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %y = memref.subview %Y[%n, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      // expected-warning @below {{cannot tell whether two steps of this parallel loop meet here in Y}}
      memref.copy %x, %y : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %xs = memref.subview %X[%m, 0] [%p, 32] [1, 1] : memref<128x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
      %zs = memref.subview %Z[%m, 0] [%p, 32] [1, 1] : memref<128x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
      // expected-warning @below {{cannot tell whether two steps of this parallel loop meet here in Z}}
      memref.copy %xs, %zs : memref<?x32xf32, strided<[32, 1], offset: ?>> to memref<?x32xf32, strided<[32, 1], offset: ?>>
    }
  }
  return
}

// -----

// Blocks side by side, also seen in groups and turned, ragged ones, columns in turns; a branch that
// one step takes; what is the step's own; what all steps write alike and then read; a loop in a
// step, which has an order.
func.func @inner_blocks_apart(%X: memref<100x64xf32>, %Y: memref<100x64xf32>, %H: memref<4x1x32x64xf32>, %O: memref<32x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %same = memref.alloc() : memref<32x64xf32>
    %out = memref.alloc() : memref<128x64xf32>
    %groups = memref.expand_shape %out [[0, 1], [2]] output_shape [4, 32, 64] : memref<128x64xf32> into memref<4x32x64xf32>
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      %own = memref.alloc() : memref<32x64xf32>
      %m = arith.muli %t, %c32 : index
      %left = arith.subi %c100, %m : index
      %rows = arith.minsi %c32, %left : index
      %x = memref.subview %X[%m, 0] [%rows, 64] [1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
      %y = memref.subview %Y[%m, 0] [%rows, 64] [1, 1] : memref<100x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
      memref.copy %x, %y : memref<?x64xf32, strided<[64, 1], offset: ?>> to memref<?x64xf32, strided<[64, 1], offset: ?>>
      linalg.fill ins(%zero : f32) outs(%same : memref<32x64xf32>)
      linalg.exp ins(%same : memref<32x64xf32>) outs(%own : memref<32x64xf32>)
      scf.for %k = %c0 to %c2 step %c1 {
        linalg.add ins(%own, %same : memref<32x64xf32>, memref<32x64xf32>) outs(%own : memref<32x64xf32>)
      }
      %g = memref.subview %groups[%t, 0, 0] [1, 32, 64] [1, 1, 1] : memref<4x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      memref.copy %own, %g : memref<32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        memref.copy %own, %O : memref<32x64xf32> to memref<32x64xf32>
      }
      %h = memref.collapse_shape %H [[0, 1], [2], [3]] : memref<4x1x32x64xf32> into memref<4x32x64xf32>
      %hs = memref.subview %h[%t, 0, 0] [1, 32, 64] [1, 1, 1] : memref<4x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      memref.copy %own, %hs : memref<32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    }
    %turns = memref.alloc() : memref<64x128xf32>
    scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
      %own = memref.alloc() : memref<32x64xf32>
      %s = memref.subview %turns[0, %t] [64, 32] [1, 4] : memref<64x128xf32> to memref<64x32xf32, strided<[128, 4], offset: ?>>
      %u = memref.transpose %s (i, j) -> (j, i) : memref<64x32xf32, strided<[128, 4], offset: ?>> to memref<32x64xf32, strided<[4, 128], offset: ?>>
      memref.copy %own, %u : memref<32x64xf32> to memref<32x64xf32, strided<[4, 128], offset: ?>>
    }
  }
  return
}
