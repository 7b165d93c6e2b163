// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-pack-last-step %examples/gemm.mlir --remarks-filter=tt-pack-last-step 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: the last of 8 steps goes to the sum's target

// CHECK: tt.kernel @compute
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c7{{.*}} step
// CHECK: tt.mm.mma %[[A:.*]], %[[B:.*]], dst = 0, accumulate = %{{.*}} spill @cb_intermed0 :
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: tt.mm.mma %[[A]], %[[B]], dst = 0, accumulate = %[[TRUE]] -> %[[C:.*]] spill @cb_intermed0
// CHECK-NOT: tt.pack_to_cb
// CHECK: tt.kernel @writer

// What it becomes: sub-blocks are loaded again, multiplied and packed to the result, and none is
// copied afterwards.
// RUN: tt-opt --tt-pipeline=optimize=pack-last-step --canonicalize --cse %examples/gemm.mlir | FileCheck %s --check-prefix=TILES
// TILES: tt.kernel @compute
// TILES: %[[OUT:.*]] = tt.get_cb @cb_out0
// TILES: tt.pack.init %[[OUT]]
// TILES: scf.for
// TILES: metalium.copy_tile
// TILES: metalium.matmul_tiles
// TILES: metalium.pack_tile %{{.*}}, %[[OUT]]
// TILES-NOT: metalium.copy_tile
// TILES: tt.kernel @writer

// RUN: tt-opt --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-pack-last-step %s --remarks-filter=tt-pack-last-step 2> %t.remarks | FileCheck %s --check-prefix=PLAIN
// RUN: FileCheck --check-prefix=WHY %s < %t.remarks

// WHY: the sum is copied to its target: it is not summed over one loop
// PLAIN-LABEL: tt.program @two_loops
// PLAIN: tt.pack_to_cb
func.func @two_loops(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index  %c64 = arith.constant 64 : index  %c128 = arith.constant 128 : index
  %a = tt.alloc_cb "a" : !tt.cb<4x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x4xf32>
  %c = tt.alloc_cb "c" : !tt.cb<4x4xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %k = %c0 to %c64 step %c32 {
      %half = arith.muli %i, %c64 : index
      %at = arith.addi %half, %k : index
      tt.read_to_cb %A[%c0, %at], %a : memref<128x128xf32>, !tt.cb<4x1xf32>
      tt.read_to_cb %B[%at, %c0], %b : memref<128x128xf32>, !tt.cb<1x4xf32>
      %x = arith.cmpi ne, %i, %c0 : index
      %y = arith.cmpi ne, %k, %c0 : index
      %acc = arith.ori %x, %y : i1
      tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<4x1xf32>, !tt.cb<1x4xf32>
    }
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<4x4xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xf32>, memref<128x128xf32>
  return
}

// WHY: the sum is copied to its target: several products add to it
// PLAIN-LABEL: tt.program @two_products
// PLAIN: tt.pack_to_cb
func.func @two_products(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index  %c32 = arith.constant 32 : index  %c128 = arith.constant 128 : index
  %true = arith.constant true
  %a = tt.alloc_cb "a" : !tt.cb<4x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x4xf32>
  %c = tt.alloc_cb "c" : !tt.cb<4x4xf32>
  scf.for %k = %c0 to %c128 step %c32 {
    tt.read_to_cb %A[%c0, %k], %a : memref<128x128xf32>, !tt.cb<4x1xf32>
    tt.read_to_cb %B[%k, %c0], %b : memref<128x128xf32>, !tt.cb<1x4xf32>
    %acc = arith.cmpi ne, %k, %c0 : index
    tt.mm.mma %a, %b, dst = 0, accumulate = %acc : !tt.cb<4x1xf32>, !tt.cb<1x4xf32>
    tt.mm.mma %a, %b, dst = 0, accumulate = %true : !tt.cb<4x1xf32>, !tt.cb<1x4xf32>
  }
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<4x4xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xf32>, memref<128x128xf32>
  return
}

// A product without a loop, larger than DST: its parts go where they are to be, and no circular buffer holds them before.
// WHY: the product goes to its target
// PLAIN-LABEL: tt.program @one_step
// PLAIN-NOT: tt.circular_buffer @cb_intermed
// PLAIN: tt.mm.mma %{{.*}}, %{{.*}}, dst = 0, accumulate = %false{{.*}} -> %{{[0-9]+}} : !tt.cb<4x1xf32>
// PLAIN-NOT: tt.pack_to_cb
func.func @one_step(%A: memref<128x32xf32>, %B: memref<32x128xf32>, %C: memref<128x128xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %a = tt.alloc_cb "a" : !tt.cb<4x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x4xf32>
  %c = tt.alloc_cb "c" : !tt.cb<4x4xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<128x32xf32>, !tt.cb<4x1xf32>
  tt.read_to_cb %B[%c0, %c0], %b : memref<32x128xf32>, !tt.cb<1x4xf32>
  tt.mm.mma %a, %b, dst = 0, accumulate = %false : !tt.cb<4x1xf32>, !tt.cb<1x4xf32>
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<4x4xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x4xf32>, memref<128x128xf32>
  return
}
