// RUN: tt-opt --tt-pipeline=optimize=fetch-once %examples/rms_norm.mlir --remarks-filter=tt-fetch-once 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: a block is there already, and not fetched again
// DONE-NOT: fetched again

// One circular buffer for the row, one for the weights.
// CHECK: tt.circular_buffer @cb_in1 {{.*}} buffer = "weight"
// CHECK-NOT: @cb_in2
// CHECK: tt.kernel @reader
// CHECK-COUNT-2: metalium.noc_async_read_tile
// CHECK-NOT: metalium.noc_async_read_tile
// CHECK: tt.kernel @compute

// What the kernel writes may be another block the second time; and shapes may differ.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-fetch-once %s --remarks-filter=tt-fetch-once 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
// WHY: a block is fetched again: the kernel writes the tensor
// WHY: a block is fetched again: they are blocks of different shapes
// Nor do 32 bits that go to DST whole share a circular buffer with what passes the source registers.
// RUN: sed 's/ins(%A, %B/ins(%A, %A/; s/bf16/f32/g' %inputs/exp_and_add.mlir > %t.f32.mlir
// RUN: tt-opt --tt-pipeline=optimize=fetch-once %t.f32.mlir --remarks-filter=tt-fetch-once -o /dev/null 2>&1 | FileCheck %s --check-prefix=WAYS
// WAYS: a block is fetched again: one goes to DST with all of its bits, one through the source registers
// Nor do they with a copy that is turned, which passes the source registers, too.
// WHY: a block is fetched again: one goes to DST with all of its bits, one through the source registers
func.func @in_place(%A: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %b : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.fpu.add %a, %b, dst = 0 -> %c : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %c, %A[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

func.func @shapes(%A: memref<64x64xbf16>, %C: memref<64x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<2x2xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<2x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<2x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x64xbf16>, !tt.cb<2x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %b : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  tt.fpu.add %a, %b bcast cols, dst = 0 -> %c : !tt.cb<2x2xbf16>, !tt.cb<2x1xbf16>, !tt.cb<2x2xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<2x2xbf16>, memref<64x64xbf16>
  return
}

func.func @turned(%A: memref<32x32xf32>, %C: memref<32x32xf32>, %D: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xf32>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xf32>
  %d = tt.alloc_cb "d" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %a, dst = 0 -> %c : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %b : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %b transpose, dst = 0 -> %d : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %d, %D[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}
