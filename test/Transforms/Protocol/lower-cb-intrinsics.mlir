// RUN: tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --canonicalize --cse | FileCheck %s
// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --canonicalize --cse | FileCheck %s --check-prefix=BLOCKS
// RUN: tt-opt %examples/eadd_tiles.mlir --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --canonicalize --cse | FileCheck %s --check-prefix=EADD
// RUN: tt-opt %inputs/chain.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --canonicalize --cse | FileCheck %s --check-prefix=CHAIN
// RUN: not tt-opt %examples/gemm_monolithic.mlir --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-lower-cb-intrinsics 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: tt-opt %examples/partial_blocks.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --canonicalize --cse | FileCheck %s --check-prefix=PARTIAL
// RUN: tt-opt %examples/block_shards.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --canonicalize --cse | FileCheck %s --check-prefix=SHARD

// Tiles of a block behind the end of the tensor, 4 x 5 tiles, are zero, and not written.
// PARTIAL: tt.kernel @reader
// PARTIAL: %[[COL_IN:.*]] = arith.cmpi ult, %[[COL:.*]], %c5
// PARTIAL: scf.if %[[COL_IN]] {
// PARTIAL: metalium.noc_async_read_tile
// PARTIAL: } else {
// PARTIAL-NEXT: metalium.fill_zeros
// PARTIAL: tt.kernel @writer
// PARTIAL: scf.if
// PARTIAL: metalium.noc_async_write_tile
// PARTIAL-NOT: else

// A block that is in place: only the counters move.
// SHARD: tt.kernel @reader
// SHARD: metalium.cb_reserve_back %[[IN:.*]], %c4
// SHARD-NEXT: metalium.cb_push_back %[[IN]], %c4
// SHARD-NOT: metalium.noc
// SHARD: tt.kernel @writer
// SHARD: metalium.cb_wait_front %[[OUT:.*]], %c4
// SHARD-NEXT: metalium.cb_pop_front %[[OUT]], %c4

// Per tile, as the specification writes it; reads that follow each other share a
// barrier.
// CHECK: tt.kernel @reader
// CHECK: %[[A:.*]] = metalium.tensor_accessor "A"
// CHECK: %[[B:.*]] = metalium.tensor_accessor "B"
// CHECK: scf.for %[[K:.*]] = %c0 to %c8
// CHECK-NEXT: metalium.cb_reserve_back %[[CB0:.*]], %c1
// CHECK-NEXT: metalium.cb_reserve_back %[[CB1:.*]], %c1
// CHECK-NEXT: %[[P0:.*]] = metalium.get_write_ptr %[[CB0]]
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[BY:.*]], %c8
// CHECK-NEXT: %[[ID0:.*]] = arith.addi %[[ROW]], %[[K]]
// CHECK-NEXT: metalium.noc_async_read_tile %[[ID0]], %[[A]], %[[P0]]
// CHECK-NEXT: %[[P1:.*]] = metalium.get_write_ptr %[[CB1]]
// CHECK: metalium.noc_async_read_tile %{{.*}}, %[[B]], %[[P1]]
// CHECK-NEXT: metalium.noc_async_read_barrier
// CHECK-NEXT: metalium.cb_push_back %[[CB0]], %c1
// CHECK-NEXT: metalium.cb_push_back %[[CB1]], %c1

// CHECK: tt.kernel @compute
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: metalium.comment "DST += cb_in0 x cb_in1"
// CHECK-NEXT: metalium.cb_wait_front %[[CB0:.*]], %c1
// CHECK-NEXT: metalium.cb_wait_front %[[CB1:.*]], %c1
// CHECK-NEXT: metalium.matmul_tiles %[[CB0]], %[[CB1]], %c0, %c0, %c0
// CHECK-NEXT: metalium.cb_pop_front %[[CB0]], %c1
// CHECK-NEXT: metalium.cb_pop_front %[[CB1]], %c1
// CHECK-NEXT: }
// CHECK-NEXT: metalium.cb_reserve_back %[[OUT:.*]], %c1
// CHECK-NEXT: tt.pack_to_cb dst = 0 tiles = 1 -> %[[OUT]]
// CHECK-NEXT: metalium.cb_push_back %[[OUT]], %c1

// CHECK: tt.kernel @writer
// CHECK: metalium.cb_wait_front %[[OUT:.*]], %c1
// CHECK-NEXT: %[[P:.*]] = metalium.get_read_ptr %[[OUT]]
// CHECK: metalium.noc_async_write_tile %{{.*}}, %{{.*}}, %[[P]]
// CHECK-NEXT: metalium.noc_async_write_barrier
// CHECK-NEXT: metalium.cb_pop_front %[[OUT]], %c1

// A block with more tiles than DST: partial sums are reloaded but in the first
// step, and copied out after the last.
// BLOCKS: tt.kernel @compute
// BLOCKS: scf.for %[[K:.*]] = %c0 to %c8
// BLOCKS: %[[MORE:.*]] = arith.cmpi ne, %[[K]], %c0
// BLOCKS: scf.for %[[ROW:.*]] = %c0 to %c4
// BLOCKS-NEXT: scf.if %[[MORE]] {
// BLOCKS-NEXT: metalium.cb_wait_front %[[SUMS:.*]], %c4 : !tt.cb<4x4xf32>
// BLOCKS-NEXT: scf.for %[[T:.*]] = %c0 to %c4
// BLOCKS-NEXT: metalium.copy_tile %[[SUMS]], %[[T]], %[[T]]
// BLOCKS: metalium.cb_pop_front %[[SUMS]], %c4
// BLOCKS: scf.for %[[J:.*]] = %c0 to %c4
// BLOCKS-NEXT: metalium.matmul_tiles %{{.*}}, %{{.*}}, %[[ROW]], %[[J]], %[[J]]
// BLOCKS: tt.pack_to_cb dst = 0 tiles = 4 -> %[[SUMS]]
// BLOCKS: scf.for
// BLOCKS: metalium.cb_wait_front %[[SUMS]], %c4
// BLOCKS: metalium.copy_tile %[[SUMS]]
// BLOCKS: tt.pack_to_cb dst = 0 tiles = 4 -> %{{.*}} : !tt.cb<4x4xbf16>

// Elementwise, a tile at a time.
// EADD: tt.kernel @compute
// EADD: scf.for %{{.*}} = %c0 to %c6
// EADD-NEXT: metalium.cb_wait_front %[[X:.*]], %c1
// EADD-NEXT: metalium.cb_wait_front %[[Y:.*]], %c1
// EADD-NEXT: metalium.add_tiles %[[X]], %[[Y]], %c0, %c0, %c0
// EADD-NEXT: metalium.cb_pop_front %[[X]], %c1
// EADD-NEXT: metalium.cb_pop_front %[[Y]], %c1
// EADD-NEXT: metalium.cb_reserve_back %[[Z:.*]], %c1
// EADD-NEXT: tt.pack_to_cb dst = 0 tiles = 1 -> %[[Z]]
// EADD-NEXT: metalium.cb_push_back %[[Z]], %c1

// An open block is waited for once, and its tiles are indexed.
// CHAIN: tt.kernel @compute
// CHAIN: metalium.cb_wait_front %[[X:.*]], %c4
// CHAIN: scf.for %[[T:.*]] = %c0 to %c4
// CHAIN: metalium.add_tiles %[[X]], %{{.*}}, %[[T]], %c0, %c0
// CHAIN: metalium.mul_tiles
// CHAIN: metalium.cb_pop_front %[[X]], %c4

// ORDER: error: the tensor has no bound accessor: run --tt-configure-tensor-accessor first
