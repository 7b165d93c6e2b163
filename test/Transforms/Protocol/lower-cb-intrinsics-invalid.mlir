// RUN: tt-opt %s --tt-stage-a --tt-stage-d --split-input-file --verify-diagnostics

func.func @offset(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>, %i: index) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  // expected-error @below {{the offset of dimension 0 is not provably a multiple of 32}}
  tt.read_to_cb %A[%i, %c0], %a : memref<64x64xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<64x64xbf16>
  return
}
// -----
func.func @lost(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  // expected-error @below {{the result of this op stays in DST, but neither an SFPU op nor a tt.pack_to_cb follows}}
  tt.fpu.add %a, %a, dst = 0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.fpu.mul %a, %a, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @dst(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  // expected-error @below {{[rule 9] DST has 8 tiles, but this writes tile 8}}
  tt.fpu.add %a, %a, dst = 8 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @no_operand(%B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  // expected-error @below {{(C1) no op left a block in DST before this one}}
  tt.sfpu.unary exp, dst = 0 -> %b : !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @product_onto(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a, dst = 0 : !tt.cb<1x1xbf16>
  tt.sfpu.combine copy, [0], dst = 1
  // expected-error @below {{products and sums add to what is in DST; give this one a tile that nothing wrote before, not tile 0}}
  tt.fpu.mul %a, %a, dst = 0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.sfpu.combine add, [0, 1], dst = 0 -> %b : !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @missing(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a, dst = 0 : !tt.cb<1x1xbf16>
  // expected-error @below {{(C1) no op left a block in DST tile 3 before this one}}
  tt.sfpu.combine add, [0, 3], dst = 0 -> %b : !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @reuse_of_nothing(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  // expected-error @below {{(C1) no op left a block in DST before this one; copy one there with tt.copy_to_dst}}
  tt.fpu.reuse add, %a, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
