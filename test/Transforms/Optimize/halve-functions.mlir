// RUN: tt-opt --tt-halve-functions %s --remarks-filter=tt-halve-functions 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=halve-functions %s | tt-translate --emit-metalium | FileCheck %s --check-prefixes=FILES,HALF
// RUN: tt-opt --tt-pipeline=optimize=halve-functions %s | tt-translate --emit-metalium --metalium-api=2025 | FileCheck %s --check-prefixes=FILES,WHOLE

// What is broadcast is one number a row, and so is what it is made of, tile by tile.
// WHY: max computes the left half of a tile, of one number a row
// WHY: exp computes the left half of a tile, of one number a row
// CHECK-LABEL: func.func @columns
// CHECK: tt.sfpu.combine max_column, [0, 1], dst = 0 -> %[[M:.*]] : !tt.cb<1x1xf32>
// CHECK: tt.sfpu.unary exp_column, dst = 0 -> %[[F:.*]] : !tt.cb<1x1xf32>
// CHECK: tt.fpu.mul %{{.*}}, %[[F]] bcast cols
// CHECK-NEXT: tt.sfpu.unary exp, dst = 0
// FILES: // cb_intermed{{.}} = max(cb_intermed{{.}}, cb_intermed{{.}})
// FILES: binary_max_tile_init();
// The largest of two has no such form in 2025.
// HALF: binary_max_tile(0, 1, 0, VectorMode::C);
// WHOLE: binary_max_tile(0, 1, 0);
// FILES: // cb_intermed{{.}} = exp(
// FILES: exp_tile_init();
// FILES: exp_tile(0, VectorMode::C);
// FILES: exp_tile(0);
func.func @columns(%X: memref<32x64xbf16> {tt.name = "X"}, %Y: memref<32x64xbf16> {tt.name = "Y"}, %Z: memref<32x64xbf16> {tt.name = "Z"})
    attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x2xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x2xbf16>
  %z = tt.alloc_cb "z" : !tt.cb<1x2xbf16>
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xf32>
  %m = tt.alloc_cb "m" : !tt.cb<1x1xf32>
  %f = tt.alloc_cb "f" : !tt.cb<1x1xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.read_to_cb %Y[%c0, %c0], %y : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.fpu.reduce max_row, %x, %ones, dst = 0 -> %a : !tt.cb<1x2xbf16>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.fpu.reduce max_row, %y, %ones, dst = 0 -> %b : !tt.cb<1x2xbf16>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %a, dst = 0 : !tt.cb<1x1xf32>
  tt.copy_to_dst %b, dst = 1 : !tt.cb<1x1xf32>
  tt.sfpu.combine max, [0, 1], dst = 0 -> %m : !tt.cb<1x1xf32>
  tt.copy_to_dst %m, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary exp, dst = 0 -> %f : !tt.cb<1x1xf32>
  tt.fpu.mul %x, %f bcast cols, dst = 0 : !tt.cb<1x2xbf16>, !tt.cb<1x1xf32>
  tt.sfpu.unary exp, dst = 0 -> %z : !tt.cb<1x2xbf16>
  tt.write_from_cb %z, %Z[%c0, %c0] : !tt.cb<1x2xbf16>, memref<32x64xbf16>
  return
}

// One of its uses takes all columns: a product, here of the transposed tile; and so what it is made of.
// CHECK-LABEL: func.func @whole
// CHECK: tt.sfpu.unary exp, dst = 0 -> %[[E:.*]] : !tt.cb<1x1xf32>
// CHECK: tt.sfpu.unary recip_exact, dst = 0 -> %[[F:.*]] : !tt.cb<1x1xf32>
// CHECK: tt.fpu.mul %{{.*}}, %[[F]] bcast cols
func.func @whole(%X: memref<32x32xbf16>, %Y: memref<32x32xbf16>, %Z: memref<32x32xbf16>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xbf16>
  %z = tt.alloc_cb "z" : !tt.cb<1x1xbf16>
  %e = tt.alloc_cb "e" : !tt.cb<1x1xf32>
  %f = tt.alloc_cb "f" : !tt.cb<1x1xf32>
  tt.read_to_cb %X[%c0, %c0], %x : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %x, dst = 0 : !tt.cb<1x1xbf16>
  tt.sfpu.unary exp, dst = 0 -> %e : !tt.cb<1x1xf32>
  tt.copy_to_dst %e, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary recip_exact, dst = 0 -> %f : !tt.cb<1x1xf32>
  tt.fpu.mul %x, %f bcast cols, dst = 0 -> %y : !tt.cb<1x1xbf16>, !tt.cb<1x1xf32>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %f transpose, dst = 0 -> %z : !tt.cb<1x1xf32>, !tt.cb<1x1xbf16>
  tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  tt.write_from_cb %z, %Z[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
