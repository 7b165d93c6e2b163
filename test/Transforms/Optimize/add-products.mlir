// RUN: tt-opt --tt-add-products %s --remarks-filter=tt-add-products 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=add-products,batch-tiles,block-products %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// A sum that is scaled in each step, and to which a sum of rows is added: both in one section, which --tt-batch-tiles sets to each op once.
// WHY: DST adds a scaled block and what is added to it
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK-NOT: tt.fpu.mul %
// CHECK: tt.fpu.reduce sum_row, %{{.*}}, %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.fpu.mul_add %[[S:.*]], %[[F:.*]] bcast cols, dst = 0 -> %[[S]] :
// CHECK-NEXT: tt.cb_close %[[S]]
// CHECK-NEXT: tt.cb_open %[[S]]
// CHECK-NEXT: }
// FILES: // cb_intermed{{.}} = cb_intermed{{.}} * cb_in{{.}} + sum_row(cb_in{{.}})
// FILES: tile_regs_acquire();
// FILES-NEXT: for (uint32_t l = 0; l < 4; ++l) {
// FILES-NEXT: matmul_block({{.*}}, l, 0, 0, 0, 1, 2, 4);
// FILES: for (uint32_t t = 0; t < 2; ++t) {
// FILES-NEXT: mul_tiles_bcast_cols({{.*}}, t, t, t);
// FILES: pack_tile(t, cb_intermed
func.func @rows(%X: memref<64x512xbf16> {tt.name = "X"}, %F: memref<64x128xbf16> {tt.name = "F"}, %S: memref<64x32xf32> {tt.name = "S"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %c4 = arith.constant 4 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<2x1xf32>
  %o = tt.alloc_cb "o" : !tt.cb<2x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %s : !tt.cb<2x1xf32>
  tt.cb_open %s : !tt.cb<2x1xf32>
  scf.for %k = %c0 to %c512 step %c128 {
    %x = tt.alloc_cb "x" : !tt.cb<2x4xbf16>
    %f = tt.alloc_cb "f" : !tt.cb<2x1xbf16>
    %t = tt.alloc_cb "t" : !tt.cb<2x1xf32>
    %at = arith.divui %k, %c4 : index
    tt.read_to_cb %F[%c0, %at], %f : memref<64x128xbf16>, !tt.cb<2x1xbf16>
    tt.fpu.mul %s, %f bcast cols, dst = 0 -> %s : !tt.cb<2x1xf32>, !tt.cb<2x1xbf16>, !tt.cb<2x1xf32>
    tt.cb_close %s : !tt.cb<2x1xf32>
    tt.cb_open %s : !tt.cb<2x1xf32>
    tt.read_to_cb %X[%c0, %k], %x : memref<64x512xbf16>, !tt.cb<2x4xbf16>
    tt.fpu.reduce sum_row, %x, %ones, dst = 0 -> %t : !tt.cb<2x4xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xf32>
    tt.copy_to_dst %s, dst = 0 : !tt.cb<2x1xf32>
    tt.copy_to_dst %t, dst = 1 : !tt.cb<2x1xf32>
    tt.sfpu.combine add, [0, 1], dst = 0 -> %s : !tt.cb<2x1xf32>
    tt.cb_close %s : !tt.cb<2x1xf32>
    tt.cb_open %s : !tt.cb<2x1xf32>
  }
  tt.copy_to_dst %s, dst = 0 -> %o : !tt.cb<2x1xf32>, !tt.cb<2x1xf32>
  tt.cb_close %s : !tt.cb<2x1xf32>
  tt.write_from_cb %o, %S[%c0, %c0] : !tt.cb<2x1xf32>, memref<64x32xf32>
  return
}

// A product of blocks adds to the scaled block in DST, which it keeps the order of.
// WHY: DST adds a scaled block and what is added to it
// CHECK-LABEL: func.func @product
// CHECK: scf.for
// CHECK: tt.fpu.mul %[[A:.*]], %{{.*}} bcast cols, dst = 0 :
// CHECK: tt.mm.mma %{{.*}}, %{{.*}}, dst = 0, accumulate = %true
// CHECK-NEXT: tt.pack_to_cb dst = 0 -> %[[A]]
// FILES: // DST = cb_intermed{{.}} * cb_in{{.}}
// FILES: mul_tiles_bcast_cols(
// FILES: // DST += cb_in{{.}} x cb_in{{.}}
// FILES-NOT: copy_tile
// FILES: matmul_block(
func.func @product(%X: memref<32x512xbf16> {tt.name = "X"}, %Y: memref<512x64xbf16> {tt.name = "Y"}, %F: memref<32x128xbf16> {tt.name = "F"}, %O: memref<32x64xf32> {tt.name = "O"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %a = tt.alloc_cb "a" : !tt.cb<1x2xf32>
  %o = tt.alloc_cb "o" : !tt.cb<1x2xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %a : !tt.cb<1x2xf32>
  tt.cb_open %a : !tt.cb<1x2xf32>
  scf.for %k = %c0 to %c512 step %c128 {
    %x = tt.alloc_cb "x" : !tt.cb<1x4xbf16>
    %y = tt.alloc_cb "y" : !tt.cb<4x2xbf16>
    %f = tt.alloc_cb "f" : !tt.cb<1x1xbf16>
    %at = arith.divui %k, %c4 : index
    tt.read_to_cb %F[%c0, %at], %f : memref<32x128xbf16>, !tt.cb<1x1xbf16>
    tt.read_to_cb %X[%c0, %k], %x : memref<32x512xbf16>, !tt.cb<1x4xbf16>
    tt.read_to_cb %Y[%k, %c0], %y : memref<512x64xbf16>, !tt.cb<4x2xbf16>
    tt.fpu.mul %a, %f bcast cols, dst = 0 -> %a : !tt.cb<1x2xf32>, !tt.cb<1x1xbf16>, !tt.cb<1x2xf32>
    tt.cb_close %a : !tt.cb<1x2xf32>
    tt.cb_open %a : !tt.cb<1x2xf32>
    tt.copy_to_dst %a, dst = 0 : !tt.cb<1x2xf32>
    tt.mm.mma %x, %y, dst = 0, accumulate = %true : !tt.cb<1x4xbf16>, !tt.cb<4x2xbf16>
    tt.pack_to_cb dst = 0 -> %a : !tt.cb<1x2xf32>
    tt.cb_close %a : !tt.cb<1x2xf32>
    tt.cb_open %a : !tt.cb<1x2xf32>
  }
  tt.copy_to_dst %a, dst = 0 -> %o : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.cb_close %a : !tt.cb<1x2xf32>
  tt.write_from_cb %o, %O[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  return
}

// The scaled block is at the front still when the sum is there, and taken again.
// WHY: a scaled block is packed: it is taken again after the sum
// CHECK-LABEL: func.func @twice
// CHECK: tt.fpu.mul %{{.*}}, %{{.*}}, dst = 0 -> %
// CHECK: tt.sfpu.combine add
// The factor is let go in between.
// WHY: a scaled block is packed: its factor does not stay
// CHECK-LABEL: func.func @factor
// CHECK: tt.fpu.mul %{{.*}}, %{{.*}}, dst = 0 -> %
// CHECK: tt.sfpu.combine add
func.func @twice(%X: memref<32x64xf32>, %F: memref<32x64xf32>, %O: memref<32x64xf32>, %P: memref<32x64xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %s = tt.alloc_cb "s" : !tt.cb<1x2xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x2xf32>
  %f = tt.alloc_cb "f" : !tt.cb<1x2xf32>
  %o = tt.alloc_cb "o" : !tt.cb<1x2xf32>
  %p = tt.alloc_cb "p" : !tt.cb<1x2xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %s : !tt.cb<1x2xf32>
  tt.cb_open %s : !tt.cb<1x2xf32>
  tt.read_to_cb %F[%c0, %c0], %f : memref<32x64xf32>, !tt.cb<1x2xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x64xf32>, !tt.cb<1x2xf32>
  tt.fpu.mul %s, %f, dst = 0 -> %s : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.cb_close %s : !tt.cb<1x2xf32>
  tt.cb_open %s : !tt.cb<1x2xf32>
  tt.copy_to_dst %s, dst = 0 : !tt.cb<1x2xf32>
  tt.copy_to_dst %x, dst = 1 : !tt.cb<1x2xf32>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %s : !tt.cb<1x2xf32>
  tt.copy_to_dst %s, dst = 0 -> %o : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.cb_close %s : !tt.cb<1x2xf32>
  tt.cb_open %s : !tt.cb<1x2xf32>
  tt.copy_to_dst %s, dst = 0 -> %p : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.cb_close %s : !tt.cb<1x2xf32>
  tt.write_from_cb %o, %O[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  tt.write_from_cb %p, %P[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  return
}
func.func @factor(%X: memref<32x64xf32>, %F: memref<32x64xf32>, %P: memref<32x64xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %s = tt.alloc_cb "s" : !tt.cb<1x2xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x2xf32>
  %f = tt.alloc_cb "f" : !tt.cb<1x2xf32>
  %p = tt.alloc_cb "p" : !tt.cb<1x2xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %s : !tt.cb<1x2xf32>
  tt.cb_open %s : !tt.cb<1x2xf32>
  tt.read_to_cb %F[%c0, %c0], %f : memref<32x64xf32>, !tt.cb<1x2xf32>
  tt.cb_open %f : !tt.cb<1x2xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x64xf32>, !tt.cb<1x2xf32>
  tt.fpu.mul %s, %f, dst = 0 -> %s : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.cb_close %f : !tt.cb<1x2xf32>
  tt.cb_close %s : !tt.cb<1x2xf32>
  tt.cb_open %s : !tt.cb<1x2xf32>
  tt.copy_to_dst %s, dst = 0 : !tt.cb<1x2xf32>
  tt.copy_to_dst %x, dst = 1 : !tt.cb<1x2xf32>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %s : !tt.cb<1x2xf32>
  tt.cb_close %s : !tt.cb<1x2xf32>
  tt.cb_open %s : !tt.cb<1x2xf32>
  tt.copy_to_dst %s, dst = 0 -> %p : !tt.cb<1x2xf32>, !tt.cb<1x2xf32>
  tt.cb_close %s : !tt.cb<1x2xf32>
  tt.write_from_cb %p, %P[%c0, %c0] : !tt.cb<1x2xf32>, memref<32x64xf32>
  return
}
