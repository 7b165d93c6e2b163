// Blocks and loops over elements whose ends are in a tensor: nothing behind them is written or counted, whatever the sizes of the
// tensors are multiples of. A length may be a number as well, as what a sum is divided by.
// REQUIRES: all
// RUN: split-file %s %t
// RUN: tt-run %t/rows.mlir --check | FileCheck %s
// RUN: tt-run %t/rows.mlir --check --arch=blackhole --optimize=none | FileCheck %s
// RUN: tt-run %t/scaled.mlir --check --metalium-api=2025 | FileCheck %s
// RUN: tt-run %t/scaled.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run %t/means.mlir --check | FileCheck %s
// RUN: tt-run %t/means.mlir --check --arch=blackhole --optimize=none | FileCheck %s
// RUN: tt-run %t/one.mlir --check | FileCheck %s
// RUN: tt-run %t/one.mlir --check --arch=blackhole --optimize=none --seed=3 | FileCheck %s
// RUN: tt-run %t/softmax.mlir --check | FileCheck %s --check-prefix=SOFTMAX
// RUN: tt-run %t/softmax.mlir --check --arch=blackhole --optimize=none | FileCheck %s --check-prefix=SOFTMAX
// SOFTMAX: Y: max abs error {{.*}}: ok
// CHECK: Y: max abs error {{.*}}: ok
// CHECK: Z: max abs error {{.*}}: ok

// Rows and columns of blocks, of which the tensor has a whole number.
//--- rows.mlir
func.func @rows(%X: memref<64x64xf32>, %L: memref<2xi32> {tt.range = [0, 32]}, %Y: memref<64x64xf32> {tt.name = "Y"}, %Z: memref<64x64xbf16> {tt.name = "Z"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%g) in (2) {
    %l32 = memref.load %L[%g] : memref<2xi32>
    %l = arith.index_cast %l32 : i32 to index
    %at = arith.muli %g, %c32 : index
    %x = memref.subview %X[%at, 0] [%l, 64] [1, 1] : memref<64x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%at, 0] [%l, 64] [1, 1] : memref<64x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
    linalg.exp ins(%x : memref<?x64xf32, strided<[64, 1], offset: ?>>) outs(%y : memref<?x64xf32, strided<[64, 1], offset: ?>>)
    %m = arith.minui %l, %c32 : index
    %v = memref.subview %X[%at, 0] [32, %m] [1, 1] : memref<64x64xf32> to memref<32x?xf32, strided<[64, 1], offset: ?>>
    %z = memref.subview %Z[%at, 32] [32, %m] [1, 1] : memref<64x64xbf16> to memref<32x?xbf16, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%v : memref<32x?xf32, strided<[64, 1], offset: ?>>) outs(%z : memref<32x?xbf16, strided<[64, 1], offset: ?>>) {
    ^bb0(%a: f32, %o: bf16):
      %b = arith.truncf %a : f32 to bf16
      linalg.yield %b : bf16
    }
  }
  return
}

// The first elements of each row are divided by the sum of their squares; and sums of their rows.
//--- scaled.mlir
func.func @scaled(%X: memref<4x48xf32>, %W: memref<4x32x48xf32>, %L: memref<4xi32> {tt.range = [1, 48]}, %Y: memref<4x48xf32> {tt.name = "Y"}, %Z: memref<4x32xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%g) in (4) {
    %l32 = memref.load %L[%g] : memref<4xi32>
    %l = arith.index_cast %l32 : i32 to index
    %s = scf.for %i = %c0 to %l step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %X[%g, %i] : memref<4x48xf32>
      %q = arith.mulf %x, %x : f32
      %t = arith.addf %a, %q : f32
      scf.yield %t : f32
    }
    scf.for %i = %c0 to %l step %c1 {
      %x = memref.load %X[%g, %i] : memref<4x48xf32>
      %t = arith.divf %x, %s : f32
      memref.store %t, %Y[%g, %i] : memref<4x48xf32>
    }
    scf.for %r = %c0 to %c32 step %c1 {
      %t = scf.for %i = %c0 to %l step %c1 iter_args(%a = %zero) -> (f32) {
        %x = memref.load %W[%g, %r, %i] : memref<4x32x48xf32>
        %u = arith.addf %a, %x : f32
        scf.yield %u : f32
      }
      memref.store %t, %Z[%g, %r] : memref<4x32xf32>
    }
  }
  return
}

// Means of rows: of the first ones, as many as a tensor says, and from one place of a list to the next.
//--- means.mlir
func.func @means(%X: memref<4x48x64xf32>, %L: memref<4xi32> {tt.range = [1, 48]}, %W: memref<64x64xf32>, %O: memref<5xi32> {tt.range = [0, 64]}, %Y: memref<4x64xf32> {tt.name = "Y"}, %Z: memref<4x64xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%g) in (4) {
    %l32 = memref.load %L[%g] : memref<4xi32>
    %l = arith.index_cast %l32 : i32 to index
    %f = arith.sitofp %l32 : i32 to f32
    scf.for %j = %c0 to %c64 step %c1 {
      %s = scf.for %i = %c0 to %l step %c1 iter_args(%a = %zero) -> (f32) {
        %x = memref.load %X[%g, %i, %j] : memref<4x48x64xf32>
        %t = arith.addf %a, %x : f32
        scf.yield %t : f32
      }
      %q = arith.divf %s, %f : f32
      memref.store %q, %Y[%g, %j] : memref<4x64xf32>
    }
    %next = arith.addi %g, %c1 : index
    %lo32 = memref.load %O[%g] : memref<5xi32>
    %hi32 = memref.load %O[%next] : memref<5xi32>
    %lo = arith.index_cast %lo32 : i32 to index
    %hi = arith.index_cast %hi32 : i32 to index
    %n32 = arith.subi %hi32, %lo32 : i32
    %one = arith.constant 1 : i32
    %m32 = arith.maxsi %n32, %one : i32
    %m = arith.sitofp %m32 : i32 to f32
    scf.for %j = %c0 to %c64 step %c1 {
      %s = scf.for %i = %lo to %hi step %c1 iter_args(%a = %zero) -> (f32) {
        %x = memref.load %W[%i, %j] : memref<64x64xf32>
        %t = arith.addf %a, %x : f32
        scf.yield %t : f32
      }
      %q = arith.divf %s, %m : f32
      memref.store %q, %Z[%g, %j] : memref<4x64xf32>
    }
  }
  return
}

// A row that may be none: it counts, and is written, where the tensor says so; and a loop that is no more than one from there on.
//--- one.mlir
func.func @one(%X: memref<5x1x16xf32>, %L: memref<5xi32> {tt.range = [0, 1]}, %V: memref<5x64xf32>, %O: memref<6xi32> {tt.range = [0, 64]}, %Y: memref<5x16xf32> {tt.name = "Y"}, %Z: memref<5x64xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%g) in (5) {
    %l32 = memref.load %L[%g] : memref<5xi32>
    %l = arith.index_cast %l32 : i32 to index
    scf.for %j = %c0 to %c16 step %c1 {
      %s = scf.for %i = %c0 to %l step %c1 iter_args(%a = %zero) -> (f32) {
        %x = memref.load %X[%g, %i, %j] : memref<5x1x16xf32>
        %t = arith.addf %a, %x : f32
        scf.yield %t : f32
      }
      memref.store %s, %Y[%g, %j] : memref<5x16xf32>
    }
    %next = arith.addi %g, %c1 : index
    %lo32 = memref.load %O[%g] : memref<6xi32>
    %hi32 = memref.load %O[%next] : memref<6xi32>
    %lo = arith.index_cast %lo32 : i32 to index
    %hi = arith.index_cast %hi32 : i32 to index
    scf.for %i = %lo to %hi step %c1 {
      %x = memref.load %V[%g, %i] : memref<5x64xf32>
      %e = math.exp %x : f32
      memref.store %e, %Z[%g, %i] : memref<5x64xf32>
    }
  }
  return
}

// A softmax over the first elements of rows, zeros behind them: one cast of a length is a bound, and a number to compare with.
//--- softmax.mlir
func.func @softmax(%X: memref<6x33x48xf32>, %N: memref<6xi32> {tt.range = [1, 48]}, %Y: memref<6x33x48xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.parallel (%b, %r) = (0, 0) to (6, 33) {
    %n32 = affine.load %N[%b] : memref<6xi32>
    %n = arith.index_cast %n32 : i32 to index
    %m = scf.for %j = %c0 to %n step %c1 iter_args(%a = %ninf) -> (f32) {
      %x = memref.load %X[%b, %r, %j] : memref<6x33x48xf32>
      %y = arith.maximumf %a, %x : f32
      scf.yield %y : f32
    }
    %l = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %x = memref.load %X[%b, %r, %j] : memref<6x33x48xf32>
      %d = arith.subf %x, %m : f32
      %e = math.exp %d : f32
      %y = arith.addf %a, %e : f32
      scf.yield %y : f32
    }
    affine.for %j = 0 to 48 {
      %in = arith.cmpi ult, %j, %n : index
      %x = affine.load %X[%b, %r, %j] : memref<6x33x48xf32>
      %d = arith.subf %x, %m : f32
      %e = math.exp %d : f32
      %q = arith.divf %e, %l : f32
      %y = arith.select %in, %q, %zero : f32
      affine.store %y, %Y[%b, %r, %j] : memref<6x33x48xf32>
    }
  }
  return
}
