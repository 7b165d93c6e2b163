// C = A B on 3x3 cores, a tile of C each, as level 3 says it: the first core of a row reads A and
// multicasts it along its row, the first core of a column does so with B, one step of K at a time.
// Receivers say that they have room, the sender sends when all have, and raises a flag behind it.
//   tt-run examples/level3/multicast_gemm.mlir
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @multicast_gemm : (memref<96x128xbf16>, memref<128x96xbf16>, memref<96x96xbf16>) -> () attributes {
      tt.args = ["A", "B", "C"], tt.partition_mode = "global", tt.grid = array<i64: 3, 3, 1>,
      tt.grid_tiles = array<i64: 3, 3>, tt.core_grid = array<i64: 3, 3>, tt.kt = 4 : i64, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [2, 2]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>, #tt.work<core = [2, 0], start_id = 2, count = 1>, #tt.work<core = [0, 1], start_id = 3, count = 1>, #tt.work<core = [1, 1], start_id = 4, count = 1>, #tt.work<core = [2, 1], start_id = 5, count = 1>, #tt.work<core = [0, 2], start_id = 6, count = 1>, #tt.work<core = [1, 2], start_id = 7, count = 1>, #tt.work<core = [2, 2], start_id = 8, count = 1>],
      tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.C = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.B = #tt.cb<cb_id = 1, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.C = #tt.cb<cb_id = 16, page_size = 2048, depth = 1, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>,
      tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [2, 2]>]
    tt.circular_buffer @cb_in0 on @all input !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_in1 on @all input !tt.cb<1x1xbf16> id = 1 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "B"
    tt.circular_buffer @cb_out0 on @all output !tt.cb<1x1xbf16> id = 16 pages = 1 page_bytes = 2048 format = bfloat16 buffer = "C"
    tt.semaphore @a_ready on @all init 0
    tt.semaphore @a_valid on @all init 0
    tt.semaphore @b_ready on @all init 0
    tt.semaphore @b_valid on @all init 0
    tt.core_args (%x, %y) -> ["start_id", "count", "row", "col", "row_y", "sender_x", "first_x", "last_x", "col_x", "sender_y", "first_y", "last_y"] {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %before = arith.muli %y, %c3 : index
      %start = arith.addi %before, %x : index
      %sender_x, %row_y = tt.worker_core %c0, %y
      %first_x, %first_row_y = tt.worker_core %c1, %y
      %last_x, %last_row_y = tt.worker_core %c2, %y
      %col_x, %sender_y = tt.worker_core %x, %c0
      %first_col_x, %first_y = tt.worker_core %x, %c1
      %last_col_x, %last_y = tt.worker_core %x, %c2
      tt.yield %start, %c1, %y, %x, %row_y, %sender_x, %first_x, %last_x, %col_x, %sender_y, %first_y, %last_y : index, index, index, index, index, index, index, index, index, index, index, index
    }
    tt.kernel @reader(%A: memref<96x128xbf16> {tt.name = "A"}, %B: memref<128x96xbf16> {tt.name = "B"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>,
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 1, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %row = tt.runtime_arg "row" : index
      %col = tt.runtime_arg "col" : index
      %row_y = tt.runtime_arg "row_y" : index
      %sender_x = tt.runtime_arg "sender_x" : index
      %first_x = tt.runtime_arg "first_x" : index
      %last_x = tt.runtime_arg "last_x" : index
      %col_x = tt.runtime_arg "col_x" : index
      %sender_y = tt.runtime_arg "sender_y" : index
      %first_y = tt.runtime_arg "first_y" : index
      %last_y = tt.runtime_arg "last_y" : index
      %A_acc = metalium.tensor_accessor "A", %A : memref<96x128xbf16>
      %B_acc = metalium.tensor_accessor "B", %B : memref<128x96xbf16>
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %bytes = metalium.get_tile_size %in0 : !tt.cb<1x1xbf16>
      %a_ready = metalium.get_semaphore @a_ready
      %a_valid = metalium.get_semaphore @a_valid
      %b_ready = metalium.get_semaphore @b_ready
      %b_valid = metalium.get_semaphore @b_valid
      %a_sends = arith.cmpi eq, %col, %c0 : index
      %b_sends = arith.cmpi eq, %row, %c0 : index
      scf.for %k = %c0 to %c4 step %c1 {
        metalium.cb_reserve_back %in0, %c1 : !tt.cb<1x1xbf16> // a-reserve
        %a_l1 = metalium.get_write_ptr %in0 : !tt.cb<1x1xbf16>
        scf.if %a_sends {
          %a_row = arith.muli %row, %c4 : index
          %a_tile = arith.addi %a_row, %k : index
          metalium.noc_async_read_tile %a_tile, %A_acc, %a_l1 // a-read
          metalium.noc_async_read_barrier // a-read-barrier
          metalium.noc_semaphore_wait %a_ready, %c2 // a-wait-ready
          metalium.noc_semaphore_set %a_ready, %c0 // a-reset-ready
          %a_there = metalium.get_noc_multicast_addr %first_x, %row_y, %last_x, %row_y, %a_l1 // a-rectangle
          metalium.noc_async_write_multicast %a_l1, %a_there, %bytes, %c2 // a-data
          metalium.noc_async_writes_flushed // a-flush
          metalium.noc_semaphore_set %a_valid, %c1 // a-raise
          %a_flags = metalium.get_noc_multicast_addr %first_x, %row_y, %last_x, %row_y, %a_valid
          metalium.noc_semaphore_set_multicast %a_valid, %a_flags, %c2 // a-flag
        } else {
          metalium.noc_semaphore_set %a_valid, %c0 // a-reset-valid
          %a_sender = metalium.get_noc_addr %sender_x, %row_y, %a_ready
          metalium.noc_semaphore_inc %a_sender, %c1 // a-inc
          metalium.noc_semaphore_wait %a_valid, %c1 // a-wait-valid
        }
        metalium.cb_push_back %in0, %c1 : !tt.cb<1x1xbf16> // a-push
        metalium.cb_reserve_back %in1, %c1 : !tt.cb<1x1xbf16> // b-reserve
        %b_l1 = metalium.get_write_ptr %in1 : !tt.cb<1x1xbf16>
        scf.if %b_sends {
          %b_row = arith.muli %k, %c3 : index
          %b_tile = arith.addi %b_row, %col : index
          metalium.noc_async_read_tile %b_tile, %B_acc, %b_l1 // b-read
          metalium.noc_async_read_barrier // b-read-barrier
          metalium.noc_semaphore_wait %b_ready, %c2 // b-wait-ready
          metalium.noc_semaphore_set %b_ready, %c0 // b-reset-ready
          %b_there = metalium.get_noc_multicast_addr %col_x, %first_y, %col_x, %last_y, %b_l1 // b-rectangle
          metalium.noc_async_write_multicast %b_l1, %b_there, %bytes, %c2 // b-data
          metalium.noc_async_writes_flushed // b-flush
          metalium.noc_semaphore_set %b_valid, %c1 // b-raise
          %b_flags = metalium.get_noc_multicast_addr %col_x, %first_y, %col_x, %last_y, %b_valid
          metalium.noc_semaphore_set_multicast %b_valid, %b_flags, %c2 // b-flag
        } else {
          metalium.noc_semaphore_set %b_valid, %c0 // b-reset-valid
          %b_sender = metalium.get_noc_addr %col_x, %sender_y, %b_ready
          metalium.noc_semaphore_inc %b_sender, %c1 // b-inc
          metalium.noc_semaphore_wait %b_valid, %c1 // b-wait-valid
        }
        metalium.cb_push_back %in1, %c1 : !tt.cb<1x1xbf16> // b-push
      }
      metalium.noc_async_write_barrier // last-barrier
      tt.return
    }
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      tt.engine.init_common "matmul", %in0, %in1 -> %out : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      metalium.matmul_block_init %in0, %in1 ct = 1 rt = 1 kt = 1 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      tt.dst.acquire
      scf.for %k = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %in0, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_wait_front %in1, %c1 : !tt.cb<1x1xbf16>
        metalium.matmul_block %in0, %in1, %c0, %c0, %c0 ct = 1 rt = 1 kt = 1 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
        metalium.cb_pop_front %in0, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_pop_front %in1, %c1 : !tt.cb<1x1xbf16>
      }
      tt.dst.commit
      metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xbf16>
      tt.dst.wait
      metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16>
      tt.dst.release
      metalium.cb_push_back %out, %c1 : !tt.cb<1x1xbf16>
      tt.return
    }
    tt.kernel @writer(%C: memref<96x96xbf16> {tt.name = "C"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c1 = arith.constant 1 : index
      %tile = tt.runtime_arg "start_id" : index
      %C_acc = metalium.tensor_accessor "C", %C : memref<96x96xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      metalium.cb_wait_front %out, %c1 : !tt.cb<1x1xbf16>
      %l1 = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
      metalium.noc_async_write_tile %tile, %C_acc, %l1
      metalium.noc_async_write_barrier
      metalium.cb_pop_front %out, %c1 : !tt.cb<1x1xbf16>
      tt.return
    }
  }
}
