// RUN: tt-opt %s --tt-infer-layout --tt-propagate-layout --tt-attach-tensor-accessor --tt-stage-b --tt-lower-shared-to-cb --split-input-file --verify-diagnostics

func.func @ragged(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %a = memref.subview %A[0, 0] [40, 64] [1, 1] : memref<64x64xbf16> to memref<40x64xbf16, strided<[64, 1]>>
  %b = memref.subview %B[0, 0] [40, 64] [1, 1] : memref<64x64xbf16> to memref<40x64xbf16, strided<[64, 1]>>
  // expected-error @below {{moves 40 elements of dimension 0, which has 64: it ends inside of a tile; move whole tiles, 32 elements, or up to the end}}
  memref.copy %a, %b : memref<40x64xbf16, strided<[64, 1]>> to memref<40x64xbf16, strided<[64, 1]>>
  return
}
// -----
func.func @rank(%A: memref<2x64x64xbf16>, %B: memref<2x64x64xbf16>) attributes {tt.kernel} {
  // expected-error @below {{moves a block of 3 dimensions; blocks have at most two, so take one step of the others (a rank-reducing memref.subview)}}
  memref.copy %A, %B : memref<2x64x64xbf16> to memref<2x64x64xbf16>
  return
}
// -----
func.func @strides(%A: memref<128x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %a = memref.subview %A[0, 0] [64, 64] [2, 1] : memref<128x64xbf16> to memref<64x64xbf16, strided<[128, 1]>>
  // expected-error @below {{moves a block with a stride in dimension 0; blocks are contiguous}}
  memref.copy %a, %B : memref<64x64xbf16, strided<[128, 1]>> to memref<64x64xbf16>
  return
}
// -----
func.func @two_steps(%A: memref<4x64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %a = memref.subview %A[0, 0, 0] [2, 1, 64] [1, 1, 1] : memref<4x64x64xbf16> to memref<2x64xbf16, strided<[4096, 1]>>
  %b = memref.subview %B[0, 0] [2, 64] [1, 1] : memref<64x64xbf16> to memref<2x64xbf16, strided<[64, 1]>>
  // expected-error @below {{moves a block with 2 steps of dimension 0; a block is part of one matrix, the last two dimensions, so take one step of the others}}
  memref.copy %a, %b : memref<2x64xbf16, strided<[4096, 1]>> to memref<2x64xbf16, strided<[64, 1]>>
  return
}
// -----
func.func @across_matrices(%A: memref<64x4x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %a = memref.subview %A[0, 0, 0] [64, 1, 64] [1, 1, 1] : memref<64x4x64xbf16> to memref<64x64xbf16, strided<[256, 1]>>
  // expected-error @below {{moves a block with 64 steps of dimension 0; a block is part of one matrix, the last two dimensions, so take one step of the others}}
  memref.copy %a, %B : memref<64x64xbf16, strided<[256, 1]>> to memref<64x64xbf16>
  return
}
// -----
func.func @one_row(%A: memref<64x64xbf16>, %B: memref<1x64xbf16>) attributes {tt.kernel} {
  %a = memref.subview %A[5, 0] [1, 64] [1, 1] : memref<64x64xbf16> to memref<1x64xbf16, strided<[64, 1], offset: 320>>
  // expected-error @below {{moves 1 elements of dimension 0, which has 64: it ends inside of a tile; move whole tiles, 32 elements, or up to the end}}
  memref.copy %a, %B : memref<1x64xbf16, strided<[64, 1], offset: 320>> to memref<1x64xbf16>
  return
}
// -----
func.func @column_as_vector(%A: memref<64x1xbf16>, %B: memref<64xbf16>) attributes {tt.kernel} {
  %a = memref.subview %A[0, 0] [64, 1] [1, 1] : memref<64x1xbf16> to memref<64xbf16, strided<[1]>>
  // expected-error @below {{moves a block of a tensor of 2 dimensions as one of 1; keep its last two}}
  memref.copy %a, %B : memref<64xbf16, strided<[1]>> to memref<64xbf16>
  return
}
// -----
func.func @no_bound(%A: memref<64x?xbf16>, %B: memref<64x?xbf16>) attributes {tt.kernel} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<64x?xbf16>
  // expected-error @below {{this size has no constant bound, and buffers of a core are of constant size; tile the dimension}}
  %s = memref.alloc(%n) : memref<64x?xbf16>
  memref.copy %A, %s : memref<64x?xbf16> to memref<64x?xbf16>
  memref.copy %s, %B : memref<64x?xbf16> to memref<64x?xbf16>
  return
}
// -----
func.func @inside(%A: memref<160x32xbf16>, %B: memref<160x32xbf16>) attributes {tt.kernel} {
  scf.forall (%i) in (3) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
    %n = affine.min affine_map<(d0) -> (d0 * -64 + 150, 64)>(%i)
    // expected-error @below {{the size of dimension 0 is not what is left of the tensor there, min(block, size of the dimension - offset); blocks are smaller at the end of a tensor only}}
    %a = memref.subview %A[%m, 0] [%n, 32] [1, 1] : memref<160x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: ?>>
    %b = memref.subview %B[%m, 0] [%n, 32] [1, 1] : memref<160x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: ?>>
    memref.copy %a, %b : memref<?x32xbf16, strided<[32, 1], offset: ?>> to memref<?x32xbf16, strided<[32, 1], offset: ?>>
  }
  return
}
// -----
func.func @part(%A: memref<160x32xbf16>, %B: memref<160x32xbf16>) attributes {tt.kernel} {
  scf.forall (%i) in (3) {
    %n = affine.min affine_map<(d0) -> (d0 * -64 + 160, 64)>(%i)
    %s = memref.alloc() : memref<96x32xbf16>
    // expected-error @below {{a part of a core's buffer is taken from its first element on, and whole in each dimension of constant size}}
    %v = memref.subview %s[32, 0] [%n, 32] [1, 1] : memref<96x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: 1024>>
    linalg.exp ins(%v : memref<?x32xbf16, strided<[32, 1], offset: 1024>>) outs(%v : memref<?x32xbf16, strided<[32, 1], offset: 1024>>)
    %z = arith.constant 0 : index
    %first = arith.cmpi eq, %i, %z : index
    scf.if %first { memref.copy %A, %B : memref<160x32xbf16> to memref<160x32xbf16> }
  }
  return
}
