// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-use-both-movers %examples/gemm.mlir --remarks-filter=tt-use-both-movers 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DONE %s < %t.remarks
// DONE: the writer's processor brings B

// CHECK: tt.read_to_cb {{.*}} : memref<1024x256xbf16>
// CHECK: tt.read_to_cb {{.*}} {tt.kernel_role = "writer"} : memref<256x1024xbf16>

// The writer brings all blocks of B, then takes what was computed.
// RUN: tt-opt --tt-pipeline=optimize=use-both-movers,share-operands --canonicalize --cse %examples/gemm.mlir | FileCheck %s --check-prefix=BOTH
// BOTH: tt.kernel @reader(%{{.*}}: memref<1024x256xbf16> {tt.name = "A"}) {{.*}} noc = 0
// BOTH: metalium.noc_async_write_multicast
// BOTH-NOT: metalium.noc_async_write_multicast
// BOTH: tt.kernel @writer(%{{.*}}: memref<256x1024xbf16> {tt.name = "B"}, %{{.*}}: memref<1024x1024xbf16> {tt.name = "C"}) {{.*}} noc = 1
// BOTH: scf.for
// BOTH: metalium.noc_async_read_tile
// BOTH: metalium.noc_async_write_multicast
// BOTH: metalium.cb_wait_front
// BOTH: metalium.noc_async_write_tile
// BOTH: metalium.noc_async_write_barrier

// The two kernels as files: the corners of a rectangle change places on NoC 1.
// RUN: tt-opt --tt-pipeline=optimize=use-both-movers,share-operands %examples/gemm.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=FILES
// FILES: get_noc_multicast_addr(in0_x0, in0_y0, in0_x1, in0_y1, cb_in0_write_ptr)
// FILES: // gemm, writer: moves blocks from tensors to circular buffers, and back.
// FILES: get_noc_multicast_addr(in1_x1, in1_y1, in1_x0, in1_y0, cb_in1_write_ptr)

// Something is given away where a core has several units, whose results can wait (--tt-write-behind), and nothing where nobody shares.
// RUN: tt-opt --tt-stage-a="grid=2x8" --tt-stage-b --tt-stage-c --tt-use-both-movers %examples/gemm.mlir --remarks-filter=tt-use-both-movers 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNITS
// UNITS: the writer's processor brings A
// UNITS: tt.kernel_role
// Where products take longer than all reads of their step, results need not wait.
// RUN: tt-opt --tt-pipeline="grid=2x4 optimize=merge-steps,use-both-movers" %S/Inputs/several-units.mlir --remarks-filter=tt-use-both-movers 2>&1 | FileCheck %s --check-prefix=HIDDEN
// HIDDEN: the reader brings B as well: products take longer than all that they need
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-use-both-movers %examples/eadd.mlir | FileCheck %s --check-prefix=NONE
// NONE-NOT: tt.kernel_role

// What no cores share is the reader's, also where it comes second: the writer's processor brings the rest.
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-use-both-movers %S/Inputs/skinny.mlir --remarks-filter=tt-use-both-movers 2>&1 | FileCheck %s --check-prefix=SKINNY
// SKINNY: the writer's processor brings A
// SKINNY: tt.read_to_cb {{.*}} {tt.kernel_role = "writer"} : memref<32x256xbf16>
// SKINNY: tt.read_to_cb {{.*}} : memref<256x2048xbf16>

// The longest block of those that are shared is the reader's, whose NoC reads DRAM faster, also where it comes second.
// RUN: sed -e 's/256x1024/256x2048/; s/32x128/32x256/g; s/1024x1024/1024x2048/g; s/128x128/128x256/g; s/.1024, 1./[2048, 1]/' \
// RUN:   -e 's/.32, 128./[32, 256]/; s/.128, 128./[128, 256]/; s/%bx, %c128/%bx, %c256/' %examples/gemm.mlir > %t.wide.mlir
// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c --tt-use-both-movers %t.wide.mlir --remarks-filter=tt-use-both-movers 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: the writer's processor brings A
// WIDE: tt.read_to_cb {{.*}} {tt.kernel_role = "writer"} : memref<1024x256xbf16>
// WIDE: tt.read_to_cb {{.*}} : memref<256x2048xbf16>

// What the writer brings does not wait for the results before it.
// RUN: tt-opt --tt-stage-a --tt-stage-d %s | FileCheck %s --check-prefix=FIRST
// FIRST: tt.kernel @writer
// FIRST: metalium.noc_async_read_barrier
// FIRST: metalium.cb_wait_front
func.func @two_results(%A: memref<32x32xbf16>, %B: memref<32x64xbf16>, %C: memref<32x32xbf16>, %D: memref<32x32xbf16>)
    attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "c" : !tt.cb<1x1xbf16>
  %d = tt.alloc_cb "d" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a, dst = 0 -> %c : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  %c32 = arith.constant 32 : index
  tt.read_to_cb %B[%c0, %c32], %b {tt.kernel_role = "writer"} : memref<32x64xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %b, dst = 0 -> %d : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %d, %D[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
