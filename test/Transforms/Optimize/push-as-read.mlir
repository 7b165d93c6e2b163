// RUN: tt-opt --tt-pipeline=optimize=push-as-read %examples/flash_attention.mlir --remarks-filter=tt-push-as-read 2> %t.remarks \
// RUN:   | tt-translate --emit-metalium | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-stage-d --tt-push-as-read %examples/flash_attention.mlir \
// RUN:   --remarks-filter=tt-push-as-read 2> %t.alone -o /dev/null
// RUN: FileCheck --check-prefix=DONE %s < %t.alone
// DONE: a block does not wait for the next one

// Keys are there for the scores when values have not been asked for.
// CHECK-LABEL: //--- flash_attention/reader.cpp
// CHECK: cb_reserve_back(cb_in1, [[N:.*]]);
// CHECK-NOT: cb_reserve_back
// CHECK: noc_async_read_page({{.*}}, K,
// CHECK: noc_async_read_barrier();
// CHECK-NEXT: cb_push_back(cb_in1, [[N]]);
// CHECK-NEXT: cb_reserve_back(cb_in2, [[M:.*]]);
// CHECK: noc_async_read_page({{.*}}, V,
// CHECK: noc_async_read_barrier();
// CHECK-NEXT: cb_push_back(cb_in2, [[M]]);

// Operands of one product are waited for together, and so are blocks that are short.
// RUN: tt-opt --tt-pipeline=optimize=push-as-read %s --remarks-filter=tt-push-as-read 2> %t.none | tt-translate --emit-metalium \
// RUN:   | FileCheck %s --check-prefix=TOGETHER
// RUN: FileCheck %s --check-prefix=WHY --implicit-check-not=Passed < %t.none
// WHY: remark: [Missed] {{.*}}"A: a block waits for the next one: compute packs nothing between its waits for both"
// TOGETHER-LABEL: //--- product/reader.cpp
// TOGETHER: cb_reserve_back(cb_in0, 4);
// TOGETHER-NEXT: cb_reserve_back(cb_in1, 4);
// TOGETHER: noc_async_read_barrier();
// TOGETHER-NEXT: cb_push_back(cb_in0, 4);
// TOGETHER-NEXT: cb_push_back(cb_in1, 4);
func.func @product(%A: memref<128x128xf32> {tt.name = "A"}, %B: memref<128x128xf32> {tt.name = "B"}, %C: memref<128x128xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %a = tt.alloc_cb "a" : !tt.cb<4x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x4xf32>
  %c = tt.alloc_cb "c" : !tt.cb<4x4xf32>
  scf.for %k = %c0 to %c128 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<128x128xf32>, !tt.cb<4x1xf32>
    tt.read_to_cb %B[%k, %c0], %b : memref<128x128xf32>, !tt.cb<1x4xf32>
    %more = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %more : !tt.cb<4x1xf32>, !tt.cb<1x4xf32>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<4x4xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xf32>, memref<128x128xf32>
  return
}

// TOGETHER-LABEL: //--- brief/reader.cpp
// TOGETHER: noc_async_read_barrier();
// TOGETHER-NEXT: cb_push_back(cb_in0, 1);
// TOGETHER-NEXT: cb_push_back(cb_in1, 1);
func.func @brief(%X: memref<32x32xf32> {tt.name = "X"}, %Y: memref<32x32xf32> {tt.name = "Y"}, %Z: memref<32x32xf32> {tt.name = "Z"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xf32>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xf32>
  %e = tt.alloc_cb "e" : !tt.cb<1x1xf32>
  %z = tt.alloc_cb "z" : !tt.cb<1x1xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.read_to_cb %Y[%c0, %c0], %y : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %x, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary exp, dst = 0 -> %e : !tt.cb<1x1xf32>
  tt.fpu.add %e, %y, dst = 0 -> %z : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %z, %Z[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}
