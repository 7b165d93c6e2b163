// Parts of results: what begins or ends inside of them, and what steps change that others have made.
// RUN: split-file %s %t
// RUN: tt-run %t/integral.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --check-prefix=EXACT --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/integral.mlir --check --arch=wormhole_b0 --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/scattered.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/scattered.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/pages.mlir --check --arch=blackhole --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --check-prefix=EXACT --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/pages.mlir --check --arch=wormhole_b0 --optimize=none --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/morepages.mlir --check --arch=wormhole_b0 --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --check-prefix=EXACT --implicit-check-not=TOLERANCE
// RUN: tt-run %t/inner.mlir --check --arch=wormhole_b0 --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run %t/inner.mlir --check --arch=blackhole --optimize=none --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/first.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run %t/first.mlir --check --arch=wormhole_b0 --optimize=none --metalium-api=2026-08 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run %t/placed.mlir --check --metalium-api=2025 2>&1 | FileCheck %s --check-prefix=INTEGER
// CHECK: {{[YC]}}: max abs error {{.*}}: ok
// INTEGER: Y: equal: ok
// EXACT: {{[YC]}}: max abs error 0, {{.*}}: ok

// Sums over all elements above and to the left: a branch keeps rows that the loop itself writes inside.
//--- integral.mlir
func.func @integral(%X: memref<4x12xf32> {tt.name = "X"}, %Y: memref<4x12xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 4 : index
  %v3 = arith.constant 1 : index
  scf.for %y_4 = %v1 to %v2 step %v3 {
    %v5 = arith.constant 0 : index
    %v6 = arith.constant 12 : index
    %v7 = arith.constant 1 : index
    %v8 = arith.constant 0.0 : f32
    %r11:1 = scf.for %x_9 = %v5 to %v6 step %v7 iter_args(%rs_10 = %v8) -> (f32) {
      %v12 = memref.load %X[%y_4, %x_9] : memref<4x12xf32>
      %v13 = arith.addf %rs_10, %v12 : f32
      %v14 = arith.constant 0 : index
      %v15 = arith.cmpi sgt, %y_4, %v14 : index
      %v20 = scf.if %v15 -> (f32) {
        %v16 = arith.constant 1 : index
        %v17 = arith.subi %y_4, %v16 : index
        %v18 = memref.load %Y[%v17, %x_9] : memref<4x12xf32>
        scf.yield %v18 : f32
      } else {
        %v19 = arith.constant 0.0 : f32
        scf.yield %v19 : f32
      }
      %v21 = arith.addf %v13, %v20 : f32
      memref.store %v21, %Y[%y_4, %x_9] : memref<4x12xf32>
      scf.yield %v13 : f32
    }
  }
  return
}

// A convolution that is turned around: each element of the input is added to a window of each result.
//--- scattered.mlir
func.func @scattered(%X: memref<2x3x3xf32> {tt.name = "X"}, %W: memref<2x2x3x3xf32> {tt.name = "W"}, %Y: memref<2x7x7xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 2 : index
  %v3 = arith.constant 1 : index
  scf.for %o_4 = %v1 to %v2 step %v3 {
    %v5 = arith.constant 0 : index
    %v6 = arith.constant 7 : index
    %v7 = arith.constant 1 : index
    scf.for %y_8 = %v5 to %v6 step %v7 {
      %v9 = arith.constant 0 : index
      %v10 = arith.constant 7 : index
      %v11 = arith.constant 1 : index
      scf.for %x_12 = %v9 to %v10 step %v11 {
        %v13 = arith.constant 0.0 : f32
        memref.store %v13, %Y[%o_4, %y_8, %x_12] : memref<2x7x7xf32>
      }
    }
  }
  %v14 = arith.constant 0 : index
  %v15 = arith.constant 2 : index
  %v16 = arith.constant 1 : index
  scf.for %c_17 = %v14 to %v15 step %v16 {
    %v18 = arith.constant 0 : index
    %v19 = arith.constant 3 : index
    %v20 = arith.constant 1 : index
    scf.for %y_21 = %v18 to %v19 step %v20 {
      %v22 = arith.constant 0 : index
      %v23 = arith.constant 3 : index
      %v24 = arith.constant 1 : index
      scf.for %x_25 = %v22 to %v23 step %v24 {
        %v26 = arith.constant 0 : index
        %v27 = arith.constant 2 : index
        %v28 = arith.constant 1 : index
        scf.for %o_29 = %v26 to %v27 step %v28 {
          %v30 = arith.constant 0 : index
          %v31 = arith.constant 3 : index
          %v32 = arith.constant 1 : index
          scf.for %ky_33 = %v30 to %v31 step %v32 {
            %v34 = arith.constant 0 : index
            %v35 = arith.constant 3 : index
            %v36 = arith.constant 1 : index
            scf.for %kx_37 = %v34 to %v35 step %v36 {
              %v38 = arith.constant 2 : index
              %v39 = arith.muli %v38, %y_21 : index
              %v40 = arith.addi %v39, %ky_33 : index
              %v41 = arith.constant 2 : index
              %v42 = arith.muli %v41, %x_25 : index
              %v43 = arith.addi %v42, %kx_37 : index
              %v44 = memref.load %Y[%o_29, %v40, %v43] : memref<2x7x7xf32>
              %v45 = memref.load %X[%c_17, %y_21, %x_25] : memref<2x3x3xf32>
              %v46 = memref.load %W[%c_17, %o_29, %ky_33, %kx_37] : memref<2x2x3x3xf32>
              %v47 = arith.mulf %v45, %v46 : f32
              %v48 = arith.addf %v44, %v47 : f32
              %v49 = arith.constant 2 : index
              %v50 = arith.muli %v49, %y_21 : index
              %v51 = arith.addi %v50, %ky_33 : index
              %v52 = arith.constant 2 : index
              %v53 = arith.muli %v52, %x_25 : index
              %v54 = arith.addi %v53, %kx_37 : index
              memref.store %v48, %Y[%o_29, %v51, %v54] : memref<2x7x7xf32>
            }
          }
        }
      }
    }
  }
  return
}

// Pages of a cache that are copied onto others, with all of their bits.
//--- pages.mlir
func.func @pages(%C: memref<2x2x4xf32> {tt.name = "C"}, %M: memref<2x2xi32> {tt.name = "M", tt.range = [0, 1]}) attributes {tt.kernel} {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 2 : index
  %v3 = arith.constant 1 : index
  scf.for %p_4 = %v1 to %v2 step %v3 {
    %v5 = arith.constant 0 : index
    %v6 = memref.load %M[%p_4, %v5] : memref<2x2xi32>
    %v7 = arith.constant 1 : index
    %v8 = memref.load %M[%p_4, %v7] : memref<2x2xi32>
    %v9 = arith.constant 0 : index
    %v10 = arith.constant 2 : index
    %v11 = arith.constant 1 : index
    scf.for %e_12 = %v9 to %v10 step %v11 {
      %v13 = arith.constant 0 : index
      %v14 = arith.constant 4 : index
      %v15 = arith.constant 1 : index
      scf.for %d_16 = %v13 to %v14 step %v15 {
        %v17 = arith.index_cast %v6 : i32 to index
        %v18 = memref.load %C[%v17, %e_12, %d_16] : memref<2x2x4xf32>
        %v19 = arith.index_cast %v8 : i32 to index
        memref.store %v18, %C[%v19, %e_12, %d_16] : memref<2x2x4xf32>
      }
    }
  }
  return
}

// Eight pages: their parts take turns in the circular buffers that Wormhole has.
//--- morepages.mlir
func.func @morepages(%C: memref<8x2x4xf32> {tt.name = "C"}, %M: memref<2x2xi32> {tt.name = "M", tt.range = [0, 7]}) attributes {tt.kernel} {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 2 : index
  %v3 = arith.constant 1 : index
  scf.for %p_4 = %v1 to %v2 step %v3 {
    %v5 = arith.constant 0 : index
    %v6 = memref.load %M[%p_4, %v5] : memref<2x2xi32>
    %v7 = arith.constant 1 : index
    %v8 = memref.load %M[%p_4, %v7] : memref<2x2xi32>
    %v9 = arith.constant 0 : index
    %v10 = arith.constant 2 : index
    %v11 = arith.constant 1 : index
    scf.for %e_12 = %v9 to %v10 step %v11 {
      %v13 = arith.constant 0 : index
      %v14 = arith.constant 4 : index
      %v15 = arith.constant 1 : index
      scf.for %d_16 = %v13 to %v14 step %v15 {
        %v17 = arith.index_cast %v6 : i32 to index
        %v18 = memref.load %C[%v17, %e_12, %d_16] : memref<8x2x4xf32>
        %v19 = arith.index_cast %v8 : i32 to index
        memref.store %v18, %C[%v19, %e_12, %d_16] : memref<8x2x4xf32>
      }
    }
  }
  return
}

// The inner elements of an image, which are no whole tiles, and of which several cells write.
//--- inner.mlir
func.func @inner(%X: memref<8x48xf32> {tt.name = "X"}, %Y: memref<8x48xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 6 : index
  %v6 = arith.constant 46 : index
  scf.parallel (%y_1, %x_2) = (%v3, %v3) to (%v5, %v6) step (%v4, %v4) {
    %v7 = arith.constant 1 : index
    %v8 = arith.addi %x_2, %v7 : index
    %v9 = memref.load %X[%y_1, %v8] : memref<8x48xf32>
    %v10 = arith.constant 2 : index
    %v11 = arith.addi %y_1, %v10 : index
    %v12 = arith.constant 1 : index
    %v13 = arith.addi %x_2, %v12 : index
    %v14 = memref.load %X[%v11, %v13] : memref<8x48xf32>
    %v15 = arith.addf %v9, %v14 : f32
    %v16 = arith.constant 1 : index
    %v17 = arith.addi %y_1, %v16 : index
    %v18 = memref.load %X[%v17, %x_2] : memref<8x48xf32>
    %v19 = arith.addf %v15, %v18 : f32
    %v20 = arith.constant 1 : index
    %v21 = arith.addi %y_1, %v20 : index
    %v22 = arith.constant 2 : index
    %v23 = arith.addi %x_2, %v22 : index
    %v24 = memref.load %X[%v21, %v23] : memref<8x48xf32>
    %v25 = arith.addf %v19, %v24 : f32
    %v26 = arith.constant 1 : index
    %v27 = arith.addi %y_1, %v26 : index
    %v28 = arith.constant 1 : index
    %v29 = arith.addi %x_2, %v28 : index
    memref.store %v25, %Y[%v27, %v29] : memref<8x48xf32>
  }
  return
}

// The first elements of a longer column.
//--- first.mlir
func.func @first(%A: memref<40x8xf32> {tt.name = "A"}, %Y: memref<44x2xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 1 : index
  %v4 = arith.constant 40 : index
  scf.parallel (%y_1) = (%v2) to (%v4) step (%v3) {
    %v5 = arith.constant 0 : index
    %v6 = arith.constant 8 : index
    %v7 = arith.constant 1 : index
    %v8 = arith.constant 0.0 : f32
    %r11:1 = scf.for %k_9 = %v5 to %v6 step %v7 iter_args(%s_10 = %v8) -> (f32) {
      %v12 = memref.load %A[%y_1, %k_9] : memref<40x8xf32>
      %v13 = arith.addf %s_10, %v12 : f32
      scf.yield %v13 : f32
    }
    %v14 = arith.constant 1 : index
    memref.store %r11#0, %Y[%y_1, %v14] : memref<44x2xf32>
  }
  return
}

// An integer that nothing computes, where a list says: DST has room for it.
//--- placed.mlir
func.func @placed(%F: memref<4xi32> {tt.name = "F", tt.range = [0, 11]}, %Y: memref<12xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 4 : index
  %v3 = arith.constant 1 : index
  scf.for %i_4 = %v1 to %v2 step %v3 {
    %v5 = memref.load %F[%i_4] : memref<4xi32>
    %v6 = arith.index_cast %v5 : i32 to index
    %v7 = arith.constant 70001 : i32
    memref.store %v7, %Y[%v6] : memref<12xi32>
  }
  return
}
