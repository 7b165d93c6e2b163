// Metadata is typed, and prints as the specification writes it.
// RUN: tt-opt %s | tt-opt | FileCheck %s

// CHECK: module attributes {tt.target = #tt.target<arch = blackhole, grid = 13x10>}
module attributes {tt.target = #tt.target<arch = blackhole, grid = 13x10>} {
  // CHECK: tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bfp8_b, nd_shard = <axes = ["M", "N"], grid = [4, 2], shard_shape_elems = [64, 96], order = match_shard, align_tiles = true, projected_grid = [4, 2], projected_shard_tiles = [2, 3]>>
  // CHECK-SAME: tt.cb.A = #tt.cb<cb_id = 3, page_size = 1088, depth = 4, data_format = bfp8_b>
  // CHECK-SAME: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [7, 3]>]
  // CHECK-SAME: tt.grid_tiles = array<i64: 8, 6>
  // CHECK-SAME: tt.partition_mode = "global"
  // CHECK-SAME: tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = sharded>
  // CHECK-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 2>]
  func.func @f() attributes {
    tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bfp8_b,
      nd_shard = <axes = ["M", "N"], grid = [4, 2], shard_shape_elems = [64, 96], order = match_shard,
                  align_tiles = true, projected_grid = [4, 2], projected_shard_tiles = [2, 3]>>,
    tt.cb.A = #tt.cb<cb_id = 3, page_size = 1088, depth = 4, data_format = bfp8_b>,
    tt.core_ranges = [#tt.core_range<start = [0, 0], end = [7, 3]>],
    tt.grid_tiles = array<i64: 8, 6>, tt.partition_mode = "global",
    tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = sharded>,
    tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 2>]} {
    return
  }
}
