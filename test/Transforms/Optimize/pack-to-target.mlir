// RUN: tt-opt --tt-pack-to-target %s --remarks-filter=tt-pack-to-target 2> %t.remarks > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.remarks
// RUN: tt-opt --tt-pipeline=optimize=pack-to-target %s -o /dev/null

// The last value of a block that is updated in place goes to the tensor's circular buffer at once, in its format.
// WHY: in-place{{.*}}remark: {{.*}}a result is packed where it would be copied to
// CHECK-LABEL: func.func @updated
// CHECK: %[[B:.*]] = tt.alloc_cb "b"
// CHECK: tt.fpu.add {{.*}} -> %[[S:.*]] :
// CHECK-NEXT: tt.cb_open %[[S]]
// CHECK-NEXT: tt.fpu.add %[[S]], %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.sfpu.unary relu, dst = 0 -> %[[B]] :
// CHECK-NEXT: tt.cb_close %[[S]]
// CHECK-NEXT: tt.write_from_cb %[[B]]
func.func @updated(%A: memref<32x32xf32>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.fpu.add %a, %a, dst = 0 -> %s : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_open %s : !tt.cb<1x1xf32>
  tt.fpu.add %s, %s, dst = 0 : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.sfpu.unary relu, dst = 0 -> %s : !tt.cb<1x1xf32>
  tt.cb_close %s : !tt.cb<1x1xf32>
  tt.cb_open %s : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.copy_to_dst %s, dst = 0 -> %b : !tt.cb<1x1xf32>, !tt.cb<1x1xbf16> loc("in-place":1:1)
  tt.cb_close %s : !tt.cb<1x1xf32>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// What is only copied has no circular buffer of its own.
// WHY: once{{.*}}remark: {{.*}}a result is packed where it would be copied to
// CHECK-LABEL: func.func @once
// CHECK-NOT: "s"
// CHECK: tt.fpu.mul {{.*}}, dst = 0 -> %[[B:.*]] :
// CHECK-NEXT: tt.write_from_cb %[[B]]
func.func @once(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.fpu.mul %a, %a, dst = 0 -> %s : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %s, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> loc("once":1:1)
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}

// Others take the value, before the copy or after it; a copy that rounds to bf16 what goes out as f32 stays, as does
// one of what comes from a tensor, or from an op in a loop.
// WHY: before{{.*}}remark: {{.*}}others take or fill the block before it
// WHY: after{{.*}}remark: {{.*}}others take the block after it
// WHY: rounded{{.*}}remark: {{.*}}it rounds what the packer would not
// WHY: read{{.*}}remark: {{.*}}its block is read from a tensor
// WHY: loop{{.*}}remark: {{.*}}others take or fill the block before it
// CHECK-LABEL: func.func @copied
// CHECK-COUNT-5: tt.copy_to_dst
// CHECK: return
func.func @copied(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>, %D: memref<32x32xf32>,
                  %E: memref<32x32xf32>, %F: memref<32x32xf32>, %G: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %x = tt.alloc_cb "x" : !tt.cb<1x1xf32>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xf32>
  %r = tt.alloc_cb "r" : !tt.cb<1x1xbf16>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xf32>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xf32>
  %d = tt.alloc_cb "d" : !tt.cb<1x1xf32>
  %e = tt.alloc_cb "e" : !tt.cb<1x1xf32>
  %f = tt.alloc_cb "f" : !tt.cb<1x1xf32>
  %g = tt.alloc_cb "g" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.fpu.mul %a, %a, dst = 0 -> %x : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_open %x : !tt.cb<1x1xf32>
  tt.fpu.add %x, %a, dst = 0 -> %b : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %x, dst = 0 -> %c : !tt.cb<1x1xf32>, !tt.cb<1x1xf32> loc("before":1:1)
  tt.cb_close %x : !tt.cb<1x1xf32>
  tt.fpu.mul %a, %a, dst = 0 -> %y : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_open %y : !tt.cb<1x1xf32>
  tt.copy_to_dst %y, dst = 0 -> %d : !tt.cb<1x1xf32>, !tt.cb<1x1xf32> loc("after":1:1)
  tt.fpu.add %y, %a, dst = 0 -> %e : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_close %y : !tt.cb<1x1xf32>
  tt.fpu.mul %a, %a, dst = 0 -> %r : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %r, dst = 0 -> %f : !tt.cb<1x1xbf16>, !tt.cb<1x1xf32> loc("rounded":1:1)
  %z = tt.alloc_cb "z" : !tt.cb<1x1xf32>
  %h = tt.alloc_cb "h" : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %z : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %z, dst = 0 -> %h : !tt.cb<1x1xf32>, !tt.cb<1x1xf32> loc("read":1:1)
  tt.fpu.mul %h, %h, dst = 0 -> %s : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_open %s : !tt.cb<1x1xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    tt.fpu.add %s, %s, dst = 0 -> %s : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
    tt.cb_close %s : !tt.cb<1x1xf32>
    tt.cb_open %s : !tt.cb<1x1xf32>
  }
  tt.copy_to_dst %s, dst = 0 -> %g : !tt.cb<1x1xf32>, !tt.cb<1x1xf32> loc("loop":1:1)
  tt.cb_close %s : !tt.cb<1x1xf32>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %d, %D[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %e, %E[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %f, %F[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %g, %G[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// An earlier value that nothing takes stays what it is: a buffer of values that nothing takes is an error.
// WHY: lost{{.*}}remark: {{.*}}nothing takes the block's other values
// CHECK-LABEL: func.func @overwritten
// CHECK-COUNT-3: tt.copy_to_dst
func.func @overwritten(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xf32>
  %s = tt.alloc_cb "s" : !tt.cb<1x1xf32>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 0.0 -> %s : !tt.cb<1x1xf32>
  tt.cb_open %s : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %a, dst = 0 : !tt.cb<1x1xf32>
  tt.copy_to_dst %a, dst = 1 : !tt.cb<1x1xf32>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %s : !tt.cb<1x1xf32>
  tt.cb_close %s : !tt.cb<1x1xf32>
  tt.cb_open %s : !tt.cb<1x1xf32>
  tt.copy_to_dst %s, dst = 0 -> %b : !tt.cb<1x1xf32>, !tt.cb<1x1xf32> loc("lost":1:1)
  tt.cb_close %s : !tt.cb<1x1xf32>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}
