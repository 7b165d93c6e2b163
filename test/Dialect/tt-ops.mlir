// Every op of the tt dialect prints what it was parsed from.
// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s
// RUN: tt-opt %s --emit-bytecode | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @level2
func.func @level2(%A: memref<64x64xbf16>, %flag: i1) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = tt.alloc_cb "cb_a" depth = 3 : !tt.cb<2x1xbf16>
  %a = tt.alloc_cb "cb_a" depth = 3 : !tt.cb<2x1xbf16>
  // CHECK: %[[B:.*]] = tt.alloc_cb "cb_b" : !tt.cb<1x2xbf16>
  %b = tt.alloc_cb "cb_b" : !tt.cb<1x2xbf16>
  %c = tt.alloc_cb "cb_c" : !tt.cb<2x2xf32>
  %x = tt.alloc_cb "cb_x" : !tt.cb<2x2xbf16>
  // CHECK: tt.cb_view %[[A]] : !tt.cb<2x1xbf16> -> memref<64x32xbf16>
  %v = tt.cb_view %a : !tt.cb<2x1xbf16> -> memref<64x32xbf16>
  // CHECK: tt.read_to_cb %{{.*}}[%{{.*}}, %{{.*}}], %[[A]] box = [40, 8] rows = [1, 0] cols = [0, 1] through @parts : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a box = [40, 8] rows = [1, 0] cols = [0, 1] through @parts : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  // CHECK: tt.read_to_cb %{{.*}}[%{{.*}}, %{{.*}}], %[[A]] : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  // CHECK: tt.write_from_cb %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tt.cb<2x2xbf16>, memref<64x64xbf16>
  tt.write_from_cb %x, %A[%c0, %c0] : !tt.cb<2x2xbf16>, memref<64x64xbf16>
  // CHECK: tt.write_from_cb %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] box = [20, 8] rows = [1, 0] cols = [0, 1] strides = [2, 1] through @parts :
  tt.write_from_cb %x, %A[%c0, %c0] box = [20, 8] rows = [1, 0] cols = [0, 1] strides = [2, 1] through @parts : !tt.cb<2x2xbf16>, memref<64x64xbf16>
  // CHECK: tt.mm.mma %[[A]], %[[B]], dst = 0, accumulate = %{{.*}} : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>
  tt.mm.mma %a, %b, dst = 0, accumulate = %flag : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>
  // CHECK: tt.mm.mma %[[A]], %[[B]], dst = 0, accumulate = %{{.*}} -> %{{.*}} spill @p : {{.*}}, !tt.cb<2x2xf32>
  tt.mm.mma %a, %b, dst = 0, accumulate = %flag -> %c spill @p : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>, !tt.cb<2x2xf32>
  // CHECK: tt.mm.mma %[[X:.*]], %[[B]] transpose_b, dst = 0, accumulate = %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  tt.mm.mma %x, %b transpose_b, dst = 0, accumulate = %flag : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  // CHECK: tt.fpu.add %[[X]], %[[X]], dst = 1 : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  tt.fpu.add %x, %x, dst = 1 : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  // CHECK: tt.fpu.sub %[[X]], %[[X]], dst = 0 -> %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>, !tt.cb<2x2xf32>
  tt.fpu.sub %x, %x, dst = 0 -> %c : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>, !tt.cb<2x2xf32>
  // CHECK: tt.fpu.mul
  tt.fpu.mul %x, %x, dst = 0 -> %c : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>, !tt.cb<2x2xf32>
  // CHECK: tt.copy_to_dst %[[X]], dst = 0 : !tt.cb<2x2xbf16>
  tt.copy_to_dst %x, dst = 0 : !tt.cb<2x2xbf16>
  // CHECK: tt.sfpu.unary exp, dst = 0{{$}}
  tt.sfpu.unary exp, dst = 0
  // CHECK: tt.sfpu.unary tanh, dst = 0 -> %{{.*}} : !tt.cb<2x2xf32>
  tt.sfpu.unary tanh, dst = 0 -> %c : !tt.cb<2x2xf32>
  // CHECK: tt.sfpu.unary mul_scalar, dst = 0 scalar = 5.000000e-01
  tt.sfpu.unary mul_scalar, dst = 0 scalar = 0.5
  // CHECK: tt.sfpu.combine where, [0, 1, 2], dst = 3
  tt.sfpu.combine where, [0, 1, 2], dst = 3
  // CHECK: tt.sfpu.combine copy, [3], dst = 1 -> %{{.*}} : !tt.cb<2x2xf32>
  tt.sfpu.combine copy, [3], dst = 1 -> %c : !tt.cb<2x2xf32>
  // CHECK: tt.pack_to_cb dst = 0 -> %{{.*}} : !tt.cb<2x2xf32>
  tt.pack_to_cb dst = 0 -> %c : !tt.cb<2x2xf32>
  // CHECK: tt.pack_to_cb dst = 0 tiles = 2 -> %{{.*}} : !tt.cb<2x2xf32>
  tt.pack_to_cb dst = 0 tiles = 2 -> %c : !tt.cb<2x2xf32>
  // CHECK: tt.cb_open %[[X]] : !tt.cb<2x2xbf16>
  tt.cb_open %x : !tt.cb<2x2xbf16>
  // CHECK: tt.cb_close %[[X]] : !tt.cb<2x2xbf16>
  tt.cb_close %x : !tt.cb<2x2xbf16>
  %row = tt.alloc_cb "row" : !tt.cb<1x2xbf16>
  %col = tt.alloc_cb "col" : !tt.cb<2x1xf32>
  %one = tt.alloc_cb "one" : !tt.cb<1x1xbf16>
  %i = arith.constant 5 : index
  %s = arith.constant 0.5 : f32
  // CHECK: tt.fpu.add %[[X]], %[[ROW:.*]] bcast rows, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  tt.fpu.add %x, %row bcast rows, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  // CHECK: tt.fpu.sub %[[X]], %[[COL:.*]] bcast cols, dst = 1 -> %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<2x1xf32>, !tt.cb<2x2xf32>
  tt.fpu.sub %x, %col bcast cols, dst = 1 -> %c : !tt.cb<2x2xbf16>, !tt.cb<2x1xf32>, !tt.cb<2x2xf32>
  // CHECK: tt.fpu.mul %[[X]], %[[ONE:.*]] bcast scalar, dst = 0
  tt.fpu.mul %x, %one bcast scalar, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x1xbf16>
  // CHECK: tt.bcast_to_dst %[[ROW]] bcast rows onto %[[ONE]], dst = 2 : !tt.cb<1x2xbf16> onto !tt.cb<1x1xbf16>
  tt.bcast_to_dst %row bcast rows onto %one, dst = 2 : !tt.cb<1x2xbf16> onto !tt.cb<1x1xbf16>
  // CHECK: tt.fpu.reuse rsub, %[[X]], dst = 2 -> %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<2x2xf32>
  tt.fpu.reuse rsub, %x, dst = 2 -> %c : !tt.cb<2x2xbf16>, !tt.cb<2x2xf32>
  // CHECK: tt.part_to_dst %[[X]][%{{.*}}, %{{.*}}], dst = 0 -> %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  %at = arith.constant 1 : index
  %start = arith.constant 0 : index
  tt.part_to_dst %x[%at, %start], dst = 0 -> %row : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  // CHECK: tt.inset_to_dst %[[X]], %[[ROW]] at[%{{.*}}, %{{.*}}], dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  tt.inset_to_dst %x, %row at [%at, %start], dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  // CHECK: tt.copy_to_dst %[[ROW]] transpose, dst = 0
  tt.copy_to_dst %row transpose, dst = 0 : !tt.cb<1x2xbf16>
  // CHECK: tt.copy_to_dst %[[ONE]] repeat, dst = 0 -> %{{.*}} : !tt.cb<1x1xbf16>, !tt.cb<2x2xf32>
  tt.copy_to_dst %one repeat, dst = 0 -> %c : !tt.cb<1x1xbf16>, !tt.cb<2x2xf32>
  // CHECK: tt.fpu.reduce max_row, %[[X]], %[[ONE]], dst = 0 -> %[[COL]] : !tt.cb<2x2xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xf32>
  tt.fpu.reduce max_row, %x, %one, dst = 0 -> %col : !tt.cb<2x2xbf16>, !tt.cb<1x1xbf16>, !tt.cb<2x1xf32>
  // CHECK: tt.fpu.reduce sum_col, %[[X]], %[[ONE]], dst = 1 : !tt.cb<2x2xbf16>, !tt.cb<1x1xbf16>
  tt.fpu.reduce sum_col, %x, %one, dst = 1 : !tt.cb<2x2xbf16>, !tt.cb<1x1xbf16>
  // CHECK: tt.fpu.add_sum sum_row, %[[X]], dst = 0 -> %[[COL]] : !tt.cb<2x2xbf16>, !tt.cb<2x1xf32>
  tt.fpu.add_sum sum_row, %x, dst = 0 -> %col : !tt.cb<2x2xbf16>, !tt.cb<2x1xf32>
  // CHECK: tt.fpu.mul_sum sum_row, %[[X]], %[[X]], dst = 0 -> %[[COL]] : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>, !tt.cb<2x1xf32>
  tt.fpu.mul_sum sum_row, %x, %x, dst = 0 -> %col : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>, !tt.cb<2x1xf32>
  // CHECK: tt.fpu.mul_add %[[X]], %[[ROW]] bcast rows, dst = 0 -> %{{.*}} : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>, !tt.cb<2x2xf32>
  tt.fpu.mul_add %x, %row bcast rows, dst = 0 -> %c : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>, !tt.cb<2x2xf32>
  // CHECK: tt.sfpu.scalar mul_scalar, %{{.*}}, dst = 0 : f32
  tt.sfpu.scalar mul_scalar, %s, dst = 0 : f32
  // CHECK: tt.sfpu.scalar add_scalar, %{{.*}} steps [32, -32] limit 63, dst = 0 : index
  tt.sfpu.scalar add_scalar, %i steps [32, -32] limit 63, dst = 0 : index
  // CHECK: tt.index_to_cb rows = 1 cols = -1 -> %[[ONE]] : !tt.cb<1x1xbf16>
  tt.index_to_cb rows = 1 cols = -1 -> %one : !tt.cb<1x1xbf16>
  // CHECK: %[[BOTH:.*]] = tt.alloc_cb "cb_both"
  %both = tt.alloc_cb "cb_both" : !tt.cb<1x2xbf16>
  // CHECK: tt.gather_parts %[[ONE]] -> %[[BOTH]] apart = 4 : !tt.cb<1x1xbf16>, !tt.cb<1x2xbf16>
  tt.gather_parts %one -> %both apart = 4 : !tt.cb<1x1xbf16>, !tt.cb<1x2xbf16>
  // CHECK: %[[OTHER:.*]] = tt.alloc_cb "cb_other"
  %other = tt.alloc_cb "cb_other" : !tt.cb<1x1xbf16>
  // CHECK: tt.relay %[[ONE]] -> %[[OTHER]] : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.relay %one -> %other : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  // CHECK: tt.shard_to_cb %[[ONE]] : !tt.cb<1x1xbf16>
  tt.shard_to_cb %one : !tt.cb<1x1xbf16>
  // CHECK: tt.shard_from_cb %[[ONE]] : !tt.cb<1x1xbf16>
  tt.shard_from_cb %one : !tt.cb<1x1xbf16>
  // CHECK: %{{.*}} = tt.runtime_arg "A_d0" : index
  %size = tt.runtime_arg "A_d0" : index
  // CHECK: tt.core_coord : index, index
  %cx, %cy = tt.core_coord : index, index
  return
}

// CHECK-LABEL: tt.program @p : (memref<64x64xbf16>) -> ()
tt.program @p : (memref<64x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
  // CHECK: tt.circular_buffer @cb_in0 on @all input !tt.cb<2x1xbf16> id = 0 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "A"
  tt.circular_buffer @cb_in0 on @all input !tt.cb<2x1xbf16> id = 0 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "A"
  tt.circular_buffer @cb_out0 on @all output !tt.cb<2x1xbf16> id = 16 pages = 2 page_bytes = 2048 format = bfloat16
  // CHECK: tt.core_args (%[[X:.*]], %[[Y:.*]]) -> ["start_id", "count", "noc_x"] {
  // CHECK-NEXT: %[[NX:.*]], %{{.*}} = tt.worker_core %[[X]], %[[Y]]
  // CHECK-NEXT: tt.yield %[[X]], %[[Y]], %[[NX]] : index, index, index
  tt.core_args (%x, %y) -> ["start_id", "count", "noc_x"] {
    %noc_x, %noc_y = tt.worker_core %x, %y
    tt.yield %x, %y, %noc_x : index, index, index
  }
  // CHECK: tt.kernel @compute() on @all processor = compute config = <math_fidelity = LoFi, fp32_dest_acc = false, math_approx = true, unpack_to_dest = [@cb_in0]> attributes {tt.kernel_role = "compute"} {
  tt.kernel @compute() on @all processor = compute config = <math_fidelity = LoFi, fp32_dest_acc = false, math_approx = true, unpack_to_dest = [@cb_in0]> attributes {tt.kernel_role = "compute"} {
    // CHECK: %[[CB:.*]] = tt.get_cb @cb_in0 : !tt.cb<2x1xbf16>
    %cb = tt.get_cb @cb_in0 : !tt.cb<2x1xbf16>
    %out = tt.get_cb @cb_out0 : !tt.cb<2x1xbf16>
    // CHECK: tt.engine.init_common binary, %[[CB]], %[[CB]] -> %{{.*}} : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16> -> !tt.cb<2x1xbf16>
    tt.engine.init_common binary, %cb, %cb -> %out : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16> -> !tt.cb<2x1xbf16>
    // CHECK: tt.fpu.matmul_init %[[CB]], %[[CB]], %{{.*}} : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>
    tt.fpu.matmul_init %cb, %cb, %out : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>
    // CHECK: tt.fpu.binary_init add, %[[CB]], %[[CB]], %{{.*}}
    tt.fpu.binary_init add, %cb, %cb, %out : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>
    // CHECK: tt.fpu.binary_init mul_bcast_rows, %[[CB]], %[[CB]], %{{.*}}
    tt.fpu.binary_init mul_bcast_rows, %cb, %cb, %out : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>
    // CHECK: tt.fpu.reduce_init max_col, %[[CB]], %[[CB]], %{{.*}} : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>
    tt.fpu.reduce_init max_col, %cb, %cb, %out : !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>, !tt.cb<2x1xbf16>
    // CHECK: tt.sfpu.init exp
    tt.sfpu.init exp
    // CHECK: tt.pack.init %{{.*}} : !tt.cb<2x1xbf16>
    tt.pack.init %out : !tt.cb<2x1xbf16>
    // CHECK: tt.dst.acquire
    tt.dst.acquire
    // CHECK: tt.dst.commit
    tt.dst.commit
    // CHECK: tt.dst.wait
    tt.dst.wait
    // CHECK: tt.dst.release
    tt.dst.release
    // CHECK: tt.runtime_arg "start_id" : index
    %s = tt.runtime_arg "start_id" : index
    // CHECK: tt.runtime_arg "count" at 1 : index
    %n = tt.runtime_arg "count" at 1 : index
    // CHECK: tt.runtime_arg "noc_x" : index
    %m = tt.runtime_arg "noc_x" : index
    tt.return
  }
}

// CHECK-LABEL: func.func @main
func.func @main(%A: memref<64x64xbf16>) attributes {tt.host} {
  // CHECK: tt.launch @p(%{{.*}}) : (memref<64x64xbf16>) -> ()
  tt.launch @p(%A) : (memref<64x64xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @learned
func.func @learned(%S: memref<4x8xi32>, %i: index, %p: !tt.cb<1x1xi32>) {
  // CHECK: %[[V:.*]] = tt.load_index %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x8xi32>
  %v = tt.load_index %S[%i, %i] : memref<4x8xi32>
  // CHECK: tt.load_index 3 %{{.*}}[%[[V]], %{{.*}}] plus 1 : memref<4x8xi32>
  %n = tt.load_index 3 %S[%v, %i] plus 1 : memref<4x8xi32>
  // CHECK: tt.fetch_index 0 %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} to [@cb_to_compute] in 0 to 7 ranged : memref<4x8xi32>, !tt.cb<1x1xi32>
  %f = tt.fetch_index 0 %S[%i, %n], %p to [@cb_to_compute] in 0 to 7 ranged : memref<4x8xi32>, !tt.cb<1x1xi32>
  // CHECK: tt.take_index 0 %{{.*}} in -1 to 7 : !tt.cb<1x1xi32>
  %t = tt.take_index 0 %p in -1 to 7 : !tt.cb<1x1xi32>
  return
}
