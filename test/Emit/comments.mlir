// RUN: tt-opt --tt-pipeline=optimize=none %examples/softmax.mlir | tt-translate --emit-metalium | FileCheck %s
// RUN: tt-opt --tt-pipeline=optimize=none %examples/flash_attention.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=FLASH
// RUN: tt-opt --tt-pipeline=optimize=none %examples/rms_norm.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=RMS

// Each section says what it computes.
// CHECK: // cb_intermed[[ONES:[0-9]+]] = 1
// CHECK: // cb_intermed[[MAX:[0-9]+]] = max_row(cb_in0)
// CHECK: // cb_intermed[[E:[0-9]+]] = exp(cb_in0 - cb_intermed[[MAX]])
// CHECK: // cb_intermed[[SUM:[0-9]+]] = sum_row(cb_intermed[[E]])
// CHECK: // cb_intermed[[R:[0-9]+]] = 1 / cb_intermed[[SUM]]
// CHECK: // cb_out0 = cb_intermed[[E]] * cb_intermed[[R]]

// FLASH: // DST += cb_in0 x cb_in1 transposed
// FLASH: // cb_intermed[[S:[0-9]+]] = cb_in0 x cb_in1 transposed * 0.125
// FLASH: // cb_intermed[[PART:[0-9]+]] = max_row(cb_intermed[[S]])
// FLASH: // cb_intermed[[NEW:[0-9]+]] = max(cb_intermed[[NEW]], cb_intermed[[PART]])
// FLASH: // DST = cb_intermed[[ACC:[0-9]+]]
// FLASH: // DST += cb_intermed{{[0-9]+}} x cb_in2

// RMS: // cb_intermed{{[0-9]+}} = cb_in0 * cb_in0 * 0.0078125
// RMS: // cb_intermed{{[0-9]+}} = rsqrt(cb_intermed{{[0-9]+}} + epsilon)

// What a kernel does stands on top of it; one on a shard moves nothing.
// RUN: tt-opt --tt-pipeline %examples/height_shards.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=TOP
// TOP: // height_shards, reader: moves blocks of the inputs from DRAM to circular buffers.
// TOP: // height_shards, writer: counts blocks of shards that are in place.
