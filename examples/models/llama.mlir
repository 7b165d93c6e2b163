// RMS norms, rotary embeddings, heads of keys that several heads of queries share, a gated MLP.
// Written by examples/models/make.py.
func.func @llama(%x: tensor<1x128x256xf32> {tt.name = "x"}, %mask: tensor<1x128x128xf32> {tt.name = "mask"}, %cos: tensor<1x1x128x64xf32> {tt.name = "cos"}, %sin: tensor<1x1x128x64xf32> {tt.name = "sin"}, %g_a: tensor<1x1x256xf32> {tt.name = "g_a"}, %w_q: tensor<256x256xbf16> {tt.name = "w_q"}, %w_k: tensor<128x256xbf16> {tt.name = "w_k"}, %w_v: tensor<128x256xbf16> {tt.name = "w_v"}, %w_o: tensor<256x256xbf16> {tt.name = "w_o"}, %g_m: tensor<1x1x256xf32> {tt.name = "g_m"}, %w_gate: tensor<512x256xbf16> {tt.name = "w_gate"}, %w_up: tensor<512x256xbf16> {tt.name = "w_up"}, %w_down: tensor<256x512xbf16> {tt.name = "w_down"}) -> (tensor<1x128x256xf32>) attributes {tt.model} {
  %1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %2 = tosa.mul %x, %x, %1 : (tensor<1x128x256xf32>, tensor<1x128x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %3 = tosa.reduce_sum %2 {axis = 2 : i32} : (tensor<1x128x256xf32>) -> tensor<1x128x1xf32>
  %4 = "tosa.const"() <{values = dense<3.906250e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %5 = tosa.mul %3, %4, %1 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
  %6 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %7 = tosa.add %5, %6 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
  %8 = tosa.rsqrt %7 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
  %9 = tosa.mul %x, %8, %1 : (tensor<1x128x256xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %10 = tosa.mul %9, %g_a, %1 : (tensor<1x128x256xf32>, tensor<1x1x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %11 = tosa.cast %10 : (tensor<1x128x256xf32>) -> tensor<1x128x256xbf16>
  %12 = tosa.transpose %w_q {perms = array<i32: 1, 0>} : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %13 = tosa.const_shape {values = dense<[1, 256, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %14 = tosa.reshape %12, %13 : (tensor<256x256xbf16>, !tosa.shape<3>) -> tensor<1x256x256xbf16>
  %15 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %16 = tosa.matmul %11, %14, %15, %15 : (tensor<1x128x256xbf16>, tensor<1x256x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %17 = tosa.const_shape {values = dense<[1, 128, 4, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %18 = tosa.reshape %16, %17 : (tensor<1x128x256xf32>, !tosa.shape<4>) -> tensor<1x128x4x64xf32>
  %19 = tosa.transpose %18 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x128x4x64xf32>) -> tensor<1x4x128x64xf32>
  %20 = tosa.const_shape {values = dense<[0, 0, 0, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %21 = tosa.const_shape {values = dense<[1, 4, 128, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %22 = tosa.slice %19, %20, %21 : (tensor<1x4x128x64xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x128x32xf32>
  %23 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %24 = tosa.negate %22, %23, %23 : (tensor<1x4x128x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x128x32xf32>
  %25 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %26 = tosa.slice %19, %25, %21 : (tensor<1x4x128x64xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x128x32xf32>
  %27 = tosa.concat %24, %26 {axis = 3 : i32} : (tensor<1x4x128x32xf32>, tensor<1x4x128x32xf32>) -> tensor<1x4x128x64xf32>
  %28 = tosa.mul %19, %cos, %1 : (tensor<1x4x128x64xf32>, tensor<1x1x128x64xf32>, tensor<1xi8>) -> tensor<1x4x128x64xf32>
  %29 = tosa.mul %27, %sin, %1 : (tensor<1x4x128x64xf32>, tensor<1x1x128x64xf32>, tensor<1xi8>) -> tensor<1x4x128x64xf32>
  %30 = tosa.add %28, %29 : (tensor<1x4x128x64xf32>, tensor<1x4x128x64xf32>) -> tensor<1x4x128x64xf32>
  %31 = tosa.cast %30 : (tensor<1x4x128x64xf32>) -> tensor<1x4x128x64xbf16>
  %32 = tosa.transpose %w_k {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %33 = tosa.const_shape {values = dense<[1, 256, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %34 = tosa.reshape %32, %33 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %35 = tosa.matmul %11, %34, %15, %15 : (tensor<1x128x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x128xf32>
  %36 = tosa.const_shape {values = dense<[1, 128, 2, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %37 = tosa.reshape %35, %36 : (tensor<1x128x128xf32>, !tosa.shape<4>) -> tensor<1x128x2x64xf32>
  %38 = tosa.transpose %37 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x128x2x64xf32>) -> tensor<1x2x128x64xf32>
  %39 = tosa.const_shape {values = dense<[1, 2, 128, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %40 = tosa.slice %38, %20, %39 : (tensor<1x2x128x64xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x128x32xf32>
  %41 = tosa.negate %40, %23, %23 : (tensor<1x2x128x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x128x32xf32>
  %42 = tosa.slice %38, %25, %39 : (tensor<1x2x128x64xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x128x32xf32>
  %43 = tosa.concat %41, %42 {axis = 3 : i32} : (tensor<1x2x128x32xf32>, tensor<1x2x128x32xf32>) -> tensor<1x2x128x64xf32>
  %44 = tosa.mul %38, %cos, %1 : (tensor<1x2x128x64xf32>, tensor<1x1x128x64xf32>, tensor<1xi8>) -> tensor<1x2x128x64xf32>
  %45 = tosa.mul %43, %sin, %1 : (tensor<1x2x128x64xf32>, tensor<1x1x128x64xf32>, tensor<1xi8>) -> tensor<1x2x128x64xf32>
  %46 = tosa.add %44, %45 : (tensor<1x2x128x64xf32>, tensor<1x2x128x64xf32>) -> tensor<1x2x128x64xf32>
  %47 = tosa.cast %46 : (tensor<1x2x128x64xf32>) -> tensor<1x2x128x64xbf16>
  %48 = tosa.transpose %w_v {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %49 = tosa.reshape %48, %33 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %50 = tosa.matmul %11, %49, %15, %15 : (tensor<1x128x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x128xf32>
  %51 = tosa.cast %50 : (tensor<1x128x128xf32>) -> tensor<1x128x128xbf16>
  %52 = tosa.reshape %51, %36 : (tensor<1x128x128xbf16>, !tosa.shape<4>) -> tensor<1x128x2x64xbf16>
  %53 = tosa.transpose %52 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x128x2x64xbf16>) -> tensor<1x2x128x64xbf16>
  %54 = tosa.const_shape {values = dense<[1, 2, 1, 128, 64]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %55 = tosa.reshape %47, %54 : (tensor<1x2x128x64xbf16>, !tosa.shape<5>) -> tensor<1x2x1x128x64xbf16>
  %56 = tosa.const_shape {values = dense<[1, 1, 2, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %57 = tosa.tile %55, %56 : (tensor<1x2x1x128x64xbf16>, !tosa.shape<5>) -> tensor<1x2x2x128x64xbf16>
  %58 = tosa.const_shape {values = dense<[1, 4, 128, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %59 = tosa.reshape %57, %58 : (tensor<1x2x2x128x64xbf16>, !tosa.shape<4>) -> tensor<1x4x128x64xbf16>
  %60 = tosa.reshape %53, %54 : (tensor<1x2x128x64xbf16>, !tosa.shape<5>) -> tensor<1x2x1x128x64xbf16>
  %61 = tosa.tile %60, %56 : (tensor<1x2x1x128x64xbf16>, !tosa.shape<5>) -> tensor<1x2x2x128x64xbf16>
  %62 = tosa.reshape %61, %58 : (tensor<1x2x2x128x64xbf16>, !tosa.shape<4>) -> tensor<1x4x128x64xbf16>
  %63 = tosa.const_shape {values = dense<[4, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %64 = tosa.reshape %31, %63 : (tensor<1x4x128x64xbf16>, !tosa.shape<3>) -> tensor<4x128x64xbf16>
  %65 = tosa.reshape %59, %63 : (tensor<1x4x128x64xbf16>, !tosa.shape<3>) -> tensor<4x128x64xbf16>
  %66 = tosa.reshape %62, %63 : (tensor<1x4x128x64xbf16>, !tosa.shape<3>) -> tensor<4x128x64xbf16>
  %67 = tosa.transpose %65 {perms = array<i32: 0, 2, 1>} : (tensor<4x128x64xbf16>) -> tensor<4x64x128xbf16>
  %68 = tosa.matmul %64, %67, %15, %15 : (tensor<4x128x64xbf16>, tensor<4x64x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x128x128xf32>
  %69 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %70 = tosa.mul %68, %69, %1 : (tensor<4x128x128xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x128x128xf32>
  %71 = tosa.add %70, %mask : (tensor<4x128x128xf32>, tensor<1x128x128xf32>) -> tensor<4x128x128xf32>
  %72 = tosa.reduce_max %71 {axis = 2 : i32} : (tensor<4x128x128xf32>) -> tensor<4x128x1xf32>
  %73 = tosa.sub %71, %72 : (tensor<4x128x128xf32>, tensor<4x128x1xf32>) -> tensor<4x128x128xf32>
  %74 = tosa.exp %73 : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %75 = tosa.reduce_sum %74 {axis = 2 : i32} : (tensor<4x128x128xf32>) -> tensor<4x128x1xf32>
  %76 = tosa.reciprocal %75 : (tensor<4x128x1xf32>) -> tensor<4x128x1xf32>
  %77 = tosa.mul %74, %76, %1 : (tensor<4x128x128xf32>, tensor<4x128x1xf32>, tensor<1xi8>) -> tensor<4x128x128xf32>
  %78 = tosa.cast %77 : (tensor<4x128x128xf32>) -> tensor<4x128x128xbf16>
  %79 = tosa.matmul %78, %66, %15, %15 : (tensor<4x128x128xbf16>, tensor<4x128x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x128x64xf32>
  %80 = tosa.cast %79 : (tensor<4x128x64xf32>) -> tensor<4x128x64xbf16>
  %81 = tosa.reshape %80, %58 : (tensor<4x128x64xbf16>, !tosa.shape<4>) -> tensor<1x4x128x64xbf16>
  %82 = tosa.transpose %81 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x4x128x64xbf16>) -> tensor<1x128x4x64xbf16>
  %83 = tosa.const_shape {values = dense<[1, 128, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %84 = tosa.reshape %82, %83 : (tensor<1x128x4x64xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %85 = tosa.transpose %w_o {perms = array<i32: 1, 0>} : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %86 = tosa.reshape %85, %13 : (tensor<256x256xbf16>, !tosa.shape<3>) -> tensor<1x256x256xbf16>
  %87 = tosa.matmul %84, %86, %15, %15 : (tensor<1x128x256xbf16>, tensor<1x256x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %88 = tosa.add %87, %x : (tensor<1x128x256xf32>, tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  %89 = tosa.mul %88, %88, %1 : (tensor<1x128x256xf32>, tensor<1x128x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %90 = tosa.reduce_sum %89 {axis = 2 : i32} : (tensor<1x128x256xf32>) -> tensor<1x128x1xf32>
  %91 = tosa.mul %90, %4, %1 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
  %92 = tosa.add %91, %6 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
  %93 = tosa.rsqrt %92 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
  %94 = tosa.mul %88, %93, %1 : (tensor<1x128x256xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %95 = tosa.mul %94, %g_m, %1 : (tensor<1x128x256xf32>, tensor<1x1x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %96 = tosa.cast %95 : (tensor<1x128x256xf32>) -> tensor<1x128x256xbf16>
  %97 = tosa.transpose %w_gate {perms = array<i32: 1, 0>} : (tensor<512x256xbf16>) -> tensor<256x512xbf16>
  %98 = tosa.const_shape {values = dense<[1, 256, 512]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %99 = tosa.reshape %97, %98 : (tensor<256x512xbf16>, !tosa.shape<3>) -> tensor<1x256x512xbf16>
  %100 = tosa.matmul %96, %99, %15, %15 : (tensor<1x128x256xbf16>, tensor<1x256x512xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x512xf32>
  %101 = tosa.sigmoid %100 : (tensor<1x128x512xf32>) -> tensor<1x128x512xf32>
  %102 = tosa.mul %100, %101, %1 : (tensor<1x128x512xf32>, tensor<1x128x512xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
  %103 = tosa.transpose %w_up {perms = array<i32: 1, 0>} : (tensor<512x256xbf16>) -> tensor<256x512xbf16>
  %104 = tosa.reshape %103, %98 : (tensor<256x512xbf16>, !tosa.shape<3>) -> tensor<1x256x512xbf16>
  %105 = tosa.matmul %96, %104, %15, %15 : (tensor<1x128x256xbf16>, tensor<1x256x512xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x512xf32>
  %106 = tosa.mul %102, %105, %1 : (tensor<1x128x512xf32>, tensor<1x128x512xf32>, tensor<1xi8>) -> tensor<1x128x512xf32>
  %107 = tosa.cast %106 : (tensor<1x128x512xf32>) -> tensor<1x128x512xbf16>
  %108 = tosa.transpose %w_down {perms = array<i32: 1, 0>} : (tensor<256x512xbf16>) -> tensor<512x256xbf16>
  %109 = tosa.const_shape {values = dense<[1, 512, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %110 = tosa.reshape %108, %109 : (tensor<512x256xbf16>, !tosa.shape<3>) -> tensor<1x512x256xbf16>
  %111 = tosa.matmul %107, %110, %15, %15 : (tensor<1x128x512xbf16>, tensor<1x512x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %112 = tosa.add %111, %88 : (tensor<1x128x256xf32>, tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  return %112 : tensor<1x128x256xf32>
}
