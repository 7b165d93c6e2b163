// RUN: tt-opt --tt-pipeline=optimize=write-as-packed --canonicalize --cse %examples/gemm.mlir --remarks-filter=tt-write-as-packed 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: a block is written in 4 parts

// CHECK: tt.kernel @writer
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c4
// CHECK-NEXT: metalium.cb_wait_front %[[OUT:.*]], %c4
// CHECK-NEXT: %[[L1:.*]] = metalium.get_read_ptr %[[OUT]]
// CHECK: scf.for
// CHECK: metalium.noc_async_write_tile
// CHECK: metalium.noc_async_writes_flushed
// CHECK-NEXT: metalium.cb_pop_front %[[OUT]], %c4
// CHECK-NOT: metalium.noc_async_write_barrier
// CHECK: {tt.var = "unit"}
// CHECK-NEXT: metalium.noc_async_write_barrier
// CHECK-NEXT: }

// Steps that write to one place wait for each other.
// RUN: tt-opt --tt-pipeline=optimize=write-as-packed %s --remarks-filter=tt-write-as-packed 2> %t.remarks | FileCheck %s --check-prefix=PLAIN
// RUN: FileCheck --check-prefix=WHY %s < %t.remarks
// WHY: a block is written as a whole: steps of a loop may write to the same place
// PLAIN: tt.kernel @writer
// PLAIN: metalium.noc_async_write_barrier
// PLAIN-NEXT: arith.constant
// PLAIN-NEXT: metalium.cb_pop_front
func.func @again(%A: memref<128x256xbf16>, %C: memref<128x128xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c128 = arith.constant 128 : index  %c256 = arith.constant 256 : index
  %a = tt.alloc_cb "a" : !tt.cb<4x4xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<4x4xbf16>
  scf.for %k = %c0 to %c256 step %c128 {
    tt.read_to_cb %A[%c0, %k], %a : memref<128x256xbf16>, !tt.cb<4x4xbf16>
    tt.copy_to_dst %a, dst = 0 -> %c : !tt.cb<4x4xbf16>, !tt.cb<4x4xbf16>
    tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xbf16>, memref<128x128xbf16>
  }
  return
}
