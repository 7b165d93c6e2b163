// RUN: tt-opt %s --tt-keep-beside --split-input-file | FileCheck %s

// Columns of open size: what was filled in stays beside them.
// CHECK-LABEL: func.func @filled
// CHECK: %[[W:.*]] = affine.min
// CHECK: %[[X:.*]] = memref.alloc() : memref<32x128xf32>
// CHECK: %[[Y:.*]] = memref.alloc() : memref<32x128xf32>
// CHECK-NOT: linalg.fill
// CHECK: %[[V:.*]] = memref.subview %[[Y]][0, 0] [32, %[[W]]]
// CHECK: memref.copy %{{.*}}, %[[V]]
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : {{.*}}) outs(%[[X]]
// CHECK: %[[C:.*]] = linalg.index 1
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[C]], %[[W]]
// CHECK: arith.select %[[IN]], %{{.*}}, %{{.*}} : f32
// CHECK: linalg.exp ins(%[[X]]
func.func @filled(%A: memref<32x?xf32>, %C: memref<32x128xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFF800000 : f32
  %n = memref.dim %A, %c1 : memref<32x?xf32>
  %w = affine.min affine_map<()[s0] -> (128, s0)>()[%n]
  %x = memref.alloc() : memref<32x128xf32>
  linalg.fill ins(%low : f32) outs(%x : memref<32x128xf32>)
  %a = memref.subview %A[0, 0] [32, %w] [1, 1] : memref<32x?xf32> to memref<32x?xf32, strided<[?, 1]>>
  %v = memref.subview %x[0, 0] [32, %w] [1, 1] : memref<32x128xf32> to memref<32x?xf32, strided<[128, 1]>>
  memref.copy %a, %v : memref<32x?xf32, strided<[?, 1]>> to memref<32x?xf32, strided<[128, 1]>>
  linalg.exp ins(%x : memref<32x128xf32>) outs(%C : memref<32x128xf32>)
  return
}

// -----

// What is not filled right before keeps what it holds.
// CHECK-LABEL: func.func @holds
// CHECK: linalg.exp ins(%{{.*}}) outs(%[[X:.*]] : memref<32x64xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[X]]
// CHECK-NEXT: ^bb0(%[[NEW:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK: arith.select %{{.*}}, %[[NEW]], %[[OLD]]
func.func @holds(%A: memref<?x64xf32>, %B: memref<32x64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x64xf32>
  %h = affine.min affine_map<()[s0] -> (32, s0)>()[%n]
  %x = memref.alloc() : memref<32x64xf32>
  linalg.exp ins(%B : memref<32x64xf32>) outs(%x : memref<32x64xf32>)
  %a = memref.subview %A[0, 0] [%h, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  %v = memref.subview %x[0, 0] [%h, 64] [1, 1] : memref<32x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  memref.copy %a, %v : memref<?x64xf32, strided<[64, 1]>> to memref<?x64xf32, strided<[64, 1]>>
  linalg.exp ins(%x : memref<32x64xf32>) outs(%C : memref<32x64xf32>)
  return
}

// -----

// Zeros pad what comes from the host; a buffer that holds nothing, and one that is not looked at
// whole, have nothing to keep.
// CHECK-LABEL: func.func @alone
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg.generic
func.func @alone(%A: memref<?x64xf32>, %C: memref<32x64xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %A, %c0 : memref<?x64xf32>
  %h = affine.min affine_map<()[s0] -> (32, s0)>()[%n]
  %x = memref.alloc() : memref<32x64xf32>
  %y = memref.alloc() : memref<32x64xf32>
  linalg.fill ins(%zero : f32) outs(%x : memref<32x64xf32>)
  %a = memref.subview %A[0, 0] [%h, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  %v = memref.subview %x[0, 0] [%h, 64] [1, 1] : memref<32x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  %u = memref.subview %y[0, 0] [%h, 64] [1, 1] : memref<32x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  memref.copy %a, %v : memref<?x64xf32, strided<[64, 1]>> to memref<?x64xf32, strided<[64, 1]>>
  memref.copy %a, %u : memref<?x64xf32, strided<[64, 1]>> to memref<?x64xf32, strided<[64, 1]>>
  linalg.add ins(%x, %y : memref<32x64xf32>, memref<32x64xf32>) outs(%C : memref<32x64xf32>)
  return
}

// -----

// 70 of 96 columns: a buffer of its own, of which a part of constant size goes on.
// CHECK-LABEL: func.func @narrow
// CHECK: memref.copy %{{.*}} : memref<?x70xf32, strided<[70, 1]>> to memref<?x70xf32, strided<[70, 1]>>
// CHECK: memref.copy %{{.*}} : memref<32x70xf32> to memref<32x70xf32, strided<[96, 1]>>
// CHECK: linalg.exp
// CHECK: memref.copy %{{.*}} : memref<32x70xf32, strided<[96, 1]>> to memref<32x70xf32>
// CHECK: memref.copy %{{.*}} : memref<?x70xf32, strided<[70, 1]>> to memref<?x70xf32, strided<[70, 1]>>
func.func @narrow(%A: memref<?x70xf32>, %C: memref<?x70xf32>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x70xf32>
  %h = affine.min affine_map<()[s0] -> (32, s0)>()[%n]
  %x = memref.alloc() : memref<32x96xf32>
  %y = memref.alloc() : memref<32x96xf32>
  %a = memref.subview %A[0, 0] [%h, 70] [1, 1] : memref<?x70xf32> to memref<?x70xf32, strided<[70, 1]>>
  %v = memref.subview %x[0, 0] [%h, 70] [1, 1] : memref<32x96xf32> to memref<?x70xf32, strided<[96, 1]>>
  memref.copy %a, %v : memref<?x70xf32, strided<[70, 1]>> to memref<?x70xf32, strided<[96, 1]>>
  linalg.exp ins(%x : memref<32x96xf32>) outs(%y : memref<32x96xf32>)
  %u = memref.subview %y[0, 0] [%h, 70] [1, 1] : memref<32x96xf32> to memref<?x70xf32, strided<[96, 1]>>
  %c = memref.subview %C[0, 0] [%h, 70] [1, 1] : memref<?x70xf32> to memref<?x70xf32, strided<[70, 1]>>
  memref.copy %u, %c : memref<?x70xf32, strided<[96, 1]>> to memref<?x70xf32, strided<[70, 1]>>
  return
}

// -----

// Nobody takes more than five rows of a buffer: it has no more.
// CHECK-LABEL: func.func @corner
// CHECK: %[[B:.*]] = memref.alloc() : memref<5x64xbf16>
// CHECK: %[[IN:.*]] = memref.subview %[[B]][0, 0] [5, %{{.*}}] [1, 1] : memref<5x64xbf16> to memref<5x?xbf16, strided<[64, 1]>>
// CHECK: linalg.matmul ins(%{{.*}}, %[[IN]] : memref<32x5xbf16>, memref<5x?xbf16, strided<[64, 1]>>)
func.func @corner(%A: memref<32x5xbf16>, %W: memref<5x?xbf16>, %C: memref<32x?xf32>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %W, %c1 : memref<5x?xbf16>
  %w = affine.min affine_map<()[s0] -> (64, s0)>()[%n]
  %x = memref.alloc() : memref<64x64xbf16>
  %b = memref.subview %W[0, 0] [5, %w] [1, 1] : memref<5x?xbf16> to memref<5x?xbf16, strided<[?, 1]>>
  %v = memref.subview %x[0, 0] [5, %w] [1, 1] : memref<64x64xbf16> to memref<5x?xbf16, strided<[64, 1]>>
  memref.copy %b, %v : memref<5x?xbf16, strided<[?, 1]>> to memref<5x?xbf16, strided<[64, 1]>>
  %c = memref.subview %C[0, 0] [32, %w] [1, 1] : memref<32x?xf32> to memref<32x?xf32, strided<[?, 1]>>
  linalg.matmul ins(%A, %v : memref<32x5xbf16>, memref<5x?xbf16, strided<[64, 1]>>) outs(%c : memref<32x?xf32, strided<[?, 1]>>)
  return
}
