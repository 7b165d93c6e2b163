// Windows of results that are larger, of which the rest stays as it was, and elements that lists and floats choose.
// RUN: split-file %s %t
// RUN: tt-run %t/placed.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/placed.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/spread.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/spread.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/cells.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/cells.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/told.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/told.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/some.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/some.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/penalty.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/penalty.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/channels.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/channels.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/copied.mlir --check --arch=wormhole_b0 --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/copied.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: Y: {{.*}}: ok

// A window that begins inside of tiles.
//--- placed.mlir
func.func @placed(%X: memref<20x30xf32> {tt.name = "X"}, %Y: memref<70x90xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (20, 30) {
    %x = affine.load %X[%i, %j] : memref<20x30xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %Y[%i + 7, %j + 41] : memref<70x90xf32>
  }
  return
}

// Every other element of a window.
//--- spread.mlir
func.func @spread(%X: memref<16x24xf32> {tt.name = "X"}, %Y: memref<40x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%i, %j) = (0, 0) to (16, 24) {
    %x = affine.load %X[%i, %j] : memref<16x24xf32>
    affine.store %x, %Y[%i * 2 + 3, %j * 2 + 5] : memref<40x64xf32>
  }
  return
}

// Four cells, whose windows share tiles.
//--- cells.mlir
func.func @cells(%X: memref<40x48xf32> {tt.name = "X"}, %Y: memref<60x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%p, %q) = (0, 0) to (2, 2) {
    affine.for %i = 0 to 20 {
      affine.for %j = 0 to 24 {
        %x = affine.load %X[%p * 20 + %i, %q * 24 + %j] : memref<40x48xf32>
        %y = math.tanh %x : f32
        affine.store %y, %Y[%p * 24 + %i + 3, %q * 30 + %j + 5] : memref<60x64xf32>
      }
    }
  }
  return
}

// A window that begins where a tensor says.
//--- told.mlir
func.func @told(%P: memref<2xi32> {tt.name = "P", tt.range = [0, 40]}, %X: memref<20x24xf32> {tt.name = "X"}, %Y: memref<64x70xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.load %P[%c0] : memref<2xi32>
  %c = memref.load %P[%c1] : memref<2xi32>
  %ri = arith.index_cast %r : i32 to index
  %ci = arith.index_cast %c : i32 to index
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 24 {
      %x = affine.load %X[%i, %j] : memref<20x24xf32>
      %a = arith.addi %ri, %i : index
      %b = arith.addi %ci, %j : index
      memref.store %x, %Y[%a, %b] : memref<64x70xf32>
    }
  }
  return
}

// Rows of which lengths say how much is stored.
//--- some.mlir
func.func @some(%X: memref<9x40xf32> {tt.name = "X"}, %L: memref<9xi32> {tt.name = "L", tt.range = [0, 40]}, %Y: memref<50x60xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.for %i = 0 to 9 {
    %l = affine.load %L[%i] : memref<9xi32>
    affine.for %j = 0 to 40 {
      %j32 = arith.index_cast %j : index to i32
      %c = arith.cmpi slt, %j32, %l : i32
      scf.if %c {
        %x = affine.load %X[%i, %j] : memref<9x40xf32>
        affine.store %x, %Y[%i + 10, %j + 11] : memref<50x60xf32>
      }
    }
  }
  return
}

// Logits of tokens that were, as a list says, are made less likely: read in one tensor and stored in another at one index.
//--- penalty.mlir
func.func @penalty(%X: memref<6x100xf32> {tt.name = "X"}, %B: memref<6x8xi32> {tt.name = "B", tt.range = [0, 99]}, %P: memref<6xf32> {tt.name = "P"}, %Y: memref<6x100xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    %p = affine.load %P[%i] : memref<6xf32>
    affine.for %j = 0 to 100 {
      %x = affine.load %X[%i, %j] : memref<6x100xf32>
      affine.store %x, %Y[%i, %j] : memref<6x100xf32>
    }
    affine.for %k = 0 to 8 {
      %w = affine.load %B[%i, %k] : memref<6x8xi32>
      %wi = arith.index_cast %w : i32 to index
      %x = memref.load %X[%i, %wi] : memref<6x100xf32>
      %neg = arith.cmpf olt, %x, %zero : f32
      %a = arith.mulf %x, %p : f32
      %b = arith.divf %x, %p : f32
      %c = arith.select %neg, %a, %b : f32
      memref.store %c, %Y[%i, %wi] : memref<6x100xf32>
    }
  }
  return
}

// An image that is sampled, with the loop over its channels inside of the one over pixels.
//--- channels.mlir
func.func @channels(%X: memref<2x6x8xf32> {tt.name = "X"}, %G: memref<5x6x2xf32> {tt.name = "G"}, %Y: memref<2x5x6xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %w = arith.constant 8.0 : f32
  %h = arith.constant 6.0 : f32
  %z = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %iw = arith.constant 7 : i32
  %ih = arith.constant 5 : i32
  affine.parallel (%i, %j) = (0, 0) to (5, 6) {
    %gx = affine.load %G[%i, %j, 0] : memref<5x6x2xf32>
    %gy = affine.load %G[%i, %j, 1] : memref<5x6x2xf32>
    %a = arith.addf %gx, %one : f32
    %b = arith.mulf %a, %w : f32
    %b1 = arith.subf %b, %one : f32
    %x = arith.mulf %b1, %half : f32
    %c = arith.addf %gy, %one : f32
    %d = arith.mulf %c, %h : f32
    %d1 = arith.subf %d, %one : f32
    %y = arith.mulf %d1, %half : f32
    %xf = math.floor %x : f32
    %yf = math.floor %y : f32
    %tx = arith.subf %x, %xf : f32
    %ty = arith.subf %y, %yf : f32
    %x0 = arith.fptosi %xf : f32 to i32
    %y0 = arith.fptosi %yf : f32 to i32
    %x1 = arith.addi %x0, %i1 : i32
    %y1 = arith.addi %y0, %i1 : i32
    %x0l = arith.maxsi %x0, %i0 : i32
    %x0c = arith.minsi %x0l, %iw : i32
    %x1l = arith.maxsi %x1, %i0 : i32
    %x1c = arith.minsi %x1l, %iw : i32
    %y0l = arith.maxsi %y0, %i0 : i32
    %y0c = arith.minsi %y0l, %ih : i32
    %y1l = arith.maxsi %y1, %i0 : i32
    %y1c = arith.minsi %y1l, %ih : i32
    %x0i = arith.index_cast %x0c : i32 to index
    %x1i = arith.index_cast %x1c : i32 to index
    %y0i = arith.index_cast %y0c : i32 to index
    %y1i = arith.index_cast %y1c : i32 to index
    %vx0 = arith.cmpi eq, %x0, %x0c : i32
    %vx1 = arith.cmpi eq, %x1, %x1c : i32
    %vy0 = arith.cmpi eq, %y0, %y0c : i32
    %vy1 = arith.cmpi eq, %y1, %y1c : i32
    %ux = arith.subf %one, %tx : f32
    %uy = arith.subf %one, %ty : f32
    %m00 = arith.andi %vx0, %vy0 : i1
    %m01 = arith.andi %vx1, %vy0 : i1
    %m10 = arith.andi %vx0, %vy1 : i1
    %m11 = arith.andi %vx1, %vy1 : i1
    affine.for %ch = 0 to 2 {
      %p00 = memref.load %X[%ch, %y0i, %x0i] : memref<2x6x8xf32>
      %p01 = memref.load %X[%ch, %y0i, %x1i] : memref<2x6x8xf32>
      %p10 = memref.load %X[%ch, %y1i, %x0i] : memref<2x6x8xf32>
      %p11 = memref.load %X[%ch, %y1i, %x1i] : memref<2x6x8xf32>
      %q00 = arith.select %m00, %p00, %z : f32
      %q01 = arith.select %m01, %p01, %z : f32
      %q10 = arith.select %m10, %p10, %z : f32
      %q11 = arith.select %m11, %p11, %z : f32
      %s0 = arith.mulf %q00, %ux : f32
      %s1 = arith.mulf %q01, %tx : f32
      %s = arith.addf %s0, %s1 : f32
      %t0 = arith.mulf %q10, %ux : f32
      %t1 = arith.mulf %q11, %tx : f32
      %t = arith.addf %t0, %t1 : f32
      %u = arith.mulf %s, %uy : f32
      %v = arith.mulf %t, %ty : f32
      %o = arith.addf %u, %v : f32
      affine.store %o, %Y[%ch, %i, %j] : memref<2x5x6xf32>
    }
  }
  return
}

// Pages that are copied within a cache, one after the other: a list steers a kernel of many circular buffers.
//--- copied.mlir
func.func @copied(%arg0: memref<3x1x40xf32> {tt.name = "Y"}, %arg1: memref<2x2xi32> {tt.name = "M", tt.range = [0, 2]}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %arg2 = 0 to 2 {
    %0 = memref.load %arg1[%arg2, %c0] : memref<2x2xi32>
    %1 = arith.index_cast %0 : i32 to index
    %2 = memref.load %arg1[%arg2, %c1] : memref<2x2xi32>
    %3 = arith.index_cast %2 : i32 to index
    affine.for %arg3 = 0 to 1 {
      affine.for %arg4 = 0 to 40 {
        %4 = memref.load %arg0[%1, %arg3, %arg4] : memref<3x1x40xf32>
        memref.store %4, %arg0[%3, %arg3, %arg4] : memref<3x1x40xf32>
      }
    }
  }
  return
}
