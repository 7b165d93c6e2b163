// Decoding with a Llama's block, a token a step: keys, turned by the step's position, and values go into caches there, and attention goes over what the caches have up to there. The run says at which position it starts.
// Written by examples/models/make.py.
func.func @decode(%x: tensor<3x1x1x128xf32> {tt.name = "x"}, %k_cache: tensor<2x64x32xbf16> {tt.name = "k_cache"}, %v_cache: tensor<2x64x32xbf16> {tt.name = "v_cache"}, %cos: tensor<64x1x32xf32> {tt.name = "cos"}, %sin: tensor<64x1x32xf32> {tt.name = "sin"}, %start: index {tt.name = "start"}, %w_q: tensor<128x128xbf16> {tt.name = "w_q"}, %w_k: tensor<64x128xbf16> {tt.name = "w_k"}, %w_v: tensor<64x128xbf16> {tt.name = "w_v"}, %w_o: tensor<128x128xbf16> {tt.name = "w_o"}, %w_gate: tensor<256x128xbf16> {tt.name = "w_gate"}, %w_up: tensor<256x128xbf16> {tt.name = "w_up"}, %w_down: tensor<128x256xbf16> {tt.name = "w_down"}, %g_a: tensor<1x1x128xf32> {tt.name = "g_a"}, %g_m: tensor<1x1x128xf32> {tt.name = "g_m"}) -> (tensor<3x1x1x128xf32>, tensor<2x64x32xbf16>, tensor<2x64x32xbf16>) attributes {tt.model} {
  %1 = tensor.empty() : tensor<3x1x1x128xf32>
  %first = arith.constant 0 : index
  %next = arith.constant 1 : index
  %steps = arith.constant 3 : index
  %low = arith.constant -1.0e9 : f32
  %zero = arith.constant 0.0 : f32
  %all:3 = scf.for %i = %first to %steps step %next iter_args(%out = %1, %ks = %k_cache, %vs = %v_cache) -> (tensor<3x1x1x128xf32>, tensor<2x64x32xbf16>, tensor<2x64x32xbf16>) {
  %at = arith.addi %start, %i : index
  %2 = tensor.extract_slice %x[%i, 0, 0, 0] [1, 1, 1, 128] [1, 1, 1, 1] : tensor<3x1x1x128xf32> to tensor<1x1x128xf32>
  %none = tensor.empty() : tensor<1x1x64xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(a, b, j) -> (a, b, j)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%none : tensor<1x1x64xf32>) {
    ^bb0(%old: f32):
      %j = linalg.index 2 : index
      %seen = arith.cmpi ule, %j, %at : index
      %m = arith.select %seen, %zero, %low : f32
      linalg.yield %m : f32
  } -> tensor<1x1x64xf32>
  %4 = tensor.extract_slice %cos[%at, 0, 0] [1, 1, 32] [1, 1, 1] : tensor<64x1x32xf32> to tensor<1x1x32xf32>
  %5 = tensor.extract_slice %sin[%at, 0, 0] [1, 1, 32] [1, 1, 1] : tensor<64x1x32xf32> to tensor<1x1x32xf32>
  %6 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %7 = tosa.mul %2, %2, %6 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %8 = tosa.reduce_sum %7 {axis = 2 : i32} : (tensor<1x1x128xf32>) -> tensor<1x1x1xf32>
  %9 = "tosa.const"() <{values = dense<7.812500e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %10 = tosa.mul %8, %9, %6 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %11 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %12 = tosa.add %10, %11 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %13 = tosa.rsqrt %12 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %14 = tosa.mul %2, %13, %6 : (tensor<1x1x128xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %15 = tosa.mul %14, %g_a, %6 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %16 = tosa.cast %15 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %17 = tosa.transpose %w_q {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %18 = tosa.const_shape {values = dense<[1, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %19 = tosa.reshape %17, %18 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %20 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %21 = tosa.matmul %16, %19, %20, %20 : (tensor<1x1x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %22 = tosa.const_shape {values = dense<[4, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %23 = tosa.reshape %21, %22 : (tensor<1x1x128xf32>, !tosa.shape<3>) -> tensor<4x1x32xf32>
  %24 = tosa.const_shape {values = dense<[0, 0, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %25 = tosa.const_shape {values = dense<[4, 1, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %26 = tosa.slice %23, %24, %25 : (tensor<4x1x32xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<4x1x16xf32>
  %27 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %28 = tosa.negate %26, %27, %27 : (tensor<4x1x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x1x16xf32>
  %29 = tosa.const_shape {values = dense<[0, 0, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %30 = tosa.slice %23, %29, %25 : (tensor<4x1x32xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<4x1x16xf32>
  %31 = tosa.concat %28, %30 {axis = 2 : i32} : (tensor<4x1x16xf32>, tensor<4x1x16xf32>) -> tensor<4x1x32xf32>
  %32 = tosa.mul %23, %4, %6 : (tensor<4x1x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<4x1x32xf32>
  %33 = tosa.mul %31, %5, %6 : (tensor<4x1x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<4x1x32xf32>
  %34 = tosa.add %32, %33 : (tensor<4x1x32xf32>, tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
  %35 = tosa.cast %34 : (tensor<4x1x32xf32>) -> tensor<4x1x32xbf16>
  %36 = tosa.transpose %w_k {perms = array<i32: 1, 0>} : (tensor<64x128xbf16>) -> tensor<128x64xbf16>
  %37 = tosa.const_shape {values = dense<[1, 128, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %38 = tosa.reshape %36, %37 : (tensor<128x64xbf16>, !tosa.shape<3>) -> tensor<1x128x64xbf16>
  %39 = tosa.matmul %16, %38, %20, %20 : (tensor<1x1x128xbf16>, tensor<1x128x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x64xf32>
  %40 = tosa.const_shape {values = dense<[2, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %41 = tosa.reshape %39, %40 : (tensor<1x1x64xf32>, !tosa.shape<3>) -> tensor<2x1x32xf32>
  %42 = tosa.const_shape {values = dense<[2, 1, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %43 = tosa.slice %41, %24, %42 : (tensor<2x1x32xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x1x16xf32>
  %44 = tosa.negate %43, %27, %27 : (tensor<2x1x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x16xf32>
  %45 = tosa.slice %41, %29, %42 : (tensor<2x1x32xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x1x16xf32>
  %46 = tosa.concat %44, %45 {axis = 2 : i32} : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x1x32xf32>
  %47 = tosa.mul %41, %4, %6 : (tensor<2x1x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x1x32xf32>
  %48 = tosa.mul %46, %5, %6 : (tensor<2x1x32xf32>, tensor<1x1x32xf32>, tensor<1xi8>) -> tensor<2x1x32xf32>
  %49 = tosa.add %47, %48 : (tensor<2x1x32xf32>, tensor<2x1x32xf32>) -> tensor<2x1x32xf32>
  %50 = tosa.cast %49 : (tensor<2x1x32xf32>) -> tensor<2x1x32xbf16>
  %51 = tosa.transpose %w_v {perms = array<i32: 1, 0>} : (tensor<64x128xbf16>) -> tensor<128x64xbf16>
  %52 = tosa.reshape %51, %37 : (tensor<128x64xbf16>, !tosa.shape<3>) -> tensor<1x128x64xbf16>
  %53 = tosa.matmul %16, %52, %20, %20 : (tensor<1x1x128xbf16>, tensor<1x128x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x64xf32>
  %54 = tosa.cast %53 : (tensor<1x1x64xf32>) -> tensor<1x1x64xbf16>
  %55 = tosa.reshape %54, %40 : (tensor<1x1x64xbf16>, !tosa.shape<3>) -> tensor<2x1x32xbf16>
  %56 = tensor.insert_slice %50 into %ks[0, %at, 0] [2, 1, 32] [1, 1, 1] : tensor<2x1x32xbf16> into tensor<2x64x32xbf16>
  %57 = tensor.insert_slice %55 into %vs[0, %at, 0] [2, 1, 32] [1, 1, 1] : tensor<2x1x32xbf16> into tensor<2x64x32xbf16>
  %58 = tosa.const_shape {values = dense<[2, 1, 64, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %59 = tosa.reshape %56, %58 : (tensor<2x64x32xbf16>, !tosa.shape<4>) -> tensor<2x1x64x32xbf16>
  %60 = tosa.const_shape {values = dense<[1, 2, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %61 = tosa.tile %59, %60 : (tensor<2x1x64x32xbf16>, !tosa.shape<4>) -> tensor<2x2x64x32xbf16>
  %62 = tosa.const_shape {values = dense<[4, 64, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %63 = tosa.reshape %61, %62 : (tensor<2x2x64x32xbf16>, !tosa.shape<3>) -> tensor<4x64x32xbf16>
  %64 = tosa.transpose %63 {perms = array<i32: 0, 2, 1>} : (tensor<4x64x32xbf16>) -> tensor<4x32x64xbf16>
  %65 = tosa.matmul %35, %64, %20, %20 : (tensor<4x1x32xbf16>, tensor<4x32x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x1x64xf32>
  %66 = "tosa.const"() <{values = dense<1.767767e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %67 = tosa.mul %65, %66, %6 : (tensor<4x1x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x1x64xf32>
  %68 = tosa.add %67, %3 : (tensor<4x1x64xf32>, tensor<1x1x64xf32>) -> tensor<4x1x64xf32>
  %69 = tosa.reduce_max %68 {axis = 2 : i32} : (tensor<4x1x64xf32>) -> tensor<4x1x1xf32>
  %70 = tosa.sub %68, %69 : (tensor<4x1x64xf32>, tensor<4x1x1xf32>) -> tensor<4x1x64xf32>
  %71 = tosa.exp %70 : (tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %72 = tosa.reduce_sum %71 {axis = 2 : i32} : (tensor<4x1x64xf32>) -> tensor<4x1x1xf32>
  %73 = tosa.reciprocal %72 : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %74 = tosa.mul %71, %73, %6 : (tensor<4x1x64xf32>, tensor<4x1x1xf32>, tensor<1xi8>) -> tensor<4x1x64xf32>
  %75 = tosa.cast %74 : (tensor<4x1x64xf32>) -> tensor<4x1x64xbf16>
  %76 = tosa.reshape %57, %58 : (tensor<2x64x32xbf16>, !tosa.shape<4>) -> tensor<2x1x64x32xbf16>
  %77 = tosa.tile %76, %60 : (tensor<2x1x64x32xbf16>, !tosa.shape<4>) -> tensor<2x2x64x32xbf16>
  %78 = tosa.reshape %77, %62 : (tensor<2x2x64x32xbf16>, !tosa.shape<3>) -> tensor<4x64x32xbf16>
  %79 = tosa.matmul %75, %78, %20, %20 : (tensor<4x1x64xbf16>, tensor<4x64x32xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4x1x32xf32>
  %80 = tosa.cast %79 : (tensor<4x1x32xf32>) -> tensor<4x1x32xbf16>
  %81 = tosa.const_shape {values = dense<[1, 1, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %82 = tosa.reshape %80, %81 : (tensor<4x1x32xbf16>, !tosa.shape<3>) -> tensor<1x1x128xbf16>
  %83 = tosa.transpose %w_o {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %84 = tosa.reshape %83, %18 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %85 = tosa.matmul %82, %84, %20, %20 : (tensor<1x1x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %86 = tosa.add %85, %2 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>) -> tensor<1x1x128xf32>
  %87 = tosa.mul %86, %86, %6 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %88 = tosa.reduce_sum %87 {axis = 2 : i32} : (tensor<1x1x128xf32>) -> tensor<1x1x1xf32>
  %89 = tosa.mul %88, %9, %6 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %90 = tosa.add %89, %11 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %91 = tosa.rsqrt %90 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %92 = tosa.mul %86, %91, %6 : (tensor<1x1x128xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %93 = tosa.mul %92, %g_m, %6 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %94 = tosa.cast %93 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %95 = tosa.transpose %w_gate {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %96 = tosa.const_shape {values = dense<[1, 128, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %97 = tosa.reshape %95, %96 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %98 = tosa.matmul %94, %97, %20, %20 : (tensor<1x1x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x256xf32>
  %99 = tosa.sigmoid %98 : (tensor<1x1x256xf32>) -> tensor<1x1x256xf32>
  %100 = tosa.mul %98, %99, %6 : (tensor<1x1x256xf32>, tensor<1x1x256xf32>, tensor<1xi8>) -> tensor<1x1x256xf32>
  %101 = tosa.transpose %w_up {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %102 = tosa.reshape %101, %96 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %103 = tosa.matmul %94, %102, %20, %20 : (tensor<1x1x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x256xf32>
  %104 = tosa.mul %100, %103, %6 : (tensor<1x1x256xf32>, tensor<1x1x256xf32>, tensor<1xi8>) -> tensor<1x1x256xf32>
  %105 = tosa.cast %104 : (tensor<1x1x256xf32>) -> tensor<1x1x256xbf16>
  %106 = tosa.transpose %w_down {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %107 = tosa.const_shape {values = dense<[1, 256, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %108 = tosa.reshape %106, %107 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %109 = tosa.matmul %105, %108, %20, %20 : (tensor<1x1x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %110 = tosa.add %109, %86 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>) -> tensor<1x1x128xf32>
  %111 = tensor.insert_slice %110 into %out[%i, 0, 0, 0] [1, 1, 1, 128] [1, 1, 1, 1] : tensor<1x1x128xf32> into tensor<3x1x1x128xf32>
  scf.yield %111, %56, %57 : tensor<3x1x1x128xf32>, tensor<2x64x32xbf16>, tensor<2x64x32xbf16>
  }
  return %all#0, %all#1, %all#2 : tensor<3x1x1x128xf32>, tensor<2x64x32xbf16>, tensor<2x64x32xbf16>
}
