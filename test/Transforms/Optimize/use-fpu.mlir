// RUN: tt-opt --tt-use-fpu %s --remarks-filter=tt-use-fpu 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=use-fpu,batch-tiles %s | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES

// (x - m) * s * w + b: the difference is there already, for the sum of its squares, and zeros are for b alone.
// WHY: the FPU multiplies by what is broadcast: about {{.*}} clk a tile, not
// CHECK-LABEL: func.func @norm
// CHECK: tt.fpu.sub %[[X:.*]], %[[M:.*]] bcast cols, dst = 0 -> %[[D:.*]] : {{.*}}, !tt.cb<1x8xf32>
// CHECK: tt.fpu.mul_sum sum_row, %[[D]], %[[D]]
// CHECK-NOT: tt.fpu.sub
// CHECK: tt.fpu.mul %[[D]], %{{.*}} bcast cols, dst = 0 -> %[[N:.*]] : {{.*}}, !tt.cb<1x8xf32>
// CHECK-NEXT: tt.bcast_to_dst %{{.*}} bcast rows onto %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.fpu.mul_add %[[N]], %{{.*}} bcast rows, dst = 0 -> %{{.*}} : {{.*}}, !tt.cb<1x8xbf16>
// FILES: // cb_out0 = cb_intermed{{.}} * cb_in3 + cb_in4
// FILES: for (uint32_t batch = 0; batch < 4; ++batch) {
// FILES: add_tiles_bcast_rows(
// FILES: mul_tiles_bcast_rows(
func.func @norm(%X: memref<32x256xbf16> {tt.name = "X"}, %M: memref<32x32xf32>, %S: memref<32x32xf32>, %W: memref<256xbf16>,
                %B: memref<256xbf16>, %Y: memref<32x256xbf16>, %V: memref<32x32xf32>)
    attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %zeros = tt.alloc_cb "zeros" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %zeros : !tt.cb<1x1xbf16>
  %wide = tt.alloc_cb "wide" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %wide : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x8xbf16>
  %m = tt.alloc_cb "m" : !tt.cb<1x1xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  %w = tt.alloc_cb "w" : !tt.cb<1x8xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x8xbf16>
  %d = tt.alloc_cb "d" : !tt.cb<1x8xf32>
  %v = tt.alloc_cb "v" : !tt.cb<1x1xf32>
  %y = tt.alloc_cb "y" : !tt.cb<1x8xbf16>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x256xbf16>, !tt.cb<1x8xbf16>
  tt.read_to_cb %M[%c0, %c0], %m : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.read_to_cb %S[%c0, %c0], %s : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.read_to_cb %W[%c0], %w : memref<256xbf16>, !tt.cb<1x8xbf16>
  tt.read_to_cb %B[%c0], %b : memref<256xbf16>, !tt.cb<1x8xbf16>
  tt.fpu.sub %x, %m bcast cols, dst = 0 -> %d : !tt.cb<1x8xbf16>, !tt.cb<1x1xf32>, !tt.cb<1x8xf32>
  tt.fpu.mul_sum sum_row, %d, %d, dst = 0 -> %v : !tt.cb<1x8xf32>, !tt.cb<1x8xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %v, %V[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.fpu.sub %x, %m bcast cols, dst = 0 : !tt.cb<1x8xbf16>, !tt.cb<1x1xf32>
  tt.bcast_to_dst %s bcast cols onto %wide, dst = 1 : !tt.cb<1x1xf32> onto !tt.cb<1x1xf32>
  tt.sfpu.combine mul, [0, 1], dst = 0
  tt.bcast_to_dst %w bcast rows onto %zeros, dst = 1 : !tt.cb<1x8xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine mul, [0, 1], dst = 0
  tt.bcast_to_dst %b bcast rows onto %zeros, dst = 1 : !tt.cb<1x8xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %y : !tt.cb<1x8xbf16>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x8xbf16>, memref<32x256xbf16>
  return
}

// Two sums behind a product: the second one stays with the vector unit. Another block's difference is computed.
// WHY: the FPU multiplies by what is broadcast
// CHECK-LABEL: func.func @two_sums
// CHECK: tt.fpu.mul %{{.*}}, %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.pack_to_cb dst = 0 -> %[[P:.*]] : !tt.cb<1x8xf32>
// CHECK-NEXT: tt.bcast_to_dst %{{.*}} bcast rows onto %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.fpu.mul_add %[[P]], %{{.*}} bcast rows, dst = 0 : !tt.cb<1x8xf32>, !tt.cb<1x8xbf16>
// CHECK-NEXT: tt.bcast_to_dst %{{.*}} bcast rows onto %{{.*}}, dst = 1 :
// CHECK-NEXT: tt.sfpu.combine add, [0, 1], dst = 0 ->
func.func @two_sums(%X: memref<32x256xbf16>, %W: memref<256xbf16>, %Y: memref<32x256xbf16>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %zeros = tt.alloc_cb "zeros" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %zeros : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x8xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x8xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x8xbf16>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x256xbf16>, !tt.cb<1x8xbf16>
  tt.read_to_cb %W[%c0], %w : memref<256xbf16>, !tt.cb<1x8xbf16>
  tt.fpu.mul %x, %x, dst = 0 : !tt.cb<1x8xbf16>, !tt.cb<1x8xbf16>
  tt.bcast_to_dst %w bcast rows onto %zeros, dst = 1 : !tt.cb<1x8xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine mul, [0, 1], dst = 0
  tt.bcast_to_dst %w bcast rows onto %zeros, dst = 1 : !tt.cb<1x8xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine add, [0, 1], dst = 0
  tt.bcast_to_dst %w bcast rows onto %zeros, dst = 1 : !tt.cb<1x8xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine add, [1, 0], dst = 0 -> %y : !tt.cb<1x8xbf16>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x8xbf16>, memref<32x256xbf16>
  return
}

// A result of 32 bits would lose some, and a function follows.
// WHY: the vector unit multiplies: the result has more bits than it would have
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-2: tt.sfpu.combine mul
func.func @kept(%X: memref<32x256xbf16>, %W: memref<256xbf16>, %Y: memref<32x256xf32>, %Z: memref<32x256xbf16>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %zeros = tt.alloc_cb "zeros" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %zeros : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x8xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x8xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x8xf32>
  %z = tt.alloc_cb "z" : !tt.cb<1x8xbf16>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x256xbf16>, !tt.cb<1x8xbf16>
  tt.read_to_cb %W[%c0], %w : memref<256xbf16>, !tt.cb<1x8xbf16>
  tt.fpu.mul %x, %x, dst = 0 : !tt.cb<1x8xbf16>, !tt.cb<1x8xbf16>
  tt.bcast_to_dst %w bcast rows onto %zeros, dst = 1 : !tt.cb<1x8xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine mul, [0, 1], dst = 0 -> %y : !tt.cb<1x8xf32>
  tt.fpu.mul %x, %x, dst = 0 : !tt.cb<1x8xbf16>, !tt.cb<1x8xbf16>
  tt.bcast_to_dst %w bcast rows onto %zeros, dst = 1 : !tt.cb<1x8xbf16> onto !tt.cb<1x1xbf16>
  tt.sfpu.combine mul, [0, 1], dst = 0
  tt.sfpu.unary exp, dst = 0 -> %z : !tt.cb<1x8xbf16>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x8xf32>, memref<32x256xf32>
  tt.write_from_cb %z, %Z[%c0, %c0] : !tt.cb<1x8xbf16>, memref<32x256xbf16>
  return
}
