// What no cell writes keeps what it held, also where the blocks that are written meet, where a number says which branch or which
// block is written, where another tensor's size says how far, and where a limit does. A tensor that is written in whole is not
// brought.
// RUN: split-file %s %t
// RUN: tt-run %t/meet.mlir --check --strict | FileCheck %s
// RUN: %if all %{ tt-run %t/meet.mlir --check --strict --arch=blackhole --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/meet-columns.mlir --check --strict | FileCheck %s %}
// RUN: %if all %{ tt-run %t/meet-columns.mlir --check --strict --arch=blackhole --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/meet-open.mlir --check --strict --shape X=96x32 --shape C=96x64 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/meet-open.mlir --check --strict --arch=blackhole --optimize=none --shape X=96x32 --shape C=96x64 | FileCheck %s %}
// RUN: tt-run %t/branch.mlir --check --strict --input len=40 | FileCheck %s
// RUN: %if all %{ tt-run %t/branch.mlir --check --strict --arch=blackhole --optimize=none --input len=40 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/half-tiles.mlir --check --strict --input len=112 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/half-tiles.mlir --check --strict --arch=blackhole --optimize=none --input len=112 | FileCheck %s %}
// RUN: tt-run %t/same-block.mlir --check --strict --input p=2 | FileCheck %s
// RUN: %if all %{ tt-run %t/same-block.mlir --check --strict --arch=blackhole --optimize=none --input p=2 | FileCheck %s %}
// RUN: tt-run %t/longer.mlir --check --strict --shape X=96x32 --shape C=160x32 | FileCheck %s
// RUN: %if all %{ tt-run %t/longer.mlir --check --strict --arch=blackhole --optimize=none --shape X=96x32 --shape C=160x32 | FileCheck %s %}
// RUN: tt-run %t/limit.mlir --check --strict --shape C=1024x32 | FileCheck %s
// RUN: %if all %{ tt-run %t/limit.mlir --check --strict --arch=blackhole --optimize=none --shape C=1024x32 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/limit-of-cells.mlir --check --strict --shape C=2048x32 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/limit-of-cells.mlir --check --strict --arch=blackhole --optimize=none --shape C=2048x32 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/square.mlir --check --strict --shape C=64x96 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/square.mlir --check --strict --arch=blackhole --optimize=none --shape C=64x96 | FileCheck %s %}
// RUN: not tt-run %t/element.mlir --input len=40 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: %if all %{ tt-run %t/chosen.mlir --check --strict --input len=40 | FileCheck %s %}
// RUN: tt-opt --split-input-file --tt-pipeline %t/all.mlir | FileCheck %s --check-prefix=ALL
// RUN: tt-opt --split-input-file --tt-pipeline %t/rest.mlir | FileCheck %s --check-prefix=REST
// CHECK: C: {{.*}}: ok
// ALL-NOT: tt.keeps
// ELEMENT: error: a block that is written ends along dimension 0 where a number of the kernel says, as in 'if i < len'

//--- meet.mlir
func.func @k(%X: memref<64x32xf32> {tt.name="X"}, %C: memref<64x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    %x = memref.subview %X[0, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1]>>
    %y = memref.subview %X[32, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: 1024>>
    %c = memref.subview %C[0, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1]>>
    %d = memref.subview %C[16, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: 512>>
    memref.copy %x, %c : memref<32x32xf32, strided<[32, 1]>> to memref<32x32xf32, strided<[32, 1]>>
    memref.copy %y, %d : memref<32x32xf32, strided<[32, 1], offset: 1024>> to memref<32x32xf32, strided<[32, 1], offset: 512>>
  }
  return
}

//--- meet-columns.mlir
func.func @k(%X: memref<64x64xf32> {tt.name="X"}, %C: memref<32x128xf32> {tt.name="C"}) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    %x = memref.subview %X[0, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1]>>
    %y = memref.subview %X[32, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: 2048>>
    %c = memref.subview %C[0, 0] [32, 64] [1, 1] : memref<32x128xf32> to memref<32x64xf32, strided<[128, 1]>>
    %d = memref.subview %C[0, 32] [32, 64] [1, 1] : memref<32x128xf32> to memref<32x64xf32, strided<[128, 1], offset: 32>>
    memref.copy %x, %c : memref<32x64xf32, strided<[64, 1]>> to memref<32x64xf32, strided<[128, 1]>>
    memref.copy %y, %d : memref<32x64xf32, strided<[64, 1], offset: 2048>> to memref<32x64xf32, strided<[128, 1], offset: 32>>
  }
  return
}

//--- meet-open.mlir
func.func @k(%X: memref<?x32xf32> {tt.name="X"}, %C: memref<?x64xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %X, %c0 : memref<?x32xf32>
  scf.forall (%b) = (0) to (%n) step (32) {
    %x = memref.subview %X[%b, 0] [32, 32] [1, 1] : memref<?x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %c = memref.subview %C[%b, 0] [32, 32] [1, 1] : memref<?x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    %d = memref.subview %C[%b, 16] [32, 32] [1, 1] : memref<?x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    memref.copy %x, %c : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    memref.copy %x, %d : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[64, 1], offset: ?>>
  }
  return
}

//--- branch.mlir
func.func @k(%X: memref<128x32xf32> {tt.name="X"}, %len: index {tt.name = "len", tt.range = [0, 128]}, %C: memref<128x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  scf.forall (%b) = (0) to (128) step (32) {
    %h = arith.cmpi ult, %b, %len : index
    scf.if %h {
      %x = memref.subview %X[%b, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %c = memref.subview %C[%b, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %x, %c : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    }
  }
  return
}

//--- half-tiles.mlir
func.func @k(%X: memref<128x32xf32> {tt.name="X"}, %len: index {tt.name = "len", tt.range = [0, 128]}, %C: memref<128x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  scf.forall (%b) = (0) to (128) step (16) {
    %h = arith.cmpi ult, %b, %len : index
    scf.if %h {
      %x = memref.subview %X[%b, 0] [16, 32] [1, 1] : memref<128x32xf32> to memref<16x32xf32, strided<[32, 1], offset: ?>>
      %c = memref.subview %C[%b, 0] [16, 32] [1, 1] : memref<128x32xf32> to memref<16x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %x, %c : memref<16x32xf32, strided<[32, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>>
    }
  }
  return
}

//--- same-block.mlir
func.func @k(%X: memref<128x32xf32> {tt.name="X"}, %p: index {tt.name = "p", tt.range = [0, 3]}, %C: memref<128x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %to = arith.muli %p, %c32 : index
  scf.forall (%q) in (1) {
  scf.for %b = %c0 to %c128 step %c32 {
      %x = memref.subview %X[%b, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %c = memref.subview %C[%to, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %x, %c : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  }
  return
}

//--- longer.mlir
func.func @k(%X: memref<?x32xf32> {tt.name="X"}, %C: memref<?x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %X, %c0 : memref<?x32xf32>
  scf.forall (%b) = (0) to (%n) step (32) {
    %x = memref.subview %X[%b, 0] [32, 32] [1, 1] : memref<?x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %c = memref.subview %C[%b, 0] [32, 32] [1, 1] : memref<?x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    memref.copy %x, %c : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  }
  return
}

//--- limit.mlir
func.func @k(%C: memref<?x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c400 = arith.constant 400 : index
  %n = memref.dim %C, %c0 : memref<?x32xf32>
  %z = arith.constant 1.0 : f32
  scf.forall (%b) = (0) to (%n) step (32) {
    %h = arith.cmpi ult, %b, %c400 : index
    scf.if %h {
    %c = memref.subview %C[%b, 0] [32, 32] [1, 1] : memref<?x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%z : f32) outs(%c : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}

//--- limit-of-cells.mlir
func.func @k(%C: memref<?x32xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %n = memref.dim %C, %c0 : memref<?x32xf32>
  %z = arith.constant 1.0 : f32
  %m = affine.apply affine_map<()[s] -> (s ceildiv 32)>()[%n]
  scf.forall (%b) = (0) to (%m) step (1) {
    %h = arith.cmpi ult, %b, %c40 : index
    scf.if %h {
    %bb = affine.apply affine_map<(i) -> (i*32)>(%b)
 %c = memref.subview %C[%bb, 0] [32, 32] [1, 1] : memref<?x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.fill ins(%z : f32) outs(%c : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}

//--- square.mlir
func.func @k(%C: memref<?x?xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %C, %c0 : memref<?x?xf32>
  %z = arith.constant 1.0 : f32
  scf.forall (%b, %j) = (0, 0) to (%n, %n) step (32, 32) {
    %c = memref.subview %C[%b, %j] [32, 32] [1, 1] : memref<?x?xf32> to memref<32x32xf32, strided<[?, 1], offset: ?>>
    linalg.fill ins(%z : f32) outs(%c : memref<32x32xf32, strided<[?, 1], offset: ?>>)
  }
  return
}

//--- element.mlir
func.func @k(%X: memref<128xf32> {tt.name="X"}, %len: index {tt.name = "len", tt.range = [0, 128]}, %C: memref<128xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%b) = (%c0) to (%c128) step (%c1) {
    %h = arith.cmpi ult, %b, %len : index
    scf.if %h {
      %x = memref.load %X[%b] : memref<128xf32>
      memref.store %x, %C[%b] : memref<128xf32>
    }
    scf.reduce
  }
  return
}

//--- chosen.mlir
func.func @k(%X: memref<128xf32> {tt.name="X"}, %len: index {tt.name = "len", tt.range = [0, 128]}, %C: memref<128xf32> {tt.name="C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%b) = (%c0) to (%c128) step (%c1) {
    %h = arith.cmpi ult, %b, %len : index
    %x = memref.load %X[%b] : memref<128xf32>
    %c = memref.load %C[%b] : memref<128xf32>
    %s = arith.select %h, %x, %c : f32
    memref.store %s, %C[%b] : memref<128xf32>
    scf.reduce
  }
  return
}

//--- all.mlir
// Rows 0 to 31 and 16 to 47 of 48.
func.func @meet(%X: memref<48x32xf32> {tt.name = "X"}, %C: memref<48x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  scf.forall (%b) in (1) {
    %ax = memref.subview %X[0, 0] [32, 32] [1, 1] : memref<48x32xf32> to memref<32x32xf32, strided<[32, 1]>>
    %ac = memref.subview %C[0, 0] [32, 32] [1, 1] : memref<48x32xf32> to memref<32x32xf32, strided<[32, 1]>>
    memref.copy %ax, %ac : memref<32x32xf32, strided<[32, 1]>> to memref<32x32xf32, strided<[32, 1]>>
    %bx = memref.subview %X[16, 0] [32, 32] [1, 1] : memref<48x32xf32> to memref<32x32xf32, strided<[32, 1], offset: 512>>
    %bc = memref.subview %C[16, 0] [32, 32] [1, 1] : memref<48x32xf32> to memref<32x32xf32, strided<[32, 1], offset: 512>>
    memref.copy %bx, %bc : memref<32x32xf32, strided<[32, 1], offset: 512>> to memref<32x32xf32, strided<[32, 1], offset: 512>>
  }
  return
}

// -----

// Both branches write the block.
func.func @either(%X: memref<128x32xf32> {tt.name = "X"}, %len: index {tt.name = "len", tt.range = [0, 128]}, %C: memref<128x32xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) = (0) to (128) step (32) {
    %h = arith.cmpi ult, %b, %len : index
    %c = memref.subview %C[%b, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    scf.if %h {
      %x = memref.subview %X[%b, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      memref.copy %x, %c : memref<32x32xf32, strided<[32, 1], offset: ?>> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    } else {
      linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32, strided<[32, 1], offset: ?>>)
    }
  }
  return
}

// -----

// More blocks than are counted one by one.
func.func @many(%C: memref<16384x8192xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  scf.forall (%i, %j) = (0, 0) to (16384, 8192) step (32, 32) {
    %c = memref.subview %C[%i, %j] [32, 32] [1, 1] : memref<16384x8192xf32> to memref<32x32xf32, strided<[8192, 1], offset: ?>>
    linalg.fill ins(%one : f32) outs(%c : memref<32x32xf32, strided<[8192, 1], offset: ?>>)
  }
  return
}

// -----

// The same with smaller ones at the end.
func.func @many_to_the_end(%C: memref<10000x10000xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  scf.forall (%i, %j) = (0, 0) to (10000, 10000) step (32, 32) {
    %m = affine.min affine_map<(i) -> (32, 10000 - i)>(%i)
    %n = affine.min affine_map<(i) -> (32, 10000 - i)>(%j)
    %c = memref.subview %C[%i, %j] [%m, %n] [1, 1] : memref<10000x10000xf32> to memref<?x?xf32, strided<[10000, 1], offset: ?>>
    linalg.fill ins(%one : f32) outs(%c : memref<?x?xf32, strided<[10000, 1], offset: ?>>)
  }
  return
}

// -----

// Of three open sizes, those of the grid are those of the tensor, and of X where its blocks end.
func.func @open(%X: memref<?x?x?xf32> {tt.name = "X"}, %C: memref<?x?x?xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = memref.dim %C, %c0 : memref<?x?x?xf32>
  %m = memref.dim %X, %c1 : memref<?x?x?xf32>
  %n = memref.dim %X, %c2 : memref<?x?x?xf32>
  scf.forall (%b, %i, %j) = (0, 0, 0) to (%p, %m, %n) step (1, 32, 32) {
    %r = affine.min affine_map<(i)[s] -> (32, s - i)>(%i)[%m]
    %q = affine.min affine_map<(i)[s] -> (32, s - i)>(%j)[%n]
    %x = memref.subview %X[%b, %i, %j] [1, %r, %q] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %c = memref.subview %C[%b, %i, %j] [1, %r, %q] [1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.exp ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  }
  return
}

// -----

// Steps of a sum do not count as blocks.
func.func @steps(%X: memref<2048x2048xf32> {tt.name = "X"}, %C: memref<2048x2048xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c2048 = arith.constant 2048 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (2048, 2048) step (32, 32) {
    %c = memref.subview %C[%i, %j] [32, 32] [1, 1] : memref<2048x2048xf32> to memref<32x32xf32, strided<[2048, 1], offset: ?>>
    scf.for %k = %c0 to %c2048 step %c32 {
      %x = memref.subview %X[%i, %k] [32, 32] [1, 1] : memref<2048x2048xf32> to memref<32x32xf32, strided<[2048, 1], offset: ?>>
      memref.copy %x, %c : memref<32x32xf32, strided<[2048, 1], offset: ?>> to memref<32x32xf32, strided<[2048, 1], offset: ?>>
    }
  }
  return
}

//--- rest.mlir
// Of more blocks than are counted one by one, the last ones are left out.
// REST: tt.keeps = ["C"]
func.func @many_but_the_last(%C: memref<16384x8192xf32> {tt.name = "C"}) attributes {tt.kernel} {
  %one = arith.constant 1.0 : f32
  scf.forall (%i, %j) = (0, 0) to (16352, 8192) step (32, 32) {
    %c = memref.subview %C[%i, %j] [32, 32] [1, 1] : memref<16384x8192xf32> to memref<32x32xf32, strided<[8192, 1], offset: ?>>
    linalg.fill ins(%one : f32) outs(%c : memref<32x32xf32, strided<[8192, 1], offset: ?>>)
  }
  return
}
