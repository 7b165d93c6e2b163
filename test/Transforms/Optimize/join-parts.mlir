// A block of 2 x 5 tiles, of which DST holds 4: D3 leaves one tile to a part, since 5 is prime.
// RUN: tt-opt --tt-pipeline=optimize=join-parts --canonicalize --cse %s --remarks-filter=tt-join-parts 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: 5 parts are 1 sections of 3, and 1 of 2

// By itself, behind D3.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics \
// RUN:     --tt-join-parts --canonicalize --cse %s | FileCheck %s --check-prefix=ALONE
// ALONE: tt.kernel @compute
// ALONE: tt.pack_to_cb {{.*}} tiles = 3 ->
// ALONE: tt.pack_to_cb {{.*}} tiles = 2 ->

// Copied back to DST in each step, in the order in which they were packed.
// CHECK: tt.kernel @compute
// CHECK: scf.if
// CHECK-NEXT: metalium.cb_wait_front %[[P:.*]], %c3
// CHECK: scf.for %[[T:[a-z0-9]+]] = %c0 to %c3 step %c1
// CHECK-NEXT: metalium.copy_tile %[[P]], %[[T]], %[[T]]
// CHECK: metalium.cb_pop_front %[[P]], %c3
// CHECK: scf.for %[[T:[a-z0-9]+]] = %c0 to %c3 step %c1
// CHECK-NEXT: scf.for %[[L:[a-z0-9]+]] = %c0 to %c4 step %c1
// CHECK: %[[ROW:.*]] = arith.muli %[[L]], %c5
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[ROW]], %[[T]]
// CHECK-NEXT: metalium.matmul_tiles %{{.*}}, %{{.*}}, %{{.*}}, %[[B]], %[[T]]
// CHECK: metalium.cb_reserve_back %[[P]], %c3
// CHECK: metalium.cb_push_back %[[P]], %c3
// CHECK: metalium.cb_wait_front %[[P]], %c2
// CHECK: %[[J:[0-9]+]] = arith.addi %[[U:[a-z0-9]+]], %c3
// CHECK: %[[B:.*]] = arith.addi %{{.*}}, %[[J]]
// CHECK-NEXT: metalium.matmul_tiles %{{.*}}, %{{.*}}, %{{.*}}, %[[B]], %[[U]]
// CHECK: metalium.cb_push_back %[[P]], %c2

// Those that are packed to places of their own come by length, and are products of blocks.
// RUN: tt-opt --tt-pipeline=optimize=pack-last-step,sum-in-l1,join-parts,block-products --canonicalize --cse %s | FileCheck %s --check-prefix=PLACE
// PLACE: matmul_block_init %{{.*}} ct = 3 rt = 1
// PLACE-NEXT: scf.for {{.*}} %c0 to %c2
// PLACE: matmul_block %{{.*}} ct = 3 rt = 1
// PLACE: matmul_block_init %{{.*}} ct = 2 rt = 1
// PLACE-NEXT: scf.for {{.*}} %c0 to %c2
// PLACE: matmul_block %{{.*}} ct = 2 rt = 1

// What divides DST is as it was.
// RUN: tt-opt --tt-pipeline=optimize=join-parts %examples/gemm.mlir --remarks-filter=tt-join-parts -o /dev/null 2>&1 | count 0

// The same bits on both chips.
// RUN: %if all %{ tt-run %s --optimize=none --output C=%t.none.npy %}
// RUN: %if all %{ tt-run %s --optimize=join-parts,block-products --metalium-api=2026-08 --output C=%t.one.npy && cmp %t.none.npy %t.one.npy %}
// RUN: %if all %{ tt-run %s --arch=blackhole --optimize=pack-last-step,write-as-packed,lengthen-last-step,join-parts,block-products --output C=%t.most.npy && cmp %t.none.npy %t.most.npy %}
func.func @prime(%A: memref<128x512xbf16> {tt.name = "A"}, %B: memref<512x320xbf16> {tt.name = "B"},
                 %C: memref<128x320xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c160 = arith.constant 160 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (2, 2) {
    %m = arith.muli %by, %c64 : index
    %n = arith.muli %bx, %c160 : index
    %sum = memref.alloc() : memref<64x160xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<64x160xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c512 step %c128 {
      %a = memref.subview %A[%m, %k] [64, 128] [1, 1] : memref<128x512xbf16> to memref<64x128xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [128, 160] [1, 1] : memref<512x320xbf16> to memref<128x160xbf16, strided<[320, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<64x128xbf16, strided<[512, 1], offset: ?>>, memref<128x160xbf16, strided<[320, 1], offset: ?>>)
                    outs(%sum : memref<64x160xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [64, 160] [1, 1] : memref<128x320xf32> to memref<64x160xf32, strided<[320, 1], offset: ?>>
    linalg.copy ins(%sum : memref<64x160xf32, #gpu.address_space<private>>) outs(%c : memref<64x160xf32, strided<[320, 1], offset: ?>>)
  }
  return
}
