// Pooling to a given size: where windows begin and end are quotients of where the output is, along rows and along columns.
// RUN: split-file %s %t
// RUN: tt-run %t/mean.mlir --check --strict 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/mean.mlir --check --strict --arch=blackhole 2>&1 | FileCheck %s %}
// RUN: tt-run %t/largest.mlir --check --strict --arch=blackhole 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/largest.mlir --check --strict 2>&1 | FileCheck %s %}
// RUN: tt-run %t/behind.mlir --check --strict 2>&1 | FileCheck %s
// CHECK: Y: max abs error {{.*}}: ok

//--- mean.mlir
func.func @adaptive_pool(%X: memref<4x10x13xf32> {tt.name = "X"}, %Y: memref<4x3x5xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v4 = arith.constant 0 : index
  %v5 = arith.constant 1 : index
  %v6 = arith.constant 4 : index
  %v7 = arith.constant 3 : index
  %v8 = arith.constant 5 : index
  scf.parallel (%c_1, %i_2, %j_3) = (%v4, %v4, %v4) to (%v6, %v7, %v8) step (%v5, %v5, %v5) {
    %v9 = arith.constant 10 : index
    %v10 = arith.muli %i_2, %v9 : index
    %v11 = arith.constant 3 : index
    %v12 = arith.divsi %v10, %v11 : index
    %v13 = arith.constant 1 : index
    %v14 = arith.addi %i_2, %v13 : index
    %v15 = arith.constant 10 : index
    %v16 = arith.muli %v14, %v15 : index
    %v17 = arith.constant 2 : index
    %v18 = arith.addi %v16, %v17 : index
    %v19 = arith.constant 3 : index
    %v20 = arith.divsi %v18, %v19 : index
    %v21 = arith.constant 13 : index
    %v22 = arith.muli %j_3, %v21 : index
    %v23 = arith.constant 5 : index
    %v24 = arith.divsi %v22, %v23 : index
    %v25 = arith.constant 1 : index
    %v26 = arith.addi %j_3, %v25 : index
    %v27 = arith.constant 13 : index
    %v28 = arith.muli %v26, %v27 : index
    %v29 = arith.constant 4 : index
    %v30 = arith.addi %v28, %v29 : index
    %v31 = arith.constant 5 : index
    %v32 = arith.divsi %v30, %v31 : index
    %v33 = arith.constant 1 : index
    %v34 = arith.constant 0.0 : f32
    %r37:1 = scf.for %y_35 = %v12 to %v20 step %v33 iter_args(%s_36 = %v34) -> (f32) {
      %v38 = arith.constant 1 : index
      %r41:1 = scf.for %x_39 = %v24 to %v32 step %v38 iter_args(%s_40 = %s_36) -> (f32) {
        %v42 = memref.load %X[%c_1, %y_35, %x_39] : memref<4x10x13xf32>
        %v43 = arith.addf %s_40, %v42 : f32
        scf.yield %v43 : f32
      }
      scf.yield %r41#0 : f32
    }
    %v44 = arith.subi %v20, %v12 : index
    %v45 = arith.subi %v32, %v24 : index
    %v46 = arith.muli %v44, %v45 : index
    %v47 = arith.index_cast %v46 : index to i32
    %v48 = arith.sitofp %v47 : i32 to f32
    %v49 = arith.divf %r37#0, %v48 : f32
    memref.store %v49, %Y[%c_1, %i_2, %j_3] : memref<4x3x5xf32>
  }
  return
}

//--- largest.mlir
func.func @apmax(%X: memref<4x10x13xf32> {tt.name = "X"}, %Y: memref<4x3x5xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c17 = arith.constant 17 : index
  %c13 = arith.constant 13 : index
  %zero = arith.constant 0xFF800000 : f32
  scf.parallel (%c, %i, %j) = (%c0, %c0, %c0) to (%c4, %c3, %c5) step (%c1, %c1, %c1) {
    %a = arith.muli %i, %c10 : index
    %lo = arith.divsi %a, %c3 : index
    %b = arith.addi %a, %c12 : index
    %hi = arith.divsi %b, %c3 : index
    %e = arith.muli %j, %c13 : index
    %lox = arith.divsi %e, %c5 : index
    %f = arith.addi %e, %c17 : index
    %hix = arith.divsi %f, %c5 : index
      %s = scf.for %y = %lo to %hi step %c1 iter_args(%acc = %zero) -> (f32) {
       %s1 = scf.for %x = %lox to %hix step %c1 iter_args(%acc1 = %acc) -> (f32) {
        %v = memref.load %X[%c, %y, %x] : memref<4x10x13xf32>
        %w = arith.maximumf %acc1, %v : f32
        scf.yield %w : f32
       }
       scf.yield %s1 : f32
      }
      memref.store %s, %Y[%c, %i, %j] : memref<4x3x5xf32>
  }
  return
}

// Columns from the output's own on.
//--- behind.mlir
func.func @ap2(%X: memref<4x10x13xf32> {tt.name = "X"}, %Y: memref<4x3x5xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c13 = arith.constant 13 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%c, %i, %j) = (%c0, %c0, %c0) to (%c4, %c3, %c5) step (%c1, %c1, %c1) {
    %a = arith.muli %i, %c10 : index
    %lo = arith.divsi %a, %c3 : index
    %b = arith.addi %a, %c12 : index
    %hi = arith.divsi %b, %c3 : index
      %s = scf.for %y = %lo to %hi step %c1 iter_args(%acc = %zero) -> (f32) {
       %s1 = scf.for %x = %j to %c5 step %c1 iter_args(%acc1 = %acc) -> (f32) {
        %v = memref.load %X[%c, %y, %x] : memref<4x10x13xf32>
        %w = arith.addf %acc1, %v : f32
        scf.yield %w : f32
       }
       scf.yield %s1 : f32
      }
      memref.store %s, %Y[%c, %i, %j] : memref<4x3x5xf32>
  }
  return
}
