// Two compute kernels on halves of the cores, behind one reader: C = exp(A) takes all bits of A to DST, D = A + A
// has the FPU, which takes 19. What one needs is not what the other is set to.
// RUN: sed 's/ins(%A, %B/ins(%A, %A/; s/bf16/f32/g' %inputs/exp_and_add.mlir > %t.twin.mlir
// RUN: tt-run %t.twin.mlir --seed 3 --check --output C=%t.exp.npy --output D=%t.add.npy
// RUN: tt-opt --tt-verify-ir=strict=true %s -o /dev/null 2>&1 | count 0
// RUN: %if all %{ tt-run %s --seed 3 --output C=%t.C.npy --output D=%t.D.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
// RUN: %if all %{ tt-run %s --seed 3 --metalium-api=2025 --output C=%t.C.npy --output D=%t.D.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
// RUN: sed 's/arch = wormhole_b0/arch = blackhole/' %s > %t.mlir
// RUN: %if all %{ tt-run %t.mlir --seed 3 --output C=%t.C.npy --output D=%t.D.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
// In a function that launches it twice; nobody reads B, but the launches take it.
// RUN: sed '$d' %s | cat - %S/Inputs/both.txt > %t.host.mlir
// RUN: %if all %{ tt-run %t.host.mlir --seed 3 --output C=%t.C.npy --output D=%t.D.npy && cmp %t.C.npy %t.exp.npy && cmp %t.D.npy %t.add.npy %}
//
// Stage E says the same of it where nobody has.
// RUN: sed 's/ config = <[^>]*>//; s/tt.kt = 1/tt.fp32_dest_acc = true, &/' %s | tt-opt --tt-stage-e | FileCheck %s --check-prefix=SETS
// SETS: tt.kernel @exp() on @left processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false, unpack_to_dest = [@cb_in0]> attributes
// SETS: tt.kernel @twice() on @right processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false> attributes
// RUN: tt-translate --emit-metalium %s | FileCheck %s
// CHECK: std::vector<UnpackToDestMode> unpack_modes(
// CHECK-NEXT: unpack_modes[CBIndex::c_0] = UnpackToDestMode::UnpackToDestFp32;
// CHECK-NEXT: const KernelHandle exp = CreateKernel(
// CHECK: .unpack_to_dest_mode = unpack_modes,
// CHECK: const KernelHandle twice = CreateKernel(
// CHECK-NOT: .unpack_to_dest_mode
// CHECK: "file": "exp.cpp", {{.*}} "unpack_to_dest": ["cb_in0"]}
// CHECK: "file": "twice.cpp", {{.*}} "unpack_to_dest": []}
//
// Without it, other numbers; where the other kernel says it, an error.
// RUN: sed 's/, unpack_to_dest = .@cb_in0.//' %s > %t.cut.mlir
// RUN: %if all %{ tt-run %t.cut.mlir --seed 3 --output C=%t.C.npy && not cmp -s %t.C.npy %t.exp.npy %}
// RUN: sed '/tt.kernel @twice/s/math_approx = false/&, unpack_to_dest = [@cb_in0]/' %s | not tt-opt --tt-verify-ir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: unpack_to_dest of the config has @cb_in0, but metalium.add_tiles takes its tiles through the source registers

module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 8x8>} {
  tt.program @two_computes : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> () attributes {
      tt.args = ["A", "B", "C", "D"], tt.partition_mode = "global", tt.grid = array<i64: 2, 1, 1>,
      tt.grid_tiles = array<i64: 2, 2>, tt.core_grid = array<i64: 2, 1>, tt.kt = 1 : i64,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [1, 0]>],
      tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [1, 0], start_id = 1, count = 1>],
      tt.runtime_args = ["start_id", "count"],
      tt.buffer.A = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = fp32>,
      tt.buffer.B = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = fp32>,
      tt.buffer.C = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = fp32>,
      tt.buffer.D = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = fp32>,
      tt.cb.A = #tt.cb<cb_id = 0, page_size = 4096, depth = 2, data_format = float32>,
      tt.cb.B = #tt.cb<cb_id = 1, page_size = 4096, depth = 2, data_format = float32>,
      tt.cb.C = #tt.cb<cb_id = 16, page_size = 4096, depth = 2, data_format = float32>,
      tt.cb.D = #tt.cb<cb_id = 17, page_size = 4096, depth = 2, data_format = float32>,
      tt.tensor_accessor.A = #tt.tensor_accessor<type = abstract, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled>,
      tt.tensor_accessor.B = #tt.tensor_accessor<type = abstract, buffer_name = "B", layout_ref = "tt.buffer.B", stride_mode = tiled>,
      tt.tensor_accessor.C = #tt.tensor_accessor<type = abstract, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled>,
      tt.tensor_accessor.D = #tt.tensor_accessor<type = abstract, buffer_name = "D", layout_ref = "tt.buffer.D", stride_mode = tiled>} {
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 0]>]
    tt.core_set @left = [#tt.core_range<start = [0, 0], end = [0, 0]>]
    tt.core_set @right = [#tt.core_range<start = [1, 0], end = [1, 0]>]
    tt.circular_buffer @cb_in0 on @all input !tt.cb<1x1xf32> id = 0 pages = 2 page_bytes = 4096 format = float32 buffer = "A"
    tt.circular_buffer @cb_out0 on @left output !tt.cb<1x1xf32> id = 16 pages = 2 page_bytes = 4096 format = float32 buffer = "C"
    tt.circular_buffer @cb_out1 on @right output !tt.cb<1x1xf32> id = 17 pages = 2 page_bytes = 4096 format = float32 buffer = "D"
    tt.kernel @reader(%A: memref<64x64xf32> {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader",
        tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 4096>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %acc = metalium.tensor_accessor "A", %A : memref<64x64xf32>
      %cb = tt.get_cb @cb_in0 : !tt.cb<1x1xf32>
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_reserve_back %cb, %c1 : !tt.cb<1x1xf32>
        %l1 = metalium.get_write_ptr %cb : !tt.cb<1x1xf32>
        metalium.noc_async_read_tile %i, %acc, %l1
        metalium.noc_async_read_barrier
        metalium.cb_push_back %cb, %c1 : !tt.cb<1x1xf32>
      }
      tt.return
    }
    tt.kernel @exp() on @left processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false, unpack_to_dest = [@cb_in0]> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %in = tt.get_cb @cb_in0 : !tt.cb<1x1xf32>
      %out = tt.get_cb @cb_out0 : !tt.cb<1x1xf32>
      tt.engine.init_common copy, %in -> %out : !tt.cb<1x1xf32> -> !tt.cb<1x1xf32>
      metalium.copy_tile_init %in : !tt.cb<1x1xf32>
      tt.sfpu.init exp
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %in, %c1 : !tt.cb<1x1xf32>
        tt.dst.acquire
        metalium.copy_tile %in, %c0, %c0 : !tt.cb<1x1xf32>
        metalium.sfpu_tile exp, %c0
        tt.dst.commit
        metalium.cb_pop_front %in, %c1 : !tt.cb<1x1xf32>
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xf32>
        tt.dst.wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xf32>
        tt.dst.release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xf32>
      }
      tt.return
    }
    tt.kernel @twice() on @right processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = true, math_approx = false> attributes {tt.kernel_role = "compute"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %in = tt.get_cb @cb_in0 : !tt.cb<1x1xf32>
      %out = tt.get_cb @cb_out1 : !tt.cb<1x1xf32>
      tt.engine.init_common binary, %in, %in -> %out : !tt.cb<1x1xf32>, !tt.cb<1x1xf32> -> !tt.cb<1x1xf32>
      tt.fpu.binary_init add, %in, %in, %out : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %in, %c1 : !tt.cb<1x1xf32>
        tt.dst.acquire
        metalium.add_tiles %in, %in, %c0, %c0, %c0 : !tt.cb<1x1xf32>, !tt.cb<1x1xf32>
        tt.dst.commit
        metalium.cb_pop_front %in, %c1 : !tt.cb<1x1xf32>
        metalium.cb_reserve_back %out, %c1 : !tt.cb<1x1xf32>
        tt.dst.wait
        metalium.pack_tile %c0, %out : !tt.cb<1x1xf32>
        tt.dst.release
        metalium.cb_push_back %out, %c1 : !tt.cb<1x1xf32>
      }
      tt.return
    }
    tt.kernel @write_C(%C: memref<64x64xf32> {tt.name = "C"}) on @left processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, buffer_name = "C", layout_ref = "tt.buffer.C", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 4096>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %acc = metalium.tensor_accessor "C", %C : memref<64x64xf32>
      %cb = tt.get_cb @cb_out0 : !tt.cb<1x1xf32>
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %cb, %c1 : !tt.cb<1x1xf32>
        %l1 = metalium.get_read_ptr %cb : !tt.cb<1x1xf32>
        metalium.noc_async_write_tile %i, %acc, %l1
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %cb, %c1 : !tt.cb<1x1xf32>
      }
      tt.return
    }
    tt.kernel @write_D(%D: memref<64x64xf32> {tt.name = "D"}) on @right processor = dm0 noc = 1 attributes {tt.kernel_role = "writer",
        tt.tensor_accessor.D = #tt.tensor_accessor<type = bound, buffer_name = "D", layout_ref = "tt.buffer.D", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 4096>>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %acc = metalium.tensor_accessor "D", %D : memref<64x64xf32>
      %cb = tt.get_cb @cb_out1 : !tt.cb<1x1xf32>
      scf.for %i = %c0 to %c4 step %c1 {
        metalium.cb_wait_front %cb, %c1 : !tt.cb<1x1xf32>
        %l1 = metalium.get_read_ptr %cb : !tt.cb<1x1xf32>
        metalium.noc_async_write_tile %i, %acc, %l1
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %cb, %c1 : !tt.cb<1x1xf32>
      }
      tt.return
    }
  }
}
