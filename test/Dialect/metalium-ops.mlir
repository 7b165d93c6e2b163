// Every op of the metalium dialect prints what it was parsed from.
// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

tt.program @p : (memref<64x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
  tt.circular_buffer @cb_in0 on @all input !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16
  tt.core_args (%x, %y) -> ["start_id", "count"] {
    tt.yield %x, %y : index, index
  }
  // CHECK-LABEL: tt.kernel @reader
  tt.kernel @reader(%A: memref<64x64xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
      tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
    %c1 = arith.constant 1 : index
    %cb = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
    // CHECK: %[[ACC:.*]] = metalium.tensor_accessor "A", %{{.*}} : memref<64x64xbf16>
    %acc = metalium.tensor_accessor "A", %A : memref<64x64xbf16>
    // CHECK: metalium.cb_reserve_back %[[CB:.*]], %[[ONE:.*]] : !tt.cb<1x1xbf16>
    metalium.cb_reserve_back %cb, %c1 : !tt.cb<1x1xbf16>
    // CHECK: %[[PTR:.*]] = metalium.get_write_ptr %[[CB]] : !tt.cb<1x1xbf16>
    %ptr = metalium.get_write_ptr %cb : !tt.cb<1x1xbf16>
    // CHECK: %[[SIZE:.*]] = metalium.get_tile_size %[[CB]] : !tt.cb<1x1xbf16>
    %size = metalium.get_tile_size %cb : !tt.cb<1x1xbf16>
    // CHECK: %[[NEXT:.*]] = metalium.l1_offset %[[PTR]], %[[SIZE]]
    %next = metalium.l1_offset %ptr, %size
    // CHECK: metalium.noc_async_read_tile %[[ONE]], %[[ACC]], %[[NEXT]]
    metalium.noc_async_read_tile %c1, %acc, %next
    // CHECK: metalium.noc_async_read_barrier
    metalium.noc_async_read_barrier
    // CHECK: metalium.cb_push_back %[[CB]], %[[ONE]] : !tt.cb<1x1xbf16>
    metalium.cb_push_back %cb, %c1 : !tt.cb<1x1xbf16>
    tt.return
  }
  // CHECK-LABEL: tt.kernel @compute
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    %c0 = arith.constant 0 : index
    %n = tt.runtime_arg "count" : index
    %cb = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
    // CHECK: metalium.cb_wait_front
    metalium.cb_wait_front %cb, %n : !tt.cb<1x1xbf16>
    // CHECK: metalium.reconfig_data_format_srca %[[CB:.*]] : !tt.cb<1x1xbf16>
    metalium.reconfig_data_format_srca %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.reconfig_data_format_srcb %[[CB]] : !tt.cb<1x1xbf16>
    metalium.reconfig_data_format_srcb %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.copy_tile_init %[[CB]] : !tt.cb<1x1xbf16>
    metalium.copy_tile_init %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.copy_tile %[[CB]], %[[Z:.*]], %[[Z]] : !tt.cb<1x1xbf16>
    metalium.copy_tile %cb, %c0, %c0 : !tt.cb<1x1xbf16>
    // CHECK: metalium.matmul_tiles %[[CB]], %[[CB]], %[[Z]], %[[Z]], %[[Z]] : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    metalium.matmul_tiles %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.add_tiles
    metalium.add_tiles %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.sub_tiles
    metalium.sub_tiles %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.mul_tiles
    metalium.mul_tiles %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.comment "cb_out0 = exp(cb_in0)"
    metalium.comment "cb_out0 = exp(cb_in0)"
    // CHECK: metalium.add_tiles_onto %[[CB]], %[[CB]], %[[Z]], %[[Z]], %[[Z]]
    metalium.add_tiles_onto %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.add_tiles_bcast_rows %[[CB]], %[[CB]], %[[Z]], %[[Z]], %[[Z]]
    metalium.add_tiles_bcast_rows %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.add_tiles_bcast_cols
    metalium.add_tiles_bcast_cols %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.add_tiles_bcast_scalar
    metalium.add_tiles_bcast_scalar %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.sub_tiles_bcast_cols
    metalium.sub_tiles_bcast_cols %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.sub_tiles_bcast_scalar
    metalium.sub_tiles_bcast_scalar %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.mul_tiles_bcast_rows
    metalium.mul_tiles_bcast_rows %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.mul_tiles_bcast_cols
    metalium.mul_tiles_bcast_cols %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.mul_tiles_bcast_scalar
    metalium.mul_tiles_bcast_scalar %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.binary_dest_reuse_tiles_init mul, %[[CB]] : !tt.cb<1x1xbf16>
    metalium.binary_dest_reuse_tiles_init mul, %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.binary_dest_reuse_tiles mul, %[[CB]], %[[Z]], %[[Z]] : !tt.cb<1x1xbf16>
    metalium.binary_dest_reuse_tiles mul, %cb, %c0, %c0 : !tt.cb<1x1xbf16>
    // CHECK: metalium.transpose_wh_init_short %[[CB]] : !tt.cb<1x1xbf16>
    metalium.transpose_wh_init_short %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.transpose_wh_tile %[[CB]], %[[Z]], %[[Z]] : !tt.cb<1x1xbf16>
    metalium.transpose_wh_tile %cb, %c0, %c0 : !tt.cb<1x1xbf16>
    // CHECK: metalium.reduce_tile max_row, %[[CB]], %[[CB]], %[[Z]], %[[Z]], %[[Z]]
    metalium.reduce_tile max_row, %cb, %cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.reduce_uninit
    metalium.reduce_uninit
    // CHECK: metalium.reduce_block_max_row_init %[[CB]], %[[CB]], %[[CB]] ct = 4
    metalium.reduce_block_max_row_init %cb, %cb, %cb ct = 4 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.reduce_block_max_row %[[CB]], %[[CB]], %[[Z]], %[[Z]] ct = 4
    metalium.reduce_block_max_row %cb, %cb, %c0, %c0 ct = 4 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    // CHECK: metalium.reduce_block_max_row_uninit %[[CB]]
    metalium.reduce_block_max_row_uninit %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.sfpu_scalar_tile add_scalar, %[[Z]], %[[Z]] limit 7 : index
    metalium.sfpu_scalar_tile add_scalar, %c0, %c0 limit 7 : index
    // CHECK: metalium.sfpu_tile exp, %[[Z]]
    metalium.sfpu_tile exp, %c0
    // CHECK: metalium.sfpu_tile add_scalar, %[[Z]] scalar = 1.500000e+00
    metalium.sfpu_tile add_scalar, %c0 scalar = 1.5
    // CHECK: metalium.sfpu_tiles div, %[[Z]], %[[Z]], %[[Z]]
    metalium.sfpu_tiles div, %c0, %c0, %c0
    // CHECK: metalium.pack_tile %[[Z]], %[[CB]] : !tt.cb<1x1xbf16>
    metalium.pack_tile %c0, %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.cb_pop_front
    metalium.cb_pop_front %cb, %n : !tt.cb<1x1xbf16>
    tt.return
  }
  // CHECK-LABEL: tt.kernel @writer
  tt.kernel @writer(%A: memref<64x64xbf16> {tt.name = "A"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
      tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
    %c1 = arith.constant 1 : index
    %cb = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
    %acc = metalium.tensor_accessor "A", %A : memref<64x64xbf16>
    %to = metalium.get_write_ptr %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.fill_index_tile %{{.*}}, rows = 1 cols = -1
    metalium.fill_index_tile %to, rows = 1 cols = -1
    // CHECK: %[[W:.*]] = metalium.load_word 0 %{{.*}} bytes = 4 in 0 to 7 ranged
    %w = metalium.load_word 0 %to bytes = 4 in 0 to 7 ranged
    // CHECK: metalium.load_word 1 %{{.*}} plus 1 bytes = 1 in 0 to 8 ranged
    %signed = metalium.load_word 1 %to plus 1 bytes = 1 in 0 to 8 ranged
    // CHECK: metalium.store_word %{{.*}}, %[[W]]
    metalium.store_word %to, %w
    // CHECK: metalium.fill_zeros %{{.*}}, %c1
    metalium.fill_zeros %to, %c1
    // CHECK: metalium.copy_part back %{{.*}}[%c1, %c1], %c1 x %c1, %{{.*}}[%c1, %c1] bytes = 2 width = 1 steps = [1, 0, 0, 1]
    metalium.copy_part back %to[%c1, %c1], %c1 x %c1, %to[%c1, %c1] bytes = 2 width = 1 steps = [1, 0, 0, 1]
    // CHECK: metalium.noc_async_read_rows %c1 across %c1 rows %c1, %c1, %{{.*}}, %{{.*}} bytes = 64
    metalium.noc_async_read_rows %c1 across %c1 rows %c1, %c1, %acc, %to bytes = 64
    // CHECK: metalium.noc_async_write_rows %c1 across %c1 rows %c1, %c1, %{{.*}}, %{{.*}} bytes = 64
    metalium.noc_async_write_rows %c1 across %c1 rows %c1, %c1, %acc, %to bytes = 64
    // CHECK: metalium.noc_async_read_run %c1[%c1, %c1], %{{.*}}, %{{.*}}[%c1, %c1] bytes = 2
    metalium.noc_async_read_run %c1[%c1, %c1], %acc, %to[%c1, %c1] bytes = 2
    // CHECK: metalium.noc_async_read_part %c1[%c1, %c1], %c1 x %c1, %{{.*}}, %{{.*}} bytes = 2 unit = 32
    metalium.noc_async_read_part %c1[%c1, %c1], %c1 x %c1, %acc, %to bytes = 2 unit = 32
    // CHECK: metalium.noc_async_write_part %c1[%c1, %c1], %c1 x %c1, %{{.*}}, %{{.*}}[%c1, %c1] bytes = 2 width = 1 steps = [1, 0, 0, 1]
    metalium.noc_async_write_part %c1[%c1, %c1], %c1 x %c1, %acc, %to[%c1, %c1] bytes = 2 width = 1 steps = [1, 0, 0, 1]
    // CHECK: %[[PTR:.*]] = metalium.get_read_ptr
    %ptr = metalium.get_read_ptr %cb : !tt.cb<1x1xbf16>
    // CHECK: metalium.noc_async_write_tile %{{.*}}, %{{.*}}, %[[PTR]]
    metalium.noc_async_write_tile %c1, %acc, %ptr
    // CHECK: metalium.noc_async_writes_flushed
    metalium.noc_async_writes_flushed
    // CHECK: metalium.noc_async_write_barrier
    metalium.noc_async_write_barrier
    tt.return
  }
}
