// Rotary embeddings of interleaved pairs, in place, as GPT-J has them: each step writes between what others read.
// RUN: tt-run %s --check --strict 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %s --check --strict --arch=blackhole --optimize=none 2>&1 | FileCheck %s %}
// CHECK: X: max abs error {{.*}}: ok
func.func @rope_gptj(%X: memref<3x10x32xf32> {tt.name = "X"}, %POS: memref<10xi32> {tt.name = "POS", tt.range = [0, 19]}, %CS: memref<20x16xf32> {tt.name = "CS"}, %SN: memref<20x16xf32> {tt.name = "SN"}) attributes {tt.kernel} {
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 3 : index
  %v6 = arith.constant 10 : index
  scf.parallel (%h_1, %t_2) = (%v3, %v3) to (%v5, %v6) step (%v4, %v4) {
    %v7 = memref.load %POS[%t_2] : memref<10xi32>
    %v8 = arith.constant 0 : index
    %v9 = arith.constant 16 : index
    %v10 = arith.constant 1 : index
    scf.for %i_11 = %v8 to %v9 step %v10 {
      %v12 = arith.constant 2 : index
      %v13 = arith.muli %v12, %i_11 : index
      %v14 = memref.load %X[%h_1, %t_2, %v13] : memref<3x10x32xf32>
      %v15 = arith.constant 2 : index
      %v16 = arith.muli %v15, %i_11 : index
      %v17 = arith.constant 1 : index
      %v18 = arith.addi %v16, %v17 : index
      %v19 = memref.load %X[%h_1, %t_2, %v18] : memref<3x10x32xf32>
      %v20 = arith.index_cast %v7 : i32 to index
      %v21 = memref.load %CS[%v20, %i_11] : memref<20x16xf32>
      %v22 = arith.mulf %v14, %v21 : f32
      %v23 = arith.index_cast %v7 : i32 to index
      %v24 = memref.load %SN[%v23, %i_11] : memref<20x16xf32>
      %v25 = arith.mulf %v19, %v24 : f32
      %v26 = arith.subf %v22, %v25 : f32
      %v27 = arith.constant 2 : index
      %v28 = arith.muli %v27, %i_11 : index
      memref.store %v26, %X[%h_1, %t_2, %v28] : memref<3x10x32xf32>
      %v29 = arith.index_cast %v7 : i32 to index
      %v30 = memref.load %SN[%v29, %i_11] : memref<20x16xf32>
      %v31 = arith.mulf %v14, %v30 : f32
      %v32 = arith.index_cast %v7 : i32 to index
      %v33 = memref.load %CS[%v32, %i_11] : memref<20x16xf32>
      %v34 = arith.mulf %v19, %v33 : f32
      %v35 = arith.addf %v31, %v34 : f32
      %v36 = arith.constant 2 : index
      %v37 = arith.muli %v36, %i_11 : index
      %v38 = arith.constant 1 : index
      %v39 = arith.addi %v37, %v38 : index
      memref.store %v35, %X[%h_1, %t_2, %v39] : memref<3x10x32xf32>
    }
  }
  return
}
