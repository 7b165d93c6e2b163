// Two programs side by side: the first column of cores computes C = exp(A), the second D = A + B. Each has
// kernels of its own, two of a role, with circular buffers and settings of their own. The readers of the
// first column send each tile of A to their neighbours, whose places tt.worker_core says.
// The twin of level 1, on one core, has the same inputs, and the same results.
// REQUIRES: all
// RUN: sed 's/64x64/64x128/g' %inputs/exp_and_add.mlir > %t.twin.mlir
// RUN: tt-run %t.twin.mlir --seed 3 --check --output C=%t.exp.npy --output D=%t.add.npy | FileCheck %s --check-prefix=TWIN
// TWIN: C: {{.*}}: ok
// TWIN: D: {{.*}}: ok
// RUN: tt-opt --tt-verify-ir=strict=true %s -o /dev/null 2>&1 | count 0
// RUN: %if all %{ tt-run %s --seed 3 --output C=%t.C.npy --output D=%t.D.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
// RUN: %if all %{ tt-run %s --seed 3 --metalium-api=2025 --output C=%t.C.npy --output D=%t.D.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
// RUN: sed 's/arch = wormhole_b0/arch = blackhole/' %s > %t.mlir
// RUN: %if all %{ tt-run %t.mlir --seed 4 --metalium-api=2026-03 --output C=%t.C.npy --output D=%t.D.npy %}
// RUN: %if all %{ tt-run %t.twin.mlir --seed 4 --output C=%t.exp.npy --output D=%t.add.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
// RUN: %if all %{ tt-run %t.mlir --seed 4 --output C=%t.C.npy --output D=%t.D.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
//
// A file and a kernel each; what each core gets, set by set; the settings that each compute kernel has.
// RUN: tt-translate --emit-metalium %s | FileCheck %s
// CHECK: //--- side_by_side/left_reader.cpp
// CHECK: //--- side_by_side/left_compute.cpp
// CHECK: exp_tile(0);
// CHECK: //--- side_by_side/left_writer.cpp
// CHECK: //--- side_by_side/right_reader.cpp
// CHECK: //--- side_by_side/right_compute.cpp
// CHECK: add_tiles(cb_in0, cb_in1, 0, 0, 0);
// CHECK: //--- side_by_side/right_writer.cpp
// CHECK: //--- side_by_side/main.cpp
// CHECK: make_cb(all_cores, CBIndex::c_0, 2, 2048, DataFormat::Float16_b);
// CHECK: make_cb(right_cores, CBIndex::c_1, 2, 2048, DataFormat::Float16_b);
// CHECK: left_compute.cpp", left_cores,
// CHECK-NEXT: ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
// CHECK: right_compute.cpp", right_cores,
// CHECK-NEXT: ComputeConfig{.math_fidelity = MathFidelity::LoFi,
// CHECK: for (const CoreCoord& core : corerange_to_cores(left_cores)) {
// CHECK: device->worker_core_from_logical_core(CoreCoord(
// CHECK: SetRuntimeArgs(program, left_reader, core, {static_cast<uint32_t>(A->address()), first, {{.*}}, {{.*}}});
// CHECK: SetRuntimeArgs(program, left_writer, core, {static_cast<uint32_t>(C->address()), first});
// CHECK: for (const CoreCoord& core : corerange_to_cores(right_cores)) {
// CHECK: SetRuntimeArgs(program, right_reader, core, {static_cast<uint32_t>(B->address()), first, {{.*}}, {{.*}}});
// CHECK: //--- side_by_side/tt.plan.json
// CHECK: {"role": "compute", "file": "left_compute.cpp", "processor": "TRISC", "noc": null, "config": {"math_fidelity": "HiFi4", "fp32_dest_acc": false, "math_approx": false, "unpack_to_dest": []}, "cores": "left"
// CHECK: {"role": "compute", "file": "right_compute.cpp", "processor": "TRISC", "noc": null, "config": {"math_fidelity": "LoFi", {{.*}}}, "cores": "right"
// CHECK: {"core": {"x": 1, "y": 1}, "start_id": 3, "count": 1}
// RUN: tt-translate --emit-metalium --output-dir=%t.dir %s && python3 %root/test/Emit/check_plan.py %root/docs/plan.schema.json %t.dir/side_by_side/tt.plan.json | FileCheck %s --check-prefix=PLAN
// PLAN: valid: side_by_side, 4 cores, 4 units
//
// What is wrong with one of two is found, whichever it is; and sets that meet are none of two programs.
// RUN: sed '/left-pop/d' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: [rule 6] deadlock: the reader of core (0, 0)
// RUN: sed '/right-pop/d' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: error: [rule 6] deadlock: the reader of core (1, 0)
// RUN: sed '/left-add/d' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=SIGNAL
// SIGNAL: error: [rule 6] deadlock
// RUN: sed '/right-init/s/add/mul/' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=INIT
// INIT: error: [rule 11]
// RUN: sed '/tt.core_set @right/s/start = .1, 0./start = [0, 1]/' %s | not tt-opt 2>&1 | FileCheck %s --check-prefix=MEET
// MEET: error: (C2) core (0, 1) has two kernels for processor dm1
// A circular buffer that only the others have: the run of the second column stops there.
// RUN: sed 's/@cb_in0 on @all/@cb_in0 on @left/' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: [rule 8] core (1, {{.}}) has no circular buffer @cb_in0

module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @side_by_side : (memref<64x128xbf16>, memref<64x128xbf16>, memref<64x128xbf16>, memref<64x128xbf16>) -> () attributes {
      tt.args = ["A", "B", "C", "D"], tt.partition_mode = "global", tt.grid = array<i64: 2, 2, 1>,
      tt.grid_tiles = array<i64: 2, 4>, tt.core_grid = array<i64: 2, 2>,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [1, 1]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>,
                           #tt.work<core = [0, 1], start_id = 2, count = 1>, #tt.work<core = [1, 1], start_id = 3, count = 1>],
      tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.C = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.buffer.D = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.B = #tt.cb<cb_id = 1, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.C = #tt.cb<cb_id = 16, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.cb.D = #tt.cb<cb_id = 17, page_size = 2048, depth = 2, data_format = bfloat16>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>,
      tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>,
      tt.tensor_accessor.D = #tt.tensor_accessor<type = abstract, buffer_name = "D", layout_ref = "tt.buffer.D", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
    tt.core_set @left = [#tt.core_range<start = [0, 0], end = [0, 1]>]
    tt.core_set @right = [#tt.core_range<start = [1, 0], end = [1, 1]>]
    tt.circular_buffer @cb_in0 on @all input !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_in1 on @right input !tt.cb<1x1xbf16> id = 1 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "B"
    tt.circular_buffer @cb_out0 on @left output !tt.cb<1x1xbf16> id = 16 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "C"
    tt.circular_buffer @cb_out1 on @right output !tt.cb<1x1xbf16> id = 17 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "D"
    tt.semaphore @room on @left init 0
    tt.semaphore @here on @right init 0
    tt.core_args (%x, %y) -> ["first", "other_x", "other_y"] {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %first = arith.muli %y, %c4 : index
      %other = arith.subi %c1, %x : index
      %other_x, %other_y = tt.worker_core %other, %y
      tt.yield %first, %other_x, %other_y : index, index, index
    }
    tt.kernel @left_reader(%A: memref<64x128xbf16> {tt.name = "A"}) on @left processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %first = tt.runtime_arg "first" : index
      %other_x = tt.runtime_arg "other_x" : index
      %other_y = tt.runtime_arg "other_y" : index
      %acc = metalium.tensor_accessor "A", %A : memref<64x128xbf16>
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %bytes = metalium.get_tile_size %in0 : !tt.cb<1x1xbf16>
      %room = metalium.get_semaphore @room
      %here = metalium.get_semaphore @here
      scf.for %i = %c0 to %c4 step %c1 {
        %tile = arith.addi %first, %i : index
        metalium.cb_reserve_back %in0, %c1 : !tt.cb<1x1xbf16>
        %l1 = metalium.get_write_ptr %in0 : !tt.cb<1x1xbf16>
        metalium.noc_async_read_tile %tile, %acc, %l1
        metalium.noc_async_read_barrier
        metalium.noc_semaphore_wait %room, %c1
        metalium.noc_semaphore_set %room, %c0
        %there = metalium.get_noc_addr %other_x, %other_y, %l1
        metalium.noc_async_write %l1, %there, %bytes
        metalium.noc_async_writes_flushed
        %flag = metalium.get_noc_addr %other_x, %other_y, %here
        metalium.noc_semaphore_inc %flag, %c1 // left-add
        metalium.cb_push_back %in0, %c1 : !tt.cb<1x1xbf16>
      }
      metalium.noc_async_write_barrier
      tt.return
    }
    tt.kernel @left_compute() on @left processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      tt.engine.init_common copy, %in0 -> %out : !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      metalium.copy_tile_init %in0 : !tt.cb<1x1xbf16>
      tt.sfpu.init exp
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %in0, %c1 : !tt.cb<1x1xbf16>
        tt.dst.acquire
        metalium.copy_tile %in0, %c0, %c0 : !tt.cb<1x1xbf16>
        metalium.sfpu_tile exp, %c0
        tt.dst.commit
        metalium.cb_pop_front %in0, %c1 : !tt.cb<1x1xbf16> // left-pop
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xbf16>
        tt.dst.wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16>
        tt.dst.release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @left_writer(%C: memref<64x128xbf16> {tt.name = "C"}) on @left processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %first = tt.runtime_arg "first" : index
      %acc = metalium.tensor_accessor "C", %C : memref<64x128xbf16>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c4 step %c1 {
        %tile = arith.addi %first, %i : index
        metalium.cb_wait_front %out, %c1 : !tt.cb<1x1xbf16>
        %l1 = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
        metalium.noc_async_write_tile %tile, %acc, %l1
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @right_reader(%B: memref<64x128xbf16> {tt.name = "B"}) on @right processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %first = tt.runtime_arg "first" : index
      %other_x = tt.runtime_arg "other_x" : index
      %other_y = tt.runtime_arg "other_y" : index
      %acc = metalium.tensor_accessor "B", %B : memref<64x128xbf16>
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %room = metalium.get_semaphore @room
      %here = metalium.get_semaphore @here
      scf.for %i = %c0 to %c4 step %c1 {
        %tile = arith.addi %first, %i : index
        metalium.cb_reserve_back %in0, %c1 : !tt.cb<1x1xbf16>
        %left = metalium.get_noc_addr %other_x, %other_y, %room
        metalium.noc_semaphore_inc %left, %c1
        metalium.cb_reserve_back %in1, %c1 : !tt.cb<1x1xbf16>
        %l1 = metalium.get_write_ptr %in1 : !tt.cb<1x1xbf16>
        metalium.noc_async_read_tile %tile, %acc, %l1
        metalium.noc_async_read_barrier
        metalium.cb_push_back %in1, %c1 : !tt.cb<1x1xbf16>
        metalium.noc_semaphore_wait %here, %c1
        metalium.noc_semaphore_set %here, %c0
        metalium.cb_push_back %in0, %c1 : !tt.cb<1x1xbf16>
      }
      metalium.noc_async_write_barrier
      tt.return
    }
    tt.kernel @right_compute() on @right processor = compute config = <math_fidelity = LoFi, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %in0 = tt.get_cb @cb_in0 : !tt.cb<1x1xbf16>
      %in1 = tt.get_cb @cb_in1 : !tt.cb<1x1xbf16>
      %out = tt.get_cb @cb_out1 : !tt.cb<1x1xbf16>
      tt.engine.init_common binary, %in0, %in1 -> %out : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
      tt.fpu.binary_init add, %in0, %in1, %out : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> // right-init
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %in0, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_wait_front %in1, %c1 : !tt.cb<1x1xbf16>
        tt.dst.acquire
        metalium.add_tiles %in0, %in1, %c0, %c0, %c0 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
        tt.dst.commit
        metalium.cb_pop_front %in0, %c1 : !tt.cb<1x1xbf16> // right-pop
        metalium.cb_pop_front %in1, %c1 : !tt.cb<1x1xbf16>
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xbf16>
        tt.dst.wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xbf16>
        tt.dst.release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
    tt.kernel @right_writer(%D: memref<64x128xbf16> {tt.name = "D"}) on @right processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.D = #tt.tensor_accessor<type = bound, buffer_name = "D", layout_ref = "tt.buffer.D", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %first = tt.runtime_arg "first" : index
      %acc = metalium.tensor_accessor "D", %D : memref<64x128xbf16>
      %out = tt.get_cb @cb_out1 : !tt.cb<1x1xbf16>
      scf.for %i = %c0 to %c4 step %c1 {
        %tile = arith.addi %first, %i : index
        metalium.cb_wait_front %out, %c1 : !tt.cb<1x1xbf16>
        %l1 = metalium.get_read_ptr %out : !tt.cb<1x1xbf16>
        metalium.noc_async_write_tile %tile, %acc, %l1
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %out, %c1 : !tt.cb<1x1xbf16>
      }
      tt.return
    }
  }
}
