// REQUIRES: all
// RUN: split-file %s %t
// RUN: tt-run %t/repeated.mlir --check | FileCheck %s
// RUN: tt-run %t/repeated.mlir --check --arch=blackhole | FileCheck %s
// RUN: tt-run %t/blended.mlir --check | FileCheck %s
// RUN: tt-run %t/blended.mlir --check --arch=blackhole | FileCheck %s

// Images whose pixels are repeated, by resizing and by broadcasts between reshapes.
// CHECK: result0: max abs error {{.*}}: ok
// CHECK: result1: max abs error {{.*}}: ok
//--- repeated.mlir
func.func @repeated(%x: tensor<2x3x5x40xf32>, %y: tensor<1x8x16x64xbf16>, %z: tensor<1x16x32x64xbf16>)
    -> (tensor<2x9x10x40xf32>, tensor<1x16x32x64xbf16>) attributes {tt.model} {
  %s = tosa.const_shape {values = dense<[6, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %m = tosa.const_shape {values = dense<[-2, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %o = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.resize %x, %s, %m, %o {mode = NEAREST_NEIGHBOR} : (tensor<2x3x5x40xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x9x10x40xf32>
  %2 = tosa.sigmoid %1 : (tensor<2x9x10x40xf32>) -> tensor<2x9x10x40xf32>
  %apart = tosa.const_shape {values = dense<[8, 1, 16, 1, 64]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %times = tosa.const_shape {values = dense<[1, 2, 1, 2, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %again = tosa.const_shape {values = dense<[1, 16, 32, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %3 = tosa.reshape %y, %apart : (tensor<1x8x16x64xbf16>, !tosa.shape<5>) -> tensor<8x1x16x1x64xbf16>
  %4 = tosa.tile %3, %times : (tensor<8x1x16x1x64xbf16>, !tosa.shape<5>) -> tensor<8x2x16x2x64xbf16>
  %5 = tosa.reshape %4, %again : (tensor<8x2x16x2x64xbf16>, !tosa.shape<4>) -> tensor<1x16x32x64xbf16>
  %6 = tosa.add %5, %z : (tensor<1x16x32x64xbf16>, tensor<1x16x32x64xbf16>) -> tensor<1x16x32x64xbf16>
  return %2, %6 : tensor<2x9x10x40xf32>, tensor<1x16x32x64xbf16>
}

// Between pixels: to twice as many, and to 5/3 with corners on corners.
//--- blended.mlir
func.func @blended(%x: tensor<2x5x6x32xf32>, %y: tensor<1x4x4x40xbf16>)
    -> (tensor<2x10x12x32xf32>, tensor<1x6x6x40xbf16>) attributes {tt.model} {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %m = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %o = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.resize %x, %s, %m, %o {mode = BILINEAR} : (tensor<2x5x6x32xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x10x12x32xf32>
  %t = tosa.const_shape {values = dense<[5, 3, 5, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %z = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.resize %y, %t, %z, %z {mode = BILINEAR} : (tensor<1x4x4x40xbf16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x6x40xbf16>
  return %1, %2 : tensor<2x10x12x32xf32>, tensor<1x6x6x40xbf16>
}
