// Tokens become rows of a table, plus what says where they stand; then layers of an encoder: attention and MLP, each with a layer norm after it. The last rows of a batch fill no tile.
// Written by examples/models/make.py.
func.func @encoder(%ids: tensor<2x50xi32> {tt.name = "ids", tt.range = [0, 999]}, %w_words: tensor<1x1000x128xf32> {tt.name = "w_words"}, %w_places: tensor<1x50x128xf32> {tt.name = "w_places"}, %g_e: tensor<1x1x128xf32> {tt.name = "g_e"}, %n_e: tensor<1x1x128xf32> {tt.name = "n_e"}, %w_q0: tensor<128x128xbf16> {tt.name = "w_q0"}, %b_q0: tensor<1x1x128xf32> {tt.name = "b_q0"}, %w_k0: tensor<128x128xbf16> {tt.name = "w_k0"}, %b_k0: tensor<1x1x128xf32> {tt.name = "b_k0"}, %w_v0: tensor<128x128xbf16> {tt.name = "w_v0"}, %b_v0: tensor<1x1x128xf32> {tt.name = "b_v0"}, %w_o0: tensor<128x128xbf16> {tt.name = "w_o0"}, %b_o0: tensor<1x1x128xf32> {tt.name = "b_o0"}, %g_a0: tensor<1x1x128xf32> {tt.name = "g_a0"}, %n_a0: tensor<1x1x128xf32> {tt.name = "n_a0"}, %w_up0: tensor<256x128xbf16> {tt.name = "w_up0"}, %b_up0: tensor<1x1x256xf32> {tt.name = "b_up0"}, %w_down0: tensor<128x256xbf16> {tt.name = "w_down0"}, %b_down0: tensor<1x1x128xf32> {tt.name = "b_down0"}, %g_m0: tensor<1x1x128xf32> {tt.name = "g_m0"}, %n_m0: tensor<1x1x128xf32> {tt.name = "n_m0"}, %w_q1: tensor<128x128xbf16> {tt.name = "w_q1"}, %b_q1: tensor<1x1x128xf32> {tt.name = "b_q1"}, %w_k1: tensor<128x128xbf16> {tt.name = "w_k1"}, %b_k1: tensor<1x1x128xf32> {tt.name = "b_k1"}, %w_v1: tensor<128x128xbf16> {tt.name = "w_v1"}, %b_v1: tensor<1x1x128xf32> {tt.name = "b_v1"}, %w_o1: tensor<128x128xbf16> {tt.name = "w_o1"}, %b_o1: tensor<1x1x128xf32> {tt.name = "b_o1"}, %g_a1: tensor<1x1x128xf32> {tt.name = "g_a1"}, %n_a1: tensor<1x1x128xf32> {tt.name = "n_a1"}, %w_up1: tensor<256x128xbf16> {tt.name = "w_up1"}, %b_up1: tensor<1x1x256xf32> {tt.name = "b_up1"}, %w_down1: tensor<128x256xbf16> {tt.name = "w_down1"}, %b_down1: tensor<1x1x128xf32> {tt.name = "b_down1"}, %g_m1: tensor<1x1x128xf32> {tt.name = "g_m1"}, %n_m1: tensor<1x1x128xf32> {tt.name = "n_m1"}) -> (tensor<2x50x128xf32>) attributes {tt.model} {
  %1 = tosa.const_shape {values = dense<[1, 100]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.reshape %ids, %1 : (tensor<2x50xi32>, !tosa.shape<2>) -> tensor<1x100xi32>
  %3 = tosa.gather %w_words, %2 : (tensor<1x1000x128xf32>, tensor<1x100xi32>) -> tensor<1x100x128xf32>
  %4 = tosa.const_shape {values = dense<[2, 50, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %5 = tosa.reshape %3, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %6 = tosa.add %5, %w_places : (tensor<2x50x128xf32>, tensor<1x50x128xf32>) -> tensor<2x50x128xf32>
  %7 = tosa.reduce_sum %6 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %8 = "tosa.const"() <{values = dense<7.812500e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %10 = tosa.mul %7, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %11 = tosa.sub %6, %10 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %12 = tosa.mul %11, %11, %9 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %13 = tosa.reduce_sum %12 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %14 = tosa.mul %13, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %15 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %16 = tosa.add %14, %15 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %17 = tosa.rsqrt %16 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %18 = tosa.mul %11, %17, %9 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %19 = tosa.mul %18, %g_e, %9 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %20 = tosa.add %19, %n_e : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  %21 = tosa.cast %20 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %22 = tosa.const_shape {values = dense<[1, 100, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %23 = tosa.reshape %21, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %24 = tosa.transpose %w_q0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %25 = tosa.const_shape {values = dense<[1, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %26 = tosa.reshape %24, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %27 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %28 = tosa.matmul %23, %26, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %29 = tosa.add %28, %b_q0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %30 = tosa.reshape %29, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %31 = tosa.cast %30 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %32 = tosa.const_shape {values = dense<[2, 50, 2, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %33 = tosa.reshape %31, %32 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %34 = tosa.transpose %33 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %35 = tosa.reshape %21, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %36 = tosa.transpose %w_k0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %37 = tosa.reshape %36, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %38 = tosa.matmul %35, %37, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %39 = tosa.add %38, %b_k0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %40 = tosa.reshape %39, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %41 = tosa.cast %40 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %42 = tosa.reshape %41, %32 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %43 = tosa.transpose %42 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %44 = tosa.reshape %21, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %45 = tosa.transpose %w_v0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %46 = tosa.reshape %45, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %47 = tosa.matmul %44, %46, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %48 = tosa.add %47, %b_v0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %49 = tosa.reshape %48, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %50 = tosa.cast %49 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %51 = tosa.reshape %50, %32 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %52 = tosa.transpose %51 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %53 = tosa.const_shape {values = dense<[4, 50, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %54 = tosa.reshape %34, %53 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %55 = tosa.reshape %43, %53 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %56 = tosa.reshape %52, %53 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %57 = tosa.transpose %55 {perms = array<i32: 0, 2, 1>} : (tensor<4x50x64xbf16>) -> tensor<4x64x50xbf16>
  %58 = tosa.matmul %54, %57, %27, %27 : (tensor<4x50x64xbf16>, tensor<4x64x50xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x50xf32>
  %59 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %60 = tosa.mul %58, %59, %9 : (tensor<4x50x50xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %61 = tosa.reduce_max %60 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %62 = tosa.sub %60, %61 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>) -> tensor<4x50x50xf32>
  %63 = tosa.exp %62 : (tensor<4x50x50xf32>) -> tensor<4x50x50xf32>
  %64 = tosa.reduce_sum %63 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %65 = tosa.reciprocal %64 : (tensor<4x50x1xf32>) -> tensor<4x50x1xf32>
  %66 = tosa.mul %63, %65, %9 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %67 = tosa.cast %66 : (tensor<4x50x50xf32>) -> tensor<4x50x50xbf16>
  %68 = tosa.matmul %67, %56, %27, %27 : (tensor<4x50x50xbf16>, tensor<4x50x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x64xf32>
  %69 = tosa.cast %68 : (tensor<4x50x64xf32>) -> tensor<4x50x64xbf16>
  %70 = tosa.const_shape {values = dense<[2, 2, 50, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %71 = tosa.reshape %69, %70 : (tensor<4x50x64xbf16>, !tosa.shape<4>) -> tensor<2x2x50x64xbf16>
  %72 = tosa.transpose %71 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x50x64xbf16>) -> tensor<2x50x2x64xbf16>
  %73 = tosa.reshape %72, %4 : (tensor<2x50x2x64xbf16>, !tosa.shape<3>) -> tensor<2x50x128xbf16>
  %74 = tosa.reshape %73, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %75 = tosa.transpose %w_o0 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %76 = tosa.reshape %75, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %77 = tosa.matmul %74, %76, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %78 = tosa.add %77, %b_o0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %79 = tosa.reshape %78, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %80 = tosa.add %79, %20 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %81 = tosa.reduce_sum %80 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %82 = tosa.mul %81, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %83 = tosa.sub %80, %82 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %84 = tosa.mul %83, %83, %9 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %85 = tosa.reduce_sum %84 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %86 = tosa.mul %85, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %87 = tosa.add %86, %15 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %88 = tosa.rsqrt %87 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %89 = tosa.mul %83, %88, %9 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %90 = tosa.mul %89, %g_a0, %9 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %91 = tosa.add %90, %n_a0 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  %92 = tosa.cast %91 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %93 = tosa.reshape %92, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %94 = tosa.transpose %w_up0 {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %95 = tosa.const_shape {values = dense<[1, 128, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %96 = tosa.reshape %94, %95 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %97 = tosa.matmul %93, %96, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x256xf32>
  %98 = tosa.add %97, %b_up0 : (tensor<1x100x256xf32>, tensor<1x1x256xf32>) -> tensor<1x100x256xf32>
  %99 = tosa.const_shape {values = dense<[2, 50, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %100 = tosa.reshape %98, %99 : (tensor<1x100x256xf32>, !tosa.shape<3>) -> tensor<2x50x256xf32>
  %101 = "tosa.const"() <{values = dense<7.071068e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %102 = tosa.mul %100, %101, %9 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %103 = tosa.erf %102 : (tensor<2x50x256xf32>) -> tensor<2x50x256xf32>
  %104 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %105 = tosa.add %103, %104 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>) -> tensor<2x50x256xf32>
  %106 = tosa.mul %100, %105, %9 : (tensor<2x50x256xf32>, tensor<2x50x256xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %107 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %108 = tosa.mul %106, %107, %9 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %109 = tosa.cast %108 : (tensor<2x50x256xf32>) -> tensor<2x50x256xbf16>
  %110 = tosa.const_shape {values = dense<[1, 100, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %111 = tosa.reshape %109, %110 : (tensor<2x50x256xbf16>, !tosa.shape<3>) -> tensor<1x100x256xbf16>
  %112 = tosa.transpose %w_down0 {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %113 = tosa.const_shape {values = dense<[1, 256, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %114 = tosa.reshape %112, %113 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %115 = tosa.matmul %111, %114, %27, %27 : (tensor<1x100x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %116 = tosa.add %115, %b_down0 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %117 = tosa.reshape %116, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %118 = tosa.add %117, %91 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %119 = tosa.reduce_sum %118 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %120 = tosa.mul %119, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %121 = tosa.sub %118, %120 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %122 = tosa.mul %121, %121, %9 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %123 = tosa.reduce_sum %122 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %124 = tosa.mul %123, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %125 = tosa.add %124, %15 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %126 = tosa.rsqrt %125 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %127 = tosa.mul %121, %126, %9 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %128 = tosa.mul %127, %g_m0, %9 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %129 = tosa.add %128, %n_m0 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  %130 = tosa.cast %129 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %131 = tosa.reshape %130, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %132 = tosa.transpose %w_q1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %133 = tosa.reshape %132, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %134 = tosa.matmul %131, %133, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %135 = tosa.add %134, %b_q1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %136 = tosa.reshape %135, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %137 = tosa.cast %136 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %138 = tosa.reshape %137, %32 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %139 = tosa.transpose %138 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %140 = tosa.reshape %130, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %141 = tosa.transpose %w_k1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %142 = tosa.reshape %141, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %143 = tosa.matmul %140, %142, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %144 = tosa.add %143, %b_k1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %145 = tosa.reshape %144, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %146 = tosa.cast %145 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %147 = tosa.reshape %146, %32 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %148 = tosa.transpose %147 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %149 = tosa.reshape %130, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %150 = tosa.transpose %w_v1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %151 = tosa.reshape %150, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %152 = tosa.matmul %149, %151, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %153 = tosa.add %152, %b_v1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %154 = tosa.reshape %153, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %155 = tosa.cast %154 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %156 = tosa.reshape %155, %32 : (tensor<2x50x128xbf16>, !tosa.shape<4>) -> tensor<2x50x2x64xbf16>
  %157 = tosa.transpose %156 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x50x2x64xbf16>) -> tensor<2x2x50x64xbf16>
  %158 = tosa.reshape %139, %53 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %159 = tosa.reshape %148, %53 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %160 = tosa.reshape %157, %53 : (tensor<2x2x50x64xbf16>, !tosa.shape<3>) -> tensor<4x50x64xbf16>
  %161 = tosa.transpose %159 {perms = array<i32: 0, 2, 1>} : (tensor<4x50x64xbf16>) -> tensor<4x64x50xbf16>
  %162 = tosa.matmul %158, %161, %27, %27 : (tensor<4x50x64xbf16>, tensor<4x64x50xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x50xf32>
  %163 = tosa.mul %162, %59, %9 : (tensor<4x50x50xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %164 = tosa.reduce_max %163 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %165 = tosa.sub %163, %164 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>) -> tensor<4x50x50xf32>
  %166 = tosa.exp %165 : (tensor<4x50x50xf32>) -> tensor<4x50x50xf32>
  %167 = tosa.reduce_sum %166 {axis = 2 : i32} : (tensor<4x50x50xf32>) -> tensor<4x50x1xf32>
  %168 = tosa.reciprocal %167 : (tensor<4x50x1xf32>) -> tensor<4x50x1xf32>
  %169 = tosa.mul %166, %168, %9 : (tensor<4x50x50xf32>, tensor<4x50x1xf32>, tensor<1xi8>) -> tensor<4x50x50xf32>
  %170 = tosa.cast %169 : (tensor<4x50x50xf32>) -> tensor<4x50x50xbf16>
  %171 = tosa.matmul %170, %160, %27, %27 : (tensor<4x50x50xbf16>, tensor<4x50x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x50x64xf32>
  %172 = tosa.cast %171 : (tensor<4x50x64xf32>) -> tensor<4x50x64xbf16>
  %173 = tosa.reshape %172, %70 : (tensor<4x50x64xbf16>, !tosa.shape<4>) -> tensor<2x2x50x64xbf16>
  %174 = tosa.transpose %173 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x50x64xbf16>) -> tensor<2x50x2x64xbf16>
  %175 = tosa.reshape %174, %4 : (tensor<2x50x2x64xbf16>, !tosa.shape<3>) -> tensor<2x50x128xbf16>
  %176 = tosa.reshape %175, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %177 = tosa.transpose %w_o1 {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %178 = tosa.reshape %177, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %179 = tosa.matmul %176, %178, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %180 = tosa.add %179, %b_o1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %181 = tosa.reshape %180, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %182 = tosa.add %181, %129 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %183 = tosa.reduce_sum %182 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %184 = tosa.mul %183, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %185 = tosa.sub %182, %184 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %186 = tosa.mul %185, %185, %9 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %187 = tosa.reduce_sum %186 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %188 = tosa.mul %187, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %189 = tosa.add %188, %15 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %190 = tosa.rsqrt %189 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %191 = tosa.mul %185, %190, %9 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %192 = tosa.mul %191, %g_a1, %9 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %193 = tosa.add %192, %n_a1 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  %194 = tosa.cast %193 : (tensor<2x50x128xf32>) -> tensor<2x50x128xbf16>
  %195 = tosa.reshape %194, %22 : (tensor<2x50x128xbf16>, !tosa.shape<3>) -> tensor<1x100x128xbf16>
  %196 = tosa.transpose %w_up1 {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %197 = tosa.reshape %196, %95 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %198 = tosa.matmul %195, %197, %27, %27 : (tensor<1x100x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x256xf32>
  %199 = tosa.add %198, %b_up1 : (tensor<1x100x256xf32>, tensor<1x1x256xf32>) -> tensor<1x100x256xf32>
  %200 = tosa.reshape %199, %99 : (tensor<1x100x256xf32>, !tosa.shape<3>) -> tensor<2x50x256xf32>
  %201 = tosa.mul %200, %101, %9 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %202 = tosa.erf %201 : (tensor<2x50x256xf32>) -> tensor<2x50x256xf32>
  %203 = tosa.add %202, %104 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>) -> tensor<2x50x256xf32>
  %204 = tosa.mul %200, %203, %9 : (tensor<2x50x256xf32>, tensor<2x50x256xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %205 = tosa.mul %204, %107, %9 : (tensor<2x50x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x256xf32>
  %206 = tosa.cast %205 : (tensor<2x50x256xf32>) -> tensor<2x50x256xbf16>
  %207 = tosa.reshape %206, %110 : (tensor<2x50x256xbf16>, !tosa.shape<3>) -> tensor<1x100x256xbf16>
  %208 = tosa.transpose %w_down1 {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %209 = tosa.reshape %208, %113 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %210 = tosa.matmul %207, %209, %27, %27 : (tensor<1x100x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x100x128xf32>
  %211 = tosa.add %210, %b_down1 : (tensor<1x100x128xf32>, tensor<1x1x128xf32>) -> tensor<1x100x128xf32>
  %212 = tosa.reshape %211, %4 : (tensor<1x100x128xf32>, !tosa.shape<3>) -> tensor<2x50x128xf32>
  %213 = tosa.add %212, %193 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>) -> tensor<2x50x128xf32>
  %214 = tosa.reduce_sum %213 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %215 = tosa.mul %214, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %216 = tosa.sub %213, %215 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>) -> tensor<2x50x128xf32>
  %217 = tosa.mul %216, %216, %9 : (tensor<2x50x128xf32>, tensor<2x50x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %218 = tosa.reduce_sum %217 {axis = 2 : i32} : (tensor<2x50x128xf32>) -> tensor<2x50x1xf32>
  %219 = tosa.mul %218, %8, %9 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x50x1xf32>
  %220 = tosa.add %219, %15 : (tensor<2x50x1xf32>, tensor<1x1x1xf32>) -> tensor<2x50x1xf32>
  %221 = tosa.rsqrt %220 : (tensor<2x50x1xf32>) -> tensor<2x50x1xf32>
  %222 = tosa.mul %216, %221, %9 : (tensor<2x50x128xf32>, tensor<2x50x1xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %223 = tosa.mul %222, %g_m1, %9 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<2x50x128xf32>
  %224 = tosa.add %223, %n_m1 : (tensor<2x50x128xf32>, tensor<1x1x128xf32>) -> tensor<2x50x128xf32>
  return %224 : tensor<2x50x128xf32>
}
