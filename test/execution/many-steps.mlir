// A buffer with many steps of small matrices needs too many circular buffers, which an error says
// how to write; written so, it runs.
// RUN: split-file %s %t
// RUN: not tt-run %t/rows.mlir 2>&1 | FileCheck %s
// RUN: tt-run %t/heads.mlir --check | FileCheck %s --check-prefix=HEADS
// RUN: %if all %{ tt-run %t/heads.mlir --check --arch=blackhole | \
// RUN:   FileCheck %s --check-prefix=HEADS %}
// CHECK: error: [rule 8] the kernel needs 64 circular buffers, but the chip has 32; split the kernel
// CHECK: note: 32 of them are made here: {{.*}} A buffer of more than two dimensions is a matrix
// CHECK-SAME: (4, 32, 64), not (32, 4, 64)
// HEADS: Y: {{.*}}: ok

//--- rows.mlir
func.func @thd(%X: memref<64x4x32xf32> {tt.name = "X"},
    %Y: memref<64x4x32xf32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %m = arith.muli %b, %c32 : index
    %x = memref.subview %X[%m, 0, 0] [32, 4, 32] [1, 1, 1]
      : memref<64x4x32xf32> to memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0, 0] [32, 4, 32] [1, 1, 1]
      : memref<64x4x32xf32> to memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
    %t = memref.alloc() : memref<32x4x32xf32>
    memref.copy %x, %t : memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>> to memref<32x4x32xf32>
    linalg.exp ins(%t : memref<32x4x32xf32>) outs(%t : memref<32x4x32xf32>)
    memref.copy %t, %y : memref<32x4x32xf32> to memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
  }
  return
}

//--- heads.mlir
func.func @hd(%X: memref<64x4x32xf32> {tt.name = "X"},
    %Y: memref<64x4x32xf32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %m = arith.muli %b, %c32 : index
    %x = memref.subview %X[%m, 0, 0] [32, 4, 32] [1, 1, 1]
      : memref<64x4x32xf32> to memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
    %y = memref.subview %Y[%m, 0, 0] [32, 4, 32] [1, 1, 1]
      : memref<64x4x32xf32> to memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
    %xt = memref.transpose %x (t, h, d) -> (h, t, d)
      : memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
      to memref<4x32x32xf32, strided<[32, 128, 1], offset: ?>>
    %yt = memref.transpose %y (t, h, d) -> (h, t, d)
      : memref<32x4x32xf32, strided<[128, 32, 1], offset: ?>>
      to memref<4x32x32xf32, strided<[32, 128, 1], offset: ?>>
    %t = memref.alloc() : memref<4x32x32xf32>
    memref.copy %xt, %t : memref<4x32x32xf32, strided<[32, 128, 1], offset: ?>> to memref<4x32x32xf32>
    linalg.exp ins(%t : memref<4x32x32xf32>) outs(%t : memref<4x32x32xf32>)
    memref.copy %t, %yt : memref<4x32x32xf32> to memref<4x32x32xf32, strided<[32, 128, 1], offset: ?>>
  }
  return
}
