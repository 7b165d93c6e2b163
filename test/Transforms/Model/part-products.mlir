// RUN: tt-opt --tt-part-products %s | FileCheck %s
#x = affine_map<(t, n, k) -> (t, k)>
#w = affine_map<(t, n, k) -> (n, k)>
#o = affine_map<(t, n, k) -> (t, n)>
#thc = affine_map<(h, t, c) -> (t, h, c)>
#tc = affine_map<(h, t, c) -> (t, c)>
#htc = affine_map<(h, t, c) -> (h, t, c)>

// Halves of heads that are turned: a product for each, in the order in which it is read, and one op with two results,
// each of which goes where it is put.
// CHECK-DAG: #[[HCK:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
// CHECK-DAG: #[[TK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-DAG: #[[HTC:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @rotary
// CHECK: %[[V:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [8, 64, 512]
// CHECK: %[[W0:.*]] = tensor.extract_slice %[[V]][0, 0, 0] [8, 32, 512]
// CHECK: %[[A:.*]] = linalg.contract indexing_maps = [#[[TK]], #[[HCK]], #[[HTC]]] ins(%arg0, %[[W0]] : {{.*}}) outs(%{{.*}} : tensor<8x256x32xf32>)
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[V]][0, 32, 0] [8, 32, 512]
// CHECK: %[[B:.*]] = linalg.contract {{.*}} ins(%arg0, %[[W1]] :
// CHECK-NOT: linalg.contract
// CHECK-DAG: %[[O0:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [8, 256, 32] [1, 1, 1] : tensor<8x256x64xf32>
// CHECK-DAG: %[[O1:.*]] = tensor.extract_slice %{{.*}}[0, 0, 32] [8, 256, 32] [1, 1, 1] : tensor<8x256x64xf32>
// CHECK: %[[R:.*]]:2 = linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]], #[[ALL]], #[[ROW]], #[[ALL]], #[[ALL]], #[[ALL]]]
// CHECK-SAME: ins(%[[A]], %arg2, %[[B]], %[[B]], %arg2, %[[A]] : {{.*}}) outs(%[[O0]], %[[O1]] :
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: tensor.insert_slice %[[R]]#0 into %{{.*}}[0, 0, 0]
// CHECK: tensor.insert_slice %[[R]]#1 into %{{.*}}[0, 0, 32]
func.func @rotary(%x: tensor<256x512xbf16>, %w: tensor<512x512xbf16>, %c: tensor<256x32xf32>) -> tensor<8x256x64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<256x512xbf16>, tensor<512x512xbf16>) outs(%f : tensor<256x512xf32>) -> tensor<256x512xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [256, 8, 64] : tensor<256x512xf32> into tensor<256x8x64xf32>
  %a = tensor.extract_slice %h[0, 0, 0] [256, 8, 32] [1, 1, 1] : tensor<256x8x64xf32> to tensor<256x8x32xf32>
  %b = tensor.extract_slice %h[0, 0, 32] [256, 8, 32] [1, 1, 1] : tensor<256x8x64xf32> to tensor<256x8x32xf32>
  %q = tensor.empty() : tensor<8x256x64xf32>
  %u = tensor.empty() : tensor<8x256x32xf32>
  %r = linalg.generic {indexing_maps = [#thc, #tc, #thc, #htc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %c, %b : tensor<256x8x32xf32>, tensor<256x32xf32>, tensor<256x8x32xf32>) outs(%u : tensor<8x256x32xf32>) {
    ^bb0(%i: f32, %j: f32, %k: f32, %out: f32):
      %0 = arith.mulf %i, %j : f32
      %1 = arith.subf %0, %k : f32
      linalg.yield %1 : f32
  } -> tensor<8x256x32xf32>
  %q0 = tensor.insert_slice %r into %q[0, 0, 0] [8, 256, 32] [1, 1, 1] : tensor<8x256x32xf32> into tensor<8x256x64xf32>
  %s = linalg.generic {indexing_maps = [#thc, #tc, #thc, #htc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b, %c, %a : tensor<256x8x32xf32>, tensor<256x32xf32>, tensor<256x8x32xf32>) outs(%u : tensor<8x256x32xf32>) {
    ^bb0(%i: f32, %j: f32, %k: f32, %out: f32):
      %0 = arith.mulf %i, %j : f32
      %1 = arith.addf %0, %k : f32
      linalg.yield %1 : f32
  } -> tensor<8x256x32xf32>
  %q1 = tensor.insert_slice %s into %q0[0, 0, 32] [8, 256, 32] [1, 1, 1] : tensor<8x256x32xf32> into tensor<8x256x64xf32>
  return %q1 : tensor<8x256x64xf32>
}

#m = affine_map<(i, j) -> (i, j)>
// No heads, and no op beside: gates of two halves, of which each core computes one.
// CHECK-LABEL: func.func @gate
// CHECK: tensor.extract_slice %arg1[0, 0] [256, 512]
// CHECK: linalg.contract {{.*}} -> tensor<256x256xf32>
// CHECK: tensor.extract_slice %arg1[256, 0] [256, 512]
// CHECK: linalg.contract {{.*}} -> tensor<256x256xf32>
// CHECK: linalg.generic
func.func @gate(%x: tensor<256x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<256x256xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<256x512xbf16>, tensor<512x512xbf16>) outs(%f : tensor<256x512xf32>) -> tensor<256x512xf32>
  %a = tensor.extract_slice %p[0, 0] [256, 256] [1, 1] : tensor<256x512xf32> to tensor<256x256xf32>
  %b = tensor.extract_slice %p[0, 256] [256, 256] [1, 1] : tensor<256x512xf32> to tensor<256x256xf32>
  %u = tensor.empty() : tensor<256x256xf32>
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>) outs(%u : tensor<256x256xf32>) {
    ^bb0(%i: f32, %j: f32, %out: f32):
      %0 = arith.mulf %i, %j : f32
      linalg.yield %0 : f32
  } -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// Too few rows and columns for the cores.
// CHECK-LABEL: func.func @small
// CHECK-COUNT-1: linalg.contract
// CHECK-NOT: linalg.contract
// CHECK: return
func.func @small(%x: tensor<32x512xbf16>, %w: tensor<128x512xbf16>) -> tensor<32x64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x128xf32>) -> tensor<32x128xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<32x512xbf16>, tensor<128x512xbf16>) outs(%f : tensor<32x128xf32>) -> tensor<32x128xf32>
  %a = tensor.extract_slice %p[0, 0] [32, 64] [1, 1] : tensor<32x128xf32> to tensor<32x64xf32>
  %b = tensor.extract_slice %p[0, 64] [32, 64] [1, 1] : tensor<32x128xf32> to tensor<32x64xf32>
  %u = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<32x64xf32>, tensor<32x64xf32>) outs(%u : tensor<32x64xf32>) {
    ^bb0(%i: f32, %j: f32, %out: f32):
      %0 = arith.mulf %i, %j : f32
      linalg.yield %0 : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

// No op takes two of them: queries and keys of one product.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-1: linalg.contract
// CHECK-NOT: linalg.contract
// CHECK: return
func.func @apart(%x: tensor<256x512xbf16>, %w: tensor<512x512xbf16>) -> (tensor<256x256xf32>, tensor<256x256xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<256x512xbf16>, tensor<512x512xbf16>) outs(%f : tensor<256x512xf32>) -> tensor<256x512xf32>
  %a = tensor.extract_slice %p[0, 0] [256, 256] [1, 1] : tensor<256x512xf32> to tensor<256x256xf32>
  %b = tensor.extract_slice %p[0, 256] [256, 256] [1, 1] : tensor<256x512xf32> to tensor<256x256xf32>
  %u = tensor.empty() : tensor<256x256xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<256x256xf32>) outs(%u : tensor<256x256xf32>) {
    ^bb0(%i: f32, %out: f32):
      %0 = math.exp %i : f32
      linalg.yield %0 : f32
  } -> tensor<256x256xf32>
  %s = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<256x256xf32>) outs(%u : tensor<256x256xf32>) {
    ^bb0(%i: f32, %out: f32):
      %0 = math.tanh %i : f32
      linalg.yield %0 : f32
  } -> tensor<256x256xf32>
  return %r, %s : tensor<256x256xf32>, tensor<256x256xf32>
}
