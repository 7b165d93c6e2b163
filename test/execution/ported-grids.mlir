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
// RUN: %if all %{ tt-run %t/heat.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/heat.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/srad.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/srad.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/seidel.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/seidel.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
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

// The same of three dimensions: each outer step of a tensor is whole tiles of a buffer, one below the other.
//--- heat.mlir
func.func @heat3d(%arg0: memref<10x10x12xf32> {tt.name = "X"}, %arg1: memref<10x10x12xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant 1.250000e-01 : f32
  %cst_0 = arith.constant 2.000000e+00 : f32
  %c11 = arith.constant 11 : index
  %c9 = arith.constant 9 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  scf.for %arg2 = %c0 to %c2 step %c1 {
    scf.for %arg3 = %c1 to %c9 step %c1 {
      scf.for %arg4 = %c1 to %c9 step %c1 {
        scf.for %arg5 = %c1 to %c11 step %c1 {
          %0 = arith.addi %arg3, %c1 : index
          %1 = memref.load %arg0[%0, %arg4, %arg5] : memref<10x10x12xf32>
          %2 = memref.load %arg0[%arg3, %arg4, %arg5] : memref<10x10x12xf32>
          %3 = arith.mulf %2, %cst_0 : f32
          %4 = arith.subf %1, %3 : f32
          %5 = arith.subi %arg3, %c1 : index
          %6 = memref.load %arg0[%5, %arg4, %arg5] : memref<10x10x12xf32>
          %7 = arith.addf %4, %6 : f32
          %8 = arith.mulf %7, %cst : f32
          %9 = arith.addi %arg4, %c1 : index
          %10 = memref.load %arg0[%arg3, %9, %arg5] : memref<10x10x12xf32>
          %11 = arith.subf %10, %3 : f32
          %12 = arith.subi %arg4, %c1 : index
          %13 = memref.load %arg0[%arg3, %12, %arg5] : memref<10x10x12xf32>
          %14 = arith.addf %11, %13 : f32
          %15 = arith.mulf %14, %cst : f32
          %16 = arith.addf %8, %15 : f32
          %17 = arith.addi %arg5, %c1 : index
          %18 = memref.load %arg0[%arg3, %arg4, %17] : memref<10x10x12xf32>
          %19 = arith.subf %18, %3 : f32
          %20 = arith.subi %arg5, %c1 : index
          %21 = memref.load %arg0[%arg3, %arg4, %20] : memref<10x10x12xf32>
          %22 = arith.addf %19, %21 : f32
          %23 = arith.mulf %22, %cst : f32
          %24 = arith.addf %16, %23 : f32
          %25 = arith.addf %24, %2 : f32
          memref.store %25, %arg1[%arg3, %arg4, %arg5] : memref<10x10x12xf32>
        }
      }
    }
    scf.for %arg3 = %c1 to %c9 step %c1 {
      scf.for %arg4 = %c1 to %c9 step %c1 {
        scf.for %arg5 = %c1 to %c11 step %c1 {
          %0 = arith.addi %arg3, %c1 : index
          %1 = memref.load %arg1[%0, %arg4, %arg5] : memref<10x10x12xf32>
          %2 = memref.load %arg1[%arg3, %arg4, %arg5] : memref<10x10x12xf32>
          %3 = arith.mulf %2, %cst_0 : f32
          %4 = arith.subf %1, %3 : f32
          %5 = arith.subi %arg3, %c1 : index
          %6 = memref.load %arg1[%5, %arg4, %arg5] : memref<10x10x12xf32>
          %7 = arith.addf %4, %6 : f32
          %8 = arith.mulf %7, %cst : f32
          %9 = arith.addi %arg4, %c1 : index
          %10 = memref.load %arg1[%arg3, %9, %arg5] : memref<10x10x12xf32>
          %11 = arith.subf %10, %3 : f32
          %12 = arith.subi %arg4, %c1 : index
          %13 = memref.load %arg1[%arg3, %12, %arg5] : memref<10x10x12xf32>
          %14 = arith.addf %11, %13 : f32
          %15 = arith.mulf %14, %cst : f32
          %16 = arith.addf %8, %15 : f32
          %17 = arith.addi %arg5, %c1 : index
          %18 = memref.load %arg1[%arg3, %arg4, %17] : memref<10x10x12xf32>
          %19 = arith.subf %18, %3 : f32
          %20 = arith.subi %arg5, %c1 : index
          %21 = memref.load %arg1[%arg3, %arg4, %20] : memref<10x10x12xf32>
          %22 = arith.addf %19, %21 : f32
          %23 = arith.mulf %22, %cst : f32
          %24 = arith.addf %16, %23 : f32
          %25 = arith.addf %24, %2 : f32
          memref.store %25, %arg0[%arg3, %arg4, %arg5] : memref<10x10x12xf32>
        }
      }
    }
  }
  return
}

// Neighbors that clamps keep inside of what steps of time write: each is a block of its own, and what is made of them one op.
//--- srad.mlir
func.func @srad(%arg0: memref<24x40xf32> {tt.name = "J"}, %arg1: memref<24x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant 1.250000e-01 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant 6.250000e-02 : f32
  %cst_3 = arith.constant 5.000000e-01 : f32
  %c39 = arith.constant 39 : index
  %c23 = arith.constant 23 : index
  %cst_4 = arith.constant 9.600000e+02 : f32
  %c40 = arith.constant 40 : index
  %cst_5 = arith.constant 0.000000e+00 : f32
  %c24 = arith.constant 24 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  scf.for %arg2 = %c0 to %c2 step %c1 {
    %0:2 = scf.for %arg3 = %c0 to %c24 step %c1 iter_args(%arg4 = %cst_5, %arg5 = %cst_5) -> (f32, f32) {
      %6:2 = scf.for %arg6 = %c0 to %c40 step %c1 iter_args(%arg7 = %arg4, %arg8 = %arg5) -> (f32, f32) {
        %7 = memref.load %arg0[%arg3, %arg6] : memref<24x40xf32>
        %8 = arith.addf %arg7, %7 : f32
        %9 = arith.mulf %7, %7 : f32
        %10 = arith.addf %arg8, %9 : f32
        scf.yield %8, %10 : f32, f32
      }
      scf.yield %6#0, %6#1 : f32, f32
    }
    %1 = arith.divf %0#0, %cst_4 : f32
    %2 = arith.divf %0#1, %cst_4 : f32
    %3 = arith.mulf %1, %1 : f32
    %4 = arith.subf %2, %3 : f32
    %5 = arith.divf %4, %3 : f32
    %alloc = memref.alloc() : memref<24x40xf32>
    %alloc_6 = memref.alloc() : memref<24x40xf32>
    %alloc_7 = memref.alloc() : memref<24x40xf32>
    %alloc_8 = memref.alloc() : memref<24x40xf32>
    %alloc_9 = memref.alloc() : memref<24x40xf32>
    scf.for %arg3 = %c0 to %c24 step %c1 {
      scf.for %arg4 = %c0 to %c40 step %c1 {
        %6 = memref.load %arg0[%arg3, %arg4] : memref<24x40xf32>
        %7 = arith.subi %arg3, %c1 : index
        %8 = arith.maxsi %7, %c0 : index
        %9 = memref.load %arg0[%8, %arg4] : memref<24x40xf32>
        %10 = arith.subf %9, %6 : f32
        %11 = arith.addi %arg3, %c1 : index
        %12 = arith.minsi %11, %c23 : index
        %13 = memref.load %arg0[%12, %arg4] : memref<24x40xf32>
        %14 = arith.subf %13, %6 : f32
        %15 = arith.subi %arg4, %c1 : index
        %16 = arith.maxsi %15, %c0 : index
        %17 = memref.load %arg0[%arg3, %16] : memref<24x40xf32>
        %18 = arith.subf %17, %6 : f32
        %19 = arith.addi %arg4, %c1 : index
        %20 = arith.minsi %19, %c39 : index
        %21 = memref.load %arg0[%arg3, %20] : memref<24x40xf32>
        %22 = arith.subf %21, %6 : f32
        memref.store %10, %alloc[%arg3, %arg4] : memref<24x40xf32>
        memref.store %14, %alloc_6[%arg3, %arg4] : memref<24x40xf32>
        memref.store %18, %alloc_7[%arg3, %arg4] : memref<24x40xf32>
        memref.store %22, %alloc_8[%arg3, %arg4] : memref<24x40xf32>
        %23 = arith.mulf %10, %10 : f32
        %24 = arith.mulf %14, %14 : f32
        %25 = arith.addf %23, %24 : f32
        %26 = arith.mulf %18, %18 : f32
        %27 = arith.addf %25, %26 : f32
        %28 = arith.mulf %22, %22 : f32
        %29 = arith.addf %27, %28 : f32
        %30 = arith.mulf %6, %6 : f32
        %31 = arith.divf %29, %30 : f32
        %32 = arith.addf %10, %14 : f32
        %33 = arith.addf %32, %18 : f32
        %34 = arith.addf %33, %22 : f32
        %35 = arith.divf %34, %6 : f32
        %36 = arith.mulf %31, %cst_3 : f32
        %37 = arith.mulf %35, %35 : f32
        %38 = arith.mulf %37, %cst_2 : f32
        %39 = arith.subf %36, %38 : f32
        %40 = arith.mulf %35, %cst_1 : f32
        %41 = arith.addf %40, %cst_0 : f32
        %42 = arith.mulf %41, %41 : f32
        %43 = arith.divf %39, %42 : f32
        %44 = arith.subf %43, %5 : f32
        %45 = arith.addf %5, %cst_0 : f32
        %46 = arith.mulf %5, %45 : f32
        %47 = arith.divf %44, %46 : f32
        %48 = arith.addf %47, %cst_0 : f32
        %49 = arith.divf %cst_0, %48 : f32
        %50 = arith.maximumf %49, %cst_5 : f32
        %51 = arith.minimumf %50, %cst_0 : f32
        memref.store %51, %alloc_9[%arg3, %arg4] : memref<24x40xf32>
      }
    }
    scf.for %arg3 = %c0 to %c24 step %c1 {
      scf.for %arg4 = %c0 to %c40 step %c1 {
        %6 = memref.load %alloc_9[%arg3, %arg4] : memref<24x40xf32>
        %7 = arith.addi %arg3, %c1 : index
        %8 = arith.minsi %7, %c23 : index
        %9 = memref.load %alloc_9[%8, %arg4] : memref<24x40xf32>
        %10 = arith.addi %arg4, %c1 : index
        %11 = arith.minsi %10, %c39 : index
        %12 = memref.load %alloc_9[%arg3, %11] : memref<24x40xf32>
        %13 = memref.load %alloc[%arg3, %arg4] : memref<24x40xf32>
        %14 = arith.mulf %6, %13 : f32
        %15 = memref.load %alloc_6[%arg3, %arg4] : memref<24x40xf32>
        %16 = arith.mulf %9, %15 : f32
        %17 = arith.addf %14, %16 : f32
        %18 = memref.load %alloc_7[%arg3, %arg4] : memref<24x40xf32>
        %19 = arith.mulf %6, %18 : f32
        %20 = arith.addf %17, %19 : f32
        %21 = memref.load %alloc_8[%arg3, %arg4] : memref<24x40xf32>
        %22 = arith.mulf %12, %21 : f32
        %23 = arith.addf %20, %22 : f32
        %24 = memref.load %arg0[%arg3, %arg4] : memref<24x40xf32>
        %25 = arith.mulf %23, %cst : f32
        %26 = arith.addf %24, %25 : f32
        memref.store %26, %arg0[%arg3, %arg4] : memref<24x40xf32>
      }
    }
  }
  scf.for %arg2 = %c0 to %c24 step %c1 {
    scf.for %arg3 = %c0 to %c40 step %c1 {
      %0 = memref.load %arg0[%arg2, %arg3] : memref<24x40xf32>
      memref.store %0, %arg1[%arg2, %arg3] : memref<24x40xf32>
    }
  }
  return
}

// Elements made of all those around them, of which some are new.
//--- seidel.mlir
func.func @seidel(%arg0: memref<6x34xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant 1.111000e-01 : f32
  %c33 = arith.constant 33 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %arg1 = %c1 to %c5 step %c1 {
    scf.for %arg2 = %c1 to %c33 step %c1 {
      %0 = arith.subi %arg1, %c1 : index
      %1 = arith.subi %arg2, %c1 : index
      %2 = memref.load %arg0[%0, %1] : memref<6x34xf32>
      %3 = memref.load %arg0[%0, %arg2] : memref<6x34xf32>
      %4 = arith.addf %2, %3 : f32
      %5 = arith.addi %arg2, %c1 : index
      %6 = memref.load %arg0[%0, %5] : memref<6x34xf32>
      %7 = arith.addf %4, %6 : f32
      %8 = memref.load %arg0[%arg1, %1] : memref<6x34xf32>
      %9 = arith.addf %7, %8 : f32
      %10 = memref.load %arg0[%arg1, %arg2] : memref<6x34xf32>
      %11 = arith.addf %9, %10 : f32
      %12 = memref.load %arg0[%arg1, %5] : memref<6x34xf32>
      %13 = arith.addf %11, %12 : f32
      %14 = arith.addi %arg1, %c1 : index
      %15 = memref.load %arg0[%14, %1] : memref<6x34xf32>
      %16 = arith.addf %13, %15 : f32
      %17 = memref.load %arg0[%14, %arg2] : memref<6x34xf32>
      %18 = arith.addf %16, %17 : f32
      %19 = memref.load %arg0[%14, %5] : memref<6x34xf32>
      %20 = arith.addf %18, %19 : f32
      %21 = arith.mulf %20, %cst : f32
      memref.store %21, %arg0[%arg1, %arg2] : memref<6x34xf32>
    }
  }
  return
}

