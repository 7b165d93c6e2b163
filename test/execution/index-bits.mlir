// Bits of indices that both change, and shifts by loops: swizzles and butterflies over tiles.
// REQUIRES: all
// RUN: split-file %s %t && cd %t
// RUN: tt-run xor2.mlir --check | FileCheck %s
// RUN: tt-run shl.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run shl2.mlir --check | FileCheck %s
// RUN: tt-run shr.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run bfly.mlir --check | FileCheck %s
// RUN: tt-run bfly.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run both.mlir --check | FileCheck %s
// RUN: tt-run both.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run nested.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run self.mlir --check | FileCheck %s
// CHECK: Y: {{.*}}: ok

//--- xor2.mlir
func.func @k(%X: memref<256x256xf32> {tt.name="X"}, %Y: memref<256x256xf32> {tt.name="Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (8, 8) {
    %c32 = arith.constant 32 : index
    %s = arith.xori %i, %j : index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c32 : index
    %t = arith.muli %s, %c32 : index
    %x = memref.subview %X[%r, %t] [32, 32] [1, 1] : memref<256x256xf32> to memref<32x32xf32, strided<[256, 1], offset: ?>>
    %y = memref.subview %Y[%r, %c] [32, 32] [1, 1] : memref<256x256xf32> to memref<32x32xf32, strided<[256, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x32xf32, strided<[256, 1], offset: ?>>) outs(%y : memref<32x32xf32, strided<[256, 1], offset: ?>>)
  }
  return
}

//--- shl.mlir
func.func @k(%X: memref<256x32xf32> {tt.name="X"}, %Y: memref<96x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  scf.forall (%i) in (3) {
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %s = arith.shli %c1, %i : index
    %r = arith.muli %i, %c32 : index
    %t = arith.muli %s, %c32 : index
    %x = memref.subview %X[%t, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %y = memref.subview %Y[%r, 0] [32, 32] [1, 1] : memref<96x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<32x32xf32, strided<[32, 1], offset: ?>>)
  }
  return
}

//--- shl2.mlir
func.func @k(%X: memref<1024x32xf32> {tt.name="X"}, %Y: memref<384x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (4, 3) {
    %c32 = arith.constant 32 : index
    %c3 = arith.constant 3 : index
    %s = arith.shli %i, %j : index
    %d = affine.apply affine_map<(i, j) -> ((i * 3 + j) * 32)>(%i, %j)
    %t = arith.muli %s, %c32 : index
    %x = memref.subview %X[%t, 0] [32, 32] [1, 1] : memref<1024x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %y = memref.subview %Y[%d, 0] [32, 32] [1, 1] : memref<384x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<32x32xf32, strided<[32, 1], offset: ?>>)
  }
  return
}

//--- shr.mlir
func.func @k(%X: memref<256x32xf32> {tt.name="X"}, %Y: memref<256x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %r = arith.muli %i, %c32 : index
    %acc = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%z : f32) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c3 step %c1 {
      %s = arith.shrui %i, %k : index
      %t = arith.muli %s, %c32 : index
      %x = memref.subview %X[%t, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%acc, %x : memref<32x32xf32, #gpu.address_space<private>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %y = memref.subview %Y[%r, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %acc, %y : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}

//--- bfly.mlir
func.func @k(%X: memref<256x32xf32> {tt.name="X"}, %Y: memref<256x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %r = arith.muli %i, %c32 : index
    %acc = memref.alloc() : memref<32x32xf32, #gpu.address_space<private>>
    linalg.fill ins(%z : f32) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
    scf.for %k = %c0 to %c3 step %c1 {
      %b = arith.shli %c1, %k : index
      %s = arith.xori %i, %b : index
      %t = arith.muli %s, %c32 : index
      %x = memref.subview %X[%t, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%acc, %x : memref<32x32xf32, #gpu.address_space<private>>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%acc : memref<32x32xf32, #gpu.address_space<private>>)
    }
    %y = memref.subview %Y[%r, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %acc, %y : memref<32x32xf32, #gpu.address_space<private>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}

//--- both.mlir
func.func @k(%X: memref<1024x64xbf16> {tt.name="X"}, %Y: memref<512x64xbf16> {tt.name="Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (16, 2) {
    %c32 = arith.constant 32 : index
    %i32 = arith.index_cast %i : index to i32
    %j32 = arith.index_cast %j : index to i32
    %a = arith.andi %i32, %j32 : i32
    %o = arith.ori %i32, %j32 : i32
    %x = arith.addi %a, %o : i32
    %s = arith.shrui %i32, %j32 : i32
    %q = arith.addi %x, %s : i32
    %t = arith.index_cast %q : i32 to index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c32 : index
    %u = arith.muli %t, %c32 : index
    %xv = memref.subview %X[%u, %c] [32, 32] [1, 1] : memref<1024x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
    %y = memref.subview %Y[%r, %c] [32, 32] [1, 1] : memref<512x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: ?>>
    linalg.exp ins(%xv : memref<32x32xbf16, strided<[64, 1], offset: ?>>) outs(%y : memref<32x32xbf16, strided<[64, 1], offset: ?>>)
  }
  return
}

//--- nested.mlir
func.func @k(%X: memref<256x32xf32> {tt.name="X"}, %Y: memref<256x256xf32> {tt.name="Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (8, 8) {
    %c32 = arith.constant 32 : index
    %a = arith.andi %i, %j : index
    %o = arith.ori %i, %j : index
    %s = arith.xori %a, %o : index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c32 : index
    %t = arith.muli %s, %c32 : index
    %x = memref.subview %X[%t, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %y = memref.subview %Y[%r, %c] [32, 32] [1, 1] : memref<256x256xf32> to memref<32x32xf32, strided<[256, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<32x32xf32, strided<[256, 1], offset: ?>>)
  }
  return
}

//--- self.mlir
func.func @k(%X: memref<256x32xf32> {tt.name="X"}, %Y: memref<256x256xf32> {tt.name="Y"}) attributes {tt.kernel} {
  scf.forall (%i, %j) in (8, 8) {
    %c32 = arith.constant 32 : index
    %a = arith.shrui %i, %j : index
    %o = arith.shrui %j, %j : index
    %s = arith.xori %a, %o : index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c32 : index
    %t = arith.muli %s, %c32 : index
    %x = memref.subview %X[%t, 0] [32, 32] [1, 1] : memref<256x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %y = memref.subview %Y[%r, %c] [32, 32] [1, 1] : memref<256x256xf32> to memref<32x32xf32, strided<[256, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<32x32xf32, strided<[256, 1], offset: ?>>)
  }
  return
}
