// The encoder of a speech model: two convolutions along time, the second of which takes every other place, and a block of attention and MLP.
// Written by examples/models/make.py.
func.func @speech(%x: tensor<1x1x96x80xbf16> {tt.name = "x"}, %w_first: tensor<64x1x3x80xbf16> {tt.name = "w_first"}, %b_first: tensor<64xf32> {tt.name = "b_first"}, %w_second: tensor<64x1x3x64xbf16> {tt.name = "w_second"}, %b_second: tensor<64xf32> {tt.name = "b_second"}, %w_places: tensor<1x48x64xf32> {tt.name = "w_places"}, %g_a: tensor<1x1x64xf32> {tt.name = "g_a"}, %n_a: tensor<1x1x64xf32> {tt.name = "n_a"}, %w_q: tensor<64x64xbf16> {tt.name = "w_q"}, %b_q: tensor<1x1x64xf32> {tt.name = "b_q"}, %w_k: tensor<64x64xbf16> {tt.name = "w_k"}, %w_v: tensor<64x64xbf16> {tt.name = "w_v"}, %b_v: tensor<1x1x64xf32> {tt.name = "b_v"}, %w_o: tensor<64x64xbf16> {tt.name = "w_o"}, %b_o: tensor<1x1x64xf32> {tt.name = "b_o"}, %g_m: tensor<1x1x64xf32> {tt.name = "g_m"}, %n_m: tensor<1x1x64xf32> {tt.name = "n_m"}, %w_up: tensor<256x64xbf16> {tt.name = "w_up"}, %b_up: tensor<1x1x256xf32> {tt.name = "b_up"}, %w_down: tensor<64x256xbf16> {tt.name = "w_down"}, %b_down: tensor<1x1x64xf32> {tt.name = "b_down"}, %g_f: tensor<1x1x64xf32> {tt.name = "g_f"}, %n_f: tensor<1x1x64xf32> {tt.name = "n_f"}) -> (tensor<1x48x64xf32>) attributes {tt.model} {
  %1 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %2 = tosa.conv2d %x, %w_first, %b_first, %1, %1 {acc_type = f32, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x96x80xbf16>, tensor<64x1x3x80xbf16>, tensor<64xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x96x64xf32>
  %3 = "tosa.const"() <{values = dense<7.071068e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %5 = tosa.mul %2, %3, %4 : (tensor<1x1x96x64xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x96x64xf32>
  %6 = tosa.erf %5 : (tensor<1x1x96x64xf32>) -> tensor<1x1x96x64xf32>
  %7 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %8 = tosa.add %6, %7 : (tensor<1x1x96x64xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x96x64xf32>
  %9 = tosa.mul %2, %8, %4 : (tensor<1x1x96x64xf32>, tensor<1x1x96x64xf32>, tensor<1xi8>) -> tensor<1x1x96x64xf32>
  %10 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %11 = tosa.mul %9, %10, %4 : (tensor<1x1x96x64xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x96x64xf32>
  %12 = tosa.cast %11 : (tensor<1x1x96x64xf32>) -> tensor<1x1x96x64xbf16>
  %13 = tosa.conv2d %12, %w_second, %b_second, %1, %1 {acc_type = f32, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 2>, dilation = array<i64: 1, 1>} : (tensor<1x1x96x64xbf16>, tensor<64x1x3x64xbf16>, tensor<64xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x48x64xf32>
  %14 = tosa.mul %13, %3, %4 : (tensor<1x1x48x64xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x48x64xf32>
  %15 = tosa.erf %14 : (tensor<1x1x48x64xf32>) -> tensor<1x1x48x64xf32>
  %16 = tosa.add %15, %7 : (tensor<1x1x48x64xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x48x64xf32>
  %17 = tosa.mul %13, %16, %4 : (tensor<1x1x48x64xf32>, tensor<1x1x48x64xf32>, tensor<1xi8>) -> tensor<1x1x48x64xf32>
  %18 = tosa.mul %17, %10, %4 : (tensor<1x1x48x64xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x48x64xf32>
  %19 = tosa.const_shape {values = dense<[1, 48, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %20 = tosa.reshape %18, %19 : (tensor<1x1x48x64xf32>, !tosa.shape<3>) -> tensor<1x48x64xf32>
  %21 = tosa.add %20, %w_places : (tensor<1x48x64xf32>, tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
  %22 = tosa.reduce_sum %21 {axis = 2 : i32} : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %23 = "tosa.const"() <{values = dense<1.562500e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %24 = tosa.mul %22, %23, %4 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %25 = tosa.sub %21, %24 : (tensor<1x48x64xf32>, tensor<1x48x1xf32>) -> tensor<1x48x64xf32>
  %26 = tosa.mul %25, %25, %4 : (tensor<1x48x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %27 = tosa.reduce_sum %26 {axis = 2 : i32} : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %28 = tosa.mul %27, %23, %4 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %29 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %30 = tosa.add %28, %29 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>) -> tensor<1x48x1xf32>
  %31 = tosa.rsqrt %30 : (tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %32 = tosa.mul %25, %31, %4 : (tensor<1x48x64xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %33 = tosa.mul %32, %g_a, %4 : (tensor<1x48x64xf32>, tensor<1x1x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %34 = tosa.add %33, %n_a : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %35 = tosa.cast %34 : (tensor<1x48x64xf32>) -> tensor<1x48x64xbf16>
  %36 = tosa.transpose %w_q {perms = array<i32: 1, 0>} : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %37 = tosa.const_shape {values = dense<[1, 64, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %38 = tosa.reshape %36, %37 : (tensor<64x64xbf16>, !tosa.shape<3>) -> tensor<1x64x64xbf16>
  %39 = tosa.matmul %35, %38, %1, %1 : (tensor<1x48x64xbf16>, tensor<1x64x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x48x64xf32>
  %40 = tosa.add %39, %b_q : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %41 = tosa.cast %40 : (tensor<1x48x64xf32>) -> tensor<1x48x64xbf16>
  %42 = tosa.const_shape {values = dense<[1, 48, 2, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %43 = tosa.reshape %41, %42 : (tensor<1x48x64xbf16>, !tosa.shape<4>) -> tensor<1x48x2x32xbf16>
  %44 = tosa.transpose %43 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x48x2x32xbf16>) -> tensor<1x2x48x32xbf16>
  %45 = tosa.transpose %w_k {perms = array<i32: 1, 0>} : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %46 = tosa.reshape %45, %37 : (tensor<64x64xbf16>, !tosa.shape<3>) -> tensor<1x64x64xbf16>
  %47 = tosa.matmul %35, %46, %1, %1 : (tensor<1x48x64xbf16>, tensor<1x64x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x48x64xf32>
  %48 = tosa.cast %47 : (tensor<1x48x64xf32>) -> tensor<1x48x64xbf16>
  %49 = tosa.reshape %48, %42 : (tensor<1x48x64xbf16>, !tosa.shape<4>) -> tensor<1x48x2x32xbf16>
  %50 = tosa.transpose %49 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x48x2x32xbf16>) -> tensor<1x2x48x32xbf16>
  %51 = tosa.transpose %w_v {perms = array<i32: 1, 0>} : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %52 = tosa.reshape %51, %37 : (tensor<64x64xbf16>, !tosa.shape<3>) -> tensor<1x64x64xbf16>
  %53 = tosa.matmul %35, %52, %1, %1 : (tensor<1x48x64xbf16>, tensor<1x64x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x48x64xf32>
  %54 = tosa.add %53, %b_v : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %55 = tosa.cast %54 : (tensor<1x48x64xf32>) -> tensor<1x48x64xbf16>
  %56 = tosa.reshape %55, %42 : (tensor<1x48x64xbf16>, !tosa.shape<4>) -> tensor<1x48x2x32xbf16>
  %57 = tosa.transpose %56 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x48x2x32xbf16>) -> tensor<1x2x48x32xbf16>
  %58 = tosa.const_shape {values = dense<[2, 48, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %59 = tosa.reshape %44, %58 : (tensor<1x2x48x32xbf16>, !tosa.shape<3>) -> tensor<2x48x32xbf16>
  %60 = tosa.reshape %50, %58 : (tensor<1x2x48x32xbf16>, !tosa.shape<3>) -> tensor<2x48x32xbf16>
  %61 = tosa.reshape %57, %58 : (tensor<1x2x48x32xbf16>, !tosa.shape<3>) -> tensor<2x48x32xbf16>
  %62 = tosa.transpose %60 {perms = array<i32: 0, 2, 1>} : (tensor<2x48x32xbf16>) -> tensor<2x32x48xbf16>
  %63 = tosa.matmul %59, %62, %1, %1 : (tensor<2x48x32xbf16>, tensor<2x32x48xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x48x48xf32>
  %64 = "tosa.const"() <{values = dense<1.767767e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %65 = tosa.mul %63, %64, %4 : (tensor<2x48x48xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x48x48xf32>
  %66 = tosa.reduce_max %65 {axis = 2 : i32} : (tensor<2x48x48xf32>) -> tensor<2x48x1xf32>
  %67 = tosa.sub %65, %66 : (tensor<2x48x48xf32>, tensor<2x48x1xf32>) -> tensor<2x48x48xf32>
  %68 = tosa.exp %67 : (tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %69 = tosa.reduce_sum %68 {axis = 2 : i32} : (tensor<2x48x48xf32>) -> tensor<2x48x1xf32>
  %70 = tosa.reciprocal %69 : (tensor<2x48x1xf32>) -> tensor<2x48x1xf32>
  %71 = tosa.mul %68, %70, %4 : (tensor<2x48x48xf32>, tensor<2x48x1xf32>, tensor<1xi8>) -> tensor<2x48x48xf32>
  %72 = tosa.cast %71 : (tensor<2x48x48xf32>) -> tensor<2x48x48xbf16>
  %73 = tosa.matmul %72, %61, %1, %1 : (tensor<2x48x48xbf16>, tensor<2x48x32xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x48x32xf32>
  %74 = tosa.cast %73 : (tensor<2x48x32xf32>) -> tensor<2x48x32xbf16>
  %75 = tosa.const_shape {values = dense<[1, 2, 48, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %76 = tosa.reshape %74, %75 : (tensor<2x48x32xbf16>, !tosa.shape<4>) -> tensor<1x2x48x32xbf16>
  %77 = tosa.transpose %76 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x2x48x32xbf16>) -> tensor<1x48x2x32xbf16>
  %78 = tosa.reshape %77, %19 : (tensor<1x48x2x32xbf16>, !tosa.shape<3>) -> tensor<1x48x64xbf16>
  %79 = tosa.transpose %w_o {perms = array<i32: 1, 0>} : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %80 = tosa.reshape %79, %37 : (tensor<64x64xbf16>, !tosa.shape<3>) -> tensor<1x64x64xbf16>
  %81 = tosa.matmul %78, %80, %1, %1 : (tensor<1x48x64xbf16>, tensor<1x64x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x48x64xf32>
  %82 = tosa.add %81, %b_o : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %83 = tosa.add %82, %21 : (tensor<1x48x64xf32>, tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
  %84 = tosa.reduce_sum %83 {axis = 2 : i32} : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %85 = tosa.mul %84, %23, %4 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %86 = tosa.sub %83, %85 : (tensor<1x48x64xf32>, tensor<1x48x1xf32>) -> tensor<1x48x64xf32>
  %87 = tosa.mul %86, %86, %4 : (tensor<1x48x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %88 = tosa.reduce_sum %87 {axis = 2 : i32} : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %89 = tosa.mul %88, %23, %4 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %90 = tosa.add %89, %29 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>) -> tensor<1x48x1xf32>
  %91 = tosa.rsqrt %90 : (tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %92 = tosa.mul %86, %91, %4 : (tensor<1x48x64xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %93 = tosa.mul %92, %g_m, %4 : (tensor<1x48x64xf32>, tensor<1x1x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %94 = tosa.add %93, %n_m : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %95 = tosa.cast %94 : (tensor<1x48x64xf32>) -> tensor<1x48x64xbf16>
  %96 = tosa.transpose %w_up {perms = array<i32: 1, 0>} : (tensor<256x64xbf16>) -> tensor<64x256xbf16>
  %97 = tosa.const_shape {values = dense<[1, 64, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %98 = tosa.reshape %96, %97 : (tensor<64x256xbf16>, !tosa.shape<3>) -> tensor<1x64x256xbf16>
  %99 = tosa.matmul %95, %98, %1, %1 : (tensor<1x48x64xbf16>, tensor<1x64x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x48x256xf32>
  %100 = tosa.add %99, %b_up : (tensor<1x48x256xf32>, tensor<1x1x256xf32>) -> tensor<1x48x256xf32>
  %101 = "tosa.const"() <{values = dense<7.071068e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %102 = tosa.mul %100, %101, %4 : (tensor<1x48x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x256xf32>
  %103 = tosa.erf %102 : (tensor<1x48x256xf32>) -> tensor<1x48x256xf32>
  %104 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %105 = tosa.add %103, %104 : (tensor<1x48x256xf32>, tensor<1x1x1xf32>) -> tensor<1x48x256xf32>
  %106 = tosa.mul %100, %105, %4 : (tensor<1x48x256xf32>, tensor<1x48x256xf32>, tensor<1xi8>) -> tensor<1x48x256xf32>
  %107 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %108 = tosa.mul %106, %107, %4 : (tensor<1x48x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x256xf32>
  %109 = tosa.cast %108 : (tensor<1x48x256xf32>) -> tensor<1x48x256xbf16>
  %110 = tosa.transpose %w_down {perms = array<i32: 1, 0>} : (tensor<64x256xbf16>) -> tensor<256x64xbf16>
  %111 = tosa.const_shape {values = dense<[1, 256, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %112 = tosa.reshape %110, %111 : (tensor<256x64xbf16>, !tosa.shape<3>) -> tensor<1x256x64xbf16>
  %113 = tosa.matmul %109, %112, %1, %1 : (tensor<1x48x256xbf16>, tensor<1x256x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x48x64xf32>
  %114 = tosa.add %113, %b_down : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  %115 = tosa.add %114, %83 : (tensor<1x48x64xf32>, tensor<1x48x64xf32>) -> tensor<1x48x64xf32>
  %116 = tosa.reduce_sum %115 {axis = 2 : i32} : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %117 = tosa.mul %116, %23, %4 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %118 = tosa.sub %115, %117 : (tensor<1x48x64xf32>, tensor<1x48x1xf32>) -> tensor<1x48x64xf32>
  %119 = tosa.mul %118, %118, %4 : (tensor<1x48x64xf32>, tensor<1x48x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %120 = tosa.reduce_sum %119 {axis = 2 : i32} : (tensor<1x48x64xf32>) -> tensor<1x48x1xf32>
  %121 = tosa.mul %120, %23, %4 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x48x1xf32>
  %122 = tosa.add %121, %29 : (tensor<1x48x1xf32>, tensor<1x1x1xf32>) -> tensor<1x48x1xf32>
  %123 = tosa.rsqrt %122 : (tensor<1x48x1xf32>) -> tensor<1x48x1xf32>
  %124 = tosa.mul %118, %123, %4 : (tensor<1x48x64xf32>, tensor<1x48x1xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %125 = tosa.mul %124, %g_f, %4 : (tensor<1x48x64xf32>, tensor<1x1x64xf32>, tensor<1xi8>) -> tensor<1x48x64xf32>
  %126 = tosa.add %125, %n_f : (tensor<1x48x64xf32>, tensor<1x1x64xf32>) -> tensor<1x48x64xf32>
  return %126 : tensor<1x48x64xf32>
}
