// RUN: tt-opt %examples/gemm.mlir --tt-stage-a --tt-stage-b --tt-stage-c --tt-split-device-kernel --tt-configure-tensor-accessor | FileCheck %s
// RUN: not tt-opt %examples/gemm.mlir --tt-stage-a --tt-configure-tensor-accessor 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: tt-opt %s --tt-stage-a --tt-complete-level-2 --tt-split-device-kernel --tt-configure-tensor-accessor | FileCheck %s --check-prefix=SHARDED

// Reader and writer take the addresses of their tensors first, in order.
// CHECK: tt.kernel @reader
// CHECK-SAME: tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, buffer_name = "A", layout_ref = "tt.buffer.A", stride_mode = tiled, runtime_binding = <runtime_arg_idx = 0, base_offset = 0, tile_size_bytes = 2048>>
// CHECK-SAME: tt.tensor_accessor.B = #tt.tensor_accessor<type = bound, {{.*}} runtime_binding = <runtime_arg_idx = 1, base_offset = 0, tile_size_bytes = 2048>>
// CHECK: tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"}
// CHECK: tt.kernel @writer
// CHECK-SAME: tt.tensor_accessor.C = #tt.tensor_accessor<type = bound, {{.*}} runtime_binding = <runtime_arg_idx = 0,

// ORDER: error: the kernel is not split into reader, compute and writer: run --tt-split-device-kernel first

// The accessor of a sharded tensor is bound like any other, and has the shards' geometry.
// SHARDED: tt.kernel @reader
// SHARDED-SAME: tt.tensor_accessor.arg0 = #tt.tensor_accessor<type = bound, buffer_name = "arg0", layout_ref = "tt.buffer.arg0", stride_mode = sharded, nd_shard = <axes = ["M", "N"], grid = [2, 2], {{.*}}>, runtime_binding = <runtime_arg_idx = 0,
func.func @sharded(%A: memref<64x64xbf16> {tt.layout = {layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 2], shard_shape_elems = [32, 32]}}},
                   %B: memref<64x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<64x64xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<64x64xbf16>
  return
}
