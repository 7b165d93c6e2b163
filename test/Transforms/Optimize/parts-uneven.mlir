// Blocks whose tiles have no divisors to speak of are read, computed and written in parts that are about as long as others', and a shorter
// last one.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-opt --tt-pipeline=optimize=read-in-parts,write-as-packed,batch-tiles --canonicalize --cse %t/row.mlir | FileCheck %t/row.mlir
// RUN: tt-opt --tt-pipeline=optimize=read-in-parts,write-as-packed --canonicalize --cse %t/rows.mlir | FileCheck %t/rows.mlir
// RUN: tt-run %t/row.mlir --optimize=read-in-parts,write-as-packed,batch-tiles,wait-as-needed --check --strict --output C=%t/all.npy
// RUN: %if all %{ tt-run %t/row.mlir --optimize=none --output C=%t/none.npy %}
// RUN: %if all %{ cmp %t/all.npy %t/none.npy %}
// RUN: %if all %{ tt-run %t/row.mlir --check --strict --arch=blackhole --metalium-api=2025 %}
// RUN: %if all %{ tt-run %t/rows.mlir --check --strict --output C=%t/rows.all.npy %}
// RUN: %if all %{ tt-run %t/rows.mlir --optimize=none --output C=%t/rows.none.npy %}
// RUN: %if all %{ cmp %t/rows.all.npy %t/rows.none.npy %}
// RUN: %if all %{ tt-run %t/rows.mlir --check --strict --arch=blackhole --metalium-api=2026-03 %}

//--- row.mlir
// 31 tiles: 16 and 15 are read; seven sections of four, and one of three, are computed; three parts of eight, and one of seven, leave.
// CHECK-LABEL: tt.program @row
// CHECK: tt.kernel @reader
// CHECK: metalium.cb_push_back %[[A:[0-9]+]], %c16
// CHECK: metalium.cb_push_back %[[B:[0-9]+]], %c16
// CHECK: metalium.cb_push_back %[[A]], %c15
// CHECK: metalium.cb_push_back %[[B]], %c15
// CHECK: tt.kernel @compute
// CHECK: scf.for %{{.*}} = %c0 to %c7
// CHECK: metalium.cb_push_back %[[C:[0-9]+]], %c4
// CHECK: metalium.cb_push_back %[[C]], %c3
// CHECK: tt.kernel @writer
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK: metalium.cb_pop_front %[[C:[0-9]+]], %c8
// CHECK: metalium.cb_pop_front %[[C]], %c7
func.func @row(%A: memref<64x992xbf16> {tt.name = "A"}, %B: memref<64x992xbf16> {tt.name = "B"}, %C: memref<64x992xbf16> {tt.name = "C"})
    attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%i) in (2) {
    %row = arith.muli %i, %c32 : index
    %a = memref.subview %A[%row, 0] [32, 992] [1, 1] : memref<64x992xbf16> to memref<32x992xbf16, strided<[992, 1], offset: ?>>
    %b = memref.subview %B[%row, 0] [32, 992] [1, 1] : memref<64x992xbf16> to memref<32x992xbf16, strided<[992, 1], offset: ?>>
    %c = memref.subview %C[%row, 0] [32, 992] [1, 1] : memref<64x992xbf16> to memref<32x992xbf16, strided<[992, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : memref<32x992xbf16, strided<[992, 1], offset: ?>>, memref<32x992xbf16, strided<[992, 1], offset: ?>>)
        outs(%c : memref<32x992xbf16, strided<[992, 1], offset: ?>>) {
      ^bb0(%x: bf16, %y: bf16, %old: bf16):
        %sum = arith.addf %x, %y : bf16
        %difference = arith.subf %x, %y : bf16
        %r = arith.mulf %sum, %difference : bf16
        linalg.yield %r : bf16
    }
  }
  return
}

//--- rows.mlir
// 7 rows of 2 tiles: four of them, then three.
// CHECK-LABEL: tt.program @rows
// CHECK: tt.kernel @reader
// CHECK: metalium.cb_push_back %[[A:[0-9]+]], %c8
// CHECK: metalium.cb_push_back %[[A]], %c6
// CHECK: tt.kernel @writer
// CHECK: metalium.cb_pop_front %[[C:[0-9]+]], %c8
// CHECK: metalium.cb_pop_front %[[C]], %c6
func.func @rows(%A: memref<224x128xbf16> {tt.name = "A"}, %C: memref<224x128xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (2) {
    %col = arith.muli %i, %c64 : index
    %a = memref.subview %A[0, %col] [224, 64] [1, 1] : memref<224x128xbf16> to memref<224x64xbf16, strided<[128, 1], offset: ?>>
    %c = memref.subview %C[0, %col] [224, 64] [1, 1] : memref<224x128xbf16> to memref<224x64xbf16, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<224x64xbf16, strided<[128, 1], offset: ?>>) outs(%c : memref<224x64xbf16, strided<[128, 1], offset: ?>>) {
      ^bb0(%x: bf16, %old: bf16):
        %r = arith.addf %x, %x : bf16
        linalg.yield %r : bf16
    }
  }
  return
}
