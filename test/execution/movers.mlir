// C = A + B: the reader reads A; the writer reads B, and writes C. Both processors that move data do
// both, and the rules on barriers are those of either.
// REQUIRES: all
// RUN: tt-run %inputs/eadd.mlir --seed 3 --output C=%t.twin.npy
// RUN: tt-run %s --seed 3 --output C=%t.npy && cmp %t.npy %t.twin.npy
// RUN: tt-run %s --seed 3 --metalium-api=2025 --output C=%t.npy && cmp %t.npy %t.twin.npy
// RUN: sed 's/arch = wormhole_b0/arch = blackhole/' %s > %t.mlir
// RUN: tt-run %t.mlir --seed 3 --metalium-api=2026-03 --output C=%t.npy && cmp %t.npy %t.twin.npy
// RUN: tt-opt --tt-verify-ir=strict=true %s -o /dev/null 2>&1 | count 0
//
// RUN: sed '/writer-read-barrier/d' %s > %t.read.mlir
// RUN: not tt-opt --tt-verify-ir %t.read.mlir 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not tt-run --unverified %t.read.mlir 2>&1 | FileCheck %s --check-prefix=READ
// READ: error: [rule 15] {{.*}}publishes pages of {{.*}} before their reads have landed
// RUN: sed '/writer-read-barrier/s/read/write/' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=READ
// RUN: sed '/write-barrier/s/write/read/' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: [rule 16] frees pages of cb_out0 while writes from them are in flight

module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @eadd : (memref<64x96xbf16>, memref<64x96xbf16>, memref<64x96xbf16>) -> () attributes {
      tt.args = ["A", "B", "C"], tt.partition_mode = "global", tt.grid = array<i64: 1, 1, 1>,
      tt.grid_tiles = array<i64: 2, 3>, tt.core_grid = array<i64: 1, 1>, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>], tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.C = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.B = #tt.cb<cb_id = 1, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.C = #tt.cb<cb_id = 16, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>,
      tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.circular_buffer @cb_in0 on @all "input" !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_in1 on @all "input" !tt.cb<1x1xbf16> id = 1 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "B"
    tt.circular_buffer @cb_out0 on @all "output" !tt.cb<1x1xbf16> id = 16 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "C"
    tt.core_args (%x, %y) -> ["start_id", "count"] { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index tt.yield %c0, %c1 : index, index }
    tt.kernel @reader(%A: memref<64x96xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %A_acc = metalium.tensor_accessor "A", %A : memref<64x96xbf16>
      %a_cb = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c6 step %c1 {
        metalium.cb_reserve_back %a_cb, %c1 : !tt.cb<1x1xbf16>
        %l1 = metalium.get_write_ptr %a_cb : !tt.cb<1x1xbf16>
        metalium.noc_async_read_tile %i, %A_acc, %l1
        metalium.noc_async_read_barrier
        metalium.cb_push_back %a_cb, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %a_cb = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %b_cb = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      tt.engine.init_common binary, %a_cb, %b_cb -> %out : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      tt.fpu.binary_init add, %a_cb, %b_cb, %out : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c6 step %c1 {
        metalium.cb_wait_front %a_cb, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_wait_front %b_cb, %c1 : !tt.cb<1x1xbf16>
        tt.dst.acquire
        metalium.add_tiles %a_cb, %b_cb, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
        tt.dst.commit
        metalium.cb_pop_front %a_cb, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_pop_front %b_cb, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xbf16>
        tt.dst.wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16>
        tt.dst.release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @writer(%B: memref<64x96xbf16> {tt.name = "B"}, %C: memref<64x96xbf16> {tt.name = "C"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>,
        tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 1, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %B_acc = metalium.tensor_accessor "B", %B : memref<64x96xbf16>
      %C_acc = metalium.tensor_accessor "C", %C : memref<64x96xbf16>
      %b_cb = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c6 step %c1 {
        metalium.cb_reserve_back %b_cb, %c1 : !tt.cb<1x1xbf16>
        %to = metalium.get_write_ptr %b_cb : !tt.cb<1x1xbf16>
        metalium.noc_async_read_tile %i, %B_acc, %to
        metalium.noc_async_read_barrier // writer-read-barrier
        metalium.cb_push_back %b_cb, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_wait_front %out, %c1 : !tt.cb<1x1xbf16>
        %from = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
        metalium.noc_async_write_tile %i, %C_acc, %from
        metalium.noc_async_write_barrier // write-barrier
        metalium.cb_pop_front %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
  }
}
