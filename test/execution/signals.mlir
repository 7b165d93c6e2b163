// The first of four cores reads a tile of A, and multicasts it to all of them, itself included; each
// writes it to its column of C. Behind it goes a flag, to all as well. At the end all tell the first
// one, which tells the others, of whom the last one answers: each op on semaphores has its part.
// RUN: python3 %S/Inputs/integers.py %t.a.npy 96x32
// RUN: tt-opt --tt-verify-ir=strict=true %s -o /dev/null 2>&1 | count 0
// RUN: tt-run --strict %s --input A=%t.a.npy --output C=%t.npy
// RUN: python3 %S/Inputs/expect.py repeat %t.npy %t.a.npy
// RUN: %if all %{ tt-run --strict %s --input A=%t.a.npy --metalium-api=2025 --output C=%t.npy %}
// RUN: python3 %S/Inputs/expect.py repeat %t.npy %t.a.npy
// RUN: sed 's/arch = wormhole_b0/arch = blackhole/' %s > %t.mlir
// RUN: %if all %{ tt-run --strict %t.mlir --input A=%t.a.npy --metalium-api=2026-03 --output C=%t.npy %}
// RUN: python3 %S/Inputs/expect.py repeat %t.npy %t.a.npy
//
// One more than there are, and one who is not told: both judges.
// RUN: sed '/wait-finish/s/%c3/%c4/' %s > %t.more.mlir
// RUN: not tt-opt --tt-verify-ir %t.more.mlir 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: error: [rule 6] deadlock
// MORE: the reader of core (0, 0) waits until semaphore @finish, which is 3, is 4
// RUN: %if all %{ not tt-run --unverified %t.more.mlir 2>&1 | FileCheck %s --check-prefix=DEAD %}
// DEAD: error: deadlock
// RUN: sed '/tell-others/d' %s > %t.untold.mlir
// RUN: not tt-opt --tt-verify-ir %t.untold.mlir 2>&1 | FileCheck %s --check-prefix=UNTOLD
// UNTOLD: error: [rule 6] deadlock: {{.*}}@begin, which is 0, is 1 or more
// RUN: %if all %{ not tt-run --unverified %t.untold.mlir 2>&1 | FileCheck %s --check-prefix=DEAD %}
//
// A value that the semaphore passes on its way is not to be waited for: it may be missed.
// RUN: sed 's/@finish on @all init 0/@finish on @all init 1/' %s > %t.passes.mlir
// RUN: not tt-opt --tt-verify-ir %t.passes.mlir 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: error: [rule 18] waits until @finish is exactly 3, but it may be 4 by then
// RUN: %if all %{ not tt-run --unverified %t.passes.mlir 2>&1 | \
// RUN:   FileCheck %s --check-prefix=EXACT %}
// EXACT: error: [rule 23] race on semaphore {{.*}}: nothing orders an increment here after a wait for exactly what it was then at {{.*}}reader.cpp
//
// A form without the sender where it is among those that wait.
// RUN: sed '/flag-all/{s/_loopback_src//;s/%c4/%c3/}' %s > %t.src.mlir
// RUN: not tt-opt --tt-verify-ir %t.src.mlir 2>&1 | FileCheck %s --check-prefix=SENDER
// SENDER: error: [rule 6] deadlock: the reader of core (0, 0) waits until semaphore @go, which is 0, is 1
// RUN: %if all %{ not tt-run --unverified %t.src.mlir 2>&1 | FileCheck %s --check-prefix=DEAD %}

module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @signals : (memref<96x32xbf16>, memref<96x128xbf16>) -> () attributes {
      tt.args = ["A", "C"], tt.partition_mode = "global", tt.grid = array<i64: 4, 1, 1>,
      tt.grid_tiles = array<i64: 1, 4>, tt.core_grid = array<i64: 4, 1>, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [3, 0]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>, #tt.work<core = [2, 0], start_id = 2, count = 1>, #tt.work<core = [3, 0], start_id = 3, count = 1>], tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.C = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.C = #tt.cb<cb_id = 16, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [3, 0]>]
    tt.circular_buffer @cb_in0 on @all "input" !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_src on @all "intermediate" !tt.cb<1x1xbf16> id = 24 pages = 1 page_bytes = 2048 format = bfloat16
    tt.circular_buffer @cb_out0 on @all "output" !tt.cb<1x1xbf16> id = 16 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "C"
    tt.semaphore @ready on @all init 0 tt.semaphore @go on @all init 0 tt.semaphore @one on @all init 0 tt.semaphore @finish on @all init 0 tt.semaphore @begin on @all init 0 tt.semaphore @mark on @all init 0
    tt.core_args (%x, %y) -> ["start_id", "count", "x", "sender_x", "first_x", "last_x", "row_y"] {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %sender_x, %row_y = tt.worker_core %c0, %y
      %first_x, %first_y = tt.worker_core %c1, %y
      %last_x, %last_y = tt.worker_core %c3, %y
      tt.yield %x, %c1, %x, %sender_x, %first_x, %last_x, %row_y : index, index, index, index, index, index, index
    }
    tt.kernel @reader(%A: memref<96x32xbf16> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %x = tt.runtime_arg "x" : index %sender_x = tt.runtime_arg "sender_x" : index %first_x = tt.runtime_arg "first_x" : index %last_x = tt.runtime_arg "last_x" : index %row_y = tt.runtime_arg "row_y" : index
      %ready = metalium.get_semaphore @ready %go = metalium.get_semaphore @go %one = metalium.get_semaphore @one %finish = metalium.get_semaphore @finish %begin = metalium.get_semaphore @begin %mark = metalium.get_semaphore @mark
      %A_acc = metalium.tensor_accessor "A", %A : memref<96x32xbf16>
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %src = tt.get_cb @cb_src : !tt.cb<1x1xbf16>
      %bytes = metalium.get_tile_size %in0 : !tt.cb<1x1xbf16>
      %my_y = metalium.my_y
      %sends = arith.cmpi eq, %x, %c0 : index
      %is_last = arith.cmpi eq, %x, %c3 : index
      scf.for %k = %c0 to %c3 step %c1 {
        metalium.cb_reserve_back %in0, %c1 : !tt.cb<1x1xbf16>
        %l1 = metalium.get_write_ptr %in0 : !tt.cb<1x1xbf16>
        scf.if %sends {
          metalium.cb_reserve_back %src, %c1 : !tt.cb<1x1xbf16>
          %to = metalium.get_write_ptr %src : !tt.cb<1x1xbf16>
          metalium.noc_async_read_tile %k, %A_acc, %to
          metalium.noc_async_read_barrier
          metalium.cb_push_back %src, %c1 : !tt.cb<1x1xbf16>
          metalium.cb_wait_front %src, %c1 : !tt.cb<1x1xbf16>
          %from = metalium.get_read_ptr %src : !tt.cb<1x1xbf16>
          metalium.noc_semaphore_wait %ready, %c3
          metalium.noc_semaphore_set %ready, %c0
          %all_l1 = metalium.get_noc_multicast_addr %sender_x, %row_y, %last_x, %row_y, %l1
          metalium.noc_async_write_multicast_loopback_src %from, %all_l1, %bytes, %c4 // data-all
          metalium.noc_async_write_barrier
          metalium.cb_pop_front %src, %c1 : !tt.cb<1x1xbf16>
          metalium.noc_semaphore_set %one, %c1
          %all_go = metalium.get_noc_multicast_addr %sender_x, %row_y, %last_x, %row_y, %go
          metalium.noc_semaphore_set_multicast_loopback_src %one, %all_go, %c4 // flag-all
          metalium.noc_async_writes_flushed
        } else {
          %there = metalium.get_noc_addr %sender_x, %my_y, %ready
          metalium.noc_semaphore_inc %there, %c1
        }
        metalium.noc_semaphore_wait %go, %c1
        metalium.noc_semaphore_set %go, %c0
        metalium.cb_push_back %in0, %c1 : !tt.cb<1x1xbf16>
      }
      scf.if %sends {
        metalium.noc_semaphore_wait %finish, %c3 // wait-finish
        %others = metalium.get_noc_multicast_addr %first_x, %row_y, %last_x, %row_y, %begin
        metalium.noc_semaphore_inc_multicast %others, %c1, %c3 // tell-others
        metalium.noc_semaphore_wait %mark, %c1
      } else {
        %there = metalium.get_noc_addr %sender_x, %row_y, %finish
        metalium.noc_semaphore_inc %there, %c1
        metalium.noc_semaphore_wait_min %begin, %c1
        scf.if %is_last {
          metalium.noc_semaphore_set %one, %c1
          %first = metalium.get_noc_addr %sender_x, %row_y, %mark
          metalium.noc_semaphore_set_remote %one, %first
        }
      }
      metalium.noc_async_write_barrier
      tt.return
    }
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      tt.engine.init_common copy, %in0 -> %out : !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      metalium.copy_tile_init %in0 : !tt.cb<1x1xbf16>
      scf.for %k = %c0 to %c3 step %c1 {
        metalium.cb_wait_front %in0, %c1 : !tt.cb<1x1xbf16>
        tt.dst.acquire
        metalium.copy_tile %in0, %c0, %c0 : !tt.cb<1x1xbf16>
        tt.dst.commit
        metalium.cb_pop_front %in0, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xbf16>
        tt.dst.wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16>
        tt.dst.release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @writer(%C: memref<96x128xbf16> {tt.name = "C"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %col = metalium.get_absolute_logical_x
      %C_acc = metalium.tensor_accessor "C", %C : memref<96x128xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      scf.for %k = %c0 to %c3 step %c1 {
        %row = arith.muli %k, %c4 : index
        %tile = arith.addi %row, %col : index
        metalium.cb_wait_front %out, %c1 : !tt.cb<1x1xbf16>
        %l1 = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
        metalium.noc_async_write_tile %tile, %C_acc, %l1
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
  }
}
