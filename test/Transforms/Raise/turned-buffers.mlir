// RUN: tt-opt %s --tt-step-outer-dims --split-input-file | FileCheck %s

// Views take heads, the middle dimension: the buffer has one below the other.
// CHECK-LABEL: func.func @heads
// CHECK: memref.alloc() : memref<128x64xf32>
// CHECK-COUNT-4: memref.subview %arg0[0, {{[0-3]}}, 0] [32, 1, 64]
// CHECK-NOT: memref.transpose
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0] [32, 64]
func.func @heads(%A: memref<32x4x64xf32>, %C: memref<4x32x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<32x4x64xf32>
  memref.copy %A, %a : memref<32x4x64xf32> to memref<32x4x64xf32>
  scf.for %h = %c0 to %c4 step %c1 {
    %x = memref.subview %a[0, %h, 0] [32, 1, 64] [1, 1, 1]
      : memref<32x4x64xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
    %y = memref.subview %C[%h, 0, 0] [1, 32, 64] [1, 1, 1]
      : memref<4x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x64xf32, strided<[256, 1], offset: ?>>)
      outs(%y : memref<32x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

// -----

// One of few steps that all ops take as a whole stays as it is, as does one of which views take
// steps outside.
// CHECK-LABEL: func.func @outside
// CHECK-COUNT-2: memref.alloc() : memref<32x64xf32>
// CHECK-NOT: memref.alloc
func.func @outside(%A: memref<2x32x64xf32>, %C: memref<2x32x64xf32>) attributes {tt.kernel} {
  %a = memref.alloc() : memref<2x32x64xf32>
  memref.copy %A, %a : memref<2x32x64xf32> to memref<2x32x64xf32>
  %x = memref.subview %a[1, 0, 0] [1, 32, 64] [1, 1, 1]
    : memref<2x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: 2048>>
  linalg.exp ins(%x : memref<32x64xf32, strided<[64, 1], offset: 2048>>)
    outs(%x : memref<32x64xf32, strided<[64, 1], offset: 2048>>)
  memref.copy %a, %C : memref<2x32x64xf32> to memref<2x32x64xf32>
  return
}

// -----

// A step of a transposed tensor that leaves the others in order is one of the tensor.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: memref.transpose
// CHECK: memref.subview %arg0[0, 2, 0] [64, 1, 32]
func.func @turned(%A: memref<64x4x32xf32>, %C: memref<64x32xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %t = memref.transpose %A (i, h, d) -> (h, i, d)
    : memref<64x4x32xf32> to memref<4x64x32xf32, strided<[32, 128, 1]>>
  %x = memref.subview %t[2, 0, 0] [1, 64, 32] [1, 1, 1]
    : memref<4x64x32xf32, strided<[32, 128, 1]>> to memref<64x32xf32, strided<[128, 1], offset: 64>>
  linalg.exp ins(%x : memref<64x32xf32, strided<[128, 1], offset: 64>>) outs(%C : memref<64x32xf32>)
  return
}
