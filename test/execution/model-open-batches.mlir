// Models whose batch is open, as exporters leave it: convolutions with padding and strides, pools, patches, attention over batches
// and heads (a grid of four dimensions). Open sizes of results are those of arguments.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/conv.mlir --check --strict --arch=blackhole --shape x=3x8x8x8
// RUN: %if all %{ tt-run %t/patches.mlir --check --strict --shape x=3x16x16x3 %}
// RUN: %if all %{ tt-run %t/strided.mlir --check --strict --shape x=2x16x16x32 %}
// RUN: %if all %{ tt-run %t/masked.mlir --check --strict --arch=blackhole --shape q=2x4x40x16 --shape k=2x4x50x16 --shape v=2x4x50x16 --shape mask=2x1x1x50 %}
// RUN: tt-run %t/heads.mlir --check --strict --shape q=3x3x20x16 --shape mask=3x20
// RUN: not tt-run %t/heads.mlir --shape q=3x3x20x16 --shape mask=2x20 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tt-run %t/grown.mlir --shape k=2x33x32 2>&1 | FileCheck %s --check-prefix=GROWN
// RUN: not tt-run %t/joint.mlir --shape x=2x33x32 2>&1 | FileCheck %s --check-prefix=JOINT

// OTHER: error: --shape mask: dimension 0 of tensor 'mask' is 2, but the kernel takes it to be equal to q_d0, which is 3
// GROWN: grown.mlir:2:8: error: puts a tensor into another one along dimension 1, whose size is open
// JOINT: joint.mlir:2:8: error: dimension 0 of 'result' is no size of an argument

//--- conv.mlir
func.func @net(%x: tensor<?x8x8x8xf32> {tt.name = "x"}, %w: tensor<16x3x3x8xf32> {tt.name = "w"}, %b: tensor<16xf32> {tt.name = "b"}, %fc: tensor<1x256x10xf32> {tt.name = "fc"}) -> tensor<?x10xf32> attributes {tt.model} {
  %zf = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %sh = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w, %b, %zf, %zf {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x8x8x8xf32>, tensor<16x3x3x8xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x16xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?x8x8x16xf32>) -> tensor<?x8x8x16xf32>
  %p = tosa.max_pool2d %r {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<?x8x8x16xf32>) -> tensor<?x4x4x16xf32>
  %s = tosa.const_shape {values = dense<[1, -1, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %f = tosa.reshape %p, %s : (tensor<?x4x4x16xf32>, !tosa.shape<3>) -> tensor<1x?x256xf32>
  %m = tosa.matmul %f, %fc, %zf, %zf : (tensor<1x?x256xf32>, tensor<1x256x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x10xf32>
  %s2 = tosa.const_shape {values = dense<[-1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %o = tosa.reshape %m, %s2 : (tensor<1x?x10xf32>, !tosa.shape<2>) -> tensor<?x10xf32>
  return %o : tensor<?x10xf32>
}

// Products go over batch and heads as one dimension, as torch-mlir has them; the mask has a row for each of the batch.
//--- heads.mlir
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#mask = affine_map<(b, h, i, j) -> (b, j)>
func.func @heads(%q: tensor<?x3x20x16xf32> {tt.name = "q"}, %mask: tensor<?x20xi64> {tt.name = "mask", tt.range = [0, 1]}) -> tensor<?x3x20x16xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %big = arith.constant -1.0e+9 : f32
  %n = tensor.dim %q, %c0 : tensor<?x3x20x16xf32>
  %m = arith.muli %n, %c3 : index
  %te = tensor.empty(%n) : tensor<?x3x16x20xf32>
  %t = linalg.transpose ins(%q : tensor<?x3x20x16xf32>) outs(%te : tensor<?x3x16x20xf32>) permutation = [0, 1, 3, 2]
  %fq = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<?x3x20x16xf32> into tensor<?x20x16xf32>
  %ft = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<?x3x16x20xf32> into tensor<?x16x20xf32>
  %se = tensor.empty(%m) : tensor<?x20x20xf32>
  %sf = linalg.fill ins(%z : f32) outs(%se : tensor<?x20x20xf32>) -> tensor<?x20x20xf32>
  %s = linalg.batch_matmul ins(%fq, %ft : tensor<?x20x16xf32>, tensor<?x16x20xf32>) outs(%sf : tensor<?x20x20xf32>) -> tensor<?x20x20xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [%n, 3, 20, 20] : tensor<?x20x20xf32> into tensor<?x3x20x20xf32>
  %e4 = tensor.empty(%n) : tensor<?x3x20x20xf32>
  %b = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %mask : tensor<?x3x20x20xf32>, tensor<?x20xi64>) outs(%e4 : tensor<?x3x20x20xf32>) {
  ^bb0(%x: f32, %y: i64, %o: f32):
    %c = arith.cmpi eq, %y, %zero : i64
    %r = arith.select %c, %big, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x3x20x20xf32>
  %e3 = tensor.empty(%n) : tensor<?x3x20xf32>
  %lf = linalg.fill ins(%least : f32) outs(%e3 : tensor<?x3x20xf32>) -> tensor<?x3x20xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%b : tensor<?x3x20x20xf32>) outs(%lf : tensor<?x3x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.maximumf %x, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x3x20xf32>
  %ex = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %max : tensor<?x3x20x20xf32>, tensor<?x3x20xf32>) outs(%e4 : tensor<?x3x20x20xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<?x3x20x20xf32>
  %zf = linalg.fill ins(%z : f32) outs(%e3 : tensor<?x3x20xf32>) -> tensor<?x3x20xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%ex : tensor<?x3x20x20xf32>) outs(%zf : tensor<?x3x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x3x20xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%ex, %sum : tensor<?x3x20x20xf32>, tensor<?x3x20xf32>) outs(%e4 : tensor<?x3x20x20xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<?x3x20x20xf32>
  %fp = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<?x3x20x20xf32> into tensor<?x20x20xf32>
  %oe = tensor.empty(%m) : tensor<?x20x16xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<?x20x16xf32>) -> tensor<?x20x16xf32>
  %o = linalg.batch_matmul ins(%fp, %fq : tensor<?x20x20xf32>, tensor<?x20x16xf32>) outs(%of : tensor<?x20x16xf32>) -> tensor<?x20x16xf32>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [%n, 3, 20, 16] : tensor<?x20x16xf32> into tensor<?x3x20x16xf32>
  return %o4 : tensor<?x3x20x16xf32>
}

//--- patches.mlir
func.func @vit(%x: tensor<?x16x16x3xf32> {tt.name = "x"}, %w: tensor<64x8x8x3xf32> {tt.name = "w"}, %b: tensor<64xf32> {tt.name = "b"}, %pos: tensor<1x4x64xf32> {tt.name = "pos"}) -> tensor<?x4x64xf32> attributes {tt.model} {
  %zf = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %sh = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w, %b, %zf, %zf {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 8, 8>} : (tensor<?x16x16x3xf32>, tensor<64x8x8x3xf32>, tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x2x2x64xf32>
  %s = tosa.const_shape {values = dense<[-1, 4, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r = tosa.reshape %c, %s : (tensor<?x2x2x64xf32>, !tosa.shape<3>) -> tensor<?x4x64xf32>
  %o = tosa.add %r, %pos : (tensor<?x4x64xf32>, tensor<1x4x64xf32>) -> tensor<?x4x64xf32>
  return %o : tensor<?x4x64xf32>
}

//--- strided.mlir
func.func @res(%x: tensor<?x16x16x32xf32> {tt.name = "x"}, %w1: tensor<64x3x3x32xf32> {tt.name = "w1"}, %b1: tensor<64xf32> {tt.name = "b1"}, %w2: tensor<64x3x3x32xf32> {tt.name = "w2"}, %dw: tensor<3x3x64x1xf32> {tt.name = "dw"}) -> tensor<?x64xf32> attributes {tt.model} {
  %zf = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %sh = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w1, %b1, %zf, %zf {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<?x16x16x32xf32>, tensor<64x3x3x32xf32>, tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x64xf32>
  %cs = tosa.const_shape {values = dense<[-1, 8, 8, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %d = tosa.conv2d %x, %w2, %b1, %zf, %zf {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>} : (tensor<?x16x16x32xf32>, tensor<64x3x3x32xf32>, tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x64xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4e38 : f32} : (tensor<?x8x8x64xf32>) -> tensor<?x8x8x64xf32>
  %p = tosa.depthwise_conv2d %r, %dw, %b1, %zf, %zf {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x8x8x64xf32>, tensor<3x3x64x1xf32>, tensor<64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x64xf32>
  %q = tosa.add %p, %d : (tensor<?x8x8x64xf32>, tensor<?x8x8x64xf32>) -> tensor<?x8x8x64xf32>
  %a = tosa.avg_pool2d %q, %zf, %zf {acc_type = f32, kernel = array<i64: 8, 8>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 8, 8>} : (tensor<?x8x8x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x1x1x64xf32>
  %s = tosa.const_shape {values = dense<[-1, 64]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %o = tosa.reshape %a, %s : (tensor<?x1x1x64xf32>, !tosa.shape<2>) -> tensor<?x64xf32>
  return %o : tensor<?x64xf32>
}

//--- masked.mlir
func.func @bert(%q: tensor<?x4x?x16xf32> {tt.name = "q"}, %k: tensor<?x4x?x16xf32> {tt.name = "k"}, %v: tensor<?x4x?x16xf32> {tt.name = "v"}, %mask: tensor<?x1x1x?xf32> {tt.name = "mask"}) -> tensor<?x4x?x16xf32> attributes {tt.model} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %cst = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %b = tensor.dim %q, %c0 : tensor<?x4x?x16xf32>
  %s = tensor.dim %q, %c2 : tensor<?x4x?x16xf32>
  %t = tensor.dim %k, %c2 : tensor<?x4x?x16xf32>
  %e = tensor.empty(%b, %s, %t) : tensor<?x4x?x?xf32>
  %f = linalg.fill ins(%cst : f32) outs(%e : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
  %sc = linalg.generic {indexing_maps = [affine_map<(b,h,i,j,d) -> (b,h,i,d)>, affine_map<(b,h,i,j,d) -> (b,h,j,d)>, affine_map<(b,h,i,j,d) -> (b,h,i,j)>], iterator_types = ["parallel","parallel","parallel","parallel","reduction"]} ins(%q, %k : tensor<?x4x?x16xf32>, tensor<?x4x?x16xf32>) outs(%f : tensor<?x4x?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %a = arith.addf %m, %o : f32
    linalg.yield %a : f32
  } -> tensor<?x4x?x?xf32>
  %ms = linalg.generic {indexing_maps = [affine_map<(b,h,i,j) -> (b,h,i,j)>, affine_map<(b,h,i,j) -> (b,0,0,j)>, affine_map<(b,h,i,j) -> (b,h,i,j)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%sc, %mask : tensor<?x4x?x?xf32>, tensor<?x1x1x?xf32>) outs(%e : tensor<?x4x?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %scale : f32
    %a = arith.addf %m, %y : f32
    linalg.yield %a : f32
  } -> tensor<?x4x?x?xf32>
  %p = linalg.softmax dimension(3) ins(%ms : tensor<?x4x?x?xf32>) outs(%e : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
  %e2 = tensor.empty(%b, %s) : tensor<?x4x?x16xf32>
  %f2 = linalg.fill ins(%cst : f32) outs(%e2 : tensor<?x4x?x16xf32>) -> tensor<?x4x?x16xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b,h,i,d,j) -> (b,h,i,j)>, affine_map<(b,h,i,d,j) -> (b,h,j,d)>, affine_map<(b,h,i,d,j) -> (b,h,i,d)>], iterator_types = ["parallel","parallel","parallel","parallel","reduction"]} ins(%p, %v : tensor<?x4x?x?xf32>, tensor<?x4x?x16xf32>) outs(%f2 : tensor<?x4x?x16xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %a = arith.addf %m, %z : f32
    linalg.yield %a : f32
  } -> tensor<?x4x?x16xf32>
  return %o : tensor<?x4x?x16xf32>
}

//--- grown.mlir
func.func @cat(%k: tensor<2x?x32xf32> {tt.name = "k"}, %n: tensor<2x1x32xf32> {tt.name = "n"}) -> (tensor<2x?x32xf32>) attributes {tt.model} {
  %c = tosa.concat %k, %n {axis = 1 : i32} : (tensor<2x?x32xf32>, tensor<2x1x32xf32>) -> tensor<2x?x32xf32>
  return %c : tensor<2x?x32xf32>
}

//--- joint.mlir
func.func @joint(%x: tensor<?x?x32xf32> {tt.name = "x"}) -> tensor<?x32xf32> attributes {tt.model} {
  %t = tosa.tanh %x : (tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %s = tosa.const_shape {values = dense<[-1, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %t, %s : (tensor<?x?x32xf32>, !tosa.shape<2>) -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}
