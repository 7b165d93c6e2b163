// RUN: tt-opt %s --tt-infer-layout --tt-propagate-layout --tt-attach-tensor-accessor --tt-stage-b --tt-lower-shared-to-cb --split-input-file --verify-diagnostics

func.func @rank(%A: memref<2x64x64xbf16>, %B: memref<2x64x64xbf16>) attributes {tt.kernel} {
  // expected-error @below {{moves a block of 3 dimensions; blocks have at most two, so take one step of the others (a rank-reducing memref.subview)}}
  memref.copy %A, %B : memref<2x64x64xbf16> to memref<2x64x64xbf16>
  return
}
// -----
func.func @rank_of_filled(%A: memref<2x64x64xbf16>, %B: memref<2x64x64xbf16>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : bf16
  %s = memref.alloc() : memref<2x64x64xbf16>
  linalg.fill ins(%zero : bf16) outs(%s : memref<2x64x64xbf16>)
  // expected-error @below {{moves a block of 3 dimensions; blocks have at most two, so take one step of the others (a rank-reducing memref.subview)}}
  memref.copy %A, %s : memref<2x64x64xbf16> to memref<2x64x64xbf16>
  memref.copy %s, %B : memref<2x64x64xbf16> to memref<2x64x64xbf16>
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
    %a = memref.subview %A[%m, 0] [%n, 32] [1, 1] : memref<160x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: ?>>
    // expected-error @below {{a block that is written ends along dimension 0 where a number of the kernel says, as in 'if i < len', not where the tensor ends; write min(block, size of the dimension - offset) elements, and to keep some of them, write those as they are: arith.select of the new value and of the one that is loaded from there}}
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
    // expected-error @below {{a part of a core's buffer whose size is known only when it runs is taken from its first element on, and whole in each dimension of constant size; of a row or a column inside, take as many elements as the buffer has}}
    %v = memref.subview %s[32, 0] [%n, 32] [1, 1] : memref<96x32xbf16> to memref<?x32xbf16, strided<[32, 1], offset: 1024>>
    linalg.exp ins(%v : memref<?x32xbf16, strided<[32, 1], offset: 1024>>) outs(%v : memref<?x32xbf16, strided<[32, 1], offset: 1024>>)
    %z = arith.constant 0 : index
    %first = arith.cmpi eq, %i, %z : index
    scf.if %first { memref.copy %A, %B : memref<160x32xbf16> to memref<160x32xbf16> }
  }
  return
}
// -----
func.func @shared_exponents(%A: memref<64x64xbf16> {tt.layout = {dtype = "bfp8_b"}}, %B: memref<1x64xbf16>) attributes {tt.kernel} {
  %a = memref.subview %A[5, 0] [1, 64] [1, 1] : memref<64x64xbf16> to memref<1x64xbf16, strided<[64, 1], offset: 320>>
  // expected-error @below {{moves parts of tiles of tensor 'arg0', but elements of bfp8_b cannot be moved alone; move whole tiles, 32 x 32 from multiples of 32 on, or store it as bf16}}
  memref.copy %a, %B : memref<1x64xbf16, strided<[64, 1], offset: 320>> to memref<1x64xbf16>
  return
}
