// What cores send to each other, blocks of products and what the packer adds, in each era: on NoC 1 a
// rectangle starts at its largest corner, and eras without a function of the packer's ReLU set it below
// the API.
// RUN: tt-translate --emit-metalium --unverified --metalium-api=2025 %s | FileCheck %s --check-prefixes=ALL,OLD,Y2025
// RUN: tt-translate --emit-metalium --unverified --metalium-api=2026-03 %s | FileCheck %s --check-prefixes=ALL,OLD,MARCH
// RUN: tt-translate --emit-metalium --unverified %s | FileCheck %s --check-prefixes=ALL,AUGUST
//
// What moves data has no place in a kernel that computes.
// RUN: sed 's/^ *metalium.cb_wait_front %in/metalium.noc_async_read_barrier\n&/' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=ROLE
// ROLE: error: metalium.noc_async_read_barrier does not belong in a compute kernel

module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @all : (memref<64x64xbf16>, memref<64x64xbf16>) -> () attributes {
      tt.args = ["A", "B"], tt.partition_mode = "global", tt.grid = array<i64: 2, 2, 1>,
      tt.grid_tiles = array<i64: 2, 2>, tt.core_grid = array<i64: 2, 2>, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [1, 1]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>, #tt.work<core = [0, 1], start_id = 2, count = 1>, #tt.work<core = [1, 1], start_id = 3, count = 1>],
      tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 8, data_format = bfloat16>,
      tt.cb.B = #tt.cb<cb_id = 16, page_size = 2048, depth = 4, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
    tt.circular_buffer @cb_in0 on @all "input" !tt.cb<1x1xbf16> id = 0 pages = 8 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_out0 on @all "output" !tt.cb<1x1xbf16> id = 16 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "B"
    tt.semaphore @go on @all init 0
    tt.semaphore @done on @all init 3
    tt.core_args (%x, %y) -> ["start_id", "count", "x0", "y0", "x1", "y1"] {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %x0, %y0 = tt.worker_core %c0, %c0
      %x1, %y1 = tt.worker_core %c1, %c1
      %row = arith.muli %y, %c2 : index
      %start = arith.addi %row, %x : index
      tt.yield %start, %c1, %x0, %y0, %x1, %y1 : index, index, index, index, index, index
    }
    tt.kernel @reader(%A: memref<64x64xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %x0 = tt.runtime_arg "x0" : index
      %y0 = tt.runtime_arg "y0" : index
      %x1 = tt.runtime_arg "x1" : index
      %y1 = tt.runtime_arg "y1" : index
      %A_acc = metalium.tensor_accessor "A", %A : memref<64x64xbf16>
      %in = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %bytes = metalium.get_tile_size %in : !tt.cb<1x1xbf16>
      %go = metalium.get_semaphore @go
      %done = metalium.get_semaphore @done
      %l1 = metalium.get_write_ptr %in : !tt.cb<1x1xbf16>
      // ALL-LABEL: reader.cpp
      // Y2025: #include "dataflow_api.h"
      // MARCH: #include "api/dataflow/dataflow_api.h"
      // AUGUST: #include "api/dataflow/dataflow_api.h"
      // ALL: const uint32_t x0 = get_arg_val<uint32_t>(1);
      // ALL: const uint32_t go = get_semaphore(get_compile_time_arg_val(0));
      // ALL-NEXT: auto* const go_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(go);
      // ALL-NEXT: const uint32_t done = get_semaphore(get_compile_time_arg_val(1));
      // ALL-NEXT: auto* const done_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(done);
      // ALL-NEXT: const uint32_t tile_bytes = get_tile_size(cb_in0);
      // ALL-NEXT: constexpr auto A_args = TensorAccessorArgs<2>();
      // ALL: const uint32_t cb_in0_write_ptr = get_write_ptr(cb_in0);
      // ALL-NEXT: noc_semaphore_set(go_word, 1);
      metalium.noc_semaphore_set %go, %c1
      // ALL-NEXT: noc_semaphore_wait(go_word, 1);
      metalium.noc_semaphore_wait %go, %c1
      // ALL-NEXT: noc_semaphore_wait_min(done_word, 3);
      metalium.noc_semaphore_wait_min %done, %c3
      // ALL-NEXT: noc_semaphore_inc(get_noc_addr(x1, y1, go), 1);
      %to_go = metalium.get_noc_addr %x1, %y1, %go
      metalium.noc_semaphore_inc %to_go, %c1
      // ALL-NEXT: const uint64_t noc_addr = get_noc_addr(my_x[noc_index], my_y[noc_index], done);
      %mx = metalium.my_x
      %my = metalium.my_y
      %own = metalium.get_noc_addr %mx, %my, %done
      // ALL-NEXT: noc_semaphore_set_remote(go, noc_addr);
      metalium.noc_semaphore_set_remote %go, %own
      // ALL-NEXT: noc_semaphore_set_remote(done, noc_addr);
      metalium.noc_semaphore_set_remote %done, %own
      // ALL-NEXT: const uint64_t noc_addr_1 = get_noc_multicast_addr(x0, y0, x1, y1, go);
      %all_go = metalium.get_noc_multicast_addr %x0, %y0, %x1, %y1, %go
      // ALL-NEXT: noc_semaphore_set_multicast(go, noc_addr_1, 3);
      metalium.noc_semaphore_set_multicast %go, %all_go, %c3
      // ALL-NEXT: noc_semaphore_set_multicast_loopback_src(go, noc_addr_1, 4);
      metalium.noc_semaphore_set_multicast_loopback_src %go, %all_go, %c4
      // ALL-NEXT: noc_semaphore_inc_multicast(noc_addr_1, 1, 3);
      metalium.noc_semaphore_inc_multicast %all_go, %c1, %c3
      // Y2025: noc_async_read_tile(0, A, cb_in0_write_ptr);
      // MARCH: noc_async_read_tile(0, A, cb_in0_write_ptr);
      // AUGUST: noc_async_read_page(0, A, cb_in0_write_ptr);
      metalium.noc_async_read_tile %c0, %A_acc, %l1
      // ALL-NEXT: noc_async_read_barrier();
      metalium.noc_async_read_barrier
      // ALL-NEXT: const uint64_t noc_addr_2 = get_noc_multicast_addr(x0, y0, x1, y1, cb_in0_write_ptr);
      %all_l1 = metalium.get_noc_multicast_addr %x0, %y0, %x1, %y1, %l1
      // ALL-NEXT: noc_async_write_multicast(cb_in0_write_ptr, noc_addr_2, tile_bytes, 3);
      metalium.noc_async_write_multicast %l1, %all_l1, %bytes, %c3
      // ALL-NEXT: noc_async_write_multicast_loopback_src(cb_in0_write_ptr, noc_addr_2, tile_bytes, 4);
      metalium.noc_async_write_multicast_loopback_src %l1, %all_l1, %bytes, %c4
      // ALL-NEXT: const uint64_t noc_addr_3 = get_noc_addr(x0, y0, cb_in0_write_ptr);
      %there = metalium.get_noc_addr %x0, %y0, %l1
      // ALL-NEXT: noc_async_write(cb_in0_write_ptr, noc_addr_3, tile_bytes);
      metalium.noc_async_write %l1, %there, %bytes
      // ALL-NEXT: noc_async_read(noc_addr_3, cb_in0_write_ptr, tile_bytes);
      metalium.noc_async_read %there, %l1, %bytes
      // ALL-NEXT: noc_async_writes_flushed();
      metalium.noc_async_writes_flushed
      // ALL-NEXT: noc_async_write_barrier();
      metalium.noc_async_write_barrier
      // The answers to increments, which the next kernel would count.
      // ALL-NEXT: noc_async_atomic_barrier();
      // ALL-NEXT: }
      tt.return
    }
    tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %on = arith.constant true
      %off = arith.constant false
      %in = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      // ALL-LABEL: compute.cpp
      // Y2025: #include "compute_kernel_api/matmul.h"
      // Y2025-NEXT: #include "compute_kernel_api/pack.h"
      // MARCH: #include "api/compute/matmul.h"
      // MARCH-NEXT: #include "api/compute/pack.h"
      // AUGUST: #include "api/compute/matmul.h"
      // AUGUST-NEXT: #include "api/compute/pack.h"
      // Y2025: void MAIN {
      // MARCH: void kernel_main() {
      // AUGUST: void kernel_main() {
      tt.engine.init_common "matmul", %in, %in -> %out : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      // OLD: mm_block_init_short(cb_in0, cb_in0, 0, 2, 2, 2);
      // AUGUST: matmul_block_init(cb_in0, cb_in0, 0, 2, 2, 2);
      metalium.matmul_block_init %in, %in ct = 2 rt = 2 kt = 2 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      metalium.cb_wait_front %in, %c8 : !tt.cb<1x1xbf16>
      // ALL: tile_regs_acquire();
      tt.dst.acquire
      // ALL-NEXT: matmul_block(cb_in0, cb_in0, 0, 4, 0, 0, 2, 2, 2);
      metalium.matmul_block %in, %in, %c0, %c4, %c0 ct = 2 rt = 2 kt = 2 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      // OLD: mm_block_init_short(cb_in0, cb_in0, 1, 1, 4, 1);
      // AUGUST: matmul_block_init(cb_in0, cb_in0, 1, 1, 4, 1);
      metalium.matmul_block_init %in, %in transpose_b ct = 1 rt = 4 kt = 1 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      // ALL-NEXT: matmul_block(cb_in0, cb_in0, 0, 4, 0, 1, 1, 4, 1);
      metalium.matmul_block %in, %in transpose_b, %c0, %c4, %c0 ct = 1 rt = 4 kt = 1 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
      tt.dst.commit
      metalium.cb_reserve_back %out, %c4 : !tt.cb<1x1xbf16>
      // ALL: tile_regs_wait();
      tt.dst.wait
      // OLD-NEXT: PACK((llk_pack_relu_config(true)));
      // AUGUST-NEXT: pack_relu_config(true);
      metalium.pack_relu_config %on
      // ALL-NEXT: pack_reconfig_l1_acc(true);
      metalium.pack_reconfig_l1_acc %on
      // ALL-NEXT: pack_tile(0, cb_out0);
      metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16>
      // ALL-NEXT: pack_tile<true>(1, cb_out0, 3);
      metalium.pack_tile %c1, %out at %c3 : !tt.cb<1x1xbf16>
      // ALL-NEXT: pack_reconfig_l1_acc(false);
      metalium.pack_reconfig_l1_acc %off
      // OLD-NEXT: PACK((llk_pack_relu_config(false)));
      // AUGUST-NEXT: pack_relu_config(false);
      metalium.pack_relu_config %off
      tt.dst.release
      metalium.cb_push_back %out, %c4 : !tt.cb<1x1xbf16>
      metalium.cb_pop_front %in, %c8 : !tt.cb<1x1xbf16>
      tt.return
    }
    tt.kernel @writer(%A: memref<64x64xbf16> {tt.name = "A"}, %B: memref<64x64xbf16> {tt.name = "B"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>,
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 1, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %x0 = tt.runtime_arg "x0" : index
      %y0 = tt.runtime_arg "y0" : index
      %x1 = tt.runtime_arg "x1" : index
      %y1 = tt.runtime_arg "y1" : index
      %A_acc = metalium.tensor_accessor "A", %A : memref<64x64xbf16>
      %B_acc = metalium.tensor_accessor "B", %B : memref<64x64xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      %l1 = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
      %go = metalium.get_semaphore @go
      // ALL-LABEL: writer.cpp
      // ALL-NEXT: // all, writer: moves blocks from tensors to circular buffers, and back.
      // ALL: const uint32_t cb_out0_read_ptr = get_read_ptr(cb_out0);
      // ALL-NEXT: const uint32_t index = get_absolute_logical_x() + get_absolute_logical_y();
      %lx = metalium.get_absolute_logical_x
      %ly = metalium.get_absolute_logical_y
      %sum = arith.addi %lx, %ly : index
      // Y2025-NEXT: noc_async_read_tile(index, A, cb_out0_read_ptr);
      // MARCH-NEXT: noc_async_read_tile(index, A, cb_out0_read_ptr);
      // AUGUST-NEXT: noc_async_read_page(index, A, cb_out0_read_ptr);
      metalium.noc_async_read_tile %sum, %A_acc, %l1
      // ALL-NEXT: noc_async_read_barrier();
      metalium.noc_async_read_barrier
      // Y2025-NEXT: noc_async_write_tile(index, B, cb_out0_read_ptr);
      // MARCH-NEXT: noc_async_write_tile(index, B, cb_out0_read_ptr);
      // AUGUST-NEXT: noc_async_write_page(index, B, cb_out0_read_ptr);
      metalium.noc_async_write_tile %sum, %B_acc, %l1
      // ALL-NEXT: noc_semaphore_set_multicast(go, get_noc_multicast_addr(x1, y1, x0, y0, go), 3);
      %all_go = metalium.get_noc_multicast_addr %x0, %y0, %x1, %y1, %go
      metalium.noc_semaphore_set_multicast %go, %all_go, %c3
      metalium.noc_async_write_barrier
      tt.return
    }
  }
}
// The host gives each kernel its semaphores, and each mover its NoC.
// ALL-LABEL: main.cpp
// ALL: CreateSemaphore(program, cores, 0);
// ALL: CreateSemaphore(program, cores, 3);
// ALL: .processor = DataMovementProcessor::RISCV_1,
// ALL-NEXT: .noc = NOC::NOC_0,
// ALL: .processor = DataMovementProcessor::RISCV_0,
// ALL-NEXT: .noc = NOC::NOC_1,
