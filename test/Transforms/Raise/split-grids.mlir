// RUN: tt-opt %s --tt-split-grids | FileCheck %s
// RUN: sed 's/^  %other.*/  linalg.fill ins(%x : f32) outs(%C : memref<64x64xf32>)/' %s | not tt-opt --tt-split-grids 2>&1 | FileCheck %s --check-prefix=BETWEEN
// BETWEEN: error: this runs between two grids, on no particular core; move it into one of them, or into an scf.forall of its own

// A kernel each, with what it uses; a buffer without a space is a tensor of the device, one with a
// space is a core's own.
// CHECK-LABEL: func.func @two_0(
// CHECK-SAME: %[[A:.*]]: memref<64x64xf32> {tt.name = "A"}, %[[T:.*]]: memref<64x64xf32> {tt.name = "between0"}) attributes {tt.kernel, tt.math_fidelity = "LoFi"}
// CHECK: %[[F:.*]] = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
// CHECK: scf.forall
// CHECK: memref.copy %[[A]], %[[F]]
// CHECK: memref.copy %[[F]], %[[T]]
// CHECK-LABEL: func.func @two_1(
// CHECK-SAME: %[[C:.*]]: memref<64x64xf32> {tt.layout = {memory = "L1"}, tt.name = "C"}, %[[T:.*]]: memref<64x64xf32> {tt.name = "between0"}
// CHECK: memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
// CHECK: memref.copy %[[T]]
// CHECK-LABEL: func.func @two(
// CHECK-SAME: attributes {tt.host}
// CHECK-NEXT: %[[T:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK-NEXT: call @two_0(%{{.*}}, %[[T]])
// CHECK-NEXT: call @two_1(%{{.*}}, %[[T]])
func.func @two(%A: memref<64x64xf32> {tt.name = "A"}, %x: f32, %C: memref<64x64xf32> {tt.layout = {memory = "L1"}, tt.name = "C"})
    attributes {tt.kernel, tt.math_fidelity = "LoFi"} {
  %t = memref.alloc() : memref<64x64xf32>
  %f = memref.alloc() : memref<64x64xf32, #gpu.address_space<private>>
  scf.forall (%i) in (1) {
    memref.copy %A, %f : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<private>>
    memref.copy %f, %t : memref<64x64xf32, #gpu.address_space<private>> to memref<64x64xf32>
  }
  %other = arith.constant 0 : index
  scf.forall (%i) in (1) {
    memref.copy %t, %f : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<private>>
    memref.copy %f, %C : memref<64x64xf32, #gpu.address_space<private>> to memref<64x64xf32>
  }
  return
}

// One grid stays.
// CHECK-LABEL: func.func @one
// CHECK-SAME: tt.kernel
func.func @one(%C: memref<64x64xf32>, %x: f32) attributes {tt.kernel} {
  scf.forall (%i) in (1) {
    linalg.fill ins(%x : f32) outs(%C : memref<64x64xf32>)
  }
  return
}

// -----
// A reshape that cuts a dimension is the host function's, between what writes its tensor and what reads it; one that a grid
// writes through stays.
// CHECK-LABEL: func.func @cut_0(
// CHECK-NOT: expand_shape
// CHECK: func.func @cut_1(
// CHECK-SAME: memref<4x16x8xf32> {tt.name = "view0"}
// CHECK-NOT: expand_shape
// CHECK: func.func @cut(
// CHECK: call @cut_0(
// CHECK: %[[V:.*]] = memref.expand_shape
// CHECK: call @cut_1(%{{.*}}, %[[V]])
func.func @cut(%A: memref<64x8xf32>, %C: memref<2x8x8xf32>) attributes {tt.kernel} {
  %t = memref.alloc() : memref<64x8xf32>
  %v = memref.expand_shape %t [[0, 1], [2]] output_shape [4, 16, 8] : memref<64x8xf32> into memref<4x16x8xf32>
  scf.forall (%i) in (1) {
    memref.copy %A, %t : memref<64x8xf32> to memref<64x8xf32>
  }
  scf.forall (%i) in (1) {
    %s = memref.subview %v[1, 0, 0] [2, 8, 8] [1, 1, 1] : memref<4x16x8xf32> to memref<2x8x8xf32, strided<[128, 8, 1], offset: 128>>
    memref.copy %s, %C : memref<2x8x8xf32, strided<[128, 8, 1], offset: 128>> to memref<2x8x8xf32>
  }
  return
}

// -----
// CHECK-LABEL: func.func @written_0(
// CHECK: expand_shape
func.func @written(%A: memref<2x8x8xf32>, %C: memref<64x8xf32>) attributes {tt.kernel} {
  %t = memref.alloc() : memref<64x8xf32>
  %v = memref.expand_shape %t [[0, 1], [2]] output_shape [4, 16, 8] : memref<64x8xf32> into memref<4x16x8xf32>
  scf.forall (%i) in (1) {
    %s = memref.subview %v[1, 0, 0] [2, 8, 8] [1, 1, 1] : memref<4x16x8xf32> to memref<2x8x8xf32, strided<[128, 8, 1], offset: 128>>
    memref.copy %A, %s : memref<2x8x8xf32> to memref<2x8x8xf32, strided<[128, 8, 1], offset: 128>>
  }
  scf.forall (%i) in (1) {
    memref.copy %t, %C : memref<64x8xf32> to memref<64x8xf32>
  }
  return
}

// -----
// Blocks of a reshaped tensor that are blocks of the tensor need no other one, and no host function.
// CHECK-LABEL: func.func @folded(
// CHECK-SAME: attributes {tt.kernel}
// CHECK-NOT: tt.host
func.func @folded(%A: memref<2x64x64xf32>, %B: memref<128x64xf32>, %C: memref<128x64xf32>) attributes {tt.kernel} {
  %v = memref.collapse_shape %A [[0, 1], [2]] : memref<2x64x64xf32> into memref<128x64xf32>
  %w = memref.expand_shape %B [[0, 1], [2]] output_shape [2, 64, 64] : memref<128x64xf32> into memref<2x64x64xf32>
  scf.forall (%i) in (2) {
    %r = affine.apply affine_map<(i) -> (i * 64)>(%i)
    %s = memref.subview %v[%r, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %t = memref.subview %w[%i, 0, 0] [1, 64, 64] [1, 1, 1] : memref<2x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %d = memref.subview %C[%r, 0] [64, 64] [1, 1] : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    linalg.add ins(%s, %t : memref<64x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>) outs(%d : memref<64x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}
