// Loops over elements whose variable is divided: images made larger, pixels dealt out, weights of 4 bits eight or
// two in an integer, with a scale a group, masks of bits.
// REQUIRES: all
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/larger.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/larger.mlir --check --arch=blackhole --metalium-api=2026-03 --optimize=none | FileCheck %s %}
// RUN: tt-run %t/packed.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s
// RUN: %if all %{ tt-run %t/packed.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pixels.mlir --check | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pairs.mlir --check --metalium-api=2026-03 | FileCheck %s %}
// RUN: tt-run %t/bits.mlir --check --metalium-api=2026-03 | FileCheck %s
// RUN: %if all %{ tt-run %t/bits.mlir --check --arch=blackhole | FileCheck %s %}
// RUN: tt-run %t/neighbours.mlir --check --arch=blackhole | FileCheck %s
// CHECK: Y: {{.*}}: ok

//--- larger.mlir
func.func @larger(%X: memref<2x8x8xf32>, %Y: memref<2x16x16xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%c, %i, %j) = (0, 0, 0) to (2, 16, 16) {
    %x = affine.load %X[%c, %i floordiv 2, %j floordiv 2] : memref<2x8x8xf32>
    affine.store %x, %Y[%c, %i, %j] : memref<2x16x16xf32>
  }
  return
}

// Weights of 4 bits, eight in an integer, with a scale for 16 of them.
//--- packed.mlir
func.func @packed(%X: memref<32x32xf32>, %W: memref<4x32xi32>, %S: memref<2x32xf32>, %Y: memref<32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (32, 32) {
    %s = affine.for %k = 0 to 32 iter_args(%a = %z) -> (f32) {
      %x = affine.load %X[%i, %k] : memref<32x32xf32>
      %p = affine.load %W[%k floordiv 8, %j] : memref<4x32xi32>
      %at = affine.apply affine_map<(k) -> (k mod 8)>(%k)
      %n = arith.index_cast %at : index to i32
      %bits = arith.muli %n, %c4 : i32
      %r = arith.shrui %p, %bits : i32
      %q = arith.andi %r, %c15 : i32
      %f = arith.uitofp %q : i32 to f32
      %w0 = arith.subf %f, %c8 : f32
      %scale = affine.load %S[%k floordiv 16, %j] : memref<2x32xf32>
      %w = arith.mulf %w0, %scale : f32
      %m = arith.mulf %x, %w : f32
      %t = arith.addf %a, %m : f32
      affine.yield %t : f32
    }
    affine.store %s, %Y[%i, %j] : memref<32x32xf32>
  }
  return
}

// Channels become pixels.
//--- pixels.mlir
func.func @pixels(%X: memref<8x16x16xf32>, %Y: memref<2x32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%c, %i, %j) = (0, 0, 0) to (2, 32, 32) {
    %x = affine.load %X[%c * 4 + (%i mod 2) * 2 + %j mod 2, %i floordiv 2, %j floordiv 2] : memref<8x16x16xf32>
    affine.store %x, %Y[%c, %i, %j] : memref<2x32x32xf32>
  }
  return
}

// Two weights in a byte, stored as they are unpacked: rows of the result are written in turns.
//--- pairs.mlir
func.func @pairs(%W: memref<16x32xi8>, %S: memref<32xf32>, %Y: memref<32x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  affine.for %k = 0 to 32 {
    affine.for %n = 0 to 32 {
      %p = affine.load %W[%k floordiv 2, %n] : memref<16x32xi8>
      %at = affine.apply affine_map<(k) -> ((k mod 2) * 4)>(%k)
      %bits = arith.index_cast %at : index to i8
      %r = arith.shrui %p, %bits : i8
      %q = arith.andi %r, %c15 : i8
      %f = arith.uitofp %q : i8 to f32
      %s = affine.load %S[%n] : memref<32xf32>
      %w = arith.mulf %f, %s : f32
      affine.store %w, %Y[%k, %n] : memref<32x32xf32>
    }
  }
  return
}

//--- bits.mlir
func.func @bits(%M: memref<32x2xi32>, %X: memref<32x64xf32>, %Y: memref<32x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : i32
  affine.parallel (%i, %j) = (0, 0) to (32, 64) {
    %w = affine.load %M[%i, %j floordiv 32] : memref<32x2xi32>
    %b = affine.apply affine_map<(d0) -> (d0 mod 32)>(%j)
    %bi = arith.index_cast %b : index to i32
    %s = arith.shrui %w, %bi : i32
    %k = arith.andi %s, %c1 : i32
    %f = arith.cmpi eq, %k, %c1 : i32
    %x = affine.load %X[%i, %j] : memref<32x64xf32>
    %y = arith.select %f, %x, %z : f32
    affine.store %y, %Y[%i, %j] : memref<32x64xf32>
  }
  return
}

// Even elements take the next one, and odd ones that before: a branch by the rest.
//--- neighbours.mlir
func.func @neighbours(%X: memref<64x64xf32> {tt.name = "X"}, %C: memref<64x32xf32> {tt.name = "C"}, %S: memref<64x32xf32> {tt.name = "S"}, %Y: memref<64x64xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  affine.parallel (%t, %j) = (0, 0) to (64, 64) {
    %o = affine.apply affine_map<(j) -> (j mod 2)>(%j)
    %c0 = arith.constant 0 : index
    %even = arith.cmpi eq, %o, %c0 : index
    %c = affine.load %C[%t, %j floordiv 2] : memref<64x32xf32>
    %s = affine.load %S[%t, %j floordiv 2] : memref<64x32xf32>
    %x = affine.load %X[%t, %j] : memref<64x64xf32>
    %y = scf.if %even -> (f32) {
      %z = affine.load %X[%t, %j + 1] : memref<64x64xf32>
      %n = arith.negf %z : f32
      scf.yield %n : f32
    } else {
      %z = affine.load %X[%t, %j - 1] : memref<64x64xf32>
      scf.yield %z : f32
    }
    %a = arith.mulf %x, %c : f32
    %b = arith.mulf %y, %s : f32
    %r = arith.addf %a, %b : f32
    affine.store %r, %Y[%t, %j] : memref<64x64xf32>
  }
  return
}
