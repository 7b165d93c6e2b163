// A decoder block: layer norms before, causal attention, gelu.
// Written by examples/models/make.py.
func.func @gpt(%x: tensor<1x128x256xf32> {tt.name = "x"}, %mask: tensor<1x128x128xf32> {tt.name = "mask"}, %g_a: tensor<1x1x256xf32> {tt.name = "g_a"}, %n_a: tensor<1x1x256xf32> {tt.name = "n_a"}, %w_q: tensor<256x256xbf16> {tt.name = "w_q"}, %b_q: tensor<1x1x256xf32> {tt.name = "b_q"}, %w_k: tensor<256x256xbf16> {tt.name = "w_k"}, %b_k: tensor<1x1x256xf32> {tt.name = "b_k"}, %w_v: tensor<256x256xbf16> {tt.name = "w_v"}, %b_v: tensor<1x1x256xf32> {tt.name = "b_v"}, %w_o: tensor<256x256xbf16> {tt.name = "w_o"}, %b_o: tensor<1x1x256xf32> {tt.name = "b_o"}, %g_m: tensor<1x1x256xf32> {tt.name = "g_m"}, %n_m: tensor<1x1x256xf32> {tt.name = "n_m"}, %w_up: tensor<1024x256xbf16> {tt.name = "w_up"}, %b_up: tensor<1x1x1024xf32> {tt.name = "b_up"}, %w_down: tensor<256x1024xbf16> {tt.name = "w_down"}, %b_down: tensor<1x1x256xf32> {tt.name = "b_down"}) -> (tensor<1x128x256xf32>) attributes {tt.model} {
  %1 = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<1x128x256xf32>) -> tensor<1x128x1xf32>
  %2 = "tosa.const"() <{values = dense<3.906250e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %4 = tosa.mul %1, %2, %3 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
  %5 = tosa.sub %x, %4 : (tensor<1x128x256xf32>, tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
  %6 = tosa.mul %5, %5, %3 : (tensor<1x128x256xf32>, tensor<1x128x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %7 = tosa.reduce_sum %6 {axis = 2 : i32} : (tensor<1x128x256xf32>) -> tensor<1x128x1xf32>
  %8 = tosa.mul %7, %2, %3 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
  %9 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %10 = tosa.add %8, %9 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
  %11 = tosa.rsqrt %10 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
  %12 = tosa.mul %5, %11, %3 : (tensor<1x128x256xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %13 = tosa.mul %12, %g_a, %3 : (tensor<1x128x256xf32>, tensor<1x1x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %14 = tosa.add %13, %n_a : (tensor<1x128x256xf32>, tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
  %15 = tosa.cast %14 : (tensor<1x128x256xf32>) -> tensor<1x128x256xbf16>
  %16 = tosa.transpose %w_q {perms = array<i32: 1, 0>} : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %17 = tosa.const_shape {values = dense<[1, 256, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %18 = tosa.reshape %16, %17 : (tensor<256x256xbf16>, !tosa.shape<3>) -> tensor<1x256x256xbf16>
  %19 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %20 = tosa.matmul %15, %18, %19, %19 : (tensor<1x128x256xbf16>, tensor<1x256x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %21 = tosa.add %20, %b_q : (tensor<1x128x256xf32>, tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
  %22 = tosa.cast %21 : (tensor<1x128x256xf32>) -> tensor<1x128x256xbf16>
  %23 = tosa.const_shape {values = dense<[1, 128, 4, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %24 = tosa.reshape %22, %23 : (tensor<1x128x256xbf16>, !tosa.shape<4>) -> tensor<1x128x4x64xbf16>
  %25 = tosa.transpose %24 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x128x4x64xbf16>) -> tensor<1x4x128x64xbf16>
  %26 = tosa.transpose %w_k {perms = array<i32: 1, 0>} : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %27 = tosa.reshape %26, %17 : (tensor<256x256xbf16>, !tosa.shape<3>) -> tensor<1x256x256xbf16>
  %28 = tosa.matmul %15, %27, %19, %19 : (tensor<1x128x256xbf16>, tensor<1x256x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %29 = tosa.add %28, %b_k : (tensor<1x128x256xf32>, tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
  %30 = tosa.cast %29 : (tensor<1x128x256xf32>) -> tensor<1x128x256xbf16>
  %31 = tosa.reshape %30, %23 : (tensor<1x128x256xbf16>, !tosa.shape<4>) -> tensor<1x128x4x64xbf16>
  %32 = tosa.transpose %31 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x128x4x64xbf16>) -> tensor<1x4x128x64xbf16>
  %33 = tosa.transpose %w_v {perms = array<i32: 1, 0>} : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %34 = tosa.reshape %33, %17 : (tensor<256x256xbf16>, !tosa.shape<3>) -> tensor<1x256x256xbf16>
  %35 = tosa.matmul %15, %34, %19, %19 : (tensor<1x128x256xbf16>, tensor<1x256x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %36 = tosa.add %35, %b_v : (tensor<1x128x256xf32>, tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
  %37 = tosa.cast %36 : (tensor<1x128x256xf32>) -> tensor<1x128x256xbf16>
  %38 = tosa.reshape %37, %23 : (tensor<1x128x256xbf16>, !tosa.shape<4>) -> tensor<1x128x4x64xbf16>
  %39 = tosa.transpose %38 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x128x4x64xbf16>) -> tensor<1x4x128x64xbf16>
  %40 = tosa.const_shape {values = dense<[4, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %41 = tosa.reshape %25, %40 : (tensor<1x4x128x64xbf16>, !tosa.shape<3>) -> tensor<4x128x64xbf16>
  %42 = tosa.reshape %32, %40 : (tensor<1x4x128x64xbf16>, !tosa.shape<3>) -> tensor<4x128x64xbf16>
  %43 = tosa.reshape %39, %40 : (tensor<1x4x128x64xbf16>, !tosa.shape<3>) -> tensor<4x128x64xbf16>
  %44 = tosa.transpose %42 {perms = array<i32: 0, 2, 1>} : (tensor<4x128x64xbf16>) -> tensor<4x64x128xbf16>
  %45 = tosa.matmul %41, %44, %19, %19 : (tensor<4x128x64xbf16>, tensor<4x64x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x128x128xf32>
  %46 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %47 = tosa.mul %45, %46, %3 : (tensor<4x128x128xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x128x128xf32>
  %48 = tosa.add %47, %mask : (tensor<4x128x128xf32>, tensor<1x128x128xf32>) -> tensor<4x128x128xf32>
  %49 = tosa.reduce_max %48 {axis = 2 : i32} : (tensor<4x128x128xf32>) -> tensor<4x128x1xf32>
  %50 = tosa.sub %48, %49 : (tensor<4x128x128xf32>, tensor<4x128x1xf32>) -> tensor<4x128x128xf32>
  %51 = tosa.exp %50 : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %52 = tosa.reduce_sum %51 {axis = 2 : i32} : (tensor<4x128x128xf32>) -> tensor<4x128x1xf32>
  %53 = tosa.reciprocal %52 : (tensor<4x128x1xf32>) -> tensor<4x128x1xf32>
  %54 = tosa.mul %51, %53, %3 : (tensor<4x128x128xf32>, tensor<4x128x1xf32>, tensor<1xi8>) -> tensor<4x128x128xf32>
  %55 = tosa.cast %54 : (tensor<4x128x128xf32>) -> tensor<4x128x128xbf16>
  %56 = tosa.matmul %55, %43, %19, %19 : (tensor<4x128x128xbf16>, tensor<4x128x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x128x64xf32>
  %57 = tosa.cast %56 : (tensor<4x128x64xf32>) -> tensor<4x128x64xbf16>
  %58 = tosa.const_shape {values = dense<[1, 4, 128, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %59 = tosa.reshape %57, %58 : (tensor<4x128x64xbf16>, !tosa.shape<4>) -> tensor<1x4x128x64xbf16>
  %60 = tosa.transpose %59 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x4x128x64xbf16>) -> tensor<1x128x4x64xbf16>
  %61 = tosa.const_shape {values = dense<[1, 128, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %62 = tosa.reshape %60, %61 : (tensor<1x128x4x64xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %63 = tosa.transpose %w_o {perms = array<i32: 1, 0>} : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %64 = tosa.reshape %63, %17 : (tensor<256x256xbf16>, !tosa.shape<3>) -> tensor<1x256x256xbf16>
  %65 = tosa.matmul %62, %64, %19, %19 : (tensor<1x128x256xbf16>, tensor<1x256x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %66 = tosa.add %65, %b_o : (tensor<1x128x256xf32>, tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
  %67 = tosa.add %66, %x : (tensor<1x128x256xf32>, tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  %68 = tosa.reduce_sum %67 {axis = 2 : i32} : (tensor<1x128x256xf32>) -> tensor<1x128x1xf32>
  %69 = tosa.mul %68, %2, %3 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
  %70 = tosa.sub %67, %69 : (tensor<1x128x256xf32>, tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
  %71 = tosa.mul %70, %70, %3 : (tensor<1x128x256xf32>, tensor<1x128x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %72 = tosa.reduce_sum %71 {axis = 2 : i32} : (tensor<1x128x256xf32>) -> tensor<1x128x1xf32>
  %73 = tosa.mul %72, %2, %3 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1xf32>
  %74 = tosa.add %73, %9 : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
  %75 = tosa.rsqrt %74 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
  %76 = tosa.mul %70, %75, %3 : (tensor<1x128x256xf32>, tensor<1x128x1xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %77 = tosa.mul %76, %g_m, %3 : (tensor<1x128x256xf32>, tensor<1x1x256xf32>, tensor<1xi8>) -> tensor<1x128x256xf32>
  %78 = tosa.add %77, %n_m : (tensor<1x128x256xf32>, tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
  %79 = tosa.cast %78 : (tensor<1x128x256xf32>) -> tensor<1x128x256xbf16>
  %80 = tosa.transpose %w_up {perms = array<i32: 1, 0>} : (tensor<1024x256xbf16>) -> tensor<256x1024xbf16>
  %81 = tosa.const_shape {values = dense<[1, 256, 1024]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %82 = tosa.reshape %80, %81 : (tensor<256x1024xbf16>, !tosa.shape<3>) -> tensor<1x256x1024xbf16>
  %83 = tosa.matmul %79, %82, %19, %19 : (tensor<1x128x256xbf16>, tensor<1x256x1024xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x1024xf32>
  %84 = tosa.add %83, %b_up : (tensor<1x128x1024xf32>, tensor<1x1x1024xf32>) -> tensor<1x128x1024xf32>
  %85 = "tosa.const"() <{values = dense<7.071068e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %86 = tosa.mul %84, %85, %3 : (tensor<1x128x1024xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1024xf32>
  %87 = tosa.erf %86 : (tensor<1x128x1024xf32>) -> tensor<1x128x1024xf32>
  %88 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %89 = tosa.add %87, %88 : (tensor<1x128x1024xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1024xf32>
  %90 = tosa.mul %84, %89, %3 : (tensor<1x128x1024xf32>, tensor<1x128x1024xf32>, tensor<1xi8>) -> tensor<1x128x1024xf32>
  %91 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %92 = tosa.mul %90, %91, %3 : (tensor<1x128x1024xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x128x1024xf32>
  %93 = tosa.cast %92 : (tensor<1x128x1024xf32>) -> tensor<1x128x1024xbf16>
  %94 = tosa.transpose %w_down {perms = array<i32: 1, 0>} : (tensor<256x1024xbf16>) -> tensor<1024x256xbf16>
  %95 = tosa.const_shape {values = dense<[1, 1024, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %96 = tosa.reshape %94, %95 : (tensor<1024x256xbf16>, !tosa.shape<3>) -> tensor<1x1024x256xbf16>
  %97 = tosa.matmul %93, %96, %19, %19 : (tensor<1x128x1024xbf16>, tensor<1x1024x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x128x256xf32>
  %98 = tosa.add %97, %b_down : (tensor<1x128x256xf32>, tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
  %99 = tosa.add %98, %67 : (tensor<1x128x256xf32>, tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  return %99 : tensor<1x128x256xf32>
}
