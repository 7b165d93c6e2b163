// RUN: tt-opt --split-input-file --tt-keep-halves %s | FileCheck %s
// RUN: tt-opt --split-input-file --tt-keep-halves --remarks-filter=tt-keep-halves %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A tile that is transposed, and zeros or a copy: both in f32. What is computed stays f16, as what tensors are stored in.
// CHECK-LABEL: func.func @wide
// CHECK: %[[T:.*]] = tt.alloc_cb "t" depth = 1 : !tt.cb<1x1xf32>
// CHECK: %[[S:.*]] = tt.alloc_cb "s" depth = 1 : !tt.cb<1x1xf16>
// CHECK: tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf16>
// CHECK: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %[[T]] : !tt.cb<1x1xf16>, !tt.cb<1x1xf32>
// REMARK: remark: {{.*}}copies of f16 keep their bits in a buffer of f32
// REMARK-NOT: [Passed]
func.func @wide(%A: memref<32x32xf16>, %B: memref<32x32xf32>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %t = tt.alloc_cb "t" depth = 1 : !tt.cb<1x1xf16>
  %s = tt.alloc_cb "s" depth = 1 : !tt.cb<1x1xf16>
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf16>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf32>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf16>, !tt.cb<1x1xf16>
  tt.copy_to_dst %in transpose, dst = 0 -> %t : !tt.cb<1x1xf16>, !tt.cb<1x1xf16>
  tt.fpu.mul %t, %t, dst = 0 -> %s : !tt.cb<1x1xf16>, !tt.cb<1x1xf16>, !tt.cb<1x1xf16>
  tt.copy_to_dst %s, dst = 0 -> %out : !tt.cb<1x1xf16>, !tt.cb<1x1xf32>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf32>, memref<32x32xf32>
  return
}

// -----

// DST of 16 bits holds f16 as it is.
// CHECK-LABEL: func.func @narrow
// CHECK: tt.alloc_cb "t" depth = 1 : !tt.cb<1x1xf16>
func.func @narrow(%A: memref<32x32xf16>, %B: memref<32x32xf16>) attributes {tt.kernel, tt.fp32_dest_acc = false} {
  %c0 = arith.constant 0 : index
  %t = tt.alloc_cb "t" depth = 1 : !tt.cb<1x1xf16>
  %in = tt.alloc_cb "in" depth = 2 : !tt.cb<1x1xf16>
  %out = tt.alloc_cb "out" depth = 2 : !tt.cb<1x1xf16>
  tt.read_to_cb %A[%c0, %c0], %in : memref<32x32xf16>, !tt.cb<1x1xf16>
  tt.copy_to_dst %in transpose, dst = 0 -> %t : !tt.cb<1x1xf16>, !tt.cb<1x1xf16>
  tt.copy_to_dst %t, dst = 0 -> %out : !tt.cb<1x1xf16>, !tt.cb<1x1xf16>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<1x1xf16>, memref<32x32xf16>
  return
}

// -----

// Three blocks of 392 KB fit L1; with one of them in f32, they do not.
// CHECK-LABEL: func.func @no_room
// CHECK: tt.alloc_cb "t" depth = 1 : !tt.cb<14x14xf16>
// REMARK: remark: {{.*}}copies of f16 keep 8 of their 11 bits: L1 has no room for f32
func.func @no_room(%A: memref<448x448xf16>, %B: memref<448x448xf16>) attributes {tt.kernel, tt.fp32_dest_acc = true} {
  %c0 = arith.constant 0 : index
  %t = tt.alloc_cb "t" depth = 1 : !tt.cb<14x14xf16>
  %in = tt.alloc_cb "in" depth = 1 : !tt.cb<14x14xf16>
  %out = tt.alloc_cb "out" depth = 1 : !tt.cb<14x14xf16>
  tt.read_to_cb %A[%c0, %c0], %in : memref<448x448xf16>, !tt.cb<14x14xf16>
  tt.copy_to_dst %in, dst = 0 -> %t : !tt.cb<14x14xf16>, !tt.cb<14x14xf16>
  tt.copy_to_dst %t, dst = 0 -> %out : !tt.cb<14x14xf16>, !tt.cb<14x14xf16>
  tt.write_from_cb %out, %B[%c0, %c0] : !tt.cb<14x14xf16>, memref<448x448xf16>
  return
}
