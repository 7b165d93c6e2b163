// RUN: tt-opt --tt-sum-products %s --remarks-filter=tt-sum-products 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=sum-products %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// Products of two blocks; the factor of all terms is one of the sum.
// WHY: DST adds up the products that are summed
// CHECK-LABEL: func.func @scaled
// CHECK: tt.fpu.mul_sum sum_row, %[[X:.*]], %[[X]], dst = 0 -> %[[SUMS:.*]] : {{.*}}, !tt.cb<1x1xf32>
// CHECK-NEXT: tt.fpu.reduce sum_row, %[[SUMS]], %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.sfpu.unary mul_scalar, dst = 0 scalar = 2.500000e-01 ->
// FILES: // cb_intermed{{.}} = sum_row(cb_in0 * cb_in0)
// FILES: for (uint32_t l = 0; l < 4; ++l) {
// FILES-NEXT: mul_tiles(cb_in0, cb_in0, l, l, 0);
// FILES: matmul_tiles(
// FILES: mul_unary_tile(
func.func @scaled(%X: memref<32x128xbf16> {tt.name = "X"}, %S: memref<32xf32> {tt.name = "S"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x4xbf16>
  %t = tt.alloc_cb "t" : !tt.cb<1x4xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  %turned = tt.alloc_cb "turned" : !tt.cb<1x1xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.fpu.mul %x, %x, dst = 0 : !tt.cb<1x4xbf16>, !tt.cb<1x4xbf16>
  tt.sfpu.unary mul_scalar, dst = 0 scalar = 0.25 -> %t : !tt.cb<1x4xf32>
  tt.fpu.reduce sum_row, %t, %ones, dst = 0 -> %s : !tt.cb<1x4xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %s transpose, dst = 0 -> %turned : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %turned, %S[%c0] : !tt.cb<1x1xf32>, memref<32xf32>
  return
}

// What is squared is computed, and kept; sums of columns.
// WHY: DST adds up the products that are summed
// CHECK-LABEL: func.func @squares
// CHECK: tt.fpu.sub
// CHECK: tt.pack_to_cb dst = 0 -> %[[D:.*]] : !tt.cb<4x1xf32>
// CHECK-NEXT: tt.fpu.mul_sum sum_col, %[[D]], %[[D]], dst = 0 -> %[[SUMS:.*]] : {{.*}}, !tt.cb<1x1xf32>
// CHECK-NEXT: tt.fpu.reduce sum_col, %[[SUMS]], %{{.*}}, dst = 0 -> %{{.*}}
func.func @squares(%X: memref<128x32xbf16>, %Y: memref<128x32xbf16>, %S: memref<32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<4x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<4x1xbf16>
  %t = tt.alloc_cb "t" : !tt.cb<4x1xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<128x32xbf16>, !tt.cb<4x1xbf16>
  tt.read_to_cb %Y[%c0, %c0], %y : memref<128x32xbf16>, !tt.cb<4x1xbf16>
  tt.fpu.sub %x, %y, dst = 0 : !tt.cb<4x1xbf16>, !tt.cb<4x1xbf16>
  tt.sfpu.combine mul, [0, 0], dst = 0 -> %t : !tt.cb<4x1xf32>
  tt.fpu.reduce sum_col, %t, %ones, dst = 0 -> %s : !tt.cb<4x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %s, %S[%c0] : !tt.cb<1x1xf32>, memref<32xf32>
  return
}

// Sums of something else, of what another op takes as well, and in DST of 16 bits, which rounds each sum.
// WHY: terms are packed before they are summed: they are no squares of what is computed, and no products of blocks
// CHECK-LABEL: func.func @others
// CHECK-NOT: tt.fpu.mul_sum
func.func @others(%X: memref<32x128xbf16>, %Y: memref<32x128xbf16>, %S: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x4xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x4xbf16>
  %t = tt.alloc_cb "t" : !tt.cb<1x4xf32>
  %u = tt.alloc_cb "u" : !tt.cb<1x4xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  %v = tt.alloc_cb "v" : !tt.cb<1x1xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.copy_to_dst %x, dst = 0 : !tt.cb<1x4xbf16>
  tt.sfpu.unary exp, dst = 0 -> %t : !tt.cb<1x4xf32>
  tt.fpu.reduce sum_row, %t, %ones, dst = 0 -> %v : !tt.cb<1x4xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.fpu.mul %x, %v bcast cols, dst = 0 -> %u : !tt.cb<1x4xbf16>, !tt.cb<1x1xf32>, !tt.cb<1x4xf32>
  tt.fpu.reduce sum_row, %u, %ones, dst = 0 -> %s : !tt.cb<1x4xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %u, dst = 0 -> %y : !tt.cb<1x4xf32>, !tt.cb<1x4xbf16>
  tt.write_from_cb %s, %S[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x4xbf16>, memref<32x128xbf16>
  return
}

// CHECK-LABEL: func.func @narrow
// CHECK-NOT: tt.fpu.mul_sum
func.func @narrow(%X: memref<32x128xbf16>, %S: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x4xbf16>
  %t = tt.alloc_cb "t" : !tt.cb<1x4xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xbf16>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.fpu.mul %x, %x, dst = 0 -> %t : !tt.cb<1x4xbf16>, !tt.cb<1x4xbf16>, !tt.cb<1x4xbf16>
  tt.fpu.reduce sum_row, %t, %ones, dst = 0 -> %s : !tt.cb<1x4xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %s, %S[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
