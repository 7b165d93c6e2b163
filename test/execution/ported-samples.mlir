// Indices that floats say, and lists of which not all name a row of the tensor.
// RUN: split-file %s %t
// RUN: %if all %{ tt-run %t/sampled.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/sampled.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/table.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/table.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/outside.mlir --check --metalium-api=2026-08 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/outside.mlir --check --arch=blackhole --optimize=none --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/besides.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/besides.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/summed.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/summed.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/between.mlir --check --metalium-api=2026-03 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/between.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: Y: max abs error {{.*}}: ok

// An image is sampled at places that floats say: an element among all of the matrix.
//--- sampled.mlir
func.func @sampled(%arg0: memref<16x20xf32> {tt.name = "X"}, %arg1: memref<12x14xf32> {tt.name = "Gx"}, %arg2: memref<12x14xf32> {tt.name = "Gy"}, %arg3: memref<12x14xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c15_i32 = arith.constant 15 : i32
  %c19_i32 = arith.constant 19 : i32
  %c1_i32 = arith.constant 1 : i32
  %cst = arith.constant 1.500000e+01 : f32
  %cst_0 = arith.constant 7.500000e+00 : f32
  %cst_1 = arith.constant 1.900000e+01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 9.500000e+00 : f32
  %cst_4 = arith.constant 1.000000e+00 : f32
  %c14 = arith.constant 14 : index
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c1 = arith.constant 1 : index
  scf.for %arg4 = %c0 to %c12 step %c1 {
    scf.for %arg5 = %c0 to %c14 step %c1 {
      %0 = memref.load %arg1[%arg4, %arg5] : memref<12x14xf32>
      %1 = arith.addf %0, %cst_4 : f32
      %2 = arith.mulf %1, %cst_3 : f32
      %3 = arith.maximumf %2, %cst_2 : f32
      %4 = arith.minimumf %3, %cst_1 : f32
      %5 = memref.load %arg2[%arg4, %arg5] : memref<12x14xf32>
      %6 = arith.addf %5, %cst_4 : f32
      %7 = arith.mulf %6, %cst_0 : f32
      %8 = arith.maximumf %7, %cst_2 : f32
      %9 = arith.minimumf %8, %cst : f32
      %10 = math.floor %4 : f32
      %11 = arith.fptosi %10 : f32 to i32
      %12 = math.floor %9 : f32
      %13 = arith.fptosi %12 : f32 to i32
      %14 = arith.addi %11, %c1_i32 : i32
      %15 = arith.minsi %14, %c19_i32 : i32
      %16 = arith.addi %13, %c1_i32 : i32
      %17 = arith.minsi %16, %c15_i32 : i32
      %18 = arith.subf %4, %10 : f32
      %19 = arith.subf %9, %12 : f32
      %20 = arith.index_cast %13 : i32 to index
      %21 = arith.index_cast %11 : i32 to index
      %22 = memref.load %arg0[%20, %21] : memref<16x20xf32>
      %23 = arith.index_cast %15 : i32 to index
      %24 = memref.load %arg0[%20, %23] : memref<16x20xf32>
      %25 = arith.index_cast %17 : i32 to index
      %26 = memref.load %arg0[%25, %21] : memref<16x20xf32>
      %27 = memref.load %arg0[%25, %23] : memref<16x20xf32>
      %28 = arith.subf %cst_4, %18 : f32
      %29 = arith.mulf %22, %28 : f32
      %30 = arith.mulf %24, %18 : f32
      %31 = arith.addf %29, %30 : f32
      %32 = arith.subf %cst_4, %19 : f32
      %33 = arith.mulf %31, %32 : f32
      %34 = arith.mulf %26, %28 : f32
      %35 = arith.mulf %27, %18 : f32
      %36 = arith.addf %34, %35 : f32
      %37 = arith.mulf %36, %19 : f32
      %38 = arith.addf %33, %37 : f32
      memref.store %38, %arg3[%arg4, %arg5] : memref<12x14xf32>
    }
  }
  return
}


// A table is read where a float says.
//--- table.mlir
func.func @table(%arg0: memref<64xf32> {tt.name = "T"}, %arg1: memref<12x40xf32> {tt.name = "X"}, %arg2: memref<12x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant 6.300000e+01 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 3.200000e+01 : f32
  %c40 = arith.constant 40 : index
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c1 = arith.constant 1 : index
  scf.for %arg3 = %c0 to %c12 step %c1 {
    scf.for %arg4 = %c0 to %c40 step %c1 {
      %0 = memref.load %arg1[%arg3, %arg4] : memref<12x40xf32>
      %1 = arith.mulf %0, %cst_1 : f32
      %2 = arith.addf %1, %cst_1 : f32
      %3 = arith.maximumf %2, %cst_0 : f32
      %4 = arith.minimumf %3, %cst : f32
      %5 = arith.fptosi %4 : f32 to i32
      %6 = arith.index_cast %5 : i32 to index
      %7 = memref.load %arg0[%6] : memref<64xf32>
      memref.store %7, %arg2[%arg3, %arg4] : memref<12x40xf32>
    }
  }
  return
}


// A row that a list names, or none of the tensor: the branch goes around the loop over the row, also where what it compares with stands in it.
//--- outside.mlir
func.func @outside(%arg0: memref<20xi32> {tt.name = "I", tt.range = [-5, 45]},
               %arg1: memref<40x40xf32> {tt.name = "X"}, %arg2: memref<20x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant -1.000000e+00 : f32
  %c40_i32 = arith.constant 40 : i32
  %c0_i32 = arith.constant 0 : i32
  %c40 = arith.constant 40 : index
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %c1 = arith.constant 1 : index
  scf.for %arg3 = %c0 to %c20 step %c1 {
    %0 = memref.load %arg0[%arg3] : memref<20xi32>
    scf.for %arg4 = %c0 to %c40 step %c1 {
      %1 = arith.cmpi sge, %0, %c0_i32 : i32
      %2 = arith.cmpi slt, %0, %c40_i32 : i32
      %3 = arith.andi %1, %2 : i1
      %4 = scf.if %3 -> (f32) {
        %5 = arith.index_cast %0 : i32 to index
        %6 = memref.load %arg1[%5, %arg4] : memref<40x40xf32>
        scf.yield %6 : f32
      } else {
        scf.yield %cst : f32
      }
      memref.store %4, %arg2[%arg3, %arg4] : memref<20x40xf32>
    }
  }
  return
}


// Elements decide as well: the row is read whether they do or not, at some place that is there.
//--- besides.mlir
func.func @besides(%arg0: memref<20xi32> {tt.name = "I", tt.range = [-5, 45]},
               %arg1: memref<40x40xf32> {tt.name = "X"}, %arg2: memref<20x40xf32> {tt.name = "Z"},
               %arg3: memref<20x40xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c40_i32 = arith.constant 40 : i32
  %c0_i32 = arith.constant 0 : i32
  %cst = arith.constant -1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c40 = arith.constant 40 : index
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %c1 = arith.constant 1 : index
  scf.for %arg4 = %c0 to %c20 step %c1 {
    %0 = memref.load %arg0[%arg4] : memref<20xi32>
    scf.for %arg5 = %c0 to %c40 step %c1 {
      %1 = memref.load %arg2[%arg4, %arg5] : memref<20x40xf32>
      %2 = arith.cmpf ogt, %1, %cst_0 : f32
      %3 = scf.if %2 -> (f32) {
        %4 = arith.cmpi sge, %0, %c0_i32 : i32
        %5 = arith.cmpi slt, %0, %c40_i32 : i32
        %6 = arith.andi %4, %5 : i1
        %7 = scf.if %6 -> (f32) {
          %8 = arith.index_cast %0 : i32 to index
          %9 = memref.load %arg1[%8, %arg5] : memref<40x40xf32>
          scf.yield %9 : f32
        } else {
          scf.yield %cst : f32
        }
        scf.yield %7 : f32
      } else {
        scf.yield %cst : f32
      }
      memref.store %3, %arg3[%arg4, %arg5] : memref<20x40xf32>
    }
  }
  return
}


// A sum over such a row.
//--- summed.mlir
func.func @summed(%arg0: memref<20xi32> {tt.name = "I", tt.range = [-5, 45]},
               %arg1: memref<40x40xf32> {tt.name = "X"}, %arg2: memref<20xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c40_i32 = arith.constant 40 : i32
  %c0_i32 = arith.constant 0 : i32
  %cst = arith.constant 0.000000e+00 : f32
  %c40 = arith.constant 40 : index
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %c1 = arith.constant 1 : index
  scf.for %arg3 = %c0 to %c20 step %c1 {
    %0 = memref.load %arg0[%arg3] : memref<20xi32>
    %1 = scf.for %arg4 = %c0 to %c40 step %c1 iter_args(%arg5 = %cst) -> (f32) {
      %2 = arith.cmpi sge, %0, %c0_i32 : i32
      %3 = arith.cmpi slt, %0, %c40_i32 : i32
      %4 = arith.andi %2, %3 : i1
      %5 = scf.if %4 -> (f32) {
        %6 = arith.index_cast %0 : i32 to index
        %7 = memref.load %arg1[%6, %arg4] : memref<40x40xf32>
        %8 = arith.addf %arg5, %7 : f32
        scf.yield %8 : f32
      } else {
        scf.yield %arg5 : f32
      }
      scf.yield %5 : f32
    }
    memref.store %1, %arg2[%arg3] : memref<20xf32>
  }
  return
}

// An image is made larger by no small fraction along both sides, between its elements, and clamped at its border.
//--- between.mlir
func.func @between(%arg0: memref<12x14xf32> {tt.name = "X"}, %arg1: memref<28x30xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %cst = arith.constant 1.000000e+00 : f32
  %c1_i32 = arith.constant 1 : i32
  %c13_i32 = arith.constant 13 : i32
  %c11_i32 = arith.constant 11 : i32
  %cst_0 = arith.constant 0.466666669 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 0.428571433 : f32
  %cst_3 = arith.constant 5.000000e-01 : f32
  %c30 = arith.constant 30 : index
  %c0 = arith.constant 0 : index
  %c28 = arith.constant 28 : index
  %c1 = arith.constant 1 : index
  scf.for %arg2 = %c0 to %c28 step %c1 {
    scf.for %arg3 = %c0 to %c30 step %c1 {
      %0 = arith.index_cast %arg2 : index to i32
      %1 = arith.sitofp %0 : i32 to f32
      %2 = arith.addf %1, %cst_3 : f32
      %3 = arith.mulf %2, %cst_2 : f32
      %4 = arith.subf %3, %cst_3 : f32
      %5 = arith.maximumf %4, %cst_1 : f32
      %6 = arith.index_cast %arg3 : index to i32
      %7 = arith.sitofp %6 : i32 to f32
      %8 = arith.addf %7, %cst_3 : f32
      %9 = arith.mulf %8, %cst_0 : f32
      %10 = arith.subf %9, %cst_3 : f32
      %11 = arith.maximumf %10, %cst_1 : f32
      %12 = math.floor %5 : f32
      %13 = arith.fptosi %12 : f32 to i32
      %14 = arith.minsi %13, %c11_i32 : i32
      %15 = math.floor %11 : f32
      %16 = arith.fptosi %15 : f32 to i32
      %17 = arith.minsi %16, %c13_i32 : i32
      %18 = arith.addi %14, %c1_i32 : i32
      %19 = arith.minsi %18, %c11_i32 : i32
      %20 = arith.addi %17, %c1_i32 : i32
      %21 = arith.minsi %20, %c13_i32 : i32
      %22 = arith.subf %5, %12 : f32
      %23 = arith.subf %11, %15 : f32
      %24 = arith.index_cast %14 : i32 to index
      %25 = arith.index_cast %17 : i32 to index
      %26 = memref.load %arg0[%24, %25] : memref<12x14xf32>
      %27 = arith.subf %cst, %23 : f32
      %28 = arith.mulf %26, %27 : f32
      %29 = arith.index_cast %21 : i32 to index
      %30 = memref.load %arg0[%24, %29] : memref<12x14xf32>
      %31 = arith.mulf %30, %23 : f32
      %32 = arith.addf %28, %31 : f32
      %33 = arith.subf %cst, %22 : f32
      %34 = arith.mulf %32, %33 : f32
      %35 = arith.index_cast %19 : i32 to index
      %36 = memref.load %arg0[%35, %25] : memref<12x14xf32>
      %37 = arith.mulf %36, %27 : f32
      %38 = memref.load %arg0[%35, %29] : memref<12x14xf32>
      %39 = arith.mulf %38, %23 : f32
      %40 = arith.addf %37, %39 : f32
      %41 = arith.mulf %40, %22 : f32
      %42 = arith.addf %34, %41 : f32
      memref.store %42, %arg1[%arg2, %arg3] : memref<28x30xf32>
    }
  }
  return
}

