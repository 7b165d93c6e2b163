// RUN: tt-opt --tt-pipeline=optimize=read-first-rows %examples/rms_norm.mlir --remarks-filter=tt-read-first-rows 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: of {{[0-9]+}} tiles the first rows are read, which are all that is taken of them
// DONE-NOT: read

// The row of a core as a whole, and of weights the first row of each tile.
// CHECK: tt.kernel @reader
// CHECK: metalium.noc_async_read_tile
// CHECK: metalium.noc_async_read_part %{{.*}}[%c0{{.*}}, %c0{{.*}}], %c1{{.*}} x %c32, %{{.*}}, %{{.*}} bytes = 2 unit = 32
// CHECK: tt.kernel @compute

// Results have the same bits, in each era and on both chips, and nothing is behind the tensor.
// RUN: %if all %{ tt-run %examples/layer_norm.mlir --optimize=none --output Y=%t.none.npy %}
// RUN: %if all %{ tt-run %examples/layer_norm.mlir --optimize=read-first-rows --strict --output Y=%t.rows.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.rows.npy %}
// RUN: %if all %{ tt-run %examples/layer_norm.mlir --optimize=read-first-rows --metalium-api=2025 --strict --output Y=%t.rows.npy %}
// RUN: %if all %{ cmp %t.none.npy %t.rows.npy %}
// RUN: %if all %{ tt-run %examples/layer_norm.mlir --optimize=read-first-rows --arch=blackhole --math=fast --metalium-api=2026-03 --strict --check %}

// Where cores share the block, whole tiles are multicast.
// RUN: sed 's/64x128/1024x128/g; s/in (2)/in (32)/' %examples/rms_norm.mlir > %t.mlir
// RUN: tt-opt --tt-pipeline=optimize=read-first-rows,share-operands %t.mlir | FileCheck %s --check-prefix=SHARED
// SHARED-NOT: noc_async_read_part
// SHARED: metalium.noc_async_write_multicast
// SHARED-NOT: noc_async_read_part

// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-read-first-rows %s --remarks-filter=tt-read-first-rows 2> %t.why | FileCheck %s --check-prefix=MARK
// RUN: FileCheck --check-prefix=WHY %s < %t.why
// MARK-LABEL: func.func @taken_whole
// MARK-NOT: first_rows
// WHY: all of a block is read: an op takes more of it
func.func @taken_whole(%A: memref<32x64xbf16>, %W: memref<64xbf16>, %C: memref<32x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x2xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x2xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.read_to_cb %W[%c0], %w : memref<64xbf16>, !tt.cb<1x2xbf16>
  tt.fpu.mul %a, %w bcast rows, dst = 0 -> %c : !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>
  tt.fpu.add %a, %w, dst = 0 -> %c : !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x2xbf16>, memref<32x64xbf16>
  return
}

// Numbers that share an exponent are not alone in a tile.
// MARK-LABEL: func.func @block_floats
// MARK-NOT: first_rows
// WHY: all of a block is read: its elements lie in rows, or share exponents
func.func @block_floats(%A: memref<32x64xbf16>, %W: memref<64xbf16> {tt.layout = {dtype = "bfp8_b"}}, %C: memref<32x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x2xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x2xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.read_to_cb %W[%c0], %w : memref<64xbf16>, !tt.cb<1x2xbf16>
  tt.fpu.mul %a, %w bcast rows, dst = 0 -> %c : !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x2xbf16>, memref<32x64xbf16>
  return
}
// MARK-LABEL: func.func @broadcast
// MARK: tt.read_to_cb %arg1[%c0], %{{.*}} first_rows
func.func @broadcast(%A: memref<32x64xbf16>, %W: memref<64xbf16>, %C: memref<32x64xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x2xbf16>
  %w = tt.alloc_cb "w" : !tt.cb<1x2xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x2xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x64xbf16>, !tt.cb<1x2xbf16>
  tt.read_to_cb %W[%c0], %w : memref<64xbf16>, !tt.cb<1x2xbf16>
  tt.fpu.mul %a, %w bcast rows, dst = 0 -> %c : !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>, !tt.cb<1x2xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x2xbf16>, memref<32x64xbf16>
  return
}
