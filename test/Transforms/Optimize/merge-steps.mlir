// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=merge-steps" %s --remarks-filter=tt-merge-steps 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// Stages are plain unless they are asked, and a name that is none is refused.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c %s | FileCheck --check-prefix=PLAIN %s
// RUN: not tt-opt --tt-stage-c="optimize=merge-step" %s 2>&1 | FileCheck --check-prefix=NAME %s
// RUN: not tt-opt --tt-pipeline="grid=8x8 optimize=all,merge-steps" %s 2>&1 | FileCheck --check-prefix=LIST %s
// RUN: tt-opt --tt-pipeline="optimize=merge-steps grid=4x2" %s | FileCheck --check-prefix=GRID %s

// NAME: optimize=merge-step: expected none, all, or names of optimizations with commas between; did you mean 'merge-steps'?
// LIST: optimize=all: expected
// GRID: #tt.target<arch = wormhole_b0, grid = 4x2>

// 32 steps of one tile become four of eight, two blocks of each in flight.
// CHECK-LABEL: func.func @sum
// CHECK: tt.alloc_cb "cb_in0" depth = 2 : !tt.cb<2x8xbf16>
// CHECK: tt.alloc_cb "cb_in1" depth = 2 : !tt.cb<8x1xbf16>
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c1024{{.*}} step %c256
// CHECK: tt.read_to_cb %{{.*}}[%c0, %[[K]]], %{{.*}} : memref<64x1024xbf16>, !tt.cb<2x8xbf16>
// CHECK: tt.read_to_cb %{{.*}}[%[[K]], %c0], %{{.*}} : memref<1024x32xbf16>, !tt.cb<8x1xbf16>
// CHECK: tt.mm.mma %{{.*}} : !tt.cb<2x8xbf16>, !tt.cb<8x1xbf16>
// PLAIN-LABEL: func.func @sum
// PLAIN: step %c32
// REMARK-DAG: merge-steps.mlir:[[@LINE+6]]:{{.*}}"loop over %k: 32 steps are made 4"
func.func @sum(%A: memref<64x1024xbf16>, %B: memref<1024x32xbf16>, %C: memref<64x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c32 = arith.constant 32 : index  %c1024 = arith.constant 1024 : index
  %a = tt.alloc_cb "a" depth = 3 : !tt.cb<2x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<2x1xbf16>
  scf.for %k = %c0 to %c1024 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<64x1024xbf16>, !tt.cb<2x1xbf16>
    tt.read_to_cb %B[%k, %c0], %b : memref<1024x32xbf16>, !tt.cb<1x1xbf16>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<2x1xbf16>, !tt.cb<1x1xbf16>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<2x1xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<2x1xbf16>, memref<64x32xbf16>
  return
}

// The transposed operand is summed over along its columns.
// CHECK-LABEL: func.func @turned
// CHECK: tt.mm.mma %{{.*}} transpose_b{{.*}} : !tt.cb<1x8xbf16>, !tt.cb<2x8xbf16>
func.func @turned(%A: memref<32x512xbf16>, %B: memref<64x512xbf16>, %C: memref<32x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c32 = arith.constant 32 : index  %c512 = arith.constant 512 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<2x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x2xbf16>
  scf.for %k = %c0 to %c512 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<32x512xbf16>, !tt.cb<1x1xbf16>
    tt.read_to_cb %B[%c0, %k], %b : memref<64x512xbf16>, !tt.cb<2x1xbf16>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b transpose_b, dst = 0, accumulate = %acc : !tt.cb<1x1xbf16>, !tt.cb<2x1xbf16>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<1x2xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x2xbf16>, memref<32x64xbf16>
  return
}

// All products of a sum take less than it takes to wait for a block: it is one step, which is no loop, and starts.
// CHECK-LABEL: func.func @brief
// CHECK-NOT: scf.for
// CHECK: tt.read_to_cb %{{.*}}[%c0, %[[AT:.*]]], %{{.*}} : memref<32x128xbf16>, !tt.cb<1x4xbf16>
// CHECK: tt.mm.mma %{{.*}}, accumulate = %false : !tt.cb<1x4xbf16>, !tt.cb<4x1xbf16>
// REMARK-DAG: 4 steps are made 1
func.func @brief(%A: memref<32x128xbf16>, %B: memref<128x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c32 = arith.constant 32 : index  %c128 = arith.constant 128 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  scf.for %k = %c0 to %c128 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<32x128xbf16>, !tt.cb<1x1xbf16>
    tt.read_to_cb %B[%k, %c0], %b : memref<128x32xbf16>, !tt.cb<1x1xbf16>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<1x1xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// Two products that add to one sum in turn would add in another order.
// CHECK-LABEL: func.func @in_turn
// CHECK: scf.for {{.*}} step %c32
// REMARK-DAG: steps are not merged: two products add to one sum, in turn
func.func @in_turn(%A: memref<32x512xbf16>, %B: memref<512x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c32 = arith.constant 32 : index  %c512 = arith.constant 512 : index
  %true = arith.constant true
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  scf.for %k = %c0 to %c512 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<32x512xbf16>, !tt.cb<1x1xbf16>
    tt.read_to_cb %B[%k, %c0], %b : memref<512x32xbf16>, !tt.cb<1x1xbf16>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.mm.mma %a, %b, dst = 0, accumulate = %true : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<1x1xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// Every step multiplies the same block of B.
// CHECK-LABEL: func.func @same_block
// CHECK: scf.for {{.*}} step %c32
// REMARK-DAG: steps are not merged: the blocks of an operand do not follow each other along the summed dimension
func.func @same_block(%A: memref<32x512xbf16>, %B: memref<512x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c32 = arith.constant 32 : index  %c512 = arith.constant 512 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  scf.for %k = %c0 to %c512 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<32x512xbf16>, !tt.cb<1x1xbf16>
    tt.read_to_cb %B[%c0, %c0], %b : memref<512x32xbf16>, !tt.cb<1x1xbf16>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<1x1xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// Eight steps of 8 tiles of K would leave L1 no room for longer blocks.
// CHECK-LABEL: func.func @full
// CHECK: scf.for {{.*}} step %c256
// REMARK-DAG: its 8 steps stay 8: they are long enough, L1 has no room for longer blocks, or few are left
func.func @full(%A: memref<256x2048xbf16>, %B: memref<2048x256xbf16>, %C: memref<256x256xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c256 = arith.constant 256 : index  %c2048 = arith.constant 2048 : index
  %a = tt.alloc_cb "a" : !tt.cb<8x8xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<8x8xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<8x8xbf16>
  scf.for %k = %c0 to %c2048 step %c256 {
    tt.read_to_cb %A[%c0, %k], %a : memref<256x2048xbf16>, !tt.cb<8x8xbf16>
    tt.read_to_cb %B[%k, %c0], %b : memref<2048x256xbf16>, !tt.cb<8x8xbf16>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<8x8xbf16>, !tt.cb<8x8xbf16>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<8x8xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<8x8xbf16>, memref<256x256xbf16>
  return
}
