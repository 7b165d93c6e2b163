// Kernels that are written element by element: what lowering linalg to loops leaves, and what
// people write.
// RUN: split-file %s %t
// RUN: tt-run %t/norm.mlir --check 2>&1 | FileCheck %s
// RUN: %if all %{ tt-run %t/norm.mlir --check --arch=blackhole --metalium-api=2026-03 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/parallel.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/parallel.mlir --check --arch=blackhole --metalium-api=2025 2>&1 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/product.mlir --check 2>&1 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/tiled.mlir --check --arch=blackhole 2>&1 | FileCheck %s %}
// CHECK: C: max abs error {{.*}}: ok
// RUN: %if all %{ tt-run %t/mask.mlir --check 2>&1 | FileCheck %s --check-prefix=MASK %}
// MASK: C: max abs error {{.*}}: ok
// MASK: T: max abs error {{.*}}: ok

// A sum that a loop carries, and what comes after it, row by row.
//--- norm.mlir
func.func @norm(%A: memref<64x64xf32> {tt.name="A"}, %G: memref<64xf32> {tt.name="G"}, %C: memref<64x64xf32> {tt.name="C"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %inv = arith.constant 0.015625 : f32
  %eps = arith.constant 1.0e-5 : f32
  affine.parallel (%b) = (0) to (2) {
    affine.for %i = 0 to 32 {
      %sum = affine.for %j = 0 to 64 iter_args(%s = %z) -> (f32) {
        %x = affine.load %A[%b * 32 + %i, %j] : memref<64x64xf32>
        %q = arith.mulf %x, %x : f32
        %t = arith.addf %s, %q : f32
        affine.yield %t : f32
      }
      %mean = arith.mulf %sum, %inv : f32
      %e = arith.addf %mean, %eps : f32
      %r = math.rsqrt %e : f32
      affine.for %j = 0 to 64 {
        %x = affine.load %A[%b * 32 + %i, %j] : memref<64x64xf32>
        %g = affine.load %G[%j] : memref<64xf32>
        %y = arith.mulf %x, %r : f32
        %w = arith.mulf %y, %g : f32
        affine.store %w, %C[%b * 32 + %i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}

// Branches become choices; a buffer of the core is read as it is and turned.
//--- mask.mlir
func.func @mask(%A: memref<64x64xf32> {tt.name="A"}, %C: memref<64x64xf32> {tt.name="C"}, %T: memref<64x64xf32> {tt.name="T"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant -1.0e30 : f32
  %buf = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
  memref.copy %A, %buf : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %x = memref.load %buf[%i, %j] : memref<64x64xf32, #gpu.address_space<workgroup>>
      %later = arith.cmpi ugt, %j, %i : index
      %m = scf.if %later -> (f32) {
        scf.yield %low : f32
      } else {
        scf.yield %x : f32
      }
      memref.store %m, %C[%i, %j] : memref<64x64xf32>
      %y = memref.load %buf[%j, %i] : memref<64x64xf32, #gpu.address_space<workgroup>>
      memref.store %y, %T[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// Four parallel loops, with a ragged side.
//--- parallel.mlir
func.func @par(%A: memref<2x3x64x100xf32> {tt.name="A"}, %b: memref<100xf32> {tt.name="b"}, %C: memref<2x3x64x100xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%x, %y, %i, %j) = (%c0, %c0, %c0, %c0) to (%c2, %c3, %c64, %c100) step (%c1, %c1, %c1, %c1) {
    %a = memref.load %A[%x, %y, %i, %j] : memref<2x3x64x100xf32>
    %v = memref.load %b[%j] : memref<100xf32>
    %s = arith.addf %a, %v : f32
    memref.store %s, %C[%x, %y, %i, %j] : memref<2x3x64x100xf32>
    scf.reduce
  }
  return
}

// A product, whose sum goes on in a loop inside of parallel ones.
//--- product.mlir
func.func @mm(%A: memref<64x96xf32> {tt.name="A"}, %B: memref<96x64xf32> {tt.name="B"}, %C: memref<64x64xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (64, 64) {
    memref.store %z, %C[%i, %j] : memref<64x64xf32>
    scf.for %k = %c0 to %c96 step %c1 {
      %a = memref.load %A[%i, %k] : memref<64x96xf32>
      %b = memref.load %B[%k, %j] : memref<96x64xf32>
      %c = memref.load %C[%i, %j] : memref<64x64xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      memref.store %s, %C[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// Copies, fills and maps of buffers between products.
//--- tiled.mlir
func.func @tiled(%A: memref<64x128xbf16> {tt.name="A"}, %B: memref<128x64xbf16> {tt.name="B"}, %C: memref<64x64xbf16> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%by) in (2) {
    %m = arith.muli %by, %c32 : index
    %acc = memref.alloc() : memref<32x64xf32, #gpu.address_space<private>>
    %as = memref.alloc() : memref<32x32xbf16, #gpu.address_space<workgroup>>
    %bs = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    %cs = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    affine.parallel (%i, %j) = (0, 0) to (32, 64) {
      affine.store %z, %acc[%i, %j] : memref<32x64xf32, #gpu.address_space<private>>
    }
    scf.for %k = %c0 to %c128 step %c32 {
      affine.parallel (%i, %j) = (0, 0) to (32, 32) {
        %r = arith.addi %m, %i : index
        %q = arith.addi %k, %j : index
        %x = memref.load %A[%r, %q] : memref<64x128xbf16>
        affine.store %x, %as[%i, %j] : memref<32x32xbf16, #gpu.address_space<workgroup>>
      }
      %b = memref.subview %B[%k, 0] [32, 64] [1, 1] : memref<128x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
      memref.copy %b, %bs : memref<32x64xbf16, strided<[64, 1], offset: ?>> to memref<32x64xbf16, #gpu.address_space<workgroup>>
      linalg.matmul ins(%as, %bs : memref<32x32xbf16, #gpu.address_space<workgroup>>, memref<32x64xbf16, #gpu.address_space<workgroup>>) outs(%acc : memref<32x64xf32, #gpu.address_space<private>>)
    }
    affine.parallel (%i, %j) = (0, 0) to (32, 64) {
      %x = affine.load %acc[%i, %j] : memref<32x64xf32, #gpu.address_space<private>>
      %y = math.tanh %x : f32
      %t = arith.truncf %y : f32 to bf16
      affine.store %t, %cs[%i, %j] : memref<32x64xbf16, #gpu.address_space<workgroup>>
    }
    %c = memref.subview %C[%m, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    memref.copy %cs, %c : memref<32x64xbf16, #gpu.address_space<workgroup>> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
  }
  return
}
