// RUN: tt-opt --tt-scale-factors %s --remarks-filter=tt-scale-factors 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=scale-factors,forward-copies %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// A factor that stays is scaled in front of the loop, by a power of two in its own format; the copy that is left has the format of what it copies.
// WHY: a factor of 2 tiles is scaled, not each result of 8
// CHECK-LABEL: func.func @stays
// CHECK: tt.read_to_cb %{{.*}}, %[[Q:.*]] : memref<32x64xbf16>, !tt.cb<1x2xbf16>
// CHECK-NEXT: tt.copy_to_dst %[[Q]], dst = 0
// CHECK-NEXT: tt.sfpu.unary mul_scalar, dst = 0 scalar = 1.250000e-01 -> %[[S:.*]] : !tt.cb<1x2xbf16>
// CHECK-NEXT: scf.for
// CHECK: tt.mm.mma %[[S]], %{{.*}} transpose_b
// CHECK-NEXT: tt.pack_to_cb dst = 0 -> %[[P:.*]] : !tt.cb<1x8xf32>
// CHECK-NEXT: tt.copy_to_dst %[[P]], dst = 0 -> %{{.*}} : !tt.cb<1x8xf32>
// FILES: // cb_intermed{{.}} = cb_in0 * 0.125
// FILES: mul_unary_tile(0, 0x3E000000);
// FILES-NOT: mul_unary_tile
// FILES: // small, compute
func.func @stays(%Q: memref<32x64xbf16> {tt.name = "Q"}, %K: memref<1024x64xbf16> {tt.name = "K"}, %O: memref<32x1024xf32> {tt.name = "O"}) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 256 : index
  %n = arith.constant 1024 : index
  %false = arith.constant false
  %q = tt.alloc_cb "q" : !tt.cb<1x2xbf16>
  %k = tt.alloc_cb "k" : !tt.cb<8x2xbf16>
  %p = tt.alloc_cb "p" : !tt.cb<1x8xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x8xf32>
  %o = tt.alloc_cb "o" : !tt.cb<1x8xf32>
  tt.read_to_cb %Q[%c0, %c0], %q : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  scf.for %i = %c0 to %n step %step {
    tt.read_to_cb %K[%i, %c0], %k : memref<1024x64xbf16>, !tt.cb<8x2xbf16>
    tt.mm.mma %q, %k transpose_b, dst = 0, accumulate = %false : !tt.cb<1x2xbf16>, !tt.cb<8x2xbf16>
    tt.pack_to_cb dst = 0 -> %p : !tt.cb<1x8xf32>
    tt.copy_to_dst %p, dst = 0 : !tt.cb<1x8xf32>
    tt.sfpu.unary mul_scalar, dst = 0 scalar = 0.125 -> %s : !tt.cb<1x8xf32>
    tt.copy_to_dst %s, dst = 0 : !tt.cb<1x8xf32>
    tt.sfpu.unary exp, dst = 0 -> %o : !tt.cb<1x8xf32>
    tt.write_from_cb %o, %O[%c0, %i] : !tt.cb<1x8xf32>, memref<32x1024xf32>
  }
  return
}

// Another scale is multiplied in f32; the product is in DST still, and the right factor is the smaller one.
// WHY: a factor of 1 tiles is scaled, not each result of 4
// CHECK-LABEL: func.func @small
// CHECK: tt.sfpu.unary mul_scalar, dst = 0 scalar = 3.000000e-01 -> %[[S:.*]] : !tt.cb<1x1xf32>
// CHECK-NEXT: tt.mm.mma %{{.*}}, %[[S]], dst = 0
// CHECK-NEXT: tt.pack_to_cb dst = 0 -> %{{.*}} : !tt.cb<4x1xf32>
func.func @small(%A: memref<128x32xbf16>, %B: memref<32x32xbf16>, %C: memref<128x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %a = tt.alloc_cb "a" : !tt.cb<4x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<4x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<128x32xbf16>, !tt.cb<4x1xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %false : !tt.cb<4x1xbf16>, !tt.cb<1x1xbf16>
  tt.sfpu.unary mul_scalar, dst = 0 scalar = 0.3 -> %c : !tt.cb<4x1xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x1xf32>, memref<128x32xf32>
  return
}

// In a fidelity that leaves out bits of f32, a scale that is too large, and factors that both change.
// WHY: the result of a product is scaled: the scale is no power of two, and the FPU leaves out bits of the scaled factor
// CHECK-LABEL: func.func @low
// CHECK: tt.mm.mma
// CHECK-NEXT: tt.sfpu.unary mul_scalar
func.func @low(%A: memref<128x32xbf16>, %B: memref<32x32xbf16>, %C: memref<128x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true, tt.math_fidelity = "HiFi2"} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %a = tt.alloc_cb "a" : !tt.cb<4x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<4x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<128x32xbf16>, !tt.cb<4x1xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %false : !tt.cb<4x1xbf16>, !tt.cb<1x1xbf16>
  tt.sfpu.unary mul_scalar, dst = 0 scalar = 0.3 -> %c : !tt.cb<4x1xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x1xf32>, memref<128x32xf32>
  return
}

// WHY: the scale is too large or too small for elements of a factor
// CHECK-LABEL: func.func @large
// CHECK: tt.mm.mma
// CHECK-NEXT: tt.sfpu.unary mul_scalar
func.func @large(%A: memref<128x32xbf16>, %B: memref<32x32xbf16>, %C: memref<128x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %a = tt.alloc_cb "a" : !tt.cb<4x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<4x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<128x32xbf16>, !tt.cb<4x1xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %false : !tt.cb<4x1xbf16>, !tt.cb<1x1xbf16>
  tt.sfpu.unary mul_scalar, dst = 0 scalar = 1.0e30 -> %c : !tt.cb<4x1xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<4x1xf32>, memref<128x32xf32>
  return
}

// WHY: both factors change with each step of the loops around it
// CHECK-LABEL: func.func @changes
// CHECK: tt.mm.mma
// CHECK-NEXT: tt.sfpu.unary mul_scalar
func.func @changes(%A: memref<32x128xbf16>, %B: memref<128x32xbf16>, %C: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %a = tt.alloc_cb "a" : !tt.cb<1x4xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<4x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x128xbf16>, !tt.cb<1x4xbf16>
  tt.read_to_cb %B[%c0, %c0], %b : memref<128x32xbf16>, !tt.cb<4x1xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %false : !tt.cb<1x4xbf16>, !tt.cb<4x1xbf16>
  tt.sfpu.unary mul_scalar, dst = 0 scalar = 0.5 -> %c : !tt.cb<1x1xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}
