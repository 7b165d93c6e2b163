// Tiles of a block are written as they are pushed.
// RUN: tt-opt --tt-pipeline=optimize=write-as-pushed --canonicalize --cse %s --remarks-filter=tt-write-as-pushed 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: each of 4 tiles is written when it is there
// CHECK: tt.kernel @writer
// CHECK: %[[D:.*]] = metalium.get_read_ptr %[[OUT:.*]] {
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[N:.*]] = arith.addi %[[J]], %c1
// CHECK: metalium.cb_wait_front %[[OUT]], %[[N]]
// CHECK: metalium.noc_async_write_tile
// CHECK: metalium.noc_async_write_barrier
// CHECK: metalium.cb_pop_front %[[OUT]], %c4

// Results that are pushed side by side are written so.
// RUN: tt-opt --tt-pipeline=optimize=pack-copies,write-as-pushed --canonicalize --cse %s --remarks-filter=tt-write-as-pushed 2> %t.remarks \
// RUN:   | FileCheck %s --check-prefix=TWO
// RUN: FileCheck --check-prefix=SIDE %s < %t.remarks
// SIDE: results are written side by side
// TWO: tt.kernel @writer
// TWO-DAG: %[[C:.*]] = tt.get_cb @cb_out0
// TWO-DAG: %[[D:.*]] = tt.get_cb @cb_out1
// TWO: scf.for %[[J:.*]] =
// TWO: metalium.cb_wait_front %[[C]], %[[N:.*]] :
// TWO-NEXT: metalium.noc_async_write_tile
// TWO-NOT: metalium.noc_async_write_barrier
// TWO: metalium.cb_wait_front %[[D]], %[[N]] :
// TWO: metalium.noc_async_write_tile
// TWO: }
// TWO-NEXT: metalium.noc_async_write_barrier
// TWO-NEXT: metalium.cb_pop_front %[[C]], %c4
// TWO-NEXT: metalium.cb_pop_front %[[D]], %c4
// TWO-NOT: metalium.noc_async_write_barrier

// Blocks that are written in parts stay so, and blocks that come as a whole.
// RUN: tt-opt --tt-pipeline=optimize=write-as-packed,write-as-pushed %examples/eadd.mlir --remarks-filter=tt-write-as-pushed 2>&1 >/dev/null | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: remark

// RUN: tt-run %s --optimize=pack-copies,write-as-pushed --check --strict

#ij = affine_map<(i, j) -> (i, j)>
func.func @both(%A: memref<128x256xf32> {tt.name = "A"}, %C: memref<128x256xf32> {tt.name = "C"}, %D: memref<128x256xbf16> {tt.name = "D"}) attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.forall (%by, %bx) in (4, 2) {
    %m = arith.muli %by, %c32 : index
    %n = arith.muli %bx, %c128 : index
    %a = memref.subview %A[%m, %n] [32, 128] [1, 1] : memref<128x256xf32> to memref<32x128xf32, strided<[256, 1], offset: ?>>
    %c = memref.subview %C[%m, %n] [32, 128] [1, 1] : memref<128x256xf32> to memref<32x128xf32, strided<[256, 1], offset: ?>>
    %d = memref.subview %D[%m, %n] [32, 128] [1, 1] : memref<128x256xbf16> to memref<32x128xbf16, strided<[256, 1], offset: ?>>
    %y = memref.alloc() : memref<32x128xf32>
    linalg.exp ins(%a : memref<32x128xf32, strided<[256, 1], offset: ?>>) outs(%y : memref<32x128xf32>)
    memref.copy %y, %c : memref<32x128xf32> to memref<32x128xf32, strided<[256, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : memref<32x128xf32>) outs(%d : memref<32x128xbf16, strided<[256, 1], offset: ?>>) {
      ^bb0(%u: f32, %old: bf16):
        %v = arith.truncf %u : f32 to bf16
        linalg.yield %v : bf16
    }
  }
  return
}
