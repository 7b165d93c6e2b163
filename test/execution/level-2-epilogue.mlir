// REQUIRES: all
// RUN: tt-run %s
// RUN: tt-opt --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --cse --canonicalize %s | FileCheck %s
// RUN: sed 's/\[0, 4\], dst = 0/[0, 4], dst = 4/; s/dst = 0 -> %%c/dst = 4 -> %%c/' %s | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=SCRATCH
// RUN: sed 's/tt.copy_to_dst %%r, dst = 4/tt.copy_to_dst %%r, dst = 2/; s/\[0, 4\]/[0, 2]/' %s | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: sed 's/tt.copy_to_dst %%r, dst = 4/tt.fpu.mul %%r, %%r, dst = 4/; s/: !tt.cb<2x2xbf16> .. r/: !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>/' %s | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=CLEAN

// What follows a product in DST runs for each of its tiles, and packs all of them.
// CHECK: tt.kernel @compute
// CHECK: metalium.matmul_tiles
// CHECK: scf.for %[[T:.*]] = %c0 to %c4
// CHECK: metalium.copy_tile %{{.*}}, %c0, %c4
// CHECK: metalium.sfpu_tiles add, %[[T]], %c4, %[[T]]
// CHECK: metalium.sfpu_tile relu, %[[T]]
// CHECK: metalium.cb_reserve_back %[[C:.*]], %c4
// CHECK-NEXT: tt.pack_to_cb dst = 0 tiles = 4 -> %[[C]]

// SCRATCH: error: what follows a product is packed from the product's tile; copy tile 4 there with tt.sfpu.combine copy
// INNER: error: tile 2 of DST is part of a product's result
// CLEAN: error: products and sums add to what is in DST, so they do not follow another product there; pack that first
func.func @k(%A: memref<64x32xbf16> {tt.name = "A"}, %B: memref<32x64xbf16> {tt.name = "B"},
             %R: memref<64x64xbf16> {tt.name = "R"}, %C: memref<64x64xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %first = arith.constant false
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x2xbf16>
  %r = tt.alloc_cb "r" : !tt.cb<2x2xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<2x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x32xbf16>, !tt.cb<2x1xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.read_to_cb %R[%c0, %c0], %r : memref<64x64xbf16>, !tt.cb<2x2xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %first : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>
  tt.copy_to_dst %r, dst = 4 : !tt.cb<2x2xbf16> // r
  tt.sfpu.combine add, [0, 4], dst = 0
  tt.sfpu.unary relu, dst = 0
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<2x2xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<2x2xbf16>, memref<64x64xbf16>
  return
}
