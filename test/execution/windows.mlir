// Convolutions and poolings as they come, in both layouts, with strides and dilations; dimensions of one
// element anywhere.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/nchw.mlir --check | FileCheck %s
// RUN: %if all %{ tt-run %t/units.mlir --check --arch=blackhole --metalium-api=2025 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/nhwc.mlir --check --metalium-api=2026-03 | FileCheck %s %}
// RUN: %if all %{ tt-run %t/pool.mlir --check --arch=blackhole --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/strided.mlir --check --arch=blackhole --metalium-api=2025 | \
// RUN:   FileCheck %s %}
// RUN: %if all %{ tt-run %t/strided.mlir --check --metalium-api=2026-03 --optimize=none | FileCheck %s %}
// RUN: %if all %{ tt-run %t/patches.mlir --check | FileCheck %s %}
// CHECK: Y: {{.*}}: ok

//--- nchw.mlir
func.func @nchw(%X: memref<1x3x9x9xf32> {tt.name = "X"}, %W: memref<8x3x3x3xf32> {tt.name = "W"}, %Y: memref<1x8x4x4xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<1x8x4x4xf32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%X, %W : memref<1x3x9x9xf32>, memref<8x3x3x3xf32>) outs(%Y : memref<1x8x4x4xf32>)
  return
}

//--- nhwc.mlir
func.func @nhwc(%X: memref<1x10x10x16xf32> {tt.name = "X"}, %W: memref<3x3x16x8xf32> {tt.name = "W"}, %Y: memref<1x6x6x8xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<1x6x6x8xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%X, %W : memref<1x10x10x16xf32>, memref<3x3x16x8xf32>) outs(%Y : memref<1x6x6x8xf32>)
  return
}

//--- pool.mlir
func.func @pool(%X: memref<1x9x9x32xf32> {tt.name = "X"}, %W: memref<3x3xf32> {tt.name = "W"}, %Y: memref<1x4x4x32xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  linalg.fill ins(%low : f32) outs(%Y : memref<1x4x4x32xf32>)
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%X, %W : memref<1x9x9x32xf32>, memref<3x3xf32>) outs(%Y : memref<1x4x4x32xf32>)
  return
}

//--- units.mlir
#id4 = affine_map<(a, i, b, j) -> (a, i, b, j)>
#rows = affine_map<(a, i, b, j) -> (a, i, b)>
func.func @units(%Q: memref<2x64x4x64xbf16> {tt.name = "Q"}, %Y: memref<2x64x4x64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %low = arith.constant 0xFF800000 : f32
  scf.forall (%b, %h) in (2, 4) {
    %q = memref.subview %Q[%b, 0, %h, 0] [1, 64, 1, 64] [1, 1, 1, 1] : memref<2x64x4x64xbf16> to memref<1x64x1x64xbf16, strided<[16384, 256, 64, 1], offset: ?>>
    %o = memref.subview %Y[%b, 0, %h, 0] [1, 64, 1, 64] [1, 1, 1, 1] : memref<2x64x4x64xbf16> to memref<1x64x1x64xbf16, strided<[16384, 256, 64, 1], offset: ?>>
    %s = memref.alloc() : memref<1x64x1x64xbf16, #gpu.address_space<workgroup>>
    %m = memref.alloc() : memref<1x64x1xf32, #gpu.address_space<private>>
    memref.copy %q, %s : memref<1x64x1x64xbf16, strided<[16384, 256, 64, 1], offset: ?>> to memref<1x64x1x64xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%low : f32) outs(%m : memref<1x64x1xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#id4, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : memref<1x64x1x64xbf16, #gpu.address_space<workgroup>>) outs(%m : memref<1x64x1xf32, #gpu.address_space<private>>) {
    ^bb0(%x: bf16, %y: f32):
      %w = arith.extf %x : bf16 to f32
      %z = arith.maximumf %w, %y : f32
      linalg.yield %z : f32
    }
    linalg.generic {indexing_maps = [#id4, #rows, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %m : memref<1x64x1x64xbf16, #gpu.address_space<workgroup>>, memref<1x64x1xf32, #gpu.address_space<private>>) outs(%o : memref<1x64x1x64xbf16, strided<[16384, 256, 64, 1], offset: ?>>) {
    ^bb0(%x: bf16, %y: f32, %old: bf16):
      %w = arith.extf %x : bf16 to f32
      %z = arith.subf %w, %y : f32
      %t = arith.truncf %z : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}

// Elements that are several apart: in rows, in columns, in a dimension outside of both.
//--- strided.mlir
!y = memref<40x20xf32, strided<[20, 1], offset: ?>>
func.func @strided(%X: memref<3x130x70xf32> {tt.name = "X"}, %Z: memref<9x40x20xf32> {tt.name = "Z"}, %Y: memref<4x40x20xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b, %i) in (2, 2) {
    %p = arith.muli %b, %c2 : index
    %n = arith.addi %p, %i : index
    %x = memref.subview %X[%b, %p, %i] [1, 40, 20] [1, 3, 3] : memref<3x130x70xf32> to memref<40x20xf32, strided<[210, 3], offset: ?>>
    %z = memref.subview %Z[%n, 0, 0] [2, 40, 20] [3, 1, 1] : memref<9x40x20xf32> to memref<2x40x20xf32, strided<[2400, 20, 1], offset: ?>>
    %y = memref.subview %Y[%n, 0, 0] [1, 40, 20] [1, 1, 1] : memref<4x40x20xf32> to !y
    linalg.fill ins(%zero : f32) outs(%y : !y)
    linalg.generic {indexing_maps = [affine_map<(k, i, j) -> (i, j)>, affine_map<(k, i, j) -> (k, i, j)>, affine_map<(k, i, j) -> (i, j)>], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x, %z : memref<40x20xf32, strided<[210, 3], offset: ?>>, memref<2x40x20xf32, strided<[2400, 20, 1], offset: ?>>) outs(%y : !y) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %s = arith.mulf %a, %c : f32
      %t = arith.addf %s, %o : f32
      linalg.yield %t : f32
    }
  }
  return
}

// Patches of an image as a vision transformer embeds them: windows side by side.
//--- patches.mlir
func.func @patches(%X: memref<1x3x16x16xbf16> {tt.name = "X"}, %W: memref<32x3x4x4xbf16> {tt.name = "W"}, %Y: memref<1x32x4x4xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<1x32x4x4xf32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<4> : tensor<2xi64>}
    ins(%X, %W : memref<1x3x16x16xbf16>, memref<32x3x4x4xbf16>) outs(%Y : memref<1x32x4x4xf32>)
  return
}
