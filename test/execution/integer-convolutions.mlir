// Convolutions of integers of 8 bits with sums of 32, in both orders, with strides and zero points, whole and in a grid; products less a
// zero point.
// REQUIRES: all
// RUN: split-file %s %t && cd %t
// RUN: tt-run whole.mlir --check | FileCheck %s
// RUN: tt-run whole.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run grid.mlir --check | FileCheck %s
// RUN: tt-run grid.mlir --check --arch=blackhole --metalium-api=2025 | FileCheck %s
// RUN: tt-run channels.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run zero-points.mlir --check | FileCheck %s
// RUN: tt-run product.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run once-more.mlir --check | FileCheck %s
// CHECK: Y: equal: ok

//--- whole.mlir
func.func @k(%X: memref<1x10x18x32xi8> {tt.name = "X"}, %W: memref<3x3x32x48xi8> {tt.name = "W"},
             %Y: memref<1x8x16x48xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32) outs(%Y : memref<1x8x16x48xi32>)
  linalg.conv_2d_nhwc_hwcf ins(%X, %W : memref<1x10x18x32xi8>, memref<3x3x32x48xi8>) outs(%Y : memref<1x8x16x48xi32>)
  return
}

//--- grid.mlir
func.func @k(%X: memref<1x17x17x40xi8> {tt.name = "X"}, %W: memref<3x3x40x32xi8> {tt.name = "W"},
             %Y: memref<1x8x8x32xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %z = arith.constant 0 : i32
  scf.forall (%h) in (8) {
    %r = affine.apply affine_map<(d0) -> (d0 * 2)>(%h)
    %x = memref.subview %X[0, %r, 0, 0] [1, 3, 17, 40] [1, 1, 1, 1] : memref<1x17x17x40xi8> to memref<1x3x17x40xi8, strided<[11560, 680, 40, 1], offset: ?>>
    %y = memref.subview %Y[0, %h, 0, 0] [1, 1, 8, 32] [1, 1, 1, 1] : memref<1x8x8x32xi32> to memref<1x1x8x32xi32, strided<[2048, 256, 32, 1], offset: ?>>
    linalg.fill ins(%z : i32) outs(%y : memref<1x1x8x32xi32, strided<[2048, 256, 32, 1], offset: ?>>)
    linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %W : memref<1x3x17x40xi8, strided<[11560, 680, 40, 1], offset: ?>>, memref<3x3x40x32xi8>)
      outs(%y : memref<1x1x8x32xi32, strided<[2048, 256, 32, 1], offset: ?>>)
  }
  return
}

//--- channels.mlir
func.func @k(%X: memref<2x32x4x10xi8> {tt.name = "X"}, %W: memref<32x32x3x3xi8> {tt.name = "W"},
             %Y: memref<2x32x2x8xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32) outs(%Y : memref<2x32x2x8xi32>)
  linalg.conv_2d_nchw_fchw ins(%X, %W : memref<2x32x4x10xi8>, memref<32x32x3x3xi8>) outs(%Y : memref<2x32x2x8xi32>)
  return
}

//--- zero-points.mlir
func.func @k(%X: memref<1x6x18x32xi8> {tt.name = "X"}, %W: memref<3x3x32x32xi8> {tt.name = "W"},
             %Y: memref<1x4x16x32xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  %zx = arith.constant 127 : i32
  %zw = arith.constant -2 : i32
  linalg.fill ins(%c0 : i32) outs(%Y : memref<1x4x16x32xi32>)
  linalg.conv_2d_nhwc_hwcf_q ins(%X, %W, %zx, %zw : memref<1x6x18x32xi8>, memref<3x3x32x32xi8>, i32, i32) outs(%Y : memref<1x4x16x32xi32>)
  return
}

//--- product.mlir
func.func @k(%X: memref<64x320xi8> {tt.name = "X"}, %W: memref<320x64xi8> {tt.name = "W"},
             %Y: memref<64x64xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : i32
  %zx = arith.constant -128 : i32
  %zw = arith.constant 127 : i32
  linalg.fill ins(%c0 : i32) outs(%Y : memref<64x64xi32>)
  linalg.quantized_matmul ins(%X, %W, %zx, %zw : memref<64x320xi8>, memref<320x64xi8>, i32, i32) outs(%Y : memref<64x64xi32>)
  return
}

//--- once-more.mlir
func.func @k(%X: memref<1x66x32xi8> {tt.name = "X"}, %W: memref<3x32x32xi8> {tt.name = "W"},
             %B: memref<1x64x32xi32> {tt.name = "B"}, %Y: memref<1x64x32xi32> {tt.name = "Y"}) attributes {tt.kernel} {
  linalg.copy ins(%B : memref<1x64x32xi32>) outs(%Y : memref<1x64x32xi32>)
  linalg.conv_1d_nwc_wcf ins(%X, %W : memref<1x66x32xi8>, memref<3x32x32xi8>) outs(%Y : memref<1x64x32xi32>)
  return
}
