// RUN: tt-opt %examples/gemm_monolithic.mlir --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --canonicalize | FileCheck %s
// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --canonicalize | FileCheck %s --check-prefix=L1
// RUN: tt-opt %inputs/chain.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --canonicalize | FileCheck %s --check-prefix=CHAIN
// RUN: tt-opt %s --tt-pipeline=optimize=none | FileCheck %s --check-prefix=HOST
// RUN: tt-opt %examples/block_shards.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel | FileCheck %s --check-prefix=SHARD
// RUN: tt-opt %examples/height_shards.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel | FileCheck %s --check-prefix=PART

// The specification's monolithic kernel becomes three, with concrete circular
// buffers. B and C3 are supplied: one core, one unit of work.
// CHECK: tt.program @gemm_monolithic :
// CHECK-SAME: tt.args = ["A", "B", "C"]
// CHECK-SAME: tt.fp32_dest_acc = false
// CHECK-SAME: tt.tile_dfg = #tt.tile_dfg
// CHECK-SAME: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>]
// CHECK: tt.core_set @all = [#tt.core_range<start = [0, 0], end = [0, 0]>]
// CHECK: tt.circular_buffer @cb_in0 on @all input !tt.cb<4x1xbf16> id = 0 pages = 8 page_bytes = 2048 format = bfloat16 buffer = "A"
// CHECK: tt.circular_buffer @cb_in1 on @all input !tt.cb<1x4xbf16> id = 1 pages = 8 page_bytes = 2048 format = bfloat16 buffer = "B"
// CHECK: tt.circular_buffer @cb_out0 on @all output !tt.cb<4x4xbf16> id = 16 pages = 32 page_bytes = 2048 format = bfloat16 buffer = "C"
// 16 tiles are more than DST holds: partial sums get a circular buffer.
// CHECK: tt.circular_buffer @cb_intermed0 on @all intermediate !tt.cb<4x4xbf16> id = 24 pages = 16 page_bytes = 2048 format = bfloat16

// CHECK: tt.kernel @reader(%[[A:.*]]: memref<128x256xbf16> {tt.name = "A"}, %[[B:.*]]: memref<256x128xbf16> {tt.name = "B"}) on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader"
// CHECK: scf.for %[[K:.*]] = %c0 to %c8 step %c1
// CHECK: %[[AT:.*]] = arith.muli %[[K]], %c32
// CHECK: tt.read_to_cb %[[A]][%c0, %[[AT]]], %{{.*}} : memref<128x256xbf16>, !tt.cb<4x1xbf16>
// CHECK: tt.read_to_cb %[[B]][%[[AT]], %c0], %{{.*}} : memref<256x128xbf16>, !tt.cb<1x4xbf16>
// CHECK-NOT: tt.mm.mma

// CHECK: tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"}
// CHECK-NOT: tt.read_to_cb
// CHECK: scf.for %[[K:.*]] = %c0 to %c8 step %c1
// CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK: tt.mm.mma %{{.*}}, %{{.*}}, dst = 0, accumulate = %[[MORE]] spill @cb_intermed0
// CHECK: tt.pack_to_cb dst = 0 -> %{{.*}} : !tt.cb<4x4xbf16>
// CHECK-NOT: tt.write_from_cb

// CHECK: tt.kernel @writer(%[[C:.*]]: memref<128x128xbf16> {tt.name = "C"}) on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer"
// CHECK-NOT: tt.mm.mma
// CHECK: tt.write_from_cb %{{.*}}, %[[C]][%c0, %c0]

// In 32-bit DST partial sums are f32.
// L1: tt.circular_buffer @cb_in0 on @all input !tt.cb<4x1xbf16> id = 0 pages = 12
// L1: tt.circular_buffer @cb_intermed0 on @all intermediate !tt.cb<4x4xf32> id = 24 pages = 16 page_bytes = 4096 format = float32
// L1: tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"}
// L1: tt.runtime_arg "count"
// L1-NOT: tt.runtime_arg "start_id"
// L1: tt.kernel @writer

// A block that two ops read is open from the first to the last.
// CHAIN: tt.kernel @compute()
// CHAIN: %[[S:.*]] = tt.get_cb @cb_intermed0
// CHAIN: tt.cb_open %[[X:.*]] :
// CHAIN-NEXT: tt.fpu.add %[[X]], %[[Y:.*]], dst = 0 -> %{{.*}} :
// CHAIN-NEXT: tt.cb_open %{{.*}} :
// CHAIN-NEXT: tt.fpu.mul
// CHAIN-NEXT: tt.cb_close %[[X]]
// CHAIN-NEXT: tt.fpu.sub
// CHAIN-NEXT: tt.cb_close

// In mode local_shard a circular buffer that takes the blocks of a core's shard in their order lies on
// it; the block moves nowhere, and the kernels do not take the tensor.
// SHARD: tt.circular_buffer @cb_in0 on @all input !tt.cb<1x4xbf16> id = {{0|16}} pages = 8 page_bytes = 2048 format = bfloat16 buffer = "X" on_shard = read
// SHARD: tt.circular_buffer @cb_out0 on @all output !tt.cb<1x4xbf16> id = {{0|16}} pages = 8 page_bytes = 2048 format = bfloat16 buffer = "Y" on_shard = written
// SHARD: tt.kernel @reader() on @all processor = dm1 noc = 0 attributes
// SHARD: tt.shard_to_cb %{{.*}} : !tt.cb<1x4xbf16>
// SHARD: tt.kernel @writer() on @all processor = dm0 noc = 1 attributes
// SHARD: tt.shard_from_cb %{{.*}} : !tt.cb<1x4xbf16>

// A block of part of the shard's columns is none of the first ones there: it is read.
// PART: tt.circular_buffer @cb_in0 on @all input !tt.cb<1x2xbf16> id = 0 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "A"{{$}}
// PART: tt.circular_buffer @cb_out0 {{.*}} buffer = "C" on_shard = written

// Calls of a kernel in a host function launch its program.
// HOST: tt.program @copy
// HOST: func.func @main
// HOST: tt.launch @copy(%{{.*}}, %{{.*}}) : (memref<32x32xbf16>, memref<32x32xbf16>) -> ()
func.func @copy(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  memref.copy %A, %B : memref<32x32xbf16> to memref<32x32xbf16>
  return
}
func.func @main(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.host} {
  func.call @copy(%A, %B) : (memref<32x32xbf16>, memref<32x32xbf16>) -> ()
  return
}
