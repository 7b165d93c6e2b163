// Patches of an image become rows by a convolution with steps as long as its window; a class token before them, an encoder block, and what the class token says.
// Written by examples/models/make.py.
func.func @vit(%x: tensor<1x3x224x224xbf16> {tt.name = "x"}, %w_patches: tensor<128x3x16x16xbf16> {tt.name = "w_patches"}, %b_patches: tensor<128xf32> {tt.name = "b_patches"}, %w_class: tensor<1x1x128xf32> {tt.name = "w_class"}, %w_places: tensor<1x197x128xf32> {tt.name = "w_places"}, %g_a: tensor<1x1x128xf32> {tt.name = "g_a"}, %n_a: tensor<1x1x128xf32> {tt.name = "n_a"}, %w_q: tensor<128x128xbf16> {tt.name = "w_q"}, %b_q: tensor<1x1x128xf32> {tt.name = "b_q"}, %w_k: tensor<128x128xbf16> {tt.name = "w_k"}, %b_k: tensor<1x1x128xf32> {tt.name = "b_k"}, %w_v: tensor<128x128xbf16> {tt.name = "w_v"}, %b_v: tensor<1x1x128xf32> {tt.name = "b_v"}, %w_o: tensor<128x128xbf16> {tt.name = "w_o"}, %b_o: tensor<1x1x128xf32> {tt.name = "b_o"}, %g_m: tensor<1x1x128xf32> {tt.name = "g_m"}, %n_m: tensor<1x1x128xf32> {tt.name = "n_m"}, %w_up: tensor<256x128xbf16> {tt.name = "w_up"}, %b_up: tensor<1x1x256xf32> {tt.name = "b_up"}, %w_down: tensor<128x256xbf16> {tt.name = "w_down"}, %b_down: tensor<1x1x128xf32> {tt.name = "b_down"}, %g_c: tensor<1x1x128xf32> {tt.name = "g_c"}, %n_c: tensor<1x1x128xf32> {tt.name = "n_c"}, %w_head: tensor<10x128xbf16> {tt.name = "w_head"}, %b_head: tensor<1x1x10xf32> {tt.name = "b_head"}) -> (tensor<1x1x10xf32>) attributes {tt.model} {
  %1 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x224x224xbf16>) -> tensor<1x224x224x3xbf16>
  %2 = tosa.transpose %w_patches {perms = array<i32: 0, 2, 3, 1>} : (tensor<128x3x16x16xbf16>) -> tensor<128x16x16x3xbf16>
  %3 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %4 = tosa.conv2d %1, %2, %b_patches, %3, %3 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 16, 16>, dilation = array<i64: 1, 1>} : (tensor<1x224x224x3xbf16>, tensor<128x16x16x3xbf16>, tensor<128xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x14x14x128xf32>
  %5 = tosa.const_shape {values = dense<[1, 196, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %6 = tosa.reshape %4, %5 : (tensor<1x14x14x128xf32>, !tosa.shape<3>) -> tensor<1x196x128xf32>
  %7 = tosa.concat %w_class, %6 {axis = 1 : i32} : (tensor<1x1x128xf32>, tensor<1x196x128xf32>) -> tensor<1x197x128xf32>
  %8 = tosa.add %7, %w_places : (tensor<1x197x128xf32>, tensor<1x197x128xf32>) -> tensor<1x197x128xf32>
  %9 = tosa.reduce_sum %8 {axis = 2 : i32} : (tensor<1x197x128xf32>) -> tensor<1x197x1xf32>
  %10 = "tosa.const"() <{values = dense<7.812500e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %12 = tosa.mul %9, %10, %11 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x1xf32>
  %13 = tosa.sub %8, %12 : (tensor<1x197x128xf32>, tensor<1x197x1xf32>) -> tensor<1x197x128xf32>
  %14 = tosa.mul %13, %13, %11 : (tensor<1x197x128xf32>, tensor<1x197x128xf32>, tensor<1xi8>) -> tensor<1x197x128xf32>
  %15 = tosa.reduce_sum %14 {axis = 2 : i32} : (tensor<1x197x128xf32>) -> tensor<1x197x1xf32>
  %16 = tosa.mul %15, %10, %11 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x1xf32>
  %17 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %18 = tosa.add %16, %17 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>) -> tensor<1x197x1xf32>
  %19 = tosa.rsqrt %18 : (tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
  %20 = tosa.mul %13, %19, %11 : (tensor<1x197x128xf32>, tensor<1x197x1xf32>, tensor<1xi8>) -> tensor<1x197x128xf32>
  %21 = tosa.mul %20, %g_a, %11 : (tensor<1x197x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x197x128xf32>
  %22 = tosa.add %21, %n_a : (tensor<1x197x128xf32>, tensor<1x1x128xf32>) -> tensor<1x197x128xf32>
  %23 = tosa.cast %22 : (tensor<1x197x128xf32>) -> tensor<1x197x128xbf16>
  %24 = tosa.transpose %w_q {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %25 = tosa.const_shape {values = dense<[1, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %26 = tosa.reshape %24, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %27 = tosa.matmul %23, %26, %3, %3 : (tensor<1x197x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x197x128xf32>
  %28 = tosa.add %27, %b_q : (tensor<1x197x128xf32>, tensor<1x1x128xf32>) -> tensor<1x197x128xf32>
  %29 = tosa.cast %28 : (tensor<1x197x128xf32>) -> tensor<1x197x128xbf16>
  %30 = tosa.const_shape {values = dense<[1, 197, 2, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %31 = tosa.reshape %29, %30 : (tensor<1x197x128xbf16>, !tosa.shape<4>) -> tensor<1x197x2x64xbf16>
  %32 = tosa.transpose %31 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x197x2x64xbf16>) -> tensor<1x2x197x64xbf16>
  %33 = tosa.transpose %w_k {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %34 = tosa.reshape %33, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %35 = tosa.matmul %23, %34, %3, %3 : (tensor<1x197x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x197x128xf32>
  %36 = tosa.add %35, %b_k : (tensor<1x197x128xf32>, tensor<1x1x128xf32>) -> tensor<1x197x128xf32>
  %37 = tosa.cast %36 : (tensor<1x197x128xf32>) -> tensor<1x197x128xbf16>
  %38 = tosa.reshape %37, %30 : (tensor<1x197x128xbf16>, !tosa.shape<4>) -> tensor<1x197x2x64xbf16>
  %39 = tosa.transpose %38 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x197x2x64xbf16>) -> tensor<1x2x197x64xbf16>
  %40 = tosa.transpose %w_v {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %41 = tosa.reshape %40, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %42 = tosa.matmul %23, %41, %3, %3 : (tensor<1x197x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x197x128xf32>
  %43 = tosa.add %42, %b_v : (tensor<1x197x128xf32>, tensor<1x1x128xf32>) -> tensor<1x197x128xf32>
  %44 = tosa.cast %43 : (tensor<1x197x128xf32>) -> tensor<1x197x128xbf16>
  %45 = tosa.reshape %44, %30 : (tensor<1x197x128xbf16>, !tosa.shape<4>) -> tensor<1x197x2x64xbf16>
  %46 = tosa.transpose %45 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x197x2x64xbf16>) -> tensor<1x2x197x64xbf16>
  %47 = tosa.const_shape {values = dense<[2, 197, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %48 = tosa.reshape %32, %47 : (tensor<1x2x197x64xbf16>, !tosa.shape<3>) -> tensor<2x197x64xbf16>
  %49 = tosa.reshape %39, %47 : (tensor<1x2x197x64xbf16>, !tosa.shape<3>) -> tensor<2x197x64xbf16>
  %50 = tosa.reshape %46, %47 : (tensor<1x2x197x64xbf16>, !tosa.shape<3>) -> tensor<2x197x64xbf16>
  %51 = tosa.transpose %49 {perms = array<i32: 0, 2, 1>} : (tensor<2x197x64xbf16>) -> tensor<2x64x197xbf16>
  %52 = tosa.matmul %48, %51, %3, %3 : (tensor<2x197x64xbf16>, tensor<2x64x197xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x197x197xf32>
  %53 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %54 = tosa.mul %52, %53, %11 : (tensor<2x197x197xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x197x197xf32>
  %55 = tosa.reduce_max %54 {axis = 2 : i32} : (tensor<2x197x197xf32>) -> tensor<2x197x1xf32>
  %56 = tosa.sub %54, %55 : (tensor<2x197x197xf32>, tensor<2x197x1xf32>) -> tensor<2x197x197xf32>
  %57 = tosa.exp %56 : (tensor<2x197x197xf32>) -> tensor<2x197x197xf32>
  %58 = tosa.reduce_sum %57 {axis = 2 : i32} : (tensor<2x197x197xf32>) -> tensor<2x197x1xf32>
  %59 = tosa.reciprocal %58 : (tensor<2x197x1xf32>) -> tensor<2x197x1xf32>
  %60 = tosa.mul %57, %59, %11 : (tensor<2x197x197xf32>, tensor<2x197x1xf32>, tensor<1xi8>) -> tensor<2x197x197xf32>
  %61 = tosa.cast %60 : (tensor<2x197x197xf32>) -> tensor<2x197x197xbf16>
  %62 = tosa.matmul %61, %50, %3, %3 : (tensor<2x197x197xbf16>, tensor<2x197x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x197x64xf32>
  %63 = tosa.cast %62 : (tensor<2x197x64xf32>) -> tensor<2x197x64xbf16>
  %64 = tosa.const_shape {values = dense<[1, 2, 197, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %65 = tosa.reshape %63, %64 : (tensor<2x197x64xbf16>, !tosa.shape<4>) -> tensor<1x2x197x64xbf16>
  %66 = tosa.transpose %65 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x2x197x64xbf16>) -> tensor<1x197x2x64xbf16>
  %67 = tosa.const_shape {values = dense<[1, 197, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %68 = tosa.reshape %66, %67 : (tensor<1x197x2x64xbf16>, !tosa.shape<3>) -> tensor<1x197x128xbf16>
  %69 = tosa.transpose %w_o {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %70 = tosa.reshape %69, %25 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %71 = tosa.matmul %68, %70, %3, %3 : (tensor<1x197x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x197x128xf32>
  %72 = tosa.add %71, %b_o : (tensor<1x197x128xf32>, tensor<1x1x128xf32>) -> tensor<1x197x128xf32>
  %73 = tosa.add %72, %8 : (tensor<1x197x128xf32>, tensor<1x197x128xf32>) -> tensor<1x197x128xf32>
  %74 = tosa.reduce_sum %73 {axis = 2 : i32} : (tensor<1x197x128xf32>) -> tensor<1x197x1xf32>
  %75 = tosa.mul %74, %10, %11 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x1xf32>
  %76 = tosa.sub %73, %75 : (tensor<1x197x128xf32>, tensor<1x197x1xf32>) -> tensor<1x197x128xf32>
  %77 = tosa.mul %76, %76, %11 : (tensor<1x197x128xf32>, tensor<1x197x128xf32>, tensor<1xi8>) -> tensor<1x197x128xf32>
  %78 = tosa.reduce_sum %77 {axis = 2 : i32} : (tensor<1x197x128xf32>) -> tensor<1x197x1xf32>
  %79 = tosa.mul %78, %10, %11 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x1xf32>
  %80 = tosa.add %79, %17 : (tensor<1x197x1xf32>, tensor<1x1x1xf32>) -> tensor<1x197x1xf32>
  %81 = tosa.rsqrt %80 : (tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
  %82 = tosa.mul %76, %81, %11 : (tensor<1x197x128xf32>, tensor<1x197x1xf32>, tensor<1xi8>) -> tensor<1x197x128xf32>
  %83 = tosa.mul %82, %g_m, %11 : (tensor<1x197x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x197x128xf32>
  %84 = tosa.add %83, %n_m : (tensor<1x197x128xf32>, tensor<1x1x128xf32>) -> tensor<1x197x128xf32>
  %85 = tosa.cast %84 : (tensor<1x197x128xf32>) -> tensor<1x197x128xbf16>
  %86 = tosa.transpose %w_up {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %87 = tosa.const_shape {values = dense<[1, 128, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %88 = tosa.reshape %86, %87 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %89 = tosa.matmul %85, %88, %3, %3 : (tensor<1x197x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x197x256xf32>
  %90 = tosa.add %89, %b_up : (tensor<1x197x256xf32>, tensor<1x1x256xf32>) -> tensor<1x197x256xf32>
  %91 = "tosa.const"() <{values = dense<7.071068e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %92 = tosa.mul %90, %91, %11 : (tensor<1x197x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x256xf32>
  %93 = tosa.erf %92 : (tensor<1x197x256xf32>) -> tensor<1x197x256xf32>
  %94 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %95 = tosa.add %93, %94 : (tensor<1x197x256xf32>, tensor<1x1x1xf32>) -> tensor<1x197x256xf32>
  %96 = tosa.mul %90, %95, %11 : (tensor<1x197x256xf32>, tensor<1x197x256xf32>, tensor<1xi8>) -> tensor<1x197x256xf32>
  %97 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %98 = tosa.mul %96, %97, %11 : (tensor<1x197x256xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x197x256xf32>
  %99 = tosa.cast %98 : (tensor<1x197x256xf32>) -> tensor<1x197x256xbf16>
  %100 = tosa.transpose %w_down {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %101 = tosa.const_shape {values = dense<[1, 256, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %102 = tosa.reshape %100, %101 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %103 = tosa.matmul %99, %102, %3, %3 : (tensor<1x197x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x197x128xf32>
  %104 = tosa.add %103, %b_down : (tensor<1x197x128xf32>, tensor<1x1x128xf32>) -> tensor<1x197x128xf32>
  %105 = tosa.add %104, %73 : (tensor<1x197x128xf32>, tensor<1x197x128xf32>) -> tensor<1x197x128xf32>
  %106 = tosa.const_shape {values = dense<[0, 0, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %107 = tosa.const_shape {values = dense<[1, 1, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %108 = tosa.slice %105, %106, %107 : (tensor<1x197x128xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x128xf32>
  %109 = tosa.reduce_sum %108 {axis = 2 : i32} : (tensor<1x1x128xf32>) -> tensor<1x1x1xf32>
  %110 = tosa.mul %109, %10, %11 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %111 = tosa.sub %108, %110 : (tensor<1x1x128xf32>, tensor<1x1x1xf32>) -> tensor<1x1x128xf32>
  %112 = tosa.mul %111, %111, %11 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %113 = tosa.reduce_sum %112 {axis = 2 : i32} : (tensor<1x1x128xf32>) -> tensor<1x1x1xf32>
  %114 = tosa.mul %113, %10, %11 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %115 = tosa.add %114, %17 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %116 = tosa.rsqrt %115 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %117 = tosa.mul %111, %116, %11 : (tensor<1x1x128xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %118 = tosa.mul %117, %g_c, %11 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %119 = tosa.add %118, %n_c : (tensor<1x1x128xf32>, tensor<1x1x128xf32>) -> tensor<1x1x128xf32>
  %120 = tosa.cast %119 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %121 = tosa.transpose %w_head {perms = array<i32: 1, 0>} : (tensor<10x128xbf16>) -> tensor<128x10xbf16>
  %122 = tosa.const_shape {values = dense<[1, 128, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %123 = tosa.reshape %121, %122 : (tensor<128x10xbf16>, !tosa.shape<3>) -> tensor<1x128x10xbf16>
  %124 = tosa.matmul %120, %123, %3, %3 : (tensor<1x1x128xbf16>, tensor<1x128x10xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x10xf32>
  %125 = tosa.add %124, %b_head : (tensor<1x1x10xf32>, tensor<1x1x10xf32>) -> tensor<1x1x10xf32>
  return %125 : tensor<1x1x10xf32>
}
