// C = A B on a ring of 4 cores, a column of tiles of C each, as level 3 says it: each core starts with
// a tile of a row of A, and reads the next one from its right neighbour's L1, until it has had all.
// It says to its left neighbour when its page is there, and publishes it, so that it may be freed, when
// that one has read it. The writer reads B and writes C.
//   tt-run examples/level3/ring_gemm.mlir
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @ring_gemm : (memref<64x128xbf16>, memref<128x128xbf16>, memref<64x128xbf16>) -> () attributes {
      tt.args = ["A", "B", "C"], tt.partition_mode = "global", tt.grid = array<i64: 4, 1, 1>,
      tt.grid_tiles = array<i64: 1, 4>, tt.core_grid = array<i64: 4, 1>, tt.kt = 4 : i64, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [3, 0]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>, #tt.work<core = [2, 0], start_id = 2, count = 1>, #tt.work<core = [3, 0], start_id = 3, count = 1>],
      tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.C = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 4, data_format = bfloat16>,
      tt.cb.B = #tt.cb<cb_id = 1, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.C = #tt.cb<cb_id = 16, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>,
      tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [3, 0]>]
    tt.circular_buffer @cb_in0 on @all "input" !tt.cb<1x1xbf16> id = 0 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_in1 on @all "input" !tt.cb<1x1xbf16> id = 1 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "B"
    tt.circular_buffer @cb_out0 on @all "output" !tt.cb<1x1xbf16> id = 16 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "C"
    tt.semaphore @there on @all init 0
    tt.semaphore @taken on @all init 0
    tt.core_args (%x, %y) -> ["start_id", "count", "left_x", "right_x", "row_y"] {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %next = arith.addi %x, %c1 : index
      %right = arith.remui %next, %c4 : index
      %last = arith.addi %x, %c3 : index
      %left = arith.remui %last, %c4 : index
      %left_x, %left_y = tt.worker_core %left, %y
      %right_x, %right_y = tt.worker_core %right, %y
      tt.yield %x, %c1, %left_x, %right_x, %left_y : index, index, index, index, index
    }
    tt.kernel @reader(%A: memref<64x128xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %col = tt.runtime_arg "start_id" : index
      %left_x = tt.runtime_arg "left_x" : index
      %right_x = tt.runtime_arg "right_x" : index
      %row_y = tt.runtime_arg "row_y" : index
      %A_acc = metalium.tensor_accessor "A", %A : memref<64x128xbf16>
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %bytes = metalium.get_tile_size %in0 : !tt.cb<1x1xbf16>
      %there = metalium.get_semaphore @there
      %taken = metalium.get_semaphore @taken
      %left_there = metalium.get_noc_addr %left_x, %row_y, %there
      %right_taken = metalium.get_noc_addr %right_x, %row_y, %taken
      scf.for %m = %c0 to %c2 step %c1 {
        metalium.cb_reserve_back %in0, %c1 : !tt.cb<1x1xbf16>
        %first = metalium.get_write_ptr %in0 : !tt.cb<1x1xbf16>
        %row = arith.muli %m, %c4 : index
        %tile = arith.addi %row, %col : index
        metalium.noc_async_read_tile %tile, %A_acc, %first // read
        metalium.noc_async_read_barrier // barrier
        %before = arith.muli %m, %c3 : index
        scf.for %s = %c1 to %c4 step %c1 {
          %n = arith.addi %before, %s : index
          metalium.cb_reserve_back %in0, %c2 : !tt.cb<1x1xbf16> // reserve
          %from = metalium.get_write_ptr %in0 : !tt.cb<1x1xbf16>
          %to = metalium.l1_offset %from, %bytes
          metalium.noc_semaphore_inc %left_there, %c1 // say-there
          metalium.noc_semaphore_wait_min %there, %n // wait-there
          %right = metalium.get_noc_addr %right_x, %row_y, %from
          metalium.noc_async_read %right, %to, %bytes // fetch
          metalium.noc_async_read_barrier // fetch-barrier
          metalium.noc_semaphore_inc %right_taken, %c1 // say-taken
          metalium.noc_semaphore_wait_min %taken, %n // wait-taken
          metalium.cb_push_back %in0, %c1 : !tt.cb<1x1xbf16> // push
        }
        metalium.cb_push_back %in0, %c1 : !tt.cb<1x1xbf16> // push-last
      }
      tt.return
    }
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      tt.engine.init_common "matmul", %in0, %in1 -> %out : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      metalium.matmul_block_init %in0, %in1 ct = 1 rt = 1 kt = 1 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      scf.for %m = %c0 to %c2 step %c1 {
        tt.dst.acquire
        scf.for %s = %c0 to %c4 step %c1 {
          metalium.cb_wait_front %in0, %c1 : !tt.cb<1x1xbf16>
          metalium.cb_wait_front %in1, %c1 : !tt.cb<1x1xbf16>
          metalium.matmul_block %in0, %in1, %c0, %c0, %c0 ct = 1 rt = 1 kt = 1 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
          metalium.cb_pop_front %in0, %c1 : !tt.cb<1x1xbf16> // pop
          metalium.cb_pop_front %in1, %c1 : !tt.cb<1x1xbf16>
        }
        tt.dst.commit
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xbf16>
        tt.dst.wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16>
        tt.dst.release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @writer(%B: memref<128x128xbf16> {tt.name = "B"}, %C: memref<64x128xbf16> {tt.name = "C"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>,
        tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 1, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %col = tt.runtime_arg "start_id" : index
      %B_acc = metalium.tensor_accessor "B", %B : memref<128x128xbf16>
      %C_acc = metalium.tensor_accessor "C", %C : memref<64x128xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      scf.for %m = %c0 to %c2 step %c1 {
        scf.for %s = %c0 to %c4 step %c1 {
          %k0 = arith.addi %col, %s : index
          %k = arith.remui %k0, %c4 : index
          %row = arith.muli %k, %c4 : index
          %tile = arith.addi %row, %col : index
          metalium.cb_reserve_back %in1, %c1 : !tt.cb<1x1xbf16>
          %to = metalium.get_write_ptr %in1 : !tt.cb<1x1xbf16>
          metalium.noc_async_read_tile %tile, %B_acc, %to
          metalium.noc_async_read_barrier
          metalium.cb_push_back %in1, %c1 : !tt.cb<1x1xbf16>
        }
        %row = arith.muli %m, %c4 : index
        %tile = arith.addi %row, %col : index
        metalium.cb_wait_front %out, %c1 : !tt.cb<1x1xbf16>
        %from = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
        metalium.noc_async_write_tile %tile, %C_acc, %from
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
  }
}
