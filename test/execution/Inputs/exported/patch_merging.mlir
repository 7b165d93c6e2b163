module {
  func.func @swin2(%arg0: tensor<1x16x16x32xf32> {tt.name = "x"}, %arg1: tensor<32x32xf32> {tt.name = "w0"}, %arg2: tensor<128xf32> {tt.name = "g"}, %arg3: tensor<128xf32> {tt.name = "b"}, %arg4: tensor<64x128xf32> {tt.name = "w"}) -> tensor<1x64x64xf32> attributes {tt.model} {
    %c0 = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1.414214e+00 : f32
    %c2 = arith.constant 5.000000e-01 : f32
    %c3 = arith.constant 1.000000e+00 : f32
    %c4 = arith.constant 1.280000e+02 : f32
    %c5 = arith.constant 1.000000e-05 : f32
    %1 = tensor.collapse_shape %arg0 [[0], [1, 2], [3]] : tensor<1x16x16x32xf32> into tensor<1x256x32xf32>
    %2 = tensor.empty() : tensor<32x32xf32>
    %3 = linalg.transpose ins(%arg1 : tensor<32x32xf32>) outs(%2 : tensor<32x32xf32>) permutation = [1, 0]
    %4 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<1x256x32xf32> into tensor<256x32xf32>
    %5 = tensor.empty() : tensor<256x32xf32>
    %6 = linalg.fill ins(%c0 : f32) outs(%5 : tensor<256x32xf32>) -> tensor<256x32xf32>
    %7 = linalg.matmul ins(%4, %3 : tensor<256x32xf32>, tensor<32x32xf32>) outs(%6 : tensor<256x32xf32>) -> tensor<256x32xf32>
    %8 = tensor.expand_shape %7 [[0, 1], [2]] output_shape [1, 256, 32] : tensor<256x32xf32> into tensor<1x256x32xf32>
    %9 = tensor.empty() : tensor<1x256x32xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x256x32xf32>) outs(%9 : tensor<1x256x32xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %d = arith.divf %in0, %c1 : f32
      %e = math.erf %d : f32
      %p = arith.addf %e, %c3 : f32
      %m = arith.mulf %p, %c2 : f32
      %r = arith.mulf %in0, %m : f32
      linalg.yield %r : f32
    } -> tensor<1x256x32xf32>
    %11 = tensor.empty() : tensor<1x256x32xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %1 : tensor<1x256x32xf32>, tensor<1x256x32xf32>) outs(%11 : tensor<1x256x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x256x32xf32>
    %13 = tensor.expand_shape %12 [[0], [1, 2], [3]] output_shape [1, 16, 16, 32] : tensor<1x256x32xf32> into tensor<1x16x16x32xf32>
    %14 = tensor.extract_slice %13[0, 0, 0, 0] [1, 8, 8, 32] [1, 2, 2, 1] : tensor<1x16x16x32xf32> to tensor<1x8x8x32xf32>
    %15 = tensor.extract_slice %13[0, 1, 0, 0] [1, 8, 8, 32] [1, 2, 2, 1] : tensor<1x16x16x32xf32> to tensor<1x8x8x32xf32>
    %16 = tensor.extract_slice %13[0, 0, 1, 0] [1, 8, 8, 32] [1, 2, 2, 1] : tensor<1x16x16x32xf32> to tensor<1x8x8x32xf32>
    %17 = tensor.extract_slice %13[0, 1, 1, 0] [1, 8, 8, 32] [1, 2, 2, 1] : tensor<1x16x16x32xf32> to tensor<1x8x8x32xf32>
    %18 = tensor.concat dim(3) %14, %15, %16, %17 : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x128xf32>
    %19 = tensor.empty() : tensor<1x8x8x1xf32>
    %20 = linalg.fill ins(%c0 : f32) outs(%19 : tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x8x8x128xf32>) outs(%20 : tensor<1x8x8x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.addf %in0, %out0 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x1xf32>
    %22 = tensor.empty() : tensor<1x8x8x1xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x8x8x1xf32>) outs(%22 : tensor<1x8x8x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.divf %in0, %c4 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x1xf32>
    %24 = tensor.empty() : tensor<1x8x8x128xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %23 : tensor<1x8x8x128xf32>, tensor<1x8x8x1xf32>) outs(%24 : tensor<1x8x8x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x128xf32>
    %26 = tensor.empty() : tensor<1x8x8x128xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %25 : tensor<1x8x8x128xf32>, tensor<1x8x8x128xf32>) outs(%26 : tensor<1x8x8x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x128xf32>
    %28 = tensor.empty() : tensor<1x8x8x1xf32>
    %29 = linalg.fill ins(%c0 : f32) outs(%28 : tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x8x8x128xf32>) outs(%29 : tensor<1x8x8x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.addf %in0, %out0 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x1xf32>
    %31 = tensor.empty() : tensor<1x8x8x1xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x8x8x1xf32>) outs(%31 : tensor<1x8x8x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.divf %in0, %c4 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x1xf32>
    %33 = tensor.empty() : tensor<1x8x8x1xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x8x8x1xf32>) outs(%33 : tensor<1x8x8x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.addf %in0, %c5 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x1xf32>
    %35 = tensor.empty() : tensor<1x8x8x1xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x8x8x1xf32>) outs(%35 : tensor<1x8x8x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.rsqrt %in0 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x1xf32>
    %37 = tensor.empty() : tensor<1x8x8x128xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %36 : tensor<1x8x8x128xf32>, tensor<1x8x8x1xf32>) outs(%37 : tensor<1x8x8x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x128xf32>
    %39 = tensor.empty() : tensor<1x8x8x128xf32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %arg2 : tensor<1x8x8x128xf32>, tensor<128xf32>) outs(%39 : tensor<1x8x8x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x128xf32>
    %41 = tensor.empty() : tensor<1x8x8x128xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %arg3 : tensor<1x8x8x128xf32>, tensor<128xf32>) outs(%41 : tensor<1x8x8x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x8x128xf32>
    %43 = tensor.collapse_shape %42 [[0], [1, 2], [3]] : tensor<1x8x8x128xf32> into tensor<1x64x128xf32>
    %44 = tensor.empty() : tensor<128x64xf32>
    %45 = linalg.transpose ins(%arg4 : tensor<64x128xf32>) outs(%44 : tensor<128x64xf32>) permutation = [1, 0]
    %46 = tensor.collapse_shape %43 [[0, 1], [2]] : tensor<1x64x128xf32> into tensor<64x128xf32>
    %47 = tensor.empty() : tensor<64x64xf32>
    %48 = linalg.fill ins(%c0 : f32) outs(%47 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %49 = linalg.matmul ins(%46, %45 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%48 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %50 = tensor.expand_shape %49 [[0, 1], [2]] output_shape [1, 64, 64] : tensor<64x64xf32> into tensor<1x64x64xf32>
    return %50 : tensor<1x64x64xf32>
  }
}
