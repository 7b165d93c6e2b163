// RUN: tt-opt --tt-drop-unit-dims %s | FileCheck %s
#hmk = affine_map<(h, m, n, k) -> (h, m, k)>
#hnk = affine_map<(h, m, n, k) -> (h, n, k)>
#hmn = affine_map<(h, m, n, k) -> (h, m, n)>

// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @heads
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<4x32x64xbf16> to tensor<32x64xbf16>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<32x32xf32>
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<32x32xf32>)
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [32, 32] [1, 1] : tensor<32x64xbf16> to tensor<32x32xbf16>
// CHECK: linalg.contract indexing_maps = [#[[MK]], #[[NK]], #[[MN]]]
// CHECK: linalg.generic
// CHECK: linalg.index 0
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%{{.*}}, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<32x32xf32> into tensor<4x32x32xf32>
func.func @heads(%q: tensor<4x32x64xbf16>, %k: tensor<4x32x64xbf16>) -> tensor<4x32x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %0 = tensor.empty() : tensor<4x32x32xf32>
  %r = scf.forall (%h) in (4) shared_outs(%o = %0) -> (tensor<4x32x32xf32>) {
    %a = tensor.extract_slice %q[%h, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<4x32x64xbf16> to tensor<1x32x64xbf16>
    %b = tensor.extract_slice %k[%h, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<4x32x64xbf16> to tensor<1x32x64xbf16>
    %e = tensor.empty() : tensor<1x32x32xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
    %s = scf.for %i = %c0 to %c64 step %c32 iter_args(%acc = %f) -> (tensor<1x32x32xf32>) {
      %u = tensor.extract_slice %a[0, 0, %i] [1, 32, 32] [1, 1, 1] : tensor<1x32x64xbf16> to tensor<1x32x32xbf16>
      %v = tensor.extract_slice %b[0, 0, %i] [1, 32, 32] [1, 1, 1] : tensor<1x32x64xbf16> to tensor<1x32x32xbf16>
      %p = linalg.contract indexing_maps = [#hmk, #hnk, #hmn] ins(%u, %v : tensor<1x32x32xbf16>, tensor<1x32x32xbf16>) outs(%acc : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
      scf.yield %p : tensor<1x32x32xf32>
    }
    %m = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<1x32x32xf32>) outs(%e : tensor<1x32x32xf32>) {
      ^bb0(%x: f32, %out: f32):
        %i = linalg.index 1 : index
        %j = linalg.index 2 : index
        %c = arith.cmpi uge, %i, %j : index
        %y = arith.select %c, %x, %zero : f32
        linalg.yield %y : f32
    } -> tensor<1x32x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%h, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<1x32x32xf32> into tensor<4x32x32xf32>
    }
  }
  return %r : tensor<4x32x32xf32>
}

// What works on the shapes that it has gets an argument as it is.
// CHECK-LABEL: func.func @padded
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg0 {{.*}} : tensor<1x8x32xf32> into tensor<8x32xf32>
// CHECK: %[[X:.*]] = tensor.expand_shape %[[C]] {{.*}} : tensor<8x32xf32> into tensor<1x8x32xf32>
// CHECK: tensor.pad %[[X]]
// CHECK: tensor.collapse_shape {{.*}} : tensor<1x10x32xf32> into tensor<10x32xf32>
func.func @padded(%x: tensor<1x8x32xf32>) -> tensor<1x10x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %zero : f32
  } : tensor<1x8x32xf32> to tensor<1x10x32xf32>
  %e = tensor.empty() : tensor<1x10x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<1x10x32xf32>) outs(%e : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
  } -> tensor<1x10x32xf32>
  return %y : tensor<1x10x32xf32>
}

// A window that has one place does not reach the end of its operand.
// CHECK-LABEL: func.func @window
// CHECK: %[[X:.*]] = tensor.extract_slice {{.*}}[0, 0] [3, 32] [1, 1] : tensor<5x32xf32> to tensor<3x32xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<3x32xf32>, tensor<3xf32>)
func.func @window(%x: tensor<1x5x32xf32>, %w: tensor<3xf32>) -> tensor<1x1x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x32xf32>) -> tensor<1x1x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, y, c, a) -> (b, y * 2 + a, c)>, affine_map<(b, y, c, a) -> (a)>, affine_map<(b, y, c, a) -> (b, y, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x5x32xf32>, tensor<3xf32>) outs(%f : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %weight: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
  } -> tensor<1x1x32xf32>
  return %y : tensor<1x1x32xf32>
}
