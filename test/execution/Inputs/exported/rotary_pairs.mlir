module {
  func.func @gptj2(%arg0: tensor<1x32x128xf32> {tt.name = "x"}, %arg1: tensor<1x32x1x32xf32> {tt.name = "sin"}, %arg2: tensor<1x32x1x32xf32> {tt.name = "cos"}, %arg3: tensor<128x128xf32> {tt.name = "wq"}, %arg4: tensor<128x128xf32> {tt.name = "wk"}) -> tensor<2x32x32xf32> attributes {tt.model} {
    %c0 = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1.250000e-01 : f32
    %c2 = arith.constant 0xFF800000 : f32
    %c3 = arith.constant 0 : i64
    %1 = tensor.empty() : tensor<128x128xf32>
    %2 = linalg.transpose ins(%arg3 : tensor<128x128xf32>) outs(%1 : tensor<128x128xf32>) permutation = [1, 0]
    %3 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x32x128xf32> into tensor<32x128xf32>
    %4 = tensor.empty() : tensor<32x128xf32>
    %5 = linalg.fill ins(%c0 : f32) outs(%4 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %6 = linalg.matmul ins(%3, %2 : tensor<32x128xf32>, tensor<128x128xf32>) outs(%5 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %7 = tensor.expand_shape %6 [[0, 1], [2]] output_shape [1, 32, 128] : tensor<32x128xf32> into tensor<1x32x128xf32>
    %8 = tensor.expand_shape %7 [[0], [1], [2, 3]] output_shape [1, 32, 2, 64] : tensor<1x32x128xf32> into tensor<1x32x2x64xf32>
    %9 = tensor.extract_slice %8[0, 0, 0, 0] [1, 32, 2, 32] [1, 1, 1, 2] : tensor<1x32x2x64xf32> to tensor<1x32x2x32xf32>
    %10 = tensor.extract_slice %8[0, 0, 0, 1] [1, 32, 2, 32] [1, 1, 1, 2] : tensor<1x32x2x64xf32> to tensor<1x32x2x32xf32>
    %11 = tensor.empty() : tensor<1x32x2x32xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %arg2 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%11 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %13 = tensor.empty() : tensor<1x32x2x32xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %arg1 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%13 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %15 = tensor.empty() : tensor<1x32x2x32xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<1x32x2x32xf32>, tensor<1x32x2x32xf32>) outs(%15 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %17 = tensor.empty() : tensor<1x32x2x32xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %arg1 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%17 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %19 = tensor.empty() : tensor<1x32x2x32xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %arg2 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%19 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %21 = tensor.empty() : tensor<1x32x2x32xf32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %20 : tensor<1x32x2x32xf32>, tensor<1x32x2x32xf32>) outs(%21 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %23 = tensor.expand_shape %16 [[0], [1], [2], [3, 4]] output_shape [1, 32, 2, 32, 1] : tensor<1x32x2x32xf32> into tensor<1x32x2x32x1xf32>
    %24 = tensor.expand_shape %22 [[0], [1], [2], [3, 4]] output_shape [1, 32, 2, 32, 1] : tensor<1x32x2x32xf32> into tensor<1x32x2x32x1xf32>
    %25 = tensor.concat dim(4) %23, %24 : (tensor<1x32x2x32x1xf32>, tensor<1x32x2x32x1xf32>) -> tensor<1x32x2x32x2xf32>
    %26 = tensor.collapse_shape %25 [[0], [1], [2], [3, 4]] : tensor<1x32x2x32x2xf32> into tensor<1x32x2x64xf32>
    %27 = tensor.empty() : tensor<128x128xf32>
    %28 = linalg.transpose ins(%arg4 : tensor<128x128xf32>) outs(%27 : tensor<128x128xf32>) permutation = [1, 0]
    %29 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x32x128xf32> into tensor<32x128xf32>
    %30 = tensor.empty() : tensor<32x128xf32>
    %31 = linalg.fill ins(%c0 : f32) outs(%30 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %32 = linalg.matmul ins(%29, %28 : tensor<32x128xf32>, tensor<128x128xf32>) outs(%31 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %33 = tensor.expand_shape %32 [[0, 1], [2]] output_shape [1, 32, 128] : tensor<32x128xf32> into tensor<1x32x128xf32>
    %34 = tensor.expand_shape %33 [[0], [1], [2, 3]] output_shape [1, 32, 2, 64] : tensor<1x32x128xf32> into tensor<1x32x2x64xf32>
    %35 = tensor.extract_slice %34[0, 0, 0, 0] [1, 32, 2, 32] [1, 1, 1, 2] : tensor<1x32x2x64xf32> to tensor<1x32x2x32xf32>
    %36 = tensor.extract_slice %34[0, 0, 0, 1] [1, 32, 2, 32] [1, 1, 1, 2] : tensor<1x32x2x64xf32> to tensor<1x32x2x32xf32>
    %37 = tensor.empty() : tensor<1x32x2x32xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %arg2 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%37 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %39 = tensor.empty() : tensor<1x32x2x32xf32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %arg1 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%39 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %41 = tensor.empty() : tensor<1x32x2x32xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %40 : tensor<1x32x2x32xf32>, tensor<1x32x2x32xf32>) outs(%41 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %43 = tensor.empty() : tensor<1x32x2x32xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %arg1 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%43 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %45 = tensor.empty() : tensor<1x32x2x32xf32>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %arg2 : tensor<1x32x2x32xf32>, tensor<1x32x1x32xf32>) outs(%45 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.mulf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %47 = tensor.empty() : tensor<1x32x2x32xf32>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %46 : tensor<1x32x2x32xf32>, tensor<1x32x2x32xf32>) outs(%47 : tensor<1x32x2x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.addf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32x2x32xf32>
    %49 = tensor.expand_shape %42 [[0], [1], [2], [3, 4]] output_shape [1, 32, 2, 32, 1] : tensor<1x32x2x32xf32> into tensor<1x32x2x32x1xf32>
    %50 = tensor.expand_shape %48 [[0], [1], [2], [3, 4]] output_shape [1, 32, 2, 32, 1] : tensor<1x32x2x32xf32> into tensor<1x32x2x32x1xf32>
    %51 = tensor.concat dim(4) %49, %50 : (tensor<1x32x2x32x1xf32>, tensor<1x32x2x32x1xf32>) -> tensor<1x32x2x32x2xf32>
    %52 = tensor.collapse_shape %51 [[0], [1], [2], [3, 4]] : tensor<1x32x2x32x2xf32> into tensor<1x32x2x64xf32>
    %53 = tensor.empty() : tensor<1x2x32x64xf32>
    %54 = linalg.transpose ins(%26 : tensor<1x32x2x64xf32>) outs(%53 : tensor<1x2x32x64xf32>) permutation = [0, 2, 1, 3]
    %55 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<1x2x32x64xf32> into tensor<2x32x64xf32>
    %56 = tensor.empty() : tensor<1x2x64x32xf32>
    %57 = linalg.transpose ins(%52 : tensor<1x32x2x64xf32>) outs(%56 : tensor<1x2x64x32xf32>) permutation = [0, 2, 3, 1]
    %58 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<1x2x64x32xf32> into tensor<2x64x32xf32>
    %59 = tensor.empty() : tensor<2x32x32xf32>
    %60 = linalg.fill ins(%c0 : f32) outs(%59 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %61 = linalg.batch_matmul ins(%55, %58 : tensor<2x32x64xf32>, tensor<2x64x32xf32>) outs(%60 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %62 = tensor.empty() : tensor<2x32x32xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x32x32xf32>) outs(%62 : tensor<2x32x32xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.mulf %in0, %c1 : f32
      linalg.yield %r : f32
    } -> tensor<2x32x32xf32>
    %64 = tensor.empty() : tensor<2x32x1xf32>
    %65 = linalg.fill ins(%c2 : f32) outs(%64 : tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %66 = tensor.empty() : tensor<2x32x1xi64>
    %67 = linalg.fill ins(%c3 : i64) outs(%66 : tensor<2x32x1xi64>) -> tensor<2x32x1xi64>
    %68:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x32x32xf32>) outs(%67, %65 : tensor<2x32x1xi64>, tensor<2x32x1xf32>) {
    ^bb0(%in0: f32, %out0: i64, %out1: f32):
      %i = linalg.index 2 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in0, %out1 : f32
      %c = arith.cmpf ogt, %in0, %out1 : f32
      %s = arith.select %c, %j, %out0 : i64
      linalg.yield %s, %m : i64, f32
    } -> (tensor<2x32x1xi64>, tensor<2x32x1xf32>)
    %69 = tensor.empty() : tensor<2x32x32xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %68#1 : tensor<2x32x32xf32>, tensor<2x32x1xf32>) outs(%69 : tensor<2x32x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.subf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x32x32xf32>
    %71 = tensor.empty() : tensor<2x32x32xf32>
    %72 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x32x32xf32>) outs(%71 : tensor<2x32x32xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = math.exp %in0 : f32
      linalg.yield %r : f32
    } -> tensor<2x32x32xf32>
    %73 = tensor.empty() : tensor<2x32x1xf32>
    %74 = linalg.fill ins(%c0 : f32) outs(%73 : tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%72 : tensor<2x32x32xf32>) outs(%74 : tensor<2x32x1xf32>) {
    ^bb0(%in0: f32, %out0: f32):
      %r = arith.addf %in0, %out0 : f32
      linalg.yield %r : f32
    } -> tensor<2x32x1xf32>
    %76 = tensor.empty() : tensor<2x32x32xf32>
    %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %75 : tensor<2x32x32xf32>, tensor<2x32x1xf32>) outs(%76 : tensor<2x32x32xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out0: f32):
      %r = arith.divf %in0, %in1 : f32
      linalg.yield %r : f32
    } -> tensor<2x32x32xf32>
    return %77 : tensor<2x32x32xf32>
  }
}
