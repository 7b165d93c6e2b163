// RUN: tt-opt %s --tt-infer-layout --split-input-file | FileCheck %s
// RUN: tt-opt %s --pass-pipeline="builtin.module(tt-infer-layout{arch=blackhole grid=12x9})" --split-input-file | FileCheck %s --check-prefix=TARGET

// Without an annotation: DRAM, interleaved, the format of the element type.
// CHECK: module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>}
// TARGET: module attributes {tt.target = #tt.target<arch = blackhole, grid = 12x9>}
// CHECK-LABEL: func.func @defaults
// CHECK-SAME: tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>
// CHECK-SAME: tt.buffer.arg1 = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = fp32>
// CHECK-SAME: tt.buffer.arg2 = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = fp16>
// CHECK-SAME: tt.buffer.arg3 = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = int32>
func.func @defaults(%A: memref<64x64xbf16> {tt.name = "A"}, %B: memref<64x64xf32>,
                    %C: memref<64x64xf16>, %D: memref<64x64xi32>, %s: f32) attributes {tt.kernel} {
  return
}

// -----
// The user's dictionary becomes canonical; shards are projected on tiles.
// CHECK-LABEL: func.func @annotated
// CHECK-SAME: tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bf16, nd_shard = <axes = ["B", "M", "N"], grid = [1, 4, 2], shard_shape_elems = [1, 64, 96], order = block_linear, align_tiles = true, projected_grid = [4, 2], projected_shard_tiles = [2, 3], block = 2>>
// CHECK-SAME: tt.buffer.B = #tt.buffer<memory = DRAM, layout = sharded, {{.*}} dtype = bfp8_b, nd_shard = <{{.*}} order = row_major, align_tiles = true, projected_grid = [2, 2], projected_shard_tiles = [2, 2]>>
func.func @annotated(
    %A: memref<256x192xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", tile_shape = [32, 32],
      nd_shard = {axes = ["B", "M", "N"], grid = [1, 4, 2], shard_shape_elems = [1, 64, 96], order = "block_linear"}}},
    %B: memref<100x100xbf16> {tt.name = "B", tt.layout = {layout = "sharded", dtype = "bfp8_b",
      nd_shard = {axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [50, 50]}}}) attributes {tt.kernel} {
  return
}

// -----
// Functions without tt.kernel are left alone.
// CHECK-LABEL: func.func @other
// CHECK-NOT: tt.buffer
// CHECK: return
func.func @other(%A: memref<64x64xbf16>) { return }

// -----
// A tensor that a host function gives to two kernels has one layout, wherever it stands.
// CHECK-LABEL: func.func @first
// CHECK-SAME: tt.buffer.arg1 = #tt.buffer<memory = L1, layout = interleaved
func.func @first(%A: memref<64x64xbf16>, %T: memref<64x64xbf16>) attributes {tt.kernel} { return }
// CHECK-LABEL: func.func @second
// CHECK-SAME: tt.buffer.arg0 = #tt.buffer<memory = L1, layout = interleaved
// CHECK-SAME: tt.buffer.arg1 = #tt.buffer<memory = L1, layout = interleaved
func.func @second(%T: memref<64x64xbf16>, %C: memref<64x64xbf16> {tt.layout = {memory = "L1"}}) attributes {tt.kernel} { return }
// CHECK-LABEL: func.func @main
// CHECK-SAME: tt.layout = {memory = "L1"}
func.func @main(%A: memref<64x64xbf16>, %C: memref<64x64xbf16>) attributes {tt.host} {
  %t = memref.alloc() {tt.layout = {memory = "L1"}} : memref<64x64xbf16>
  call @first(%A, %t) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  call @second(%t, %C) : (memref<64x64xbf16>, memref<64x64xbf16>) -> ()
  return
}
