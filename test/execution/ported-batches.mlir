// Small problems of a batch in place, and blocks of a cache that is stored as its reader wants it.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/cholesky.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/cholesky.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/pages.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/pages.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: Y: max abs error {{.*}}: ok

// Matrices of a batch are factored, column by column, in the result.
//--- cholesky.mlir
func.func @cholesky(%arg0: memref<3x8x8xf32> {tt.name = "A"}, %arg1: memref<3x8x8xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant 5.000000e-01 : f32
  %cst_0 = arith.constant 1.200000e+01 : f32
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  scf.for %arg2 = %c0 to %c3 step %c1 {
    scf.for %arg3 = %c0 to %c8 step %c1 {
      scf.for %arg4 = %c0 to %c8 step %c1 {
        %0 = arith.cmpi eq, %arg3, %arg4 : index
        %1 = memref.load %arg0[%arg2, %arg3, %arg4] : memref<3x8x8xf32>
        %2 = arith.addf %1, %cst_0 : f32
        %3 = arith.mulf %1, %cst : f32
        %4 = arith.select %0, %2, %3 : f32
        memref.store %4, %arg1[%arg2, %arg3, %arg4] : memref<3x8x8xf32>
      }
    }
    scf.for %arg3 = %c0 to %c8 step %c1 {
      %0 = memref.load %arg1[%arg2, %arg3, %arg3] : memref<3x8x8xf32>
      %1 = scf.for %arg4 = %c0 to %arg3 step %c1 iter_args(%arg5 = %0) -> (f32) {
        %4 = memref.load %arg1[%arg2, %arg3, %arg4] : memref<3x8x8xf32>
        %5 = arith.mulf %4, %4 : f32
        %6 = arith.subf %arg5, %5 : f32
        scf.yield %6 : f32
      }
      %2 = math.sqrt %1 : f32
      memref.store %2, %arg1[%arg2, %arg3, %arg3] : memref<3x8x8xf32>
      %3 = arith.addi %arg3, %c1 : index
      scf.for %arg4 = %3 to %c8 step %c1 {
        %4 = memref.load %arg1[%arg2, %arg4, %arg3] : memref<3x8x8xf32>
        %5 = scf.for %arg5 = %c0 to %arg3 step %c1 iter_args(%arg6 = %4) -> (f32) {
          %7 = memref.load %arg1[%arg2, %arg4, %arg5] : memref<3x8x8xf32>
          %8 = memref.load %arg1[%arg2, %arg3, %arg5] : memref<3x8x8xf32>
          %9 = arith.mulf %7, %8 : f32
          %10 = arith.subf %arg6, %9 : f32
          scf.yield %10 : f32
        }
        %6 = arith.divf %5, %2 : f32
        memref.store %6, %arg1[%arg2, %arg4, %arg3] : memref<3x8x8xf32>
      }
    }
  }
  return
}


// Keys in pieces of 8 numbers, and values turned, a page of 16 tokens each.
//--- pages.mlir
func.func @pages(%arg0: memref<2x4x32xf32> {tt.name = "Q"}, %arg1: memref<6x2x4x16x8xf32> {tt.name = "K"}, %arg2: memref<6x2x32x16xf32> {tt.name = "Vc"}, %arg3: memref<2x3xi32> {tt.name = "BT", tt.range = [0, 5]}, %arg4: memref<2xi32> {tt.name = "SL", tt.range = [1, 48]}, %arg5: memref<2x4x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant 0.176776692 : f32
  %c8 = arith.constant 8 : index
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c32 = arith.constant 32 : index
  %c16 = arith.constant 16 : index
  %cst_1 = arith.constant 0xFF800000 : f32
  %c48 = arith.constant 48 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%arg6, %arg7) = (%c0, %c0) to (%c2, %c4) step (%c1, %c1) {
    %alloc = memref.alloc() : memref<48xf32>
    %0 = memref.load %arg4[%arg6] : memref<2xi32>
    %1 = scf.for %arg8 = %c0 to %c48 step %c1 iter_args(%arg9 = %cst_1) -> (f32) {
      %3 = arith.divsi %arg8, %c16 : index
      %4 = memref.load %arg3[%arg6, %3] : memref<2x3xi32>
      %5 = scf.for %arg10 = %c0 to %c32 step %c1 iter_args(%arg11 = %cst_0) -> (f32) {
        %11 = memref.load %arg0[%arg6, %arg7, %arg10] : memref<2x4x32xf32>
        %12 = arith.index_cast %4 : i32 to index
        %13 = arith.divsi %arg7, %c2 : index
        %14 = arith.divsi %arg10, %c8 : index
        %15 = arith.remsi %arg8, %c16 : index
        %16 = arith.remsi %arg10, %c8 : index
        %17 = memref.load %arg1[%12, %13, %14, %15, %16] : memref<6x2x4x16x8xf32>
        %18 = arith.mulf %11, %17 : f32
        %19 = arith.addf %arg11, %18 : f32
        scf.yield %19 : f32
      }
      %6 = arith.mulf %5, %cst : f32
      %7 = arith.index_cast %0 : i32 to index
      %8 = arith.cmpi slt, %arg8, %7 : index
      %9 = arith.select %8, %6, %cst_1 : f32
      memref.store %9, %alloc[%arg8] : memref<48xf32>
      %10 = arith.maximumf %arg9, %9 : f32
      scf.yield %10 : f32
    }
    %2 = scf.for %arg8 = %c0 to %c48 step %c1 iter_args(%arg9 = %cst_0) -> (f32) {
      %3 = memref.load %alloc[%arg8] : memref<48xf32>
      %4 = arith.subf %3, %1 : f32
      %5 = math.exp %4 : f32
      memref.store %5, %alloc[%arg8] : memref<48xf32>
      %6 = arith.addf %arg9, %5 : f32
      scf.yield %6 : f32
    }
    scf.for %arg8 = %c0 to %c32 step %c1 {
      %3 = scf.for %arg9 = %c0 to %c48 step %c1 iter_args(%arg10 = %cst_0) -> (f32) {
        %5 = arith.divsi %arg9, %c16 : index
        %6 = memref.load %arg3[%arg6, %5] : memref<2x3xi32>
        %7 = memref.load %alloc[%arg9] : memref<48xf32>
        %8 = arith.index_cast %6 : i32 to index
        %9 = arith.divsi %arg7, %c2 : index
        %10 = arith.remsi %arg9, %c16 : index
        %11 = memref.load %arg2[%8, %9, %arg8, %10] : memref<6x2x32x16xf32>
        %12 = arith.mulf %7, %11 : f32
        %13 = arith.addf %arg10, %12 : f32
        scf.yield %13 : f32
      }
      %4 = arith.divf %3, %2 : f32
      memref.store %4, %arg5[%arg6, %arg7, %arg8] : memref<2x4x32xf32>
    }
    scf.reduce 
  }
  return
}

