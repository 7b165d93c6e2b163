// A hand-written level-3 program, B = exp(A) on 4 tiles. Tests break it a line at a time, by the tags.
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @exp : (memref<64x64xbf16>, memref<64x64xbf16>) -> () attributes {
      tt.args = ["A", "B"], tt.partition_mode = "global", tt.grid = array<i64: 1, 1, 1>,
      tt.grid_tiles = array<i64: 2, 2>, tt.core_grid = array<i64: 1, 1>, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>],
      tt.runtime_args = ["start_id", "count"], tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.B = #tt.cb<cb_id = 16, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.circular_buffer @cb_in0 on @all input !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_out0 on @all output !tt.cb<1x1xbf16> id = 16 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "B"
    tt.core_args (%x, %y) -> ["start_id", "count"] { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index tt.yield %c0, %c1 : index, index }
    tt.kernel @reader(%A: memref<64x64xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %acc = metalium.tensor_accessor "A", %A : memref<64x64xbf16>
      %in = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_reserve_back %in, %c1 : !tt.cb<1x1xbf16> // reader-reserve
        %ptr = metalium.get_write_ptr %in : !tt.cb<1x1xbf16>
        metalium.noc_async_read_tile %i, %acc, %ptr
        metalium.noc_async_read_barrier // read-barrier
        metalium.cb_push_back %in, %c1 : !tt.cb<1x1xbf16> // reader-push
      }
      tt.return
    }
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %in = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      tt.engine.init_common copy, %in -> %out : !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16> // startup
      metalium.copy_tile_init %in : !tt.cb<1x1xbf16> // copy-init
      tt.sfpu.init exp // sfpu-init
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %in, %c1 : !tt.cb<1x1xbf16> // compute-wait
        tt.dst.acquire // acquire
        metalium.copy_tile %in, %c0, %c0 : !tt.cb<1x1xbf16> // copy
        metalium.sfpu_tile exp, %c0 // sfpu
        metalium.cb_pop_front %in, %c1 : !tt.cb<1x1xbf16> // compute-pop
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xbf16> // compute-reserve
        tt.dst.commit // commit
        tt.dst.wait // dst-wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16> // pack
        tt.dst.release // release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xbf16> // compute-push
      }
      tt.return
    }
    tt.kernel @writer(%B: memref<64x64xbf16> {tt.name = "B"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %acc = metalium.tensor_accessor "B", %B : memref<64x64xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c4 step %c1 { // writer-loop
        metalium.cb_wait_front %out, %c1 : !tt.cb<1x1xbf16> // writer-wait
        %ptr = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
        metalium.noc_async_write_tile %i, %acc, %ptr
        metalium.noc_async_write_barrier // write-barrier
        metalium.cb_pop_front %out, %c1 : !tt.cb<1x1xbf16> // writer-pop
      }
      tt.return
    }
  }
}
