// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --tt-insert-compute-init --canonicalize --cse | FileCheck %s
// RUN: tt-opt %inputs/chain.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --tt-insert-compute-init --canonicalize --cse | FileCheck %s --check-prefix=CHAIN
// RUN: tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --tt-insert-compute-init --canonicalize --cse | FileCheck %s --check-prefix=MATMUL
// RUN: not tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-insert-compute-init 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tt-opt %examples/matmul.mlir --tt-pipeline=optimize=none --tt-insert-compute-init 2>&1 | FileCheck %s --check-prefix=TWICE

// One op all the time: startup and init once, at the top.
// MATMUL: tt.kernel @compute
// MATMUL: tt.engine.init_common matmul, %[[A:.*]], %[[B:.*]] -> %[[C:.*]] :
// MATMUL: tt.fpu.matmul_init %[[A]], %[[B]], %[[C]]
// MATMUL: scf.for
// MATMUL-NOT: init
// MATMUL: tt.kernel @writer

// Products and reloads alternate: each gets its settings before it. The packer
// changes its format once a block of results.
// CHECK: tt.kernel @compute
// CHECK: tt.engine.init_common matmul, %[[A:.*]], %[[B:.*]] -> %[[SUMS:.*]] :
// CHECK: scf.for
// CHECK-NEXT: tt.pack.init %[[SUMS]] : !tt.cb<4x4xf32>
// CHECK: scf.for
// CHECK: scf.if
// CHECK: metalium.reconfig_data_format_srca %[[SUMS]]
// CHECK-NEXT: metalium.copy_tile_init %[[SUMS]]
// CHECK: metalium.copy_tile %[[SUMS]]
// CHECK: metalium.reconfig_data_format_srca %[[B]]
// CHECK-NEXT: tt.fpu.matmul_init %[[A]], %[[B]], %[[SUMS]]
// CHECK: metalium.matmul_tiles %[[A]], %[[B]]
// CHECK: metalium.reconfig_data_format_srca %[[SUMS]]
// CHECK-NEXT: metalium.copy_tile_init %[[SUMS]]
// CHECK-NEXT: tt.pack.init %[[OUT:.*]] : !tt.cb<4x4xbf16>

// Another op, another init; no format changes, so none is reconfigured.
// CHAIN: tt.kernel @compute
// CHAIN: tt.engine.init_common binary
// CHAIN: tt.fpu.binary_init add
// CHAIN: metalium.add_tiles
// CHAIN: tt.fpu.binary_init mul
// CHAIN: metalium.mul_tiles
// CHAIN: tt.fpu.binary_init sub
// CHAIN: metalium.sub_tiles
// CHAIN-NOT: reconfig
// CHAIN: tt.kernel @writer

// ORDER: error: this works on blocks: run --tt-lower-cb-intrinsics first
// TWICE: error: the compute kernel has its startup already
