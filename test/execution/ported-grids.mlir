// Grids of numbers that steps of time make again, from one tensor to the other: windows inside of tiles of a core's buffers.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/jacobi.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/jacobi.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/hotspot.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/hotspot.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/life.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/life.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/fdtd.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/fdtd.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/own.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/own.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/apart.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/apart.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: {{Y: (max abs error .*|equal|.* differ, .*)}}: ok

// The inner elements of two tensors that change roles.
//--- jacobi.mlir
func.func @jacobi(%A: memref<20x34xf32> {tt.name = "A"}, %B: memref<20x34xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %q = arith.constant 0.25 : f32
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 19 {
      affine.for %j = 1 to 33 {
        %a = affine.load %A[%i - 1, %j] : memref<20x34xf32>
        %b = affine.load %A[%i + 1, %j] : memref<20x34xf32>
        %c = affine.load %A[%i, %j - 1] : memref<20x34xf32>
        %d = affine.load %A[%i, %j + 1] : memref<20x34xf32>
        %s = arith.addf %a, %b : f32
        %u = arith.addf %c, %d : f32
        %v = arith.addf %s, %u : f32
        %r = arith.mulf %v, %q : f32
        affine.store %r, %B[%i, %j] : memref<20x34xf32>
      }
    }
    affine.for %i = 1 to 19 {
      affine.for %j = 1 to 33 {
        %a = affine.load %B[%i - 1, %j] : memref<20x34xf32>
        %b = affine.load %B[%i + 1, %j] : memref<20x34xf32>
        %c = affine.load %B[%i, %j - 1] : memref<20x34xf32>
        %d = affine.load %B[%i, %j + 1] : memref<20x34xf32>
        %s = arith.addf %a, %b : f32
        %u = arith.addf %c, %d : f32
        %v = arith.addf %s, %u : f32
        %r = arith.mulf %v, %q : f32
        affine.store %r, %A[%i, %j] : memref<20x34xf32>
      }
    }
  }
  return
}

// Neighbors that clamps keep inside, in a tensor that is written as well.
//--- hotspot.mlir
func.func @hotspot(%T: memref<20x36xf32> {tt.name = "T"}, %P: memref<20x36xf32>, %O: memref<20x36xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c19 = arith.constant 19 : index
  %c35 = arith.constant 35 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 0.1 : f32
  %amb = arith.constant 0.3 : f32
  affine.for %t = 0 to 2 {
    affine.for %i = 0 to 20 {
      affine.for %j = 0 to 36 {
        %im = arith.subi %i, %c1 : index
        %n = arith.maxsi %im, %c0 : index
        %ip = arith.addi %i, %c1 : index
        %s = arith.minsi %ip, %c19 : index
        %jm = arith.subi %j, %c1 : index
        %w = arith.maxsi %jm, %c0 : index
        %jp = arith.addi %j, %c1 : index
        %e = arith.minsi %jp, %c35 : index
        %c = affine.load %T[%i, %j] : memref<20x36xf32>
        %tn = memref.load %T[%n, %j] : memref<20x36xf32>
        %ts = memref.load %T[%s, %j] : memref<20x36xf32>
        %tw = memref.load %T[%i, %w] : memref<20x36xf32>
        %te = memref.load %T[%i, %e] : memref<20x36xf32>
        %p = affine.load %P[%i, %j] : memref<20x36xf32>
        %a = arith.addf %tn, %ts : f32
        %b = arith.addf %tw, %te : f32
        %ab = arith.addf %a, %b : f32
        %c4 = arith.addf %c, %c : f32
        %c8 = arith.addf %c4, %c4 : f32
        %d = arith.subf %ab, %c8 : f32
        %dd = arith.addf %d, %p : f32
        %am = arith.subf %amb, %c : f32
        %de = arith.addf %dd, %am : f32
        %kk = arith.mulf %de, %k : f32
        %r = arith.addf %c, %kk : f32
        affine.store %r, %O[%i, %j] : memref<20x36xf32>
      }
    }
    affine.for %i = 0 to 20 {
      affine.for %j = 0 to 36 {
        %r = affine.load %O[%i, %j] : memref<20x36xf32>
        affine.store %r, %T[%i, %j] : memref<20x36xf32>
      }
    }
  }
  return
}

// Integers around each other are counted: a window without weights.
//--- life.mlir
func.func @life(%A: memref<16x40xi32> {tt.name = "A", tt.range = [0, 1]}, %B: memref<16x40xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  affine.for %t = 0 to 2 {
    affine.for %i = 1 to 15 {
      affine.for %j = 1 to 39 {
        %n = affine.for %a = 0 to 3 iter_args(%s = %z) -> (i32) {
          %m = affine.for %b = 0 to 3 iter_args(%u = %s) -> (i32) {
            %v = affine.load %A[%i + %a - 1, %j + %b - 1] : memref<16x40xi32>
            %w = arith.addi %u, %v : i32
            affine.yield %w : i32
          }
          affine.yield %m : i32
        }
        %c = affine.load %A[%i, %j] : memref<16x40xi32>
        %nn = arith.subi %n, %c : i32
        %is3 = arith.cmpi eq, %nn, %three : i32
        %is2 = arith.cmpi eq, %nn, %two : i32
        %keep = arith.select %is2, %c, %z : i32
        %r = arith.select %is3, %one, %keep : i32
        affine.store %r, %B[%i, %j] : memref<16x40xi32>
      }
    }
    affine.for %i = 1 to 15 {
      affine.for %j = 1 to 39 {
        %c = affine.load %B[%i, %j] : memref<16x40xi32>
        affine.store %c, %A[%i, %j] : memref<16x40xi32>
      }
    }
  }
  return
}

// Three fields, each made of shifts of the others.
//--- fdtd.mlir
func.func @fdtd(%EX: memref<20x34xf32> {tt.name = "EX"}, %EY: memref<20x34xf32> {tt.name = "EY"}, %HZ: memref<20x34xf32> {tt.name = "Y"}, %F: memref<3xf32>) attributes {tt.kernel} {
  %h = arith.constant 0.5 : f32
  %g = arith.constant 0.7 : f32
  affine.for %t = 0 to 3 {
    affine.for %j = 0 to 34 {
      %f = affine.load %F[%t] : memref<3xf32>
      affine.store %f, %EY[0, %j] : memref<20x34xf32>
    }
    affine.for %i = 1 to 20 {
      affine.for %j = 0 to 34 {
        %e = affine.load %EY[%i, %j] : memref<20x34xf32>
        %a = affine.load %HZ[%i, %j] : memref<20x34xf32>
        %b = affine.load %HZ[%i - 1, %j] : memref<20x34xf32>
        %d = arith.subf %a, %b : f32
        %m = arith.mulf %d, %h : f32
        %r = arith.subf %e, %m : f32
        affine.store %r, %EY[%i, %j] : memref<20x34xf32>
      }
    }
    affine.for %i = 0 to 20 {
      affine.for %j = 1 to 34 {
        %e = affine.load %EX[%i, %j] : memref<20x34xf32>
        %a = affine.load %HZ[%i, %j] : memref<20x34xf32>
        %b = affine.load %HZ[%i, %j - 1] : memref<20x34xf32>
        %d = arith.subf %a, %b : f32
        %m = arith.mulf %d, %h : f32
        %r = arith.subf %e, %m : f32
        affine.store %r, %EX[%i, %j] : memref<20x34xf32>
      }
    }
    affine.for %i = 0 to 19 {
      affine.for %j = 0 to 33 {
        %z = affine.load %HZ[%i, %j] : memref<20x34xf32>
        %a = affine.load %EX[%i, %j + 1] : memref<20x34xf32>
        %b = affine.load %EX[%i, %j] : memref<20x34xf32>
        %c = affine.load %EY[%i + 1, %j] : memref<20x34xf32>
        %d = affine.load %EY[%i, %j] : memref<20x34xf32>
        %x = arith.subf %a, %b : f32
        %y = arith.addf %x, %c : f32
        %w = arith.subf %y, %d : f32
        %m = arith.mulf %w, %g : f32
        %r = arith.subf %z, %m : f32
        affine.store %r, %HZ[%i, %j] : memref<20x34xf32>
      }
    }
  }
  return
}

// What a thread keeps, from one buffer to the other, and every second element of it; the last cell has fewer threads.
//--- own.mlir
func.func @ownshift(%X: memref<40x24xf32>, %Y: memref<40x24xf32> {tt.name = "Y"}, %Z: memref<40x12xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %h = arith.constant 0.5 : f32
  affine.parallel (%r) = (0) to (40) {
    %a = memref.alloc() : memref<24xf32>
    %b = memref.alloc() : memref<24xf32>
    affine.for %j = 0 to 24 {
      %x = affine.load %X[%r, %j] : memref<40x24xf32>
      affine.store %x, %a[%j] : memref<24xf32>
      affine.store %x, %b[%j] : memref<24xf32>
    }
    affine.for %t = 0 to 2 {
      affine.for %j = 1 to 23 {
        %l = affine.load %a[%j - 1] : memref<24xf32>
        %u = affine.load %a[%j + 1] : memref<24xf32>
        %s = arith.addf %l, %u : f32
        %m = arith.mulf %s, %h : f32
        affine.store %m, %b[%j] : memref<24xf32>
      }
      affine.for %j = 1 to 23 {
        %v = affine.load %b[%j] : memref<24xf32>
        affine.store %v, %a[%j] : memref<24xf32>
      }
    }
    affine.for %j = 0 to 24 {
      %x = affine.load %a[%j] : memref<24xf32>
      affine.store %x, %Y[%r, %j] : memref<40x24xf32>
    }
    affine.for %j = 0 to 12 {
      %x = affine.load %a[2 * %j] : memref<24xf32>
      %y = affine.load %a[2 * %j + 1] : memref<24xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %Z[%r, %j] : memref<40x12xf32>
    }
  }
  return
}

// Every so many rows and columns of a core's buffer.
//--- apart.mlir
!b = memref<40x64xf32, #gpu.address_space<private>>
func.func @apart(%A: memref<40x64xf32>, %C: memref<20x32xf32> {tt.name = "C"}, %D: memref<40x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %s = memref.alloc() : !b
  %t = memref.alloc() : !b
  linalg.exp ins(%A : memref<40x64xf32>) outs(%s : !b)
  linalg.exp ins(%A : memref<40x64xf32>) outs(%t : !b)
  %p = memref.subview %s[0, 1] [20, 32] [2, 2] : !b to memref<20x32xf32, strided<[128, 2], offset: 1>, #gpu.address_space<private>>
  linalg.negf ins(%p : memref<20x32xf32, strided<[128, 2], offset: 1>, #gpu.address_space<private>>) outs(%C : memref<20x32xf32>)
  %q = memref.subview %t[3, 0] [5, 64] [7, 1] : !b to memref<5x64xf32, strided<[448, 1], offset: 192>, #gpu.address_space<private>>
  linalg.negf ins(%q : memref<5x64xf32, strided<[448, 1], offset: 192>, #gpu.address_space<private>>) outs(%q : memref<5x64xf32, strided<[448, 1], offset: 192>, #gpu.address_space<private>>)
  memref.copy %t, %D : !b to memref<40x64xf32>
  return
}
