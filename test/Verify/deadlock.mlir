// A deadlock names the circle: who waits for what, where, and after how many pages.
// The reader fills cb_a and goes on to cb_b only when all of A is read; the writer
// takes tiles from both in turn. With 2 pages each, 3 tiles are too many.
// RUN: tt-opt %s --tt-verify-ir --verify-diagnostics -o /dev/null
// RUN: tt-opt %s --tt-verify-ir=exhaustive=true --verify-diagnostics -o /dev/null
// With 3 pages nobody waits for ever.
// RUN: sed 's/pages = 2/pages = 3/; s/depth = 2/depth = 3/; /expected/d' %s | tt-opt --tt-verify-ir=strict=true -o /dev/null 2>&1 | count 0
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @zip : (memref<32x96xbf16>, memref<32x96xbf16>) -> () attributes {
      tt.args = ["A", "B"], tt.partition_mode = "global", tt.grid = array<i64: 1, 1, 1>,
      tt.core_grid = array<i64: 1, 1>, tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>], tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.circular_buffer @cb_a on @all input !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_b on @all input !tt.cb<1x1xbf16> id = 1 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.kernel @reader(%A: memref<32x96xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %acc = metalium.tensor_accessor "A", %A : memref<32x96xbf16>
      %a = tt.get_cb @cb_a : !tt.cb<1x1xbf16>
      %b = tt.get_cb @cb_b : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c3 step %c1 {
        // expected-note @+1 {{the reader waits in cb_reserve_back for 1 free pages of cb_a, which holds 2 of 2, after it has pushed 2: for the writer}}
        metalium.cb_reserve_back %a, %c1 : !tt.cb<1x1xbf16>
        %ptr = metalium.get_write_ptr %a : !tt.cb<1x1xbf16>
        metalium.noc_async_read_tile %i, %acc, %ptr
        metalium.noc_async_read_barrier
        metalium.cb_push_back %a, %c1 : !tt.cb<1x1xbf16>
      }
      scf.for %i = %c0 to %c3 step %c1 {
        metalium.cb_reserve_back %b, %c1 : !tt.cb<1x1xbf16>
        %ptr = metalium.get_write_ptr %b : !tt.cb<1x1xbf16>
        metalium.noc_async_read_tile %i, %acc, %ptr
        metalium.noc_async_read_barrier
        metalium.cb_push_back %b, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @writer(%B: memref<32x96xbf16> {tt.name = "B"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %acc = metalium.tensor_accessor "B", %B : memref<32x96xbf16>
      %a = tt.get_cb @cb_a : !tt.cb<1x1xbf16>
      %b = tt.get_cb @cb_b : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c3 step %c1 {
        metalium.cb_wait_front %a, %c1 : !tt.cb<1x1xbf16>
        // expected-error @+1 {{[rule 6] deadlock: the writer waits in cb_wait_front for 1 pages of cb_b, which holds 0 of 2, after it has popped 0: for the reader}}
        metalium.cb_wait_front %b, %c1 : !tt.cb<1x1xbf16>
        %ptr = metalium.get_read_ptr %b : !tt.cb<1x1xbf16>
        metalium.noc_async_write_tile %i, %acc, %ptr
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %a, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_pop_front %b, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
  }
}
