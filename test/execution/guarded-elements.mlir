// What few cells of a grid over elements store: a number a row, one of all, by a linear number, in
// a grid of open size.
// RUN: split-file %s %t
// RUN: tt-run %t/rows.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/rows.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: tt-run %t/open.mlir --check --shape X=64x70 --shape Z=64x70 2>&1 | \
// RUN:   FileCheck %s --check-prefix=OPEN
// RUN: %if all %{ tt-run %t/open.mlir --check --arch=blackhole --shape X=64x33 --shape Z=64x33 \
// RUN:   2>&1 | FileCheck %s --check-prefix=OPEN %}
// RUN: not tt-run %t/two.mlir --check 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: for f in behind before; do for c in wormhole_b0 blackhole; do \
// RUN:   tt-run %t/$f.mlir --arch $c --check 2>&1 | FileCheck %s --check-prefix=NEXT || exit 1; \
// RUN: done; done
// NEXT-NOT: warning
// NEXT: Y: {{.*}}: ok
// NEXT: Z: {{.*}}: ok
// CHECK-NOT: warning
// CHECK: Y: {{.*}}: ok
// CHECK: N: {{.*}}: ok
// CHECK: Z: {{.*}}: ok
// OPEN: Y: max abs error 0, {{.*}}: ok
// OPEN: Z: {{.*}}: ok
// TWO: error: two cells of the grid write the same element: (0, 0) and (1, 0) both write Y[0]

//--- rows.mlir
func.func @sum(%X: memref<64x96xf32> {tt.name = "X"},
    %Y: memref<64xf32> {tt.name = "Y"},
    %N: memref<1xf32> {tt.name = "N"},
    %Z: memref<64x96xf32> {tt.name = "Z"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c96) step (%c1, %c1) {
    %s = scf.for %k = %c0 to %c96 step %c1 iter_args(%a = %zero) -> f32 {
      %x = memref.load %X[%i, %k] : memref<64x96xf32>
      %n = arith.addf %a, %x : f32
      scf.yield %n : f32
    }
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    %w = arith.subf %v, %s : f32
    memref.store %w, %Z[%i, %j] : memref<64x96xf32>
    %b = arith.cmpi eq, %j, %c0 : index
    scf.if %b {
      memref.store %s, %Y[%i] : memref<64xf32>
    }
    %row = arith.muli %i, %c96 : index
    %at = arith.addi %row, %j : index
    %first = arith.cmpi eq, %at, %c0 : index
    scf.if %first {
      memref.store %w, %N[%c0] : memref<1xf32>
    }
  }
  return
}

//--- open.mlir
func.func @open(%X: memref<64x?xf32> {tt.name = "X"},
    %Y: memref<64xf32> {tt.name = "Y"},
    %Z: memref<64x?xf32> {tt.name = "Z"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %X, %c1 : memref<64x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %n) step (%c1, %c1) {
    %v = memref.load %X[%i, %j] : memref<64x?xf32>
    %w = math.exp %v : f32
    memref.store %w, %Z[%i, %j] : memref<64x?xf32>
    %b = arith.cmpi eq, %j, %c0 : index
    scf.if %b {
      memref.store %v, %Y[%i] : memref<64xf32>
    }
  }
  return
}

//--- two.mlir
func.func @guarded(%X: memref<64x96xf32> {tt.name = "X"},
    %Y: memref<1xf32> {tt.name = "Y"},
    %Z: memref<64x96xf32> {tt.name = "Z"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c96) step (%c1, %c1) {
    %v = memref.load %X[%i, %j] : memref<64x96xf32>
    %w = math.exp %v : f32
    memref.store %w, %Z[%i, %j] : memref<64x96xf32>
    %a = arith.cmpi ule, %i, %c1 : index
    %b = arith.cmpi eq, %j, %c0 : index
    %f = arith.andi %a, %b : i1
    scf.if %f {
      memref.store %v, %Y[%c0] : memref<1xf32>
    }
  }
  return
}

//--- behind.mlir
// The branches of two cells load and overwrite what the grid has stored.
func.func @behind(%X: memref<64xf32> {tt.name = "X"}, %Y: memref<64xf32> {tt.name = "Y"},
                  %Z: memref<2xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  affine.parallel (%i) = (0) to (64) {
    %x = affine.load %X[%i] : memref<64xf32>
    %e = math.exp %x : f32
    affine.store %e, %Y[%i] : memref<64xf32>
    %is = arith.cmpi eq, %i, %c5 : index
    scf.if %is {
      %y = affine.load %Y[%i] : memref<64xf32>
      %s = arith.addf %y, %x : f32
      affine.store %s, %Z[1] : memref<2xf32>
    }
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      %y = affine.load %Y[%i] : memref<64xf32>
      %s = arith.mulf %y, %y : f32
      affine.store %s, %Y[0] : memref<64xf32>
    }
  }
  return
}

//--- before.mlir
// The branches load what the grid is about to store, one of them what the other has.
func.func @before(%X: memref<64xf32> {tt.name = "X"}, %Y: memref<64xf32> {tt.name = "Y"},
                  %Z: memref<2xf32> {tt.name = "Z"},
                  %W: memref<1xf32> {tt.name = "W"}) attributes {tt.kernel} {
  %c5 = arith.constant 5 : index
  affine.parallel (%i) = (0) to (64) {
    %x = affine.load %X[%i] : memref<64xf32>
    %is = arith.cmpi eq, %i, %c5 : index
    scf.if %is {
      %y = affine.load %Y[%i] : memref<64xf32>
      %s = arith.addf %y, %x : f32
      affine.store %s, %Z[1] : memref<2xf32>
    }
    scf.if %is {
      %z = affine.load %Z[1] : memref<2xf32>
      %y = affine.load %Y[%i] : memref<64xf32>
      %s = arith.subf %z, %y : f32
      affine.store %s, %W[0] : memref<1xf32>
    }
    affine.store %x, %Y[%i] : memref<64xf32>
  }
  return
}
