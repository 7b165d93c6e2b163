// Decoding, a token a step: keys and values go into caches at the step's position, and attention goes over what the caches have up to there. The run says at which position it starts.
// Written by examples/models/make.py.
func.func @decode(%x: tensor<3x1x1x128xf32> {tt.name = "x"}, %k_cache: tensor<2x64x64xbf16> {tt.name = "k_cache"}, %v_cache: tensor<2x64x64xbf16> {tt.name = "v_cache"}, %start: index {tt.name = "start"}, %w_q: tensor<128x128xbf16> {tt.name = "w_q"}, %w_k: tensor<128x128xbf16> {tt.name = "w_k"}, %w_v: tensor<128x128xbf16> {tt.name = "w_v"}, %w_o: tensor<128x128xbf16> {tt.name = "w_o"}, %w_up: tensor<256x128xbf16> {tt.name = "w_up"}, %w_down: tensor<128x256xbf16> {tt.name = "w_down"}, %g_a: tensor<1x1x128xf32> {tt.name = "g_a"}, %g_m: tensor<1x1x128xf32> {tt.name = "g_m"}) -> (tensor<3x1x1x128xf32>, tensor<2x64x64xbf16>, tensor<2x64x64xbf16>) attributes {tt.model} {
  %1 = tensor.empty() : tensor<3x1x1x128xf32>
  %first = arith.constant 0 : index
  %next = arith.constant 1 : index
  %steps = arith.constant 3 : index
  %low = arith.constant -1.0e9 : f32
  %zero = arith.constant 0.0 : f32
  %all:3 = scf.for %i = %first to %steps step %next iter_args(%out = %1, %ks = %k_cache, %vs = %v_cache) -> (tensor<3x1x1x128xf32>, tensor<2x64x64xbf16>, tensor<2x64x64xbf16>) {
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
  %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %5 = tosa.mul %2, %2, %4 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %6 = tosa.reduce_sum %5 {axis = 2 : i32} : (tensor<1x1x128xf32>) -> tensor<1x1x1xf32>
  %7 = "tosa.const"() <{values = dense<7.812500e-03> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %8 = tosa.mul %6, %7, %4 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %9 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %10 = tosa.add %8, %9 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %11 = tosa.rsqrt %10 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %12 = tosa.mul %2, %11, %4 : (tensor<1x1x128xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %13 = tosa.mul %12, %g_a, %4 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %14 = tosa.cast %13 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %15 = tosa.transpose %w_q {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %16 = tosa.const_shape {values = dense<[1, 128, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %17 = tosa.reshape %15, %16 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %18 = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %19 = tosa.matmul %14, %17, %18, %18 : (tensor<1x1x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %20 = tosa.cast %19 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %21 = tosa.const_shape {values = dense<[2, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %22 = tosa.reshape %20, %21 : (tensor<1x1x128xbf16>, !tosa.shape<3>) -> tensor<2x1x64xbf16>
  %23 = tosa.transpose %w_k {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %24 = tosa.reshape %23, %16 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %25 = tosa.matmul %14, %24, %18, %18 : (tensor<1x1x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %26 = tosa.cast %25 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %27 = tosa.reshape %26, %21 : (tensor<1x1x128xbf16>, !tosa.shape<3>) -> tensor<2x1x64xbf16>
  %28 = tosa.transpose %w_v {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %29 = tosa.reshape %28, %16 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %30 = tosa.matmul %14, %29, %18, %18 : (tensor<1x1x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %31 = tosa.cast %30 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %32 = tosa.reshape %31, %21 : (tensor<1x1x128xbf16>, !tosa.shape<3>) -> tensor<2x1x64xbf16>
  %33 = tensor.insert_slice %27 into %ks[0, %at, 0] [2, 1, 64] [1, 1, 1] : tensor<2x1x64xbf16> into tensor<2x64x64xbf16>
  %34 = tensor.insert_slice %32 into %vs[0, %at, 0] [2, 1, 64] [1, 1, 1] : tensor<2x1x64xbf16> into tensor<2x64x64xbf16>
  %35 = tosa.transpose %33 {perms = array<i32: 0, 2, 1>} : (tensor<2x64x64xbf16>) -> tensor<2x64x64xbf16>
  %36 = tosa.matmul %22, %35, %18, %18 : (tensor<2x1x64xbf16>, tensor<2x64x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x1x64xf32>
  %37 = "tosa.const"() <{values = dense<1.250000e-01> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %38 = tosa.mul %36, %37, %4 : (tensor<2x1x64xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x64xf32>
  %39 = tosa.add %38, %3 : (tensor<2x1x64xf32>, tensor<1x1x64xf32>) -> tensor<2x1x64xf32>
  %40 = tosa.reduce_max %39 {axis = 2 : i32} : (tensor<2x1x64xf32>) -> tensor<2x1x1xf32>
  %41 = tosa.sub %39, %40 : (tensor<2x1x64xf32>, tensor<2x1x1xf32>) -> tensor<2x1x64xf32>
  %42 = tosa.exp %41 : (tensor<2x1x64xf32>) -> tensor<2x1x64xf32>
  %43 = tosa.reduce_sum %42 {axis = 2 : i32} : (tensor<2x1x64xf32>) -> tensor<2x1x1xf32>
  %44 = tosa.reciprocal %43 : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %45 = tosa.mul %42, %44, %4 : (tensor<2x1x64xf32>, tensor<2x1x1xf32>, tensor<1xi8>) -> tensor<2x1x64xf32>
  %46 = tosa.cast %45 : (tensor<2x1x64xf32>) -> tensor<2x1x64xbf16>
  %47 = tosa.matmul %46, %34, %18, %18 : (tensor<2x1x64xbf16>, tensor<2x64x64xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x1x64xf32>
  %48 = tosa.cast %47 : (tensor<2x1x64xf32>) -> tensor<2x1x64xbf16>
  %49 = tosa.const_shape {values = dense<[1, 1, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %50 = tosa.reshape %48, %49 : (tensor<2x1x64xbf16>, !tosa.shape<3>) -> tensor<1x1x128xbf16>
  %51 = tosa.transpose %w_o {perms = array<i32: 1, 0>} : (tensor<128x128xbf16>) -> tensor<128x128xbf16>
  %52 = tosa.reshape %51, %16 : (tensor<128x128xbf16>, !tosa.shape<3>) -> tensor<1x128x128xbf16>
  %53 = tosa.matmul %50, %52, %18, %18 : (tensor<1x1x128xbf16>, tensor<1x128x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %54 = tosa.add %53, %2 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>) -> tensor<1x1x128xf32>
  %55 = tosa.mul %54, %54, %4 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %56 = tosa.reduce_sum %55 {axis = 2 : i32} : (tensor<1x1x128xf32>) -> tensor<1x1x1xf32>
  %57 = tosa.mul %56, %7, %4 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1xf32>
  %58 = tosa.add %57, %9 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %59 = tosa.rsqrt %58 : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %60 = tosa.mul %54, %59, %4 : (tensor<1x1x128xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %61 = tosa.mul %60, %g_m, %4 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>, tensor<1xi8>) -> tensor<1x1x128xf32>
  %62 = tosa.cast %61 : (tensor<1x1x128xf32>) -> tensor<1x1x128xbf16>
  %63 = tosa.transpose %w_up {perms = array<i32: 1, 0>} : (tensor<256x128xbf16>) -> tensor<128x256xbf16>
  %64 = tosa.const_shape {values = dense<[1, 128, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %65 = tosa.reshape %63, %64 : (tensor<128x256xbf16>, !tosa.shape<3>) -> tensor<1x128x256xbf16>
  %66 = tosa.matmul %62, %65, %18, %18 : (tensor<1x1x128xbf16>, tensor<1x128x256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x256xf32>
  %67 = tosa.sigmoid %66 : (tensor<1x1x256xf32>) -> tensor<1x1x256xf32>
  %68 = tosa.mul %66, %67, %4 : (tensor<1x1x256xf32>, tensor<1x1x256xf32>, tensor<1xi8>) -> tensor<1x1x256xf32>
  %69 = tosa.cast %68 : (tensor<1x1x256xf32>) -> tensor<1x1x256xbf16>
  %70 = tosa.transpose %w_down {perms = array<i32: 1, 0>} : (tensor<128x256xbf16>) -> tensor<256x128xbf16>
  %71 = tosa.const_shape {values = dense<[1, 256, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %72 = tosa.reshape %70, %71 : (tensor<256x128xbf16>, !tosa.shape<3>) -> tensor<1x256x128xbf16>
  %73 = tosa.matmul %69, %72, %18, %18 : (tensor<1x1x256xbf16>, tensor<1x256x128xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x1x128xf32>
  %74 = tosa.add %73, %54 : (tensor<1x1x128xf32>, tensor<1x1x128xf32>) -> tensor<1x1x128xf32>
  %75 = tensor.insert_slice %74 into %out[%i, 0, 0, 0] [1, 1, 1, 128] [1, 1, 1, 1] : tensor<1x1x128xf32> into tensor<3x1x1x128xf32>
  scf.yield %75, %33, %34 : tensor<3x1x1x128xf32>, tensor<2x64x64xbf16>, tensor<2x64x64xbf16>
  }
  return %all#0, %all#1, %all#2 : tensor<3x1x1x128xf32>, tensor<2x64x64xbf16>, tensor<2x64x64xbf16>
}
