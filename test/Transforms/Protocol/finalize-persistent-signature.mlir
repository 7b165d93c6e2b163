// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-stage-d --tt-stage-e | FileCheck %s
// RUN: tt-opt %examples/height_shards.mlir --tt-pipeline=optimize=none | FileCheck %s --check-prefix=LOCAL
// RUN: tt-opt %examples/dynamic_gemm.mlir --tt-pipeline=optimize=none | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-e 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-stage-e 2>&1 | FileCheck %s --check-prefix=PROTOCOL
// RUN: not tt-opt %examples/matmul.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor --tt-lower-cb-intrinsics --tt-stage-e 2>&1 | FileCheck %s --check-prefix=DST
// RUN: not tt-opt %s --tt-stage-e 2>&1 | FileCheck %s --check-prefix=METADATA

// Addresses first, then the canonical names that a kernel uses, in their order.
// CHECK: tt.kernel @reader
// CHECK-SAME: tt.runtime_args = ["A_addr", "B_addr", "start_id", "count"]
// CHECK: tt.runtime_arg "start_id" at 2
// CHECK: tt.runtime_arg "count" at 3
// CHECK: tt.kernel @compute
// CHECK-SAME: tt.runtime_args = ["count"]
// CHECK: tt.runtime_arg "count" at 0
// CHECK: tt.kernel @writer
// CHECK-SAME: tt.runtime_args = ["C_addr", "start_id", "count"]

// In mode local_shard a core's place in the shard grid; nothing of what is in place.
// LOCAL: tt.kernel @reader
// LOCAL-SAME: tt.runtime_args = ["A_addr", "B_addr", "count", "sy"]
// LOCAL: tt.kernel @writer
// LOCAL-SAME: tt.runtime_args = ["count"]

// Sizes of dynamic dimensions come before the canonical names.
// DYNAMIC: tt.kernel @reader
// DYNAMIC-SAME: tt.runtime_args = ["A_addr", "B_addr", "A_d0", "A_d1", "B_d0", "B_d1", "start_id", "count", "gx"]
// DYNAMIC: tt.kernel @compute
// DYNAMIC-SAME: tt.runtime_args = ["A_d1", "count"]

// SPLIT: error: the kernel is not split into reader, compute and writer: run --tt-split-device-kernel first
// PROTOCOL: error: this is no protocol op: run --tt-lower-cb-intrinsics first
// DST: error: DST is not managed: run --tt-insert-dst-management first

// METADATA: error: the program has no tt.partition_mode: run --tt-layout-aware-work-partition first
tt.program @p : () -> () {}
