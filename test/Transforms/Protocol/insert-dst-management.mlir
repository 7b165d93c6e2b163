// RUN: tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-stage-d --canonicalize --cse | FileCheck %s
// RUN: tt-opt %examples/gated_mlp.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-stage-d --canonicalize --cse | FileCheck %s --check-prefix=GATED
// RUN: tt-opt %examples/elem_add.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-stage-d --canonicalize --cse | FileCheck %s --check-prefix=ADD
// RUN: tt-opt %examples/gemm_monolithic.mlir --tt-stage-a --tt-stage-d --canonicalize --cse | FileCheck %s --check-prefix=BLOCKS
// RUN: not tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --tt-insert-dst-management 2>&1 | FileCheck %s --check-prefix=ORDER

// K loop: DST is held over it.
// CHECK: tt.kernel @compute
// CHECK: scf.for
// CHECK-NEXT: tt.dst.acquire
// CHECK-NEXT: scf.for
// CHECK-NEXT: metalium.comment "DST += cb_in0 x cb_in1"
// CHECK-NEXT: metalium.cb_wait_front
// CHECK-NEXT: metalium.cb_wait_front
// CHECK-NEXT: metalium.matmul_tiles
// CHECK-NEXT: metalium.cb_pop_front
// CHECK-NEXT: metalium.cb_pop_front
// CHECK-NEXT: }
// CHECK-NEXT: metalium.cb_reserve_back
// CHECK-NEXT: tt.dst.commit
// CHECK-NEXT: tt.dst.wait
// CHECK-NEXT: metalium.pack_tile %c0, %{{.*}} : !tt.cb<1x1xf16>
// CHECK-NEXT: tt.dst.release
// CHECK-NEXT: metalium.cb_push_back

// Elementwise: acquired and released for each tile.
// ADD: tt.kernel @compute
// ADD: scf.for
// ADD-NEXT: metalium.comment "cb_out0 = cb_in0 + cb_in1"
// ADD-NEXT: metalium.cb_wait_front
// ADD-NEXT: metalium.cb_wait_front
// ADD-NEXT: tt.dst.acquire
// ADD-NEXT: metalium.add_tiles
// ADD-NEXT: metalium.cb_pop_front
// ADD-NEXT: metalium.cb_pop_front
// ADD-NEXT: metalium.cb_reserve_back
// ADD-NEXT: tt.dst.commit
// ADD-NEXT: tt.dst.wait
// ADD-NEXT: metalium.pack_tile
// ADD-NEXT: tt.dst.release
// ADD-NEXT: metalium.cb_push_back

// Sub-blocks: a section each, with a loop over its tiles in the packer.
// BLOCKS: tt.kernel @compute
// BLOCKS: scf.for %{{.*}} = %c0 to %c8
// BLOCKS: scf.for %{{.*}} = %c0 to %c2
// BLOCKS-NEXT: tt.dst.acquire
// BLOCKS-NEXT: scf.if
// BLOCKS: metalium.cb_reserve_back %[[SUMS:.*]], %c8
// BLOCKS-NEXT: tt.dst.commit
// BLOCKS-NEXT: tt.dst.wait
// BLOCKS-NEXT: scf.for %[[T:.*]] = %c0 to %c8
// BLOCKS-NEXT: metalium.pack_tile %[[T]], %[[SUMS]]
// BLOCKS-NEXT: }
// BLOCKS-NEXT: tt.dst.release
// BLOCKS-NEXT: metalium.cb_push_back %[[SUMS]], %c8
// BLOCKS-NOT: tt.pack_to_cb

// ORDER: error: the compute kernel has no startup: run --tt-insert-compute-init first

// Packs without math between them share a section.
// GATED: tt.kernel @compute
// GATED: tt.dst.acquire
// GATED: metalium.matmul_tiles
// GATED: metalium.matmul_tiles
// GATED: tt.dst.commit
// GATED-NEXT: tt.dst.wait
// GATED-NOT: tt.dst
// GATED: metalium.pack_tile %{{.*}}, %[[UP:[0-9a-z]*]]
// GATED-NOT: tt.dst
// GATED: metalium.cb_push_back %[[UP]]
// GATED-NOT: tt.dst
// GATED: metalium.pack_tile
// GATED: tt.dst.release
// GATED-NEXT: metalium.cb_push_back
