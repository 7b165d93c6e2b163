// Convolutions of integers of 16 and 32 bits, and sums of products over batches of them: steps of
// the window add to one block of the core, also where they go on with what the output holds.
// REQUIRES: all
// RUN: split-file %s %t && cd %t
// RUN: tt-run grid.mlir --check 2>&1 | FileCheck %s --check-prefixes=WARNS,CHECK
// RUN: tt-run grid.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run onto.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run onto.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run halves.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run halves.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run channels.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run channels.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run depthwise.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run depthwise.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run batches.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run batches.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// RUN: tt-run bytes.mlir --check 2>&1 | FileCheck %s
// RUN: tt-run bytes.mlir --check --arch=blackhole 2>&1 | FileCheck %s
// WARNS: warning: multiplies matrices of integers of more than 8 bits, which the vector unit does
// CHECK: Y: equal: ok

//--- grid.mlir
func.func @conv(%X: memref<1x6x34x32xi32> {tt.name = "X"},
    %W: memref<3x3x32x32xi32> {tt.name = "W"},
    %Y: memref<1x4x32x32xi32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  scf.forall (%h) in (4) {
    %x = memref.subview %X[0, %h, 0, 0] [1, 3, 34, 32] [1, 1, 1, 1] : memref<1x6x34x32xi32> to memref<1x3x34x32xi32, strided<[6528, 1088, 32, 1], offset: ?>>
    %y = memref.subview %Y[0, %h, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<1x4x32x32xi32> to memref<1x1x32x32xi32, strided<[4096, 1024, 32, 1], offset: ?>>
    linalg.fill ins(%c0 : i32)
      outs(%y : memref<1x1x32x32xi32, strided<[4096, 1024, 32, 1], offset: ?>>)
    linalg.conv_2d_nhwc_hwcf ins(%x, %W : memref<1x3x34x32xi32, strided<[6528, 1088, 32, 1], offset: ?>>, memref<3x3x32x32xi32>)
      outs(%y : memref<1x1x32x32xi32, strided<[4096, 1024, 32, 1], offset: ?>>)
  }
  return
}

//--- onto.mlir
func.func @conv(%X: memref<1x6x34x32xi32> {tt.name = "X"},
    %W: memref<3x3x32x32xi32> {tt.name = "W"},
    %Y: memref<1x4x32x32xi32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  scf.forall (%h) in (4) {
    %x = memref.subview %X[0, %h, 0, 0] [1, 3, 34, 32] [1, 1, 1, 1] : memref<1x6x34x32xi32> to memref<1x3x34x32xi32, strided<[6528, 1088, 32, 1], offset: ?>>
    %y = memref.subview %Y[0, %h, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<1x4x32x32xi32> to memref<1x1x32x32xi32, strided<[4096, 1024, 32, 1], offset: ?>>
    linalg.conv_2d_nhwc_hwcf ins(%x, %W : memref<1x3x34x32xi32, strided<[6528, 1088, 32, 1], offset: ?>>, memref<3x3x32x32xi32>)
      outs(%y : memref<1x1x32x32xi32, strided<[4096, 1024, 32, 1], offset: ?>>)
  }
  return
}

//--- halves.mlir
func.func @conv(%X: memref<2x66x40xi16> {tt.name = "X"},
    %W: memref<3x40x32xi16> {tt.name = "W"},
    %Y: memref<2x64x32xi32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32)
      outs(%Y : memref<2x64x32xi32>)
  linalg.conv_1d_nwc_wcf ins(%X, %W : memref<2x66x40xi16>, memref<3x40x32xi16>)
      outs(%Y : memref<2x64x32xi32>)
  return
}

//--- channels.mlir
func.func @conv(%X: memref<1x32x6x10xi32> {tt.name = "X"},
    %W: memref<32x32x3x3xi32> {tt.name = "W"},
    %Y: memref<1x32x4x8xi32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32)
      outs(%Y : memref<1x32x4x8xi32>)
  linalg.conv_2d_nchw_fchw ins(%X, %W : memref<1x32x6x10xi32>, memref<32x32x3x3xi32>)
      outs(%Y : memref<1x32x4x8xi32>)
  return
}

//--- depthwise.mlir
func.func @conv(%X: memref<1x6x34x32xi32> {tt.name = "X"},
    %W: memref<3x3x32xi32> {tt.name = "W"},
    %Y: memref<1x4x32x32xi32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32)
      outs(%Y : memref<1x4x32x32xi32>)
  linalg.depthwise_conv_2d_nhwc_hwc ins(%X, %W : memref<1x6x34x32xi32>, memref<3x3x32xi32>)
      outs(%Y : memref<1x4x32x32xi32>)
  return
}

//--- batches.mlir
func.func @bmm(%X: memref<2x32x40xi32> {tt.name = "X"},
    %W: memref<2x40x32xi32> {tt.name = "W"},
    %Y: memref<32x32xi32> {tt.name = "Y"})
    attributes {tt.kernel} {
  linalg.batch_reduce_matmul ins(%X, %W : memref<2x32x40xi32>, memref<2x40x32xi32>)
      outs(%Y : memref<32x32xi32>)
  return
}

//--- bytes.mlir
func.func @conv(%X: memref<1x6x34x32xi8> {tt.name = "X"},
    %W: memref<3x3x32x32xi8> {tt.name = "W"},
    %Y: memref<1x4x32x32xi32> {tt.name = "Y"})
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  scf.forall (%h) in (4) {
    %x = memref.subview %X[0, %h, 0, 0] [1, 3, 34, 32] [1, 1, 1, 1] : memref<1x6x34x32xi8> to memref<1x3x34x32xi8, strided<[6528, 1088, 32, 1], offset: ?>>
    %y = memref.subview %Y[0, %h, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<1x4x32x32xi32> to memref<1x1x32x32xi32, strided<[4096, 1024, 32, 1], offset: ?>>
    linalg.conv_2d_nhwc_hwcf ins(%x, %W : memref<1x3x34x32xi8, strided<[6528, 1088, 32, 1], offset: ?>>, memref<3x3x32x32xi8>) outs(%y : memref<1x1x32x32xi32, strided<[4096, 1024, 32, 1], offset: ?>>)
  }
  return
}
