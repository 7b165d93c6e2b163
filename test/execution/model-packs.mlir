// Blocks of a matrix, side by side in memory as other compilers pack them, and products of such: packing is padding, a reshape and a transposition,
// which upstream makes of it.
// REQUIRES: all
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/pack.mlir --check --strict | FileCheck %s
// RUN: tt-run %t/pack.mlir --check --strict --arch=blackhole
// RUN: tt-run %t/product.mlir --check --strict
// RUN: tt-run %t/product.mlir --check --strict --arch=blackhole --metalium-api=2025
// RUN: tt-run %t/batch.mlir --check --strict --metalium-api=2026-03
// CHECK: result0: max abs error 0,
// CHECK: result1: {{.*}}: ok

//--- pack.mlir
func.func @packed(%x: tensor<64x96xf32>, %w: tensor<96x80xf32>) -> (tensor<4x6x16x16xf32>, tensor<96x80xf32>) attributes {tt.model} {
  %e = tensor.empty() : tensor<4x6x16x16xf32>
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %e : tensor<64x96xf32> -> tensor<4x6x16x16xf32>
  %f = tensor.empty() : tensor<3x3x32x32xf32>
  %z = arith.constant 0.0 : f32
  %q = linalg.pack %w padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %f : tensor<96x80xf32> -> tensor<3x3x32x32xf32>
  %g = tensor.empty() : tensor<3x3x32x32xf32>
  %r = linalg.add ins(%q, %q : tensor<3x3x32x32xf32>, tensor<3x3x32x32xf32>) outs(%g : tensor<3x3x32x32xf32>) -> tensor<3x3x32x32xf32>
  %h = tensor.empty() : tensor<96x80xf32>
  %u = linalg.unpack %r outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %h : tensor<3x3x32x32xf32> -> tensor<96x80xf32>
  return %p, %u : tensor<4x6x16x16xf32>, tensor<96x80xf32>
}

//--- product.mlir
func.func @mm(%x: tensor<64x96xf32>, %w: tensor<96x80xf32>) -> tensor<64x80xf32> attributes {tt.model} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x32x32xf32>
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %e : tensor<64x96xf32> -> tensor<2x3x32x32xf32>
  %f = tensor.empty() : tensor<3x3x32x32xf32>
  %q = linalg.pack %w padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [32, 32] into %f : tensor<96x80xf32> -> tensor<3x3x32x32xf32>
  %c = tensor.empty() : tensor<2x3x32x32xf32>
  %c0 = linalg.fill ins(%z : f32) outs(%c : tensor<2x3x32x32xf32>) -> tensor<2x3x32x32xf32>
  %m = linalg.mmt4d ins(%p, %q : tensor<2x3x32x32xf32>, tensor<3x3x32x32xf32>) outs(%c0 : tensor<2x3x32x32xf32>) -> tensor<2x3x32x32xf32>
  %h = tensor.empty() : tensor<64x80xf32>
  %u = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %h : tensor<2x3x32x32xf32> -> tensor<64x80xf32>
  return %u : tensor<64x80xf32>
}

//--- batch.mlir
func.func @batch(%x: tensor<2x2x3x16x8xbf16>, %w: tensor<2x4x3x8x8xbf16>) -> tensor<2x2x4x16x8xf32> attributes {tt.model} {
  %z = arith.constant 0.0 : f32
  %c = tensor.empty() : tensor<2x2x4x16x8xf32>
  %c0 = linalg.fill ins(%z : f32) outs(%c : tensor<2x2x4x16x8xf32>) -> tensor<2x2x4x16x8xf32>
  %m = linalg.batch_mmt4d ins(%x, %w : tensor<2x2x3x16x8xbf16>, tensor<2x4x3x8x8xbf16>) outs(%c0 : tensor<2x2x4x16x8xf32>) -> tensor<2x2x4x16x8xf32>
  return %m : tensor<2x2x4x16x8xf32>
}
