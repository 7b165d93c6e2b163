// C = max(A B, 0) on one core: products of blocks of 2 x 2 tiles, the second half of K added to the first
// one in L1, and the sums packed out of order without what is negative. Integers, so that all is exact.
// REQUIRES: all
// RUN: python3 %S/Inputs/integers.py %t.a.npy 64x128 %t.b.npy 128x64
// RUN: tt-run --strict %s --input A=%t.a.npy --input B=%t.b.npy --output C=%t.npy
// RUN: python3 %S/Inputs/expect.py relu_product %t.npy %t.a.npy %t.b.npy
// RUN: tt-run --strict %s --input A=%t.a.npy --input B=%t.b.npy --metalium-api=2025 --output C=%t.npy
// RUN: python3 %S/Inputs/expect.py relu_product %t.npy %t.a.npy %t.b.npy
// RUN: sed 's/arch = wormhole_b0/arch = blackhole/' %s > %t.mlir
// RUN: tt-run --strict %t.mlir --input A=%t.a.npy --input B=%t.b.npy --metalium-api=2026-03 --output C=%t.npy
// RUN: python3 %S/Inputs/expect.py relu_product %t.npy %t.a.npy %t.b.npy
//
// Without what is tested, the results are others.
// RUN: sed '/l1-on/d' %s > %t.mlir
// RUN: tt-run %t.mlir --input A=%t.a.npy --input B=%t.b.npy --output C=%t.npy
// RUN: not python3 %S/Inputs/expect.py relu_product %t.npy %t.a.npy %t.b.npy
// RUN: sed '/relu-on/d' %s > %t.mlir
// RUN: tt-run %t.mlir --input A=%t.a.npy --input B=%t.b.npy --output C=%t.npy
// RUN: not python3 %S/Inputs/expect.py relu_product %t.npy %t.a.npy %t.b.npy

module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @blocks : (memref<64x128xbf16>, memref<128x64xbf16>, memref<64x64xbf16>) -> () attributes {
      tt.args = ["A", "B", "C"], tt.partition_mode = "global", tt.grid = array<i64: 1, 1, 1>,
      tt.grid_tiles = array<i64: 2, 2>, tt.core_grid = array<i64: 1, 1>, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>], tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.C = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 4, data_format = bfloat16>,
      tt.cb.B = #tt.cb<cb_id = 1, page_size = 2048, depth = 4, data_format = bfloat16>,
      tt.cb.C = #tt.cb<cb_id = 16, page_size = 2048, depth = 4, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>,
      tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.circular_buffer @cb_in0 on @all "input" !tt.cb<1x1xbf16> id = 0 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_in1 on @all "input" !tt.cb<1x1xbf16> id = 1 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "B"
    tt.circular_buffer @cb_mid on @all "intermediate" !tt.cb<1x1xbf16> id = 24 pages = 4 page_bytes = 2048 format = bfloat16
    tt.circular_buffer @cb_out0 on @all "output" !tt.cb<1x1xbf16> id = 16 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "C"
    tt.core_args (%x, %y) -> ["start_id", "count"] { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index tt.yield %c0, %c1 : index, index }
    tt.kernel @reader(%A: memref<64x128xbf16> {tt.name = "A"}, %B: memref<128x64xbf16> {tt.name = "B"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>,
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 1, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %h0 = arith.constant 0 : index
      %h1 = arith.constant 2 : index
      %A_acc = metalium.tensor_accessor "A", %A : memref<64x128xbf16>
      %B_acc = metalium.tensor_accessor "B", %B : memref<128x64xbf16>
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %bytes = metalium.get_tile_size %in0 : !tt.cb<1x1xbf16>
      metalium.cb_reserve_back %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_reserve_back %in1, %c4 : !tt.cb<1x1xbf16>
      %a0 = metalium.get_write_ptr %in0 : !tt.cb<1x1xbf16>
      %b0 = metalium.get_write_ptr %in1 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c4 step %c1 {
        %r = arith.divui %i, %c2 : index
        %k = arith.remui %i, %c2 : index
        %row = arith.muli %r, %c4 : index
        %col = arith.addi %k, %h0 : index
        %tile = arith.addi %row, %col : index
        %at = arith.muli %i, %bytes : index
        %to = metalium.l1_offset %a0, %at
        metalium.noc_async_read_tile %tile, %A_acc, %to
        %first = arith.muli %h0, %c2 : index
        %b_tile = arith.addi %first, %i : index
        %b_to = metalium.l1_offset %b0, %at
        metalium.noc_async_read_tile %b_tile, %B_acc, %b_to
      }
      metalium.noc_async_read_barrier
      metalium.cb_push_back %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_push_back %in1, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_reserve_back %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_reserve_back %in1, %c4 : !tt.cb<1x1xbf16>
      %a1 = metalium.get_write_ptr %in0 : !tt.cb<1x1xbf16>
      %b1 = metalium.get_write_ptr %in1 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c4 step %c1 {
        %r = arith.divui %i, %c2 : index
        %k = arith.remui %i, %c2 : index
        %row = arith.muli %r, %c4 : index
        %col = arith.addi %k, %h1 : index
        %tile = arith.addi %row, %col : index
        %at = arith.muli %i, %bytes : index
        %to = metalium.l1_offset %a1, %at
        metalium.noc_async_read_tile %tile, %A_acc, %to
        %first = arith.muli %h1, %c2 : index
        %b_tile = arith.addi %first, %i : index
        %b_to = metalium.l1_offset %b1, %at
        metalium.noc_async_read_tile %b_tile, %B_acc, %b_to
      }
      metalium.noc_async_read_barrier
      metalium.cb_push_back %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_push_back %in1, %c4 : !tt.cb<1x1xbf16>
      tt.return
    }
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %on = arith.constant true
      %off = arith.constant false
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %mid = tt.get_cb @cb_mid : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      tt.engine.init_common matmul, %in0, %in1 -> %mid : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      metalium.matmul_block_init %in0, %in1 ct = 2 rt = 2 kt = 2 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      metalium.cb_wait_front %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_wait_front %in1, %c4 : !tt.cb<1x1xbf16>
      tt.dst.acquire
      metalium.matmul_block %in0, %in1, %c0, %c0, %c0 ct = 2 rt = 2 kt = 2 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      metalium.matmul_block %in0, %in1, %c1, %c2, %c0 ct = 2 rt = 2 kt = 2 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      tt.dst.commit
      metalium.cb_pop_front %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_pop_front %in1, %c4 : !tt.cb<1x1xbf16>
      tt.dst.wait
      metalium.cb_reserve_back %mid, %c4 : !tt.cb<1x1xbf16>
      metalium.pack_tile %c0, %mid at %c0 : !tt.cb<1x1xbf16>
      metalium.pack_tile %c1, %mid at %c1 : !tt.cb<1x1xbf16>
      metalium.pack_tile %c2, %mid at %c2 : !tt.cb<1x1xbf16>
      metalium.pack_tile %c3, %mid at %c3 : !tt.cb<1x1xbf16>
      tt.dst.release
      metalium.cb_wait_front %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_wait_front %in1, %c4 : !tt.cb<1x1xbf16>
      tt.dst.acquire
      metalium.matmul_block %in0, %in1, %c0, %c0, %c0 ct = 2 rt = 2 kt = 2 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      metalium.matmul_block %in0, %in1, %c1, %c2, %c0 ct = 2 rt = 2 kt = 2 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      tt.dst.commit
      metalium.cb_pop_front %in0, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_pop_front %in1, %c4 : !tt.cb<1x1xbf16>
      tt.dst.wait
      metalium.pack_reconfig_l1_acc %on // l1-on
      metalium.pack_tile %c0, %mid at %c0 : !tt.cb<1x1xbf16>
      metalium.pack_tile %c1, %mid at %c1 : !tt.cb<1x1xbf16>
      metalium.pack_tile %c2, %mid at %c2 : !tt.cb<1x1xbf16>
      metalium.pack_tile %c3, %mid at %c3 : !tt.cb<1x1xbf16>
      metalium.pack_reconfig_l1_acc %off // l1-off
      tt.dst.release
      metalium.cb_push_back %mid, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_wait_front %mid, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_reserve_back %out, %c4 : !tt.cb<1x1xbf16>
      metalium.copy_tile_init %mid : !tt.cb<1x1xbf16>
      metalium.pack_relu_config %on // relu-on
      tt.dst.acquire
      metalium.copy_tile %mid, %c0, %c0 : !tt.cb<1x1xbf16>
      tt.dst.commit
      tt.dst.wait
      metalium.pack_tile %c0, %out at %c3 : !tt.cb<1x1xbf16> // place-0
      tt.dst.release
      tt.dst.acquire
      metalium.copy_tile %mid, %c1, %c0 : !tt.cb<1x1xbf16>
      tt.dst.commit
      tt.dst.wait
      metalium.pack_tile %c0, %out at %c2 : !tt.cb<1x1xbf16> // place-1
      tt.dst.release
      tt.dst.acquire
      metalium.copy_tile %mid, %c2, %c0 : !tt.cb<1x1xbf16>
      tt.dst.commit
      tt.dst.wait
      metalium.pack_tile %c0, %out at %c1 : !tt.cb<1x1xbf16> // place-2
      tt.dst.release
      tt.dst.acquire
      metalium.copy_tile %mid, %c3, %c0 : !tt.cb<1x1xbf16>
      tt.dst.commit
      tt.dst.wait
      metalium.pack_tile %c0, %out at %c0 : !tt.cb<1x1xbf16> // place-3
      tt.dst.release
      metalium.pack_relu_config %off
      metalium.cb_pop_front %mid, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_push_back %out, %c4 : !tt.cb<1x1xbf16>
      tt.return
    }
    tt.kernel @writer(%C: memref<64x64xbf16> {tt.name = "C"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %C_acc = metalium.tensor_accessor "C", %C : memref<64x64xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      %bytes = metalium.get_tile_size %out : !tt.cb<1x1xbf16>
      metalium.cb_wait_front %out, %c4 : !tt.cb<1x1xbf16>
      %l1 = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c4 step %c1 {
        %back = arith.subi %c3, %i : index
        %at = arith.muli %back, %bytes : index
        %from = metalium.l1_offset %l1, %at
        metalium.noc_async_write_tile %i, %C_acc, %from
      }
      metalium.noc_async_write_barrier
      metalium.cb_pop_front %out, %c4 : !tt.cb<1x1xbf16>
      tt.return
    }
  }
}
