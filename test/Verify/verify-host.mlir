// RUN: tt-opt %s --tt-pipeline=optimize=none --split-input-file --verify-diagnostics

// What a host function cannot do: one error each, at the op.
func.func @k(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @main(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.host} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{a host function allocates tensors, computes numbers, loops and branches on them, and calls kernels; memref.load has no form in a host program, so move it into a kernel}}
  %x = memref.load %A[%c0, %c0] : memref<64x64xbf16>
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
// -----
// What a loop frees is not there in the next step.
func.func @k(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @main(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = memref.alloc() : memref<64x64xbf16>
  func.call @k(%A, %t) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{argument 'arg0' of 'k' was deallocated before}}
    func.call @k(%t, %B) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
    memref.dealloc %t : memref<64x64xbf16>
  }
  return
}
// -----
// Both tensors that a loop swaps have one layout.
func.func @k(%A: memref<64x64xbf16> {tt.layout = {dtype = "bfp8_b"}}, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @main(%A: memref<64x64xbf16>, %B: memref<64x64xbf16> {tt.layout = {dtype = "fp32"}}) attributes {tt.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %A, %q = %B) -> (memref<64x64xbf16>, memref<64x64xbf16>) {
    // expected-error @below {{operand 0 of 'k' has a layout of its own, which differs from the parameter's; keep one tt.layout, or call a copy of the kernel}}
    func.call @k(%p, %q) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
    scf.yield %q, %p : memref<64x64xbf16>, memref<64x64xbf16>
  }
  return
}
// -----
// Several sizes of which only the product is known.
func.func @k(%A: memref<?x?xbf16>) attributes {tt.kernel} {
  %x = memref.alloc() : memref<32x32xbf16, #gpu.address_space<workgroup>>
  %a = memref.subview %A[0, 0] [32, 32] [1, 1] : memref<?x?xbf16> to memref<32x32xbf16, strided<[?, 1]>>
  memref.copy %a, %x : memref<32x32xbf16, strided<[?, 1]>> to memref<32x32xbf16, #gpu.address_space<workgroup>>
  linalg.exp ins(%x : memref<32x32xbf16, #gpu.address_space<workgroup>>) outs(%a : memref<32x32xbf16, strided<[?, 1]>>)
  return
}
func.func @main(%A: memref<?xbf16>, %m: index, %n: index) attributes {tt.host} {
  // expected-error @below {{expands one dimension to 2 dynamic ones; a host program takes one of them to be what the others leave, so make the others constant}}
  %v = memref.expand_shape %A [[0, 1]] output_shape [%m, %n] : memref<?xbf16> into memref<?x?xbf16>
  func.call @k(%v) : (memref<?x?xbf16>) -> ()
  return
}
// -----
// A weight that is not there.
memref.global "private" @w : memref<64x64xbf16> = dense_resource<nobody>
func.func @k(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
func.func @main(%B: memref<64x64xbf16>) attributes {tt.host} {
  // expected-error @below {{'w' has a value whose elements are not in this module; give it as dense<…> or dense_resource}}
  %w = memref.get_global @w : memref<64x64xbf16>
  call @k(%w, %B) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  return
}
