// What ops leave to each other tile by tile stays in DST.
// RUN: tt-opt --split-input-file --tt-join-sections --remarks-filter=tt-join-sections %s 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.remarks
// SAID: remark: [Passed] {{.*}}ops go on in DST with what those before them computed
// SAID: remark: [Passed]
// SAID: remark: [Passed]
// SAID-NOT: [Passed]
// SAID: remark: [Missed] {{.*}}what ops take is packed before: its format has less bits than DST
// SAID: remark: [Missed] {{.*}}what ops take is packed before: what it is computed of does not stay
// SAID: remark: [Missed] {{.*}}what ops take is packed before: DST has no room for both
// SAID: remark: [Missed] {{.*}}what ops take is packed before: a reduction to the largest element is alone in DST
// SAID-NOT: remark:

// A sum of rows that is scaled in place, and then goes on: two joins. What is taken by others as well is packed.
// CHECK-LABEL: func.func @mean
// CHECK: tt.fpu.reduce sum_row, %{{.*}}, %{{.*}}, dst = 0 : !tt.cb<1x2xf32>, !tt.cb<1x1xf32>
// CHECK-NEXT: tt.sfpu.unary mul_scalar, dst = 0 scalar = 5.000000e-01 -> %[[MEAN:.*]] :
// CHECK-NEXT: tt.cb_open %[[MEAN]]
// CHECK-NEXT: tt.copy_to_dst %[[MEAN]], dst = 0 :
// CHECK-NEXT: tt.sfpu.unary exp, dst = 0
// CHECK-NEXT: tt.sfpu.unary rsqrt, dst = 0 -> %{{.*}}
// CHECK-NEXT: tt.copy_to_dst %[[MEAN]], dst = 0 ->
// CHECK: tt.cb_close %[[MEAN]]
func.func @mean(%A: memref<32x64xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" depth = 1 : !tt.cb<1x1xf32>
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x2xf32>
  %mean = tt.alloc_cb "mean" depth = 2 : !tt.cb<1x1xf32>
  %e = tt.alloc_cb "e" depth = 1 : !tt.cb<1x1xf32>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf32>
  %also = tt.alloc_cb "also" depth = 2 : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x64xf32>, !tt.cb<1x2xf32>
  tt.fpu.reduce sum_row, %in, %ones, dst = 0 -> %mean : !tt.cb<1x2xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_open %mean : !tt.cb<1x1xf32>
  tt.copy_to_dst %mean, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary mul_scalar, dst = 0 scalar = 0.5 -> %mean : !tt.cb<1x1xf32>
  tt.cb_close %mean : !tt.cb<1x1xf32>
  tt.cb_open %mean : !tt.cb<1x1xf32>
  tt.copy_to_dst %mean, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary exp, dst = 0 -> %e : !tt.cb<1x1xf32>
  tt.copy_to_dst %e, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary rsqrt, dst = 0 -> %out : !tt.cb<1x1xf32>
  tt.copy_to_dst %mean, dst = 0 -> %also : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.cb_close %mean : !tt.cb<1x1xf32>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  tt.write_from_cb %also, %C[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// -----

// Tiles that the first needs besides its result come behind those of the second.
// CHECK-LABEL: func.func @tiles
// CHECK: tt.copy_to_dst %{{.*}}, dst = 0 :
// CHECK-NEXT: tt.copy_to_dst %{{.*}}, dst = 1 :
// CHECK-NEXT: tt.copy_to_dst %{{.*}}, dst = 2 :
// CHECK-NEXT: tt.sfpu.combine mul, [1, 2], dst = 1
// CHECK-NEXT: tt.sfpu.combine sub, [0, 1], dst = 0 -> %{{.*}}
// CHECK-NOT: "between"
func.func @tiles(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf32>
  %between = tt.alloc_cb "between" depth = 1 : !tt.cb<1x1xf32>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 0 : !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 1 : !tt.cb<1x1xf32>
  tt.sfpu.combine mul, [0, 1], dst = 0 -> %between : !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 0 : !tt.cb<1x1xf32>
  tt.copy_to_dst %between, dst = 1 : !tt.cb<1x1xf32>
  tt.sfpu.combine sub, [0, 1], dst = 0 -> %out : !tt.cb<1x1xf32>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// -----

// What is rounded where it is packed is rounded.
// CHECK-LABEL: func.func @rounded
// CHECK: tt.sfpu.unary exp, dst = 0 -> %[[R:.*]] :
// CHECK-NEXT: tt.copy_to_dst %[[R]], dst = 0
func.func @rounded(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf32>
  %between = tt.alloc_cb "between" depth = 1 : !tt.cb<1x1xbf16>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary exp, dst = 0 -> %between : !tt.cb<1x1xbf16>
  tt.copy_to_dst %between, dst = 0 : !tt.cb<1x1xbf16>
  tt.sfpu.unary rsqrt, dst = 0 -> %out : !tt.cb<1x1xf32>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// -----

// The next block takes the place of the one that the first reads.
// CHECK-LABEL: func.func @next_block
// CHECK: tt.sfpu.unary exp, dst = 0 -> %[[R:.*]] :
// CHECK: tt.copy_to_dst %[[R]], dst = 1
func.func @next_block(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf32>
  %between = tt.alloc_cb "between" depth = 1 : !tt.cb<1x1xf32>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary exp, dst = 0 -> %between : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 0 : !tt.cb<1x1xf32>
  tt.copy_to_dst %between, dst = 1 : !tt.cb<1x1xf32>
  tt.sfpu.combine sub, [0, 1], dst = 0 -> %out : !tt.cb<1x1xf32>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// -----

// Half of DST is four tiles of 32 bits.
// CHECK-LABEL: func.func @full
// CHECK: "between"
func.func @full(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf32>
  %between = tt.alloc_cb "between" depth = 1 : !tt.cb<1x1xf32>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 0 : !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 1 : !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 2 : !tt.cb<1x1xf32>
  tt.sfpu.combine where, [0, 1, 2], dst = 0 -> %between : !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 0 : !tt.cb<1x1xf32>
  tt.copy_to_dst %in, dst = 1 : !tt.cb<1x1xf32>
  tt.copy_to_dst %between, dst = 2 : !tt.cb<1x1xf32>
  tt.sfpu.combine where, [0, 1, 2], dst = 0 -> %out : !tt.cb<1x1xf32>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// -----

// CHECK-LABEL: func.func @largest
// CHECK: tt.fpu.reduce max_row, %{{.*}}, %{{.*}}, dst = 0 -> %[[R:.*]] :
// CHECK: tt.copy_to_dst %[[R]], dst = 0
func.func @largest(%A: memref<32x32xf32>, %B: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %ones = tt.alloc_cb "ones" depth = 1 : !tt.cb<1x1xf32>
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf32>
  %between = tt.alloc_cb "between" depth = 1 : !tt.cb<1x1xf32>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf32>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %ones : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf32>, !tt.cb<1x1xf32>
  tt.fpu.reduce max_row, %in, %ones, dst = 0 -> %between : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
  tt.copy_to_dst %between, dst = 0 : !tt.cb<1x1xf32>
  tt.sfpu.unary exp, dst = 0 -> %out : !tt.cb<1x1xf32>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}
