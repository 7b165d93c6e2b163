// RUN: tt-opt --tt-forward-copies %s --remarks-filter=tt-forward-copies 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=forward-copies %s -o /dev/null

// A copy that is only read: its readers take the block.
// WHY: a block is not copied, and taken where it is
// CHECK-LABEL: func.func @plain
// CHECK: tt.read_to_cb {{.*}}, %[[A:.*]] :
// CHECK-NEXT: tt.fpu.mul %[[A]], %[[A]], dst = 0 ->
func.func @plain(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a, dst = 0 -> %x : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.fpu.mul %x, %a, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// The first value of a buffer that is kept; but not the one that replaces the old value at the end of a step.
// WHY: a block is not copied, and taken where it is
// WHY: a block is copied: it is used otherwise than as a start
// CHECK-LABEL: func.func @kept
// CHECK: scf.for
// CHECK: tt.copy_to_dst %[[OLD:.*]], dst = 0 :
// CHECK-NEXT: tt.copy_to_dst %{{.*}}, dst = 1
// CHECK-NEXT: tt.sfpu.combine max, [0, 1], dst = 0 -> %[[NEW:.*]] :
// CHECK-NEXT: tt.cb_open %[[NEW]]
// CHECK-NEXT: tt.copy_to_dst %[[NEW]], dst = 0 -> %[[OLD]]
func.func @kept(%A: memref<128x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %max = tt.alloc_cb "max" : !tt.cb<1x1xbf16>
  %new = tt.alloc_cb "new" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %max : !tt.cb<1x1xbf16>
  tt.cb_open %max : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %c128 step %c32 {
    tt.read_to_cb %A[%i, %c0], %a : memref<128x32xbf16>, !tt.cb<1x1xbf16>
    tt.copy_to_dst %max, dst = 0 -> %new : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.cb_open %new : !tt.cb<1x1xbf16>
    tt.copy_to_dst %new, dst = 0 : !tt.cb<1x1xbf16>
    tt.copy_to_dst %a, dst = 1 : !tt.cb<1x1xbf16>
    tt.sfpu.combine max, [0, 1], dst = 0 -> %new : !tt.cb<1x1xbf16>
    tt.cb_close %new : !tt.cb<1x1xbf16>
    tt.cb_open %new : !tt.cb<1x1xbf16>
    tt.copy_to_dst %new, dst = 0 -> %max : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.cb_close %max : !tt.cb<1x1xbf16>
    tt.cb_open %max : !tt.cb<1x1xbf16>
    tt.cb_close %new : !tt.cb<1x1xbf16>
  }
  tt.copy_to_dst %max, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %max : !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// WHY: a block is copied: it goes to a tensor
// What is copied has another value before the copy is taken.
// WHY: a block is copied: the block has another value before the last use of the copy
// WHY: a block is copied: it goes to a tensor
// CHECK-LABEL: func.func @replaced
// CHECK-COUNT-3: tt.copy_to_dst
func.func @replaced(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xbf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a transpose, dst = 0 -> %s : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_open %s : !tt.cb<1x1xbf16>
  tt.copy_to_dst %s, dst = 0 -> %x : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.fpu.add %s, %a, dst = 0 -> %s : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %s : !tt.cb<1x1xbf16>
  tt.cb_open %s : !tt.cb<1x1xbf16>
  tt.fpu.mul %x, %s, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %s, dst = 0 -> %c : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.cb_close %s : !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// 32 bits that go to DST whole are no copy of what comes through the source registers, and f16 is rounded in a DST of 32 bits.
// WHY: a block is copied: one goes to DST with all of its bits, one through the source registers
// WHY: a block is copied: copies of its format are rounded
// WHY: a block is copied: it has another shape or format
// CHECK-LABEL: func.func @ways
// CHECK-COUNT-4: tt.copy_to_dst
func.func @ways(%A: memref<32x32xf32>, %H: memref<32x32xf16>, %B: memref<32x32xf32>, %D: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %h = tt.alloc_cb "h" : !tt.cb<1x1xf16>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xf32>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xf16>
  %z = tt.alloc_cb "z" : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xf32>
  %d = tt.alloc_cb "d" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.read_to_cb %H[%c0, %c0], %h : memref<32x32xf16>, !tt.cb<1x1xf16>
  tt.copy_to_dst %a, dst = 0 -> %x : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %h, dst = 0 -> %y : !tt.cb<1x1xf16>, !tt.cb<1x1xf16>
  tt.copy_to_dst %y, dst = 0 -> %z : !tt.cb<1x1xf16>, !tt.cb<1x1xf32>
  tt.fpu.mul %x, %z, dst = 0 -> %b : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %a, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary negative, dst = 0 -> %d : !tt.cb<1x1xf32>
  tt.write_from_cb %d, %D[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// Where nothing but the copy takes the block, what takes the copy decides on the way.
// CHECK-LABEL: func.func @one_way
// CHECK: tt.read_to_cb %{{.*}}, %[[A:.*]] : memref<32x32xf32>
// CHECK-NEXT: tt.fpu.mul %[[A]], %[[A]], dst = 0
func.func @one_way(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %a, dst = 0 -> %x : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.fpu.mul %x, %x, dst = 0 -> %b : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}
