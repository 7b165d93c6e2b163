// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --split-input-file --verify-diagnostics

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
