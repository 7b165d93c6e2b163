// RUN: tt-opt --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-pack-last-step --tt-start-products %s --remarks-filter=tt-start-products 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=pack-last-step,start-products %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// A mask that is added to a product: sub-blocks start from its tiles, and no op adds. The circular buffer of the product goes.
// WHY: the product starts from what is added to it
// CHECK-LABEL: tt.program @masked
// CHECK: tt.mm.mma %{{.*}}, %{{.*}} transpose_b, dst = 0, accumulate = %true -> %{{.*}} spill @cb_in2 :
// CHECK-NOT: tt.sfpu.combine
// CHECK-LABEL: tt.program @columns
// FILES-LABEL: //--- masked/compute.cpp
// FILES: for (uint32_t block_col = 0; block_col < 2; ++block_col) {
// FILES: cb_wait_front(cb_in2, 4);
// FILES: copy_tile(cb_in2, t, t);
// FILES: cb_pop_front(cb_in2, 4);
// FILES: matmul_tiles(cb_in0, cb_in1
// FILES-NOT: add_binary_tile
// FILES: pack_tile(t, cb_out0);
func.func @masked(%Q: memref<32x64xbf16> {tt.name = "Q"}, %K: memref<256x64xbf16> {tt.name = "K"}, %M: memref<32x256xf32> {tt.name = "M"}, %S: memref<32x256xf32> {tt.name = "S"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %q = tt.alloc_cb "q" : !tt.cb<1x2xbf16>
  %k = tt.alloc_cb "k" : !tt.cb<8x2xbf16>
  %m = tt.alloc_cb "m" : !tt.cb<1x8xf32>
  %p = tt.alloc_cb "p" : !tt.cb<1x8xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x8xf32>
  tt.read_to_cb %Q[%c0, %c0], %q : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.read_to_cb %K[%c0, %c0], %k : memref<256x64xbf16>, !tt.cb<8x2xbf16>
  tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = %false : !tt.cb<1x2xbf16>, !tt.cb<8x2xbf16>
  tt.pack_to_cb dst = 0 -> %p : !tt.cb<1x8xf32>
  tt.read_to_cb %M[%c0, %c0], %m : memref<32x256xf32>, !tt.cb<1x8xf32>
  tt.copy_to_dst %p, dst = 0 : !tt.cb<1x8xf32>
  tt.copy_to_dst %m, dst = 1 : !tt.cb<1x8xf32>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %s : !tt.cb<1x8xf32>
  tt.write_from_cb %s, %S[%c0, %c0] : !tt.cb<1x8xf32>, memref<32x256xf32>
  return
}

// Of several rows, and with what is added first.
// WHY: the product starts from what is added to it
func.func @columns(%Q: memref<64x64xbf16> {tt.name = "Q"}, %K: memref<192x64xbf16> {tt.name = "K"}, %M: memref<64x192xf32> {tt.name = "M"}, %S: memref<64x192xf32> {tt.name = "S"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %q = tt.alloc_cb "q" : !tt.cb<2x2xbf16>
  %k = tt.alloc_cb "k" : !tt.cb<6x2xbf16>
  %m = tt.alloc_cb "m" : !tt.cb<2x6xf32>
  %p = tt.alloc_cb "p" : !tt.cb<2x6xf32>
  %s = tt.alloc_cb "s" : !tt.cb<2x6xf32>
  tt.read_to_cb %Q[%c0, %c0], %q : memref<64x64xbf16>, !tt.cb<2x2xbf16>
  tt.read_to_cb %K[%c0, %c0], %k : memref<192x64xbf16>, !tt.cb<6x2xbf16>
  tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = %false : !tt.cb<2x2xbf16>, !tt.cb<6x2xbf16>
  tt.pack_to_cb dst = 0 -> %p : !tt.cb<2x6xf32>
  tt.read_to_cb %M[%c0, %c0], %m : memref<64x192xf32>, !tt.cb<2x6xf32>
  tt.copy_to_dst %m, dst = 0 : !tt.cb<2x6xf32>
  tt.copy_to_dst %p, dst = 1 : !tt.cb<2x6xf32>
  tt.sfpu.combine add, [1, 0], dst = 0 -> %s : !tt.cb<2x6xf32>
  tt.write_from_cb %s, %S[%c0, %c0] : !tt.cb<2x6xf32>, memref<64x192xf32>
  return
}

// What is added is taken by another op as well.
// WHY: what is added to the product comes last: more than the sum takes what is added
func.func @twice(%Q: memref<32x64xbf16> {tt.name = "Q"}, %K: memref<64x64xbf16> {tt.name = "K"}, %M: memref<32x64xf32> {tt.name = "M"}, %S: memref<32x64xf32> {tt.name = "S"}, %E: memref<32x64xf32> {tt.name = "E"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %q = tt.alloc_cb "q" : !tt.cb<1x2xbf16>
  %k = tt.alloc_cb "k" : !tt.cb<2x2xbf16>
  %m = tt.alloc_cb "m" : !tt.cb<1x2xf32>
  %p = tt.alloc_cb "p" : !tt.cb<1x2xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x2xf32>
  %e = tt.alloc_cb "e" : !tt.cb<1x2xf32>
  tt.read_to_cb %Q[%c0, %c0], %q : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.read_to_cb %K[%c0, %c0], %k : memref<64x64xbf16>, !tt.cb<2x2xbf16>
  tt.read_to_cb %M[%c0, %c0], %m : memref<32x64xf32>, !tt.cb<1x2xf32>
  tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = %false -> %p : !tt.cb<1x2xbf16>, !tt.cb<2x2xbf16>, !tt.cb<1x2xf32>
  tt.copy_to_dst %p, dst = 0 : !tt.cb<1x2xf32>
  tt.copy_to_dst %m, dst = 1 : !tt.cb<1x2xf32>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %s : !tt.cb<1x2xf32>
  tt.copy_to_dst %m, dst = 0 : !tt.cb<1x2xf32>
  tt.sfpu.unary exp, dst = 0 -> %e : !tt.cb<1x2xf32>
  tt.write_from_cb %s, %S[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  tt.write_from_cb %e, %E[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  return
}
