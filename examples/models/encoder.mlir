// Layers of an encoder: attention and MLP, each with a layer norm after it. The last rows of a batch fill no tile.
// Written by examples/models/make.py.
func.func @encoder(%x: tensor<2x50x128xf32> {tt.name = "x"}, %w_q0: tensor<128x128xbf16> {tt.name = "w_q0"}, %b_q0: tensor<1x1x128xf32> {tt.name = "b_q0"}, %w_k0: tensor<128x128xbf16> {tt.name = "w_k0"}, %b_k0: tensor<1x1x128xf32> {tt.name = "b_k0"}, %w_v0: tensor<128x128xbf16> {tt.name = "w_v0"}, %b_v0: tensor<1x1x128xf32> {tt.name = "b_v0"}, %w_o0: tensor<128x128xbf16> {tt.name = "w_o0"}, %b_o0: tensor<1x1x128xf32> {tt.name = "b_o0"}, %g_a0: tensor<1x1x128xf32> {tt.name = "g_a0"}, %n_a0: tensor<1x1x128xf32> {tt.name = "n_a0"}, %w_up0: tensor<256x128xbf16> {tt.name = "w_up0"}, %b_up0: tensor<1x1x256xf32> {tt.name = "b_up0"}, %w_down0: tensor<128x256xbf16> {tt.name = "w_down0"}, %b_down0: tensor<1x1x128xf32> {tt.name = "b_down0"}, %g_m0: tensor<1x1x128xf32> {tt.name = "g_m0"}, %n_m0: tensor<1x1x128xf32> {tt.name = "n_m0"}, %w_q1: tensor<128x128xbf16> {tt.name = "w_q1"}, %b_q1: tensor<1x1x128xf32> {tt.name = "b_q1"}, %w_k1: tensor<128x128xbf16> {tt.name = "w_k1"}, %b_k1: tensor<1x1x128xf32> {tt.name = "b_k1"}, %w_v1: tensor<128x128xbf16> {tt.name = "w_v1"}, %b_v1: tensor<1x1x128xf32> {tt.name = "b_v1"}, %w_o1: tensor<128x128xbf16> {tt.name = "w_o1"}, %b_o1: tensor<1x1x128xf32> {tt.name = "b_o1"}, %g_a1: tensor<1x1x128xf32> {tt.name = "g_a1"}, %n_a1: tensor<1x1x128xf32> {tt.name = "n_a1"}, %w_up1: tensor<256x128xbf16> {tt.name = "w_up1"}, %b_up1: tensor<1x1x256xf32> {tt.name = "b_up1"}, %w_down1: tensor<128x256xbf16> {tt.name = "w_down1"}, %b_down1: tensor<1x1x128xf32> {tt.name = "b_down1"}, %g_m1: tensor<1x1x128xf32> {tt.name = "g_m1"}, %n_m1: tensor<1x1x128xf32> {tt.name = "n_m1"}) -> (tensor<2x50x128xf32>) attributes {tt.model} {
  %1 = tosa.cast %x : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %2 = tosa.const_shape {values = dense<[1, 100, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %3 = tosa.reshape %1, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %4 = tosa.transpose %w_q0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %5 = tosa.const_shape {values = dense<[1, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %6 = tosa.reshape %4, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %7 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %8 = tosa.matmul %3, %6, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %9 = tosa.add %8, %b_q0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %10 = tosa.const_shape {values = dense<[2, 50, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %11 = tosa.reshape %9, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %12 = tosa.cast %11 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %13 = tosa.const_shape {values = dense<[2, 50, 2, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %14 = tosa.reshape %12, %13 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %15 = tosa.transpose %14 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %16 = tosa.reshape %1, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %17 = tosa.transpose %w_k0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %18 = tosa.reshape %17, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %19 = tosa.matmul %16, %18, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %20 = tosa.add %19, %b_k0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %21 = tosa.reshape %20, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %22 = tosa.cast %21 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %23 = tosa.reshape %22, %13 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %24 = tosa.transpose %23 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %25 = tosa.reshape %1, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %26 = tosa.transpose %w_v0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %27 = tosa.reshape %26, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %28 = tosa.matmul %25, %27, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %29 = tosa.add %28, %b_v0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %30 = tosa.reshape %29, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %31 = tosa.cast %30 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %32 = tosa.reshape %31, %13 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %33 = tosa.transpose %32 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %34 = tosa.const_shape {values = dense<[4, 50, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %35 = tosa.reshape %15, %34 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %36 = tosa.reshape %24, %34 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %37 = tosa.reshape %33, %34 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %38 = tosa.transpose %36 {perms = array<i32: 0, 2, 1>} : (tensor<4x50x64xbf16>) -> tensor<4x64x50xbf16>
  %39 = tosa.matmul %35, %38, %7, %7 : (tensor<4x50x64xbf16>, tensor<4x64x50xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x50xf32>
  %40 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %41 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %42 = tosa.mul %39, %40, %41 : (tensor<4x50x50xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %43 = tosa.reduce_max %42 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %44 = tosa.sub %42, %43 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>) -> tensor<4x50x50xf32>
  %45 = tosa.exp %44 : (tensor<4x50x50xf32>) -> tensor<4x50x50xf32>
  %46 = tosa.reduce_sum %45 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %47 = tosa.reciprocal %46 : (tensor<4x50x1xf32>) -> tensor<4x50x1xf32>
  %48 = tosa.mul %45, %47, %41 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %49 = tosa.cast %48 : (tensor<4x50x50xf32>) -> tensor<4x50x50xbf16>
  %50 = tosa.matmul %49, %37, %7, %7 : (tensor<4x50x50xbf16>, tensor<4x50x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x64xf32>
  %51 = tosa.cast %50 : (tensor<4x50x64xf32>) -> tensor<4x50x64xbf16>
  %52 = tosa.const_shape {values = dense<[2, 2, 50, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %53 = tosa.reshape %51, %52 : (tensor<4x50x64xbf16>, !tosa.shape<4>) -> tensor<2x2x50x64xbf16>
  %54 = tosa.transpose %53 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x50x64xbf16>) -> tensor<2x50x2x64xbf16>
  %55 = tosa.reshape %54, %10 : (tensor<2x50x2x64xbf16>, !tosa.shape<3>) -> tensor<2x50x128xbf16>
  %56 = tosa.reshape %55, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %57 = tosa.transpose %w_o0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %58 = tosa.reshape %57, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %59 = tosa.matmul %56, %58, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %60 = tosa.add %59, %b_o0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %61 = tosa.reshape %60, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %62 = tosa.add %61, %x : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %63 = tosa.reduce_sum %62 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %64 = "tosa.const"() <{values = dense<7.812500e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %65 = tosa.mul %63, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %66 = tosa.sub %62, %65 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %67 = tosa.mul %66, %66, %41 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %68 = tosa.reduce_sum %67 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %69 = tosa.mul %68, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %70 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %71 = tosa.add %69, %70 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %72 = tosa.rsqrt %71 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %73 = tosa.mul %66, %72, %41 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %74 = tosa.mul %73, %g_a0, %41 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %75 = tosa.add %74, %n_a0 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  %76 = tosa.cast %75 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %77 = tosa.reshape %76, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %78 = tosa.transpose %w_up0 {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %79 = tosa.const_shape {values = dense<[1, 128, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %80 = tosa.reshape %78, %79 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %81 = tosa.matmul %77, %80, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x256xf32>
  %82 = tosa.add %81, %b_up0 : (tensor<1x100x256xf32>, tensor<1x1x256xf32>) -> tensor<1x100x256xf32>
  %83 = tosa.const_shape {values = dense<[2, 50, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %84 = tosa.reshape %82, %83 : (tensor<1x100x256xf32>, !tosa.shape<3>) -> tensor<2x50x256xf32>
  %85 = "tosa.const"() <{values = dense<7.071068e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %86 = tosa.mul %84, %85, %41 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %87 = tosa.erf %86 : (tensor<2x50x256xf32>) -> tensor<2x50x256xf32>
  %88 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %89 = tosa.add %87, %88 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>) -> tensor<2x50x256xf32>
  %90 = tosa.mul %84, %89, %41 : (tensor<2x50x256xf32>, tensor<2x50x256xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %91 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %92 = tosa.mul %90, %91, %41 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %93 = tosa.cast %92 : (tensor<2x50x256xf32>) -> tensor<2x50x256xbf16>
  %94 = tosa.const_shape {values = dense<[1, 100, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %95 = tosa.reshape %93, %94 : (tensor<2x50x256xbf16>, !tosa.shape<3>) -> tensor<1x100x256xbf16>
  %96 = tosa.transpose %w_down0 {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %97 = tosa.const_shape {values = dense<[1, 256, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %98 = tosa.reshape %96, %97 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %99 = tosa.matmul %95, %98, %7, %7 : (tensor<1x100x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %100 = tosa.add %99, %b_down0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %101 = tosa.reshape %100, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %102 = tosa.add %101, %75 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %103 = tosa.reduce_sum %102 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %104 = tosa.mul %103, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %105 = tosa.sub %102, %104 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %106 = tosa.mul %105, %105, %41 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %107 = tosa.reduce_sum %106 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %108 = tosa.mul %107, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %109 = tosa.add %108, %70 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %110 = tosa.rsqrt %109 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %111 = tosa.mul %105, %110, %41 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %112 = tosa.mul %111, %g_m0, %41 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %113 = tosa.add %112, %n_m0 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  %114 = tosa.cast %113 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %115 = tosa.reshape %114, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %116 = tosa.transpose %w_q1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %117 = tosa.reshape %116, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %118 = tosa.matmul %115, %117, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %119 = tosa.add %118, %b_q1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %120 = tosa.reshape %119, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %121 = tosa.cast %120 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %122 = tosa.reshape %121, %13 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %123 = tosa.transpose %122 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %124 = tosa.reshape %114, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %125 = tosa.transpose %w_k1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %126 = tosa.reshape %125, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %127 = tosa.matmul %124, %126, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %128 = tosa.add %127, %b_k1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %129 = tosa.reshape %128, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %130 = tosa.cast %129 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %131 = tosa.reshape %130, %13 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %132 = tosa.transpose %131 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %133 = tosa.reshape %114, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %134 = tosa.transpose %w_v1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %135 = tosa.reshape %134, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %136 = tosa.matmul %133, %135, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %137 = tosa.add %136, %b_v1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %138 = tosa.reshape %137, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %139 = tosa.cast %138 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %140 = tosa.reshape %139, %13 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %141 = tosa.transpose %140 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %142 = tosa.reshape %123, %34 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %143 = tosa.reshape %132, %34 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %144 = tosa.reshape %141, %34 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %145 = tosa.transpose %143 {perms = array<i32: 0, 2, 1>} : (tensor<4x50x64xbf16>) -> tensor<4x64x50xbf16>
  %146 = tosa.matmul %142, %145, %7, %7 : (tensor<4x50x64xbf16>, tensor<4x64x50xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x50xf32>
  %147 = tosa.mul %146, %40, %41 : (tensor<4x50x50xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %148 = tosa.reduce_max %147 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %149 = tosa.sub %147, %148 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>) -> tensor<4x50x50xf32>
  %150 = tosa.exp %149 : (tensor<4x50x50xf32>) -> tensor<4x50x50xf32>
  %151 = tosa.reduce_sum %150 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %152 = tosa.reciprocal %151 : (tensor<4x50x1xf32>) -> tensor<4x50x1xf32>
  %153 = tosa.mul %150, %152, %41 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %154 = tosa.cast %153 : (tensor<4x50x50xf32>) -> tensor<4x50x50xbf16>
  %155 = tosa.matmul %154, %144, %7, %7 : (tensor<4x50x50xbf16>, tensor<4x50x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x64xf32>
  %156 = tosa.cast %155 : (tensor<4x50x64xf32>) -> tensor<4x50x64xbf16>
  %157 = tosa.reshape %156, %52 : (tensor<4x50x64xbf16>, !tosa.shape<4>) -> tensor<2x2x50x64xbf16>
  %158 = tosa.transpose %157 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x50x64xbf16>) -> tensor<2x50x2x64xbf16>
  %159 = tosa.reshape %158, %10 : (tensor<2x50x2x64xbf16>, !tosa.shape<3>) -> tensor<2x50x128xbf16>
  %160 = tosa.reshape %159, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %161 = tosa.transpose %w_o1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %162 = tosa.reshape %161, %5 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %163 = tosa.matmul %160, %162, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %164 = tosa.add %163, %b_o1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %165 = tosa.reshape %164, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %166 = tosa.add %165, %113 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %167 = tosa.reduce_sum %166 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %168 = tosa.mul %167, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %169 = tosa.sub %166, %168 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %170 = tosa.mul %169, %169, %41 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %171 = tosa.reduce_sum %170 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %172 = tosa.mul %171, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %173 = tosa.add %172, %70 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %174 = tosa.rsqrt %173 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %175 = tosa.mul %169, %174, %41 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %176 = tosa.mul %175, %g_a1, %41 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %177 = tosa.add %176, %n_a1 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  %178 = tosa.cast %177 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %179 = tosa.reshape %178, %2 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %180 = tosa.transpose %w_up1 {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %181 = tosa.reshape %180, %79 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %182 = tosa.matmul %179, %181, %7, %7 : (tensor<1x100x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x256xf32>
  %183 = tosa.add %182, %b_up1 : (tensor<1x100x256xf32>, tensor<1x1x256xf32>) -> tensor<1x100x256xf32>
  %184 = tosa.reshape %183, %83 : (tensor<1x100x256xf32>, !tosa.shape<3>) -> tensor<2x50x256xf32>
  %185 = tosa.mul %184, %85, %41 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %186 = tosa.erf %185 : (tensor<2x50x256xf32>) -> tensor<2x50x256xf32>
  %187 = tosa.add %186, %88 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>) -> tensor<2x50x256xf32>
  %188 = tosa.mul %184, %187, %41 : (tensor<2x50x256xf32>, tensor<2x50x256xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %189 = tosa.mul %188, %91, %41 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %190 = tosa.cast %189 : (tensor<2x50x256xf32>) -> tensor<2x50x256xbf16>
  %191 = tosa.reshape %190, %94 : (tensor<2x50x256xbf16>, !tosa.shape<3>) -> tensor<1x100x256xbf16>
  %192 = tosa.transpose %w_down1 {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %193 = tosa.reshape %192, %97 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %194 = tosa.matmul %191, %193, %7, %7 : (tensor<1x100x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %195 = tosa.add %194, %b_down1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %196 = tosa.reshape %195, %10 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %197 = tosa.add %196, %177 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %198 = tosa.reduce_sum %197 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %199 = tosa.mul %198, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %200 = tosa.sub %197, %199 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %201 = tosa.mul %200, %200, %41 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %202 = tosa.reduce_sum %201 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %203 = tosa.mul %202, %64, %41 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %204 = tosa.add %203, %70 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %205 = tosa.rsqrt %204 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %206 = tosa.mul %200, %205, %41 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %207 = tosa.mul %206, %g_m1, %41 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %208 = tosa.add %207, %n_m1 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  return %208 : tensor<2x50x128xf32>
}
