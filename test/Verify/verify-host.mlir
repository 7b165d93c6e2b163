// RUN: tt-opt %s --tt-pipeline=optimize=none --split-input-file --verify-diagnostics

// What a host function cannot do: one error each, at the op.
func.func @k(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @main(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.host} {
  // expected-error @below {{a host function allocates tensors with memref.alloc and calls kernels, one after the other; memref.copy has no form in a host program, so move it into a kernel}}
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  call @k(%A, %B) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  return
}
// -----
func.func @k(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @main(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.host} {
  %t = memref.alloc() : memref<64x64xbf16>
  call @k(%A, %t) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  memref.dealloc %t : memref<64x64xbf16>
  // expected-error @below {{argument 'arg0' of 'k' was deallocated before}}
  call @k(%t, %B) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  return
}
// -----
// Tensors that are alive take L1 from kernels that do not use them.
func.func @k(%A: memref<2048x2048xf32> {tt.layout = {memory = "L1"}}, %B: memref<2048x2048xf32> {tt.layout = {memory = "L1"}}) attributes {tt.kernel} {
  scf.forall (%i) in (64) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %a = memref.subview %A[%m, 0] [32, 2048] [1, 1] : memref<2048x2048xf32> to memref<32x2048xf32, strided<[2048, 1], offset: ?>>
    %b = memref.subview %B[%m, 0] [32, 2048] [1, 1] : memref<2048x2048xf32> to memref<32x2048xf32, strided<[2048, 1], offset: ?>>
    memref.copy %a, %b : memref<32x2048xf32, strided<[2048, 1], offset: ?>> to memref<32x2048xf32, strided<[2048, 1], offset: ?>>
  }
  return
}
func.func @main(%A: memref<2048x2048xf32>, %B: memref<2048x2048xf32>) attributes {tt.host} {
  %t = memref.alloc() : memref<2048x2048xf32>
  %u = memref.alloc() : memref<2048x2048xf32>
  // expected-error @below {{[rule 8] the circular buffers and the tensors in L1 need 1572864 bytes here, but L1 has 1395424; keep a tensor in DRAM, or deallocate it earlier}}
  call @k(%A, %t) : (memref<2048x2048xf32>, memref<2048x2048xf32>) -> ()
  call @k(%t, %u) : (memref<2048x2048xf32>, memref<2048x2048xf32>) -> ()
  call @k(%u, %B) : (memref<2048x2048xf32>, memref<2048x2048xf32>) -> ()
  return
}
// -----
// A tensor of the host function's own.
func.func @k(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @main(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) {
  // expected-error @below {{calls a kernel from a function that has no tt.host}}
  call @k(%A, %B) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  return
}
