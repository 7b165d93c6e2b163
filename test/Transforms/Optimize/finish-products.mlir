// RUN: tt-opt --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-pack-last-step --tt-finish-products %s --remarks-filter=tt-finish-products 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=pack-last-step,finish-products %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// A mask: each tile of the product is compared where it is made, since tiles differ by where they are. The circular buffer of the product goes.
// WHY: ops go on with the product in DST
// CHECK-LABEL: tt.program @masked
// CHECK-NOT: tt.circular_buffer {{.*}} !tt.cb<2x4xf32> {{.*}}@cb_intermed1
// CHECK: tt.mm.mma %{{.*}}, %{{.*}} transpose_b, dst = 0, accumulate = %{{.*}} :
// CHECK: tt.copy_to_dst %{{.*}} repeat, dst = 8
// CHECK: tt.sfpu.scalar add_scalar, %{{.*}}, dst = 8
// CHECK-NEXT: tt.sfpu.unary gtz, dst = 8
// CHECK-NEXT: tt.sfpu.unary fill, dst = 9
// CHECK-NEXT: tt.sfpu.combine where, [8, 0, 9], dst = 0 -> %
// FILES-LABEL: //--- masked/compute.cpp
// FILES: // cb_out0 = where(gtz(cb_in{{.}} + 1), cb_in{{.}} x cb_in{{.}} transposed, -1e+30)
// FILES: for (uint32_t block_row = 0; block_row < 2; ++block_row) {
// FILES-NEXT: for (uint32_t block_col = 0; block_col < 4; ++block_col) {
// FILES: matmul_tiles({{.*}}, block_row * 2 + l, block_col * 2 + l, 0);
// FILES: where_tile<DataFormat::Float32>(1, 0, 2, 0);
// FILES: pack_tile(0, cb_out0);
func.func @masked(%Q: memref<64x64xbf16> {tt.name = "Q"}, %K: memref<128x64xbf16> {tt.name = "K"}, %S: memref<64x128xf32> {tt.name = "S"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %index = tt.alloc_cb "index" : !tt.cb<1x1xbf16>
  tt.index_to_cb rows = 1 cols = -1 -> %index : !tt.cb<1x1xbf16>
  %q = tt.alloc_cb "q" : !tt.cb<2x2xbf16>
  %k = tt.alloc_cb "k" : !tt.cb<4x2xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<2x4xf32>
  %o = tt.alloc_cb "o" : !tt.cb<2x4xf32>
  tt.read_to_cb %Q[%c0, %c0], %q : memref<64x64xbf16>, !tt.cb<2x2xbf16>
  tt.read_to_cb %K[%c0, %c0], %k : memref<128x64xbf16>, !tt.cb<4x2xbf16>
  tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = %false : !tt.cb<2x2xbf16>, !tt.cb<4x2xbf16>
  tt.pack_to_cb dst = 0 -> %s : !tt.cb<2x4xf32>
  tt.copy_to_dst %index repeat, dst = 0 : !tt.cb<1x1xbf16>
  tt.sfpu.scalar add_scalar, %c1 steps [32, -32] limit 63, dst = 0 : index
  tt.sfpu.unary gtz, dst = 0
  tt.copy_to_dst %s, dst = 1 : !tt.cb<2x4xf32>
  tt.sfpu.unary fill, dst = 2 scalar = -1.0e30
  tt.sfpu.combine where, [0, 1, 2], dst = 0 -> %o : !tt.cb<2x4xf32>
  tt.write_from_cb %o, %S[%c0, %c0] : !tt.cb<2x4xf32>, memref<64x128xf32>
  return
}

// What is added is the same everywhere: sub-blocks have the tiles that DST has beside it, two of four.
// WHY: ops go on with the product in DST
// CHECK-LABEL: tt.program @added
// CHECK: tt.mm.mma
// CHECK-NEXT: tt.copy_to_dst %{{.*}}, dst = 8
// CHECK-NEXT: tt.sfpu.combine add, [0, 8], dst = 0 -> %
// FILES-LABEL: //--- added/compute.cpp
// FILES: block_col < 2
// FILES: matmul_tiles({{.*}}, j);
// FILES: copy_tile(cb_in{{.}}, 0, 2);
// FILES-NEXT: add_binary_tile(j, 2, j);
// FILES: pack_tile(t, cb_out0);
func.func @added(%X: memref<64x32xbf16> {tt.name = "X"}, %W: memref<32x128xbf16> {tt.name = "W"}, %R: memref<64x128xbf16> {tt.name = "R"}, %S: memref<64x128xf32> {tt.name = "S"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %x = tt.alloc_cb "x" : !tt.cb<2x1xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x4xbf16>
  %r = tt.alloc_cb "r" : !tt.cb<2x4xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<2x4xf32>
  %o = tt.alloc_cb "o" : !tt.cb<2x4xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<64x32xbf16>, !tt.cb<2x1xbf16>
  tt.read_to_cb %W[%c0, %c0], %w : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.read_to_cb %R[%c0, %c0], %r : memref<64x128xbf16>, !tt.cb<2x4xbf16>
  tt.mm.mma %x, %w, dst = 0, accumulate = %false -> %s : !tt.cb<2x1xbf16>, !tt.cb<1x4xbf16>, !tt.cb<2x4xf32>
  tt.copy_to_dst %s, dst = 0 : !tt.cb<2x4xf32>
  tt.copy_to_dst %r, dst = 1 : !tt.cb<2x4xbf16>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %o : !tt.cb<2x4xf32>
  tt.write_from_cb %o, %S[%c0, %c0] : !tt.cb<2x4xf32>, memref<64x128xf32>
  return
}

// The product is a result itself; its result is rounded to bf16 first; rows of it are summed; and a function leaves its own in another tile.
// WHY: the product is packed before ops take it: its result is rounded first
// CHECK-LABEL: tt.program @rounded
// CHECK: tt.mm.mma {{.*}} -> %
func.func @rounded(%X: memref<64x32xbf16>, %W: memref<32x128xbf16>, %S: memref<64x128xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %x = tt.alloc_cb "x" : !tt.cb<2x1xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x4xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<2x4xbf16>
  %o = tt.alloc_cb "o" : !tt.cb<2x4xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<64x32xbf16>, !tt.cb<2x1xbf16>
  tt.read_to_cb %W[%c0, %c0], %w : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.mm.mma %x, %w, dst = 0, accumulate = %false -> %s : !tt.cb<2x1xbf16>, !tt.cb<1x4xbf16>, !tt.cb<2x4xbf16>
  tt.copy_to_dst %s, dst = 0 : !tt.cb<2x4xbf16>
  tt.sfpu.unary exp, dst = 0 -> %o : !tt.cb<2x4xf32>
  tt.write_from_cb %o, %S[%c0, %c0] : !tt.cb<2x4xf32>, memref<64x128xf32>
  return
}

// WHY: the product is packed before ops take it: not they alone take its result, and once
// CHECK-LABEL: tt.program @twice
// CHECK: tt.mm.mma {{.*}} -> %
func.func @twice(%X: memref<64x32xbf16>, %W: memref<32x128xbf16>, %S: memref<64x128xf32>, %T: memref<64x128xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %x = tt.alloc_cb "x" : !tt.cb<2x1xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x4xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<2x4xf32>
  %o = tt.alloc_cb "o" : !tt.cb<2x4xf32>
  %p = tt.alloc_cb "p" : !tt.cb<2x4xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<64x32xbf16>, !tt.cb<2x1xbf16>
  tt.read_to_cb %W[%c0, %c0], %w : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.mm.mma %x, %w, dst = 0, accumulate = %false -> %s : !tt.cb<2x1xbf16>, !tt.cb<1x4xbf16>, !tt.cb<2x4xf32>
  tt.copy_to_dst %s, dst = 0 : !tt.cb<2x4xf32>
  tt.sfpu.unary exp, dst = 0 -> %o : !tt.cb<2x4xf32>
  tt.copy_to_dst %s, dst = 0 : !tt.cb<2x4xf32>
  tt.sfpu.unary relu, dst = 0 -> %p : !tt.cb<2x4xf32>
  tt.write_from_cb %o, %S[%c0, %c0] : !tt.cb<2x4xf32>, memref<64x128xf32>
  tt.write_from_cb %p, %T[%c0, %c0] : !tt.cb<2x4xf32>, memref<64x128xf32>
  return
}
