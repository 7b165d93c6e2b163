// RUN: tt-opt %s --split-input-file --verify-diagnostics
// Metadata whose fields are missing or contradict each other.

// expected-error @below {{'tile_shape' must be [32, 32]}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [16, 32], dtype = bf16>}

// -----

// expected-error @below {{'tile_shape' must be [32, 32]}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [], dtype = bf16>}

// -----

// expected-error @below {{a sharded layout needs 'nd_shard'}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bf16>}

// -----

// expected-error @below {{'nd_shard' goes with layout = sharded only}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = interleaved, tile_shape = [32, 32], dtype = bf16, nd_shard = <axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [32, 32], order = row_major, align_tiles = true, projected_grid = [2, 2], projected_shard_tiles = [1, 1]>>}

// -----

// expected-error @below {{'axes' must name the dimensions, with "M" and "N" once each}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bf16, nd_shard = <axes = ["M", "K"], grid = [2, 2], shard_shape_elems = [32, 32], order = row_major, align_tiles = true, projected_grid = [2, 2], projected_shard_tiles = [1, 1]>>}

// -----

// expected-error @below {{'axes', 'grid' and 'shard_shape_elems' differ in length}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bf16, nd_shard = <axes = ["M", "N"], grid = [2], shard_shape_elems = [32, 32], order = row_major, align_tiles = true, projected_grid = [2, 2], projected_shard_tiles = [1, 1]>>}

// -----

// expected-error @below {{'grid' and 'shard_shape_elems' must be positive}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bf16, nd_shard = <axes = ["M", "N"], grid = [2, 0], shard_shape_elems = [32, 32], order = row_major, align_tiles = true, projected_grid = [2, 0], projected_shard_tiles = [1, 1]>>}

// -----

// expected-error @below {{'projected_grid' and 'projected_shard_tiles' must be those of M and N}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bf16, nd_shard = <axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [32, 64], order = row_major, align_tiles = true, projected_grid = [2, 2], projected_shard_tiles = [1, 1]>>}

// -----

// expected-error @below {{an L1 shard is made of whole tiles: multiples of 32 elements}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = sharded, tile_shape = [32, 32], dtype = bf16, nd_shard = <axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [32, 33], order = row_major, align_tiles = true, projected_grid = [2, 2], projected_shard_tiles = [1, 2]>>}

// -----

// expected-error @below {{'buffer_name' must be the name in the attribute's own name}}
func.func private @f() attributes {tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.A", stride_mode = tiled>}

// -----

// expected-error @below {{'layout_ref' must be "tt.buffer." and the name of the tensor}}
func.func private @f() attributes {tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.B", stride_mode = tiled>}

// -----

// expected-error @below {{a bound accessor needs 'runtime_binding', which --tt-configure-tensor-accessor gives it}}
func.func private @f() attributes {tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>}

// -----

// expected-error @below {{'runtime_binding' goes with type = bound only}}
func.func private @f() attributes {tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>}

// -----

// expected-error @below {{'runtime_arg_idx' and 'base_offset' must not be negative}}
func.func private @f() attributes {tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = -1, base_offset = 0, tile_size_bytes = 2048>>}

// -----

// expected-error @below {{'tile_size_bytes' must be positive}}
func.func private @f() attributes {tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 0>>}

// -----

// expected-error @below {{a page is a tile, which has 2048 bytes in this format, but 'page_size' is 4096}}
func.func private @f() attributes {tt.cb.A = #tt.cb<cb_id = 0, page_size = 4096, depth = 2, data_format = bfloat16>}

// -----

// expected-error @below {{there must be a core}}
func.func private @f() attributes {tt.core_ranges = []}

// -----

// expected-error @below {{a range of tt.core_ranges ends at (2, 0), before its start}}
func.func private @f() attributes {tt.core_ranges = [#tt.core_range<start = [3, 0], end = [2, 0]>]}
// -----
// expected-error @below {{'storage' must be "row_major", or not be there}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = interleaved, tile_shape = [32, 32], dtype = bf16 storage = "rows">}
// -----
// expected-error @below {{'storage' goes with elements of 16 or 32 bits only}}
func.func private @f() attributes {tt.buffer.A = #tt.buffer<memory = L1, layout = interleaved, tile_shape = [32, 32], dtype = uint8 storage = "row_major">}
