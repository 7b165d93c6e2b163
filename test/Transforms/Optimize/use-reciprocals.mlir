// RUN: tt-opt --tt-use-reciprocals %s --remarks-filter=tt-use-reciprocals 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=use-reciprocals,halve-functions %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// WHY: a reciprocal, and no quotient of one
// CHECK-LABEL: func.func @inverse
// CHECK: tt.copy_to_dst %[[S:.*]], dst = 0 :
// CHECK-NEXT: tt.sfpu.unary recip_exact, dst = 0 -> %[[R:.*]] :
// CHECK-NEXT: tt.fpu.mul %{{.*}}, %[[R]] bcast cols
// FILES: // cb_intermed{{.}} = recip_exact(
// FILES: recip_tile<false>(0, VectorMode::C);
func.func @inverse(%X: memref<32x64xbf16> {tt.name = "X"}, %Y: memref<32x64xbf16> {tt.name = "Y"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x2xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x2xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  %r = tt.alloc_cb "r" : !tt.cb<1x1xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.fpu.reduce sum_row, %x, %ones, dst = 0 -> %s : !tt.cb<1x2xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0
  tt.copy_to_dst %s, dst = 1 : !tt.cb<1x1xf32>
  tt.sfpu.combine div, [0, 1], dst = 0 -> %r : !tt.cb<1x1xf32>
  tt.fpu.mul %x, %r bcast cols, dst = 0 -> %y : !tt.cb<1x2xbf16>, !tt.cb<1x1xf32>, !tt.cb<1x2xbf16>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x2xbf16>, memref<32x64xbf16>
  return
}

// Two is no one, and one divided is not divided by.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: tt.sfpu.combine div
func.func @others(%X: memref<32x32xbf16>, %Y: memref<32x32xbf16>, %Z: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xbf16>
  %z = tt.alloc_cb "z" : !tt.cb<1x1xbf16>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 2.0
  tt.copy_to_dst %x, dst = 1 : !tt.cb<1x1xbf16>
  tt.sfpu.combine div, [0, 1], dst = 0 -> %y : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0
  tt.copy_to_dst %x, dst = 1 : !tt.cb<1x1xbf16>
  tt.sfpu.combine div, [1, 0], dst = 0 -> %z : !tt.cb<1x1xbf16>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  tt.write_from_cb %z, %Z[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
